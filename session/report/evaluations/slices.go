package evaluations

import (
	"cmp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/scoring"
	"assay/session/report"
	"assay/session/report/document"
)

// describe counts the metadata of the tasks.
func (r *Report) describe(b *benchmark.Benchmark) {
	if b == nil {
		return
	}
	r.About = &Benchmark{Name: cleanOr(b.Name, "without a name"), Tasks: len(b.Tasks), Weights: []Weights{}}
	for _, item := range items() {
		n := 0
		for i := range b.Tasks {
			if item.has(&b.Tasks[i]) {
				n++
			}
		}
		r.About.Items = append(r.About.Items, shareOf(item.name, n, len(b.Tasks)))
	}
	r.described = b.Tasks
	r.weights()
}

// item is a kind of metadata.
type item struct {
	name string
	has  func(*benchmark.Task) bool
}

func items() []item {
	return []item{
		{"problem description", func(t *benchmark.Task) bool { return t.Description != "" }},
		{"execution examples", func(t *benchmark.Task) bool { return len(t.Examples) > 0 }},
		{"constraints", func(t *benchmark.Task) bool { return len(t.Constraints) > 0 }},
		{"difficulty level", func(t *benchmark.Task) bool { return t.Difficulty != "" }},
		{"topics", func(t *benchmark.Task) bool { return len(t.Topics) > 0 }},
		{"publication date", func(t *benchmark.Task) bool { return t.Published.Year() > 0 }},
		{"signature", func(t *benchmark.Task) bool { return !t.Signature.IsZero() }},
		{"human pass rate", func(t *benchmark.Task) bool { return t.HumanPassRate != nil }},
	}
}

// weights counts the sampled tasks by what their weight follows from.
func (r *Report) weights() {
	for _, difficulty := range r.values(func(t *Task) []string { return []string{t.Difficulty} }, byDifficulty) {
		w := Weights{Difficulty: difficulty}
		for i := range r.Tasks {
			t := &r.Tasks[i]
			switch {
			case t.Difficulty != difficulty:
			case !t.Human.Defined():
				w.Unknown++
			case 100*t.Human < 40:
				w.Low++
			case 100*t.Human > 70:
				w.High++
			default:
				w.Middle++
			}
		}
		r.About.Weights = append(r.About.Weights, w)
	}
}

// values returns the distinct values of the sampled tasks, in order.
func (r *Report) values(of func(*Task) []string, order func(a, b string) int) []string {
	var all []string
	for i := range r.Tasks {
		for _, v := range of(&r.Tasks[i]) {
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	slices.SortFunc(all, order)
	return all
}

// byDifficulty orders difficulties from easy to hard, then other words; unknown ones are last.
func byDifficulty(a, b string) int {
	rank := func(d string) int {
		if i := slices.Index(benchmark.Difficulties[:], benchmark.Difficulty(d)); i >= 0 {
			return i
		}
		return len(benchmark.Difficulties)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), knownFirst(a, b))
}

// knownFirst orders by name; unknown values are last.
func knownFirst(a, b string) int {
	if (a == "") != (b == "") {
		return len(b) - len(a)
	}
	return batch.InOrder(a, b)
}

// slice splits the metrics by fields of the tasks.
func (r *Report) slice(o Options) {
	by := o.By
	if by == nil && o.Tasks != nil {
		for _, field := range []string{"difficulty", "year", "type", "category", "topics"} {
			if len(r.values(func(t *Task) []string { return t.key(field) }, knownFirst)) > 1 {
				by = append(by, []string{field})
			}
		}
	}
	for _, fields := range by {
		s := Slices{By: strings.Join(fields, ", "), fields: fields, Overlap: slices.Contains(fields, "topics"), Cells: []Slice{}}
		order := knownFirst
		if fields[0] == "difficulty" {
			order = byDifficulty
		}
		for _, value := range r.values(s.of, order) {
			cell := Slice{Value: value}
			for run := range r.Runs {
				cell.Runs = append(cell.Runs, r.cell(run, func(t *Task) bool { return slices.Contains(s.of(t), value) }))
			}
			s.Cells = append(s.Cells, cell)
		}
		r.Slices = append(r.Slices, s)
	}
}

// of returns the groups that a task is in; of two fields each value of one with each of
// the other.
func (s *Slices) of(t *Task) []string {
	all := t.key(s.fields[0])
	for _, field := range s.fields[1:] {
		var crossed []string
		for _, first := range all {
			for _, second := range t.key(field) {
				crossed = append(crossed, orNone(first)+", "+orNone(second))
			}
		}
		all = crossed
	}
	return all
}

func orNone(value string) string { return cmp.Or(value, "(none)") }

// cell returns the metrics of a run over some tasks.
func (r *Report) cell(run int, meant func(*Task) bool) Cell {
	c := Cell{Metrics: r.means(run, meant)}
	for i := range r.Tasks {
		if r.Tasks[i].Runs[run].scored() && meant(&r.Tasks[i]) {
			c.N++
		}
	}
	c.Few = c.N < scoring.FewTasks
	return c
}

// group makes the groups by difficulty and class of years.
func (r *Report) group() {
	g := Groups{Missing: []string{}, Runs: [][][]Group{}}
	g.Difficulties = r.values(func(t *Task) []string { return []string{t.Difficulty} }, byDifficulty)
	years := r.values(func(t *Task) []string { return []string{t.Year} }, knownFirst)
	if slices.Contains(g.Difficulties, "") {
		g.Missing = append(g.Missing, "difficulty")
	}
	unknown := slices.Contains(years, "")
	if unknown {
		g.Missing = append(g.Missing, "year of publication")
		years = years[:len(years)-1]
	}
	place := benchmark.YearClasses(years)
	for _, y := range years {
		if !slices.Contains(g.Years, place[y]) {
			g.Years = append(g.Years, place[y])
		}
	}
	if unknown {
		g.Years = append(g.Years, "")
	}
	for run := range r.Runs {
		var rows [][]Group
		for _, difficulty := range g.Difficulties {
			var row []Group
			for _, year := range g.Years {
				row = append(row, r.groupOf(run, func(t *Task) bool { return t.Difficulty == difficulty && place[t.Year] == year }))
			}
			rows = append(rows, row)
		}
		g.Runs = append(g.Runs, rows)
	}
	r.Groups = g
}

func (r *Report) groupOf(run int, meant func(*Task) bool) Group {
	g := Group{Cell: r.cell(run, meant), Expected: 0}
	for i := range r.Tasks {
		result := &r.Tasks[i].Runs[run]
		if !result.scored() || !meant(&r.Tasks[i]) {
			continue
		}
		if result.Accepted > 0 {
			g.Solved++
		}
		g.Expected += report.Number(float64(result.Accepted) / float64(result.N))
	}
	return g
}

func cleanOr(text, other string) string { return cmp.Or(document.Clean(text), other) }
