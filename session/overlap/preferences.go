package overlap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/scoring/pairs"
	"assay/scoring/stats"
)

// Preferences is what judgements of which of two answers is better say of the models that gave them.
type Preferences struct {
	Models     []ModelRate `json:"models"`     // by win rate
	Matrix     []PairRate  `json:"matrix"`     // each model against each other one
	Scale      PairScale   `json:"scale"`      // of strengths
	Style      PairScale   `json:"style"`      // the same with covariates: side, length, and where they differ format and speed
	ByRater    bool        `json:"by_rater"`   // errors are clustered by rater as well as by task; false: there are too few raters, and the numbers speak of these only
	Conclusion string      `json:"conclusion"` // a sentence that claims no more than the intervals
}

// ModelRate is how often the answers of a model are better than those of others.
type ModelRate struct {
	Model      string          `json:"model"`      // its name
	Judgements int             `json:"judgements"` // of its answers
	Wins       int             `json:"wins"`       // judgements that its answer is better
	Losses     int             `json:"losses"`     // judgements that the other answer is better
	Ties       int             `json:"ties"`       // judgements that both are equal
	Neither    int             `json:"neither"`    // judgements that no answer is usable; a tie in the rate
	Rate       float64         `json:"win_rate"`   // ties count one half
	Range      *stats.Interval `json:"range"`      // null: fewer than 5 tasks
	HowMuch    *HowMuch        `json:"how_much"`   // null: nobody said how much
}

// HowMuch is how much better a model's answers are.
type HowMuch struct {
	Judgements int             `json:"judgements"` // that say how much, and ties
	Mean       float64         `json:"mean"`       // from -3, far worse, to 3, far better; ties are 0
	Range      *stats.Interval `json:"range"`      // null: fewer than 5 tasks
}

// PairRate is the win rate of a model against another one.
type PairRate struct {
	Against string `json:"against"` // the other model
	ModelRate
}

// PairScale is a fit of Davidson's model.
type PairScale struct {
	Problem string     `json:"problem,omitempty"` // why there is none
	Equal   string     `json:"equal,omitempty"`   // what is equal where covariates are 0: "side and length"; absent: there are none
	Models  []Strength `json:"models"`            // by strength
	Tie     float64    `json:"tie"`               // the parameter ν of ties
	Effects []Effect   `json:"effects"`           // of covariates
}

// Strength is a model's place on the scale.
type Strength struct {
	Model    string          `json:"model"`     // its name
	Strength float64         `json:"strength"`  // logits, minus the mean of all models
	Range    *stats.Interval `json:"range"`     // of this model alone
	Rank     int             `json:"rank"`      // by strength, from 1
	RankLow  int             `json:"rank_low"`  // the best rank that the data leave, for all models together
	RankHigh int             `json:"rank_high"` // the worst one
}

// Effect is the effect of a covariate on the log odds of the left answer.
type Effect struct {
	Name  string          `json:"name"`  // of the covariate
	Value float64         `json:"value"` // logits for one unit
	Range *stats.Interval `json:"range"` // null: it has no error
}

// Prefer computes what judgements of models' answers say of the models. Their covariates are those of [Style], or the first
// of them.
func Prefer(models []string, list []pairs.Judgement) (Preferences, error) {
	p := Preferences{Matrix: []PairRate{}, ByRater: pairs.ByRater(list)}
	var err error
	if p.Models, err = ranked(models, list); err != nil {
		return p, err
	}
	for i, name := range models {
		for j := range models {
			if i == j {
				continue
			}
			against, err := rate(models, list, j, i)
			if err != nil {
				return p, err
			}
			if against.Judgements > 0 {
				p.Matrix = append(p.Matrix, PairRate{name, against})
			}
		}
	}
	p.Scale, p.Style = scale(models, list, nil), scale(models, list, varying(list))
	p.Conclusion = p.conclude()
	return p, nil
}

// ranked returns the win rates of all models, the highest first.
func ranked(names []string, list []pairs.Judgement) ([]ModelRate, error) {
	models := []ModelRate{}
	for i := range names {
		r, err := rate(names, list, i, -1)
		if err != nil {
			return nil, err
		}
		models = append(models, r)
	}
	slices.SortStableFunc(models, func(a, b ModelRate) int { return cmp.Compare(b.Rate, a.Rate) })
	return models, nil
}

// rate returns the win rate of a model against another one, or against all for other -1.
func rate(names []string, list []pairs.Judgement, model, other int) (ModelRate, error) {
	r, err := pairs.WinRate(list, model, other, confidence)
	if err != nil {
		return ModelRate{}, err
	}
	m := ModelRate{names[model], r.Judgements, r.Wins, r.Losses, r.Ties, r.Neither, r.Rate, r.Interval, nil}
	if slices.ContainsFunc(list, func(j pairs.Judgement) bool { return j.Much > 0 }) {
		g, err := pairs.HowMuch(list, model, other, confidence)
		if err != nil {
			return m, err
		}
		m.HowMuch = &HowMuch{g.Judgements, g.Mean, g.Interval}
	}
	return m, nil
}

// scale fits Davidson's model, or says why it cannot be fitted.
func scale(names []string, list []pairs.Judgement, kept []int) PairScale {
	out := PairScale{Equal: alike(kept), Models: []Strength{}, Effects: []Effect{}}
	s, err := pairs.Fit(len(names), styled(list, kept), confidence)
	if out.Problem = noScale(err); len(names) < 2 {
		out.Problem = "all answers are of one model"
	}
	if out.Problem != "" {
		return out
	}
	out.Tie = s.Tie
	for i, name := range names {
		r := s.Ranks[i]
		out.Models = append(out.Models, Strength{name, s.Strength[i].Value, ranged(s.Strength[i]), r.Rank, r.Low, r.High})
	}
	slices.SortStableFunc(out.Models, func(a, b Strength) int { return cmp.Compare(b.Strength, a.Strength) })
	for i, e := range s.Effects {
		out.Effects = append(out.Effects, Effect{covariates()[kept[i]].name, e.Value, ranged(e)})
	}
	return out
}

// noScale says why there is no scale; "" for nil.
func noScale(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, stats.ErrTooFew):
		return "there are too few judgements or tasks"
	case errors.Is(err, stats.ErrNoVariation):
		return "the covariates tell who wins"
	}
	return err.Error()
}

func ranged(c stats.Contrast) *stats.Interval {
	iv, err := c.Interval(confidence)
	if err != nil {
		return nil
	}
	return &iv
}

// conclude returns the conclusion: it claims what holds for all models together at the confidence, and no more.
func (p *Preferences) conclude() string {
	var claims []string
	for _, m := range p.Scale.Models {
		switch {
		case m.RankLow == 1 && m.RankHigh == 1:
			claims = append(claims, m.Model+" is preferred to each other model")
		case m.RankHigh < len(p.Scale.Models) && m.RankLow == 1:
			claims = append(claims, fmt.Sprintf("%s is preferred to %d of the %d others", m.Model, len(p.Scale.Models)-m.RankHigh, len(p.Scale.Models)-1))
		case m.RankLow > 1 && m.RankLow == m.RankHigh:
			claims = append(claims, fmt.Sprintf("%s ranks %d", m.Model, m.RankLow))
		case m.RankLow > 1:
			claims = append(claims, fmt.Sprintf("%s ranks %d to %d", m.Model, m.RankLow, m.RankHigh))
		}
	}
	who := "People"
	if !p.ByRater {
		who = "These people"
	}
	switch {
	case p.Scale.Problem != "":
		return "The judgements give no scale: " + p.Scale.Problem + "."
	case len(claims) == 0:
		return "The judgements show no model to be better than another: every rank is open for each."
	}
	return fmt.Sprintf("%s, of these %d models: %s (all together at %g %%).", who, len(p.Scale.Models), strings.Join(claims, "; "), 100*confidence)
}
