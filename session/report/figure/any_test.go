package figure

import (
	"math"

	"pgregory.net/rapid"
)

// names are short, long, wide, empty and hostile.
func names() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "a", "easy", "<script>alert('x')</script>", "x\x00\x1b[31m\u202e", "=1+1", "]]>&amp;\"", "🎉👩‍👩‍👧", "\xff\xfe"}),
		rapid.StringMatching(`[a-zA-Z ]{1,80}`), rapid.StringMatching(`[語漢字かな]{1,40}`), rapid.String(),
	)
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, -1, 1e-12, 1e15, -1e15, 1e300, 100, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}),
		rapid.Float64Range(-1000, 1000), rapid.Float64Range(0, 1), rapid.Float64(), rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) }),
	)
}

func axis(t *rapid.T, label string) Axis {
	return Axis{Name: names().Draw(t, label), Unit: rapid.SampledFrom([]string{"", "s", "%"}).Draw(t, label+" unit"),
		Log: rapid.Bool().Draw(t, label+" log"), Zero: rapid.Bool().Draw(t, label+" zero")}
}

func anyMark(t *rapid.T) Mark {
	a := About{Title: names().Draw(t, "title"), Source: names().Draw(t, "source"), N: rapid.IntRange(0, 1e6).Draw(t, "n"), Of: names().Draw(t, "of"), Note: names().Draw(t, "note")}
	x, y := axis(t, "x"), axis(t, "y")
	values := rapid.SliceOfN(numbers(), 0, 80)
	many := rapid.IntRange(0, 70).Draw(t, "many")
	word := func() string { return names().Draw(t, "name") }
	number := func() float64 { return numbers().Draw(t, "value") }
	switch rapid.IntRange(0, 13).Draw(t, "mark") {
	case 0, 1:
		b := Bar{About: a, X: x, Y: y}
		for range rapid.SampledFrom([]int{many, 1, 5}).Draw(t, "bars") {
			b.Bars = append(b.Bars, Value{Name: word(), Value: number(), Low: number(), High: number()})
		}
		return b
	case 2:
		return Histogram{About: a, X: x, Values: values.Draw(t, "values"), Bins: rapid.IntRange(0, 100).Draw(t, "bins"), References: []Reference{{word(), number()}, {word(), number()}}}
	case 3:
		return ECDF{About: a, X: x, Samples: samples(t), References: []Reference{{word(), number()}}}
	case 4:
		return Box{About: a, X: x, Samples: samples(t)}
	case 13:
		f := Flow{About: a}
		for range rapid.SampledFrom([]int{many, 1, 4}).Draw(t, "steps") {
			s := Stage{Name: word(), N: rapid.IntRange(0, 1e6).Draw(t, "n of a step")}
			for range rapid.IntRange(0, 10).Draw(t, "reasons") {
				s.Left = append(s.Left, Value{Name: word(), Value: number()})
			}
			f.Stages = append(f.Stages, s)
		}
		return f
	case 12:
		s := Stacked{About: a}
		for range rapid.IntRange(0, 9).Draw(t, "kinds") {
			s.Kinds = append(s.Kinds, word())
		}
		for range rapid.SampledFrom([]int{many, 1, 5}).Draw(t, "rows") {
			s.Rows = append(s.Rows, Rated{Name: word(), Counts: rapid.SliceOfN(rapid.IntRange(-1, 1e6), 0, 10).Draw(t, "counts")})
		}
		return s
	case 11:
		d := DotPlot{About: a}
		for range rapid.SampledFrom([]int{many, 1, 5}).Draw(t, "rows") {
			d.Rows = append(d.Rows, word())
		}
		for range rapid.IntRange(0, 8).Draw(t, "groups") {
			d.Groups = append(d.Groups, word())
		}
		for range rapid.IntRange(0, 5).Draw(t, "panels") {
			m := Measure{Axis: x}
			if x.Zero {
				m.None = new(float64)
			}
			for range d.Rows[:min(len(d.Rows), 6)] {
				m.Dots = append(m.Dots, []Value{{Value: number(), Low: number(), High: number()}, {Value: number()}})
			}
			d.Panels = append(d.Panels, m)
		}
		return d
	case 5:
		l := Line{About: a, X: x, Y: y}
		for range rapid.IntRange(0, 9).Draw(t, "curves") {
			c := Curve{Name: word()}
			for range rapid.IntRange(0, 9).Draw(t, "points") {
				c.Points = append(c.Points, Point{number(), number(), number(), number()})
			}
			l.Curves = append(l.Curves, c)
		}
		return l
	case 6:
		s := Survival{About: a, X: x, Y: y, Rising: rapid.Bool().Draw(t, "rising"), Ticks: rapid.SliceOfN(numbers(), 0, 12).Draw(t, "ticks")}
		for range rapid.IntRange(0, 4).Draw(t, "groups") {
			v := values.Draw(t, "times")
			s.Groups = append(s.Groups, Followed{word(), v, rapid.SliceOfN(rapid.Bool(), len(v), len(v)).Draw(t, "events")})
		}
		return s
	case 7:
		l := Likert{About: a}
		for range rapid.IntRange(0, 7).Draw(t, "levels") {
			l.Levels = append(l.Levels, word())
		}
		for range many {
			l.Rows = append(l.Rows, Rated{word(), rapid.SliceOfN(rapid.IntRange(-1, 1e6), 0, 8).Draw(t, "counts")})
		}
		return l
	case 8:
		h := Heatmap{About: a, X: x, Y: y, Value: axis(t, "value"), Small: 5}
		for range rapid.IntRange(0, 15).Draw(t, "columns") {
			h.Columns = append(h.Columns, word())
		}
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			h.Rows = append(h.Rows, word())
			var row []Cell
			for range rapid.IntRange(0, 15).Draw(t, "cells") {
				row = append(row, Cell{number(), rapid.IntRange(-1, 1e9).Draw(t, "n"), rapid.Bool().Draw(t, "apart"), rapid.Bool().Draw(t, "few")})
			}
			h.Cells = append(h.Cells, row)
		}
		return h
	case 9:
		return anyScatter(t, a, x, y)
	}
	m := Multiples{About: a}
	for range rapid.IntRange(0, 7).Draw(t, "panels") {
		m.Panels = append(m.Panels, Panel{word(), rapid.IntRange(0, 1e6).Draw(t, "n"), rapid.SampledFrom([]Mark{
			Bar{Bars: []Value{{Name: "a long category", Value: 3}, {Name: "b", Value: -2}}}, ECDF{X: x, Samples: []Sample{{"", []float64{1, 2, 3000}}}},
			Histogram{X: x, Values: []float64{1, 1, 4}}, Likert{}, Line{X: x, Y: y, Curves: []Curve{{Name: "c", Points: []Point{{1, 2, 0, 3}, {2, 3, 0, 0}}}, {Name: "d", Points: []Point{{1, 2, 0, 3}}, Apart: true}}}, Box{},
		}).Draw(t, "panel")})
	}
	return m
}

func anyScatter(t *rapid.T, a About, x, y Axis) Mark {
	s := Scatter{About: a, X: x, Y: y}
	for range rapid.IntRange(0, 60).Draw(t, "points") {
		s.Points = append(s.Points, Dot{X: numbers().Draw(t, "px"), Y: numbers().Draw(t, "py"), Group: rapid.SampledFrom([]string{"a", "b", "c", "\x00"}).Draw(t, "group"), Label: names().Draw(t, "label")})
	}
	return s
}

func samples(t *rapid.T) []Sample {
	var all []Sample
	for range rapid.IntRange(0, 8).Draw(t, "samples") {
		all = append(all, Sample{names().Draw(t, "sample"), rapid.SliceOfN(numbers(), 0, 40).Draw(t, "values")})
	}
	return all
}
