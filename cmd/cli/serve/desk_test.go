package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/benchmark/verdicts"
	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	"assay/cmd/cli/difficulty"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/live"
	"assay/cmd/cli/rate"
	sessioncmd "assay/cmd/cli/session"
	studycmd "assay/cmd/cli/study"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/store"
	"assay/tui/picture"
	"assay/tui/serve"
	"assay/tui/settings"
)

// verbs are those that the tests run.
var verbs = clitest.Verbs(New, rate.New, studycmd.New, sessioncmd.New, difficulty.New)

// library is a library in dir, with the built-in models.
func library(t *testing.T, dir string) *live.Library {
	t.Helper()
	io := &console.IO{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}
	l, err := live.Start(io, &console.Globals{Store: filepath.Join(dir, "assay.db")}, "", judges.Isolation{Isolation: judges.IsolationWarm})
	if err == nil {
		err = l.Ready()
	}
	fatal.If(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// servedHere is a frozen study, served in this process.
func servedHere(t *testing.T, o serveOptions, now func() time.Time, edits ...string) *served {
	t.Helper()
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 4, clitest.Models(), append([]string{`model = "paste"`, `model = "rehearsal"`}, edits...)...)
	l := library(t, dir)
	frozen, err := l.Frozen(path)
	fatal.If(t, err)
	o.executions, o.requests = max(o.executions, 1), max(o.requests, 1)
	return newServed(l, frozen, slog.New(slog.DiscardHandler), &o, now)
}

func (s *served) sits(t *testing.T, name string) (*desk, func()) {
	t.Helper()
	return s.forGuest(serve.Guest{Name: name}, serve.Terminal{Name: "xterm"}, "auto", nil)
}

// A session opened after its screens were left is paused again, and so is one whose screens failed: the
// tester can continue it.
func TestDesksLeaveNothingOpen(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	desk, leave := s.sits(t, "ann")
	if at, err := desk.Standing(t.Context()); err != nil || at.Part != 1 || at.Parts != 2 || at.Begun || at.Tester != "ann" {
		t.Fatal(at, err)
	}
	eng, err := desk.Next(t.Context())
	fatal.If(t, err)
	leave()
	if eng.State().Paused == "" {
		t.Error("the session is not paused")
	}
	if _, err := desk.Next(t.Context()); err == nil {
		t.Error("a desk that was left opens a session")
	}
	again, leave := s.sits(t, "ann")
	if at, err := again.Standing(t.Context()); err != nil || at.Part != 1 || !at.Begun {
		t.Fatal(at, err)
	}
	back, err := again.Next(t.Context())
	if err != nil || back.State().Session != eng.State().Session {
		t.Fatal("another session", err)
	}
	leave()
	// Left while it is being opened.
	for range 20 {
		desk, leave := s.sits(t, "bob")
		opened := make(chan *engine.Engine, 1)
		go func() {
			eng, _ := desk.Next(context.Background())
			opened <- eng
		}()
		leave()
		if eng := <-opened; eng != nil && eng.State().Paused == "" {
			t.Fatal("a session was left open")
		}
	}
	rows, err := s.lib.Store.Sessions()
	fatal.If(t, err)
	for _, row := range rows {
		if row.Status != store.StatusPaused {
			t.Errorf("%s: %s", row.Tester, row.Status)
		}
	}
}

// No picture takes over a guest's terminal, since it would wait for a key that never comes.
func TestServedPictures(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	for _, c := range []struct {
		term, wish string
		want       picture.Way
	}{
		{"foot", "auto", picture.Blocks}, {"mlterm", "", picture.Blocks}, {"xterm", "sixel", picture.Blocks}, {"xterm", "iterm2", picture.Blocks},
		{"xterm-kitty", "auto", picture.Kitty}, {"xterm", "kitty", picture.Kitty}, {"xterm", "auto", picture.Blocks},
	} {
		desk, leave := s.forGuest(serve.Guest{Name: "ann"}, serve.Terminal{Name: c.term}, c.wish, nil)
		if got := desk.Work().Pictures; got != c.want {
			t.Errorf("%s, wish %q: %d, want %d", c.term, c.wish, got, c.want)
		}
		leave()
	}
}

// As many testers get places as the study has, and each keeps theirs.
func TestSeats(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	numbers := map[int]string{}
	type seat struct {
		name string
		n    int
		err  error
	}
	seats := make(chan seat, 6)
	for i := range 6 {
		go func() {
			desk, leave := s.sits(t, fmt.Sprintf("t%d", i))
			defer leave()
			eng, err := desk.Next(context.Background())
			if err != nil {
				seats <- seat{err: err}
				return
			}
			seats <- seat{desk.guest, eng.State().Plan.Study.Tester, nil}
		}()
	}
	full := 0
	for range 6 {
		switch at := <-seats; {
		case at.err != nil && strings.Contains(at.err.Error(), "the study is full"):
			full++
		case at.err != nil || numbers[at.n] != "":
			t.Errorf("%+v; taken are %v", at, numbers)
		default:
			numbers[at.n] = at.name
		}
	}
	if full != 2 || len(numbers) != 4 {
		t.Errorf("%d found no place, %v did", full, numbers)
	}
}

// countingClient answers at once, and counts requests.
type countingClient struct{ asked int }

func (c *countingClient) Stream(context.Context, llm.Request, func(string)) (llm.Answer, error) {
	c.asked++
	return llm.Answer{Text: "yes", FinishReason: "stop"}, nil
}

func TestRequestsPerHour(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := servedHere(t, serveOptions{perHour: 3}, func() time.Time { return now })
	model := &countingClient{}
	ask := func(guest string) error {
		_, err := sharedClient{model, s, guest}.Stream(t.Context(), llm.Request{}, nil)
		return err
	}
	for i := range 3 { // at 0, 10 and 20 minutes
		if err := errors.Join(ask("ann"), ask("bob")); err != nil {
			t.Fatal(i, err)
		}
		now = now.Add(10 * time.Minute)
	}
	var refused *llm.Error
	if err := ask("ann"); !errors.As(err, &refused) || refused.Class != llm.RateLimited || refused.After != 30*time.Minute ||
		!strings.Contains(refused.Error(), "each tester here has 3 requests an hour") || !strings.Contains(refused.Error(), "send it again in 30 min") {
		t.Errorf("%v", err)
	}
	if now = now.Add(30*time.Minute - 1); ask("ann") == nil {
		t.Error("asked too early")
	}
	if now = now.Add(1); ask("ann") != nil || model.asked != 7 {
		t.Error("the refusals counted, too", model.asked)
	}
	if err := ask("ann"); !errors.As(err, &refused) || refused.After != 10*time.Minute {
		t.Errorf("until the second one is an hour old: %v", err)
	}
	// In a session a rejected request is a provider error: no attempt is used up, and no prompt lost.
	desk, leave := s.sits(t, "cai")
	defer leave()
	eng, err := desk.Next(t.Context())
	fatal.If(t, err)
	for range 3 {
		_ = s.hourly.count("cai")
	}
	fatal.If(t, errors.Join(eng.OpenTask(t.Context()), eng.Send(t.Context(), "my prompt")))
	for eng.State().Attempt().Failed == nil {
		<-eng.Changes()
	}
	a := eng.State().Attempt()
	if a.N != 1 || eng.State().Task().Draft() != "my prompt" || !strings.Contains(a.Failed.Advice, "no attempt was used") {
		t.Errorf("%+v, failed: %+v, draft %q", a, a.Failed, eng.State().Task().Draft())
	}
}

// A tester who sends a request each second gets exactly the granted number in any hour.
func TestRequestsInAnyHour(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	h := &hourly{most: 60, now: func() time.Time { return now }, by: map[string][]time.Time{}}
	for hour := range 3 {
		granted := 0
		for range 3600 {
			if h.count("ann") == nil {
				granted++
			}
			now = now.Add(time.Second)
		}
		if granted != 60 {
			t.Errorf("in hour %d %d of 60 requests were granted", hour+1, granted)
		}
	}
}

// Invalid numbers and times are rejected before anything is opened.
func TestServeFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "assay.db")
	for _, flag := range []string{"--idle=-1h", "--idle=0", "--longest=-1ns", "--longest=0s", "--executions=0", "--executions=-2", "--testers-at-once=0",
		"--testers-at-once=-1", "--requests=0", "--requests=-1", "--requests-per-hour=-1"} {
		name, _, _ := strings.Cut(flag, "=")
		_, errs, code := verbs.On(t, file, "serve", "nothing.toml", flag)
		if code != console.ExitUsage || !strings.Contains(errs, `"`+name+`" flag: from `) {
			t.Errorf("%s: %d, %s", flag, code, errs)
		}
	}
	if _, errs, code := verbs.On(t, file, "serve", "nothing.toml", "--requests-per-hour=0", "--idle=1s"); code == console.ExitUsage {
		t.Error(errs)
	}
}

// Pasted answers do not occupy a slot for requests, and can be pasted.
func TestPastedAnswersTakeNoTurn(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 4, clitest.Models(), `model = "rehearsal"`, `model = "paste"`)
	l := library(t, dir)
	frozen, err := l.Frozen(path)
	fatal.If(t, err)
	s := newServed(l, frozen, slog.New(slog.DiscardHandler), &serveOptions{executions: 1, requests: 1}, time.Now)
	desk, leave := s.sits(t, "ann")
	defer leave()
	eng, err := desk.Next(t.Context())
	fatal.If(t, err)
	fatal.If(t, errors.Join(eng.OpenTask(t.Context()), eng.Send(t.Context(), "my prompt")))
	if s.models.Taken() != 0 {
		t.Error("a tester who pastes takes a place")
	}
	for eng.Pasted("def f(): pass") != nil {
		time.Sleep(time.Millisecond)
	}
}

// fakeFleet accepts every sample.
type fakeFleet struct{ asked []verdicts.Submission }

func (f *fakeFleet) Judge(_ context.Context, s verdicts.Submission) (verdicts.Result, error) {
	f.asked = append(f.asked, s)
	return verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1, Worker: "far"}, nil
}

func (f *fakeFleet) Workers() int { return 1 }

// With a fleet its workers judge, and the session records it.
func TestServedFleet(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	far := &fakeFleet{}
	s.fleet = &judges.Judges{Judge: far}
	desk, leave := s.sits(t, "ann")
	defer leave()
	eng, err := desk.Next(t.Context())
	fatal.If(t, err)
	fatal.If(t, errors.Join(eng.OpenTask(t.Context()), eng.Send(t.Context(), "my prompt")))
	for eng.State().Attempt().Verdict == nil {
		<-eng.Changes()
	}
	v, err := eng.Verdict(eng.State().Attempt().Verdict)
	if err != nil || v.Verdict != verdicts.Accepted || v.Worker != "far" || len(far.asked) != 1 || far.asked[0].Task.ID != eng.Task(0).ID {
		t.Errorf("%+v, %v; asked for %d", v, err, len(far.asked))
	}
	events, err := s.lib.Store.Events(eng.State().Session, 1)
	fatal.If(t, err)
	if opened, ok := events[0].Payload.(session.Opened); !ok || opened.Env.Sandbox != "isolated (workers of a fleet)" {
		t.Errorf("the session says of its sandbox: %+v", events[0].Payload)
	}
}

// The engine enforces the study's rules, over the network as locally.
func TestServedRules(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now, "resume_hours = 0 ", "resume_hours = 2 ", `late = "flag" `, `late = "refuse"`,
		"# [consent]", "[consent]", `# version = "2026-11"`, `version = "2026-11"`, `# text = "What is recorded`, `text = "What is recorded`)
	desk, leave := s.sits(t, "ann")
	eng, err := desk.Next(t.Context())
	fatal.If(t, err)
	if p := eng.State().Plan; !eng.State().WantsConsent() || eng.OpenTask(t.Context()) == nil || !p.Tasks[0].Practice {
		t.Errorf("without consent a task is opened: %+v", p)
	}
	fatal.If(t, errors.Join(eng.Consent(t.Context()), eng.OpenTask(t.Context())))
	leave()
	stamp := s.lib.Stamp
	s.lib.Stamp = func() session.Stamp {
		at := stamp()
		at.Wall, at.Mono = at.Wall+3*time.Hour.Milliseconds(), at.Mono+3*time.Hour.Milliseconds()
		return at
	}
	again, leave := s.sits(t, "ann")
	defer leave()
	if _, err := again.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "allows a gap of at most 2 hours") {
		t.Errorf("after three hours: %v", err)
	}
}

func TestMetrics(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	desk, leave := s.sits(t, "ann")
	if _, err := desk.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	leave()
	var text bytes.Buffer
	fatal.If(t, (&service{study: s}).metrics(&text, &serve.Server{}))
	for _, line := range []string{"assay_programs_open 0", "assay_executions_waiting 0", "assay_model_requests_running 0", "assay_events_committed_total 2", "assay_study_sessions_begun 1", "assay_study_tasks_done 0",
		"assay_commit_seconds_count 2", `assay_commit_seconds_bucket{le="+Inf"} 2`, "# TYPE assay_commit_seconds histogram", "assay_resident_bytes "} {
		if !strings.Contains(text.String(), "\n"+line) {
			t.Errorf("there is no %q in\n%s", line, text.String())
		}
	}
}

// The owner's view is read once, and again when the store has changed.
func TestProgressIsKept(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	desk, leave := s.sits(t, "ann")
	eng, err := desk.Next(t.Context())
	fatal.If(t, err)
	list, err := s.progress(t.Context())
	if err != nil || len(list) != 1 || list[0].Tester != "ann" || list[0].Done != 0 {
		t.Fatal(list, err)
	}
	id := eng.State().Session
	at := s.seen.by[id]
	at.Tester = "kept"
	s.seen.by[id] = at
	if list, _ = s.progress(t.Context()); list[0].Tester != "kept" {
		t.Error("it is read anew though nothing has changed")
	}
	leave()
	if list, _ = s.progress(t.Context()); list[0].Tester != "ann" {
		t.Error("a change is not read")
	}
}

func TestGuestSettings(t *testing.T) {
	dir := t.TempDir()
	own, err := guestSettings(dir, "ann")
	if err != nil || own.Theme != settings.Default().Theme || own.Path != filepath.Join(dir, "settings", "ann.toml") {
		t.Fatal(own, err)
	}
	fatal.If(t, settings.Keep(own.Path, "clock", true))
	again, err := guestSettings(dir, "ann")
	if err != nil || !again.Clock {
		t.Error(again, err)
	}
	if other, err := guestSettings(dir, "bob"); err != nil || other.Clock {
		t.Error(other, err)
	}
}

// If another process holds the store, the exit code is 5 and the port stays free.
func TestServeInUse(t *testing.T) {
	dir := t.TempDir()
	path := clitest.FrozenStudy(t, dir, 4, clitest.Models(), `model = "paste"`, `model = "rehearsal"`)
	file := filepath.Join(dir, "assay.db")
	held, err := store.Open(file, store.Options{})
	fatal.If(t, err)
	defer held.Close()
	verbs.Must(t, file, "serve", "invite", "ann")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	address := l.Addr().String()
	l.Close()
	_, errs, code := verbs.On(t, file, "serve", path, "--listen", address)
	if code != console.ExitInUse || !strings.Contains(errs, "is in use by") {
		t.Errorf("%d, %s", code, errs)
	}
}
