package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
)

// quiet opens a store without background snapshots.
var quiet = Options{SnapshotEvery: -1, Version: "test"}

func newPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data", "assay.db")
}

func mustOpen(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	s, err := Open(path, opts)
	fatal.If(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// opened is the first event of a session with the given number of tasks.
func opened(id string, tasks int) session.Event {
	plan := session.Plan{Benchmark: "core", K: 10, Tester: "T1", Model: session.Model{Name: "rehearsal"}}
	for i := range tasks {
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: fmt.Sprint("task", i)})
	}
	return stamped(1, session.Opened{Session: id, Plan: plan})
}

func stamped(seq uint64, p session.Payload) session.Event {
	wall := int64(1_700_000_000_000 + 1000*seq)
	return session.Event{Seq: seq, Stamp: session.Stamp{Wall: wall, Mono: int64(1000 * seq), Process: "p", Boot: "b"}, Payload: p}
}

func heartbeats(from uint64, n int) []session.Event {
	events := make([]session.Event, n)
	for i := range events {
		events[i] = stamped(from+uint64(i), session.Heartbeat{})
	}
	return events
}

// prompt is an event that refers to a text, with the text.
func prompt(seq uint64, text string) ([]session.Event, map[session.Ref][]byte) {
	ref := session.RefOf([]byte(text))
	return []session.Event{stamped(seq, session.PromptSent{Attempt: 1, Try: 1, Prompt: ref, Messages: []session.Message{{Role: session.User, Text: ref}}})},
		map[session.Ref][]byte{ref: []byte(text)}
}

func mustAppend(t testing.TB, s *Store, id string, events []session.Event, blobs map[session.Ref][]byte) []session.Event {
	t.Helper()
	sealed, err := s.Append(t.Context(), id, events, blobs)
	fatal.If(t, err)
	return sealed
}

func TestAppendReturnsSealedEventsThatAreReadBack(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	first := mustAppend(t, s, "S1", []session.Event{opened("S1", 3)}, nil)
	events, blobs := prompt(2, "write a function")
	second := mustAppend(t, s, "S1", events, blobs)
	if first[0].Hash == "" || second[0].Prev != first[0].Hash {
		t.Errorf("events are not chained: %+v, %+v", first[0], second[0])
	}
	got, err := s.Events("S1", 0)
	fatal.If(t, err)
	if err := enginetest.Verify(got); err != nil || len(got) != 2 {
		t.Errorf("read %d events back: %v", len(got), err)
	}
	if tail, err := s.Events("S1", 2); err != nil || len(tail) != 1 || tail[0].Seq != 2 {
		t.Errorf("from event 2: %+v, %v", tail, err)
	}
	if past, err := s.Events("S1", 3); err != nil || len(past) != 0 {
		t.Errorf("from beyond the end: %+v, %v", past, err)
	}
	if text, err := s.Blob(session.RefOf([]byte("write a function"))); err != nil || string(text) != "write a function" {
		t.Errorf("blob %q, %v", text, err)
	}
	if events, texts, err := s.Verify("S1"); err != nil || events != 2 || texts != 1 {
		t.Errorf("verified %d events, %d texts, %v", events, texts, err)
	}
}

func TestExportIsTheStorage(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	sealed := mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	sealed = append(sealed, mustAppend(t, s, "S1", heartbeats(2, 3), nil)...)
	var want, got strings.Builder
	for _, e := range sealed {
		text, err := json.Marshal(e)
		fatal.If(t, err)
		want.Write(append(text, '\n'))
	}
	if err := s.Export("S1", &got); err != nil || got.String() != want.String() {
		t.Errorf("exported\n%s\nwant\n%s\n(%v)", got.String(), want.String(), err)
	}
}

func TestRefusedAppends(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, quiet)
	mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, heartbeats(2, 2)...), nil)
	other := stamped(3, session.Flagged{Reason: "another event 3"})
	cases := map[string]struct {
		id     string
		events []session.Event
		blobs  map[session.Ref][]byte
		is     error
	}{
		"a gap":                      {"S1", heartbeats(5, 1), nil, errConflict},
		"another event of that seq":  {"S1", []session.Event{other}, nil, errConflict},
		"a repeat that goes further": {"S1", heartbeats(3, 2), nil, errConflict},
		"events out of order":        {"S1", []session.Event{stamped(5, session.Heartbeat{}), stamped(4, session.Heartbeat{})}, nil, errConflict},
		"a new log without opened":   {"S2", heartbeats(1, 1), nil, nil},
		"a new log at 2":             {"S2", heartbeats(2, 1), nil, errConflict},
		"another session's opened":   {"S2", []session.Event{opened("S3", 1)}, nil, nil},
		"a second opened":            {"S1", []session.Event{stamped(4, session.Opened{Session: "S1"})}, nil, nil},
		"no events":                  {"S1", nil, nil, nil},
		"no payload":                 {"S1", []session.Event{{Seq: 4}}, nil, nil},
		"no id":                      {"", []session.Event{opened("", 1)}, nil, nil},
		"a text under a wrong hash":  {"S1", heartbeats(4, 1), map[session.Ref][]byte{"00": []byte("x")}, nil},
	}
	for name, c := range cases {
		sealed, err := s.Append(t.Context(), c.id, c.events, c.blobs)
		if err == nil || sealed != nil || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, %v; want %v", name, sealed, err, c.is)
		}
	}
	noNumber := stamped(4, session.Measured{CommentRate: math.NaN()})
	if _, err := s.Append(t.Context(), "S1", []session.Event{noNumber}, nil); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("a number that JSON lacks: %v", err)
	}
	if got, err := s.Events("S1", 1); err != nil || len(got) != 3 {
		t.Errorf("the log has %d events after refused appends, %v", len(got), err)
	}
	if _, err := s.Events("S2", 1); !errors.Is(err, ErrNoSession) {
		t.Errorf("a refused append left a session: %v", err)
	}
	mustAppend(t, s, "S1", heartbeats(4, 1), nil)
}

func TestRepeatedAppendIsAcknowledged(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	once := mustAppend(t, s, "S1", heartbeats(2, 3), nil)
	again := mustAppend(t, s, "S1", heartbeats(2, 3), nil)
	if once[2].Hash != again[2].Hash {
		t.Errorf("the repeat was sealed differently: %s, %s", once[2].Hash, again[2].Hash)
	}
	if got, err := s.Events("S1", 1); err != nil || len(got) != 4 {
		t.Errorf("%d events, %v", len(got), err)
	}
}

// failRoot makes the store's next write of a root reach the file and then fail, as a flush may. It replaces
// an unexported function of bbolt, which has no hook for that.
func failRoot(t *testing.T, s *Store) {
	t.Helper()
	field := reflect.ValueOf(s.db).Elem().FieldByName("ops").FieldByName("writeAt")
	writeAt := (*func([]byte, int64) (int, error))(field.Addr().UnsafePointer())
	write := *writeAt
	*writeAt = func(data []byte, at int64) (int, error) {
		n, err := write(data, at)
		if at < 2*int64(os.Getpagesize()) {
			*writeAt, err = write, syscall.EIO
		}
		return n, err
	}
}

// A failed append may be in the file: then repeating it succeeds, and no other event gets its number.
func TestFailedAppendThatWasWritten(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	failRoot(t, s)
	if _, err := s.Append(t.Context(), "S1", heartbeats(2, 1), nil); !errors.Is(err, syscall.EIO) {
		t.Fatalf("the failure was not reported: %v", err)
	}
	other, blobs := prompt(2, "another event")
	if _, err := s.Append(t.Context(), "S1", other, blobs); !errors.Is(err, errConflict) {
		t.Errorf("another event took the number of one that is there: %v", err)
	}
	mustAppend(t, s, "S1", heartbeats(2, 1), nil)
	mustAppend(t, s, "S1", heartbeats(3, 1), nil)
	if n, _, err := s.Verify("S1"); n != 3 || err != nil {
		t.Errorf("%d of 3 events, %v", n, err)
	}
}

func TestOneFailureInABatchLeavesTheOthers(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	good := &request{id: "S1", events: []session.Event{opened("S1", 1)}}
	bad := &request{id: "S1", events: heartbeats(7, 1)}
	next := &request{id: "S1", events: heartbeats(2, 1)}
	s.commit([]*request{good, bad, next}, map[string]head{})
	if good.err != nil || next.err != nil || !errors.Is(bad.err, errConflict) {
		t.Errorf("outcomes %v, %v, %v", good.err, bad.err, next.err)
	}
	if got, err := s.Events("S1", 1); err != nil || len(got) != 2 {
		t.Errorf("%d events, %v", len(got), err)
	}
}

func TestConcurrentAppendsOfManySessions(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, quiet)
	const sessions, each = 8, 25
	var group sync.WaitGroup
	for i := range sessions {
		id := fmt.Sprint("S", i)
		group.Go(func() {
			if _, err := s.Append(context.Background(), id, []session.Event{opened(id, 1)}, nil); err != nil {
				t.Error(err)
			}
			for seq := uint64(2); seq <= each; seq++ {
				events, blobs := prompt(seq, fmt.Sprint(id, seq))
				if _, err := s.Append(context.Background(), id, events, blobs); err != nil {
					t.Error(err)
				}
				if _, err := s.Sessions(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for i := range sessions {
		if n, _, err := s.Verify(fmt.Sprint("S", i)); n != each || err != nil {
			t.Errorf("session %d: %d events, %v", i, n, err)
		}
	}
}

func TestTwoWritersOfOneSessionConflictAndNeverInterleave(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	var group sync.WaitGroup
	outcomes := make([]error, 8)
	for i := range outcomes {
		group.Go(func() {
			e := stamped(2, session.Flagged{Reason: fmt.Sprint("writer ", i)})
			_, outcomes[i] = s.Append(context.Background(), "S1", []session.Event{e}, nil)
		})
	}
	group.Wait()
	won := 0
	for _, err := range outcomes {
		if err == nil {
			won++
		} else if !errors.Is(err, errConflict) {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d of the writers of event 2 were acknowledged", won)
	}
}

func TestClosedStoreRefuses(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, quiet)
	fatal.If(t, s.Close())
	if _, err := s.Append(t.Context(), "S1", []session.Event{opened("S1", 1)}, nil); !errors.Is(err, errClosed) {
		t.Errorf("append: %v", err)
	}
	if _, err := s.Sessions(); err == nil {
		t.Error("a closed store can be read")
	}
	if _, err := os.Stat(ownerPath(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the owner file stayed: %v", err)
	}
}

func TestCancelledAppendIsNotRecorded(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// Either outcome is right if the context ends during the append; the result has to agree with the file.
	_, err := s.Append(ctx, "S1", []session.Event{opened("S1", 1)}, nil)
	_, readErr := s.Events("S1", 1)
	if recorded := readErr == nil; recorded != (err == nil) {
		t.Errorf("append said %v, the log says %v", err, readErr)
	}
}

func TestSummaryFollowsTheSession(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	payloads := []session.Payload{
		session.TaskOpened{Index: 0, Task: "task0"},
		session.AnswerReceived{Attempt: 1},
		session.Judged{Attempt: 1, Decision: session.DecideSatisfied},
		session.TaskClosed{Index: 0, Outcome: session.Satisfied},
		session.TaskSkipped{Index: 1, Task: "task1", Reason: "unclear"},
		session.TaskClosed{Index: 1, Outcome: session.Skipped},
		session.TaskOpened{Index: 2, Task: "task2"},
		session.Suspended{MS: 1000, Frozen: true}, // which is no work
		session.Paused{Reason: "quit"},
		session.Heartbeat{},
	}
	events := []session.Event{opened("S1", 3)}
	for i, p := range payloads {
		events = append(events, stamped(uint64(i+2), p))
	}
	mustAppend(t, s, "S1", events, nil)
	rows, err := s.Sessions()
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	want := Summary{
		ID: "S1", Status: StatusPaused, Benchmark: "core", Model: "rehearsal", Tester: "T1", K: 10,
		Progress: session.Progress{Tasks: 3, Done: 1, Skipped: 1}, Current: 2, Task: "task2", Answers: 1,
		OpenedAt: 1_700_000_001_000, LastAt: 1_700_000_011_000, WorkedMS: 8000, LastSeq: 11,
	}
	if rows[0] != want {
		t.Errorf("summary\n%+v\nwant\n%+v", rows[0], want)
	}
}

// A name does not change the times, and practice tasks are counted separately, also if one is restarted.
func TestSummaryOfPracticeAndNames(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	first := opened("S1", 3)
	begun := first.Payload.(session.Opened)
	begun.Plan.Tasks[0].Practice, begun.Plan.Tasks[1].Set, begun.Plan.Tasks[2].Set = true, "T0", "T1"
	first.Payload = begun
	events := []session.Event{first}
	for i, p := range []session.Payload{
		session.TaskOpened{Index: 0, Task: "task0"}, session.TaskClosed{Index: 0, Outcome: session.Satisfied},
		session.TaskOpened{Index: 0, Task: "task0"}, session.Renamed{Name: "with the new prompts"},
	} {
		events = append(events, stamped(uint64(i+2), p))
	}
	mustAppend(t, s, "S1", events, nil)
	rows, err := s.Sessions()
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	r := rows[0]
	if r.Progress != (session.Progress{Tasks: 2, Practice: 1}) || r.Place() != "practice, not counted" || r.Sets != "T0, T1" {
		t.Errorf("progress %+v of sets %q", r.Progress, r.Sets)
	}
	if r.Name != "with the new prompts" || r.LastSeq != 5 || r.LastAt != events[3].Wall {
		t.Errorf("named %q at %d, event %d", r.Name, r.LastAt, r.LastSeq)
	}
}
