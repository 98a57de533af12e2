package sessions

import (
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/session/report"
	"assay/session/report/figure"
)

// Marks returns the figures for which there are data, in the order of the report.
func (r *Report) Marks() []report.NamedMark { return r.marks }

// manyDots is the number of points from which boxes replace dots.
const manyDots = 1000

// figuresOf returns the marks of the analysed tasks.
func figuresOf(r *Report, analysed []result, arms map[string][]result, attributes []session.Attribute) []report.NamedMark {
	var all []report.NamedMark
	add := func(name string, mark figure.Mark) { all = append(all, report.NamedMark{Name: name, Mark: mark}) }
	if r.Arms != nil {
		if slices.ContainsFunc(r.Arms.Arms, func(a Arm) bool { return !a.Small }) {
			add("arms", r.armsFigure())
		}
		if differences := r.differencesFigure(); len(differences.Panels) > 0 {
			add("differences", differences)
		}
		add("success-by-attempt-arms", r.armsSuccessFigure(arms, r.Tries.K))
		if slices.ContainsFunc(r.Arms.Pairs, func(p Pair) bool { return len(p.Ratings) > 0 }) {
			add("arm-ratings", r.armRatingsFigure())
		}
	}
	if r.People.Began > 1 {
		add("participants", r.flowFigure())
	}
	if r.Models != nil {
		all = append(all, r.Models.Marks(r.about("", 0, "").Source)...)
	}
	if len(analysed) == 0 {
		return all
	}
	rated := slices.ContainsFunc(r.Ratings.Attributes, func(a Rating) bool { return a.Mean.N > 0 })
	add("attempts", attemptsFigure(r))
	add("success-by-attempt", successFigure(r, analysed))
	histogram, ecdf := timeFigures(r, analysed)
	add("completion-time", histogram)
	add("completion-time-ecdf", ecdf)
	if len(r.Times.Phases) > 0 {
		add("time-by-phase", phasesFigure(r))
	}
	if rated {
		add("attributes", attributesFigure(r))
	}
	for _, s := range r.Slices {
		switch shown := s.shown(); {
		case s.By != "difficulty" && s.By != "type", len(shown) < 2:
			continue
		default:
			add("results-by-"+s.By, r.slicesFigure(s, shown))
			add("attempts-by-"+s.By, r.attemptsByFigure(s, shown))
			add("completion-time-by-"+s.By, r.timesByFigure(s, analysed))
			if rated {
				add("attributes-by-"+s.By, r.attributesByFigure(s, shown))
			}
		}
	}
	if r.Ratings.Total.Mean.N > 0 {
		if r.Grid.tells() {
			add("total-by-type-and-difficulty", totalFigure(r))
		}
		add("attempts-and-quality", qualityFigure(r, analysed, attributes))
	}
	if trend, shown := r.trendFigure(); shown {
		add("trend", trend)
	}
	return all
}

// shown returns the cells that are large enough to be shown.
func (s Slices) shown() []Slice {
	return slices.DeleteFunc(slices.Clone(s.Cells), func(c Slice) bool { return c.Small })
}

func attemptsFigure(r *Report) figure.Mark {
	bar := figure.Bar{
		About: r.about(capital(r.results())+" by the attempt that satisfied", r.Counts.Analysed, ""),
		X:     figure.Axis{Name: "attempt"}, Y: figure.Axis{Name: r.results()},
	}
	happy := 0
	for _, s := range r.Tries.Steps {
		note := ""
		if s.GaveUp > 0 {
			note = fmt.Sprintf("%d ended here without satisfaction", s.GaveUp)
		}
		bar.Bars = append(bar.Bars, figure.Value{Name: fmt.Sprint(s.Attempt), Value: float64(s.Satisfied), Note: note})
		happy += s.Satisfied
	}
	bar.Bars = append(bar.Bars, figure.Value{Name: "none", Value: float64(r.Counts.Analysed - happy), Note: "given up or exhausted"})
	return bar
}

func successFigure(r *Report, analysed []result) figure.Mark {
	k := r.Tries.K
	note := fmt.Sprintf("A task without satisfaction is followed to %d attempts, however many were made.", k)
	s := figure.Survival{
		Dependent: r.Testers > 1,
		About:     r.about("Success by attempt", len(analysed), note),
		X:         figure.Axis{Name: "attempts", To: float64(k) + 0.5}, Y: figure.Axis{Name: r.results() + " satisfied"}, Rising: true,
	}
	if k <= 20 {
		for i := range k + 1 {
			s.Ticks = append(s.Ticks, float64(i))
		}
	}
	var g figure.Followed
	for _, t := range analysed {
		g.Times, g.Event = append(g.Times, float64(t.counted)), append(g.Event, t.happy)
	}
	s.Groups = []figure.Followed{g}
	return s
}

func timeFigures(r *Report, analysed []result) (histogram, ecdf figure.Mark) {
	axis, scale := r.timeAxis()
	whole, without := figure.Sample{Name: "completion"}, figure.Sample{Name: "without waiting for the model"}
	for _, t := range analysed {
		whole.Values = append(whole.Values, scale*seconds(t.times.Completion))
		without.Values = append(without.Values, scale*seconds(t.times.WithoutModel))
	}
	samples := []figure.Sample{whole}
	if r.Times.WithoutModel != nil {
		samples = append(samples, without)
	}
	return figure.Histogram{
			About: r.about("Completion time of a task", len(analysed), timeNote), X: axis, Values: whole.Values,
			References: []figure.Reference{{Name: "median", At: scale * float64(r.Times.Completion.Median)}, {Name: "mean", At: scale * float64(r.Times.Completion.Mean.Value)}},
		}, figure.ECDF{
			About: r.about(capital(r.results())+" completed within a time", len(analysed), timeNote), X: axis, Samples: samples,
		}
}

func phasesFigure(r *Report) figure.Mark {
	bar := figure.Bar{
		About: r.about("Where the time of a task goes", r.Counts.Analysed, ""),
		X:     figure.Axis{Name: "phase"}, Y: figure.Axis{Name: "mean time of a task", Unit: "s"},
	}
	for _, p := range r.Times.Phases {
		v := figure.Value{Name: phaseName(p.Phase), Value: float64(p.Mean.Value)}
		v.Low, v.High = bounds(p.Mean)
		bar.Bars = append(bar.Bars, v)
	}
	return bar
}

func attributesFigure(r *Report) figure.Mark {
	l := figure.Likert{About: r.about("Ratings of the final answers", r.Counts.Analysed, "")}
	scale := Rating{Max: session.MaxScore, Low: "poorest", High: "best"}
	if len(r.Ratings.Attributes) > 0 {
		scale = r.Ratings.Attributes[0]
	}
	for score := session.MinScore; score <= scale.Max; score++ {
		name := fmt.Sprint(score)
		switch score {
		case session.MinScore:
			name += " " + scale.Low
		case scale.Max:
			name += " " + scale.High
		}
		l.Levels = append(l.Levels, name)
	}
	for _, a := range r.Ratings.Attributes {
		l.Rows = append(l.Rows, figure.Rated{Name: a.Name, Counts: a.Scores})
	}
	return l
}

// leftOut returns the note that small slices are not drawn.
func (s Slices) leftOut(shown []Slice) string {
	if len(shown) == len(s.Cells) {
		return ""
	}
	return fmt.Sprintf("Not drawn: %d with fewer than %d different tasks, or only two of several testers.", len(s.Cells)-len(shown), report.Small)
}

// measured returns the names of a figure's panels.
func (r *Report) measured() string {
	if r.unrated() {
		return "Attempts and time"
	}
	return "Attempts, time and quality"
}

// slicesFigure shows mean total, attempts and time side by side, as Miah & Zhu do.
func (r *Report) slicesFigure(s Slices, shown []Slice) figure.Mark {
	m := figure.Multiples{Own: true, About: r.about(r.measured()+" by "+s.By, r.Counts.Analysed, s.leftOut(shown))}
	for _, measure := range measuresOf(1, 0, nil) {
		if measure.panel == "" || measure.rated && r.unrated() {
			continue
		}
		axis, scale := measure.drawn(r)
		axis.From, axis.Zero = 0, false // bars begin there
		bar := figure.Bar{About: figure.About{Of: r.results()}, X: figure.Axis{Name: s.By}, Y: axis}
		n := 0
		for _, c := range shown {
			e := measure.at(&c)
			low, high := bounds(*e)
			bar.Bars = append(bar.Bars, figure.Value{Name: named(c.Value), Value: scale * float64(e.Value), Low: scale * low, High: scale * high, Note: fmt.Sprintf("n = %d", e.N)})
			n += e.N
		}
		m.Panels = append(m.Panels, figure.Panel{Name: measure.panel, N: n, Mark: bar})
	}
	return m
}

// attemptsByFigure shows how tasks of each kind are spread over the attempts.
func (r *Report) attemptsByFigure(s Slices, shown []Slice) figure.Mark {
	m := figure.Multiples{About: r.about("Attempts by "+s.By, r.Counts.Analysed, strings.TrimSpace("The last bar is the "+r.results()+" that ended without satisfaction. "+s.leftOut(shown)))}
	for _, c := range shown {
		bar := figure.Bar{About: figure.About{Of: r.results()}, X: figure.Axis{Name: "attempt"}, Y: figure.Axis{Name: "share of " + r.results(), Unit: "%", To: 100}}
		for i, n := range append(slices.Clone(c.Steps), c.Never) {
			name := fmt.Sprint(i + 1)
			if i == len(c.Steps) {
				name = "none"
			}
			bar.Bars = append(bar.Bars, figure.Value{Name: name, Value: 100 * float64(n) / float64(c.N), Note: fmt.Sprintf("%d of %d", n, c.N)})
		}
		m.Panels = append(m.Panels, figure.Panel{Name: named(c.Value), N: c.N, Mark: bar})
	}
	return m
}

func (r *Report) timesByFigure(s Slices, analysed []result) figure.Mark {
	axis, scale := r.timeAxis()
	b := figure.Box{About: r.about("Completion time by "+s.By, r.Counts.Analysed, timeNote), X: axis}
	of := func(t result) string { return t.Type }
	if s.By == "difficulty" {
		of = func(t result) string { return string(t.Difficulty) }
	}
	_, groups := grouped(analysed, of)
	for _, c := range s.Cells {
		sample := figure.Sample{Name: named(c.Value)}
		for _, v := range declared("work").series(groups[c.Value]).x {
			sample.Values = append(sample.Values, scale*v)
		}
		b.Samples = append(b.Samples, sample)
	}
	return b
}

// attributesByFigure draws the means of each attribute by group: as bars or, for many groups, as a grid.
func (r *Report) attributesByFigure(s Slices, shown []Slice) figure.Mark {
	if len(shown) > 4 {
		return r.attributesGrid(s)
	}
	m := figure.Multiples{About: r.about("Mean ratings by "+s.By, r.Counts.Analysed, s.leftOut(shown))}
	for i, a := range r.Ratings.Attributes {
		bar := figure.Bar{About: figure.About{Of: r.results()}, X: figure.Axis{Name: s.By}, Y: figure.Axis{Name: "mean", Unit: fmt.Sprintf("of %d", a.Max), To: float64(a.Max)}}
		for _, c := range shown {
			e := c.Attributes[i]
			low, high := bounds(e)
			bar.Bars = append(bar.Bars, figure.Value{Name: named(c.Value), Value: float64(e.Value), Low: low, High: high, Note: fmt.Sprintf("n = %d", e.N)})
		}
		m.Panels = append(m.Panels, figure.Panel{Name: a.Name, N: a.Mean.N, Mark: bar})
	}
	return m
}

func (r *Report) attributesGrid(s Slices) figure.Mark {
	h := figure.Heatmap{
		About: r.about("Mean ratings by "+s.By, r.Counts.Analysed, ""), X: figure.Axis{Name: s.By}, Y: figure.Axis{Name: "attribute"},
		Value: figure.Axis{Name: "mean rating", Unit: fmt.Sprintf("of %d", r.scale()), From: session.MinScore, To: float64(r.scale())}, Small: report.Small,
	}
	for _, c := range s.Cells {
		h.Columns = append(h.Columns, named(c.Value))
	}
	for i, a := range r.Ratings.Attributes {
		h.Rows = append(h.Rows, a.Name)
		var row []figure.Cell
		for _, c := range s.Cells {
			row = append(row, figure.Cell{Value: float64(c.Attributes[i].Value), N: c.Attributes[i].N, Few: c.Small})
		}
		h.Cells = append(h.Cells, row)
	}
	return h
}

func totalFigure(r *Report) figure.Mark {
	h := figure.Heatmap{
		About: r.about("Mean total quality by type and difficulty", r.Ratings.Total.Mean.N, ""),
		X:     figure.Axis{Name: "difficulty"}, Y: figure.Axis{Name: "type"}, Value: r.totalAxis("mean total quality"), Small: report.Small,
	}
	for _, d := range r.Grid.Difficulties {
		h.Columns = append(h.Columns, named(d))
	}
	for i, kind := range r.Grid.Types {
		h.Rows = append(h.Rows, named(kind))
		var row []figure.Cell
		for _, c := range r.Grid.Cells[i] {
			row = append(row, figure.Cell{Value: float64(c.Total.Value), N: c.Total.N, Few: c.Small})
		}
		h.Cells = append(h.Cells, row)
	}
	return h
}

func qualityFigure(r *Report, analysed []result, attributes []session.Attribute) figure.Mark {
	if len(analysed) > manyDots {
		return qualityBoxes(r, analysed, attributes)
	}
	note := ""
	if r.Layout > 3 {
		note = "A number tells how many of more than nine lie at one place."
	}
	s := figure.Scatter{
		About: r.about("Attempts against total quality", r.Ratings.Total.Mean.N, note),
		X:     figure.Axis{Name: "attempts made", Zero: true, Whole: true}, Y: r.totalAxis("total quality"),
	}
	for _, happy := range []bool{true, false} {
		for _, t := range analysed {
			sum, whole := total(t.Task, attributes)
			if !whole || t.happy != happy {
				continue
			}
			d := figure.Dot{X: float64(t.attempts), Y: float64(sum), Group: "satisfied", Name: clean(t.ID)}
			if !happy {
				d.Group = "not satisfied"
			}
			if !happy && len(analysed) <= 200 || len(analysed) <= 25 {
				d.Label = d.Name
			}
			s.Points = append(s.Points, d)
		}
	}
	return s
}

func qualityBoxes(r *Report, analysed []result, attributes []session.Attribute) figure.Mark {
	b := figure.Box{About: r.about("Total quality by attempts made", r.Ratings.Total.Mean.N, ""), X: r.totalAxis("total quality")}
	b.Samples = make([]figure.Sample, r.Tries.K)
	for i := range b.Samples {
		b.Samples[i].Name = fmt.Sprintf("attempts: %d", i+1)
	}
	for _, t := range analysed {
		if sum, whole := total(t.Task, attributes); whole && t.attempts >= 1 && t.attempts <= len(b.Samples) {
			b.Samples[t.attempts-1].Values = append(b.Samples[t.attempts-1].Values, float64(sum))
		}
	}
	b.Samples = slices.DeleteFunc(b.Samples, func(s figure.Sample) bool { return len(s.Values) == 0 })
	return b
}

// armsFigure shows the means of each arm side by side.
func (r *Report) armsFigure() figure.Mark {
	d := figure.DotPlot{}
	n := 0
	var arms []Arm
	for _, a := range r.Arms.Arms {
		if !a.Small {
			arms, n = append(arms, a), n+a.N
			d.Rows = append(d.Rows, a.Name)
		}
	}
	for _, m := range measuresOf(1, 0, nil) {
		if m.field == nil || m.said == nil {
			continue
		}
		axis, scale := m.drawn(r)
		measure := figure.Measure{Axis: axis}
		for _, a := range arms {
			e := m.at(&a.Slice)
			low, high := bounds(*e)
			measure.Dots = append(measure.Dots, []figure.Value{{Value: scale * float64(e.Value), Low: scale * low, High: scale * high, Note: fmt.Sprintf("n = %d", e.N)}})
		}
		d.Panels = append(d.Panels, measure)
	}
	d.About = r.about("Results of the arms", n, "Means with 95 % intervals, not adjusted for test set and period.")
	return d
}

// differencesFigure shows the difference of each measure with the interval that decides, of few pairs of arms. Reports of
// earlier layouts do not have it.
func (r *Report) differencesFigure() figure.DotPlot {
	d := figure.DotPlot{}
	if r.Layout < 4 || len(r.Arms.Pairs) == 0 || len(r.Arms.Pairs) > fewPairs {
		return d
	}
	panels, n := map[string]*figure.Measure{}, 0
	var order []string
	for i := range r.Arms.Pairs {
		pair := &r.Arms.Pairs[i]
		d.Rows = append(d.Rows, pair.First+" – "+pair.Second)
		for j := range pair.Measures {
			m := &pair.Measures[j]
			e, scale, none := m.judged(r.Arms.Analysis), 1.0, 0.0
			name, unit, _ := strings.Cut(m.Measure, ", ")
			switch {
			case m.Ratio != nil:
				e, name, unit, none = m.Ratio, name+", ratio", "", 1
			case declared(m.ID).share:
				scale, unit = 100, "points of 100"
			}
			if e.Interval == nil {
				continue
			}
			if panels[name] == nil {
				panels[name] = &figure.Measure{Axis: figure.Axis{Name: name, Unit: unit}, Dots: make([][]figure.Value, len(r.Arms.Pairs)), None: &none}
				if order = append(order, name); m.Primary {
					order = append([]string{name}, order[:len(order)-1]...)
				}
			}
			panels[name].Dots[i] = []figure.Value{{Value: scale * float64(e.Value), Low: scale * e.Interval.Low, High: scale * e.Interval.High}}
			n = max(n, m.Results)
		}
	}
	for _, name := range order {
		d.Panels = append(d.Panels, *panels[name])
	}
	d.About = r.about("Differences between the arms", n, "The first arm minus the second, of times the first divided by the second, with the intervals of the tables; the line is no difference.")
	return d
}

// armRatingsFigure shows the mean of each attribute with each arm.
func (r *Report) armRatingsFigure() figure.Mark {
	d := figure.DotPlot{}
	n := 0
	panel := figure.Measure{Axis: figure.Axis{Name: "mean rating", Unit: fmt.Sprintf("of %d", r.scale()), From: session.MinScore, To: float64(r.scale())}}
	for _, a := range r.Ratings.Attributes {
		d.Rows, panel.Dots = append(d.Rows, a.Name), append(panel.Dots, nil)
	}
	for _, a := range r.Arms.Arms {
		if a.Small {
			continue
		}
		d.Groups, n = append(d.Groups, a.Name), n+a.N
		for i, e := range a.Attributes {
			low, high := bounds(e)
			panel.Dots[i] = append(panel.Dots[i], figure.Value{Value: float64(e.Value), Low: low, High: high, Note: fmt.Sprintf("n = %d", e.N)})
		}
	}
	d.Panels = []figure.Measure{panel}
	d.About = r.about("Ratings by arm", n, "Means with 95 % intervals, not adjusted for test set and period.")
	return d
}
