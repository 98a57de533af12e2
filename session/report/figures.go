package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"assay/session"
	"assay/session/report/figure"
)

// Drawing is one figure of the report, with the name of its files.
type Drawing struct {
	Name string // without an ending
	figure.Figure
}

// namedMark is a figure that has not been drawn yet.
type namedMark struct {
	name string
	mark figure.Mark
}

// Marks are the figures that there are data for, by name, to be drawn in another way
// than Figures does.
func (r *Report) Marks() iter.Seq2[string, figure.Mark] {
	return func(yield func(string, figure.Mark) bool) {
		for _, m := range r.marks {
			if !yield(m.name, m.mark) {
				return
			}
		}
	}
}

// Quick is Build without the intervals, whose resamples take nearly all of its time:
// for screens, which show none. Every other number is the same.
func Quick(events []session.Event) (*Report, error) { return build(events, 0) }

// figureNames are all figures there may be, in the order of the report.
func figureNames() []string {
	return []string{"attempts", "success-by-attempt", "completion-time", "completion-time-ecdf", "attributes", "total-by-type-and-difficulty", "attempts-and-quality"}
}

// Figures draws the figures that there are data for.
func (r *Report) Figures() []Drawing {
	var all []Drawing
	for _, m := range r.marks {
		all = append(all, Drawing{m.name, m.mark.Draw()})
	}
	return all
}

// figuresOf are the marks of the analysed tasks, in the order of figureNames.
func figuresOf(r *Report, analysed []result, attributes []session.Attribute) []namedMark {
	if len(analysed) == 0 {
		return nil
	}
	drawn := map[string]figure.Mark{
		"attempts":           attemptsFigure(r),
		"success-by-attempt": successFigure(r, analysed),
	}
	drawn["completion-time"], drawn["completion-time-ecdf"] = timeFigures(r, analysed)
	if slices.ContainsFunc(r.Ratings.Attributes, func(a Rating) bool { return a.Mean.N > 0 }) {
		drawn["attributes"] = attributesFigure(r)
	}
	if r.Ratings.Total.Mean.N > 0 {
		drawn["total-by-type-and-difficulty"] = totalFigure(r, analysed, attributes)
		drawn["attempts-and-quality"] = qualityFigure(r, analysed, attributes)
	}
	var all []namedMark
	for _, name := range figureNames() {
		if mark, is := drawn[name]; is {
			all = append(all, namedMark{name, mark})
		}
	}
	return all
}

// about says what a figure shows of n tasks.
func (r *Report) about(title string, n int, note string) figure.About {
	h := r.Header
	source := fmt.Sprintf("assay session %s; benchmark %s; model %s", h.ID, cmp.Or(h.Benchmark, "without a name"), cmp.Or(h.Model, "without a name"))
	if h.Recorded {
		source += ", recorded answers"
	}
	if h.Imported {
		source += "; imported"
	}
	return figure.About{Title: title, Source: source + ".", N: n, Of: "tasks", Note: note}
}

func attemptsFigure(r *Report) figure.Mark {
	bar := figure.Bar{
		About: r.about("Tasks by the attempt that satisfied", r.Counts.Analysed, ""),
		X:     figure.Axis{Name: "attempt"}, Y: figure.Axis{Name: "tasks"},
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
	s := figure.Survival{
		About: r.about("Success by attempt", len(analysed), fmt.Sprintf("A task without satisfaction is followed to %d attempts, however many were made.", k)),
		X:     figure.Axis{Name: "attempts"}, Y: figure.Axis{Name: "tasks satisfied"}, Rising: true,
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

// timeFigures tell in seconds, where tasks take long in minutes.
func timeFigures(r *Report, analysed []result) (histogram, ecdf figure.Mark) {
	axis, scale := figure.Axis{Name: "completion time", Unit: "s", Zero: true}, 1.0
	if r.Times.Completion.Max >= 1800 {
		axis.Unit, scale = "min", 1.0/60
	}
	whole, without := figure.Sample{Name: "completion"}, figure.Sample{Name: "without waiting for the model"}
	for _, t := range analysed {
		whole.Values = append(whole.Values, scale*seconds(t.times.Completion))
		without.Values = append(without.Values, scale*seconds(t.times.WithoutModel))
	}
	const note = "From opening a task to the judgement that ends it; rating is apart."
	samples := []figure.Sample{whole}
	if r.Times.WithoutModel != nil {
		samples = append(samples, without)
	}
	return figure.Histogram{
			About: r.about("Completion time of a task", len(analysed), note), X: axis, Values: whole.Values,
			References: []figure.Reference{{Name: "median", At: scale * float64(r.Times.Completion.Median)}, {Name: "mean", At: scale * float64(r.Times.Completion.Mean.Value)}},
		}, figure.ECDF{
			About: r.about("Tasks completed within a time", len(analysed), note), X: axis, Samples: samples,
		}
}

func attributesFigure(r *Report) figure.Mark {
	l := figure.Likert{About: r.about("Ratings of the final answers", r.Counts.Analysed, "")}
	for score := session.MinScore; score <= session.MaxScore; score++ {
		name := fmt.Sprint(score)
		switch score {
		case session.MinScore:
			name += " poorest"
		case session.MaxScore:
			name += " best"
		}
		l.Levels = append(l.Levels, name)
	}
	for _, a := range r.Ratings.Attributes {
		l.Rows = append(l.Rows, figure.Rated{Name: a.Name, Counts: a.Scores})
	}
	return l
}

// totalAxis is that of total quality, the sum of the attributes' scores.
func (r *Report) totalAxis(name string) figure.Axis {
	return figure.Axis{Name: name, Unit: fmt.Sprintf("of %d", r.Ratings.Total.Max)}
}

func totalFigure(r *Report, analysed []result, attributes []session.Attribute) figure.Mark {
	type place struct{ kind, difficulty string }
	sums := map[place][]float64{}
	var kinds, difficulties []string
	for _, t := range analysed {
		sum, whole := total(t.Task, attributes)
		if !whole {
			continue
		}
		at := place{t.Type, string(t.Difficulty)}
		sums[at] = append(sums[at], float64(sum))
		kinds, difficulties = append(kinds, at.kind), append(difficulties, at.difficulty)
	}
	slices.Sort(kinds)
	slices.SortFunc(difficulties, func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	kinds, difficulties = slices.Compact(kinds), slices.Compact(difficulties)
	h := figure.Heatmap{
		About: r.about("Mean total quality by type and difficulty", r.Ratings.Total.Mean.N, ""),
		X:     figure.Axis{Name: "difficulty"}, Y: figure.Axis{Name: "type"}, Value: r.totalAxis("mean total quality"), Small: Small,
	}
	for _, d := range difficulties {
		h.Columns = append(h.Columns, cmp.Or(clean(d), "(none)"))
	}
	for _, kind := range kinds {
		h.Rows = append(h.Rows, cmp.Or(clean(kind), "(none)"))
		var row []figure.Cell
		for _, d := range difficulties {
			cell := figure.Cell{}
			for _, v := range sums[place{kind, d}] {
				cell.N++
				cell.Value += (v - cell.Value) / float64(cell.N)
			}
			row = append(row, cell)
		}
		h.Cells = append(h.Cells, row)
	}
	return h
}

func qualityFigure(r *Report, analysed []result, attributes []session.Attribute) figure.Mark {
	s := figure.Scatter{
		About: r.about("Attempts against total quality", r.Ratings.Total.Mean.N, ""),
		X:     figure.Axis{Name: "attempts made", Zero: true}, Y: r.totalAxis("total quality"),
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
			if !happy || len(analysed) <= 25 {
				d.Label = d.Name
			}
			s.Points = append(s.Points, d)
		}
	}
	return s
}

// writeFigures links the figures, which lie beside the report, each with its text
// alternative and its data.
func (r *Report) writeFigures(p *printer, drawings []Drawing) {
	if len(drawings) == 0 {
		return
	}
	p.line("")
	p.line("## Figures")
	for _, d := range drawings {
		p.line("")
		p.line("![%s](figures/%s.svg)", markdown(d.Alt()), d.Name)
		p.line("")
		p.line("[The data of this figure](figures/%s.csv)", d.Name)
	}
}

func writeBytes(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	}
}
