package sessions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Order has the change of a measure as testers went on. The periods of a tester are the test sets in the order
// in which they were worked on, without practice tasks.
type Order struct {
	Measure string  `json:"measure"`  // of a task
	Periods []Place `json:"periods"`  // the mean of each period, adjusted for test set and arm where Adjusted
	Sets    []Place `json:"sets"`     // the mean of each test set, adjusted for period and arm; none where not Adjusted
	Testers int     `json:"testers"`  // who worked in two periods or more
	Adjust  bool    `json:"adjusted"` // false: the effects of period, test set and arm cannot be told apart

	Change    report.Estimate `json:"change"`      // the last period minus the first, adjusted; N counts testers
	P         report.Number   `json:"p"`           // of no change
	Corrected report.Number   `json:"p_corrected"` // P by Holm's method over the measures

	// For a single tester: Spearman's correlation with the position of a task, -1 to 1. It cannot separate
	// the effect of the order from that of the tasks.
	Rho  *report.Estimate `json:"rho,omitempty"`   // over tasks
	RhoP *report.Number   `json:"rho_p,omitempty"` // of no association
}

// Place is one period or one test set.
type Place struct {
	Name            string `json:"name"`    // "1" is the first period
	Results         int    `json:"results"` // tasks of testers
	report.Estimate        // the interval is that of the deviation from the testers' own means
}

// placed are the results of a report, each with its period and set.
type placed struct {
	sets   []string // their names, as the plans call them
	period map[*session.Task]int
	set    map[*session.Task]int
	arm    map[*folded]int

	periods int
}

// placesOf finds the period and set of each task.
func placesOf(logs []folded) placed {
	p := placed{period: map[*session.Task]int{}, set: map[*session.Task]int{}, arm: map[*folded]int{}}
	sessions := map[int][]*folded{}
	var testers []int
	arms, sets := numbers{}, numbers{}
	for i := range logs {
		f := &logs[i]
		if f.withdrawn() {
			continue
		}
		if sessions[f.tester] == nil {
			testers = append(testers, f.tester)
		}
		sessions[f.tester] = append(sessions[f.tester], f)
	}
	for _, t := range testers {
		slices.SortStableFunc(sessions[t], func(a, b *folded) int {
			if c := a.header.Study.Part - b.header.Study.Part; c != 0 {
				return c
			}
			return a.header.Began.Compare(b.header.Began)
		})
		period := 0
		for _, f := range sessions[t] {
			h := f.header
			p.arm[f] = arms.of(fmt.Sprint(h.Study.Arm, h.modelName(), h.Level, h.Context))
			period = p.walk(f, period, sets)
		}
		p.periods = max(p.periods, period)
	}
	return p
}

// walk numbers the periods of a session's tasks from the given one, and returns the next period. A set is
// identified by its tasks, since another plan may call another set T0.
func (p *placed) walk(f *folded, period int, sets numbers) int {
	tasks, at := map[string][]string{}, map[string]int{}
	for _, t := range f.state.Plan.Tasks {
		if t.Practice {
			continue
		}
		if tasks[t.Set] == nil {
			at[t.Set] = period
			period++
		}
		tasks[t.Set] = append(tasks[t.Set], t.ID)
	}
	for i := range f.state.Tasks {
		t := &f.state.Tasks[i]
		if t.Practice {
			continue
		}
		slices.Sort(tasks[t.Set])
		set := sets.of(strings.Join(tasks[t.Set], "\x00"))
		if set == len(p.sets) {
			p.sets = append(p.sets, clean(t.Set))
		}
		p.period[t], p.set[t] = at[t.Set], set
	}
	return period
}

func orderOf(est *estimator, logs []folded, analysed []result, attributes []session.Attribute) []Order {
	all := []Order{}
	places := placesOf(logs)
	var ps []float64
	for _, m := range measuresOf(logs[0].state.Plan.K, math.Inf(1), attributes) {
		if m.rises == "" || m.rated && len(attributes) == 0 {
			continue
		}
		o := places.order(m, analysed)
		if est.testers == 1 {
			o.rank(m, analysed)
		}
		if o.P.Defined() {
			ps = append(ps, float64(o.P))
		}
		all = append(all, o)
	}
	corrected, err := stats.Holm(ps)
	for i := range all {
		if all[i].P.Defined() && err == nil {
			all[i].Corrected, corrected = report.Number(corrected[0]), corrected[1:]
		}
	}
	return all
}

// order estimates the effects of period and set together, within testers.
func (p placed) order(m measure, analysed []result) Order {
	o := Order{Measure: m.name, Periods: []Place{}, Sets: []Place{}, P: undefined(), Corrected: undefined()}
	o.Change = report.Estimate{Value: undefined(), Method: "no interval: nobody worked in several periods"}
	type key struct{ tester, period int }
	at := map[key]int{}
	var cells []stats.Cell
	var counts []float64
	byPeriod, bySet := make([][]float64, p.periods), make([][]float64, len(p.sets))
	for _, r := range analysed {
		v, known := m.of(r)
		if !known {
			continue
		}
		period, set := p.period[r.Task], p.set[r.Task]
		k := key{r.in.tester, period}
		i, seen := at[k]
		if !seen {
			i = len(cells)
			at[k] = i
			cells, counts = append(cells, stats.Cell{Subject: r.in.tester, Period: period, Set: set, Arm: p.arm[r.in]}), append(counts, 0)
		}
		counts[i]++
		cells[i].Value += (v - cells[i].Value) / counts[i]
		byPeriod[period], bySet[set] = append(byPeriod[period], v), append(bySet[set], v)
	}
	for i, x := range byPeriod {
		o.Periods = append(o.Periods, Place{fmt.Sprint(i + 1), len(x), report.Estimate{N: len(x), Value: report.Number(stats.Mean(x)), Method: "mean, not adjusted"}})
	}
	model, err := stats.FitCrossover(cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
	if err != nil || p.periods < 2 {
		return o
	}
	o.Testers = model.Subjects
	change, err := model.Difference(stats.PeriodTerm, p.periods-1, 0)
	if o.Change.N = o.Testers; err != nil {
		o.Change.Method = "no interval: the periods cannot be told from the test sets"
		return o
	}
	o.Adjust = true
	o.Change.Value, o.Change.Method = report.Number(change.Value), "no interval: too few testers"
	if iv, ok := within(m, change); ok {
		o.Change.Interval = &iv
		o.Change.Method = fmt.Sprintf("t over %d testers, adjusted for test set and arm", o.Testers)
		if value, err := change.P(); err == nil {
			o.P = report.Number(value)
		}
	}
	for i := range o.Periods {
		o.Periods[i].adjusted(m, model, stats.PeriodTerm, i, "test set and arm")
	}
	for i, x := range bySet {
		place := Place{Name: p.sets[i], Results: len(x), Estimate: report.Estimate{N: len(x), Value: report.Number(stats.Mean(x)), Method: "mean, not adjusted"}}
		place.adjusted(m, model, stats.SetTerm, i, "period and arm")
		o.Sets = append(o.Sets, place)
	}
	slices.SortStableFunc(o.Sets, func(a, b Place) int { return natural(a.Name, b.Name) })
	return o
}

// natural orders T2 before T10.
func natural(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// adjusted replaces the mean by that of the model, if it can be estimated.
func (p *Place) adjusted(m measure, model *stats.Crossover, term stats.Term, level int, others string) {
	mean, err := model.Mean(term, level)
	if err != nil || !m.holds(mean.Value) {
		return
	}
	p.Value, p.Method = report.Number(mean.Value), "mean adjusted for "+others
	if iv, ok := within(m, mean); ok {
		iv.Low, iv.High = max(iv.Low, m.low), min(iv.High, m.high)
		p.Interval = &iv
	}
}

// within returns Student's interval if its coverage is known to hold.
func within(m measure, c stats.Contrast) (stats.Interval, bool) {
	if c.DF < stats.FewestDF(m.share) {
		return stats.Interval{}, false
	}
	iv, err := c.Interval(report.Confidence)
	return iv, err == nil
}

// rank correlates a measure of one tester with the positions of the tasks.
func (o *Order) rank(m measure, analysed []result) {
	var values, at []float64
	before, n := map[*folded]int{}, 0 // tasks of earlier sessions
	for _, r := range analysed {      // in the order of the sessions' ids, which is that of time
		if _, known := before[r.in]; !known {
			before[r.in] = n
			n += len(r.in.state.Plan.Tasks)
		}
		if v, known := m.of(r); known {
			at, values = append(at, float64(before[r.in]+r.in.place(r.index))), append(values, v)
		}
	}
	rho, err := stats.Spearman(at, values)
	if err != nil || len(at) < report.Small {
		return
	}
	p := report.Number(rho.P)
	o.Rho, o.RhoP = &report.Estimate{N: len(at), Value: report.Number(rho.Rho), Method: "no interval: see p"}, &p
}

// place returns the position of a task in its session's plan, from 1, without practice.
func (f *folded) place(index int) int {
	for n, c := range f.state.Choices {
		if c.Index == index {
			return n + 1
		}
	}
	place := 0
	for _, t := range f.state.Plan.Tasks[:f.planned[index]+1] {
		if !t.Practice {
			place++
		}
	}
	return place
}
