package sessions

import (
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Analysis is the analysis that a study's plan declared before the first session.
type Analysis struct {
	Primary string `json:"primary"` // id of the primary outcome
	Family  string `json:"family"`  // the correction of all other comparisons
	Model   string `json:"model"`   // "testers" or "mixed": which result of a comparison is the declared one; mixed where sessions are unequal

	Margin report.Number `json:"margin,omitempty"` // arms that differ by less are alike: in the primary outcome's unit, of a time a factor

	looks *session.Looks // nil: none are declared
}

// Family is a set of comparisons whose p-values are corrected together.
type Family struct {
	Method  string `json:"method"`  // "holm" or "benjamini-hochberg"
	Size    int    `json:"size"`    // comparisons with a p, the primary ones apart
	Primary int    `json:"primary"` // comparisons of the primary outcome with a p, corrected among themselves

	Ratings int `json:"ratings,omitempty"` // comparisons of single attributes with a p, corrected among themselves by Method
}

// analysisOf returns the analysis that all results share, nil if they have none or differ.
func analysisOf(analysed []result) *Analysis {
	var found *session.Analysis
	for _, r := range analysed {
		in := r.in.state.Plan.Study
		if in == nil || in.Analysis == nil || found != nil && !found.Equal(in.Analysis) {
			return nil
		}
		found = in.Analysis
	}
	if found == nil {
		return nil
	}
	return &Analysis{clean(found.Primary), clean(found.Family), clean(found.Model), report.Number(found.Margin), found.Looks}
}

// correct corrects every p of the comparisons within one of three families: the primary
// outcome's, over the pairs of arms, that of all other measures and pairs, and that of single attributes, whose total is
// among the others. So a comparison has one corrected p, wherever it is shown.
func (a *Arms) correct() {
	a.Family.Method = session.FamilyHolm
	if a.Analysis != nil && a.Analysis.Family != "" {
		a.Family.Method = a.Analysis.Family
	}
	var primary, others, ratings []*Compared
	for i := range a.Pairs {
		for j := range a.Pairs[i].Measures {
			c := &a.Pairs[i].Measures[j]
			if c.Primary = (measure{id: c.ID}).primary(a.Analysis); !c.declared(a.Analysis).Defined() {
				continue
			}
			if c.Primary {
				primary = append(primary, c)
			} else {
				others = append(others, c)
			}
		}
		for j := range a.Pairs[i].Ratings {
			if c := &a.Pairs[i].Ratings[j]; c.declared(a.Analysis).Defined() {
				ratings = append(ratings, c)
			}
		}
	}
	a.Family.Primary, a.Family.Size, a.Family.Ratings = len(primary), len(others), len(ratings)
	by := stats.Holm
	adjust(primary, a.Analysis, by)
	if a.Family.Method == session.FamilyBH {
		by = stats.BenjaminiHochberg
	}
	adjust(others, a.Analysis, by)
	adjust(ratings, a.Analysis, by)
}

func adjust(all []*Compared, plan *Analysis, by func([]float64) ([]float64, error)) {
	p := make([]float64, len(all))
	for i, c := range all {
		p[i] = float64(c.declared(plan))
	}
	corrected, err := by(p)
	for i, c := range all {
		if err == nil {
			c.Corrected = report.Number(corrected[i])
		}
	}
}

// plansMixed reports whether the plan declared the mixed model.
func (a *Analysis) plansMixed() bool { return a != nil && a.Model == session.ModelMixed }

// mixed reports whether the mixed model decides: if the plan declares it, or sessions are unequal. Means of unequal
// sessions are of different precision, and of other tasks where testers leave after failures, which the model, of
// single results, allows for.
func (c *Compared) mixed(plan *Analysis) bool {
	return c.General != nil && (c.Unequal || plan.plansMixed())
}

// judged returns the difference by the model that decides.
func (c *Compared) judged(plan *Analysis) *report.Estimate {
	if c.mixed(plan) {
		return &c.General.Difference
	}
	return &c.Difference
}

// declared returns the p-value of the model that decides.
func (c *Compared) declared(plan *Analysis) report.Number {
	if c.mixed(plan) {
		return c.General.P
	}
	return c.P
}

// words describes the correction.
func (f Family) words() string {
	if f.Method == session.FamilyBH {
		return "Benjamini and Hochberg's method, which bounds the share of false findings"
	}
	return "Holm's method, which bounds the chance of any false finding"
}
