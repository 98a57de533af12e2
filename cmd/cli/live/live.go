package live

import (
	"context"
	"errors"
	"fmt"
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
	"assay/tui/tasks"
	"assay/tui/work"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// Library provides the screens with the store, the benchmarks, the models and this machine's sandbox.
type Library struct {
	io         *console.IO
	Store      *store.Store               // nil until Ready
	models     atomic.Pointer[llm.Models] // reloaded by the models screen
	checked    sync.Map                   // names of models that have answered a check
	benchmarks []*benchmark.Benchmark
	Stamp      func() session.Stamp
	exec       *judges.Execution
	analysers  *judges.Analysers // nil: assay's own rules alone
	Ticker     *time.Ticker
	consent    string
	joined     *joined     // the study that was joined; nil for none
	packed     []llm.Model // of a packed study: they are chosen by its plan alone
	Mode       string      // how testers work, see session.Environment
	pictures   string      // how to draw pictures, see settings.Pictures

	isolation string // how code runs if not with exec

	terminal func(string) string               // the environment of the tester's terminal; nil: that of io
	shared   func(engine.Config) engine.Config // limits a session's use of shared resources; nil: no limits

	notice atomic.Value                    // func(string) that shows a sentence on the screens; empty without screens
	files  sync.Mutex                      // guards benchmarks and paths once the screens are running
	paths  map[*benchmark.Benchmark]string // locations of benchmarks that are not bundled
	recent recentFiles

	opening, loading func() error  // open the store and load benchmarks, once; nil if they are available
	Drawn            chan struct{} // closed when the first frame is drawn; nil if nobody waits for it
}

// Start leaves slow work to Ready: opening the store, whose pages are checked, and loading the
// benchmarks. The first screen need not wait for it.
func Start(io *console.IO, g *console.Globals, tasksFile string, isolation judges.Isolation) (*Library, error) {
	l := &Library{io: io, Stamp: engine.SystemClock(), Ticker: time.NewTicker(engine.HeartbeatEvery), consent: isolation.Consent}
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
	if l.exec, err = judges.NewExecution(isolation, io.Getenv); err != nil {
		return nil, err
	}
	l.opening = sync.OnceValue(func() (err error) {
		l.Store, err = stores.OpenFor(io, g, l.notify)
		return err
	})
	l.loading = sync.OnceValue(func() (err error) {
		l.benchmarks, err = inputs.BenchmarksWith(tasksFile)
		if path, absErr := filepath.Abs(tasksFile); tasksFile != "" && err == nil && absErr == nil {
			l.paths = map[*benchmark.Benchmark]string{l.benchmarks[0]: path}
		}
		return err
	})
	return l, nil
}

// RateBy has the answers' code rated by analysers.
func (l *Library) RateBy(a *judges.Analysers) { l.analysers = a }

// Tell sets what shows a sentence to the user, instead of standard error.
func (l *Library) Tell(show func(string)) { l.notice.Store(show) }

// notify tells the user what happened to the store.
func (l *Library) notify(text string) {
	if show, ok := l.notice.Load().(func(string)); ok {
		show(text)
		return
	}
	fmt.Fprintln(l.io.Err, "note: "+text)
}

// known returns the models as last read from their file.
func (l *Library) known() llm.Models { return *l.models.Load() }

// opened opens the store, once.
func (l *Library) opened() error {
	if l.Drawn != nil {
		<-l.Drawn
	}
	if l.opening == nil {
		return nil
	}
	return l.opening()
}

// Ready opens and loads everything not available yet, one thing after the other and the store first, since
// the screen being drawn needs a processor, too.
func (l *Library) Ready() error {
	if err := l.opened(); err != nil || l.loading == nil {
		return err
	}
	return l.loading()
}

// Close closes what the library opened. The error describes what the store could not save.
func (l *Library) Close() error {
	l.Ticker.Stop()
	_ = l.exec.Close()
	if l.Store == nil {
		return nil
	}
	return l.Store.Close()
}

// Benchmark returns the benchmark of a name; "" is the first one.
func (l *Library) Benchmark(name string) (*benchmark.Benchmark, error) {
	if name == "" {
		return l.benchmarks[0], nil
	}
	i := slices.IndexFunc(l.benchmarks, func(b *benchmark.Benchmark) bool { return b.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no benchmark %q; bundled are %s, and --tasks-file reads a file", name, data.BenchmarkNames())
	}
	return l.benchmarks[i], nil
}

func (l *Library) deps() llm.Deps {
	return llm.Deps{Getenv: l.io.Getenv, Recorded: inputs.Rehearsal(), Agents: l.exec}
}

// Sessions lists the sessions in the store, the latest first.
func (l *Library) Sessions(ctx context.Context) ([]session.Summary, error) {
	if err := l.opened(); err != nil {
		return nil, err
	}
	return l.Archive().Sessions(ctx)
}

// Log returns the events of a session.
func (l *Library) Log(_ context.Context, id string) ([]session.Event, error) {
	return l.Store.Events(id, 1)
}

// config returns the engine configuration of a session.
func (l *Library) config(ctx context.Context, plan session.Plan) (engine.Config, error) {
	cfg := engine.Config{Mode: l.Mode, Store: l.Store, Stamp: l.Stamp, Analysis: l.analysers.Samples()}
	var err error
	if plan.Arena == nil {
		cfg.Client, err = l.clientOf(plan, plan.Model)
	} else if cfg.Client, err = l.clientOf(plan, plan.Arena.Models[0]); err == nil {
		cfg.Against, err = l.clientOf(plan, plan.Arena.Models[1])
	}
	if err != nil {
		return engine.Config{}, err
	}
	cfg.Holds = func(ctx context.Context) int { return l.holds(ctx, plan) }
	if cfg.Judge, err = l.exec.ForEngine(ctx); err != nil {
		cfg.Judge, cfg.NoJudge = nil, err.Error()
	} else {
		cfg.Trees = l.exec
	}
	if l.shared != nil {
		cfg = l.shared(cfg)
	}
	return cfg, nil
}

// Guest is a tester at another terminal.
type Guest struct {
	Getenv    func(string) string // the environment of the terminal
	Pictures  string              // how to draw pictures, see settings.Pictures
	Isolation string              // how code runs if not in this machine's sandbox
	Share     func(engine.Config) engine.Config
}

// For returns a library for a guest, on the same store, models and sandbox. Only its Ticker is its own.
func (l *Library) For(g Guest) *Library {
	of := &Library{
		io: l.io, Store: l.Store, benchmarks: l.benchmarks, Stamp: l.Stamp, exec: l.exec, analysers: l.analysers, consent: l.consent, pictures: g.Pictures,
		Ticker: time.NewTicker(engine.HeartbeatEvery), Mode: "ssh", terminal: g.Getenv, isolation: g.Isolation, shared: g.Share,
	}
	known := l.known()
	of.models.Store(&known)
	return of
}

// Continue reopens a session with its plan's model.
func (l *Library) Continue(ctx context.Context, id string) (*engine.Engine, error) {
	if err := l.Ready(); err != nil {
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

// holds returns how many tokens the context of a plan's model holds, of two that of the smaller one; 0: not known.
func (l *Library) holds(ctx context.Context, p session.Plan) (least int) {
	models := []session.Model{p.Model}
	if p.Arena != nil {
		models = p.Arena.Models[:]
	}
	for _, of := range models {
		m, err := l.modelOf(p, of)
		if err != nil {
			continue
		}
		if size := m.Holds(m.ContextSize(ctx, l.deps())); size > 0 && (least == 0 || size < least) {
			least = size
		}
	}
	return least
}

// clientOf returns the client of a model of a plan.
func (l *Library) clientOf(p session.Plan, of session.Model) (llm.Client, error) {
	m, err := l.modelOf(p, of)
	if err != nil {
		return nil, err
	}
	return m.Client(l.deps())
}

// modelOf returns a model of a plan. In the log of a blind study it has only the hash of its settings; in others of a
// study it must be as it was when the session began.
func (l *Library) modelOf(p session.Plan, of session.Model) (llm.Model, error) {
	if p.Blind() && p.Model.Name == p.Study.Shown {
		return l.Defined(of.Definition)
	}
	m, err := l.known().Get(of.Name)
	if p.Study != nil && (err != nil || !m.Defines(of.Definition)) {
		if same, err := l.Defined(of.Definition); err == nil {
			return same, nil
		}
	}
	if err == nil && p.Study != nil && of.Definition != "" && !m.Defines(of.Definition) {
		err = fmt.Errorf("the settings of model %s have changed since the session began: put them back in models.toml", m.Name)
	}
	return m, err
}

// Defined returns the model with these settings.
func (l *Library) Defined(definition string) (llm.Model, error) {
	for _, m := range append(slices.Clone(l.packed), l.known().List()...) {
		if m.Defines(definition) {
			return m, nil
		}
	}
	return llm.Model{}, errors.New("no model here has the settings that the study records")
}

func (l *Library) replay(id string) (*session.State, error) {
	events, err := l.Store.Events(id, 1)
	if err != nil {
		return nil, err
	}
	return session.Replay(events)
}

// Begin opens a new session.
func (l *Library) Begin(ctx context.Context, choice session.Choice) (*engine.Engine, error) {
	plan, tasks, err := choice.Plan()
	if err != nil {
		return nil, err
	}
	return l.open(ctx, plan, tasks)
}

// open begins a session with a plan.
func (l *Library) open(ctx context.Context, plan session.Plan, tasks []*benchmark.Task) (*engine.Engine, error) {
	if err := l.analysers.Check(ctx, tasks); err != nil {
		return nil, err
	}
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
			Mode:  l.Mode,
			Assay: console.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH, Terminal: l.getenv("TERM"),
			Sandbox: isolation, Consent: l.consent,
		},
	}, tasks)
}

// getenv returns the environment of the tester's terminal.
func (l *Library) getenv(name string) string {
	if l.terminal != nil {
		return l.terminal(name)
	}
	return l.io.Getenv(name)
}

// Work returns what a session's screens need.
func (l *Library) Work() work.Options {
	all := l.Archive()
	opts := work.Options{Ticks: l.Ticker.C, Interval: work.LookEvery, Report: all.WriteReport,
		EditDir: filepath.Join(filepath.Dir(l.Store.Path()), "edits"), Editor: live.Editor(l.io.Getenv),
		Options: viewer.Options{SaveOutputs: all.SaveOutputs, Desktop: desktop.Find(l.io.Getenv), Pictures: picture.Detect(l.io.Getenv, l.pictures)}}
	opts.Results = func(ctx context.Context, id string) (*sessions.Report, error) {
		opened, err := all.Open(ctx, id)
		return opened.Report, err
	}
	if l.joined != nil {
		opts.Sessions = len(l.joined.study.Assign(l.joined.tester))
		if !l.joined.seated {
			opts.HandIn = l.handIn
		}
	}
	opts.Look = func(_ context.Context, id string) (frame.Screen, error) {
		return results.NewTasks(all.Browser(), id), nil
	}
	return opts
}

// Archive returns a read-only view of the store.
func (l *Library) Archive() report.Archive {
	return report.Archive{Kept: l.Store, Dir: filepath.Dir(l.Store.Path()), Getenv: l.io.Getenv, Wish: l.pictures}
}

// Farewell prints where the session that the tester worked in since a time is kept, and how to continue it;
// nothing if there was none or it is finished.
func (l *Library) Farewell(io *console.IO, g *console.Globals, since time.Time) {
	rows, err := l.Sessions(context.Background())
	if err != nil {
		return
	}
	i := slices.IndexFunc(rows, func(s session.Summary) bool { return s.Open() && s.Automatic == "" && s.Last().After(since) })
	if i < 0 {
		return
	}
	command := "use the command that you began with"
	if l.joined == nil {
		command = "assay"
		if g.Store != "" {
			command += " --store " + g.Store
		}
		command = "'" + command + "' lists it under Continue"
	}
	fmt.Fprintf(io.Out, "%s: %s. Paused.\nKept in %s\nTo continue: %s.\n", rows[i].Title(), rows[i].Place(), l.Store.Path(), command)
}

// Results returns the options of the results browser.
func (l *Library) Results(context.Context) (results.Options, error) {
	if err := l.Ready(); err != nil {
		return results.Options{}, err
	}
	opts := l.Archive().Browser()
	opts.Library = testersArchive{l.Archive(), l.Store}
	opts.Manage = manager{l}
	return opts, nil
}

// Browse returns the options of the task browser.
func (l *Library) Browse(ctx context.Context) (tasks.Options, error) {
	if err := l.Ready(); err != nil {
		return tasks.Options{}, err
	}
	rows, err := l.Sessions(ctx)
	if err != nil {
		return tasks.Options{}, err
	}
	l.files.Lock()
	defer l.files.Unlock()
	return tasks.Options{Benchmarks: l.benchmarks, SavedFilters: inputs.SavedFilters(), HideReference: func(benchmark string) bool {
		return slices.ContainsFunc(rows, func(s session.Summary) bool { return s.Open() && s.Automatic == "" && s.Benchmark == benchmark })
	}}, nil
}
