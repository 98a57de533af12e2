package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
)

// A test that needs a second process runs the test binary again with these environment variables.
const (
	childRole = "ASSAY_STORE_TEST_CHILD"
	childPath = "ASSAY_STORE_TEST_PATH"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childRole) {
	case "hold":
		childHolds(os.Getenv(childPath))
	case "append":
		childAppends(os.Getenv(childPath))
	case "fill":
		childFills(os.Getenv(childPath))
	default:
		os.Exit(m.Run())
	}
}

func child(t testing.TB, role, path string) (*exec.Cmd, io.WriteCloser, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childPath+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	fatal.If(t, err)
	out, err := cmd.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	return cmd, in, bufio.NewReader(out)
}

func childDies(err error) {
	fmt.Fprintln(os.Stderr, "child:", err)
	os.Exit(1)
}

// childHolds opens the store, reports that, and holds it until its input ends.
func childHolds(path string) {
	s, err := Open(path, Options{Command: "assay the child"})
	if err != nil {
		childDies(err)
	}
	id := "HELD"
	if _, err := s.Append(context.Background(), id, []session.Event{opened(id, 1)}, nil); err != nil {
		childDies(err)
	}
	if err := s.Snapshot(snapshotPath(path)); err != nil {
		childDies(err)
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	s.Close()
}

func TestSecondProcessIsToldWhoHasTheStore(t *testing.T) {
	path := newPath(t)
	cmd, in, out := child(t, "hold", path)
	if line, err := out.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatal(line, err)
	}
	_, err := Open(path, quiet)
	var inUse *InUseError
	if !errors.Is(err, ErrInUse) || !errors.As(err, &inUse) {
		t.Fatalf("opening a store in use: %v", err)
	}
	for _, want := range []string{fmt.Sprint("process ", cmd.Process.Pid, " "), "assay the child", path, "snapshot"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if inUse.Owner.PID != cmd.Process.Pid || inUse.Snapshot.IsZero() {
		t.Errorf("owner %+v", inUse)
	}
	snap, err := OpenSnapshot(path)
	fatal.If(t, err)
	if rows, err := snap.Sessions(); err != nil || len(rows) != 1 || rows[0].ID != "HELD" {
		t.Errorf("snapshot holds %+v, %v", rows, err)
	}
	if err := snap.Close(); err != nil {
		t.Error(err)
	}
	fatal.If(t, cmd.Process.Kill())
	cmd.Wait()
	in.Close()
	// The owner file of the killed process remains and must be ignored.
	if owner := readOwner(path); owner.PID != 0 {
		t.Errorf("a dead owner is believed: %+v", owner)
	}
	s := mustOpen(t, path, quiet)
	if owner := readOwner(path); owner.PID != os.Getpid() {
		t.Errorf("the owner is %+v, I am %d", owner, os.Getpid())
	}
	if _, _, err := s.Verify("HELD"); err != nil {
		t.Error(err)
	}
}

// killSessions are the sessions that each child appends to concurrently.
var killSessions = []string{"K0", "K1", "K2"}

// childAppends continues every session as fast as it can and prints each
// append once it is acknowledged, until it is killed.
func childAppends(path string) {
	s, err := Open(path, Options{SnapshotEvery: 2 * time.Millisecond})
	if err != nil {
		childDies(err)
	}
	var group sync.WaitGroup
	for _, id := range killSessions {
		group.Go(func() {
			next := uint64(1)
			if events, err := s.Events(id, 1); err == nil {
				next = uint64(len(events)) + 1
			} else if !errors.Is(err, ErrNoSession) {
				childDies(err)
			}
			for {
				events, blobs := prompt(next, fmt.Sprint(id, " ", next, strings.Repeat("x", int(next%7)*900)))
				if next == 1 {
					events, blobs = []session.Event{opened(id, 2)}, nil
				}
				events = append(events, heartbeats(next+1, int(next%3))...)
				if _, err := s.Append(context.Background(), id, events, blobs); err != nil {
					childDies(err)
				}
				next += uint64(len(events))
				fmt.Printf("%s %d\n", id, next-1) // one write: whole lines or nothing
			}
		})
	}
	group.Wait()
}

// TestKilledWriterLosesNothingAcknowledged shows crash safety of the process only. For power loss see the
// package comment.
func TestKilledWriterLosesNothingAcknowledged(t *testing.T) {
	rounds := sampled.Of(20, 50) // ASSAY_KILLS=200 for the whole: about ten seconds
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILLS")); err == nil {
		rounds = n
	}
	path := newPath(t)
	acked := map[string]uint64{}
	random := rand.New(rand.NewPCG(7, uint64(time.Now().UnixNano())))
	total := 0
	for round := range rounds {
		cmd, in, out := child(t, "append", path)
		// Some rounds are killed while opening, the others after some appends; the exact moment depends on
		// the scheduler.
		if round%10 == 9 {
			spin := time.Now().Add(time.Duration(random.IntN(20)) * time.Millisecond)
			for time.Now().Before(spin) {
			}
		} else {
			for range random.IntN(12) {
				line, err := out.ReadString('\n')
				if err != nil {
					t.Fatalf("round %d: the child ended by itself: %v", round, err)
				}
				total += noteAck(t, acked, line)
			}
		}
		fatal.If(t, cmd.Process.Kill())
		// Appends acknowledged before the kill may still be in the pipe.
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				break
			}
			total += noteAck(t, acked, line)
		}
		cmd.Wait()
		in.Close()
		checkAfterKill(t, path, acked)
	}
	t.Logf("%d kills, %d acknowledged appends, last events %v", rounds, total, acked)
}

func noteAck(t testing.TB, acked map[string]uint64, line string) int {
	t.Helper()
	var id string
	var seq uint64
	if _, err := fmt.Sscan(line, &id, &seq); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	acked[id] = max(acked[id], seq)
	return 1
}

func checkAfterKill(t testing.TB, path string, acked map[string]uint64) {
	t.Helper()
	s, err := Open(path, quiet)
	fatal.If(t, err)
	defer s.Close()
	for id, seq := range acked {
		if n, _, err := s.Verify(id); err != nil || uint64(n) < seq {
			t.Fatalf("session %s: %d events acknowledged, %d there, %v", id, seq, n, err)
		}
	}
	if done, err := s.Rebuild(); err != nil || len(done.Changed) > 0 {
		t.Fatalf("rebuild after the kill: %+v, %v", done, err)
	}
	if !snapshotTime(path).IsZero() {
		inSnapshot(t, path)
	}
}
