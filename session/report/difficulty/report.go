package difficulty

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/scoring/quality"
	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/session/report"
)

// FormatVersion is the version of the JSON form.
const FormatVersion = 3

// Report is the report of one or two analyses. Its JSON form is the file report.json.
type Report struct {
	Format   int                    `json:"assay_difficulty_report"`
	Title    string                 `json:"title"`
	Level    float64                `json:"confidence"` // of every interval
	Analyses []*difficulty.Analysis `json:"analyses"`   // one or two
	Views    []View                 `json:"views"`      // what is shown of each
	Compared *Comparison            `json:"comparison,omitempty"`
	Checks   []report.Check         `json:"checks"`
}

// View is what is shown of one analysis.
type View struct {
	Tasks       int `json:"tasks"`
	Respondents int `json:"respondents"`
	Suspects    int `json:"suspects"`
	Noise       int `json:"noise"`
	NoTopic     int `json:"no_topic"`
	Subset      int `json:"subset"`
	ChosenBy    int `json:"chosen_by"`
	Random      int `json:"random_subsets"`
	Erratic     int `json:"erratic_tasks"` // whose outfit is above Misfit
	Constant    int `json:"constant"`      // tasks to which all responses are the same

	Shown    []int     `json:"shown"`    // the respondents of figures and tables that have no room for all, from 0
	Expected []Spread  `json:"expected"` // of each respondent
	Ability  float64   `json:"mean_ability"`
	Peak     Told      `json:"most_information"`
	Reach    Told      `json:"information_at_mean_ability"`
	Patterns []Pattern `json:"patterns,omitempty"`  // of constructs over all models
	Drawn    *Drawn    `json:"estimated,omitempty"` // if people estimated some of the tasks
}

// Told is the test information at an ability.
type Told struct {
	Ability     float64 `json:"ability"`
	Information float64 `json:"information"`
}

// Spread is how many of the tasks are nearly certain to be failed, open, and nearly certain
// to be solved by a respondent.
type Spread struct {
	Hard   float64 `json:"at_most_10"`  // share of tasks with an expected score of at most 0.1
	Open   float64 `json:"40_to_60"`    // from 0.4 to 0.6
	Easy   float64 `json:"at_least_90"` // of at least 0.9
	Median float64 `json:"median"`
}

// Pattern is the association of a construct with the parameters of tasks over all models.
type Pattern struct {
	Construct      quality.Construct `json:"construct"`
	Difficulty     Across            `json:"difficulty"`
	Discrimination Across            `json:"discrimination"`
}

// Across counts models.
type Across struct {
	Models int     `json:"models"`     // that use it
	Median float64 `json:"median_tau"` // over the models
	Up     int     `json:"up"`         // models with a positive tau and a corrected p below Alpha
	Down   int     `json:"down"`       // with a negative one
	Apart  int     `json:"ad"`         // models whose halves differ, by the corrected p
}

// Thresholds.
const (
	Alpha  = 0.05 // of corrected p-values
	Misfit = 1.5  // outfit above which a task is erratic
)

// mostShown is how many respondents figures and tables have room for.
const mostShown = 6

// Options are the optional parts of a report.
type Options struct {
	Title  string
	Apart  string   // why two analyses were not calibrated together; empty: they were, or it was not tried
	Models []string // the respondents of the figures and tables that have no room for all; none: they are chosen from the ablest to the least able
}

// Build makes the report of one or two analyses. It returns an error if a named respondent is in neither, or if
// more are named than figures have room for.
func Build(analyses []*difficulty.Analysis, o Options) (*Report, error) {
	if len(analyses) < 1 || len(analyses) > 2 {
		return nil, fmt.Errorf("a report is of one analysis or of two, not of %d", len(analyses))
	}
	r := &Report{Format: FormatVersion, Title: cmp.Or(o.Title, title(analyses)), Level: report.Confidence, Analyses: analyses, Views: []View{}, Checks: []report.Check{}}
	if len(o.Models) > mostShown {
		return nil, fmt.Errorf("%d models are named, and figures and tables have room for %d", len(o.Models), mostShown)
	}
	for _, name := range o.Models {
		if !slices.ContainsFunc(analyses, func(a *difficulty.Analysis) bool { return place(a, name) >= 0 }) {
			return nil, fmt.Errorf("there is no respondent %q", name)
		}
	}
	for _, a := range analyses {
		if err := a.Whole(); err != nil {
			return nil, fmt.Errorf("the analysis of %s cannot be reported: %w", a.Source.Name, err)
		}
		v, err := view(a, o.Models)
		if err != nil {
			return nil, err
		}
		r.Views = append(r.Views, v)
	}
	if len(analyses) == 2 {
		c, err := compare(analyses[0], analyses[1], o.Apart)
		if err != nil {
			return nil, err
		}
		r.Compared = c
	}
	r.Checks = r.checkData()
	return r, nil
}

func title(analyses []*difficulty.Analysis) string {
	text := "Task difficulty: " + analyses[0].Source.Name
	if len(analyses) == 2 {
		text += " and " + analyses[1].Source.Name
	}
	return text
}

func place(a *difficulty.Analysis, respondent string) int {
	return slices.IndexFunc(a.Respondents, func(r difficulty.Respondent) bool { return r.Name == respondent })
}

// view computes what is shown of an analysis.
func view(a *difficulty.Analysis, named []string) (View, error) {
	v := View{Tasks: len(a.Tasks), Respondents: len(a.Respondents), NoTopic: len(a.NoTopic), Shown: shown(a, named), Drawn: drawnOf(a)}
	for j, t := range a.Tasks {
		if !a.Varies(j) {
			v.Constant++
		}
		switch t.Kind {
		case difficulty.Suspect:
			v.Suspects++
		case difficulty.Chance:
			v.Noise++
		}
		if t.Outfit > Misfit {
			v.Erratic++
		}
	}
	if s := a.Subset; s != nil {
		v.Subset, v.ChosenBy = len(s.IDs), len(s.ChosenBy)
		if s.Ranking != nil {
			v.Random = len(s.Ranking.Random)
		}
	}
	for i := range a.Respondents {
		s, err := spreadOf(a.Respondents[i].Expected)
		if err != nil {
			return View{}, err
		}
		v.Expected = append(v.Expected, s)
		v.Ability += a.Respondents[i].Ability.Value / float64(len(a.Respondents))
	}
	for i, x := range a.Abilities {
		here := Told{x, a.Information[i]}
		if here.Information > v.Peak.Information {
			v.Peak = here
		}
		if math.Abs(x-v.Ability) < math.Abs(v.Reach.Ability-v.Ability) || i == 0 {
			v.Reach = here
		}
	}
	if a.Constructs != nil {
		var err error
		if v.Patterns, err = Patterns(a.Constructs); err != nil {
			return View{}, err
		}
	}
	return v, nil
}

// shown returns the respondents that are named, or as many as have room, from the ablest to the
// least able at equal distances.
func shown(a *difficulty.Analysis, named []string) []int {
	all := []int{}
	for _, name := range named {
		if i := place(a, name); i >= 0 && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	if len(all) > 0 {
		slices.Sort(all)
		return all
	}
	n := min(mostShown, len(a.Respondents))
	for k := range n {
		all = append(all, k*(len(a.Respondents)-1)/max(n-1, 1))
	}
	return all
}

func spreadOf(expected []float64) (Spread, error) {
	var s Spread
	n := float64(len(expected))
	for _, p := range expected {
		switch {
		case p <= 0.1:
			s.Hard += 1 / n
		case p >= 0.9:
			s.Easy += 1 / n
		case p >= 0.4 && p <= 0.6:
			s.Open += 1 / n
		}
	}
	var err error
	s.Median, err = stats.Quantile(expected, 0.5, stats.Linear)
	return s, err
}

// Patterns summarises constructs over the models.
func Patterns(c *difficulty.Constructs) ([]Pattern, error) {
	across := func(rows []difficulty.ConstructRow, of quality.Construct) (x Across, err error) {
		var taus []float64
		for _, row := range rows {
			if row.Construct != of {
				continue
			}
			x.Models++
			taus = append(taus, row.Tau)
			switch {
			case row.Holm < Alpha && row.Tau > 0:
				x.Up++
			case row.Holm < Alpha && row.Tau < 0:
				x.Down++
			}
			if row.ADHolm < Alpha {
				x.Apart++
			}
		}
		if x.Models > 0 {
			x.Median, err = stats.Quantile(taus, 0.5, stats.Linear)
		}
		return x, err
	}
	var all []Pattern
	for _, construct := range quality.AllConstructs() {
		p := Pattern{Construct: construct}
		var err error
		if p.Difficulty, err = across(c.Difficulty, construct); err != nil {
			return nil, err
		}
		if p.Discrimination, err = across(c.Discrimination, construct); err != nil {
			return nil, err
		}
		if p.Difficulty.Models+p.Discrimination.Models > 0 {
			all = append(all, p)
		}
	}
	return all, nil
}
