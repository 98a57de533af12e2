package overlap

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Width is how many ratings of people an interval of some width takes, where a judge rates all.
type Width struct {
	Judge    string `json:"judge"`           // its name, or that of the panel
	Name     string `json:"name"`            // what is estimated
	Model    string `json:"model,omitempty"` // whose answers; empty: all
	Together int    `json:"together"`        // with judgements of models, drawn at random of all; 0: not even ratings of all are enough
	Alone    int    `json:"alone"`           // of people alone

	// With judgements of models, drawn at random within strata: 0 if not even ratings of all are enough.
	Optimal      int            `json:"optimal"`      // allocated by size and residual deviation
	Proportional int            `json:"proportional"` // allocated by size
	Strata       []StratumWidth `json:"strata"`       // by name; none: all answers are of one

	single bool // attribute
}

// StratumWidth is how many ratings of a stratum an interval takes.
type StratumWidth struct {
	Stratum      string  `json:"stratum"`      // the values of its fields
	Share        float64 `json:"share"`        // of all answers or pairs, from 0 to 1
	Rated        int     `json:"rated"`        // ratings in the pilot
	SD           float64 `json:"residual_sd"`  // standard deviation of human - λ judge in the pilot
	Pooled       bool    `json:"pooled"`       // the pilot has fewer than 5 ratings of it: the deviation is that within all strata
	Optimal      int     `json:"optimal"`      // ratings by size and residual deviation
	Proportional int     `json:"proportional"` // ratings by size
}

// Uncertainty is the field of strata by whether judgements of an answer or pair differ.
const Uncertainty = "uncertainty"

// Strata lists the fields by which ratings can be allocated.
func Strata() []string { return append(Fields(), Uncertainty) }

// Single reports whether it is of one attribute of several.
func (w *Width) Single() bool { return w.single }

// Widths returns, for each number of a pilot over all answers and each win rate, how many ratings an interval of a width
// takes, in all and for each stratum by some fields, where a judge rates total answers or pairs; total 0: as many as in
// the pilot.
func (a *Analysis) Widths(width float64, total int, fields []string) ([]Width, error) {
	for i, f := range fields {
		if !slices.Contains(Strata(), f) || slices.Contains(fields[:i], f) {
			return nil, fmt.Errorf("there are no strata by %q: choose from %s, each at most once", f, strings.Join(Strata(), ", "))
		}
	}
	list := []Width{}
	problem := "the file has no judgements of models"
	for _, j := range a.Judges {
		if problem = cmp.Or(j.Together.Problem, "people rated too few"); a.stratified {
			problem = "what people rate was drawn within strata, and a pilot is a simple random sample"
			continue
		}
		for i := range j.Together.Estimates {
			c := &j.Together.Estimates[i]
			if c.Problem != "" || c.Against != "" || c.Model != "" && c.Kind != "win rate" || c.rows == nil {
				continue
			}
			all := cmp.Or(total, c.Rated+c.Judged)
			n, err := c.both.Needs(width, all, confidence)
			if err != nil {
				return nil, err
			}
			w := Width{Judge: j.Name, Name: c.Name, Model: c.Model, Together: n.Together, Alone: n.Alone, Strata: []StratumWidth{}, single: c.Kind == "mean" && c.ID != "total"}
			if err := j.Together.allocate(&w, c, fields, width, all); err != nil {
				return nil, err
			}
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the pilot gives no number with judgements: " + problem)
	}
	return list, nil
}

// allocate adds the allocation by strata.
func (t *Together) allocate(w *Width, c *Combined, fields []string, width float64, total int) error {
	of, units := map[int]string{}, map[string]int{}
	for _, r := range c.rows {
		if _, known := of[r.Stratum]; known {
			continue
		}
		var values []string
		for _, f := range fields {
			values = append(values, t.stratum(&t.units[r.Stratum], f))
		}
		of[r.Stratum] = strings.Join(values, ", ")
		units[of[r.Stratum]]++
	}
	names := slices.Sorted(maps.Keys(units))
	if len(names) < 2 {
		return nil
	}
	rows, shares := slices.Clone(c.rows), make([]float64, len(names))
	for i := range rows {
		rows[i].Stratum = slices.Index(names, of[rows[i].Stratum])
	}
	for i, name := range names {
		shares[i] = float64(units[name]) / float64(len(of))
	}
	a, err := c.both.Allocate(rows, shares, width, total, confidence)
	if err != nil {
		return err
	}
	w.Optimal, w.Proportional = a.Optimal, a.Proportional
	for i, s := range a.Strata {
		w.Strata = append(w.Strata, StratumWidth{names[i], s.Share, s.Rated, s.SD, s.Pooled, s.Optimal, s.Proportional})
	}
	return nil
}

// strata returns a function that returns the value of a field for an item, or for both sides of a pair.
func (h *Header) strata() func(u *unit, field string) string {
	from := map[string]*candidate{}
	for _, o := range h.Origins {
		if from[o.Item] == nil {
			from[o.Item] = &candidate{task: h.Item(o.Item).Task}
		}
		from[o.Item].origins = append(from[o.Item].origins, o)
	}
	return func(u *unit, field string) string {
		if field == Uncertainty {
			return map[bool]string{true: "judgements differ", false: "judgements agree"}[u.unsure]
		}
		var values []string
		for _, id := range u.id {
			if c := from[id]; c != nil {
				values = append(values, c.named(field))
			}
		}
		return joined(values...)
	}
}
