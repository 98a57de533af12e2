package sessions

import (
	"slices"

	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Asked is a question of the exit survey over the people who were asked.
type Asked struct {
	ID       string         `json:"id"`       // of the question in the logs
	Text     string         `json:"text"`     // as testers read it
	People   int            `json:"people"`   // who were asked, in one session or several
	Answered int            `json:"answered"` // of them those who answered; the latest answer of each counts
	Choices  []report.Count `json:"choices"`  // answers of each kind; empty for a question with free answers
}

// surveyOf counts the answers to the exit survey, one for each person. Free answers are
// in the table survey. Sessions are in the order of time.
func surveyOf(logs []folded) []Asked {
	all := []Asked{}
	var latest []map[int]string // of each question, by tester
	for i := range logs {
		if logs[i].withdrawn() {
			continue
		}
		s := logs[i].state
		for _, q := range s.Plan.Survey {
			at := slices.IndexFunc(all, func(a Asked) bool { return a.ID == clean(q.ID) && a.Text == clean(q.Text) })
			if at < 0 {
				at = len(all)
				latest = append(latest, map[int]string{})
				all = append(all, Asked{ID: clean(q.ID), Text: clean(q.Text), Choices: []report.Count{}})
				for _, c := range q.Choices {
					all[at].Choices = append(all[at].Choices, report.Count{Name: clean(c)})
				}
			}
			if answer := clean(s.Answers[q.ID]); answer != "" || latest[at][logs[i].tester] == "" {
				latest[at][logs[i].tester] = answer
			}
		}
	}
	for at := range all {
		a := &all[at]
		a.People = len(latest[at])
		for _, answer := range latest[at] {
			if answer == "" {
				continue
			}
			a.Answered++
			if i := slices.IndexFunc(a.Choices, func(c report.Count) bool { return c.Name == answer }); i >= 0 {
				a.Choices[i].Count++
			}
		}
	}
	return all
}

// attentionOf is the share of attention checks, of tasks that count, that were passed;
// nil where none was answered.
func attentionOf(est *estimator, logs []folded) *report.Share {
	var s series
	for i := range logs {
		for _, r := range logs[i].results() {
			if c := r.Check; c != nil && r.Checked > 0 {
				s.addIf(r, r.Checked == c.Score)
			}
		}
	}
	if len(s.x) == 0 {
		return nil
	}
	share := est.rate(s)
	return &share
}

// surveyRow is one answer to the exit survey.
type surveyRow struct {
	session  string
	question session.Question
	answer   string
}

// surveyTable has a row for each answer.
func surveyTable(logs []folded) report.Table {
	answers := func(yield func(surveyRow) bool) {
		for i := range logs {
			s := logs[i].state
			if logs[i].withdrawn() {
				continue
			}
			for _, q := range s.Plan.Survey {
				if answer := s.Answers[q.ID]; answer != "" && !yield(surveyRow{s.Session, q, answer}) {
					return
				}
			}
		}
	}
	word := report.Text[surveyRow]
	return report.TableOf("survey", "One row for each answer to the exit survey", []report.ColumnOf[surveyRow]{
		word("session", "id of the session", func(r surveyRow) string { return r.session }),
		word("question", "id of the question", func(r surveyRow) string { return r.question.ID }),
		word("text", "the question as the tester read it", func(r surveyRow) string { return r.question.Text }),
		word("answer", "the choice, or the tester's own words", func(r surveyRow) string { return r.answer }),
	}, answers)
}

// survey puts the exit survey into words.
func (w *writer) survey(s *doc.Section) {
	if len(w.Survey) == 0 {
		return
	}
	t := s.Table("survey", "Exit survey", doc.Left("question"), doc.Left("answer"), doc.Right("people"), doc.Right("asked"))
	free := false
	for i := range w.Survey {
		a := &w.Survey[i]
		for j := range a.Choices {
			t.Row(doc.Name(a.Text), doc.Name(a.Choices[j].Name), w.d.Count(&a.Choices[j].Count), w.d.Count(&a.People))
		}
		if len(a.Choices) == 0 {
			t.Row(doc.Name(a.Text), "in their own words", w.d.Count(&a.Answered), w.d.Count(&a.People))
			free = true
		}
	}
	if free {
		t.Note("Answers in testers' own words are in the table of answers, ", doc.Code(report.DatasetFile("survey")), ".")
	}
}

// quality says what a reader should know of how the ratings were made.
func (w *writer) quality(s *doc.Section) {
	if w.Attention != nil {
		s.Text("Attention checks among the ratings that were answered as they asked: ", w.share(w.Attention), ".")
	}
	if len(w.Sessions) == 1 || !slices.ContainsFunc(w.Sessions, func(h Header) bool { return len(h.Flags) > 0 }) {
		return
	}
	const most = 50
	t := s.Table("flags", "Flags: what a reader should know of single sessions", doc.Left("session"), doc.Left("flag"))
	rows := 0
	for _, h := range w.Sessions {
		for _, f := range h.Flags {
			if rows++; rows <= most {
				t.Row(doc.Name(h.ID), doc.Name(f))
			}
		}
	}
	if rows > most {
		t.Note("These are the first ", doc.Fixed("50"), "; ", doc.Code("report.json"), " has all.")
	}
}
