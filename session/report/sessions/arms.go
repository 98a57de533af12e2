package sessions

import (
	"fmt"
	"slices"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Arms compares sessions that differ in the model, the prompt level, the context or the kind of tester.
type Arms struct {
	Arms  []Arm  `json:"arms"`  // two or more
	Pairs []Pair `json:"pairs"` // comparisons of two arms each

	// Horizon is up to how many seconds the time to satisfaction is followed: within it are 95 % of the completion
	// times of all arms.
	Horizon report.Number `json:"horizon,omitempty"`

	Analysis *Analysis `json:"analysis"`       // as the study's plan declares it; null: no plan does
	Look     *Look     `json:"look,omitempty"` // which of the plan's looks is due; null: it declares none
	Family   Family    `json:"family"`         // of the p that are corrected together
}

// Arm is one of them with its results.
type Arm struct {
	Name     string `json:"name"`        // what tells it from the others
	Kind     string `json:"tester_kind"` // "human" or "automatic"
	Feedback string `json:"feedback"`    // of an automatic tester
	Model    string `json:"model"`       // as the study calls it
	ModelID  string `json:"model_id"`    // as the provider calls it
	Level    int    `json:"level"`       // the prompt level
	Context  string `json:"context"`     // what the model saw of earlier attempts
	Sessions int    `json:"sessions"`    // how many
	Testers  int    `json:"testers"`     // different pseudonyms
	Slice

	// Within is the cumulative incidence of satisfaction, where giving up is a competing end, at fourths of the horizon.
	Within []ECDFPoint `json:"satisfied_within,omitempty"`
}

// parts is the number of points at which the cumulative incidence is given.
const parts = 4

func armsOf(est *estimator, logs []folded, analysed []result, attributes []session.Attribute, layout int) (*Arms, map[string][]result) {
	definitions := definitionsOf(analysed)
	shared := sharedModel(analysed)
	mixed := slices.ContainsFunc(analysed, func(r result) bool { return r.in.header.automatic() })
	alike := !slices.ContainsFunc(analysed, func(r result) bool {
		return r.in.header.Level != analysed[0].in.header.Level || r.in.header.Context != analysed[0].in.header.Context
	})
	named := func(r result) string {
		h := r.in.header
		model := h.modelName()
		if h.Definition != "" && definitions[model] > 1 {
			model += " as " + h.Definition
		}
		if h.Study.Arm != "" && shared {
			model = h.Study.Arm + " (" + model + ")"
		}
		if alike {
			return h.who(mixed) + model
		}
		return fmt.Sprintf("%s%s, level %d, %s", h.who(mixed), model, h.Level, h.Context)
	}
	names, groups := grouped(analysed, named)
	if len(names) < 2 {
		return nil, nil
	}
	a := &Arms{Pairs: []Pair{}}
	var times []float64
	for _, r := range analysed {
		times = append(times, seconds(r.times.Completion))
	}
	horizon, _ := stats.Quantile(times, 0.95, stats.Linear) // neither can be wrong
	a.Horizon = report.Number(horizon)
	for _, name := range names {
		group := groups[name]
		h := group[0].in.header
		arm := Arm{Name: name, Kind: h.Kind, Feedback: h.Feedback, Model: h.Model, ModelID: h.ModelID, Level: h.Level, Context: h.Context, Slice: cell(est, name, group, attributes)}
		sessions, testers := map[*folded]bool{}, map[int]bool{}
		for _, r := range group {
			sessions[r.in], testers[r.in.tester] = true, true
		}
		arm.Sessions, arm.Testers = len(sessions), len(testers)
		for part := 1.0; part <= parts; part++ {
			var within series
			for _, r := range group {
				within.addIf(r, r.happy && seconds(r.times.Completion) <= horizon*part/parts)
			}
			arm.Within = append(arm.Within, ECDFPoint{horizon * part / parts, est.rate(within)})
		}
		a.Arms = append(a.Arms, arm)
	}
	a.Analysis = analysisOf(analysed)
	if a.Look = lookOf(a.Analysis, logs); !a.Look.due() {
		return a, groups
	}
	begun := map[string][]*folded{}
	for i := range logs {
		if f := &logs[i]; !f.withdrawn() {
			name := clean(named(result{in: f}))
			begun[name] = append(begun[name], f)
		}
	}
	cross := crossings{results: analysed, plan: a.Analysis, look: a.Look, layout: layout, fits: map[string]*crossing{}}
	for i, first := range names {
		for _, second := range names[i+1:] {
			a.Pairs = append(a.Pairs, pairOf(&cross, first, second, groups[first], groups[second], horizon, attributes, dropoutOf(begun[first], begun[second])))
		}
	}
	a.correct()
	a.decide()
	return a, groups
}

// names returns the names of the arms; there are none where one model was worked with.
func (a *Arms) names() (all []string) {
	if a != nil {
		for _, arm := range a.Arms {
			all = append(all, arm.Name)
		}
	}
	return all
}

// sharedModel reports whether two arms of a study have the same model: only then is an arm's own name needed to
// tell them apart.
func sharedModel(analysed []result) bool {
	arms := map[string]string{}
	for _, r := range analysed {
		h := r.in.header
		if arm, seen := arms[h.modelName()]; seen && arm != h.Study.Arm {
			return true
		}
		arms[h.modelName()] = h.Study.Arm
	}
	return false
}

// definitionsOf counts the definitions of each model name: another temperature or system prompt makes another
// model.
func definitionsOf(analysed []result) map[string]int {
	seen := map[[2]string]bool{}
	counts := map[string]int{}
	for _, r := range analysed {
		h := r.in.header
		model := h.modelName()
		if key := [2]string{model, h.Definition}; !seen[key] {
			seen[key] = true
			counts[model]++
		}
	}
	return counts
}
