package difficulty

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/benchmark"
	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/estimate"
)

// Discretise is a way of converting models' difficulty to a category of the people's scale.
type Discretise string

const (
	// Equal divides [0, 1] into intervals of equal width. TaskEval only says that it discretised [0, 1] on
	// people's scale; this is our interpretation.
	Equal    Discretise = "equal"
	Quantile Discretise = "quantile" // as many tasks in each category as people put there
)

// People compares people's settled estimates with the models' difficulty (TaskEval, RQ4 and table 3).
type People struct {
	Discretisation string            `json:"discretisation"` // in words
	Scale          []string          `json:"scale"`          // of times, from category 0
	Statistic      string            `json:"statistic"`      // of agreement among people
	Threshold      float64           `json:"threshold"`      // of that statistic
	N              int               `json:"n"`              // tasks with both
	Kappa          PeopleKappa       `json:"kappa"`
	Up             PeopleKappa       `json:"people_one_up"`        // if people had estimated one category more
	Down           PeopleKappa       `json:"people_one_down"`      // one category less
	Tau            *stats.KendallTau `json:"kendall,omitempty"`    // of models' difficulty and people's category
	Rows           []PeopleRow       `json:"rows"`                 // in descending order of disagreement
	Waiting        []string          `json:"waiting,omitempty"`    // tasks with unsettled estimates
	Unanswered     []string          `json:"unanswered,omitempty"` // tasks with estimates but no model answers
	Warnings       []string          `json:"warnings,omitempty"`
}

// PeopleKappa is a weighted kappa, or the reason why there is none.
type PeopleKappa struct {
	Value *stats.Kappa `json:"value,omitempty"`
	Why   string       `json:"why,omitempty"`
}

// PeopleRow compares a task's difficulty for models and people.
type PeopleRow struct {
	Task       string  `json:"task"`
	Title      string  `json:"title,omitempty"`
	Difficulty float64 `json:"difficulty"`  // for models, as estimated
	Models     int     `json:"models"`      // as a category
	People     int     `json:"people"`      // category of the median time
	MedianTime string  `json:"median_time"` // the same in words
	// for an even number of estimates, the lower of the two middle ones
	LowMedian        int     `json:"low_median"`
	MedianDifficulty string  `json:"median_difficulty"` // as labelled by people
	N                int     `json:"n"`                 // estimates
	Rounds           int     `json:"rounds"`
	Agreement        float64 `json:"agreement"` // among people, in the last round
	Agreed           bool    `json:"agreed"`    // it reached the threshold
}

// enoughTasks is the number of tasks below which kappa's interval, which is asymptotic, means little.
const enoughTasks = 30

// ComparePeople compares settled estimates with the models' difficulty.
func (a *Analysis) ComparePeople(s *estimate.Study, how Discretise, tasks *benchmark.Benchmark) (*People, error) {
	if how != Equal && how != Quantile {
		return nil, fmt.Errorf("there is no discretisation %q: write equal or quantile", how)
	}
	if how == Equal && a.model != irt.Beta3 {
		return nil, fmt.Errorf("%v has no difficulty between 0 and 1, which equal intervals need: discretise by quantile", a.model)
	}
	if tasks != nil {
		for _, r := range s.Rounds {
			if changed := r.Header.Changed(tasks); len(changed) > 0 {
				return nil, fmt.Errorf("%s estimated tasks that have since changed in %s or are not part of it: %v", r.Name, tasks.Name, changed)
			}
		}
	}
	h := s.Header()
	p := &People{Scale: h.Labels(), Statistic: "van der Eijk's agreement A", Threshold: h.Threshold, Rows: []PeopleRow{}}
	for _, res := range s.Results() {
		at := slices.IndexFunc(a.Tasks, func(t Task) bool { return t.ID == res.Task })
		switch {
		case !res.State.Done():
			p.Waiting = append(p.Waiting, res.Task)
		case at < 0:
			p.Unanswered = append(p.Unanswered, res.Task)
		default:
			title := cmp.Or(a.Tasks[at].Title, res.Title)
			p.Rows = append(p.Rows, PeopleRow{Task: res.Task, Title: title, Difficulty: a.Tasks[at].Difficulty.Value,
				People: res.Median(), MedianTime: p.Scale[res.Median()], LowMedian: res.Time.Low, MedianDifficulty: estimate.DifficultyLabels()[res.Difficulty.High-1],
				N: res.N, Rounds: res.Round, Agreement: *res.Agreement, Agreed: res.State == estimate.Settled})
		}
	}
	if p.N = len(p.Rows); p.N == 0 {
		return nil, fmt.Errorf("none of the tasks that models answered has a settled difficulty from people: %d wait for estimates, %d have no answers", len(p.Waiting), len(p.Unanswered))
	}
	p.discretise(how)
	if err := p.compare(); err != nil {
		return nil, err
	}
	p.warn()
	slices.SortStableFunc(p.Rows, func(x, y PeopleRow) int {
		if d := distance(y) - distance(x); d != 0 {
			return d
		}
		return compare(y.Difficulty, x.Difficulty)
	})
	return p, nil
}

func distance(r PeopleRow) int { return max(r.Models-r.People, r.People-r.Models) }

// discretise converts each task's difficulty for models to a category of the people's scale.
func (p *People) discretise(how Discretise) {
	k := len(p.Scale)
	if how == Equal {
		p.Discretisation = fmt.Sprintf("models' difficulty in %d intervals of [0, 1] of equal width, as TaskEval; people's median time in its %d categories", k, k)
		for i := range p.Rows {
			p.Rows[i].Models = max(0, min(k-1, int(math.Floor(p.Rows[i].Difficulty*float64(k)))))
		}
		return
	}
	p.Discretisation = "models' difficulty by rank, as many tasks in each category as people put there; tasks of equal difficulty in the category of their middle"
	var people, order []int
	for i, r := range p.Rows {
		people, order = append(people, r.People), append(order, i)
	}
	slices.Sort(people)
	slices.SortStableFunc(order, func(x, y int) int { return compare(p.Rows[x].Difficulty, p.Rows[y].Difficulty) })
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && p.Rows[order[to]].Difficulty == p.Rows[order[from]].Difficulty {
			to++
		}
		for _, i := range order[from:to] {
			p.Rows[i].Models = people[(from+to-1)/2]
		}
		from = to
	}
}

// compare computes kappa, kappa if people had estimated one category more or less, and Kendall's tau
// without categories.
func (p *People) compare() error {
	var models, people []int
	var x, y []float64
	for _, r := range p.Rows {
		models, people = append(models, r.Models), append(people, r.People)
		x, y = append(x, r.Difficulty), append(y, float64(r.People))
	}
	for _, row := range []struct {
		kappa *PeopleKappa
		shift int
	}{{&p.Kappa, 0}, {&p.Up, 1}, {&p.Down, -1}} {
		shifted := make([]int, len(people))
		for i, c := range people {
			shifted[i] = max(0, min(len(p.Scale)-1, c+row.shift))
		}
		table, err := stats.ConfusionTable(models, shifted, len(p.Scale))
		if err != nil {
			return err
		}
		switch k, err := stats.CohenKappa(table, stats.LinearWeights, 0.95); {
		case errors.Is(err, stats.ErrNoVariation):
			row.kappa.Why = "models and people use one and the same category only"
		case err != nil:
			return err
		default:
			row.kappa.Value = &k
		}
	}
	tau, err := stats.Kendall(x, y, stats.Auto)
	if err == nil {
		p.Tau = &tau
	} else if !errors.Is(err, stats.ErrNoVariation) && !errors.Is(err, stats.ErrTooFew) {
		return err
	}
	return nil
}

// warn adds the limitations of the numbers.
func (p *People) warn() {
	if p.N < enoughTasks {
		p.Warnings = append(p.Warnings, fmt.Sprintf("Only %d tasks are judged by both: the interval of kappa is one for large samples, and from fewer than %d tasks too narrow.", p.N, enoughTasks))
	}
	unagreed := 0
	for _, r := range p.Rows {
		if !r.Agreed {
			unagreed++
		}
	}
	if unagreed > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("People did not agree on %d of the %d tasks after the last round; their median counts all the same.", unagreed, p.N))
	}
	if len(p.Waiting) > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d tasks still wait for estimates and are left out.", len(p.Waiting)))
	}
	if len(p.Unanswered) > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d tasks that people estimated have no models' answers here and are left out.", len(p.Unanswered)))
	}
}
