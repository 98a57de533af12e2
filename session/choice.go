package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"assay/benchmark"
)

// DefaultK is the number of attempts allowed by Miah & Zhu (section IV.B).
const DefaultK = 10

// DefaultCriterion is the satisfaction criterion shown to the tester unless a study defines its own, after
// Miah & Zhu (section III.A).
const DefaultCriterion = "Satisfied: the code is correct, or so close to correct that a minor edit would make it so."

// DefaultIdleMS is the inactivity, in milliseconds, after which time is reported as idle.
const DefaultIdleMS = 5 * 60 * 1000

// Choice holds a person's choices for a session; Plan turns them into a plan.
type Choice struct {
	Benchmark *benchmark.Benchmark
	Filter    string   // a filter, see benchmark.ParseFilter
	Tasks     int      // number in each test set; 0 for all
	Sets      int      // number of disjoint test sets; 0 means 1
	Stratify  []string // fields to stratify by: all test sets get nearly the same number of each value
	Practice  bool     // begin with the benchmark's practice tasks
	K         int      // attempts allowed; 0 means DefaultK
	Level     int      // prompt level, 0 to 3
	Context   Context
	Seed      uint64
	Tester    string
	Model     Model
	Against   *Model // the model that answers beside Model; nil: Model alone
	Criterion string
	Reference bool
	Tests     TestsSeen
	IdleMS    int64 // 0 means DefaultIdleMS, below 0 never

	Order      []int         // the test sets to work on, in this order; nil for all
	Attributes []Attribute   // what is rated; nil for the eight of Miah & Zhu
	Study      *InStudy      // nil: not part of a study
	Automatic  *Automatic    // the automatic tester; nil: a human works
	Checks     map[int]Check // attention checks, by the 1-based number of the counted task whose rating has one
	Rules
}

// Plan draws the tasks and fixes every setting. The tasks are returned in the
// order of the plan.
func (c Choice) Plan() (Plan, []*benchmark.Task, error) {
	filter, sets, practice, err := c.draw()
	if err != nil {
		return Plan{}, nil, err
	}
	plan := Plan{
		Benchmark: c.Benchmark.Name, Filter: filter.String(), K: c.K, Level: c.Level,
		Context: c.Context, Seed: c.Seed, Stratify: c.Stratify, Tester: c.Tester, Model: c.Model,
		Criterion: c.Criterion, Reference: c.Reference, IdleMS: c.IdleMS,
		Tests: c.Tests, Study: c.Study, Automatic: c.Automatic, Attributes: c.Attributes, Rules: c.Rules,
	}
	if c.Study == nil && c.Automatic == nil {
		plan.Corrections = true // a study decides this itself
	}
	if c.Against != nil {
		plan.Arena = &Arena{Models: [2]Model{c.Model, *c.Against}, Seed: c.Seed}
		plan.Model = plan.Arena.Model()
		if in := c.Study; in != nil {
			plan.Arena.Seed = AdaptiveSeed(c.Seed, in.Tester, in.Part)
		}
	}
	plan.fillDefaults()
	var tasks []*benchmark.Task
	counted := 0
	add := func(t *benchmark.Task, set string) {
		p := planTaskOf(t, set)
		if !p.Practice {
			counted++
			if check, has := c.Checks[counted]; has {
				p.Check = &check
			}
		}
		plan.Tasks = append(plan.Tasks, p)
		tasks = append(tasks, t)
	}
	if c.Practice {
		for _, t := range practice {
			add(t, "")
		}
	}
	order := c.Order
	if order == nil {
		for i := range sets {
			order = append(order, i)
		}
	}
	for _, i := range order {
		for _, t := range sets[i] {
			add(t, fmt.Sprintf("T%d", i))
		}
	}
	if c.Study == nil && c.Automatic == nil {
		plan.TakeBlock = true
		repository := slices.ContainsFunc(plan.Tasks, func(t PlanTask) bool { return t.Repository })
		plan.Merge, plan.HandEdit = repository, repository
	}
	return plan, tasks, plan.Validate()
}

// draw chooses the tasks and divides them into test sets.
func (c Choice) draw() (filter benchmark.Filter, sets [][]*benchmark.Task, practice []*benchmark.Task, err error) {
	if filter, err = benchmark.ParseFilter(c.Filter); err != nil {
		return filter, nil, nil, err
	}
	chosen, practice := filter.Select(c.Benchmark)
	if len(chosen) == 0 {
		return filter, nil, nil, fmt.Errorf("no task of benchmark %q matches %q", c.Benchmark.Name, c.Filter)
	}
	sets, err = benchmark.Draw(chosen, c.Seed, max(1, c.Sets), c.Tasks, c.Stratify...)
	return filter, sets, practice, err
}

// Drawn returns the tasks that the plan would have, practice separately. Unlike Plan it does not hash their
// texts, which takes seconds for a large benchmark.
func (c Choice) Drawn() (tasks, practice []*benchmark.Task, err error) {
	_, sets, practice, err := c.draw()
	if !c.Practice {
		practice = nil
	}
	return slices.Concat(sets...), practice, err
}

func (p *Plan) fillDefaults() {
	p.K = cmp.Or(p.K, DefaultK)
	p.Context = cmp.Or(p.Context, Conversation)
	if p.Automatic != nil {
		p.Tester, p.Criterion = AutomaticTester, automaticCriterion
		p.Attributes, p.Labels, p.IdleMS = []Attribute{}, []Label{}, -1
	}
	if p.Attributes == nil {
		p.Attributes = MiahZhuAttributes()
	}
	if p.Labels == nil {
		p.Labels = Labels()
	}
	p.Criterion = cmp.Or(p.Criterion, DefaultCriterion)
	switch {
	case p.IdleMS == 0:
		p.IdleMS = DefaultIdleMS
	case p.IdleMS < 0:
		p.IdleMS = 0
	}
}

// planTaskOf returns a task as it is in a plan, as part of a test set.
func planTaskOf(t *benchmark.Task, set string) PlanTask {
	ref, _ := TaskContent(t)
	return PlanTask{
		ID: t.ID, Title: t.Title, Set: set, Difficulty: t.Difficulty, Type: t.Type,
		Category: t.Category, Practice: t.Practice, Repository: t.Repository != nil, Content: ref,
	}
}

// Stored returns the task as it is stored beside the log; texts reads what a reference refers to. Where nothing is stored, the task
// has the metadata of the plan.
func (t *PlanTask) Stored(texts func(Ref) ([]byte, error)) (*benchmark.Task, error) {
	task := &benchmark.Task{ID: t.ID, Title: t.Title, Difficulty: t.Difficulty, Type: t.Type, Category: t.Category}
	if t.Content == "" || texts == nil {
		return task, nil
	}
	text, err := texts(t.Content)
	if err == nil && len(text) > 0 { // simulated sessions have no texts
		err = json.Unmarshal(text, task)
	}
	if err != nil {
		return nil, fmt.Errorf("the task %q cannot be read from the store: %w", t.ID, err)
	}
	return task, nil
}

// Matching returns which tasks of the session a filter chooses, by their stored metadata, and all of these tasks. An empty filter
// reads nothing. Of a withdrawn session only the plan is left. The tasks of an adaptive test depend on each other and cannot be
// chosen from.
func (s *State) Matching(filter benchmark.Filter, texts func(Ref) ([]byte, error)) (matches []bool, tasks []*benchmark.Task, err error) {
	matches = make([]bool, len(s.Plan.Tasks))
	switch {
	case filter.String() == "" || s.Closed == "withdrawn":
		texts = nil
	case s.Plan.Adaptive != nil:
		return nil, nil, errors.New("an adaptive test chose its tasks one after the other, and its ability is of all of them: leave out the filter")
	}
	if tasks, err = s.StoredTasks(texts); err != nil {
		return nil, nil, err
	}
	for i, t := range tasks {
		matches[i] = filter.Match(t)
	}
	return matches, tasks, nil
}

// StoredTasks returns the tasks of the plan: with their texts, or only what the plan says of them if texts is nil.
func (s *State) StoredTasks(texts func(Ref) ([]byte, error)) (tasks []*benchmark.Task, err error) {
	for i := range s.Plan.Tasks {
		t, err := s.Plan.Tasks[i].Stored(texts)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// TaskContent returns the task as stored beside the log, and its reference.
func TaskContent(t *benchmark.Task) (Ref, []byte) {
	text, err := json.Marshal(t)
	if err != nil {
		// A loaded task contains only plain values and valid raw JSON.
		panic("session: a loaded task does not marshal: " + err.Error())
	}
	return RefOf(text), text
}
