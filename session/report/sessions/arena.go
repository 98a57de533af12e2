package sessions

import (
	"cmp"
	"slices"
	"strconv"

	"assay/scoring/pairs"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/overlap"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Arena is which answers testers preferred while two models answered each of their prompts.
type Arena struct {
	Sessions int `json:"sessions"` // in which two models answered
	Testers  int `json:"testers"`  // who compared answers
	Tasks    int `json:"tasks"`    // different tasks with a comparison
	Picks    int `json:"picks"`    // comparisons, in analysed tasks; a task may have one for each attempt
	overlap.Preferences
	Seconds *report.Number `json:"comparison_median_s,omitempty"` // median seconds from both answers to the pick, without pauses; absent: nothing was compared
	Left    overlap.Share  `json:"left"`                          // comparisons with a better answer, in favour of side A
	Wrong   overlap.Share  `json:"wrong"`                         // comparisons with a better answer of an accepted and a failed one, in favour of the failed one
	Answers []ArenaModel   `json:"answers"`                       // of each model, picked or not
}

// ArenaModel is what the answers of a model took and achieved, picked or not.
type ArenaModel struct {
	Model    string        `json:"model"`            // its name
	Answers  int           `json:"answers"`          // compared
	Judged   int           `json:"judged"`           // by tests
	Accepted int           `json:"accepted"`         // by the tests
	Seconds  report.Number `json:"latency_median_s"` // median seconds from sending to the end of the answer
	Input    int64         `json:"input_tokens"`     // tokens read, as far as servers counted
	Output   int64         `json:"output_tokens"`    // tokens written, as far as servers counted
	Cost     report.Number `json:"cost_usd"`         // US dollars, as agents report them
}

// pickRow is a comparison of two answers.
type pickRow struct {
	in    *folded
	task  *session.Task
	index int // of the task, in the session
	*session.Attempt
	analysed bool
}

// model returns the name of the model on a side.
func (p pickRow) model(side session.Side) string {
	return clean(p.in.state.Plan.Arena.Models[p.Sent.Sides[side.Index()]].Name)
}

// picksOf lists the comparisons of sessions, practice and tasks without a result included.
func picksOf(logs []folded) (all []pickRow) {
	for i := range logs {
		f := &logs[i]
		if f.withdrawn() {
			continue
		}
		for j := range f.state.Tasks {
			t := &f.state.Tasks[j]
			for k := range t.Attempts {
				if a := &t.Attempts[k]; a.Picked != nil {
					all = append(all, pickRow{f, t, j, a, analysable(t)})
				}
			}
		}
	}
	return all
}

// arenaOf analyses the comparisons in analysed tasks; nil: there is no session with two models. early is of layouts before 4.
func arenaOf(logs []folded, results []result, texts Texts, early bool) (*Arena, error) {
	a := &Arena{Answers: []ArenaModel{}}
	for i := range logs {
		a.Sessions += int(one(logs[i].state.Plan.Arena != nil && !logs[i].withdrawn()))
	}
	if a.Sessions == 0 {
		return nil, nil
	}
	number := map[*session.Task]int{}
	for _, r := range results {
		number[r.Task] = r.task
	}
	picks := slices.DeleteFunc(picksOf(logs), func(p pickRow) bool { return !p.analysed })
	var models []string
	for _, p := range picks {
		for _, side := range session.Sides() {
			if name := p.model(side); !slices.Contains(models, name) {
				models = append(models, name)
			}
		}
	}
	slices.Sort(models)
	var list []pairs.Judgement
	var took []float64
	var err error
	testers, tasks := map[int]bool{}, map[int]bool{}
	for _, p := range picks {
		j := pairs.Judgement{A: slices.Index(models, p.model(session.SideA)), B: slices.Index(models, p.model(session.SideB)), Outcome: p.Picked.Outcome,
			Rater: p.in.tester, Task: number[p.task]}
		if j.Style, err = p.style(texts); err != nil {
			return nil, err
		}
		if early {
			j.Style = j.Style[:2]
		}
		list, took = append(list, j), append(took, seconds(p.comparing()))
		testers[j.Rater], tasks[j.Task] = true, true
		if j.Outcome.Decided() {
			a.Left.All++
			a.Left.N += int(one(j.Outcome == pairs.A))
		}
		a.Wrong.Against(p.verdict(session.SideA), p.verdict(session.SideB), j.Outcome)
	}
	a.Picks, a.Testers, a.Tasks = len(picks), len(testers), len(tasks)
	if !early && len(took) > 0 {
		a.Seconds = new(report.Number(stats.Median(took)))
	}
	for _, m := range models {
		a.Answers = append(a.Answers, answersOfModel(m, picks))
	}
	if a.Preferences, err = overlap.Prefer(models, list); early {
		a.Style.Equal = ""
	}
	return a, err
}

// comparing returns the milliseconds from both answers to the pick, without pauses and unobserved time.
func (p pickRow) comparing() int64 { return p.in.spent[p.index][p.N].comparing }

// style returns the covariates of the comparison; without texts answers have no marks.
func (p pickRow) style(texts Texts) ([]float64, error) {
	var shapes [2]overlap.Shape
	for i, side := range session.Sides() {
		answer := p.On(side).Answer
		shapes[i] = overlap.Shape{Bytes: answer.Bytes, MS: answer.LatencyMS}
		if texts == nil || answer.Answer == "" {
			continue
		}
		text, err := texts(answer.Answer)
		if err != nil {
			return nil, err
		}
		shapes[i].Marks = overlap.Marks(string(text))
	}
	return overlap.Style(shapes[0], shapes[1]), nil
}

// verdict returns the verdict on an answer, "" for one that tells nothing.
func (p pickRow) verdict(side session.Side) string {
	if v := p.On(side).Verdict; says(v) {
		return v.Verdict
	}
	return ""
}

func answersOfModel(name string, picks []pickRow) ArenaModel {
	m := ArenaModel{Model: name}
	var seconds []float64
	for _, p := range picks {
		for _, side := range session.Sides() {
			if p.model(side) != name {
				continue
			}
			answer := p.On(side).Answer
			m.Answers++
			m.Judged += int(one(p.verdict(side) != ""))
			m.Accepted += int(one(p.verdict(side) == "accepted"))
			m.Input, m.Output, m.Cost = m.Input+int64(answer.InputTokens), m.Output+int64(answer.OutputTokens), m.Cost+report.Number(answer.CostUSD)
			seconds = append(seconds, float64(answer.LatencyMS)/1000)
		}
	}
	m.Seconds = report.Number(stats.Median(seconds))
	return m
}

// picksTable has a row for each comparison.
func picksTable(logs []folded, timed bool) report.Table {
	word := report.Text[pickRow]
	columns := []report.ColumnOf[pickRow]{
		word("session", "id of the session", func(p pickRow) string { return clean(p.in.state.Session) }),
		word("task", "id of the task", func(p pickRow) string { return clean(p.task.ID) }),
		report.Integer("attempt", "", "number of the attempt, from 1", func(p pickRow) (int64, bool) { return int64(p.N), true }),
		word("analysed", "1 if the task has a result that is counted, else 0", func(p pickRow) string { return strconv.Itoa(int(one(p.analysed))) }),
		word("outcome", "which answer is better: a, b, equal or neither", func(p pickRow) string { return outcomeName(p.Picked.Outcome) }).OneOf("a", "b", "equal", "neither"),
		word("goes", "the side whose answer went on", func(p pickRow) string { return string(p.Picked.Goes) }).OneOf("a", "b"),
		word("side_by_side", "1 if both answers stood on the screen at once, else 0", func(p pickRow) string { return strconv.Itoa(int(one(p.Picked.Both))) }),
	}
	if timed {
		columns = append(columns, report.Integer("compare_ms", "ms", "from both answers to the pick, without pauses and unobserved time", func(p pickRow) (int64, bool) { return p.comparing(), true }))
	}
	for _, side := range session.Sides() {
		count := func(name, unit, meaning string, of func(*session.AnswerReceived) int64) report.ColumnOf[pickRow] {
			return report.Integer(name+"_"+string(side), unit, meaning, func(p pickRow) (int64, bool) { return of(p.On(side).Answer), true })
		}
		columns = append(columns,
			word("model_"+string(side), "name of the model on side "+string(side), func(p pickRow) string { return p.model(side) }),
			word("verdict_"+string(side), "verdict on its answer; empty: none", func(p pickRow) string {
				if v := p.On(side).Verdict; v != nil {
					return v.Verdict
				}
				return ""
			}).OneOf(verdictNames()...),
			count("bytes", "bytes", "length of its answer", func(a *session.AnswerReceived) int64 { return int64(a.Bytes) }),
			count("latency_ms", "ms", "from sending to the end of the answer", func(a *session.AnswerReceived) int64 { return a.LatencyMS }),
			count("input_tokens", "tokens", "read by the model; 0: not counted", func(a *session.AnswerReceived) int64 { return int64(a.InputTokens) }),
			count("output_tokens", "tokens", "written by the model; 0: not counted", func(a *session.AnswerReceived) int64 { return int64(a.OutputTokens) }),
			report.NewColumn("cost_usd_"+string(side), "decimal", "US dollars, as an agent reports them; 0: none", func(p pickRow) string {
				return strconv.FormatFloat(p.On(side).Answer.CostUSD, 'f', -1, 64)
			}))
	}
	return report.TableOf("picks", "One row for each comparison of the answers of two models to a prompt", columns, slices.Values(picksOf(logs)))
}

// outcomeName is an outcome as a table has it.
func outcomeName(o pairs.Outcome) string {
	return cmp.Or(map[pairs.Outcome]string{pairs.Equal: "equal", pairs.Neither: "neither"}[o], string(o))
}

// checkArena counts the comparisons again in their table.
func checkArena(r *Report, c *report.Check, picks report.Rows) {
	if r.Arena == nil {
		return
	}
	n, left, decided := 0, 0, 0
	wins := map[string]int{}
	for row := range picks {
		if !row.Is("analysed") {
			continue
		}
		n++
		if side := row.Text("outcome"); side == "a" || side == "b" {
			decided++
			left += int(one(side == "a"))
			wins[row.Text("model_"+side)]++
		}
	}
	a := r.Arena
	c.Equal("comparisons of two answers", n, a.Picks)
	c.Equal("comparisons with a better answer", decided, a.Left.All)
	c.Equal("comparisons in favour of side A", left, a.Left.N)
	for _, m := range a.Models {
		c.Equal("wins of "+m.Model, wins[report.CSVCell(m.Model)], m.Wins)
		c.Equal("comparisons of "+m.Model, m.Wins+m.Losses+m.Ties+m.Neither, m.Judgements)
	}
}

// arena writes which answers testers preferred.
func (w *writer) arena() {
	a := w.Arena
	if a == nil {
		return
	}
	s := w.d.Section("arena", "Which of two answers is better")
	s.Text(w.d.Strong(doc.Name(a.Conclusion)))
	s.Text("Two models answered each prompt of ", w.d.Count(&a.Sessions), plural(" session", a.Sessions), ", and ", w.d.Count(&a.Testers), plural(" tester", a.Testers), " said which answer is better, ",
		w.d.Count(&a.Picks), " times in ", w.d.Count(&a.Tasks), plural(" task", a.Tasks), ". Sides were drawn for each attempt, models were not named, and the better answer went on as the conversation.")
	if a.Picks == 0 {
		return
	}
	t := s.Table("arena-rates", "How often the answers of a model are better", doc.Left("model"), doc.Right("comparisons"), doc.Right("better"), doc.Right("worse"), doc.Right("equal"), doc.Right("neither"), doc.Right("win rate, %"), doc.Right("95 % CI"))
	for i := range a.Models {
		w.WinRate(t, doc.Item(doc.Name(a.Models[i].Model)), &a.Models[i])
	}
	if len(a.Models) > 2 {
		for i := range a.Matrix {
			w.WinRate(t, doc.Item(doc.Name(a.Matrix[i].Model+" against "+a.Matrix[i].Against)), &a.Matrix[i].ModelRate)
		}
	}
	of := "these testers"
	if a.ByRater {
		of = "testers like these"
	}
	t.Note("Equal and neither count one half. Errors are clustered by task", map[bool]string{true: " and by tester", false: ""}[a.ByRater], ": the rates are of ", of, ".")
	if slices.ContainsFunc(a.Models, func(m overlap.ModelRate) bool { return m.Range == nil }) {
		t.Note("There is no interval where comparisons are of fewer than ", doc.Fixed("5"), " tasks.")
	}
	if a.Seconds != nil {
		s.Text("Half of the comparisons took up to ", w.d.Num(a.Seconds, 1), " s, from both answers to the choice, without pauses.")
	}
	w.arenaScale(s)
	w.arenaAnswers(s)
}

// arenaScale writes the strengths of the models.
func (w *writer) arenaScale(s *doc.Section) {
	a := w.Arena
	if a.Scale.Problem != "" {
		s.Text("There is no scale of strengths: ", doc.Name(a.Scale.Problem), ".")
		return
	}
	t := s.Table("arena-scale", "Strengths by the Bradley-Terry model with ties", doc.Left("model"), doc.Right("strength"), doc.Right("95 % CI"), doc.Right("at equal "+cmp.Or(a.Style.Equal, "side and length")), doc.Right("95 % CI"), doc.Right("ranks left"))
	for i := range a.Scale.Models {
		x := &a.Scale.Models[i]
		styled, styledRange := doc.Item(doc.Undefined), doc.Item(doc.Undefined)
		for j := range a.Style.Models {
			if y := &a.Style.Models[j]; y.Model == x.Model {
				styled, styledRange = doc.Item(w.d.Num(&y.Strength, 2)), w.interval(y.Range)
			}
		}
		t.Row(doc.Name(x.Model), w.d.Num(&x.Strength, 2), w.interval(x.Range), styled, styledRange, doc.Item(w.d.Count(&x.RankLow), " to ", w.d.Count(&x.RankHigh)))
	}
	t.Note("Davidson's model: logits, less the mean of all models. Ranks left: those that the data do not exclude, for all models together.")
	s.Text("Better answers on side A: ", w.d.Count(&a.Left.N), " of ", w.d.Count(&a.Left.All), ". A failing answer preferred to an accepted one: ", w.d.Count(&a.Wrong.N), " of ", w.d.Count(&a.Wrong.All), ".")
}

// interval returns an interval on the scale of logits, or that there is none.
func (w *writer) interval(iv *stats.Interval) []any {
	if iv == nil {
		return doc.Item(doc.Undefined)
	}
	return w.d.Range(iv, 1, 2)
}

// arenaAnswers writes what the answers of each model took and achieved, picked or not.
func (w *writer) arenaAnswers(s *doc.Section) {
	t := s.Table("arena-answers", "The answers of each model, picked or not", doc.Left("model"), doc.Right("answers"), doc.Right("judged by tests"), doc.Right("accepted"), doc.Right("seconds, median"), doc.Right("tokens read"), doc.Right("tokens written"))
	for i := range w.Arena.Answers {
		x := &w.Arena.Answers[i]
		t.Row(doc.Name(x.Model), w.d.Count(&x.Answers), w.d.Count(&x.Judged), w.d.Count(&x.Accepted), w.d.Num(&x.Seconds, 2), w.d.Count(&x.Input), w.d.Count(&x.Output))
	}
	t.Note("The other numbers of this report are of the answers that went on; tokens in the table of sessions are of both.")
}
