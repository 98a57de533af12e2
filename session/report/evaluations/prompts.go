package evaluations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// Prompts holds the effects of the type of prompt. Levels are compared, never pooled.
type Prompts struct {
	Effects  []Effect   `json:"effects"`
	Wordings []Wordings `json:"wordings"` // of each level that has several
}

// Effect is the effect of more detail in the prompt: the same tasks at two levels.
type Effect struct {
	Model    string          `json:"model"` // "": the mean over the models that have both levels
	Models   int             `json:"models"`
	From     string          `json:"from"` // the level with less detail, as "level-1"
	To       string          `json:"to"`
	Ends     bool            `json:"first_to_last"` // the levels have others between them
	Measures []EffectMeasure `json:"measures"`
	Flips    report.Share    `json:"flips"` // tasks that are solved at one of the two levels alone
	Gained   int             `json:"gained"`
	Lost     int             `json:"lost"`
	Averaged bool            `json:"over_wordings"` // a task's value is the mean over the level's wordings
}

// EffectMeasure is one metric at both levels, over the tasks that all runs in question
// have.
type EffectMeasure struct {
	Name       string          `json:"name"`
	From       report.Number   `json:"from"`
	To         report.Number   `json:"to"`
	Difference report.Estimate `json:"difference"` // to minus from, paired by task
	P          report.Number   `json:"p"`
	Holm       report.Number   `json:"p_holm"` // over the family, as everywhere
	BH         report.Number   `json:"p_bh"`
}

// Wordings is how much the wordings of one level differ.
type Wordings struct {
	Model    string          `json:"model"`
	Level    string          `json:"level"`
	Wordings int             `json:"wordings"`
	Tasks    int             `json:"tasks"` // that all of the wordings have
	Lowest   Wording         `json:"lowest"`
	Highest  Wording         `json:"highest"`
	Between  report.Estimate `json:"between_variance"`  // of a task's probability to pass, between wordings: the mean over tasks
	Sampling report.Number   `json:"sampling_variance"` // between samples of one wording: the mean over tasks
	Share    report.Number   `json:"between_share"`     // the former of the sum of both
	Problem  string          `json:"problem"`           // why there are no variances
}

// Wording is one wording of a level, with its mean over the tasks.
type Wording struct {
	Prompt string        `json:"prompt"`
	Value  report.Number `json:"value"` // of the first metric
}

// promptType is the parsed name of a type of prompt.
type promptType struct {
	family         string // "level" (Yeo et al.), "context" (TaskEval), or ""
	level, wording int
}

// levelName returns the level without the wording.
func (p promptType) levelName() string { return fmt.Sprintf("%s-%d", p.family, p.level) }

func typeOf(prompt string) promptType {
	for _, family := range families() {
		rest, is := strings.CutPrefix(prompt, family+"-")
		if !is {
			continue
		}
		first, second, worded := strings.Cut(rest, ".")
		level, err := strconv.Atoi(first)
		wording, problem := strconv.Atoi(second)
		if err != nil || worded && problem != nil {
			continue
		}
		return promptType{family, level, wording}
	}
	return promptType{}
}

// families returns the kinds of prompts that have levels, in the order of tables.
func families() []string { return []string{"level", "context"} }

// byPrompt orders types of prompts: levels, contexts, then others by name.
func byPrompt(a, b string) int {
	place := func(p string) int {
		if i := slices.Index(families(), typeOf(p).family); i >= 0 {
			return i
		}
		return len(families())
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), knownFirst(a, b))
}

// promptTypes returns the types of prompts of the runs, in their order.
func (r *Report) promptTypes() []string {
	var all []string
	for i := range r.Runs {
		if !slices.Contains(all, r.Runs[i].Prompt) {
			all = append(all, r.Runs[i].Prompt)
		}
	}
	slices.SortFunc(all, byPrompt)
	return all
}

// models returns the models of the runs, in the order given.
func (r *Report) models() []string {
	var all []string
	for i := range r.Runs {
		if !slices.Contains(all, r.Runs[i].Model) {
			all = append(all, r.Runs[i].Model)
		}
	}
	return all
}

// runsOf returns a model's runs in the order of their prompts.
func (r *Report) runsOf(model string) []int {
	var runs []int
	for i := range r.Runs {
		if r.Runs[i].Model == model {
			runs = append(runs, i)
		}
	}
	slices.SortStableFunc(runs, func(a, b int) int { return byPrompt(r.Runs[a].Prompt, r.Runs[b].Prompt) })
	return runs
}

// level is one level of a family with the runs that have it, one for each wording.
type level struct {
	name string
	runs []int
}

// levels returns a model's levels of one family, ascending.
func (r *Report) levels(model, family string) []level {
	var all []level
	for _, i := range r.runsOf(model) {
		t := typeOf(r.Runs[i].Prompt)
		if t.family != family {
			continue
		}
		name := t.levelName()
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, level{name: name})
		}
		all[len(all)-1].runs = append(all[len(all)-1].runs, i)
	}
	return all
}

// effectOf identifies a comparison: of one model, or the mean over several.
type effectOf struct {
	model    string
	from, to [][]int // the runs at either level, of each model
	names    [2]string
	ends     bool
}

// prompts computes the effects of levels and the spread of wordings.
func (r *Report) prompts() {
	for _, e := range r.effectsOf() {
		if x := r.effect(e); len(x.Measures) > 0 {
			r.Prompts.Effects = append(r.Prompts.Effects, x)
		}
	}
	for _, model := range r.models() {
		for _, family := range families() {
			for _, l := range r.levels(model, family) {
				if len(l.runs) > 1 {
					r.Prompts.Wordings = append(r.Prompts.Wordings, r.wordings(model, l))
				}
			}
		}
	}
}

// effectsOf lists the pairs of levels: of each model neighbours and the ends, then the
// same over all models that have both.
func (r *Report) effectsOf() []effectOf {
	var each, over []effectOf
	for _, model := range r.models() {
		for _, family := range families() {
			levels := r.levels(model, family)
			add := func(a, b level, ends bool) {
				names := [2]string{a.name, b.name}
				each = append(each, effectOf{model, [][]int{a.runs}, [][]int{b.runs}, names, ends})
				at := slices.IndexFunc(over, func(o effectOf) bool { return o.names == names })
				if at < 0 {
					at, over = len(over), append(over, effectOf{names: names, ends: ends})
				}
				over[at].from, over[at].to = append(over[at].from, a.runs), append(over[at].to, b.runs)
			}
			for i := 1; i < len(levels); i++ {
				add(levels[i-1], levels[i], false)
			}
			if n := len(levels); n > 2 {
				add(levels[0], levels[n-1], true)
			}
		}
	}
	for _, o := range over {
		if len(o.from) > 1 {
			each = append(each, o)
		}
	}
	return each
}

// effect compares two levels over the tasks that are scored in all runs in question.
func (r *Report) effect(e effectOf) Effect {
	x := Effect{Model: e.model, Models: len(e.from), From: e.names[0], To: e.names[1], Ends: e.ends, Flips: report.Share{Estimate: report.Estimate{Value: undefined(), Method: report.Exact}}}
	for _, metric := range []int{0, r.ratioAt()} {
		from, to := r.levelValues(e.from, e.to, metric), r.levelValues(e.to, e.from, metric)
		d, err := scoring.PairedDifference(to, from, nil)
		if err != nil {
			return x // no task is in all
		}
		m := EffectMeasure{Name: r.Metrics[metric], From: meanOf(plain(from)), To: meanOf(plain(to)), Difference: estimate(d.Metric, nil)}
		m.P, m.Holm, m.BH = r.tested.of(to, from).numbers()
		x.Measures = append(x.Measures, m)
	}
	n := 0
	for m := range e.from {
		x.Averaged = x.Averaged || len(e.from[m]) > 1 || len(e.to[m]) > 1
		from, to := plain(r.levelValues(e.from[m:m+1], e.to[m:m+1], r.strictAt())), plain(r.levelValues(e.to[m:m+1], e.from[m:m+1], r.strictAt()))
		for id := range from {
			n++
			const half = 0.5 - 1e-12 // means of quotients may be off by as much
			switch before, after := from[id] >= half, to[id] >= half; {
			case !before && after:
				x.Gained++
			case before && !after:
				x.Lost++
			}
		}
	}
	x.Flips.Count, x.Flips.N = x.Gained+x.Lost, n
	x.Flips.Value = report.Number(float64(x.Flips.Count) / float64(n))
	if iv, err := stats.ClopperPearson(x.Flips.Count, n, report.Confidence); err == nil && len(e.from) == 1 {
		x.Flips.Interval = &iv
	} else {
		x.Flips.Method = "no interval: a task counts once for each model"
	}
	return x
}

// levelValues returns a metric's values at the levels of some models by task: the mean over
// wordings, then over models, of tasks that are scored there and at the others too.
func (r *Report) levelValues(levels, others [][]int, metric int) map[string]scoring.TaskValue {
	all := map[string]scoring.TaskValue{}
	for i := range r.Tasks {
		whole := true
		for _, runs := range slices.Concat(levels, others) {
			for _, run := range runs {
				whole = whole && r.Tasks[i].Runs[run].scored()
			}
		}
		if !whole {
			continue
		}
		var models []scoring.TaskValue
		for _, runs := range levels {
			var wordings []scoring.TaskValue
			for _, run := range runs {
				wordings = append(wordings, r.Tasks[i].Runs[run].values[metric])
			}
			models = append(models, scoring.MeanOfValues(wordings))
		}
		v := scoring.MeanOfValues(models)
		v.Value = min(v.Value, 1) // sums of quotients may exceed 1 by rounding
		all[r.Tasks[i].ID] = v
	}
	return all
}

func meanOf(values map[string]float64) report.Number {
	return report.Number(stats.Mean(slices.Sorted(maps.Values(values))))
}

// wordings computes the variance between the wordings of a level and between the samples of one wording.
func (r *Report) wordings(model string, l level) Wordings {
	w := Wordings{Model: model, Level: l.name, Wordings: len(l.runs), Between: report.Estimate{Value: undefined(), Method: "no value"}, Sampling: undefined(), Share: undefined()}
	var between, within []float64
	sums := make([]float64, len(l.runs))
	single := false
	for _, at := range r.drawn {
		t := &r.Tasks[at]
		if slices.ContainsFunc(l.runs, func(run int) bool { return !t.Runs[run].scored() }) {
			continue
		}
		w.Tasks++
		var groups [][]float64
		for i, run := range l.runs {
			result := &t.Runs[run]
			sums[i] += float64(result.Metrics[0])
			groups = append(groups, onesOf(result.Accepted, result.N))
			single = single || result.N < 2
		}
		if c, err := stats.VarianceComponents(groups); err == nil {
			between, within = append(between, c.Between), append(within, c.Within)
		}
	}
	w.Lowest, w.Highest = Wording{Value: undefined()}, Wording{Value: undefined()}
	for i, run := range l.runs {
		if w.Tasks == 0 {
			break
		}
		v := Wording{r.Runs[run].Prompt, report.Number(sums[i] / float64(w.Tasks))}
		if i == 0 || v.Value < w.Lowest.Value {
			w.Lowest = v
		}
		if i == 0 || v.Value > w.Highest.Value {
			w.Highest = v
		}
	}
	switch {
	case w.Tasks == 0:
		w.Problem = "no task is scored with all wordings"
		return w
	case single:
		w.Problem = "with one sample for a wording, wordings cannot be told from samples"
		return w
	}
	w.Between, w.Sampling = estimate(scoring.StudentMean(between)), report.Number(stats.Mean(within))
	if w.Between.Interval == nil {
		w.Between.Method = "no interval: fewer than 20 tasks, or all equal"
	}
	if sum := w.Between.Value + w.Sampling; sum > 0 {
		w.Share = w.Between.Value / sum
	}
	return w
}

// onesOf returns the samples of a task as ones (accepted) and zeros.
func onesOf(accepted, n int) []float64 {
	all := make([]float64, n)
	for i := range accepted {
		all[i] = 1
	}
	return all
}

// hasPrompts reports whether runs differ in their prompts.
func (r *Report) hasPrompts() bool {
	return slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Prompt != "" })
}
