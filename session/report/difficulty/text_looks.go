package difficulty

import (
	"fmt"
	"slices"
	"strings"

	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// lookID returns the anchor of the answers to a task.
func (w *writer) lookID(i int) string { return fmt.Sprintf("answers%s-%d", w.end, i+1) }

// mostLooks is how many tasks' answers the page shows.
const mostLooks = 40

// looks shows answers to suspect tasks and noise.
func (w *writer) looks() {
	if len(w.a.Looks) == 0 {
		return
	}
	s := w.aside("answers", "Answers to tasks of negative discrimination", "Of each of these tasks: its statement, the ways in which answers fail, what became of each answer, and some answers. If many fail alike at one test case, look at that test case and at what the statement says of it.")
	for i := range w.a.Looks {
		if i == mostLooks {
			s.Text("Further ones are in ", doc.Code("report.json"), ".")
			break
		}
		w.look(s, i)
	}
}

func (w *writer) look(s *doc.Section, i int) {
	l := &w.a.Looks[i]
	s.Anchor(w.lookID(i))
	kind := "noise"
	if l.Kind == difficulty.Suspect {
		kind = "suspect"
	}
	s.Text(w.d.Strong(name(l.Task)), ", ", kind, ". ", w.d.Count(&l.Failed), " of ", w.d.Count(&l.Total), " answers fail, in the ways below. ", doc.Link("Back to the tasks", "#tasks"), ".")
	if l.Statement != "" {
		s.Passage("Its statement", l.Statement)
	}
	if len(l.Ways) > 0 {
		t := w.table(s, fmt.Sprintf("ways-%d", i+1), "How answers to "+middle(l.Task, 60)+" fail", doc.Right("answers"), doc.Left("verdict"), doc.Right("first failing case"), doc.Left("the test says"), doc.Left("respondents, by ability"))
		for j := range l.Ways {
			x := &l.Ways[j]
			t.Row(w.d.Count(&x.Count), verdict(x.Verdict), w.first(&x.First), name(x.Message), doc.Name(w.some(x.Respondents)))
		}
	}
	s.Fold(doc.Item("Each answer"), func(in *doc.Section) {
		t := w.table(in, fmt.Sprintf("answers-%d", i+1), "Answers to "+middle(l.Task, 60), doc.Left("respondent"), doc.Left("prompt"), doc.Right("sample"), doc.Left("verdict"), doc.Right("passed"), doc.Right("first failing case"))
		for j := range l.Answers {
			if j == mostTasks {
				t.Note("The first ones; ", doc.Code("report.json"), " has all.")
				break
			}
			x := &l.Answers[j]
			t.Row(name(x.Respondent), name(x.Prompt), w.d.Count(&x.Sample), verdict(x.Verdict), doc.Item(w.d.Count(&x.Passed), " of ", w.d.Count(&x.Total)), w.first(&x.First))
		}
		t.Note("Samples are numbered from ", doc.Fixed("0"), ".")
	})
	for j := range l.Texts {
		x := &l.Texts[j]
		s.Fold(doc.Item("An answer of ", name(x.Respondent), ": ", verdict(x.Verdict)), func(in *doc.Section) { in.Passage("As it was given", cut(x.Text)) })
	}
}

// first returns the number of a test case; 0 is not known.
func (w *writer) first(n *int) any {
	if *n == 0 {
		return doc.Undefined
	}
	return w.d.Count(n)
}

func verdict(v string) doc.Span { return doc.Name(strings.ReplaceAll(v, "_", " ")) }

// some returns the first of the respondents by their short names.
func (w *writer) some(respondents []string) string {
	const most = 8
	var all []string
	for _, who := range respondents[:min(most, len(respondents))] {
		short := middle(who, 40)
		if i := place(w.a, who); i >= 0 {
			short = middle(w.names[i], 40)
		}
		all = append(all, short)
	}
	text := strings.Join(all, ", ")
	if more := len(respondents) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// cut shortens a long answer.
func cut(text string) string {
	const most = 8000
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(slices.Concat(runes[:most], []rune("\n… (the answer goes on)")))
}
