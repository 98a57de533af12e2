package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/stores"
	"assay/session"
	"assay/session/automatic"
	"assay/session/engine"
	"assay/session/llm"
	"assay/store"
	"assay/tui/frame"
)

// batchTesterOptions are the flags of `assay run tester`.
type batchTesterOptions struct {
	tasks, format     string
	choose            inputs.Chooser
	draw, sets        int
	stratify          []string
	seed              uint64
	models            []string
	k, level          int
	context, feedback string
	tooLong           string
	failures          int
	parallel          int
	restart, json     bool
	analysis          judges.Analysis
	isolation         judges.Isolation
}

func newBatchTester(io *console.IO, g *console.Globals) *cobra.Command {
	o := &batchTesterOptions{}
	var names []string
	for _, f := range session.Feedbacks() {
		names = append(names, string(f))
	}
	cmd := &cobra.Command{
		Use:   "tester --tasks FILE --model MODEL",
		Short: "Work through sessions without a human: prompt, run, give feedback, up to k attempts",
		Long: `Work through a session for each model without a human. A program sends the first prompt
of each task, at a prompt level, waits for the answer, has it run, and is satisfied when
the code passes all tests. After an attempt that failed the model gets feedback, up to k
attempts. Nothing is rated. The sessions are kept in the store as those of people are,
marked as automatic: 'assay report' has them, beside those of people or alone.

The feedback is one of
  none           the same prompt again: what attempts alone bring
  verdict        what the verdict was
  reflection     the verdict; the model first says what is wrong, in a call of its own,
                 which is no attempt
  first-failing  the first test case that failed: input, expected, got
  all-failing    all that failed, 20 at most
The last two show the model tests that it was not to see. The session records that, and
reports say it.

FILE is a file of tasks, a folder, or the name of a bundled benchmark. Level 0 sends the
task's description with the code that it begins with, as HumanEval's do (a task without
such code is sent at level 1); levels 1 to 3 are those of Yeo et al.: the description with
the signature, then the constraints, then the examples.

With --analyser other programs than assay's own rules rate the code of every attempt, one or
several: each one's ratings and findings are kept with it, and the report has them.

The same command again goes on with what is open, and asks for nothing that is stored;
of what is finished it prints the results, unless --new begins anew. An error of the
model costs no attempt. The exit code is 3 when a session was interrupted or left because
of its model, and 4 when that refused the key. Sessions at the same time share the
machine, and their times show it: --parallel 1 has times that can be compared.`,
		Example: "  assay run tester --tasks starter --model rehearsal --k 3 --feedback first-failing --level 1\n" +
			"  assay run tester --tasks HumanEval.jsonl.gz --model gpt-4o,local --k 5 --feedback reflection",
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBatchTester(cmd.Context(), io, g, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks, or the name of a bundled benchmark")
	f.StringVar(&o.format, "tasks-format", "", inputs.TasksFormatHelp)
	o.choose.Flags(cmd.Flags())
	f.IntVar(&o.draw, "draw", 0, "`number` of tasks in each test set (default all)")
	console.Bounds(f, "draw", 0, console.MostTasks)
	f.IntVar(&o.sets, "sets", 1, "`number` of disjoint test sets")
	console.Bounds(f, "sets", 1, console.MostSets)
	f.StringSliceVar(&o.stratify, "stratify", nil, "`fields` whose values all test sets are to have in nearly the same numbers, as type,difficulty")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the task order and of the test sets")
	f.StringSliceVar(&o.models, "model", nil, "`names` of the models that answer, with commas (see 'assay models list')")
	f.IntVar(&o.k, "k", session.DefaultK, "attempts allowed for each task")
	console.Bounds(f, "k", 1, console.MostAttempts)
	f.IntVar(&o.level, "level", 1, "prompt `level` of the first prompt: 0 as published, 1 description and signature, 2 constraints, 3 examples")
	console.Bounds(f, "level", 0, 3)
	f.StringVar(&o.context, "context", string(session.Conversation), "`mode`: conversation sends earlier turns again, fresh does not")
	f.StringVar(&o.feedback, "feedback", string(session.FeedbackVerdict), "what the model is told after an attempt that failed: `policy` of "+strings.Join(names, ", "))
	f.IntVar(&o.failures, "failures", 3, "`number` of times that sending a prompt may fail before the task, or the session, is left")
	console.Bounds(f, "failures", 1, 1000)
	f.StringVar(&o.tooLong, "too-long", string(session.TooLongUnsolved), "what a task counts as whose prompt alone exceeds the model's context: `rule` of unsolved, skipped")
	f.IntVar(&o.parallel, "parallel", 2, "`number` of sessions at the same time, one a model")
	console.Bounds(f, "parallel", 1, 1000)
	f.BoolVar(&o.restart, "new", false, "begin new sessions, whatever is in the store")
	console.JSONFlag(f, &o.json, "print one JSON object", testedSessions{})
	o.analysis.ProgramFlags(cmd)
	o.isolation.Flags(cmd)
	return cmd
}

// check rejects invalid flags before anything is read.
func (o *batchTesterOptions) check(io *console.IO) error {
	switch {
	case o.tasks == "":
		return console.Usagef("assay run tester needs tasks: give --tasks FILE, or the name of a bundled benchmark")
	case len(o.models) == 0:
		return console.Usagef("assay run tester needs a model: give --model NAME; 'assay models list' names them")
	case !slices.Contains(session.Feedbacks(), session.Feedback(o.feedback)):
		return console.Usagef("--feedback is one of %v, not %q", session.Feedbacks(), o.feedback)
	}
	if !slices.Contains(session.TooLongs(), session.TooLong(o.tooLong)) {
		return console.Usagef("--too-long is one of %v, not %q", session.TooLongs(), o.tooLong)
	}
	for i, name := range o.models {
		if slices.Contains(o.models[:i], name) {
			return console.Usagef("--model names %s twice, but a model has one session", name)
		}
	}
	return o.isolation.Check(io.Getenv)
}

// testedModel is one model's session.
type testedModel struct {
	llm.Model
	plan  session.Plan
	tasks []*benchmark.Task
	id    string
	how   string // "begun", "continued" or "finished before"

	err error // why it is still open
}

func runBatchTester(ctx context.Context, io *console.IO, g *console.Globals, o *batchTesterOptions) error {
	if err := o.check(io); err != nil {
		return err
	}
	all, err := o.plan(io, g)
	if err != nil {
		return err
	}
	x, err := judges.NewExecution(o.isolation, io.Getenv)
	if err != nil {
		return err
	}
	defer x.Close()
	if _, err := x.ForEngine(ctx); err != nil {
		return fmt.Errorf("an automatic tester judges by tests: %w", err)
	}
	analysers, err := o.analysis.Open(ctx, o.isolation, io.Getenv)
	if err != nil {
		return err
	}
	defer analysers.Close(io.Err)
	for _, t := range all {
		if err := analysers.Check(ctx, t.tasks); err != nil {
			return err
		}
	}
	s, err := stores.Open(io, g)
	if err != nil {
		return err
	}
	b := &batchTester{io: io, o: o, store: s, exec: x, analysis: analysers.Samples(), progress: judges.NewProgress(io.Err), now: map[string]*session.State{}}
	err = b.run(ctx, all)
	if printed := b.print(all); err == nil {
		err = printed
	}
	if closed := s.Close(); err == nil {
		err = closed
	}
	return err
}

// plan plans the session of each model.
func (o *batchTesterOptions) plan(io *console.IO, g *console.Globals) ([]*testedModel, error) {
	tasks, err := (&inputs.TaskLoader{Format: o.format, Err: io.Err}).Load(o.tasks)
	if err != nil {
		return nil, err
	}
	filter, err := o.choose.Filter()
	if err != nil {
		return nil, err
	}
	known, err := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if err != nil {
		return nil, err
	}
	var all []*testedModel
	for _, name := range o.models {
		m, err := known.Get(name)
		if err != nil {
			return nil, console.Usagef("%v", err)
		}
		if err := o.suits(m); err != nil {
			return nil, err
		}
		if ready, why := m.Ready(inputs.ModelsDeps(io)); !ready {
			return nil, fmt.Errorf("the model %s is not ready: %s", name, why)
		}
		mode := session.Context(o.context)
		t := &testedModel{Model: m}
		t.plan, t.tasks, err = session.Choice{
			Benchmark: tasks, Filter: filter.String(), Tasks: o.draw, Sets: o.sets, Stratify: o.stratify, Seed: o.seed,
			K: o.k, Level: o.level, Context: mode, Model: inputs.Describe(m),
			Automatic: automatic.Tester(session.Feedback(o.feedback), o.level, mode, o.failures, session.TooLong(o.tooLong)),
		}.Plan()
		if err != nil {
			return nil, console.Usagef("%v", err)
		}
		all = append(all, t)
	}
	return all, nil
}

// suits returns why a model cannot work without a human, or not with this feedback.
func (o *batchTesterOptions) suits(m llm.Model) error {
	switch {
	case m.Provider == llm.ProviderPaste:
		return console.Usagef("the model %s needs a person who pastes its answers", m.Name)
	case m.Provider == llm.ProviderAgent && session.Feedback(o.feedback) == session.FeedbackReflection:
		return console.Usagef("the model %s is an agent, whose answers are changes of files and not what was wrong: choose a --feedback other than %s", m.Name, o.feedback)
	case inputs.Describe(m).Recorded && session.Feedback(o.feedback) == session.FeedbackReflection:
		return console.Usagef("the answers of %s are recorded, and do not say what was wrong: choose a --feedback other than %s", m.Name, o.feedback)
	}
	return nil
}

// batchTester works through sessions.
type batchTester struct {
	io       *console.IO
	o        *batchTesterOptions
	store    *store.Store
	exec     *judges.Execution
	analysis *batch.Analysis // nil: assay's own rules alone
	progress *judges.EvalProgress

	mu  sync.Mutex // guards the fields below, and the progress
	now map[string]*session.State
}

// run works through the sessions, several at a time. The error covers all of them.
func (b *batchTester) run(ctx context.Context, all []*testedModel) error {
	if err := b.find(all); err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(b.o.parallel)
	for _, t := range all {
		group.Go(func() error {
			t.err = b.work(ctx, t)
			return nil
		})
	}
	_ = group.Wait() // each session has its own error
	b.progress.End()
	return b.outcome(ctx, all)
}

// find looks for existing sessions with the same plan.
func (b *batchTester) find(all []*testedModel) error {
	if b.o.restart {
		return nil
	}
	rows, err := b.store.Sessions()
	if err != nil {
		return err
	}
	slices.SortFunc(rows, stores.LatestFirst)
	for _, r := range rows {
		open := r.Status == store.StatusOpen || r.Status == store.StatusPaused
		if r.Automatic == "" || !open && r.Status != store.StatusFinished {
			continue
		}
		i := slices.IndexFunc(all, func(t *testedModel) bool { return t.id == "" && t.Name == r.Model && len(t.tasks) == r.Tasks })
		if i < 0 {
			continue
		}
		events, err := b.store.Events(r.ID, 1)
		if err != nil {
			return err
		}
		opened, ok := events[0].Payload.(session.Opened)
		if !ok || !samePlan(withRule(opened.Plan), all[i].plan) {
			continue
		}
		if all[i].id, all[i].how = r.ID, "continued"; !open {
			all[i].how = "finished before"
		}
	}
	return nil
}

// withRule adds the rule that older sessions do not have; they go on with theirs.
func withRule(p session.Plan) session.Plan {
	if p.Automatic != nil && p.Automatic.TooLong == "" {
		with := *p.Automatic
		with.TooLong = session.TooLongUnsolved
		p.Automatic = &with
	}
	return p
}

// samePlan reports whether two plans are equal as recorded.
func samePlan(a, b session.Plan) bool {
	x, err := json.Marshal(a)
	y, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(x, y)
}

// work begins or continues a session, and works through it.
func (b *batchTester) work(ctx context.Context, t *testedModel) error {
	if t.how == "finished before" {
		b.say("%s: session %s is finished, and nothing is asked again; --new begins another", t.Name, t.id)
		return nil
	}
	deps := inputs.ModelsDeps(b.io)
	deps.Agents = b.exec
	client, err := t.Client(deps)
	if err != nil {
		return err
	}
	cfg := engine.Config{Mode: automatic.Mode, Store: b.store, Client: client, Stamp: engine.SystemClock(), Judge: b.exec, Trees: b.exec, Analysis: b.analysis}
	var eng *engine.Engine
	if t.id != "" {
		b.say("%s: continuing session %s", t.Name, t.id)
		eng, err = engine.Reopen(ctx, cfg, t.id)
	} else {
		t.id, t.how = ulid.Make().String(), "begun"
		isolation, _ := b.exec.Describe(ctx)
		eng, err = engine.Begin(ctx, cfg, session.Opened{Session: t.id, Plan: t.plan, Env: session.Environment{
			Mode: automatic.Mode, Assay: console.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH, Sandbox: isolation, Consent: b.o.isolation.Consent,
		}}, t.tasks)
		b.say("%s: session %s", t.Name, t.id)
	}
	if err != nil {
		return err
	}
	ticker := time.NewTicker(engine.HeartbeatEvery)
	defer ticker.Stop()
	return automatic.Run(ctx, eng, automatic.Options{
		Ready: b.exec.Ready, Sleep: deps.Sleep, Ticks: ticker.C,
		Tell:  func(s *session.State, trouble string) { b.show(t.Name, s, trouble) },
		Holds: t.Holds(t.ContextSize(ctx, deps)), Note: func(text string) { b.say("%s: %s", t.Name, text) },
	})
}

// say prints a line on Err, between those of the progress.
func (b *batchTester) say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.progress.End()
	fmt.Fprintf(b.io.Err, format+"\n", args...)
}

// show shows the progress of all sessions.
func (b *batchTester) show(name string, s *session.State, trouble string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now[name] = s
	if !b.progress.Due() {
		return
	}
	var parts []string
	for _, name := range b.o.models {
		if s := b.now[name]; s != nil {
			parts = append(parts, stateInWords(name, s))
		}
	}
	if trouble != "" {
		parts = append(parts, "NOT SAVED YET: "+trouble)
	}
	b.progress.Print(strings.Join(parts, "; "))
}

// stateInWords describes the progress of a session.
func stateInWords(name string, s *session.State) string {
	text := fmt.Sprintf("%s %d/%d tasks", name, s.Done(), len(s.Tasks))
	if a := s.Attempt(); a != nil {
		doing := map[session.Phase]string{session.Wait: "waiting for the answer", session.Review: "running the tests"}[s.Phase]
		text += strings.TrimRight(fmt.Sprintf(", attempt %d %s", a.N, doing), " ")
	}
	return text
}

// outcome returns the error for all sessions, with its exit code.
func (b *batchTester) outcome(ctx context.Context, all []*testedModel) error {
	var left []string
	code := console.ExitPartial
	for _, t := range all {
		var stopped *automatic.Stopped
		switch {
		case t.err == nil:
			continue
		case ctx.Err() != nil:
		case errors.As(t.err, &stopped):
			if stopped.Class == llm.Auth {
				code = console.ExitAuth
			}
		default:
			code = console.ExitError
		}
		if ctx.Err() == nil {
			left = append(left, t.Name+": "+frame.OneLine(t.err.Error()))
		}
	}
	switch {
	case ctx.Err() != nil:
		return console.WithCode(console.ExitPartial, errors.New("interrupted: run the same command again to continue"))
	case len(left) > 0:
		return console.WithCode(code, fmt.Errorf("%s; what was done is saved: run the same command again to continue", strings.Join(left, "; ")))
	}
	return nil
}
