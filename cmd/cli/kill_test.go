package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/inputs"
	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/store"
)

// The environment of a child: the test binary runs itself again as a tester who works through sessions
// until the process is killed.
const (
	killStore = "ASSAY_KILL_TEST_STORE"
	killSeed  = "ASSAY_KILL_TEST_SEED"
)

// TestKillChild is the child process; it is skipped otherwise.
func TestKillChild(t *testing.T) {
	path := os.Getenv(killStore)
	if path == "" {
		t.Skip("run by TestKilledSessionsLoseNothing")
	}
	t.Fatal(childWorks(path))
}

// quickJudge gives verdicts without running anything, since the tests are about storing them.
type quickJudge struct{}

func (quickJudge) Judge(_ context.Context, _ *benchmark.Task, code string) (verdicts.Result, error) {
	r := verdicts.Result{Verdict: verdicts.Accepted, Passed: 2, Total: 2, CPUMS: 3, WallMS: 4, Isolation: "none"}
	if len(code)%3 == 0 {
		r.Verdict, r.Passed = verdicts.WrongAnswer, 1
	}
	return r, nil
}

// childWorks continues the store's open session, if there is one, and then works through further sessions
// without end.
func childWorks(path string) error {
	seed, err := strconv.ParseUint(os.Getenv(killSeed), 10, 64)
	if err != nil {
		return err
	}
	benchmarks, err := inputs.Bundled()
	if err != nil {
		return err
	}
	s, err := store.Open(path, store.Options{SnapshotEvery: 20 * time.Millisecond})
	if err != nil {
		return err
	}
	noWaiting := func(string) string { return "0" } // the pace of the recordings
	model := llm.Model{Name: "rehearsal", Provider: llm.ProviderRehearsal}
	client, err := model.Client(llm.Deps{Getenv: noWaiting, Recorded: inputs.Rehearsal()})
	if err != nil {
		return err
	}
	t := &tester{
		cfg:    engine.Config{Store: s, Judge: quickJudge{}, Client: client, Stamp: engine.SystemClock()},
		random: rand.New(rand.NewPCG(seed, 1)), out: os.Stdout,
	}
	rows, err := s.Sessions()
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Status == store.StatusOpen || r.Status == store.StatusPaused {
			if t.eng, err = engine.Reopen(context.Background(), t.cfg, r.ID); err != nil {
				return err
			}
			if err := t.session(); err != nil {
				return fmt.Errorf("session %s, continued: %w", r.ID, err)
			}
		}
	}
	for {
		plan, tasks, err := session.Choice{
			Benchmark: benchmarks[0], Tasks: 4, K: 3, Seed: t.random.Uint64(), Level: t.random.IntN(4),
			Context: []session.Context{session.Conversation, session.Fresh}[t.random.IntN(2)],
			Model:   session.Model{Name: "rehearsal", Provider: "rehearsal", Recorded: true},
		}.Plan()
		if err != nil {
			return err
		}
		t.eng, err = engine.Begin(context.Background(), t.cfg, session.Opened{Session: ulid.Make().String(), Plan: plan}, tasks)
		if err != nil {
			return err
		}
		if err := t.session(); err != nil {
			return fmt.Errorf("session %s: %w", t.eng.State().Session, err)
		}
	}
}

// tester works through one session with keys chosen at random.
type tester struct {
	cfg    engine.Config
	eng    *engine.Engine
	random *rand.Rand
	out    io.Writer
}

// acknowledge prints committed events. A line is one write, and so complete or missing.
func (t *tester) acknowledge() {
	s := t.eng.State()
	fmt.Fprintf(t.out, "%s %d %s\n", s.Session, s.Seq, s.Hash)
}

// session works until the session is closed. Background events may be committed at any time, so the state
// may have changed since the step read it: only the error about that is tolerated.
func (t *tester) session() error {
	defer t.eng.Close(context.Background())
	t.acknowledge()
	for t.eng.State().Closed == "" {
		if err := t.step(context.Background(), t.eng.State()); err != nil && !errors.Is(err, session.ErrNotNow) {
			return err
		}
		t.acknowledge()
	}
	return nil
}

// chance is true with probability 1/n.
func (t *tester) chance(n int) bool { return t.random.IntN(n) == 0 }

func (t *tester) step(ctx context.Context, s *session.State) error {
	if s.Paused != "" {
		return t.eng.Resume(ctx)
	}
	if t.chance(12) {
		return t.eng.Pause(ctx, "tester")
	}
	if t.chance(15) {
		return t.eng.Beat(ctx)
	}
	switch s.Phase {
	case session.Between:
		if t.chance(6) {
			return t.eng.Skip(ctx, "by the tester")
		}
		return t.eng.OpenTask(ctx)
	case session.Read, session.Compose:
		return t.compose(ctx, s)
	case session.Wait:
		if t.chance(5) {
			t.eng.Stop()
		}
		<-t.eng.Changes()
		return nil
	case session.Review:
		return t.review(ctx, s)
	}
	return t.rate(ctx, s)
}

func (t *tester) compose(ctx context.Context, s *session.State) error {
	draft := s.Task().Draft()
	switch n := t.random.IntN(10); {
	case n < 4:
		at := 0
		if words := strings.Fields(draft); len(words) > 0 {
			at = strings.Index(draft, words[t.random.IntN(len(words))])
		}
		return t.eng.Edit(ctx, draft[:at]+fmt.Sprintf("größer %d ", t.random.IntN(1000))+draft[at:])
	case n < 6:
		return t.eng.Insert(ctx, "paste", draft, draft+strings.Repeat("pasted — ", 1+t.random.IntN(300)))
	case n < 7 && s.CanUndo() > 0:
		return t.eng.Undo(ctx)
	case n < 8 && t.chance(8):
		return t.eng.Skip(ctx, "by the tester")
	case draft == "":
		return t.eng.Edit(ctx, "Write it.")
	}
	return t.eng.Send(ctx, draft)
}

func (t *tester) review(ctx context.Context, s *session.State) error {
	a := s.Attempt()
	if a.Verdict == nil && !t.chance(4) {
		<-t.eng.Changes() // the verdict, or what else happens
		return nil
	}
	switch t.random.IntN(6) {
	case 0:
		return t.eng.ShowTab(ctx, []string{"answer", "tests", "changes"}[t.random.IntN(3)], t.random.IntN(2) == 0)
	case 1:
		return t.eng.Note(ctx, fmt.Sprint("note ", t.random.IntN(100)))
	case 2, 3:
		if a.N < s.Plan.K {
			return t.eng.Judge(ctx, session.DecideRefine, a.Verdict != nil)
		}
		return t.eng.Judge(ctx, session.DecideGiveUp, a.Verdict != nil)
	case 4:
		return t.eng.Judge(ctx, session.DecideGiveUp, a.Verdict != nil)
	}
	return t.eng.Judge(ctx, session.DecideSatisfied, a.Verdict != nil)
}

func (t *tester) rate(ctx context.Context, s *session.State) error {
	missing := s.Missing()
	if t.chance(8) && s.CanUndo() > 0 {
		return t.eng.Undo(ctx)
	}
	if len(missing) == 0 {
		return t.eng.Commit(ctx)
	}
	id := missing[t.random.IntN(len(missing))]
	for _, l := range session.Labels() {
		if l.ID == id {
			return t.eng.Label(ctx, id, l.Values[t.random.IntN(len(l.Values))])
		}
	}
	return t.eng.Rate(ctx, id, 1+t.random.IntN(5))
}

// seal is an acknowledged event: its hash shows that it, and all before it, are unaltered.
type seal struct {
	seq  uint64
	hash string
}

// TestKilledSessionsLoseNothing kills a process that works through sessions, at
// random moments, and looks at what is left: everything that was acknowledged
// is there and unaltered, whatever else is there makes sense, and the next
// process goes on.
//
// This shows crash safety of the process, not of power loss: after a kill -9
// the kernel still writes what it was given.
func TestKilledSessionsLoseNothing(t *testing.T) {
	t.Parallel()
	rounds := sampled.Of(5, 10)
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILLS")); err == nil {
		rounds = n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("ASSAY_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("ASSAY_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "assay.db")
	acked := map[string][]seal{}
	due := map[string]bool{} // sessions worked on since they were checked
	total, continued := 0, 0
	phases := map[session.Phase]int{}
	interrupted := ""
	for round := range rounds {
		lines := workAndKill(t, path, random)
		for _, line := range lines {
			id, s := readSeal(t, line)
			acked[id], due[id] = append(acked[id], s), true
		}
		total += len(lines)
		// The next process first continues the interrupted session.
		if interrupted != "" && len(lines) > 0 {
			if id, _ := readSeal(t, lines[0]); id != interrupted {
				t.Fatalf("round %d: session %s was interrupted, and %s was worked on", round, interrupted, id)
			}
			continued++
		}
		// Sometimes the next child is the first to open the store after the kill.
		if interrupted = ""; round < rounds-1 && random.IntN(4) == 0 {
			continue
		}
		if round == rounds-1 || round%25 == 24 {
			for id := range acked { // the sessions of long ago, too
				due[id] = true
			}
		}
		interrupted = checkKilled(t, path, acked, due, phases)
		clear(due)
	}
	if total == 0 || continued == 0 && rounds > 1 {
		t.Errorf("%d intents were acknowledged and %d sessions continued: nothing was tested", total, continued)
	}
	t.Logf("%d kills, %d acknowledged intents in %d sessions, %d continued after a kill; killed in phases %v",
		rounds, total, len(acked), continued, phases)
}

// workAndKill lets a child work and kills it: from a few to some 150 milliseconds after its first line. It
// returns the child's output.
func workAndKill(t *testing.T, path string, random *rand.Rand) []string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKillChild$")
	cmd.Env = append(os.Environ(), killStore+"="+path, killSeed+"="+strconv.FormatUint(random.Uint64(), 10))
	out, err := cmd.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	reader := bufio.NewReader(out)
	first, err := reader.ReadString('\n')
	if err == nil {
		// The test is about random moments of the kill, so there is no condition to wait for.
		moment := time.AfterFunc(time.Duration(2+random.IntN(148))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		defer moment.Stop()
	}
	rest, _ := io.ReadAll(reader) // until the kill closes the pipe
	_ = cmd.Wait()
	if cmd.ProcessState.Exited() {
		t.Fatalf("the child ended by itself: %s%s", first, rest)
	}
	whole := string(rest[:strings.LastIndexByte(string(rest), '\n')+1])
	return slices.Collect(strings.Lines(first + whole))
}

func readSeal(t *testing.T, line string) (id string, s seal) {
	t.Helper()
	if _, err := fmt.Sscan(line, &id, &s.seq, &s.hash); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return id, s
}

// checkKilled checks the expected sessions in a store whose process was killed, and its indexes. It returns
// the id of the session that is not closed, or "".
func checkKilled(t *testing.T, path string, acked map[string][]seal, due map[string]bool, phases map[session.Phase]int) (interrupted string) {
	t.Helper()
	s, err := store.Open(path, store.Options{SnapshotEvery: -1})
	fatal.If(t, err)
	defer s.Close()
	for id := range due {
		if _, _, err := s.Verify(id); err != nil {
			t.Fatal(err)
		}
		events, err := s.Events(id, 1)
		fatal.If(t, err)
		for _, a := range acked[id] {
			if a.seq > uint64(len(events)) || events[a.seq-1].Hash != a.hash {
				t.Fatalf("session %s: event %d was acknowledged as %s; there are %d events", id, a.seq, a.hash, len(events))
			}
		}
		state, err := session.Replay(events)
		if err != nil {
			t.Fatalf("session %s does not replay: %v", id, err)
		}
		if state.Closed == "" {
			if interrupted != "" {
				t.Fatalf("the sessions %s and %s are open: one was interrupted and not continued", interrupted, id)
			}
			interrupted = id
			phases[state.Phase]++
		}
	}
	// Changed lists the rows that differ from those written while appending.
	if done, err := s.Rebuild(); err != nil || len(done.Changed) > 0 {
		t.Fatalf("rebuilding the indexes: %+v, %v", done, err)
	}
	return interrupted
}
