//go:build linux

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/data/fatal"
	"assay/session"
)

// TestFullDisk fills a small file system.
func TestFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root; TestLimitOnFileSize covers the same path")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no small file system can be mounted here (%v); TestLimitOnFileSize covers the same path", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	ballast := filepath.Join(dir, "ballast")
	fatal.If(t, os.WriteFile(ballast, make([]byte, 300<<10), 0o600))
	s, err := Open(filepath.Join(dir, "assay.db"), quiet)
	fatal.If(t, err)
	defer s.Close()
	fillAndRecover(t, s, func() {
		fatal.If(t, os.Remove(ballast))
	})
}

// A migration that a full disk stops, at whatever byte, changes nothing and leaves nothing.
func TestMigrationOnAFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	older := newPath(t)
	s, err := openFormat(older, quiet, format{number: 1})
	fatal.If(t, err)
	mustAppend(t, s, "S1", heartbeatLog("S1", 1000), nil)
	before := dump(t, s.reader)
	fatal.If(t, s.Close())
	text := fatal.Read(t, older)
	for _, kilobytes := range []int{0, 4, 100, len(text)>>10 - 4, len(text) >> 10, len(text)>>10 + 4, len(text)>>10 + 16, 4 * len(text) >> 10} {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", len(text)>>10+4+kilobytes)); err != nil {
			t.Skipf("no small file system can be mounted here: %v", err)
		}
		defer syscall.Unmount(dir, syscall.MNT_DETACH)
		path := filepath.Join(dir, "assay.db")
		fatal.If(t, os.WriteFile(path, text, 0o600))
		s, err := Open(path, quiet)
		if err == nil {
			if _, _, err := s.Verify("S1"); err != nil {
				t.Error(err)
			}
			fatal.If(t, s.Close())
			continue
		}
		if !outOfSpace(err) || !strings.Contains(err.Error(), "free some space") {
			t.Errorf("with %d KB: %v", kilobytes, err)
		}
		if kilobytes > 2*len(text)>>10 {
			t.Errorf("with room enough: %v", err)
		}
		s, err = openFormat(path, quiet, format{number: 1})
		fatal.If(t, err)
		sameDump(t, "the store", before, dump(t, s.reader))
		fatal.If(t, s.Close())
	}
}

// fillAndRecover appends until the file system is full, checks that nothing was lost, frees space and
// continues.
func fillAndRecover(t interface {
	Errorf(string, ...any)
	Fatalf(string, ...any)
}, s *Store, makeRoom func()) {
	ctx := context.Background()
	if _, err := s.Append(ctx, "S1", []session.Event{opened("S1", 1)}, nil); err != nil {
		t.Fatalf("%v", err)
	}
	next, full := uint64(2), error(nil)
	text := func() string { return strings.Repeat(fmt.Sprint(next), 10_000) }
	for full == nil && next < 10_000 {
		events, blobs := prompt(next, text())
		if _, full = s.Append(ctx, "S1", events, blobs); full == nil {
			next++
		}
	}
	if !errors.Is(full, errFull) || !strings.Contains(full.Error(), "free some space") {
		t.Fatalf("on a full disk: %v", full)
	}
	// However often it is retried. Single appends may still fit, since the pages of the failed append are
	// free again.
	for failures := 0; failures < 3; {
		events, blobs := prompt(next, text())
		switch _, err := s.Append(ctx, "S1", events, blobs); {
		case errors.Is(err, errFull):
			failures++
		case err != nil:
			t.Fatalf("tried again: %v", err)
		default:
			next++
		}
	}
	if n, _, err := s.Verify("S1"); err != nil || uint64(n) != next-1 {
		t.Fatalf("%d of %d acknowledged events there, %v", n, next-1, err)
	}
	makeRoom()
	events, blobs := prompt(next, text())
	if _, err := s.Append(ctx, "S1", events, blobs); err != nil {
		t.Fatalf("after space returned: %v", err)
	}
	if n, _, err := s.Verify("S1"); err != nil || uint64(n) != next {
		t.Fatalf("%d of %d events there, %v", n, next, err)
	}
	if done, err := s.Rebuild(); err != nil || len(done.Changed) > 0 {
		t.Errorf("rebuild: %+v, %v", done, err)
	}
}

// failing reports a child's failures to its parent.
type failing struct{}

func (failing) Errorf(format string, args ...any) { childDies(fmt.Errorf(format, args...)) }
func (failing) Fatalf(format string, args ...any) { childDies(fmt.Errorf(format, args...)) }

// childFills runs against a limit on the size of files, which is lifted later.
func childFills(path string) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		childDies(err)
	}
	high := limit
	limit.Cur = 700 << 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		childDies(err)
	}
	s, err := Open(path, quiet)
	if err != nil {
		childDies(err)
	}
	fillAndRecover(failing{}, s, func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &high); err != nil {
			childDies(err)
		}
	})
	if err := s.Close(); err != nil {
		childDies(err)
	}
	w := bufio.NewWriter(os.Stdout)
	fmt.Fprintln(w, "done")
	w.Flush()
}

func TestLimitOnFileSize(t *testing.T) {
	cmd, in, out := child(t, "fill", newPath(t))
	in.Close()
	line, err := out.ReadString('\n')
	if waitErr := cmd.Wait(); waitErr != nil || line != "done\n" {
		t.Errorf("%q, %v, %v", line, err, waitErr)
	}
}
