package sessions

import (
	"math"

	"assay/scoring/stats"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Dropout compares the sessions of two arms that do not have a result for each of their tasks.
type Dropout struct {
	First  Incomplete    `json:"first"`
	Second Incomplete    `json:"second"`
	P      report.Number `json:"p"` // of equal shares of incomplete sessions, by Fisher's exact test
}

// Incomplete counts an arm's sessions and tasks; of those who withdrew, none.
type Incomplete struct {
	Sessions int `json:"sessions"`   // that began
	Cut      int `json:"incomplete"` // of them, those in which a task has no result
	Tasks    int `json:"tasks"`      // of these sessions, but for practice
	Missing  int `json:"missing"`    // of them, those without a result: skipped, unfinished or never opened
}

func incomplete(sessions []*folded) Incomplete {
	var all Incomplete
	for _, f := range sessions {
		c := f.header.Counts
		tasks := c.Planned - c.Practice
		all.Sessions, all.Tasks, all.Missing = all.Sessions+1, all.Tasks+tasks, all.Missing+tasks-c.Analysed
		all.Cut += int(one(c.Analysed < tasks))
	}
	return all
}

// dropoutOf returns nil if every session is complete.
func dropoutOf(a, b []*folded) *Dropout {
	d := Dropout{First: incomplete(a), Second: incomplete(b)}
	if d.First.Missing+d.Second.Missing == 0 {
		return nil
	}
	d.P = report.Number(stats.FisherExact(d.First.Cut, d.First.Sessions, d.Second.Cut, d.Second.Sessions))
	return &d
}

// Missing shows how far results that are missing could change a difference of means.
type Missing struct {
	// Worst goes from the difference if every missing result was the lowest of the scale in the first arm and the
	// highest in the second, to that with both exchanged.
	Worst stats.Interval `json:"worst_case"`
	// Tipping is the mean of the missing results of the arm that has more of them (of the first, if both have as
	// many) with which the means are equal, if those of the other arm are like its results; null: no value on the
	// scale makes them equal.
	Tipping report.Number `json:"tipping_point"`
}

// missing bounds the difference of the means of all results. Nothing bounds a time.
func (c *Compared) missing(m measure, d *Dropout) {
	if d == nil || m.session() || math.IsInf(m.high, 1) || c.First.N == 0 || c.Second.N == 0 {
		return
	}
	n, x := [2]float64{float64(c.First.N), float64(c.Second.N)}, c.observed
	lost := [2]float64{float64(d.First.Tasks) - n[0], float64(d.Second.Tasks) - n[1]}
	mean := func(arm int, v float64) float64 { return (n[arm]*x[arm] + lost[arm]*v) / (n[arm] + lost[arm]) }
	c.Missing = &Missing{Tipping: undefined(), Worst: stats.Interval{
		Low: mean(0, m.low) - mean(1, m.high), High: mean(0, m.high) - mean(1, m.low),
	}}
	arm := int(one(lost[1] > lost[0]))
	if lost[arm] > 0 {
		if v := x[1-arm] + (x[1-arm]-x[arm])*n[arm]/lost[arm]; v >= m.low && v <= m.high {
			c.Missing.Tipping = report.Number(v)
		}
	}
}

// dropout writes how many sessions of a pair of arms are incomplete, and how far that could change the difference.
func (w *writer) dropout(d declaredPair) []any {
	x := d.Dropout
	count := func(part, of *int, what string) []any { return doc.Item(w.d.Count(part), " of ", w.d.Count(of), what) }
	items := doc.Item("Incomplete are ", count(&x.First.Cut, &x.First.Sessions, " sessions"), " with ", doc.Name(d.First), " and ",
		count(&x.Second.Cut, &x.Second.Sessions, ""), " with ", doc.Name(d.Second), " (Fisher's exact test", w.pValue(&x.P), "); without a result, ",
		count(&x.First.Missing, &x.First.Tasks, " tasks"), " and ", count(&x.Second.Missing, &x.Second.Tasks, ""), ".")
	if x.P < 1-report.Confidence {
		items = append(items, " ", w.d.Strong("Testers left one arm more often than the other."))
	}
	m := d.of.Missing
	if m == nil {
		return items
	}
	scale, decimals := declared(d.of.ID).scale()
	items = append(items, " If the missing results were all the worst in one arm and all the best in the other, the difference of the observed means would be anything from ",
		w.d.Scaled(&m.Worst.Low, scale, decimals), " to ", w.d.Scaled(&m.Worst.High, scale, decimals), " ", declared(d.of.ID).said.unit)
	more := d.First
	if x.Second.Missing > x.First.Missing {
		more = d.Second
	}
	if m.Tipping.Defined() {
		return append(items, "; there would be none if those with ", doc.Name(more), " had a mean of ", w.d.Scaled(&m.Tipping, scale, decimals), percentOf(scale), ".")
	}
	return append(items, "; whatever those with ", doc.Name(more), " were, some difference would be left.")
}

func percentOf(scale float64) string {
	if scale == 100 {
		return " %"
	}
	return ""
}

// declaredPair is a pair of arms with the comparison that answers the question.
type declaredPair struct {
	*Pair
	of *Compared // by the primary outcome, or without a plan by the first measure
}
