package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
)

func about(title string) About {
	return About{Title: title, Source: "synthetic study in the shape of Miah & Zhu 2024, section V", N: 100, Of: "tasks"}
}

// times are 100 made-up completion times with the paper's longest, 462 s.
func times() []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	x := []float64{462, 190}
	for len(x) < 100 {
		x = append(x, math.Round(min(math.Exp(3.45+0.62*r.NormFloat64()), 148)))
	}
	return x
}

// attempts are the paper's Figure 4: 72, 14 and 6 of 100 tasks with one, two and
// three attempts, one with seven, one without success after ten.
func attempts() []int { return []int{72, 14, 6, 4, 2, 0, 1, 0, 0, 1} }

func followed(name string, counts []int) Followed {
	f := Followed{Name: name}
	for i, n := range counts {
		for range n {
			f.Times, f.Event = append(f.Times, float64(i+1)), append(f.Event, i < 9)
		}
	}
	return f
}

// examples are one figure of each kind and some in other forms.
func examples() map[string]Mark {
	r := rand.New(rand.NewPCG(3, 4))
	var bars []Value
	ticks := []float64{0}
	for i, n := range attempts() {
		bars = append(bars, Value{Name: fmt.Sprint(i + 1), Value: float64(n)})
		ticks = append(ticks, float64(i+1))
	}
	seconds := Axis{Name: "completion time", Unit: "s", Zero: true}
	types := []string{"numerical", "statistical", "structural", "programming", "visualization", "exploratory"}
	totals := []float64{37.4, 37.1, 37.6, 38.08, 36.43, 36.63}
	var typed []Value
	var boxes []Sample
	var panels []Panel
	grid := Heatmap{About: about("Mean total quality by type and difficulty"), X: Axis{Name: "difficulty"}, Y: Axis{Name: "type"},
		Value: Axis{Name: "mean total", Unit: "of 40"}, Columns: []string{"easy", "medium", "hard"}, Rows: types, Small: 5}
	points := Scatter{About: about("Attempts against total quality"), X: Axis{Name: "attempts", Zero: true}, Y: Axis{Name: "total quality", Unit: "of 40"}}
	for i, name := range types {
		typed = append(typed, Value{Name: name, Value: totals[i], Low: totals[i] - 0.9 - 0.1*float64(i), High: totals[i] + 0.7})
		s := Sample{Name: name}
		for range 4 + 6*i {
			s.Values = append(s.Values, math.Round(math.Exp(3.2+0.15*float64(i)+0.6*r.NormFloat64())))
		}
		boxes = append(boxes, s)
		panels = append(panels, Panel{name, 17, Bar{X: Axis{Name: "attempts"}, Y: Axis{Name: "tasks"}, Bars: []Value{
			{Name: "1", Value: float64(12 - i)}, {Name: "2", Value: 3}, {Name: "3", Value: 1}, {Name: "4", Value: float64(i)}, {Name: "5 or more", Value: 1}}}})
		grid.Cells = append(grid.Cells, []Cell{{Value: totals[i] + 1.2, N: 7}, {Value: totals[i], N: 6 - i}, {Value: totals[i] - 2.1, N: 4 + i%3}})
	}
	for i, n := range attempts() {
		for j := range n {
			d := Dot{X: float64(i + 1), Y: max(8, 40-float64(i)*2.6-float64(r.IntN(5))), Name: fmt.Sprintf("task %d.%d", i, j)}
			if i > 2 {
				d.Label = d.Name
			}
			points.Points = append(points.Points, d)
		}
	}
	line := func(name string, from float64) Curve {
		c := Curve{Name: name}
		for k := 1; k <= 10; k++ {
			v := 100 * (1 - (1-from)*math.Exp(-0.35*float64(k-1)))
			c.Points = append(c.Points, Point{float64(k), v, v - 9 + 0.5*float64(k), min(v+7, 100)})
		}
		return c
	}
	cloud := Scatter{About: about("Ten thousand points"), X: Axis{Name: "time", Unit: "s", Log: true}, Y: Axis{Name: "score"}}
	for range 10_000 {
		x := r.NormFloat64()
		cloud.Points = append(cloud.Points, Dot{X: math.Exp(2 * x), Y: x + r.NormFloat64(), Group: []string{"Model A", "Model B", "Model C"}[r.IntN(3)]})
	}
	return map[string]Mark{
		"bar":            Bar{About: about("Tasks by number of attempts"), X: Axis{Name: "attempts"}, Y: Axis{Name: "tasks"}, Bars: bars},
		"bar-intervals":  Bar{About: about("Mean total quality by type of task"), X: Axis{Name: "type of task"}, Y: Axis{Name: "mean total quality", Unit: "of 40"}, Bars: typed},
		"bar-lying":      longNames(),
		"histogram":      Histogram{About: about("Completion time of a task"), X: seconds, Values: times(), References: []Reference{{"median", 31.5}, {"mean", 47.02}}},
		"ecdf":           ECDF{About: about("Completion time of a task"), X: seconds, Samples: []Sample{{"completion", times()}, {"without the model", times()[:50]}}, References: []Reference{{"time limit", 100}}},
		"box":            Box{About: about("Completion time by type of task"), X: seconds, Samples: boxes},
		"line":           Line{About: about("Tasks solved within so many attempts"), X: Axis{Name: "attempts"}, Y: Axis{Name: "solved", Unit: "%", Zero: true}, Curves: []Curve{line("Model A", 0.72), line("Model B", 0.41), line("Model C", 0.2)}},
		"survival":       Survival{About: about("Success by attempt"), X: Axis{Name: "attempts"}, Y: Axis{Name: "tasks satisfied"}, Rising: true, Ticks: ticks, Groups: []Followed{followed("", attempts())}},
		"survival-two":   Survival{About: about("Success by attempt and model"), X: Axis{Name: "attempts"}, Y: Axis{Name: "tasks not satisfied yet"}, Ticks: ticks, Groups: []Followed{followed("Model A", attempts()), followed("A model with quite a long name", []int{30, 20, 10, 5, 5, 3, 2, 1, 1, 23})}},
		"likert":         eight(),
		"heatmap":        grid,
		"scatter":        points,
		"scatter-cloud":  cloud,
		"multiples":      Multiples{About: about("Attempts by type of task"), Panels: panels},
		"multiples-ecdf": Multiples{About: about("Completion time by type of task"), Panels: ecdfPanels(boxes, seconds)},
		"dotplot":        dots(),
		"stacked":        stacked(),
		"flow":           Flow{About: about("Participants"), Stages: []Stage{{"began", 12, []Value{{Name: "withdrew", Value: 1}, {Name: "abandoned a session", Value: 2}}}, {"finished", 9, nil}, {"tasks", 90, []Value{{Name: "skipped", Value: 4}}}, {"results", 86, nil}}},
		"empty":          Bar{About: About{Title: "Nothing yet"}},
	}
}

func ecdfPanels(samples []Sample, x Axis) []Panel {
	var all []Panel
	for _, s := range samples {
		all = append(all, Panel{s.Name, len(s.Values), ECDF{About: About{Of: "tasks"}, X: x, Samples: []Sample{s}}})
	}
	return all
}

func longNames() Mark {
	b := Bar{About: about("Gain in the share of test cases passed, by benchmark, of a model that has read the task's examples against the same model without them, over all recorded answers"),
		X: Axis{Name: "benchmark"}, Y: Axis{Name: "gain", Unit: "percentage points"}}
	for i, n := range []string{"HumanEval", "a benchmark whose name is so long that no chart in the world has room for all of it", "一つの非常に長いベンチマークの名前がここにあります", "emoji 🎉🎉", "<script>alert(1)</script>", "unbrokennameunbrokennameunbrokennameunbrokenname"} {
		b.Bars = append(b.Bars, Value{Name: n, Value: 12.5*float64(i) - 25, Low: 12.5*float64(i) - 32, High: 12.5*float64(i) - 20})
	}
	b.Bars = append(b.Bars, Value{Name: "not known", Value: math.NaN()})
	return b
}

func eight() Mark {
	return Likert{About: about("Ratings of the final answers"), Levels: []string{"1 poorest", "2", "3", "4", "5 best"}, Rows: []Rated{
		{"Accuracy", []int{4, 5, 6, 15, 70}}, {"Completeness", []int{2, 3, 6, 17, 72}}, {"Conciseness", []int{3, 9, 25, 31, 32}},
		{"Logic clarity", []int{0, 2, 4, 14, 80}}, {"Readability", []int{0, 1, 4, 20, 75}}, {"Structuredness", []int{0, 1, 5, 22, 72}},
		{"Coverage of parameters", []int{1, 3, 10, 26, 60}}, {"Depth of explanation", []int{0, 3, 8, 24, 65}},
	}}
}

// extremes are data that ask much of a layout.
func extremes() map[string]Mark {
	r := rand.New(rand.NewPCG(8, 9))
	many := Bar{About: about("Seventy categories"), X: Axis{Name: "task"}, Y: Axis{Name: "time", Unit: "s"}}
	counted := Bar{About: about("Forty attempts"), X: Axis{Name: "attempt"}, Y: Axis{Name: "tasks"}}
	for i := range 70 {
		many.Bars = append(many.Bars, Value{Name: fmt.Sprintf("task/%d two sums and a variant", i), Value: math.Round(r.ExpFloat64() * 3000)})
		if i < 40 {
			counted.Bars = append(counted.Bars, Value{Name: fmt.Sprint(i + 1), Value: math.Round(r.ExpFloat64()*3000) - 500})
		}
	}
	seven := Likert{About: about("Seven levels"), Levels: []string{"strongly disagree", "disagree", "rather disagree", "neither", "rather agree", "agree", "strongly agree"},
		Rows: []Rated{{"a statement that somebody wrote in far too many words for any chart", []int{3, 4, 5, 6, 5, 4, 3}}, {"all the best", []int{0, 0, 0, 0, 0, 0, 9}}, {"nobody", nil}}}
	grid := Heatmap{About: about("Wide grid"), X: Axis{Name: "model"}, Y: Axis{Name: "area"}, Value: Axis{Name: "pass rate", Unit: "%", From: 0, To: 100}, Small: 5}
	curves := Line{About: about("Seven curves"), X: Axis{Name: "samples k", Log: true}, Y: Axis{Name: "pass@k", Unit: "%", Zero: true}}
	groups := Survival{About: about("Time to success"), X: Axis{Name: "time", Unit: "s"}, Y: Axis{Name: "not solved yet"}}
	for i := range 7 {
		grid.Rows = append(grid.Rows, fmt.Sprintf("area of knowledge %d", i))
		var row []Cell
		for j := range 10 {
			if i == 0 {
				grid.Columns = append(grid.Columns, fmt.Sprintf("model-%d-instruct", j))
			}
			row = append(row, Cell{Value: 100 * r.Float64(), N: r.IntN(12)})
		}
		grid.Cells = append(grid.Cells, row)
		c, g := Curve{Name: fmt.Sprintf("model %d", i)}, Followed{Name: fmt.Sprintf("group %d", i)}
		for k := 1.0; k <= 200; k *= 2 {
			c.Points = append(c.Points, Point{X: k, Y: 100 * (1 - math.Pow(0.9-0.1*float64(i), math.Sqrt(k)))})
			g.Times, g.Event = append(g.Times, 100*float64(i+1)*r.ExpFloat64()), append(g.Event, r.IntN(4) > 0)
		}
		curves.Curves, groups.Groups = append(curves.Curves, c), append(groups.Groups, g)
	}
	return map[string]Mark{
		"many bars": many, "counted": counted, "seven levels": seven, "wide grid": grid, "seven curves": curves, "seven groups": groups,
		"one category":   Bar{About: about("One category"), X: Axis{Name: "task"}, Y: Axis{Name: "count"}, Bars: []Value{{Name: "only one", Value: 1234567}}},
		"all are zero":   Bar{About: about("Zeros"), Bars: []Value{{Name: "a"}, {Name: "b"}}},
		"all are equal":  Histogram{About: about("Ties"), Values: []float64{7, 7, 7}, References: []Reference{{"median", 7}, {"mean", 7}}},
		"a single value": Scatter{About: about("One"), Points: []Dot{{X: 3, Y: -4, Label: "the only one"}}},
		"not a number":   ECDF{About: about("None"), Samples: []Sample{{"bad", []float64{math.NaN(), math.Inf(1)}}}},
	}
}

// dots are two arms' means of three measures with their intervals.
func dots() DotPlot {
	return DotPlot{About: about("Two models"), Rows: []string{"Model A", "A model with quite a long name"}, Panels: []Measure{
		{Axis: Axis{Name: "satisfied", Unit: "%", From: 0, To: 100}, Dots: [][]Value{{{Value: 72, Low: 61, High: 83}}, {{Value: 41, Low: 30, High: 55}}}},
		{Axis: Axis{Name: "attempts", Zero: true}, Dots: [][]Value{{{Value: 2.1, Low: 1.6, High: 2.9}}, {{Value: 4, Low: 3.1, High: 5.2}}}},
		{Axis: Axis{Name: "total", Unit: "of 40", From: 0, To: 40}, Dots: [][]Value{{{Value: 37.4}}, {{Value: 36.6, Low: 35, High: 37.9}}}},
		{Axis: Axis{Name: "time", Unit: "s"}, Dots: [][]Value{{{Value: 80, Low: 60, High: 100}}}, None: new(float64)},
	}}
}

// stacked are the verdicts of two runs, of more kinds than there are colours.
func stacked() Stacked {
	return Stacked{About: about("Samples by verdict"), Kinds: []string{"accepted", "wrong answer", "runtime error", "time limit", "memory limit", "output limit", "no code"}, Rows: []Rated{
		{"Model A", []int{120, 30, 8, 4, 1, 0, 1}}, {"Model B", []int{60, 70, 20, 10, 2, 1, 1}},
	}}
}
