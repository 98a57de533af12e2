package sessions

import (
	"cmp"
	"maps"
	"slices"

	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// ModelTokens is what the answers of one model took, over all tasks, practice included.
type ModelTokens struct {
	Model string `json:"model"` // as the table of sessions has it
	session.Account
}

// accounts are the columns of a session's account.
var accounts = []struct {
	name, meaning string
	of            func(*session.Account) int64
}{
	{"answers", "answers received, reflections included", func(a *session.Account) int64 { return int64(a.Answers) }},
	{"answers_uncounted", "of these, answers whose tokens the server did not count", func(a *session.Account) int64 { return int64(a.Uncounted) }},
	{"input_tokens", "tokens that the model read", func(a *session.Account) int64 { return a.Input }},
	{"cached_tokens", "of these, tokens from the server's cache", func(a *session.Account) int64 { return a.Cached }},
	{"output_tokens", "tokens that the model wrote", func(a *session.Account) int64 { return a.Output }},
	{"reasoning_tokens", "of these, tokens of thinking", func(a *session.Account) int64 { return a.Reasoning }},
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

// checkTokens compares the tokens of each model with the table of sessions.
func checkTokens(r *Report, c *report.Check, sessions report.Rows) {
	sums := map[string]map[string]int{}
	for row := range sessions {
		if row.Text("answers") == "" {
			continue
		}
		model := row.Text("model")
		if sums[model] == nil {
			sums[model] = map[string]int{}
		}
		for _, a := range accounts {
			sums[model][a.name] += int(row.Number(a.name))
		}
	}
	for _, t := range r.Tokens {
		for _, a := range accounts {
			c.Equal(a.name+" of "+t.Model, sums[report.CSVCell(t.Model)][a.name], int(a.of(&t.Account)))
		}
	}
	if len(sums) != len(r.Tokens) {
		c.Fault("the table of sessions has tokens of %d models, the report of %d", len(sums), len(r.Tokens))
	}
}

// tokens writes what the answers of each model took.
func (w *writer) tokens(in *doc.Section) {
	if len(w.Tokens) == 0 {
		return
	}
	t := in.Section("tokens", "Tokens").Table("tokens", "Tokens, as servers count them", doc.Left("model"), doc.Right("answers"), doc.Right("not counted"),
		doc.Right("read"), doc.Right("from the cache"), doc.Right("written"), doc.Right("thinking"))
	for i := range w.Tokens {
		m := &w.Tokens[i]
		t.Row(doc.Name(cmp.Or(m.Model, "(none)")), w.d.Count(&m.Answers), w.d.Count(&m.Uncounted), w.d.Count(&m.Input), w.d.Count(&m.Cached), w.d.Count(&m.Output), w.d.Count(&m.Reasoning))
	}
	t.Note("Over all tasks, practice included. Thinking is a part of what is written, and what the cache had a part of what is read; the other numbers miss answers that were not counted.")
}
