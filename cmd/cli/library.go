package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/report"
	"assay/cmd/cli/stores"
	"assay/cmd/cli/terminal"
	"assay/data"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/session/report/sessions"
	"assay/store"
	"assay/tui/desktop"
	"assay/tui/frame"
	"assay/tui/picture"
	"assay/tui/results"
	"assay/tui/setup"
	"assay/tui/tasks"
	"assay/tui/work"
)

// library provides the screens with the store, the benchmarks, the models and this machine's sandbox.
type library struct {
	io         *console.IO
	store      *store.Store
	models     atomic.Pointer[llm.Models] // reloaded by the models screen
	benchmarks []*benchmark.Benchmark
	stamp      func() session.Stamp
	exec       *judges.Execution
	ticker     *time.Ticker
	consent    string
	joined     *joined     // the study that was joined; nil for none
	packed     []llm.Model // of a packed study: they are chosen by its plan alone
	mode       string      // how testers work, see session.Environment
	pictures   string      // how to draw pictures, see settings.Pictures

	isolation string // how code runs if not with exec

	terminal func(string) string               // the environment of the tester's terminal; nil: that of io
	shared   func(engine.Config) engine.Config // limits a session's use of shared resources; nil: no limits

	notice atomic.Value                    // func(string) that shows a sentence on the screens; empty without screens
	files  sync.Mutex                      // guards benchmarks and paths once the screens are running
	paths  map[*benchmark.Benchmark]string // locations of benchmarks that are not bundled
	recent recentFiles

	opening, loading func() error  // open the store and load benchmarks, once; nil if they are available
	drawn            chan struct{} // closed when the first frame is drawn; nil if nobody waits for it
}

// startLibrary leaves slow work to ready: opening the store, whose pages are checked, and loading the
// benchmarks. The first screen need not wait for it.
func startLibrary(io *console.IO, g *console.Globals, o *openOptions) (*library, error) {
	l := &library{io: io, stamp: engine.SystemClock(), ticker: time.NewTicker(engine.HeartbeatEvery), consent: o.isolation.Consent}
	set, err := terminal.Settings(io, g)
	if err != nil {
		return nil, err
	}
	l.pictures, l.recent = set.Pictures, recentBenchmarks(io, g)
	read, err := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if err != nil {
		return nil, err
	}
	l.models.Store(&read)
	if l.exec, err = judges.NewExecution(o.isolation, io.Getenv); err != nil {
		return nil, err
	}
	l.opening = sync.OnceValue(func() (err error) {
		l.store, err = stores.OpenFor(io, g, l.notify)
		return err
	})
	l.loading = sync.OnceValue(func() (err error) {
		l.benchmarks, err = inputs.BenchmarksWith(o.file)
		if path, absErr := filepath.Abs(o.file); o.file != "" && err == nil && absErr == nil {
			l.paths = map[*benchmark.Benchmark]string{l.benchmarks[0]: path}
		}
		return err
	})
	return l, nil
}

// notify tells the user what happened to the store.
func (l *library) notify(text string) {
	if show, ok := l.notice.Load().(func(string)); ok {
		show(text)
		return
	}
	fmt.Fprintln(l.io.Err, "note: "+text)
}

// known returns the models as last read from their file.
func (l *library) known() llm.Models { return *l.models.Load() }

// opened opens the store, once.
func (l *library) opened() error {
	if l.drawn != nil {
		<-l.drawn
	}
	if l.opening == nil {
		return nil
	}
	return l.opening()
}

// ready opens and loads everything not available yet, one thing after the other and the store first, since
// the screen being drawn needs a processor, too.
func (l *library) ready() error {
	if err := l.opened(); err != nil || l.loading == nil {
		return err
	}
	return l.loading()
}

// close closes what the library opened. The error describes what the store could not save.
func (l *library) close() error {
	l.ticker.Stop()
	_ = l.exec.Close()
	if l.store == nil {
		return nil
	}
	return l.store.Close()
}

func (l *library) defaultBenchmark() string { return l.benchmarks[0].Name }

func (l *library) benchmark(name string) (*benchmark.Benchmark, error) {
	i := slices.IndexFunc(l.benchmarks, func(b *benchmark.Benchmark) bool { return b.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no benchmark %q; bundled are %v, and --tasks-file reads a file", name, data.Benchmarks())
	}
	return l.benchmarks[i], nil
}

func (l *library) model(name string) (session.Model, error) {
	m, err := l.known().Get(name)
	if err != nil {
		return session.Model{}, err
	}
	return inputs.Describe(m), nil
}

func (l *library) deps() llm.Deps { return llm.Deps{Getenv: l.io.Getenv, Recorded: inputs.Rehearsal()} }

// Sessions lists the sessions in the store, the latest first.
func (l *library) Sessions(ctx context.Context) ([]session.Summary, error) {
	if err := l.opened(); err != nil {
		return nil, err
	}
	return l.archive().Sessions(ctx)
}

// config returns the engine configuration of a session.
func (l *library) config(ctx context.Context, plan session.Plan) (engine.Config, error) {
	model, err := l.modelOf(plan)
	if err != nil {
		return engine.Config{}, err
	}
	client, err := model.Client(l.deps())
	if err != nil {
		return engine.Config{}, err
	}
	cfg := engine.Config{Mode: l.mode, Store: l.store, Client: client, Stamp: l.stamp}
	if cfg.Judge, err = l.exec.ForEngine(ctx); err != nil {
		cfg.Judge, cfg.NoJudge = nil, err.Error()
	}
	if l.shared != nil {
		cfg = l.shared(cfg)
	}
	return cfg, nil
}

// Continue reopens a session with its plan's model.
func (l *library) Continue(ctx context.Context, id string) (*engine.Engine, error) {
	if err := l.ready(); err != nil {
		return nil, err
	}
	state, err := l.replay(id)
	if err != nil {
		return nil, err
	}
	if state.Plan.Automatic != nil {
		return nil, errors.New("this session belongs to an automatic tester: continue it with the command that began it, assay run tester; its work so far is among the results")
	}
	cfg, err := l.config(ctx, state.Plan)
	if err != nil && state.Plan.Blind() { // the error may reveal the model
		return nil, fmt.Errorf("%s is not set up here as it was when the session began: continue with the command that you began with, or ask the study's owner; nothing is lost", state.Plan.ModelShown())
	}
	if err != nil {
		return nil, fmt.Errorf("the session cannot continue without its model: %w", err)
	}
	return engine.Reopen(ctx, cfg, id)
}

// modelOf returns the model that answers in a session. In the log of a blind study it has only the hash of
// its settings; in others of a study it must be as it was when the session began.
func (l *library) modelOf(p session.Plan) (llm.Model, error) {
	if p.Blind() && p.Model.Name == p.Study.Shown {
		return l.defined(p.Model.Definition)
	}
	m, err := l.known().Get(p.Model.Name)
	if p.Study != nil && (err != nil || !m.Defines(p.Model.Definition)) {
		if same, err := l.defined(p.Model.Definition); err == nil {
			return same, nil
		}
	}
	if err == nil && p.Study != nil && p.Model.Definition != "" && !m.Defines(p.Model.Definition) {
		err = fmt.Errorf("the settings of model %s have changed since the session began: put them back in models.toml", m.Name)
	}
	return m, err
}

// defined returns the model with these settings.
func (l *library) defined(definition string) (llm.Model, error) {
	for _, m := range append(slices.Clone(l.packed), l.known().List()...) {
		if m.Defines(definition) {
			return m, nil
		}
	}
	return llm.Model{}, errors.New("no model here has the settings that the study records")
}

func (l *library) replay(id string) (*session.State, error) {
	events, err := l.store.Events(id, 1)
	if err != nil {
		return nil, err
	}
	return session.Replay(events)
}

// Choices returns the choices for a new session.
func (l *library) Choices(ctx context.Context) (setup.Choices, error) {
	if err := l.ready(); err != nil {
		return setup.Choices{}, err
	}
	l.files.Lock()
	c := setup.Choices{Benchmarks: l.benchmarks, Seed: uint64(rand.Uint32()), Load: l.load, Files: maps.Clone(l.paths), Recent: l.recent.list()}
	l.files.Unlock()
	rows, err := l.store.Sessions()
	if err != nil {
		return c, err
	}
	answered := answeredModels(rows)
	for _, m := range l.known().List() {
		ready, why := m.Ready(l.deps())
		c.Models = append(c.Models, setup.ModelChoice{Model: inputs.Describe(m), Ready: ready, Why: why, Where: host(m.BaseURL), Answered: answered[m.Name]})
	}
	c.Pace = l.pace(rows)
	c.Isolation, c.Isolated = l.exec.Describe(ctx)
	return c, nil
}

// answeredModels returns the models that have answered in sessions, without those of blind studies.
func answeredModels(rows []store.Summary) map[string]bool {
	answered := map[string]bool{}
	for _, r := range rows {
		if r.Answers > 0 && !r.Imported && (r.Study == nil || !r.Study.Blind) {
			answered[r.Model] = true
		}
	}
	return answered
}

// pace is the average time of a task in the finished sessions of the store. It ignores sessions with
// recorded answers and imported ones, which say nothing about the next one here.
func (l *library) pace(rows []store.Summary) time.Duration {
	var worked, tasks int64
	for _, r := range rows {
		m, err := l.known().Get(r.Model)
		if r.Status != store.StatusFinished || r.Imported || r.Automatic != "" || r.Done == 0 || err != nil || inputs.Describe(m).Recorded {
			continue
		}
		worked, tasks = worked+r.WorkedMS, tasks+int64(r.Done)
	}
	if tasks == 0 {
		return 0
	}
	return time.Duration(worked/tasks) * time.Millisecond
}

// host returns the host of a URL, "" if there is none.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// Begin opens a new session.
func (l *library) Begin(ctx context.Context, choice session.Choice) (*engine.Engine, error) {
	plan, tasks, err := choice.Plan()
	if err != nil {
		return nil, err
	}
	return l.open(ctx, plan, tasks)
}

// open begins a session with a plan.
func (l *library) open(ctx context.Context, plan session.Plan, tasks []*benchmark.Task) (*engine.Engine, error) {
	cfg, err := l.config(ctx, plan)
	if err != nil {
		return nil, err
	}
	isolation := l.isolation
	if isolation == "" {
		isolation, _ = l.exec.Describe(ctx)
	}
	return engine.Begin(ctx, cfg, session.Opened{
		Session: ulid.Make().String(), Plan: plan,
		Env: session.Environment{
			Mode:  l.mode,
			Assay: console.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH, Terminal: l.getenv("TERM"),
			Sandbox: isolation, Consent: l.consent,
		},
	}, tasks)
}

// getenv is the environment of the tester's terminal.
func (l *library) getenv(name string) string {
	if l.terminal != nil {
		return l.terminal(name)
	}
	return l.io.Getenv(name)
}

// Work returns what a session's screens need.
func (l *library) Work() work.Options {
	all := l.archive()
	opts := work.Options{Ticks: l.ticker.C, Interval: work.LookEvery, Report: all.WriteReport, SaveOutputs: all.SaveOutputs,
		Desktop: desktop.Find(l.io.Getenv), Pictures: picture.Detect(l.io.Getenv, l.pictures)}
	opts.Results = func(ctx context.Context, id string) (*sessions.Report, error) {
		opened, err := all.Open(ctx, id)
		return opened.Report, err
	}
	if l.joined != nil {
		opts.Sessions = len(l.joined.study.Assign(l.joined.tester))
		if !l.joined.seated {
			opts.HandIn = l.HandIn
		}
	}
	opts.Look = func(_ context.Context, id string) (frame.Screen, error) {
		return results.NewScreen(all.Browser(), id), nil
	}
	return opts
}

// archive returns a read-only view of the store.
func (l *library) archive() report.Archive {
	return report.Archive{Kept: l.store, Dir: filepath.Dir(l.store.Path()), Getenv: l.io.Getenv, Wish: l.pictures}
}

// Results returns the options of the results browser.
func (l *library) Results(context.Context) (results.Options, error) {
	if err := l.ready(); err != nil {
		return results.Options{}, err
	}
	opts := l.archive().Browser()
	opts.Library = testersArchive{l.archive(), l.store}
	opts.Manage = manager{l}
	return opts, nil
}

// Browse returns the options of the task browser.
func (l *library) Browse(context.Context) (tasks.Options, error) {
	if err := l.ready(); err != nil {
		return tasks.Options{}, err
	}
	l.files.Lock()
	defer l.files.Unlock()
	return tasks.Options{Benchmarks: l.benchmarks, Scenarios: inputs.SavedScenarios(), Reference: true}, nil
}
