package sessions

import (
	"cmp"
	"maps"
	"slices"

	"assay/session/report"
	doc "assay/session/report/document"
)

// ModelTokens is what the answers of one model took, over all tasks, practice included.
type ModelTokens struct {
	Model string `json:"model"` // as the table of sessions has it
	report.Spent
}

// tokensOf sums the accounts of sessions by model.
func tokensOf(sessions []Header) []ModelTokens {
	sums := map[string]*ModelTokens{}
	for _, h := range sessions {
		if h.Account == nil {
			continue
		}
		if sums[h.Model] == nil {
			sums[h.Model] = &ModelTokens{Model: h.Model}
		}
		sums[h.Model].Add(*h.Account)
	}
	var list []ModelTokens
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, *sums[name])
	}
	return list
}

// checkTokens computes what each model took again from the table of sessions.
func checkTokens(r *Report, c *report.Check, sessions report.Rows) {
	sums := map[string]*report.Spent{}
	for row := range sessions {
		spent := report.SpentIn(row)
		if spent == nil {
			continue
		}
		model := row.Text("model")
		if sums[model] == nil {
			sums[model] = &report.Spent{}
		}
		sums[model].Add(*spent)
	}
	for i := range r.Tokens {
		t := &r.Tokens[i]
		again := sums[report.CSVCell(t.Model)]
		if again == nil {
			c.Fault("the table of sessions has no tokens of %s", t.Model)
			continue
		}
		for _, n := range report.Counts() {
			c.Equal(n.Name+" of "+t.Model, int(n.Of(&again.Account)), int(n.Of(&t.Account)))
		}
		switch {
		case (again.Cost == nil) != (t.Cost == nil) || t.Cost != nil && again.Cost.Price != t.Cost.Price:
			c.Fault("the prices of %s are others in the table of sessions", t.Model)
		case t.Cost != nil:
			c.Near("cost of "+t.Model, report.Number(t.Cost.Amount), again.Cost.Amount)
		}
	}
	if len(sums) != len(r.Tokens) {
		c.Fault("the table of sessions has tokens of %d models, the report of %d", len(sums), len(r.Tokens))
	}
}

// tokens writes what the answers of each model took.
func (w *writer) tokens(in *doc.Section) {
	known := slices.ContainsFunc(w.Tokens, func(t ModelTokens) bool { return t.Uncounted < t.Answers })
	if !known || !w.comparable() { // the answers are attempts
		return
	}
	var rows []report.NamedSpent
	for i := range w.Tokens {
		rows = append(rows, report.NamedSpent{Name: cmp.Or(w.Tokens[i].Model, "(none)"), Spent: &w.Tokens[i].Spent})
	}
	report.WriteSpent(in, w.d, "model", rows, "Over all tasks, practice included. Thinking is a part of what is written, and what the cache had a part of what is read; the other numbers miss answers that were not counted.")
}
