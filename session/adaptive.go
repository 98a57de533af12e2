package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"assay/scoring/irt/adaptive"
)

// Adaptive makes the counted tasks of a plan the pool of an adaptive test: the next task is the one that tells
// most about the tester's ability with this model, given the session so far, until the rules end the test.
// Each counted task of such a plan has an Item.
type Adaptive struct {
	Rules  adaptive.Rules `json:"rules"`
	Solved Solved         `json:"response"`         // what counts as a right response
	Seed   uint64         `json:"seed"`             // of this session's draws
	Items  string         `json:"items"`            // the results that the items were calibrated with
	Checks map[int]Check  `json:"checks,omitempty"` // attention checks, by the 1-based number of the chosen task
}

// Solved is what counts as a right response to a task.
type Solved string

// What a response can be. It is unknown, and tells nothing, while a verdict is missing, if the tests could not be
// run, and for a skipped task.
const (
	SolvedWithinK Solved = "solved"    // an answer within the k attempts passed all tests
	SolvedFirst   Solved = "first"     // the first answer passed all tests
	SolvedToUser  Solved = "satisfied" // the tester was satisfied within k attempts
)

// Responses lists the values of Solved.
func Responses() []Solved { return []Solved{SolvedWithinK, SolvedFirst, SolvedToUser} }

// TaskChosen records the choice of the next task of an adaptive test, or the end of the test, with the reason.
type TaskChosen struct {
	Index int    `json:"index"` // in the plan; -1: the test is over
	Task  string `json:"task,omitempty"`
	adaptive.Choice
}

// AdaptiveSeed returns the seed of a tester's session, from that of the study.
func AdaptiveSeed(study uint64, tester, part int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%d/%d", study, tester, part)
	return h.Sum64()
}

// Groups returns the groups of a task that shares can be wanted of.
func (t PlanTask) Groups() []string {
	return []string{"type:" + t.Type, "difficulty:" + string(t.Difficulty), "category:" + t.Category}
}

func (p Plan) validateAdaptive() error {
	a := p.Adaptive
	if a == nil {
		return nil
	}
	if !slices.Contains(Responses(), a.Solved) {
		return fmt.Errorf("the response %q is none of %q", a.Solved, Responses())
	}
	pool := 0
	for _, t := range p.Tasks {
		switch {
		case t.Practice:
			continue
		case t.Item == nil:
			return fmt.Errorf("task %q of an adaptive plan has no item", t.ID)
		case t.Item.ID != t.ID:
			return fmt.Errorf("task %q has the item of %q", t.ID, t.Item.ID)
		}
		if err := t.Item.Check(); err != nil {
			return err
		}
		pool++
	}
	if pool == 0 {
		return errors.New("an adaptive plan needs tasks besides the practice")
	}
	return a.Rules.Check()
}

// Longest returns the largest number of counted tasks of the plan's adaptive test, 0 if it has none.
func (p Plan) Longest() int {
	if p.Adaptive == nil {
		return 0
	}
	pool := 0
	for _, t := range p.Tasks {
		if !t.Practice {
			pool++
		}
	}
	if most := p.Adaptive.Rules.Most; most > 0 {
		return min(pool, most)
	}
	return pool
}

// pool returns the pool of the plan's adaptive test, and the index in the plan of each of its items.
func (p Plan) pool() (*adaptive.Pool, []int, error) {
	var items []adaptive.Item
	var groups [][]string
	var at []int
	for i, t := range p.Tasks {
		if !t.Practice && t.Item != nil {
			items, groups, at = append(items, *t.Item), append(groups, t.Groups()), append(at, i)
		}
	}
	pool, err := adaptive.NewPool(items, groups, p.Adaptive.Rules)
	return pool, at, err
}

// Response returns whether the task was solved, and whether that is known.
func (a *Adaptive) Response(t *Task) (solved, known bool) {
	if !t.Closed || t.Outcome == Skipped {
		return false, false
	}
	if a.Solved == SolvedToUser {
		return t.Outcome == Satisfied, true
	}
	attempts := t.Attempts
	if a.Solved == SolvedFirst {
		attempts = attempts[:min(1, len(attempts))]
	}
	known = len(attempts) > 0
	for i := range attempts {
		switch v := attempts[i].Verdict; {
		case attempts[i].Answer == nil:
		case v == nil || v.Verdict == "not_judged" || v.Verdict == "sandbox_error":
			known = false
		case v.Verdict == "accepted":
			return true, true
		}
	}
	return false, known
}

// tested returns the tasks chosen so far and the responses known, by index in the pool.
func (s *State) tested(at []int) (asked []int, responses []adaptive.Response) {
	for _, c := range s.Choices {
		if c.Index < 0 {
			continue
		}
		t := &s.Tasks[c.Index]
		item := slices.Index(at, c.Index)
		asked = append(asked, item)
		if solved, known := s.Plan.Adaptive.Response(t); known {
			r := adaptive.Response{Item: item, Trials: 1}
			if solved {
				r.Passed = 1
			}
			responses = append(responses, r)
		}
	}
	return asked, responses
}

// WantsChoice reports whether the next task of an adaptive test is to be chosen now.
func (s *State) WantsChoice() bool {
	if s.Plan.Adaptive == nil || s.Phase != Between || s.Paused != "" || s.Closed != "" || s.Over() {
		return false
	}
	return s.Next() < 0
}

// Choose returns the choice that follows from the session so far: the same state gives the same choice.
func (s *State) Choose() (TaskChosen, error) {
	pool, at, err := s.Plan.pool()
	if err != nil {
		return TaskChosen{}, err
	}
	asked, responses := s.tested(at)
	choice, err := pool.Next(s.Plan.Adaptive.Seed, asked, responses)
	if err != nil {
		return TaskChosen{}, err
	}
	c := TaskChosen{Index: -1, Choice: choice}
	if choice.Item >= 0 {
		c.Index = at[choice.Item]
		c.Task = s.Tasks[c.Index].ID
	}
	return c, nil
}

// choose folds a choice. It is not computed anew, since another machine may round otherwise; CheckChoices does.
func (s *State) choose(p TaskChosen) error {
	if !s.WantsChoice() {
		return notNow(p.Kind(), "no task is to be chosen")
	}
	switch {
	case p.Index < 0 && p.End == "":
		return fmt.Errorf("%s: the test ends without a reason", p.Kind())
	case p.Index < 0:
	case p.Index >= len(s.Tasks) || s.Tasks[p.Index].ID != p.Task || p.End != "":
		return fmt.Errorf("%s: task %d of the plan is not %q", p.Kind(), p.Index, p.Task)
	case s.Tasks[p.Index].Practice || s.Tasks[p.Index].Opened || s.Tasks[p.Index].Closed:
		return notNow(p.Kind(), "task %q was presented before", p.Task)
	}
	if p.Index >= 0 {
		n := 1
		for _, c := range s.Choices {
			if c.Index >= 0 {
				n++
			}
		}
		if check, has := s.Plan.Adaptive.Checks[n]; has {
			s.Tasks[p.Index].Check = &check
		}
	}
	s.Choices = append(s.Choices, p)
	return nil
}

// testEnded reports whether an adaptive test has ended.
func (s *State) testEnded() bool { return len(s.Choices) > 0 && s.Choices[len(s.Choices)-1].Index < 0 }

// Over reports whether every task is done: all of the plan, or those that the adaptive test chose.
func (s *State) Over() bool {
	if s.Plan.Adaptive == nil {
		return s.Done() == len(s.Tasks)
	}
	return s.testEnded()
}

// PassedOver reports whether a task of an adaptive test's pool was not presented.
func (s *State) PassedOver(t *Task) bool {
	return s.Plan.Adaptive != nil && !t.Practice && !t.Opened && !t.Closed
}

// CheckChoices chooses anew at each choice of a log, and returns an error for the first that does not follow from
// the events before it.
func CheckChoices(events []Event) error {
	s := New()
	for _, e := range events {
		if s.Seq == 1 && s.Plan.Adaptive == nil {
			return nil
		}
		if p, is := e.Payload.(TaskChosen); is {
			want, err := s.Choose()
			if err != nil {
				return err
			}
			if want.Index != p.Index || want.End != p.End {
				return fmt.Errorf("event %d chooses %s, but by the events before it the choice is %s", e.Seq, p.words(), want.words())
			}
		}
		if err := s.Apply(e); err != nil {
			return err
		}
	}
	return nil
}

func (p TaskChosen) words() string {
	if p.Index < 0 {
		return "the end of the test (" + string(p.End) + ")"
	}
	return fmt.Sprintf("task %q", p.Task)
}

// Ability is what an adaptive session estimates.
type Ability struct {
	adaptive.Estimate
	Asked  int            `json:"tasks"`     // chosen tasks
	Known  int            `json:"responses"` // of them with a response
	Pool   int            `json:"pool"`
	End    adaptive.End   `json:"end,omitempty"` // "": the test goes on
	Total  adaptive.Total `json:"total"`         // share of right responses over the whole pool
	Needed int            `json:"needed"`        // tasks drawn at random for the same precision
	Enough bool           `json:"enough"`        // the pool has as many
}

// Ability returns the estimate of an adaptive session, nil for other sessions.
func (s *State) Ability() (*Ability, error) {
	if s.Plan.Adaptive == nil {
		return nil, nil
	}
	pool, at, err := s.Plan.pool()
	if err != nil {
		return nil, err
	}
	asked, responses := s.tested(at)
	a := &Ability{Asked: len(asked), Known: len(responses), Pool: len(at)}
	if a.Estimate, err = pool.Estimate(responses); err != nil {
		return nil, err
	}
	if a.Total, err = pool.Total(responses); err != nil {
		return nil, err
	}
	a.Needed, a.Enough = pool.Needed(a.Estimate)
	if s.testEnded() {
		a.End = s.Choices[len(s.Choices)-1].End
	}
	return a, nil
}
