package store

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"assay/data/fatal"
)

// small mounts a file system of the given size until the end of the test.
func small(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a file system needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A store on a full disk can be opened and read.
func TestFullDiskIsRead(t *testing.T) {
	dir := small(t, "2m")
	path := filepath.Join(dir, "assay.db")
	writeFile(t, path, sampleFile(t))
	ballast, err := os.Create(filepath.Join(dir, "ballast"))
	fatal.If(t, err)
	for { // until nothing fits
		if _, err := ballast.Write(make([]byte, 512)); err != nil {
			break
		}
	}
	fatal.If(t, ballast.Close())
	s, err := Open(path, Options{})
	fatal.If(t, err)
	if got := logsOf(t, s.reader); len(got) != 4 {
		t.Errorf("%d sessions", len(got))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A store on a read-only file system can be read, without new files next to it.
func TestReadOnlyFileSystemIsRead(t *testing.T) {
	dir := small(t, "4m")
	path := filepath.Join(dir, "assay.db")
	text := sampleFile(t)
	writeFile(t, path, text)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	if _, err := Open(path, Options{}); !CannotWrite(err) {
		t.Fatal(err)
	}
	s, err := OpenReadOnly(path)
	fatal.If(t, err)
	if got := logsOf(t, s.reader); len(got) != 4 {
		t.Errorf("%d sessions", len(got))
	}
	fatal.If(t, s.Close())
	if now, _ := os.ReadFile(path); !bytes.Equal(now, text) {
		t.Error("the store was changed")
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%v", files)
	}
}
