package sessions

import (
	"fmt"
	"slices"
	"strings"

	"assay/session/report"
	doc "assay/session/report/document"
)

// Asked is a question of the exit survey over the people of the studies that ask it. Each person counts once.
type Asked struct {
	ID         string        `json:"id"`               // of the question in the logs
	Text       string        `json:"text"`             // as testers read it
	People     int           `json:"people"`           // with a session of a study that asks it
	Answered   int           `json:"answered"`         // of them those who answered; the latest answer of each counts
	Unanswered int           `json:"unanswered"`       // who left it empty, or did not get to the survey
	Choices    []Choice      `json:"choices"`          // in the order of the survey; empty for a question with free answers
	Share      report.Number `json:"answered_share"`   // of the people, those who answered
	Missing    report.Number `json:"unanswered_share"` // and those who did not

	answers map[int]string // of the people, by tester; "": none
	choices []string
}

// Choice counts the people who chose an answer.
type Choice struct {
	Name  string        `json:"name"`  // the answer, as testers read it
	Count int           `json:"count"` // people who chose it
	Share report.Number `json:"share"` // of all people who were to be asked, answered or not
}

// surveyOf counts the answers to the exit survey, one for each person. Sessions are in chronological order.
// Only the plan of a tester's last session has the survey; testers who have not reached it are counted, too.
func surveyOf(logs []folded) []Asked {
	all := []Asked{}
	asking := map[string][]int{} // questions by the study's hash
	for i := range logs {
		if logs[i].withdrawn() {
			continue
		}
		s := logs[i].state
		for _, q := range s.Plan.Survey {
			at := slices.IndexFunc(all, func(a Asked) bool { return a.ID == clean(q.ID) && a.Text == clean(q.Text) })
			if at < 0 {
				at = len(all)
				a := Asked{ID: clean(q.ID), Text: clean(q.Text), Choices: []Choice{}, answers: map[int]string{}}
				for _, c := range q.Choices {
					a.choices = append(a.choices, clean(c))
				}
				all = append(all, a)
			}
			if hash := logs[i].header.Study.Hash; hash != "" && !slices.Contains(asking[hash], at) {
				asking[hash] = append(asking[hash], at)
			}
			if answer := clean(s.Answers[q.ID]); answer != "" || all[at].answers[logs[i].tester] == "" {
				all[at].answers[logs[i].tester] = answer
			}
		}
	}
	for i := range logs {
		if logs[i].withdrawn() || logs[i].header.automatic() {
			continue
		}
		for _, at := range asking[logs[i].header.Study.Hash] {
			if _, known := all[at].answers[logs[i].tester]; !known {
				all[at].answers[logs[i].tester] = ""
			}
		}
	}
	for at := range all {
		all[at].count()
	}
	return all
}

// count counts the answers of the people.
func (a *Asked) count() {
	counts := map[string]int{}
	for _, answer := range a.answers {
		counts[answer]++
	}
	a.People, a.Unanswered = len(a.answers), counts[""]
	a.Answered = a.People - a.Unanswered
	share := func(n int) report.Number { return report.Number(float64(n) / float64(a.People)) }
	a.Share, a.Missing = share(a.Answered), share(a.Unanswered)
	for _, c := range a.choices {
		a.Choices = append(a.Choices, Choice{c, counts[c], share(counts[c])})
	}
}

// checkSurvey checks that each person is in one of the rows of each question, and compares
// the counts with the table of participants, which has a row for each person.
func checkSurvey(r *Report, c *report.Check, table report.Rows) {
	counts := make([]map[string]int, len(r.Survey))
	for i := range counts {
		counts[i] = map[string]int{}
	}
	names := surveyColumns(r.Survey)
	for row := range table {
		for i, name := range names {
			counts[i][row.Text(name)]++
		}
	}
	for i := range r.Survey {
		a := &r.Survey[i]
		n := 0
		for _, x := range a.Choices {
			n += x.Count
			c.Equal("people who answered "+a.Text+" with "+x.Name, counts[i][report.CSVCell(x.Name)], x.Count)
			c.Near("share of "+x.Name, x.Share, float64(x.Count)/float64(a.People))
		}
		if len(a.Choices) > 0 {
			c.Equal("answers to "+a.Text, n, a.Answered)
		}
		c.Equal("people who were asked "+a.Text, a.Answered+a.Unanswered, a.People)
		c.Near("share of answers to "+a.Text, a.Share, float64(a.Answered)/float64(a.People))
		c.Near("share without an answer to "+a.Text, a.Missing, float64(a.Unanswered)/float64(a.People))
	}
}

// surveyColumns name the columns of the table of participants that have the answers.
func surveyColumns(asked []Asked) []string {
	var names []string
	for _, a := range asked {
		name := "survey_" + strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return '_'
		}, a.ID)
		for n, first := 2, name; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s_%d", first, n)
		}
		names = append(names, name)
	}
	return names
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

// survey writes the section on the exit survey.
func (w *writer) survey(s *doc.Section) {
	t := s.Table("survey", "What participants answered in the survey", doc.Left("question"), doc.Left("answer"), doc.Right("people"), doc.Right("share, %"))
	free := false
	for i := range w.Survey {
		a := &w.Survey[i]
		question := []any{doc.Name(a.Text), " (n\u00a0=\u00a0", w.d.Count(&a.People), ")"}
		row := func(answer any, n *int, share *report.Number) {
			t.Row(question, answer, w.d.Count(n), w.d.Scaled(share, 100, 0))
		}
		for j := range a.Choices {
			row(doc.Name(a.Choices[j].Name), &a.Choices[j].Count, &a.Choices[j].Share)
		}
		if len(a.Choices) == 0 {
			row("in their own words", &a.Answered, &a.Share)
			free = true
		}
		row("not answered", &a.Unanswered, &a.Missing)
	}
	t.Note("Each person counts once, however many sessions they did; n counts all who began, without those who withdrew.")
	if free {
		t.Note("Answers in people's own words are in ", doc.Code(report.DatasetFile("participants")), ".")
	}
}

// quality writes how carefully the ratings were made.
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
