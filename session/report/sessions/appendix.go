package sessions

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// A report's appendix has every task with its prompts, answers, verdicts and ratings.
// It is at the end of the HTML form or, if it is long, in one file for each session.
const (
	appendixAttempts = 300       // that one page takes
	appendixText     = 100 << 10 // bytes of one prompt or answer
)

// appendixFile is an appendix beside the report.
type appendixFile struct {
	name string
	doc  func() *doc.Document
}

// appendix adds the appendix to the document, or returns the files that it is in.
func (r *Report) appendix(d *doc.Document) []appendixFile {
	attempts := 0
	for i := range r.logs {
		for _, t := range r.logs[i].state.Tasks {
			attempts += len(t.Attempts)
		}
	}
	s := d.Aside("appendix", "Appendix: the tasks one by one")
	if r.texts == nil {
		s.Note("The texts of prompts and answers were not at hand when this report was written.")
	}
	if attempts <= appendixAttempts {
		for i := range r.logs {
			r.appendixOf(s, &r.logs[i], len(r.logs) > 1)
		}
		return nil
	}
	var files []appendixFile
	var links [][]any
	for i := range r.logs {
		f := &r.logs[i]
		if f.withdrawn() {
			continue
		}
		file := appendixFile{"appendix/" + fileName(f.state.Session) + ".html", func() *doc.Document {
			d := doc.New("Session "+f.header.ID, r)
			d.Subtitle = strings.TrimSuffix(fmt.Sprintf("%s, %s", cmp.Or(f.header.Model, "no model named"), f.header.Tester), ", ")
			r.appendixOf(d.Section("tasks", "The tasks one by one"), f, false)
			return d
		}}
		files = append(files, file)
		item := doc.Item(doc.Link(f.header.ID, file.name))
		if f.header.Tester != "" {
			item = append(item, ", ", doc.Name(f.header.Tester))
		}
		links = append(links, item)
	}
	s.Text("A file for each session:")
	s.List(links...)
	return files
}

// fileName returns an id without what is not safe in a file name. Ids are ULIDs, but a log may have been edited.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-' {
			return r
		}
		return '_'
	}, clean(id))
}

func (r *Report) appendixOf(s *doc.Section, f *folded, named bool) {
	if f.withdrawn() {
		return
	}
	if named {
		s.Text("Session ", doc.Code(f.header.ID))
	}
	for i := range f.state.Tasks {
		t := &f.state.Tasks[i]
		if !t.Opened && t.Outcome != session.Skipped {
			continue
		}
		outcome := cmp.Or(strings.ReplaceAll(string(t.Outcome), "_", " "), "not finished")
		if t.Practice {
			outcome += ", practice"
		}
		title := clean(t.ID)
		if t.Title != "" && clean(t.Title) != title {
			title += ": " + clean(t.Title)
		}
		s.Fold(doc.Item(doc.Name(fmt.Sprintf("%d. %s", i+1, title)), " – ", doc.Name(outcome)), func(s *doc.Section) { r.appendixTask(s, f, i) })
	}
}

func (r *Report) appendixTask(s *doc.Section, f *folded, i int) {
	t := &f.state.Tasks[i]
	fact := func(name, value string) {
		if value != "" {
			s.Text(name, ": ", doc.Name(value))
		}
	}
	var of []string
	for _, v := range []string{string(t.Difficulty), t.Type, t.Category, t.Set} {
		if v != "" {
			of = append(of, clean(v))
		}
	}
	fact("Task", strings.Join(of, ", "))
	fact("Left out", t.Reason)
	if analysableOrPractice(t) {
		fact("Completion", fmt.Sprintf("%s s", number(report.Number(seconds(f.times[i].Completion)), 2)))
	}
	for j := range t.Attempts {
		r.appendixAttempt(s, &t.Attempts[j])
		if j > 0 {
			r.appendixChanges(s, &t.Attempts[j-1], &t.Attempts[j])
		}
	}
	var scores []string
	for _, a := range f.state.Plan.Attributes {
		if score, rated := t.Ratings[a.ID]; rated {
			scores = append(scores, fmt.Sprintf("%s %d", clean(a.Name), score))
		}
	}
	if sum, whole := total(t, f.state.Plan.Attributes); whole {
		scores = append(scores, fmt.Sprintf("total %d", sum))
	}
	fact("Ratings", strings.Join(scores, ", "))
	var labels []string
	for _, l := range f.state.Plan.AskedLabels() {
		if v, set := t.Labels[l.ID]; set {
			labels = append(labels, fmt.Sprintf("%s: %s", clean(l.Name), clean(v)))
		}
	}
	fact("Labels", strings.Join(labels, "; "))
	fact("Note", t.Note)
}

func (r *Report) appendixAttempt(s *doc.Section, a *session.Attempt) {
	var facts []string
	if a.Decision != "" {
		facts = append(facts, strings.ReplaceAll(string(a.Decision), "_", " "))
	}
	if v := a.Verdict; v != nil {
		verdict := v.Verdict
		if says(v) {
			verdict += fmt.Sprintf(", %d of %d test cases passed", v.Passed, v.Total)
		}
		facts = append(facts, verdict)
	}
	if m := a.Measured; m != nil && m.Problem == "" {
		facts = append(facts, fmt.Sprintf("complexity %d and %d, %d findings", m.Cyclomatic, m.Cognitive, m.Findings))
	}
	s.Text(doc.Name(fmt.Sprintf("Attempt %d", a.N)), ": ", doc.Name(cmp.Or(strings.Join(facts, "; "), "not judged")))
	answer := s.Answer
	if r.Layout < 2 {
		answer = s.Passage
	}
	if x := a.Reflection; x != nil && x.Answer != nil {
		r.passage(s.Passage, "Asked before, which is no attempt", x.Sent.Prompt)
		r.passage(answer, "What the model said was wrong", x.Answer.Answer)
	}
	if a.Sent != nil {
		r.passage(s.Passage, "Prompt", a.Sent.Prompt)
	}
	for _, reply := range a.Replies() {
		if reply.Answer == nil {
			continue
		}
		label := "Answer"
		if side := reply.Answer.Side; side != "" {
			label += " " + strings.ToUpper(string(side))
			if a.Picked != nil && a.Picked.Goes == side {
				label += ", which went on"
			}
		}
		r.passage(answer, label, reply.Answer.Answer)
	}
	if a.Verdict != nil && a.Verdict.Message != "" {
		s.Passage("What the tests said", a.Verdict.Message)
	}
}

// appendixChanges shows the lines by which an answer's code differs from the attempt before.
func (r *Report) appendixChanges(s *doc.Section, before, now *session.Attempt) {
	if r.texts == nil || before.Extracted == nil || now.Extracted == nil || before.Extracted.Code == now.Extracted.Code {
		return
	}
	old, err := r.texts(before.Extracted.Code)
	if err != nil {
		return
	}
	changed, err := r.texts(now.Extracted.Code)
	if err != nil || len(old)+len(changed) > appendixText {
		return
	}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0 // the same report at every speed
	a, b, lines := engine.DiffLinesToRunes(string(old), string(changed))
	var text strings.Builder
	for _, d := range engine.DiffCharsToLines(engine.DiffMainRunes(a, b, false), lines) {
		if d.Type == diffmatchpatch.DiffEqual {
			continue
		}
		for line := range strings.Lines(d.Text) {
			text.WriteString(map[diffmatchpatch.Operation]string{diffmatchpatch.DiffDelete: "- ", diffmatchpatch.DiffInsert: "+ "}[d.Type] + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	s.Passage("Lines of code that changed since the attempt before", text.String())
}

// passage adds a text of the store, cut to appendixText.
func (r *Report) passage(add func(label, text string), label string, ref session.Ref) {
	if r.texts == nil || ref == "" {
		return
	}
	text, err := r.texts(ref)
	if err != nil {
		add(label, fmt.Sprintf("(the text is missing: %v)", err))
		return
	}
	if len(text) > appendixText {
		label += fmt.Sprintf(" (the first %d of %d bytes)", appendixText, len(text))
		text = text[:appendixText]
	}
	add(label, string(text))
}

// number returns a statistic with the given number of decimals, a dash if it is not defined.
func number(v report.Number, decimals int) string {
	if !v.Defined() {
		return doc.Undefined
	}
	return stats.Round(float64(v), decimals)
}
