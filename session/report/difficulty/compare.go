package difficulty

import (
	"math"
	"slices"

	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/difficulty"
)

// Comparison compares two benchmarks: k-sample Anderson-Darling tests of whether two distributions over tasks are
// equal (TaskEval, section 5.1), and the differences of their means.
type Comparison struct {
	Linked bool       `json:"one_scale"`            // both were calibrated together
	Why    string     `json:"not_linked,omitempty"` // why they were not
	Shared int        `json:"shared_respondents"`   // respondents of both, which link the scales; those that drift do not
	All    int        `json:"respondents"`          // of both together
	Rows   []Compared `json:"rows"`                 // difficulty, discrimination, then each respondent of both
	Tests  int        `json:"tests"`                // in the family of the corrected p-values
	Only   []Only     `json:"only"`                 // respondents of one of the two

	People *PeopleCompared `json:"people,omitempty"` // if people estimated both
}

// Compared is one distribution over the tasks of both.
type Compared struct {
	What       string    `json:"what"`
	Respondent bool      `json:"respondent"` // its expected scores; else a parameter of the tasks
	First      Quarters  `json:"first"`
	Second     Quarters  `json:"second"`
	Statistic  float64   `json:"ad"` // standardised
	P          float64   `json:"p"`
	Capped     stats.Cap `json:"p_capped,omitempty"`
	Holm       float64   `json:"p_holm"`
	Problem    string    `json:"problem,omitempty"` // why there is no test

	// Gap is the mean over the second benchmark's tasks less that over the first's, nil
	// where the scales differ. Its interval is over tasks like these, of parameters by draws
	// of the joint fit, of expected scores by Welch's t; nil where there are too few tasks.
	Gap         *float64        `json:"difference,omitempty"`
	GapInterval *stats.Interval `json:"difference_interval,omitempty"`
}

// Quarters summarise a distribution.
type Quarters struct {
	N      int     `json:"n"`
	Low    float64 `json:"quartile_1"`
	Median float64 `json:"median"`
	High   float64 `json:"quartile_3"`

	// MedianInterval is by order statistics over tasks like these; nil for too few.
	MedianInterval *stats.Interval `json:"median_interval,omitempty"`

	Spread *Spread `json:"spread,omitempty"` // of expected scores
}

// Only is a respondent of one benchmark.
type Only struct {
	Respondent string `json:"respondent"`
	Benchmark  string `json:"benchmark"`
}

// Why parameters are not tested against each other.
const (
	apart    = "each benchmark has a scale of its own"
	linkOpen = "not all respondents answered both, and the test would take the link between the two for certain; the interval of the difference does not"
)

func compare(a, b *difficulty.Analysis, why string) (*Comparison, error) {
	if err := difficulty.Comparable(a, b); err != nil {
		return nil, err
	}
	c := &Comparison{Linked: linked(a, b), Why: why, Shared: len(difficulty.Shared(a, b)), Rows: []Compared{}, Only: []Only{}}
	if c.All = len(a.Respondents) + len(b.Respondents) - c.Shared; !c.Linked && c.Why == "" {
		c.Why = "they were analysed apart"
	}
	if c.Linked {
		c.Shared = len(a.Joint.Shared)
	}
	of := func(x *difficulty.Analysis, value func(difficulty.Task) float64) (all []float64) {
		for _, t := range x.Tasks {
			all = append(all, value(t))
		}
		return all
	}
	hard := func(t difficulty.Task) float64 { return t.Difficulty.Value }
	steep := func(t difficulty.Task) float64 { return t.Discrimination.Value }
	rows := []struct {
		what          string
		first, second []float64
		respondent    bool
	}{{"difficulty", of(a, hard), of(b, hard), false}, {"discrimination", of(a, steep), of(b, steep), false}}
	for _, r := range a.Respondents {
		if i := place(b, r.Name); i >= 0 {
			rows = append(rows, struct {
				what          string
				first, second []float64
				respondent    bool
			}{r.Name, r.Expected, b.Respondents[i].Expected, true})
			continue
		}
		c.Only = append(c.Only, Only{r.Name, a.Source.Name})
	}
	for _, r := range b.Respondents {
		if place(a, r.Name) < 0 {
			c.Only = append(c.Only, Only{r.Name, b.Source.Name})
		}
	}
	for _, row := range rows {
		x, err := compared(row.what, row.respondent, row.first, row.second)
		if err != nil {
			return nil, err
		}
		if row.respondent && (!known(a, row.what) || !known(b, row.what)) {
			x.GapInterval = nil
		}
		c.Rows = append(c.Rows, c.settle(x, a))
	}
	c.People = comparePeople(a, b)
	return c, c.correct()
}

// enoughTrials is the mean number of trials a task from which what is expected of a
// respondent is known well enough to bound its difference: of single responses Welch's
// interval covers in 84 of 100 cases (TestCalibrateLinkedDifficulties).
const enoughTrials = 5

func known(a *difficulty.Analysis, respondent string) bool {
	sum, n := 0.0, 0.0
	for _, trials := range a.Respondents[place(a, respondent)].Trials {
		if trials != nil {
			sum, n = sum+*trials, n+1
		}
	}
	return sum > 0 && sum/n >= enoughTrials
}

// settle returns a row with what holds of it: parameters have a difference where both benchmarks
// stand on one scale, and a test where all respondents answered both.
func (c *Comparison) settle(x Compared, a *difficulty.Analysis) Compared {
	switch {
	case x.Respondent:
	case !c.Linked:
		x.withhold(apart)
		x.Gap, x.GapInterval = nil, nil
	case x.What == "discrimination" && a.Model == irt.Logistic1.String():
		x.withhold("one for all tasks")
		x.Gap, x.GapInterval = nil, nil
	default:
		if x.GapInterval = a.Joint.Difficulty; x.What == "discrimination" {
			x.GapInterval = a.Joint.Discrimination
		}
		if c.Shared < c.All {
			x.withhold(linkOpen)
		}
	}
	return x
}

// linked reports whether two analyses stand on one scale.
func linked(a, b *difficulty.Analysis) bool {
	return a.Joint != nil && b.Joint != nil && a.Joint.With == b.Source.Name && b.Joint.With == a.Source.Name
}

// withhold takes the test back.
func (c *Compared) withhold(why string) {
	c.Problem, c.Statistic, c.P, c.Capped, c.Holm = why, 0, 1, "", 1
}

func compared(what string, respondent bool, first, second []float64) (Compared, error) {
	c := Compared{What: what, Respondent: respondent}
	for _, side := range []struct {
		to *Quarters
		of []float64
	}{{&c.First, first}, {&c.Second, second}} {
		side.to.N = len(side.of)
		side.to.MedianInterval = difficulty.MedianInterval(slices.Sorted(slices.Values(side.of)))
		for _, q := range []struct {
			to *float64
			at float64
		}{{&side.to.Low, 0.25}, {&side.to.Median, 0.5}, {&side.to.High, 0.75}} {
			var err error
			if *q.to, err = stats.Quantile(side.of, q.at, stats.Linear); err != nil {
				return c, err
			}
		}
		if respondent {
			s, err := spreadOf(side.of)
			if err != nil {
				return c, err
			}
			side.to.Spread = &s
		}
	}
	gap := stats.Mean(second) - stats.Mean(first)
	c.Gap, c.GapInterval = &gap, difficulty.DifferenceInterval(first, second)
	ad, err := stats.AndersonDarling(true, first, second)
	if err != nil {
		c.Problem, c.P, c.Holm = err.Error(), 1, 1
		return c, nil
	}
	c.Statistic, c.P, c.Capped = ad.Statistic, ad.P, ad.Capped
	return c, nil
}

// correct adds p-values corrected over all tests.
func (c *Comparison) correct() error {
	var ps []float64
	for _, row := range c.Rows {
		if row.Problem == "" {
			ps = append(ps, row.P)
		}
	}
	holm, err := stats.Holm(ps)
	if err != nil {
		return err
	}
	c.Tests = len(ps)
	for i := range c.Rows {
		if c.Rows[i].Problem == "" {
			c.Rows[i].Holm, holm = math.Min(holm[0], 1), holm[1:]
		}
	}
	return nil
}
