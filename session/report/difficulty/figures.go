package difficulty

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/session/difficulty"
	"assay/session/report"
	"assay/session/report/document"
	"assay/session/report/figure"
)

// marks returns the figures that there are data for, in the order of the report. Of two
// analyses each has its own, whose names end with its number.
func (r *Report) marks() []report.NamedMark {
	var all []report.NamedMark
	for i, a := range r.Analyses {
		d := drawer{a, &r.Views[i], names(a, r.Views[i].Shown)}
		add := func(name string, mark figure.Mark) {
			if len(r.Analyses) > 1 {
				name = fmt.Sprintf("%s-%d", name, i+1)
			}
			all = append(all, report.NamedMark{Name: name, Mark: mark})
		}
		if len(a.Curves) > 0 {
			add("curves", d.curves())
			add("item-information", d.itemInformation())
		}
		if len(r.Analyses) == 1 {
			add("map", d.taskMap())
		} else if i == 0 {
			all = append(all, report.NamedMark{Name: "map", Mark: r.bothMaps()})
		}
		add("expected-responses", d.expected())
		if len(a.Topics) > 0 {
			add("topics", d.topics())
		}
		add("abilities", d.abilities())
		add("information", d.information())
	}
	return all
}

// drawer draws one analysis.
type drawer struct {
	*difficulty.Analysis
	view  *View
	names []string // of the respondents where there is little room
}

// roomy is how long names can be that stand side by side.
const roomy = 12

// names are short names of the respondents: their own if those that are shown are short, else R and their rank.
func names(a *difficulty.Analysis, shown []int) []string {
	long := slices.ContainsFunc(shown, func(i int) bool { return len([]rune(a.Respondents[i].Name)) > roomy })
	var all []string
	for i, r := range a.Respondents {
		if long {
			all = append(all, rank(i))
		} else {
			all = append(all, r.Name)
		}
	}
	return all
}

// rank returns a respondent's short name.
func rank(i int) string { return fmt.Sprintf("R%d", i+1) }

// middle returns a name that is safe to draw, with the middle cut out of a long one: its ends
// tell it from others.
func middle(name string, most int) string {
	name = document.Clean(name)
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2+1:])
	}
	return name
}

// long returns a name for a legend, after the short one if they differ.
func (d drawer) long(i int) string {
	if name := middle(d.Respondents[i].Name, 20); d.names[i] == d.Respondents[i].Name {
		return name
	} else {
		return d.names[i] + " " + name
	}
}

func (d drawer) about(title string, n int, of, note string) figure.About {
	source := fmt.Sprintf("assay difficulty, %s; %d respondents.", middle(d.Source.Name, 60), len(d.Respondents))
	if d.Joint != nil {
		source += fmt.Sprintf(" On one scale with %s.", middle(d.Joint.With, 60))
	}
	return figure.About{Title: title, Source: source, N: n, Of: of, Note: note}
}

// some names the respondents that are drawn, if not all are.
func (d drawer) some() string {
	if len(d.view.Shown) == len(d.Respondents) {
		return ""
	}
	return fmt.Sprintf(" %d of %d respondents: the tables have all.", len(d.view.Shown), len(d.Respondents))
}

func (d drawer) ability() figure.Axis {
	if first := d.Abilities[0]; first < 0 {
		return figure.Axis{Name: "ability", Unit: "SD", From: first, To: -first}
	}
	return figure.Axis{Name: "ability", From: 0, To: 1}
}

// curves is their figure 2.
func (d drawer) curves() figure.Mark {
	about := d.about("Score expected by ability", len(d.Curves), "tasks", "Item characteristic curves, after TaskEval, figure 2.")
	return d.byAbility(about, figure.Axis{Name: "expected score", From: 0, To: 1}, func(c difficulty.Curve) []float64 { return c.Expected })
}

// byAbility draws what curves have at each ability.
func (d drawer) byAbility(about figure.About, y figure.Axis, of func(difficulty.Curve) []float64) figure.Mark {
	l := figure.Line{About: about, X: d.ability(), Y: y}
	for _, c := range d.Curves {
		curve := figure.Curve{Name: curveName(c)}
		for i, y := range of(c) {
			curve.Points = append(curve.Points, figure.Point{X: d.Abilities[i], Y: y})
		}
		l.Curves = append(l.Curves, curve)
	}
	return l
}

func curveName(c difficulty.Curve) string {
	name := middle(c.Task, 24)
	if c.Why != "" {
		name += " (" + c.Why + ")"
	}
	return name
}

// itemInformation draws the information of each task by ability.
func (d drawer) itemInformation() figure.Mark {
	about := d.about("What an answer tells of ability, by ability", len(d.Curves), "tasks", "Fisher's information about the logit of ability, of the tasks whose curves are drawn.")
	return d.byAbility(about, figure.Axis{Name: "information", Zero: true}, func(c difficulty.Curve) []float64 { return c.Information })
}

// bothMaps returns the maps of two benchmarks side by side, as theirs are.
func (r *Report) bothMaps() figure.Mark {
	m := figure.Multiples{}
	for i, a := range r.Analyses {
		s := drawer{a, &r.Views[i], nil}.taskMap()
		m.About.Title, m.About.Note, m.About.Of = s.Title, s.Note, s.Of
		m.About.N += s.N
		m.Panels = append(m.Panels, figure.Panel{Name: middle(a.Source.Name, 30), N: s.N, Mark: s})
	}
	if r.Compared.Linked {
		m.About.Note += " Both benchmarks on one scale."
	} else {
		m.About.Note += " Each benchmark has a scale of its own: their dots are not comparable."
	}
	return m
}

// taskMap is their figure 3.
func (d drawer) taskMap() figure.Scatter {
	const note = "After TaskEval, figure 3. Shape and shade: the score expected of a respondent of mean ability. Tasks to which all responses are the same are not drawn. A number tells how many of more than nine lie at one place."
	s := figure.Scatter{About: d.about("Difficulty and discrimination of each task", len(d.Tasks)-d.view.Constant, "tasks", note),
		X: figure.Axis{Name: "difficulty", From: 0, To: 1}, Y: figure.Axis{Name: "discrimination", Zero: true}, Ramp: true}
	if d.Abilities[0] < 0 {
		s.X = figure.Axis{Name: "difficulty", Unit: "SD"}
	} else {
		s.Note += " Negative discrimination: suspect tasks, which are named, left of 0.5, and noise right of it."
	}
	for low := range 4 {
		s.Groups = append(s.Groups, fmt.Sprintf("%d to %d %% expected", 25*low, 25*low+25))
		for i, t := range d.Tasks {
			if min(int(4*t.Expected), 3) != low || !d.Varies(i) {
				continue
			}
			label := ""
			if t.Kind == difficulty.Suspect {
				label = middle(t.ID, 24)
			}
			s.Points = append(s.Points, figure.Dot{X: t.Difficulty.Value, Y: t.Discrimination.Value, Name: middle(t.ID, 60), Label: label,
				Group: s.Groups[low]})
		}
	}
	return s
}

// expected is their figure 4.
func (d drawer) expected() figure.Mark {
	e := figure.ECDF{About: d.about("Tasks by the score expected of each respondent", len(d.Tasks), "tasks",
		"After TaskEval, figure 4: of how many of the tasks, in percent, at most so much is expected."+d.some()), X: figure.Axis{Name: "expected score", From: 0, To: 1}}
	for _, i := range d.view.Shown {
		e.Samples = append(e.Samples, figure.Sample{Name: d.long(i), Values: d.Respondents[i].Expected})
	}
	return e
}

// topics is their figure 5.
func (d drawer) topics() figure.Mark {
	h := figure.Heatmap{About: d.about("Topics: mean score of respondents, difficulty, discrimination", len(d.Tasks)-len(d.NoTopic), "tasks",
		fmt.Sprintf("After TaskEval, figure 5. Means over tasks. The discrimination has a scale of its own, and no colour. %d tasks have no topic.%s", len(d.NoTopic), d.some())),
		Y: figure.Axis{Name: "topic"}, Value: figure.Axis{Name: "mean", From: 0, To: 1}, Small: report.Small}
	var key []string
	for _, i := range d.view.Shown {
		h.Columns = append(h.Columns, d.names[i])
		if d.names[i] != d.Respondents[i].Name {
			key = append(key, d.names[i]+" "+middle(d.Respondents[i].Name, 18))
		}
	}
	if len(key) > 0 {
		h.Note += " " + strings.Join(key, "; ") + "."
	}
	h.Columns = append(h.Columns, "difficulty", "discrimination")
	for _, t := range d.Topics {
		h.Rows = append(h.Rows, t.Name)
		var row []figure.Cell
		for _, i := range d.view.Shown {
			c := figure.Cell{Value: math.NaN()}
			if mean := t.Mean[i]; mean != nil {
				c = figure.Cell{Value: *mean, N: len(t.Tasks)}
				if len(t.Answered) > i {
					c.N = t.Answered[i]
				}
			}
			row = append(row, c)
		}
		row = append(row, figure.Cell{Value: t.Difficulty, N: len(t.Tasks), Apart: d.Abilities[0] < 0}, figure.Cell{Value: t.Discrimination, N: len(t.Tasks), Apart: true})
		h.Cells = append(h.Cells, row)
	}
	return h
}

// abilities shows each respondent with its interval.
func (d drawer) abilities() figure.Mark {
	b := figure.Bar{About: d.about("Ability of each respondent", len(d.Respondents), "respondents", "Whiskers: 95 %, "+cmp.Or(d.Fit.Intervals, "none")+". A respondent is expected to have half of the score on a task that is as difficult as it is able."),
		X: figure.Axis{Name: "respondent"}, Y: d.ability()}
	for i, r := range d.Respondents {
		v := figure.Value{Name: rank(i) + " " + middle(r.Name, 26), Value: r.Ability.Value}
		if iv := r.Ability.Interval; iv != nil {
			v.Low, v.High = iv.Low, iv.High
		} else {
			b.Note = "There are no intervals."
		}
		b.Bars = append(b.Bars, v)
	}
	return b
}

// information returns the test information, with where the respondents stand.
func (d drawer) information() figure.Mark {
	l := figure.Line{About: d.about("What answers to all tasks tell of ability, by ability", len(d.Tasks), "tasks",
		"Fisher's information about the logit of ability; one divided by its root is the standard error, but for the prior. Where respondents stand is marked: beyond them little is known of the tasks either."),
		X: d.ability(), Y: figure.Axis{Name: "test information", Zero: true}}
	all, here := figure.Curve{Name: "all tasks"}, figure.Curve{Name: "where respondents stand", Apart: true}
	for i, y := range d.Information {
		all.Points = append(all.Points, figure.Point{X: d.Abilities[i], Y: y})
	}
	for _, r := range d.Respondents {
		here.Points = append(here.Points, figure.Point{X: r.Ability.Value, Y: d.told(r.Ability.Value)})
	}
	l.Curves = []figure.Curve{all, here}
	return l
}

// told interpolates the test information at an ability.
func (d drawer) told(ability float64) float64 {
	for i, x := range d.Abilities {
		if x < ability {
			continue
		}
		if i == 0 {
			return d.Information[0]
		}
		share := (ability - d.Abilities[i-1]) / (x - d.Abilities[i-1])
		return d.Information[i-1] + share*(d.Information[i]-d.Information[i-1])
	}
	return d.Information[len(d.Information)-1]
}
