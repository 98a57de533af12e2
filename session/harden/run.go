package harden

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/harden"
	"assay/benchmark/verdicts"
	"assay/session/generate"
	"assay/session/prompts"
)

// TemplateNames lists the files of the templates.
func TemplateNames() []string { return []string{changeTemplate, statementTemplate} }

const (
	changeTemplate    = "harden-change.tmpl"
	statementTemplate = "harden-statement.tmpl"
)

// changes are what a model is asked for, in turn, with the words of the request.
func changes() [][2]string {
	return [][2]string{
		{"states", "more states. What happens must depend on what happened before, in at least one way more than now."},
		{"constraint", "a tighter constraint. Add a rule that most obvious solutions of the old task break, and that interacts with its other rules."},
		{"composition", "composed operations. Its result must go through at least one further step that depends on all of it, or its input through one before."},
		{"structure", "another structure. The same question over nested, linked or overlapping data instead of flat data."},
	}
}

// Options say what is made.
type Options struct {
	Benchmark  *benchmark.Benchmark
	Tasks      []*benchmark.Task // to be changed; none that harden.Refusal refuses
	File       *File
	Review     *prompts.Set // gets what is kept
	Checker    *harden.Checker
	Templates  *prompts.Templates
	Writer     *generate.Asked   // nil: changes by syntax tree alone
	Second     *generate.Asked   // writes second solutions; nil: they are not asked for
	Models     []*generate.Asked // measure how hard the tasks are
	Mechanical bool              // changes by syntax tree
	Proposals  int               // of the writer for each task
	Tries      int               // of a second solution
	Samples    int               // of each measuring model for each task
	Keep       int
	Parallel   int // tasks at a time
	Account    *generate.Account
	Now        func() time.Time
	Say        func(string) // one call at a time
}

// run is shared by the tasks that are changed.
type run struct {
	Options
	mu     sync.Mutex
	inARow int // failures
	failed int
}

// Result is what a run came to.
type Result struct {
	Failed int // requests that failed, or that were not sent any more; the same command sends them again
}

// Run makes what is missing: proposals, their checks, measurements, and what is kept. An error that ended it
// wraps generate.ErrBudget, or is that of a model, of the file, or of the context.
func Run(ctx context.Context, o Options) (Result, error) {
	r := &run{Options: o}
	r.File.Look(func(s *State) {
		for _, a := range s.answers {
			r.Account.Charge(a.Cost)
		}
	})
	making, running := errgroup.WithContext(ctx)
	making.SetLimit(max(1, o.Parallel))
	for _, t := range o.Tasks {
		making.Go(func() error { return r.task(running, t) })
	}
	err := making.Wait()
	for _, step := range []func(context.Context) error{r.edited, r.measure} {
		if err == nil {
			err = step(ctx)
		}
	}
	if err = cmp.Or(ctx.Err(), err); err == nil {
		err = r.keep()
	}
	return Result{r.failed}, err
}

// task makes the proposals of one task. Its error ends the run.
func (r *run) task(ctx context.Context, t *benchmark.Task) error {
	if r.Mechanical && ctx.Err() == nil {
		for _, p := range harden.Mechanical(t, r.Tasks) {
			p.Task.Description = strings.TrimSpace(p.Task.Description)
			err := r.attempt(ctx, t, p.Task.ID, func(made *Proposed) error {
				made.Change = p.Change
				made.From, made.Hashes = nil, nil
				for _, f := range p.From {
					made.From, made.Hashes = append(made.From, f.ID), append(made.Hashes, f.Hash())
				}
				return r.tested(ctx, made, p)
			})
			if err != nil {
				return err
			}
		}
	}
	if r.Writer == nil {
		return nil
	}
	for n := range r.Proposals {
		change := changes()[n%len(changes())]
		id := fmt.Sprintf("%s-%s-%d", t.ID, change[0], n/len(changes())+1)
		if err := r.attempt(ctx, t, id, func(made *Proposed) error { return r.written(ctx, made, t, change, n) }); err != nil {
			return err
		}
	}
	return nil
}

// attempt makes a proposal, unless the file has it, and writes it into the file. Its error ends the run.
func (r *run) attempt(ctx context.Context, t *benchmark.Task, id string, make func(*Proposed) error) error {
	known := false
	r.File.Look(func(s *State) { known = s.byID[id] != nil })
	if known || ctx.Err() != nil {
		return nil
	}
	made := &Proposed{From: []string{t.ID}, Hashes: []string{t.Hash()}, Original: prompts.Original(t)}
	made.Task.ID = id
	err := make(made)
	if ctx.Err() != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		if made.Removed == "" { // others may have been made meanwhile
			r.different(made)
		}
		made.Task.ID, made.At = id, r.Now().UTC()
		err = r.File.Add(Event{Proposed: made})
	}
	if err != nil {
		return r.fail(fmt.Errorf("%s: %w", id, err))
	}
	r.inARow = 0
	if made.Removed == "" {
		r.Say(id + ": passes")
	} else {
		r.Say(fmt.Sprintf("%s: removed by %s: %s", id, made.Removed, made.Why))
	}
	return nil
}

// fail counts an error that ended a proposal or a measurement, and returns it if others would end the same
// way. The caller holds the lock.
func (r *run) fail(err error) error {
	r.failed++
	r.inARow++
	if generate.Hopeless(err) || r.inARow >= generate.MaxFailures {
		return err
	}
	r.Say(err.Error())
	return nil
}

// tested checks a proposal that has a statement.
func (r *run) tested(ctx context.Context, made *Proposed, p *harden.Proposal) error {
	o, err := r.Checker.Test(ctx, p)
	if err != nil {
		return err
	}
	made.Outcome = *o
	return r.agreed(ctx, made)
}

// written lets the model change a solution and state what it does.
func (r *run) written(ctx context.Context, made *Proposed, t *benchmark.Task, change [2]string, number int) error {
	id := made.Task.ID
	made.Change, made.Model, made.By, made.Asked = change[0], r.Writer.Model.Name, r.Writer.Model.Definition(), r.Templates.Hash()
	made.Task = benchmark.Task{ID: id, Title: t.Title, Language: t.Language, Description: t.Description} // until there is more
	fields := prompts.FieldsOf(t)
	fields.Change = change[1]
	r.File.Look(func(s *State) {
		for _, p := range s.Proposed {
			if p.Model != "" && p.From[0] == t.ID && p.Removed == "" {
				fields.Others = append(fields.Others, p.Task.Description)
			}
		}
	})
	text, err := r.Templates.Render(changeTemplate, fields)
	if err != nil {
		return err
	}
	answer, err := r.request(ctx, r.Writer, change[0], t.ID, number/len(changes()), text)
	if errors.Is(err, generate.ErrUnusable) {
		made.Removed, made.Why = harden.Answered, err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	code := extract.Code(withoutJSON(answer), &benchmark.Task{Language: t.Language}).Code
	p, err := harden.FromModel(t, id, change[0], code, inputsIn(answer))
	if err != nil {
		made.Removed, made.Why = harden.Answered, err.Error()
		return nil
	}
	o, err := r.Checker.Test(ctx, p)
	if err != nil {
		return err
	}
	made.Outcome = *o
	if made.Removed != "" {
		return nil
	}
	if err := r.state(ctx, made, t); err != nil || made.Removed != "" {
		return err
	}
	return r.agreed(ctx, made)
}

// shownCalls is the number of calls that a model sees of a solution that it states.
const shownCalls = 12

// state asks for the statement of a new solution.
func (r *run) state(ctx context.Context, made *Proposed, t *benchmark.Task) error {
	fields := prompts.FieldsOf(&made.Task)
	fields.Statement = prompts.Original(t)
	for _, c := range made.Task.Tests.Cases[:min(shownCalls, len(made.Task.Tests.Cases))] {
		shows := string(c.Expected)
		if c.Raises != "" {
			shows = "raises " + c.Raises
		}
		fields.Calls = append(fields.Calls, c.Call(made.Task.EntryPoint)+" → "+shows)
	}
	text, err := r.Templates.Render(statementTemplate, fields)
	if err != nil {
		return err
	}
	answer, err := r.request(ctx, r.Writer, "statement", made.Task.ID, 0, text)
	statement := prompts.PromptIn(answer)
	if err == nil && statement == "" {
		err = fmt.Errorf("%w: it has no statement", generate.ErrUnusable)
	}
	if errors.Is(err, generate.ErrUnusable) {
		made.Removed, made.Why = harden.Stated, err.Error()
		return nil
	}
	made.Task.Description = statement
	return err
}

// agreed removes near-duplicates, and asks for a second solution, from the statement alone.
func (r *run) agreed(ctx context.Context, made *Proposed) error {
	if made.Removed == "" {
		r.different(made)
	}
	if made.Removed != "" || r.Second == nil {
		return nil
	}
	second, err := r.second(ctx, &made.Task)
	if err != nil {
		return err
	}
	if made.Second = second; !second.Agrees {
		made.Removed, made.Why = harden.Consensus, second.Why
	}
	return nil
}

// second asks for solutions from a task's statement until one passes its tests.
func (r *run) second(ctx context.Context, t *benchmark.Task) (*Second, error) {
	second := &Second{Model: r.Second.Model.Name}
	for try := range r.Tries {
		result, code, err := r.solve(ctx, r.Second, "solve", t, try)
		if err != nil {
			return nil, err
		}
		second.Tries, second.Code = try+1, code
		if second.Agrees = result.Verdict == verdicts.Accepted; second.Agrees {
			break
		}
		second.Why = disagreement(result)
	}
	return second, nil
}

// edited asks for second solutions from the statements that reviewers edited.
func (r *run) edited(ctx context.Context) error {
	if r.Second == nil {
		return nil
	}
	var shown []*Proposed
	r.File.Look(func(s *State) { shown = s.Shown() })
	for _, p := range shown {
		for _, e := range r.Review.Entries(&p.Task, "") {
			statement, known := strings.TrimSpace(e.Text), false
			r.File.Look(func(s *State) { known = s.second(p, statement) != nil })
			if e.Review != prompts.Edited || known {
				continue
			}
			t := p.Task
			t.Description = statement
			second, err := r.second(ctx, &t)
			if err == nil {
				err = r.File.Add(Event{Edited: &Edited{t.ID, textHash(statement), *second}})
			}
			if err != nil {
				return r.fail(err)
			}
			if !second.Agrees {
				r.Say(fmt.Sprintf("%s as it was edited: %s", t.ID, second.Why))
			}
		}
	}
	return nil
}

// solve asks for a solution of a task, and judges it.
func (r *run) solve(ctx context.Context, who *generate.Asked, step string, t *benchmark.Task, number int) (verdicts.Result, string, error) {
	answer, err := r.request(ctx, who, step, t.ID, number, t.PromptText(benchmark.MaxPromptLevel))
	if errors.Is(err, generate.ErrUnusable) {
		return verdicts.Result{Verdict: verdicts.CompileError, Message: err.Error()}, "", nil
	}
	if err != nil {
		return verdicts.Result{}, "", err
	}
	code := extract.Code(answer, t).Code
	if strings.TrimSpace(code) == "" {
		return verdicts.Result{Verdict: verdicts.CompileError, Message: "the answer has no code"}, "", nil
	}
	result, err := r.Checker.Judge.Judge(ctx, verdicts.Submission{Task: t, Code: code})
	return result, code, err
}

// disagreement says in which test case a second solution differs first.
func disagreement(r verdicts.Result) string {
	text := fmt.Sprintf("the second solution is %s", r.Verdict)
	if r.Total > 0 {
		text += fmt.Sprintf(", with %d of %d test cases passed", r.Passed, r.Total)
	}
	i := slices.IndexFunc(r.Cases, func(c verdicts.CaseResult) bool { return c.Status != verdicts.Passed })
	switch {
	case i >= 0 && r.Cases[i].Call != "":
		return fmt.Sprintf("%s; %s: expected %s, got %s", text, r.Cases[i].Call, r.Cases[i].Expected, r.Cases[i].Got)
	case i >= 0:
		return fmt.Sprintf("%s; case %d: expected %s, got %s", text, r.Cases[i].Index, r.Cases[i].Expected, r.Cases[i].Got)
	}
	return text + ": " + r.Message
}

// different removes a task whose statement nearly equals that of another.
func (r *run) different(made *Proposed) {
	others := slices.Clone(r.Benchmark.Tasks)
	var from []*benchmark.Task
	for _, id := range made.From {
		if t, err := r.Benchmark.Task(id); err == nil {
			from = append(from, t)
		}
	}
	r.File.Look(func(s *State) {
		for _, p := range s.survivors() {
			others = append(others, p.Task)
		}
	})
	if why := harden.Duplicate(&made.Task, from, others); why != "" {
		made.Removed, made.Why = harden.Different, why
	}
}
