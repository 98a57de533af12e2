package tui_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/report/sessions"
	"assay/store"
	"assay/tui/frame"
	"assay/tui/results"
	"assay/tui/tuitest"
	"assay/tui/work"
	"assay/tui/work/viewer"
)

// world is what outlives a process: the store, the clock, the models.
type world struct {
	rig  *enginetest.Rig
	disk disk
	full bool          // the disk is
	ids  []string      // of the sessions in the store
	beat chan struct{} // lets a slow model go on
}

// disk is a store that can be in trouble.
type disk interface {
	engine.Store
	Fail(error)
	reopen() error
}

// memory is a disk of which nothing can be lost.
type memory struct{ *enginetest.Store }

func (memory) reopen() error { return nil }

// files is a real store. Its file can be lost while it is open.
type files struct {
	*store.Store
	mu   sync.Mutex
	fail error
}

var quickly = store.Options{SnapshotEvery: 20 * time.Millisecond}

func openFiles(t *testing.T) *files {
	s, err := store.Open(filepath.Join(t.TempDir(), "data", "assay.db"), quickly)
	fatal.If(t, err)
	f := &files{Store: s}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func (f *files) Fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = err
}

func (f *files) Append(ctx context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error) {
	f.mu.Lock()
	fail := f.fail
	f.mu.Unlock()
	if fail != nil {
		return nil, fail
	}
	return f.Store.Append(ctx, id, events, texts)
}

// Events waits where the file is lost until the store has noticed.
func (f *files) Events(id string, from uint64) (events []session.Event, err error) {
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for tries := 500; tries > 0; tries-- {
		if events, err = f.Store.Events(id, from); !errors.Is(err, store.ErrDamaged) {
			break
		}
		<-again.C
	}
	return events, err
}

// reopen closes the store and opens it as the next process does.
func (f *files) reopen() (err error) {
	if err := f.Close(); err != nil {
		return err
	}
	f.Store, err = store.Open(f.Path(), quickly)
	return err
}

// lose does to the store's file what other programs do, unless it is lost already. It is only
// overwritten where there is a snapshot to write it from.
func (f *files) lose(r *rand.Rand) (what string, err error) {
	if _, err := os.Stat(f.Path()); err != nil {
		return "", nil
	}
	switch r.IntN(3) {
	case 0:
		return "deleted store", os.Remove(f.Path())
	case 1:
		other := f.Path() + ".other"
		return "replaced store", errors.Join(os.WriteFile(other, []byte("another file"), 0o600), os.Rename(other, f.Path()))
	}
	if _, err := os.Stat(f.Path() + ".snapshot"); err != nil {
		return "", nil
	}
	file, err := os.OpenFile(f.Path(), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return "", err
	}
	_, err = file.Write(bytes.Repeat([]byte("x"), r.IntN(100_000)))
	return "overwritten store", errors.Join(err, file.Close())
}

// everyModel has models of each kind. Which client a session has goes by the name.
func everyModel() []session.Model {
	return []session.Model{
		{Name: "scripted", Provider: "openai"}, {Name: "scripted", Provider: "openai"}, {Name: "paste", Provider: "paste"},
		{Name: "rehearsal", Provider: "rehearsal", Recorded: true}, {Name: "fixed", Provider: "command"}, {Name: "slow", Provider: "openai"},
	}
}

// fixedAnswer is what a command prints whatever it is asked.
const fixedAnswer = "The same words.\n\n" + tuitest.RightAnswer

// client is that of the model, or nil for the one that the rig has.
func (p *process) client(name string) (llm.Client, error) {
	switch name {
	case "paste":
		return p.clipboard, nil
	case "rehearsal":
		pace := 0.0
		return llm.Model{Name: name, Provider: "rehearsal", Pace: &pace}.Client(llm.Deps{Recorded: func(_ string, attempt int) (string, bool) {
			return []string{tuitest.WrongAnswer, "Now:\n\n" + tuitest.RightAnswer, tuitest.PlottingAnswer}[attempt%3], true
		}})
	case "fixed":
		return tuitest.Model(func(_ context.Context, delta func(string)) (string, error) {
			delta(fixedAnswer)
			return fixedAnswer, nil
		}), nil
	case "slow":
		return tuitest.Model(func(ctx context.Context, delta func(string)) (string, error) {
			for line := range strings.SplitAfterSeq(strings.Repeat(fixedAnswer, 4), "\n") {
				select {
				case <-p.beat:
				case <-ctx.Done():
					return "", ctx.Err()
				}
				delta(line)
			}
			return strings.Repeat(fixedAnswer, 4), nil
		}), nil
	}
	return nil, nil
}

// posing is a benchmark with tasks whose statements are short, long, and in a script that is
// written from right to left; some are repositories.
func posing(n int) *benchmark.Benchmark {
	b := enginetest.Benchmark(n)
	for i := range b.Tasks[1:] {
		t := &b.Tasks[i+1]
		switch i % 3 {
		case 1:
			lines := make([]string, 30)
			for n := range lines {
				lines[n] = fmt.Sprintf("statement-line-%02d.", n+1)
			}
			t.Description = strings.Join(lines, "\n")
		case 2:
			t.Description = strings.Repeat("Return twice the number, חזור על המספר, 숫자의 두 배. ", 20)
		}
		if i%3 == 0 {
			id, title := t.ID, t.Title
			*t = enginetest.Repositories(1).Tasks[0]
			t.ID, t.Title = id, title
		}
	}
	return b
}

// process is the library of one life of the program.
type process struct {
	tuitest.Shelf
	*world
	mu        sync.Mutex
	r         *rand.Rand
	ended     bool
	live      *engine.Engine // that was opened last
	ticks     chan time.Time
	clipboard *llm.Paste
	copied    string // what was sent to the clipboard last
	rescued   string // what was put into a file because it could not be saved
}

// opened is the session that was opened last.
func (p *process) opened() *engine.Engine {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}

// rescue puts what is not saved into a file, which a full disk does not take.
func (p *process) rescue(_, text string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.r.IntN(3) == 0 {
		return "", errors.New("no space left on device")
	}
	p.rescued = text
	return "/home/me/unsaved.md", nil
}

var errEnded = errors.New("the process has ended")

// config is what a session with a model works with.
func (p *process) config(name string) (engine.Config, error) {
	cfg := p.world.rig.Config()
	client, err := p.client(name)
	if client != nil {
		cfg.Client = client
	}
	return cfg, err
}

// Begin opens a session by the choice, with the rules of a study.
func (p *process) Begin(ctx context.Context, c session.Choice) (*engine.Engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, errEnded
	}
	rule(&c, p.r)
	plan, list, err := c.Plan()
	if err != nil {
		return nil, err
	}
	cfg, err := p.config(c.Model.Name)
	if err != nil {
		return nil, err
	}
	id := fmt.Sprintf("01JMONKEY%06d", len(p.ids))
	eng, err := engine.Begin(ctx, cfg, session.Opened{Session: id, Plan: plan}, list)
	if err == nil {
		p.ids, p.live = append(p.ids, id), eng
	}
	return eng, err
}

// rule adds the rules of a study at random; in one of six sessions, all of them.
func rule(c *session.Choice, r *rand.Rand) {
	all := r.IntN(6) == 0
	for _, add := range []func(){
		func() { c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted, Repeats: 1} },
		func() { c.Breaks = &session.Breaks{Tasks: 1, MS: 2000, Forced: r.IntN(2) == 0} },
		func() {
			c.Survey = []session.Question{{ID: "years", Text: "For how long?", Choices: []string{"a year", "longer"}}, {ID: "remarks", Text: "What else?", Optional: true}}
		},
		func() { c.Checks = map[int]session.Check{1: {Text: "Please choose 2 here", Score: 2}} },
		func() {
			c.Labels = []session.Label{{ID: "use", Name: "Use it?", Values: []string{"yes", "no", "not yet"}}, {ID: "why", Name: "Why not?", Values: []string{"unsafe", "slow"}, WhenNotSatisfied: true}}
		},
		func() {
			c.Attributes = []session.Attribute{{ID: "trust", Name: "Trust", Meaning: "would you run it", Points: 7, Low: "never", High: "always"}, {ID: "style", Name: "Style", Points: 7}}
		},
		func() { c.Suffix = "Explain it." },
		func() { c.Merge, c.HandEdit = true, true },
		func() { c.Clock = session.ClockShown },
		func() { c.Tests = oneOf(r, []session.TestsSeen{session.SeeNothing, session.SeeVerdict}) },
		func() {
			c.Study = &session.InStudy{Name: "Two models", Shown: "Model A", Instructions: "Judge each answer.", Consent: strings.Repeat("What you agree to.\n", 1+r.IntN(40)), ConsentVersion: "1"}
		},
		func() { c.IdleMS = 4000 },
		func() { c.Resume = &session.Resume{WithinMS: 50_000} },
		func() { c.Context = session.Fresh },
		func() { c.Level = 1 + r.IntN(3) },
	} {
		if all || r.IntN(4) == 0 {
			add()
		}
	}
}

// Continue reopens a session.
func (p *process) Continue(_ context.Context, id string) (*engine.Engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, errEnded
	}
	s, err := p.state(id)
	if err != nil {
		return nil, err
	}
	cfg, err := p.config(s.Plan.Model.Name)
	if err != nil {
		return nil, err
	}
	eng, err := engine.Reopen(context.Background(), cfg, id)
	if err == nil {
		p.live = eng
	}
	return eng, err
}

// state is a session as its log has it.
func (p *process) state(id string) (*session.State, error) {
	events, err := p.disk.Events(id, 1)
	if err != nil {
		return nil, err
	}
	return session.Replay(events)
}

// states are the sessions, the latest first.
func (p *process) states() []*session.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*session.State
	for _, id := range slices.Backward(p.ids) {
		if s, err := p.state(id); err == nil {
			list = append(list, s)
		}
	}
	return list
}

func status(s *session.State) session.Status {
	if s.Closed == "" {
		return session.StatusOpen
	}
	return session.Status(s.Closed)
}

func (p *process) Sessions(context.Context) ([]session.Summary, error) {
	var list []session.Summary
	for _, s := range p.states() {
		list = append(list, session.Summary{ID: s.Session, Benchmark: s.Plan.Benchmark, Model: s.Plan.ModelShown(), Progress: s.Progress(), LastAt: tuitest.Noon().UnixMilli(), Status: status(s), LastSeq: s.Seq})
	}
	return list, nil
}

func (p *process) Log(_ context.Context, id string) ([]session.Event, error) {
	return p.disk.Events(id, 1)
}

// monkeyArchive is what the browser of results reads: the logs as they are.
type monkeyArchive struct {
	*process
	filter benchmark.Filter
}

func (a monkeyArchive) Open(_ context.Context, id string) (results.Opened, error) {
	events, err := a.disk.Events(id, 1)
	if err != nil {
		return results.Opened{}, err
	}
	return tuitest.OnlyLog(a.disk, events, a.filter)
}

func (a monkeyArchive) Filtered(filter benchmark.Filter) results.Library {
	a.filter = filter
	return a
}

func (a monkeyArchive) Tasks(_ context.Context, id string) (*benchmark.Benchmark, error) {
	events, err := a.disk.Events(id, 1)
	if err != nil {
		return nil, err
	}
	return tuitest.TasksOf(a.disk, events)
}

func (a monkeyArchive) WriteReport(context.Context, string) (string, error) { return "report.md", nil }

func (p *process) Results(context.Context) (results.Options, error) {
	return results.Options{Library: monkeyArchive{process: p}, Work: p.Work().Options}, nil
}

// Work is what sessions need.
func (p *process) Work() work.Options {
	archive := monkeyArchive{process: p}
	return work.Options{
		NoEditor: "there is no editor here", Ticks: p.ticks, Report: archive.WriteReport,
		Results: func(ctx context.Context, id string) (*sessions.Report, error) {
			opened, err := archive.Open(ctx, id)
			return opened.Report, err
		},
		Look: func(_ context.Context, id string) (frame.Screen, error) {
			return results.NewTasks(results.Options{Library: archive, Work: viewer.Options{}}, id), nil
		},
		Options: viewer.Options{Copy: func(text string) tea.Cmd {
			p.copied = text
			return nil
		}},
	}
}
