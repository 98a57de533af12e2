package figure

import (
	"fmt"
	"math"
	"strings"

	"assay/scoring/stats"
)

// Survival draws up to six Kaplan-Meier curves with their pointwise log-log bands
// (95 %) and the table of how many are at risk. Rising draws 1 − S, the share with the event.
type Survival struct {
	About
	X      Axis // of times; Y names the share that is drawn
	Y      Axis
	Groups []Followed
	Rising bool

	// Dependent: the things are not independent, as tasks of one tester, so that no band
	// is right and none is drawn.
	Dependent bool
	Ticks     []float64 // where the axis has marks and the table columns; nil: round times
}

// Followed is a group: for each thing how long it was followed, and whether the
// event came then; else it is censored.
type Followed struct {
	Name  string
	Times []float64
	Event []bool
}

// followed returns the times that can be drawn, and how many cannot.
func (f Followed) followed() (times []float64, event []bool, out int) {
	for i, t := range f.Times {
		if i >= len(f.Event) || !finite(t) || t < 0 {
			out++
			continue
		}
		times, event = append(times, t), append(event, f.Event[i])
	}
	return times, event, out
}

// Draw draws curves and table.
func (s Survival) Draw(width float64) Figure {
	p := newPage(s.About, width)
	header := []string{"group", s.X.title(), "at risk", "events", "censored", "survival", "low", "high"}
	s.X.Log = false
	s.X.Zero = true
	s.Y.Unit, s.Y.Log, s.Y.Zero, s.Y.From, s.Y.To = "%", false, true, 0, 100
	e := nothing()
	out := 0
	groups, more := atMost(s.Groups, series)
	p.tooMany(len(groups), more, "groups")
	var names []string
	for _, g := range groups {
		times, _, lost := g.followed()
		e.add(times...)
		out += lost
		names = append(names, fmt.Sprintf("%s (n = %d)", clean(g.Name), len(times)))
	}
	p.leftOut(out, Axis{})
	if e.lo > e.hi {
		return p.empty(header)
	}
	if len(groups) > 1 {
		p.legend(p.seriesKeys(names, true, false))
	}
	f := frame{x: s.X, y: s.Y, ex: e, ey: extent{0, 100}, xTicks: s.ticks()}
	widest := p.width("at risk", tickStyle)
	for _, g := range groups {
		widest = max(widest, p.width(clean(g.Name), tickStyle))
	}
	indent := 30.0
	if len(groups) > 1 || clean(s.Groups[0].Name) != "" {
		indent = min(widest, p.share(120))
	}
	x, y, r, bottom := p.axes(f, margin+max(indent, 30), p.full-margin-10, p.y, 230, true)
	var rows [][]string
	var told []string
	for i, g := range s.Groups {
		times, event, _ := g.followed()
		curve, err := s.curveOf(times, event)
		if err != nil {
			continue
		}
		if i < len(groups) {
			s.curve(p, i, g, curve, x, y)
		}
		told = append(told, strings.TrimPrefix(fmt.Sprintf("%s: %s", clean(g.Name), s.tell(curve)), ": "))
		rows = append(rows, stepRows(g, curve)...)
	}
	p.y = bottom + 22
	s.riskTable(p, groups, x, r)
	band := "with pointwise 95 % log-log band"
	switch {
	case s.Dependent:
		band = "without a band, which would take what is followed to be independent"
	case len(s.Groups) > bands:
		band = "(pointwise 95 % log-log bounds are in the data)"
	}
	p.note("Kaplan-Meier %s; a cross is a censoring. At risk are those followed until just before.", band)
	return p.finish(fmt.Sprintf("Kaplan-Meier curves of %s: %s.", clean(s.Y.Name), list(told, 6)), header, rows)
}

// curveOf estimates a curve, without bounds where none are right.
func (s Survival) curveOf(times []float64, event []bool) (stats.KM, error) {
	curve, err := stats.KaplanMeier(times, event, 0.95)
	for i := range curve.Steps {
		if s.Dependent {
			curve.Steps[i].LogLog = stats.Interval{Low: math.NaN(), High: math.NaN()}
		}
	}
	return curve, err
}

// riskTable writes how many of each group are at risk at the ticks.
func (s Survival) riskTable(p *page, groups []Followed, x scale, r rectangle) {
	p.label(margin, p.y, left, strongStyle, "At risk", 100)
	for _, g := range groups {
		if clean(g.Name) != "" {
			p.y += 16
			p.label(margin, p.y, left, tickStyle, g.Name, r.x0-margin-p.width(fmt.Sprint(len(g.Times)), tickStyle)/2-6)
		}
		times, _, _ := g.followed()
		for _, t := range x.ticks {
			risk := 0
			for _, v := range times {
				if v >= t {
					risk++
				}
			}
			name := fmt.Sprint(risk)
			if b := p.box(x.at(t), p.y, middle, tickStyle, name); p.free(textBox{b.x0 - 4, b.y0, b.x1 + 4, b.y1, ""}) {
				p.text(x.at(t), p.y, middle, tickStyle, name, "", "")
			}
		}
	}
}

func (s Survival) ticks() []float64 {
	var ticks []float64
	for _, t := range s.Ticks {
		if finite(t) && t >= 0 && (len(ticks) == 0 || t > ticks[len(ticks)-1]) {
			ticks = append(ticks, t)
		}
	}
	if len(ticks) < 2 {
		return nil
	}
	return ticks
}

// share returns what is drawn of a survival.
func (s Survival) share(survival float64) float64 {
	if s.Rising {
		return 100 * (1 - survival)
	}
	return 100 * survival
}

// bands is the number of groups up to which bands are drawn: more hide each other.
const bands = 4

// curve draws one group.
func (s Survival) curve(p *page, i int, g Followed, curve stats.KM, x, y scale) {
	times, event, _ := g.followed()
	if len(times) == 0 {
		return
	}
	end := s.X.To // to show the last step
	for _, t := range times {
		end = max(end, t)
	}
	type corner struct{ at, s, low, high float64 }
	corners := []corner{{0, 1, math.NaN(), math.NaN()}}
	for _, step := range curve.Steps {
		corners = append(corners, corner{step.Time, step.Survival, step.LogLog.Low, step.LogLog.High})
	}
	line := []xy{}
	for j, c := range corners {
		next := end
		if j+1 < len(corners) {
			next = corners[j+1].at
		}
		if x0, x1 := x.at(c.at), x.at(next); finite(c.low) && finite(c.high) && x1 > x0 && len(s.Groups) <= bands {
			p.rect(x0, y.at(s.share(c.low)), x1, y.at(s.share(c.high)), fmt.Sprintf("band fs%d", i%series), "")
		}
		at := xy{x.at(c.at), y.at(s.share(c.s))}
		if len(line) > 0 {
			line = append(line, xy{at.x, line[len(line)-1].y})
		}
		line = append(line, at)
	}
	line = append(line, xy{x.at(end), line[len(line)-1].y})
	p.path(line, false, fmt.Sprintf("ls%d", i%series), g.Name)
	last := -1e9
	for j, t := range times {
		if at := x.at(t); !event[j] && math.Abs(at-last) >= 1 {
			v := y.at(s.share(curve.At(t)))
			p.line(at-4, v, at+4, v, "whisker")
			p.line(at, v-4, at, v+4, "whisker")
			last = at
		}
	}
	every := len(curve.Steps)/100 + 1
	for j := 0; j < len(curve.Steps); j += every {
		step := curve.Steps[j]
		title := fmt.Sprintf("%s at %s %s: %s %%", g.Name, plain(step.Time, 2), s.X.Unit, plain(s.share(step.Survival), 1))
		if finite(step.LogLog.Low) {
			low, high := s.share(step.LogLog.Low), s.share(step.LogLog.High)
			title += fmt.Sprintf(" (95 %% %s to %s)", plain(min(low, high), 1), plain(max(low, high), 1))
		}
		p.circle(x.at(step.Time), y.at(s.share(step.Survival)), 5, "hover", title)
	}
}

func (s Survival) tell(curve stats.KM) string {
	var words []string
	for _, step := range curve.Steps {
		words = append(words, fmt.Sprintf("%s %% at %s", plain(s.share(step.Survival), 1), plain(step.Time, 2)))
	}
	if len(words) == 0 {
		return "no event"
	}
	if len(words) > 8 {
		words = []string{words[0], words[len(words)/2], words[len(words)-1]}
	}
	return list(words, 8)
}

func stepRows(g Followed, curve stats.KM) [][]string {
	rows := [][]string{}
	for _, step := range curve.Steps {
		rows = append(rows, []string{cell(g.Name), value(step.Time), fmt.Sprint(step.AtRisk), fmt.Sprint(step.Events), fmt.Sprint(step.Censored),
			value(step.Survival), value(step.LogLog.Low), value(step.LogLog.High)})
	}
	return rows
}
