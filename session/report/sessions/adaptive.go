package sessions

import (
	"cmp"
	"fmt"
	"strconv"

	"assay/scoring/irt/adaptive"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Ability is the result of an adaptive session: the ability of its tester with its model.
type Ability struct {
	Session     string          `json:"session"`        // id
	Participant int             `json:"participant"`    // number of the person in this report; 0 of a program
	Tester      string          `json:"tester"`         // a pseudonym
	Arm         string          `json:"arm"`            // of the study
	Model       string          `json:"model"`          // as the study calls it
	Response    string          `json:"response"`       // what counts as right: "solved", "first" or "satisfied"
	Items       string          `json:"items"`          // the results that the tasks were calibrated with
	Tasks       int             `json:"tasks"`          // chosen
	Responses   int             `json:"responses"`      // of them, those with a known response
	Value       report.Number   `json:"ability"`        // in standard deviations of the calibrating respondents, around their mean
	SE          report.Number   `json:"se"`             // its standard error
	Interval    *stats.Interval `json:"interval"`       // of the ability, at 95 %
	Score       report.Number   `json:"score"`          // the share of right responses over all tasks that could be chosen
	ScoreRange  *stats.Interval `json:"score_interval"` // of the score, at 95 %
	Pool        int             `json:"pool"`           // tasks that could be chosen
	End         string          `json:"end"`            // why the test ended: "precise", "longest" or "none_left"; "": it did not
	Needed      int             `json:"needed"`         // tasks drawn at random that would give the same precision; the pool where it is too small
	Enough      bool            `json:"enough"`         // the pool has as many
}

// abilitiesOf returns the estimates of the adaptive sessions.
func abilitiesOf(logs []folded) ([]Ability, error) {
	all := []Ability{}
	for i := range logs {
		f := &logs[i]
		if f.withdrawn() {
			continue
		}
		a, err := f.state.Ability()
		if err != nil {
			return nil, fmt.Errorf("session %s: the ability cannot be estimated: %w", f.state.Session, err)
		}
		if f.ability = a; a == nil {
			continue
		}
		h := f.header
		all = append(all, Ability{
			Session: h.ID, Participant: h.Participant, Tester: h.Tester, Arm: h.Study.Arm, Model: h.modelName(),
			Response: string(f.state.Plan.Adaptive.Solved), Items: clean(f.state.Plan.Adaptive.Items), Tasks: a.Asked, Responses: a.Known,
			Value: report.Number(a.Ability), SE: report.Number(a.SE), Interval: &a.Interval,
			Score: report.Number(a.Total.Score), ScoreRange: &a.Total.Interval,
			Pool: a.Pool, End: string(a.End), Needed: a.Needed, Enough: a.Enough,
		})
	}
	return all, nil
}

// choiceRow is a choice of an adaptive test.
type choiceRow struct {
	in *folded
	n  int
	session.TaskChosen
}

// choicesTable has one row for each choice of an adaptive test.
func choicesTable(logs []folded) (report.Table, bool) {
	var all []choiceRow
	for i := range logs {
		if !logs[i].withdrawn() {
			for n, c := range logs[i].state.Choices {
				all = append(all, choiceRow{&logs[i], n + 1, c})
			}
		}
	}
	decimal := func(name, meaning string, value func(choiceRow) float64) report.ColumnOf[choiceRow] {
		return report.NewColumn(name, "decimal", meaning, func(r choiceRow) string {
			return strconv.FormatFloat(value(r), 'g', 10, 64)
		})
	}
	item := func(name, meaning string, value func(adaptive.Item) float64) report.ColumnOf[choiceRow] {
		meaning = cmp.Or(meaning, "of the same curve")
		return report.NewColumn(name, "decimal", meaning, func(r choiceRow) string {
			if r.Index < 0 {
				return ""
			}
			return strconv.FormatFloat(value(*r.in.state.Plan.Tasks[r.Index].Item), 'g', -1, 64)
		})
	}
	table := report.TableOf("choices", "One row for each choice of an adaptive test, with its reason", []report.ColumnOf[choiceRow]{
		report.Text("session", "id of the session", func(r choiceRow) string { return clean(r.in.state.Session) }),
		report.Integer("choice", "", "number of the choice, from 1", func(r choiceRow) (int64, bool) { return int64(r.n), true }),
		report.Text("task", "id of the task; empty: the test ended", func(r choiceRow) string { return clean(r.Task) }),
		decimal("ability", "estimate before the choice", func(r choiceRow) float64 { return r.Estimate.Ability }),
		decimal("se", "its standard error", func(r choiceRow) float64 { return r.Estimate.SE }),
		decimal("information", "that the task was expected to give", func(r choiceRow) float64 { return r.Information }),
		report.Integer("rank", "", "of this information among the candidates; empty: the test ended", func(r choiceRow) (int64, bool) { return int64(r.Rank), r.Rank > 0 }),
		report.Integer("candidates", "", "tasks that could be chosen; empty: the test ended", func(r choiceRow) (int64, bool) { return int64(r.Candidates), r.Candidates > 0 }),
		item("slope", "of the task's curve: the logit of a right response is intercept + slope · ability", func(i adaptive.Item) float64 { return i.Slope }),
		item("intercept", "", func(i adaptive.Item) float64 { return i.Intercept }),
		item("slope_se", "standard error of the slope", func(i adaptive.Item) float64 { return i.SlopeSE }),
		item("intercept_se", "of the intercept", func(i adaptive.Item) float64 { return i.InterceptSE }),
		item("correlation", "of both errors", func(i adaptive.Item) float64 { return i.Correlation }),
		report.Boolean("right", "1 for a right response, 0 for a wrong one; empty: not known, or the test ended", func(r choiceRow) (value, known bool) {
			if r.Index < 0 {
				return false, false
			}
			return r.in.state.Plan.Adaptive.Response(&r.in.state.Tasks[r.Index])
		}),
		report.Text("end", "why the test ended; empty: it went on", func(r choiceRow) string { return string(r.End) }),
	}, func(yield func(choiceRow) bool) {
		for _, r := range all {
			if !yield(r) {
				return
			}
		}
	})
	return table, len(all) > 0
}

// checkChoices compares the abilities with the table of choices.
func checkChoices(r *Report, c *report.Check, table report.Rows) {
	if len(r.Abilities) == 0 {
		return
	}
	tasks, responses, ends := map[string]int{}, map[string]int{}, map[string]string{}
	for row := range table {
		id := row.Text("session")
		if row.Text("task") == "" {
			ends[id] = row.Text("end")
			continue
		}
		tasks[id]++
		if row.Text("right") != "" {
			responses[id]++
		}
	}
	for _, a := range r.Abilities {
		id := report.CSVCell(a.Session)
		c.Equal("tasks chosen in session "+a.Session, tasks[id], a.Tasks)
		c.Compared++
		if ends[id] != a.End {
			c.Fault("session %s: the table of choices ends with %q, not %q", a.Session, ends[id], a.End)
		}
		c.Equal("known responses in session "+a.Session, responses[id], a.Responses)
	}
}

// testEnds are the reasons for the end of a test in words.
var testEnds = map[string]string{
	string(adaptive.Precise): "precise enough", string(adaptive.Longest): "longest", string(adaptive.NoneLeft): "no task left", "": "not ended",
}

// abilities puts the adaptive tests into words.
func (w *writer) abilities(s *doc.Section) {
	s.Text("Each task was chosen by the responses so far, as the one that tells most about the tester's ability with the model. Abilities are in standard deviations of the respondents that the tasks were calibrated with (",
		doc.Name(w.Abilities[0].Items), "), around their mean. Scores are estimated for all tasks that could be chosen.")
	t := s.Table("abilities", "Abilities by adaptive tests", doc.Left("tester"), doc.Left("arm"), doc.Right("ability"), doc.Right("95 % CI"), doc.Right("SE"),
		doc.Right("tasks"), doc.Left("end"), doc.Right("score, %"), doc.Right("95 % CI"), doc.Right("tasks at random"))
	for i := range w.Abilities {
		a := &w.Abilities[i]
		needed := []any{w.d.Count(&a.Needed)}
		if !a.Enough {
			needed = []any{"more than ", w.d.Count(&a.Needed)}
		}
		name := cmp.Or(a.Tester, a.Session)
		arm := cmp.Or(a.Arm, a.Model)
		t.Row(doc.Name(name), doc.Name(arm), w.d.Num(&a.Value, 2), w.d.Range(a.Interval, 1, 2), w.d.Num(&a.SE, 2), w.d.Count(&a.Tasks), testEnds[a.End],
			w.d.Percent(&a.Score, 0), w.d.Range(a.ScoreRange, 100, 0), needed)
	}
	t.Note("The posterior mean and standard deviation of the two-parameter logistic model with uncertain items (expected response functions), and its quantiles; a right response is \"", doc.Name(w.Abilities[0].Response),
		"\". The last column is how many tasks, drawn at random from the same ones, would give this standard error. Means over tasks, elsewhere in this report, are of other tasks for each tester.")
}
