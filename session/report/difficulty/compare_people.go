package difficulty

import (
	"slices"

	"assay/scoring/stats"
	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// Drawn tests whether the tasks that people estimated are as difficult for models as the benchmark's tasks are (TaskEval,
// section 5.4): the k-sample Anderson-Darling test between the difficulties of the two sets.
type Drawn struct {
	N int `json:"n"` // estimated tasks
	Tested
}

// Tested is a k-sample Anderson-Darling test of two distributions.
type Tested struct {
	Statistic float64   `json:"ad"` // standardised
	P         float64   `json:"p"`
	Capped    stats.Cap `json:"p_capped,omitempty"`
	Problem   string    `json:"problem,omitempty"` // why there is no test
}

func test(first, second []float64) Tested {
	ad, err := stats.AndersonDarling(true, first, second)
	if err != nil {
		return Tested{P: 1, Problem: err.Error()}
	}
	return Tested{Statistic: ad.Statistic, P: ad.P, Capped: ad.Capped}
}

// drawnOf tests the tasks that people estimated; nil if there are none, or all were estimated.
func drawnOf(a *difficulty.Analysis) *Drawn {
	if a.People == nil || a.People.N == len(a.Tasks) {
		return nil
	}
	var estimated, all []float64
	for _, t := range a.Tasks {
		all = append(all, t.Difficulty.Value)
		if slices.ContainsFunc(a.People.Rows, func(r difficulty.PeopleRow) bool { return r.Task == t.ID }) {
			estimated = append(estimated, t.Difficulty.Value)
		}
	}
	return &Drawn{N: len(estimated), Tested: test(estimated, all)}
}

// PeopleCompared compares people's estimates of two benchmarks: the k-sample Anderson-Darling test between the categories
// of their median times (TaskEval, section 5.4).
type PeopleCompared struct {
	Scale  []PeopleCategory `json:"scale"` // of times, from the shortest
	First  int              `json:"first"` // tasks of each benchmark with a settled estimate
	Second int              `json:"second"`
	Tested
}

// PeopleCategory is a category of times with the tasks in it.
type PeopleCategory struct {
	Time        string  `json:"time"`
	First       int     `json:"first"` // tasks
	Second      int     `json:"second"`
	FirstAbove  float64 `json:"first_from"` // the share of tasks in this category or a longer one
	SecondAbove float64 `json:"second_from"`
}

// comparePeople returns nil if people did not estimate both benchmarks.
func comparePeople(a, b *difficulty.Analysis) *PeopleCompared {
	if a.People == nil || b.People == nil {
		return nil
	}
	c := &PeopleCompared{Scale: []PeopleCategory{}, First: a.People.N, Second: b.People.N}
	if !slices.Equal(a.People.Scale, b.People.Scale) {
		c.Tested = Tested{P: 1, Problem: "the two benchmarks were estimated on different scales of times"}
		return c
	}
	categories := func(p *difficulty.People) (all []float64) {
		for _, r := range p.Rows {
			all = append(all, float64(r.People))
		}
		return all
	}
	first, second := categories(a.People), categories(b.People)
	c.Tested = test(first, second)
	for k, label := range a.People.Scale {
		x := PeopleCategory{Time: label}
		for _, side := range []struct {
			of    []float64
			n     *int
			above *float64
		}{{first, &x.First, &x.FirstAbove}, {second, &x.Second, &x.SecondAbove}} {
			for _, v := range side.of {
				if int(v) == k {
					*side.n++
				}
				if int(v) >= k {
					*side.above++
				}
			}
			*side.above /= float64(len(side.of))
		}
		c.Scale = append(c.Scale, x)
	}
	return c
}

// comparedPeople writes whether people take the tasks of two benchmarks for equally long.
func (w *writer) comparedPeople(s *doc.Section, first, second string) {
	c := w.Compared.People
	if c == nil {
		return
	}
	s.Text("People's estimates of the two: the k-sample Anderson-Darling test between the median times of tasks (", doc.Fixed(taskEval+", section 5.4"), "). ", w.tested(&c.Tested))
	if len(c.Scale) == 0 {
		return
	}
	t := s.Table("people-compared", "Median times that people estimate for tasks of "+first+" and "+second, doc.Left("time"), doc.Right("tasks, "+first), doc.Right("from there on, %"), doc.Right("tasks, "+second), doc.Right("from there on, %"))
	for i := range c.Scale {
		x := &c.Scale[i]
		t.Row(doc.Name(x.Time), w.d.Count(&x.First), w.d.Percent(&x.FirstAbove, 0), w.d.Count(&x.Second), w.d.Percent(&x.SecondAbove, 0))
	}
	t.Note("Tasks with a settled estimate and a difficulty for models: ", w.d.Count(&c.First), " and ", w.d.Count(&c.Second), ". The test takes them as drawn from the tasks of their benchmarks, and the medians as they are.")
}

// tested writes the result of a test.
func (w *writer) tested(x *Tested) []any {
	if x.Problem != "" {
		return doc.Item("There is no test: ", doc.Name(x.Problem), ".")
	}
	return doc.Item("AD ", w.d.Num(&x.Statistic, 2), ", p ", w.p(&x.P, x.Capped), ".")
}
