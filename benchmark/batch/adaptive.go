package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
	"assay/data/disk"
	"assay/data/lines"
	"assay/scoring/irt/adaptive"
)

// Adaptive makes an evaluation an adaptive test: the samples of one task after the other are judged, each
// task chosen by the verdicts so far.
type Adaptive struct {
	Items *adaptive.File
	Rules adaptive.Rules
	Seed  uint64

	// Balance is the property of tasks whose shares in the test are to be those in the pool; nil: none.
	Balance func(*benchmark.Task) string

	// Answers asks for the samples of a chosen task, Rules.Trials of them; nil: those of Options.Samples are
	// judged.
	Answers func(ctx context.Context, task string) ([]format.Sample, error)
}

// Chosen returns the tasks that an adaptive evaluation with this directory has chosen so far.
func Chosen(dir string) ([]string, error) {
	c, err := choiceFiles().Open(filepath.Join(dir, ChoicesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var tasks []string
	for _, e := range c.list {
		if e.Task != "" {
			tasks = append(tasks, e.Task)
		}
	}
	return tasks, nil
}

// ChoicesName is the file in the results directory with the choices of an adaptive evaluation.
const ChoicesName = "choices.jsonl"

// ChoicesVersion is the version of its format.
const ChoicesVersion = 1

// choicesHeader is the first line: everything that the choices follow from, besides the verdicts.
type choicesHeader struct {
	Version int             `json:"assay_choices"`
	Rules   adaptive.Rules  `json:"rules"`
	Seed    uint64          `json:"seed"`
	Tasks   []string        `json:"tasks"` // of the pool, in its order
	Items   string          `json:"items"` // name of the results that calibrated them
	Curves  []adaptive.Item `json:"curves"`
}

// TaskChoice is a choice with the reason: a line of the file.
type TaskChoice struct {
	N    int    `json:"n"`              // from 1
	Task string `json:"task,omitempty"` // empty: the test is over
	adaptive.Choice
}

// choices is the fold of the file.
type choices struct {
	header choicesHeader
	list   []TaskChoice
}

// Apply adds a choice.
func (c *choices) Apply(e TaskChoice) error {
	switch over := len(c.list) > 0 && c.list[len(c.list)-1].Task == ""; {
	case over:
		return errors.New("the test was over")
	case e.N != len(c.list)+1:
		return fmt.Errorf("choice %d follows choice %d", e.N, len(c.list))
	case (e.Task == "") != (e.End != "") || e.Task != "" && (e.Item < 0 || e.Item >= len(c.header.Tasks) || c.header.Tasks[e.Item] != e.Task):
		return fmt.Errorf("the choice %q is of no task of the pool", e.Task)
	}
	c.list = append(c.list, e)
	return nil
}

func choiceFiles() lines.Files[choicesHeader, TaskChoice, *choices] {
	return lines.Files[choicesHeader, TaskChoice, *choices]{
		Kind: lines.Kind{
			Name: "file of choices", Begin: "; 'assay eval --adaptive' makes one",
			Taken: "another evaluation chooses tasks there: wait until it ends, or choose another --out",
		},
		New: func(path string, h choicesHeader) (*choices, error) {
			if h.Version != ChoicesVersion {
				return nil, fmt.Errorf("%s has format %d, but this version reads format %d: use another --out",
					path, h.Version, ChoicesVersion)
			}
			return &choices{header: h}, nil
		},
		Closed: errors.New("the file of choices is closed"),
	}
}

// AdaptiveResult is the result of an adaptive evaluation.
type AdaptiveResult struct {
	Estimate adaptive.Estimate `json:"ability"`
	// Total estimates the mean share of accepted samples over all tasks of the pool: pass@1.
	Total   adaptive.Total `json:"pass_at_1"`
	Tasks   int            `json:"tasks"`   // chosen
	Samples int            `json:"samples"` // judged
	Pool    int            `json:"pool"`    // tasks that could be chosen
	End     adaptive.End   `json:"end"`     // "": interrupted

	// Needed is how many tasks chosen without regard to the verdicts give the same precision; Enough reports
	// whether the pool has as many.
	Needed int  `json:"needed"`
	Enough bool `json:"enough"`

	NoItem   int          `json:"no_item"`   // tasks with samples that the file of items does not have
	NotKnown []string     `json:"not_known"` // chosen tasks whose samples could not be judged
	Choices  []TaskChoice `json:"choices"`
}

// EvalAdaptive judges the samples of the tasks that an adaptive test chooses. Options.Out is needed: choices
// and results are kept there, and an interrupted evaluation continues with them.
func EvalAdaptive(ctx context.Context, o Options, a Adaptive) (*AdaptiveResult, error) {
	if o.Out == "" {
		return nil, errors.New("an adaptive evaluation keeps its choices beside the results: give a directory for them")
	}
	e := &adaptiveEval{o: o, answers: a.Answers, result: AdaptiveResult{NotKnown: []string{}}}
	if a.Answers == nil {
		tasks, _ := taskHashes(o.Benchmark)
		samples, err := o.byTask(tasks)
		if err != nil {
			return nil, err
		}
		e.answers = func(_ context.Context, task string) ([]format.Sample, error) { return samples[task], nil }
		a.Rules.Trials = 0
		for _, list := range samples {
			a.Rules.Trials = max(a.Rules.Trials, len(list))
		}
		e.sampled = func(task string) bool { return len(samples[task]) > 0 }
	}
	if err := e.prepare(a); err != nil {
		return nil, err
	}
	log, err := e.openChoices(a)
	if err != nil {
		return nil, err
	}
	err = e.run(ctx, log, a.Seed)
	if err = errors.Join(err, log.Close()); err != nil && !errors.Is(err, ErrInterrupted) {
		return nil, err
	}
	return e.conclude(err)
}

// byTask reads all samples.
func (o *Options) byTask(tasks map[string]*benchmark.Task) (map[string][]format.Sample, error) {
	if _, _, _, err := o.survey(tasks); err != nil {
		return nil, err
	}
	in, err := o.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	all := map[string][]format.Sample{}
	for {
		s, err := in.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all[s.TaskID] = append(all[s.TaskID], s)
	}
}

// adaptiveEval is one run of EvalAdaptive.
type adaptiveEval struct {
	o         Options
	answers   func(context.Context, string) ([]format.Sample, error)
	sampled   func(task string) bool // reports whether there are samples; nil: any task can be asked for
	ids       []string               // of the pool
	items     []adaptive.Item
	pool      *adaptive.Pool
	asked     []int
	responses []adaptive.Response
	result    AdaptiveResult
}

// prepare makes the pool: the tasks of the benchmark that have an item and samples, or can be asked for.
func (e *adaptiveEval) prepare(a Adaptive) error {
	var ids []string
	for i := range e.o.Benchmark.Tasks {
		if t := &e.o.Benchmark.Tasks[i]; t.HasTests() && e.o.Filter.Match(t) && (e.sampled == nil && !t.Practice || e.sampled != nil && e.sampled(t.ID)) {
			ids = append(ids, t.ID)
		}
	}
	items, missing := a.Items.Of(ids)
	e.result.NoItem = len(missing)
	if len(items) == 0 {
		return errors.New("no task with samples is in the file of items: calibrate it with results over the same tasks")
	}
	var groups [][]string
	var each []string
	for _, item := range items {
		e.ids = append(e.ids, item.ID)
		if a.Balance != nil {
			task, err := e.o.Benchmark.Task(item.ID)
			if err != nil {
				return err
			}
			group := a.Balance(task)
			groups, each = append(groups, []string{group}), append(each, group)
		}
	}
	a.Rules.Shares = adaptive.Proportional(each)
	pool, err := adaptive.NewPool(items, groups, a.Rules)
	e.items, e.pool = items, pool
	return err
}

// openChoices opens or creates the file of choices. One that follows from something else is an error.
func (e *adaptiveEval) openChoices(a Adaptive) (*lines.Log[TaskChoice, *choices], error) {
	if err := disk.MkdirAll(e.o.Out, 0o755); err != nil {
		return nil, fmt.Errorf("making the directory for results: %w", err)
	}
	path := filepath.Join(e.o.Out, ChoicesName)
	want := choicesHeader{
		Version: ChoicesVersion, Rules: e.pool.Rules(), Seed: a.Seed, Tasks: e.ids, Items: a.Items.Name, Curves: e.items,
	}
	log, err := choiceFiles().Change(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := Alone(e.o.Out, ResultsName, e.o.Replace); err != nil {
			return nil, err
		}
		if err := choiceFiles().Create(path, want); err != nil {
			return nil, err
		}
		return choiceFiles().Change(path)
	}
	if err != nil {
		return nil, err
	}
	same := false
	log.Look(func(c *choices) { same = reflect.DeepEqual(c.header, want) })
	if !same {
		return nil, errors.Join(fmt.Errorf("%s follows from other items, rules, tasks or another seed: "+
			"repeat the command as it was, or choose another --out", path), log.Close())
	}
	return log, nil
}

// run repeats the recorded choices and then chooses, until the test is over.
func (e *adaptiveEval) run(ctx context.Context, log *lines.Log[TaskChoice, *choices], seed uint64) error {
	for {
		choice, err := e.pool.Next(seed, e.asked, e.responses)
		if err != nil {
			return err
		}
		next := TaskChoice{N: len(e.asked) + 1, Choice: choice}
		if choice.Item >= 0 {
			next.Task = e.ids[choice.Item]
		}
		var recorded *TaskChoice
		log.Look(func(c *choices) {
			if len(c.list) >= next.N {
				recorded = &c.list[next.N-1]
			}
		})
		switch {
		case recorded == nil:
			if err := log.Add(next); err != nil {
				return err
			}
		case recorded.Task != next.Task || recorded.End != next.End:
			return fmt.Errorf("%s: choice %d was %q, and now it is %q: samples, tasks or verdicts have changed; choose another --out",
				log.Path, next.N, recorded.Task, next.Task)
		}
		e.result.Choices = append(e.result.Choices, next)
		if choice.Item < 0 {
			e.result.End = choice.End
			return nil
		}
		if err := e.ask(ctx, choice.Item); err != nil {
			return err
		}
	}
}

// ask judges the samples of a task.
func (e *adaptiveEval) ask(ctx context.Context, item int) error {
	id := e.ids[item]
	samples, err := e.answers(ctx, id)
	if err != nil {
		return err
	}
	at := 0
	passed, known := 0, 0
	o := e.o
	o.judged = func(r Row) {
		if r.Verdict != verdicts.SandboxError && r.Verdict != verdicts.NotJudged {
			known++
		}
		if r.Verdict == verdicts.Accepted {
			passed++
		}
	}
	if o.Progress != nil {
		o.Progress = func(p Progress) {
			p.Done, p.Reused = p.Done+e.result.Samples, 0
			p.Total = len(e.ids) * e.pool.Rules().Trials // at most
			if most := e.pool.Rules().Most; most > 0 {
				p.Total = min(p.Total, most*e.pool.Rules().Trials)
			}
			e.o.Progress(p)
		}
	}
	_, err = Follow(ctx, o, len(samples), func(context.Context) (format.Sample, int, error) {
		if at == len(samples) {
			return format.Sample{}, 0, io.EOF
		}
		at++
		return samples[at-1], at - 1, nil
	})
	if err != nil {
		return err
	}
	e.asked = append(e.asked, item)
	e.result.Samples += len(samples)
	if known < len(samples) {
		e.result.NotKnown = append(e.result.NotKnown, id)
		return nil
	}
	e.responses = append(e.responses, adaptive.Response{Item: item, Passed: passed, Trials: known})
	return nil
}

// conclude adds the estimates; interrupted is returned with them.
func (e *adaptiveEval) conclude(interrupted error) (*AdaptiveResult, error) {
	r := &e.result
	var err error
	if r.Estimate, err = e.pool.Estimate(e.responses); err != nil {
		return nil, err
	}
	if r.Total, err = e.pool.Total(e.responses); err != nil {
		return nil, err
	}
	r.Tasks, r.Pool = len(e.asked), len(e.ids)
	r.Needed, r.Enough = e.pool.Needed(r.Estimate)
	return r, interrupted
}
