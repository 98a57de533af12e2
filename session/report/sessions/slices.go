package sessions

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Slices are the results by the values of one property of the tasks or sessions.
type Slices struct {
	By    string  `json:"by"`    // the property: "difficulty", "type", "category", "set", "tester", "model", "session"
	Cells []Slice `json:"cells"` // one for each value

	// Trends says for each measure whether it keeps its direction over the
	// difficulties in the order easy, medium, hard; only where all have enough.
	Trends []Trend `json:"trends,omitempty"`

	// Differences tests whether the values differ at all. With several testers there
	// are none, since these tests take tasks to be independent.
	Differences []Difference `json:"differences,omitempty"`
}

// Trend is a checked statement about a measure from easy to hard.
type Trend struct {
	Measure   string `json:"measure"`             // what should rise or fall
	Direction string `json:"direction"`           // the expected one: "rises" or "falls"
	Holds     bool   `json:"holds"`               // it keeps the direction
	BrokenAt  string `json:"broken_at,omitempty"` // the two difficulties between which it does not
}

// Difference is a test of no difference between the slices.
type Difference struct {
	Measure string        `json:"measure"` // what may differ
	Test    string        `json:"test"`    // its name
	Value   report.Number `json:"value"`   // the statistic
	DF      int           `json:"df"`      // degrees of freedom
	P       report.Number `json:"p"`       // of no difference

	// Delta is Cliff's, of hard against easy tasks.
	Delta    *report.Number  `json:"cliff_delta_hard_easy,omitempty"`
	Interval *stats.Interval `json:"cliff_delta_interval,omitempty"` // of that delta
}

func slicesOf(est *estimator, analysed []result, attributes []session.Attribute, r *Report) []Slices {
	by := func(name string, value func(result) string) Slices {
		return Slices{By: name, Cells: cells(est, analysed, attributes, value)}
	}
	difficulty := by("difficulty", func(r result) string { return string(r.Difficulty) })
	slices.SortStableFunc(difficulty.Cells, func(a, b Slice) int { return rank(a.Value) - rank(b.Value) })
	difficulty.Trends = trendsOf(difficulty.Cells, attributes)
	all := []Slices{
		difficulty,
		by("type", func(r result) string { return r.Type }),
		by("category", func(r result) string { return r.Category }),
		by("set", func(r result) string { return r.Set }),
	}
	slices.SortFunc(all[3].Cells, func(a, b Slice) int { return cmp.Or(len(a.Value)-len(b.Value), strings.Compare(a.Value, b.Value)) }) // T2 before T10
	if est.testers == 1 {
		all[0].Differences = differencesOf(analysed, attributes, func(r result) string { return string(r.Difficulty) })
		all[1].Differences = differencesOf(analysed, attributes, func(r result) string { return r.Type })
	}
	if r.Testers > 1 {
		testers := by("tester", func(r result) string { return r.in.person })
		if r.Layout > 3 {
			slices.SortStableFunc(testers.Cells, func(a, b Slice) int { return byNumbers(a.Value, b.Value) })
		}
		all = append(all, testers)
	}
	if len(r.Sessions) > 1 {
		all = append(all, by("session", func(r result) string { return r.in.header.ID }))
	}
	return all
}

// byNumbers orders names, and the numbers in them by their size: "tester 2" before "tester 10".
func byNumbers(a, b string) int {
	for x, y := a, b; ; {
		wordX, restX := leading(x)
		wordY, restY := leading(y)
		order := strings.Compare(wordX, wordY)
		if digits := strings.TrimLeft(wordX, "0"); wordX != "" && wordY != "" && isDigit(wordX[0]) && isDigit(wordY[0]) {
			other := strings.TrimLeft(wordY, "0")
			order = cmp.Or(len(digits)-len(other), strings.Compare(digits, other))
		}
		if order != 0 || restX == "" && restY == "" {
			return cmp.Or(order, strings.Compare(a, b))
		}
		x, y = restX, restY
	}
}

// leading cuts a text behind the digits, or what is none, that it begins with.
func leading(text string) (word, rest string) {
	for i := range len(text) {
		if isDigit(text[i]) != isDigit(text[0]) {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// rank orders difficulties; other words come after them.
func rank(difficulty string) int {
	for i, d := range benchmark.Difficulties {
		if difficulty == string(d) {
			return i
		}
	}
	return len(benchmark.Difficulties)
}

// grouped returns the results by a value, in its order.
func grouped(analysed []result, value func(result) string) (values []string, groups map[string][]result) {
	groups = map[string][]result{}
	for _, r := range analysed {
		v := clean(value(r))
		if groups[v] == nil {
			values = append(values, v)
		}
		groups[v] = append(groups[v], r)
	}
	slices.Sort(values)
	return values, groups
}

func cells(est *estimator, analysed []result, attributes []session.Attribute, value func(result) string) []Slice {
	all := []Slice{}
	values, groups := grouped(analysed, value)
	for _, v := range values {
		all = append(all, cell(est, v, groups[v], attributes))
	}
	return all
}

func cell(est *estimator, value string, group []result, attributes []session.Attribute) Slice {
	s := Slice{Value: value, N: len(group)}
	s.Tasks, s.Testers = drawn(group)
	s.Small = s.Tasks < report.Small || 1 < s.Testers && s.Testers < fewestTesters
	for _, r := range group {
		if s.Steps == nil {
			s.Steps = make([]int, r.in.state.Plan.K)
		}
		if r.happy && r.attempts <= len(s.Steps) {
			s.Steps[r.attempts-1]++
		} else {
			s.Never++
		}
	}
	for _, m := range measuresOf(len(s.Steps), 0, attributes) {
		if m.field == nil {
			continue
		}
		switch field := m.field(&s).(type) {
		case *report.Share:
			*field = est.rate(m.series(group))
		case *report.Estimate:
			*field = est.mean(m.series(group))
		}
	}
	for _, a := range attributes {
		s.Attributes = append(s.Attributes, est.mean(scores(group, a)))
	}
	return s
}

// drawn counts the different tasks and testers of some results.
func drawn(group []result) (tasks, testers int) {
	of, by := map[int]bool{}, map[int]bool{}
	for _, r := range group {
		of[r.task], by[r.in.tester] = true, true
	}
	return len(of), len(by)
}

// scores returns those of one attribute.
func scores(group []result, attribute session.Attribute) series {
	var s series
	for _, r := range group {
		if score, rated := r.Ratings[attribute.ID]; rated {
			s.add(r, float64(score))
		}
	}
	return s.within(session.MinScore, float64(attribute.Max()))
}

// trendsOf checks what Miah & Zhu found (section V.C): ratings fall with the
// difficulty, attempts and times rise. It needs enough tasks of all three.
func trendsOf(cells []Slice, attributes []session.Attribute) []Trend {
	if len(cells) < len(benchmark.Difficulties) || rank(cells[len(benchmark.Difficulties)-1].Value) == len(benchmark.Difficulties) {
		return nil
	}
	cells = cells[:len(benchmark.Difficulties)]
	for _, c := range cells {
		if c.Small {
			return nil
		}
	}
	var trends []Trend
	for _, m := range measuresOf(1, 0, attributes) {
		if m.rises != "" && (!m.rated || len(attributes) > 0) {
			trends = append(trends, trend(m.name, m.rises, cells, func(s Slice) report.Number { return m.at(&s).Value }))
		}
	}
	for i, a := range attributes {
		trends = append(trends, trend(clean(a.Name), "falls", cells, func(s Slice) report.Number { return s.Attributes[i].Value }))
	}
	return trends
}

func trend(measure, direction string, cells []Slice, value func(Slice) report.Number) Trend {
	t := Trend{Measure: measure, Direction: direction, Holds: true}
	for i := 1; i < len(cells); i++ {
		step := value(cells[i]) - value(cells[i-1])
		if direction == "falls" {
			step = -step
		}
		if t.Holds && !(step >= 0) {
			t.Holds, t.BrokenAt = false, fmt.Sprintf("%s to %s", cells[i-1].Value, cells[i].Value)
		}
	}
	return t
}

// differencesOf tests the groups that have enough tasks.
func differencesOf(analysed []result, attributes []session.Attribute, value func(result) string) []Difference {
	values, groups := grouped(analysed, value)
	values = slices.DeleteFunc(values, func(v string) bool { return len(groups[v]) < report.Small })
	if len(values) < 2 {
		return nil
	}
	var all []Difference
	for _, m := range measuresOf(1, 0, attributes) {
		if m.rises == "" {
			continue
		}
		var x [][]float64
		for _, v := range values {
			x = append(x, m.series(groups[v]).x)
		}
		k, err := stats.KruskalWallis(x...)
		if err != nil {
			continue
		}
		d := Difference{Measure: m.name, Test: "Kruskal-Wallis H", Value: report.Number(k.H), DF: k.DF, P: report.Number(k.P)}
		hard, easy := m.series(groups[string(benchmark.Hard)]).x, m.series(groups[string(benchmark.Easy)]).x
		if c, err := stats.CliffDelta(hard, easy, report.Confidence); err == nil && len(hard) >= report.Small && len(easy) >= report.Small {
			delta := report.Number(c.Delta)
			d.Delta, d.Interval = &delta, &c.Interval
			if math.IsNaN(c.Interval.Low) || math.IsNaN(c.Interval.High) {
				d.Interval = nil
			}
		}
		all = append(all, d)
	}
	var times []float64
	var event []bool
	var group []string
	for _, v := range values {
		for _, r := range groups[v] {
			times, event, group = append(times, float64(r.counted)), append(event, r.happy), append(group, v)
		}
	}
	if l, err := stats.LogRank(times, event, group); err == nil {
		all = append(all, Difference{Measure: "attempts to satisfaction", Test: "log-rank χ²", Value: report.Number(l.ChiSquare), DF: l.DF, P: report.Number(l.P)})
	}
	return all
}

// Grid is type × difficulty.
type Grid struct {
	Difficulties []string  `json:"difficulties"`  // the columns
	Types        []string  `json:"types"`         // the rows
	Cells        [][]Slice `json:"cells"`         // a row for each type
	ByType       []int     `json:"by_type"`       // tasks of each row
	ByDifficulty []int     `json:"by_difficulty"` // tasks of each column
	Total        int       `json:"total"`         // tasks in all
}

func gridOf(est *estimator, analysed []result, attributes []session.Attribute) Grid {
	var g Grid
	kinds, groups := grouped(analysed, func(r result) string { return r.Type })
	difficulties, _ := grouped(analysed, func(r result) string { return string(r.Difficulty) })
	slices.SortStableFunc(difficulties, func(a, b string) int { return rank(a) - rank(b) })
	g.Types, g.Difficulties = append([]string{}, kinds...), append([]string{}, difficulties...)
	g.Cells, g.ByDifficulty = [][]Slice{}, make([]int, len(difficulties))
	for _, kind := range kinds {
		var row []Slice
		for i, d := range difficulties {
			var group []result
			for _, r := range groups[kind] {
				if clean(string(r.Difficulty)) == d {
					group = append(group, r)
				}
			}
			row = append(row, cell(est, d, group, attributes))
			g.ByDifficulty[i] += len(group)
		}
		g.Cells, g.ByType = append(g.Cells, row), append(g.ByType, len(groups[kind]))
		g.Total += len(groups[kind])
	}
	return g
}

// tells reports whether a cell has enough tasks to show its mean.
func (g Grid) tells() bool {
	return slices.ContainsFunc(g.Cells, func(row []Slice) bool {
		return slices.ContainsFunc(row, func(c Slice) bool { return c.Total.N >= report.Small && !c.Small })
	})
}
