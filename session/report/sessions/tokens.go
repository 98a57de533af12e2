package sessions

import (
	"cmp"
	"maps"
	"slices"

	"assay/scoring/stats"
	"assay/session/report"
	doc "assay/session/report/document"
)

// ModelTokens is what the answers of one model took, over all tasks, practice included.
type ModelTokens struct {
	Model string `json:"model"` // as the table of sessions has it
	report.Spent
	Agent *AgentWork `json:"agent,omitempty"` // absent: no agent told its steps
}

// AgentWork is what agents did for their answers, as far as they told, practice included.
type AgentWork struct {
	Answers   int           `json:"answers"`    // whose steps are known
	Steps     report.Number `json:"steps"`      // mean number of answers of the agent's model
	ToolCalls report.Number `json:"tool_calls"` // mean number of uses of tools
}

// agentWork returns the means of answers' steps and uses of tools; nil without answers.
func agentWork(steps, calls []float64) *AgentWork {
	if len(steps) == 0 {
		return nil
	}
	return &AgentWork{len(steps), report.Number(stats.Mean(steps)), report.Number(stats.Mean(calls))}
}

// tokensOf sums the accounts of sessions by model.
func tokensOf(logs []folded, layout int) []ModelTokens {
	sums, steps, calls := map[string]*ModelTokens{}, map[string][]float64{}, map[string][]float64{}
	for i := range logs {
		h := &logs[i].header
		if h.Account == nil {
			continue
		}
		if sums[h.Model] == nil {
			sums[h.Model] = &ModelTokens{Model: h.Model}
		}
		sums[h.Model].Add(*h.Account)
		for _, t := range logs[i].state.Tasks {
			for _, attempt := range t.Attempts {
				if a := attempt.Answer; layout > 3 && a != nil && a.Steps > 0 {
					steps[h.Model], calls[h.Model] = append(steps[h.Model], float64(a.Steps)), append(calls[h.Model], float64(a.ToolCalls))
				}
			}
		}
	}
	var list []ModelTokens
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		sums[name].Agent = agentWork(steps[name], calls[name])
		list = append(list, *sums[name])
	}
	return list
}

// checkTokens computes what each model took, and what its agents did, again from the tables of sessions and attempts.
func checkTokens(r *Report, c *report.Check, tables map[string]report.Rows) {
	sums, models := map[string]*report.Spent{}, map[string]string{}
	for row := range tables["sessions"] {
		spent := report.SpentIn(row)
		if spent == nil {
			continue
		}
		model := row.Text("model")
		models[row.Text("session")] = model
		if sums[model] == nil {
			sums[model] = &report.Spent{}
		}
		sums[model].Add(*spent)
	}
	steps, calls := map[string][]float64{}, map[string][]float64{}
	for row := range tables["attempts"] {
		if row.Text("agent_steps") != "" {
			model := models[row.Text("session")]
			steps[model], calls[model] = append(steps[model], row.Number("agent_steps")), append(calls[model], row.Number("agent_tool_calls"))
		}
	}
	for i := range r.Tokens {
		t := &r.Tokens[i]
		if found := agentWork(steps[report.CSVCell(t.Model)], calls[report.CSVCell(t.Model)]); r.Layout > 3 {
			c.Compared++
			if (found == nil) != (t.Agent == nil) || found != nil && *found != *t.Agent {
				c.Fault("what agents did with %s is otherwise in the table of attempts", t.Model)
			}
		}
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

// agents writes what agents did for the answers of each model.
func (w *writer) agents(in *doc.Section) {
	if w.Layout < 4 || !slices.ContainsFunc(w.Tokens, func(t ModelTokens) bool { return t.Agent != nil }) {
		return
	}
	t := in.Section("agents", "Work of agents").Table("agents", "Steps of agents for an answer", doc.Left("model"), doc.Right("answers"), doc.Right("steps, mean"), doc.Right("uses of tools, mean"))
	for i := range w.Tokens {
		if a := w.Tokens[i].Agent; a != nil {
			t.Row(doc.Name(w.Tokens[i].Model), w.d.Count(&a.Answers), w.d.Num(&a.Steps, 1), w.d.Num(&a.ToolCalls, 1))
		}
	}
	t.Note("Over all answers of which an agent told its steps, practice included: a step is an answer of the agent's model. Each attempt's steps are in the table of attempts.")
}
