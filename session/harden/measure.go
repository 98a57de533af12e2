package harden

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/generate"
	"assay/session/prompts"
)

// measure asks the measuring models for answers to the tasks that no check removed, and to those that they
// were made of.
func (r *run) measure(ctx context.Context) error {
	measuring, ctx := errgroup.WithContext(ctx)
	measuring.SetLimit(max(1, r.Parallel))
	for _, t := range r.measured() {
		for _, who := range r.Models {
			for sample := range r.Samples {
				var known bool
				r.File.Look(func(s *State) { known = slices.ContainsFunc(s.Measured, measurement(t.ID, who.Model.Name, sample)) })
				if !known {
					measuring.Go(func() error { return r.measureOne(ctx, who, t, sample) })
				}
			}
		}
	}
	return measuring.Wait()
}

func measurement(task, model string, sample int) func(Measured) bool {
	return func(m Measured) bool { return m.Task == task && m.Model == model && m.Sample == sample }
}

// measured lists the tasks to be measured, new and old.
func (r *run) measured() []*benchmark.Task {
	var list []*benchmark.Task
	seen := map[string]bool{}
	var survivors []*Proposed
	r.File.Look(func(s *State) { survivors = s.survivors() })
	for _, p := range survivors {
		list = append(list, &p.Task)
		for _, id := range p.From {
			if t, err := r.Benchmark.Task(id); err == nil && !seen[id] {
				seen[id] = true
				list = append(list, t)
			}
		}
	}
	return list
}

func (r *run) measureOne(ctx context.Context, who *generate.Asked, t *benchmark.Task, sample int) error {
	if ctx.Err() != nil {
		return nil
	}
	result, _, err := r.solve(ctx, who, "measure", t, sample)
	if ctx.Err() != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.inARow = 0
		err = r.File.Add(Event{Measured: &Measured{t.ID, who.Model.Name, sample, result.Verdict == verdicts.Accepted}})
	}
	if err != nil {
		return r.fail(err)
	}
	return nil
}

// keep writes down which tasks are kept, and lays them before reviewers with those that a second solution
// disagrees about.
func (r *run) keep() error {
	var kept []string
	var shown []*Proposed
	var same bool
	r.File.Look(func(s *State) {
		for _, d := range s.Difficulties() {
			if d.Separates && len(kept) < r.Keep {
				kept = append(kept, d.Task)
			}
		}
		same = slices.Equal(kept, s.Kept)
	})
	if !same {
		if err := r.File.Add(Event{Kept: &Kept{kept, r.Now().UTC()}}); err != nil {
			return err
		}
	}
	r.File.Look(func(s *State) { shown = s.Shown() })
	known := r.Review.Tasks()
	for _, p := range shown {
		if slices.Contains(known, p.Task.ID) {
			continue
		}
		c := prompts.Candidate{Task: p.Task.ID, Basis: prompts.Basis(&p.Task), Level: 1, Wording: 1, Text: p.Task.Description, Author: p.By, At: r.Now().UTC()}
		if err := r.Review.Propose(c); err != nil {
			return err
		}
	}
	return nil
}

// Difficulty is how hard a new task is.
type Difficulty struct {
	Task       string   `json:"task"`
	Solved     *float64 `json:"solved,omitempty"`     // share of the answers; nil: it was not measured
	Difficulty *float64 `json:"difficulty,omitempty"` // of β3-IRT, 0 to 1, if it could be fitted
	Separates  bool     `json:"separates"`            // some answers are right and some wrong, and abler models do better
	Mutants    int      `json:"mutants"`              // places in the solution at which a fault is noticed
}

// Difficulties lists the tasks that no check removed, the hardest first: by the difficulty of β3-IRT, else
// by the share of answers that solve them, else by the size of their solutions. A task without measurements
// is not known not to separate.
func (s *State) Difficulties() []Difficulty {
	var list []Difficulty
	for _, p := range s.survivors() {
		d := Difficulty{Task: p.Task.ID, Separates: true, Mutants: p.Mutants}
		if share, n := s.share(p.Task.ID); n > 0 {
			d.Solved, d.Separates = &share, share > 0 && share < 1
		}
		list = append(list, d)
	}
	if e := s.fit(list); e != nil {
		for j, item := range e.Items {
			d := &list[slices.IndexFunc(list, func(d Difficulty) bool { return d.Task == item })]
			d.Difficulty = &e.Difficulty[j]
			d.Separates = d.Separates && e.Discrimination[j] > 0
		}
	}
	slices.SortStableFunc(list, func(a, b Difficulty) int {
		return cmp.Or(-cmp.Compare(orZero(a.Difficulty), orZero(b.Difficulty)), cmp.Compare(orZero(a.Solved), orZero(b.Solved)), -cmp.Compare(a.Mutants, b.Mutants))
	})
	return list
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// fit estimates difficulties from what the models solved; nil if there are too few answers.
func (s *State) fit(list []Difficulty) *irt.Estimates {
	var r irt.Responses
	for _, d := range list {
		if d.Solved != nil {
			r.Items = append(r.Items, d.Task)
		}
	}
	for _, m := range s.Measured {
		if !slices.Contains(r.Respondents, m.Model) && slices.Contains(r.Items, m.Task) {
			r.Respondents = append(r.Respondents, m.Model)
		}
	}
	for _, model := range r.Respondents {
		scores, trials := make([]float64, len(r.Items)), make([]float64, len(r.Items))
		for j, task := range r.Items {
			solved, answers := s.solved(task)
			scores[j], trials[j] = float64(solved[model])/float64(answers[model]), float64(answers[model])
		}
		r.Scores, r.Trials = append(r.Scores, scores), append(r.Trials, trials)
	}
	e, err := irt.Fit(r, irt.Options{})
	if err != nil {
		return nil
	}
	return e
}

// share returns the share of all answers that solve a task, and their number.
func (s *State) share(task string) (share float64, n int) {
	solved, answers := s.solved(task)
	right := 0
	for model, count := range answers {
		n += count
		right += solved[model]
	}
	return float64(right) / float64(max(1, n)), n
}

// Shift compares how often the models solve new tasks and those that they were made of.
type Shift struct {
	Tasks      int            `json:"tasks"`
	Before     float64        `json:"before"` // mean share of answers that solve the old tasks
	After      float64        `json:"after"`
	Difference stats.Interval `json:"interval"` // of after less before: Student's, 95 %, by tasks
	Known      bool           `json:"-"`        // there are enough tasks for an interval
}

// Shift returns the shift of all tasks that no check removed and that were measured with all of their old
// tasks: those kept are chosen by the same answers, which would make it too large. ok is false if there are
// none. Of a task made of several the hardest old one counts.
func (s *State) Shift() (shift Shift, ok bool) {
	var differences []float64
	for _, p := range s.survivors() {
		after, n := s.share(p.Task.ID)
		before := 1.0
		for _, old := range p.From {
			share, m := s.share(old)
			n = min(n, m)
			before = min(before, share)
		}
		if n == 0 {
			continue
		}
		shift.Tasks++
		shift.Before += before
		shift.After += after
		differences = append(differences, after-before)
	}
	if shift.Tasks == 0 {
		return shift, false
	}
	shift.Before, shift.After = shift.Before/float64(shift.Tasks), shift.After/float64(shift.Tasks)
	interval, err := stats.MeanT(stats.Units{Mean: stats.Mean(differences), Values: differences, Per: 1}, 0.95)
	shift.Difference, shift.Known = interval, err == nil
	return shift, true
}
