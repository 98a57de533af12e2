package evaluations

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/session/report"
	"assay/session/report/figure"
)

// marks returns the figures that there are data for, in the order of the report.
func (r *Report) marks() []report.NamedMark {
	var all []report.NamedMark
	add := func(name string, mark figure.Mark) { all = append(all, report.NamedMark{Name: name, Mark: mark}) }
	n := 0
	for _, run := range r.Runs {
		n = max(n, run.Scored)
	}
	add("verdicts", r.verdictsFigure())
	if n == 0 {
		return all
	}
	if len(r.Runs) <= manyRuns {
		add("results", r.resultsFigure(n))
	}
	for i := range r.Leaderboards {
		if len(r.Leaderboards) == 1 && len(r.Runs) <= manyRuns {
			break // the results are in its order
		}
		add(fmt.Sprintf("leaderboard-%d", i+1), r.leaderboardFigure(&r.Leaderboards[i]))
	}
	if r.hasPrompts() {
		add("by-prompt", r.promptsFigure(n))
	}
	for i := range r.Slices {
		if s := &r.Slices[i]; len(s.fields) == 1 && len(s.Cells) > 1 && len(s.Cells) <= 12 {
			add("by-"+slug(s.By), r.sliceFigure(s, n))
		}
	}
	if len(r.Groups.Difficulties)*len(r.Groups.Years) > 1 {
		add("pass-ratio-by-difficulty-and-year", r.groupsFigure(n))
	}
	all = append(all, r.suMarks()...)
	if len(r.Pairs) > 0 && r.Pairs[0].Problem == "" {
		add("comparison", r.pairsFigure())
	}
	return all
}

// suMarks returns the figures of Su et al.'s evaluation.
func (r *Report) suMarks() (all []report.NamedMark) {
	if r.Six.Runs[0].Final.Low.Defined() {
		all = append(all, report.NamedMark{Name: "six-dimensions", Mark: r.sixFigure()})
	}
	if r.Six.Labelled {
		all = append(all, report.NamedMark{Name: "causes", Mark: r.causesFigure()})
	}
	return all
}

func (r *Report) about(title string, n int, of, note string) figure.About {
	source := fmt.Sprintf("assay eval, %d runs", len(r.Runs))
	if len(r.Runs) == 1 {
		source = "assay eval, " + r.marked(0)
	}
	if r.About != nil {
		source += "; benchmark " + r.About.Name
	}
	if r.source != "" {
		source = r.source
	}
	if slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Unreviewed }) {
		note = strings.TrimSpace(note + " " + unreviewedMark + ": " + unreviewedNote)
	}
	return figure.About{Title: title, Source: source + ".", N: n, Of: of, Note: note}
}

// percentAxis goes up to 100, and, as that of bars, from 0.
func percentAxis(name string) figure.Axis { return figure.Axis{Name: name, Unit: "%", To: 100} }

// bar returns an estimate in percent.
func bar(name string, e report.Estimate, note string) figure.Value {
	v := figure.Value{Name: name, Value: 100 * float64(e.Value), Note: note}
	if e.Interval != nil {
		v.Low, v.High = 100*e.Interval.Low, 100*e.Interval.High
	}
	return v
}

// bestFirst returns the order of the runs in figures: the leaderboard's, if one has all runs.
func (r *Report) bestFirst() []int {
	order := make([]int, len(r.Runs))
	for i := range order {
		order[i] = i
	}
	if len(r.Leaderboards) == 1 && len(r.Leaderboards[0].Rows) == len(order) {
		for i, row := range r.Leaderboards[0].Rows {
			order[i] = row.run
		}
	}
	return order
}

// resultsFigure shows each metric of all runs.
func (r *Report) resultsFigure(n int) figure.Mark {
	d := figure.DotPlot{About: r.about("Metrics of each run", n, "tasks", "Means over tasks with their 95 % intervals, for tasks like these.")}
	order := r.bestFirst()
	for _, i := range order {
		d.Rows = append(d.Rows, r.marked(i))
	}
	for _, i := range r.shownMetrics() {
		m := figure.Measure{Axis: percentAxis(r.Metrics[i])}
		for _, at := range order {
			run := &r.Runs[at]
			m.Dots = append(m.Dots, []figure.Value{bar("", run.Metrics[i], fmt.Sprintf("%d tasks", run.Scored))})
		}
		d.Panels = append(d.Panels, m)
	}
	return d
}

func (r *Report) verdictsFigure() figure.Mark {
	s := figure.Stacked{About: r.about("Samples by verdict", 0, "samples", "")}
	var kinds []int
	for v, share := range r.Runs[0].Verdicts {
		if slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Verdicts[v].Count > 0 }) {
			kinds, s.Kinds = append(kinds, v), append(s.Kinds, strings.ReplaceAll(share.Name, "_", " "))
		}
	}
	for i, run := range r.Runs {
		row := figure.Rated{Name: r.marked(i)}
		for _, v := range kinds {
			row.Counts = append(row.Counts, run.Verdicts[v].Count)
		}
		s.Rows, s.N = append(s.Rows, row), s.N+run.Samples
	}
	return s
}

func (r *Report) sliceFigure(s *Slices, n int) figure.Mark {
	m := figure.Multiples{About: r.about(r.Metrics[r.ratioAt()]+" by "+s.By, n, "tasks", "Whiskers: intervals at 95 % over tasks.")}
	for i, run := range r.Runs {
		b := figure.Bar{About: figure.About{Of: "tasks"}, X: figure.Axis{Name: s.By}, Y: percentAxis(r.Metrics[r.ratioAt()])}
		for _, c := range s.Cells {
			b.Bars = append(b.Bars, bar(orNone(c.Value), c.Runs[i].Metrics[r.ratioAt()], fmt.Sprintf("%d tasks", c.Runs[i].N)))
		}
		m.Panels = append(m.Panels, figure.Panel{Name: r.marked(i), N: run.Scored, Mark: b})
	}
	return m
}

// groupsFigure is figure 3 of Yeo et al.: a row of panels for each run, a panel for
// each difficulty.
func (r *Report) groupsFigure(n int) figure.Mark {
	m := figure.Multiples{About: r.about(r.Metrics[r.ratioAt()]+" by difficulty and year of publication", n, "tasks", "After Yeo et al. 2024, figure 3. Whiskers: intervals at 95 % over tasks.")}
	for i := range r.Runs {
		for d, difficulty := range r.Groups.Difficulties {
			b := figure.Bar{About: figure.About{Of: "tasks"}, X: figure.Axis{Name: "year of publication"}, Y: percentAxis(r.Metrics[r.ratioAt()])}
			tasks := 0
			for y, year := range r.Groups.Years {
				g := r.Groups.Runs[i][d][y]
				tasks += g.N
				b.Bars = append(b.Bars, bar(notKnown(year), g.Metrics[r.ratioAt()], fmt.Sprintf("%d tasks", g.N)))
			}
			name := "difficulty " + notKnown(difficulty)
			if difficulty != "" {
				name = difficulty
			}
			if len(r.Runs) > 1 {
				name = r.marked(i) + ", " + name
			}
			m.Panels = append(m.Panels, figure.Panel{Name: name, N: tasks, Mark: b})
		}
	}
	return m
}

// sixFigure shows the points in each dimension. A dimension that is known only as a
// range, for want of labels, has a point for either end.
func (r *Report) sixFigure() figure.Mark {
	d := figure.DotPlot{About: r.about("Points in six dimensions", 0, "tasks", "Share of the points that each dimension has.")}
	share := func(points report.Number, d Points) float64 { return 100 * float64(points) / float64(d.Of) }
	wide := slices.ContainsFunc(r.Six.Runs, func(x SixRun) bool {
		return slices.ContainsFunc(x.Dimensions, func(d Points) bool { return share(d.High, d)-share(d.Low, d) > 1 })
	})
	if wide {
		d.Groups = []string{"least", "most"}
		d.Note += " Where labels are missing: the least and the most that it can be."
	}
	order := r.bestFirst()
	for _, at := range order {
		d.Rows, d.N = append(d.Rows, r.marked(at)), max(d.N, r.Six.Runs[at].Tasks)
	}
	for i, dimension := range r.Six.Runs[0].Dimensions {
		m := figure.Measure{Axis: percentAxis(dimension.Name)}
		for _, at := range order {
			x := r.Six.Runs[at].Dimensions[i]
			dots := []figure.Value{{Value: share(x.Low, x), Note: fmt.Sprintf("of %d points", x.Of)}}
			if wide {
				dots = append(dots, figure.Value{Value: share(x.High, x)})
			}
			m.Dots = append(m.Dots, dots)
		}
		d.Panels = append(d.Panels, m)
	}
	return d
}

// causesFigure is figure 4 of Su et al.
func (r *Report) causesFigure() figure.Mark {
	m := figure.Multiples{About: r.about("Why samples are not correct", 0, "samples that are not correct", "After Su et al. 2023, figure 4. As people labelled them.")}
	for i, x := range r.Six.Runs {
		n := r.Runs[i].Counted - r.Runs[i].Accepted
		m.N += n
		m.Panels = append(m.Panels, figure.Panel{Name: r.marked(i), N: n, Mark: figure.Bar{About: figure.About{Of: "samples"}, X: figure.Axis{Name: "cause"}, Y: figure.Axis{Name: "samples"}, Bars: []figure.Value{
			{Name: "code", Value: float64(x.CodeProblems)}, {Name: "understanding", Value: float64(x.Misunderstood)}, {Name: "not labelled", Value: float64(x.NoCause)},
		}}})
	}
	return m
}

// pairsFigure shows the differences in every metric of two runs, of more than two
// those in pass-ratio@n.
func (r *Report) pairsFigure() figure.Mark {
	const how = "The first minus the second over the tasks that both have, with intervals at 95 %, paired by task; the line is no difference."
	panel := figure.Measure{Axis: figure.Axis{Name: "difference", Unit: "percentage points"}, None: new(float64)}
	d := figure.DotPlot{}
	add := func(name string, p *Pair, m *Compared) {
		d.Rows = append(d.Rows, name)
		panel.Dots = append(panel.Dots, []figure.Value{bar("", m.Difference, fmt.Sprintf("%d tasks", p.Tasks))})
		d.N = max(d.N, p.Tasks)
	}
	if len(r.Pairs) == 1 {
		p := &r.Pairs[0]
		d.About = r.about("Differences: "+r.marked(p.first)+" minus "+r.marked(p.second), 0, "tasks", how)
		for _, at := range r.shownMetrics() {
			add(p.Measures[at].Name, p, &p.Measures[at])
		}
	} else {
		metric := r.ratioAt()
		d.About = r.about("Differences in "+r.Metrics[metric], 0, "tasks", how)
		for i := range r.Pairs[:min(len(r.Pairs), drawnPairs)] {
			if p := &r.Pairs[i]; p.Problem == "" {
				add(r.marked(p.first)+" − "+r.marked(p.second), p, &p.Measures[metric])
			}
		}
	}
	d.Panels = []figure.Measure{panel}
	return d
}

// leaderboardFigure shows the runs of a leaderboard from the best on.
func (r *Report) leaderboardFigure(l *Leaderboard) figure.Mark {
	b := figure.Bar{About: r.about(l.title(), 0, "tasks", "Whiskers: intervals at 95 % over tasks of each run for itself. Runs whose intervals overlap may be told apart all the same, since their tasks are the same: the table says which."),
		X: figure.Axis{Name: "run"}, Y: percentAxis(l.Metric)}
	for i := range l.Rows {
		row := &l.Rows[i]
		b.N = max(b.N, row.Metric.N)
		b.Bars = append(b.Bars, bar(r.marked(row.run), row.Metric, fmt.Sprintf("%d tasks", row.Metric.N)))
	}
	return b
}

// promptsFigure shows both metrics of each model by type of prompt.
func (r *Report) promptsFigure(n int) figure.Mark {
	m := figure.Multiples{About: r.about("Metrics by type of prompt", n, "tasks", "Whiskers: intervals at 95 % over tasks. The tasks are the same for all prompts, so that differences are surer than the whiskers suggest: the table of differences says how sure.")}
	for _, model := range r.models() {
		for _, metric := range []int{0, r.ratioAt()} {
			b := figure.Bar{About: figure.About{Of: "tasks"}, X: figure.Axis{Name: "type of prompt"}, Y: percentAxis("mean over tasks")}
			tasks := 0
			for _, prompt := range r.promptTypes() {
				i := slices.IndexFunc(r.Runs, func(run Run) bool { return run.Model == model && run.Prompt == prompt })
				if i < 0 {
					b.Bars = append(b.Bars, figure.Value{Name: notKnown(prompt), Value: math.NaN()})
					continue
				}
				tasks = max(tasks, r.Runs[i].Scored)
				b.Bars = append(b.Bars, bar(notKnown(prompt)+r.mark(i), r.Runs[i].Metrics[metric], fmt.Sprintf("%d tasks", r.Runs[i].Scored)))
			}
			m.Panels = append(m.Panels, figure.Panel{Name: model + ", " + r.Metrics[metric], N: tasks, Mark: b})
		}
	}
	return m
}
