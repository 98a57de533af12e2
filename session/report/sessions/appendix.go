package sessions

import (
	"cmp"
	"fmt"
	"slices"
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
	logs := r.oneByOne()
	if attempts <= appendixAttempts {
		for _, f := range logs {
			r.appendixOf(s, f, len(logs) > 1)
		}
		return nil
	}
	var files []appendixFile
	for _, f := range logs {
		if f.withdrawn() {
			continue
		}
		files = append(files, appendixFile{"appendix/" + fileName(f.state.Session) + ".html", func() *doc.Document {
			title, subtitle := r.headed(f)
			d := doc.New(title, r)
			d.Subtitle = subtitle
			r.appendixOf(d.Section("tasks", "The tasks one by one"), f, false)
			return d
		}})
	}
	r.appendixLinks(s, logs)
	return files
}

// oneByOne returns the sessions in the order of the appendix: that of their testers' names and of each tester's work.
func (r *Report) oneByOne() []*folded {
	var logs []*folded
	for i := range r.logs {
		logs = append(logs, &r.logs[i])
	}
	if r.Layout > 3 {
		slices.SortStableFunc(logs, func(a, b *folded) int {
			return cmp.Or(byNumbers(a.person, b.person), a.header.Study.Part-b.header.Study.Part)
		})
	}
	return logs
}

// arm names what tells a session from others of its tester.
func (h Header) arm() string {
	if arm := h.Study.Arm; arm != "" && arm != h.Model {
		return strings.TrimSuffix(arm+", "+h.Model, ", ")
	}
	return cmp.Or(h.Model, "no model named")
}

// headed returns the title of a session's page, and the line below it.
func (r *Report) headed(f *folded) (title, subtitle string) {
	if r.Layout < 4 {
		return "Session " + f.header.ID, strings.TrimSuffix(fmt.Sprintf("%s, %s", cmp.Or(f.header.Model, "no model named"), f.header.Tester), ", ")
	}
	return cmp.Or(f.person, "A tester without a name") + ": " + f.header.arm(), "Session " + f.header.ID
}

// appendixLinks leads to the pages of the sessions, a row for each tester.
func (r *Report) appendixLinks(s *doc.Section, logs []*folded) {
	if r.Layout < 4 {
		var links [][]any
		for _, f := range logs {
			if f.withdrawn() {
				continue
			}
			item := doc.Item(doc.Link(f.header.ID, "appendix/"+fileName(f.state.Session)+".html"))
			if f.header.Tester != "" {
				item = append(item, ", ", doc.Name(f.header.Tester))
			}
			links = append(links, item)
		}
		s.Text("A file for each session:")
		s.List(links...)
		return
	}
	s.Fold(doc.Item("The pages of the sessions, by tester"), func(s *doc.Section) {
		t := s.Table("appendix", "A page for each session", doc.Left("tester"), doc.Left("sessions"))
		for at := 0; at < len(logs); {
			person, links := logs[at].person, []any{}
			for ; at < len(logs) && logs[at].person == person; at++ {
				if f := logs[at]; !f.withdrawn() {
					if len(links) > 0 {
						links = append(links, "; ")
					}
					links = append(links, doc.Link(f.header.arm(), "appendix/"+fileName(f.state.Session)+".html"))
				}
			}
			if len(links) > 0 {
				t.Row(doc.Name(cmp.Or(person, "(none)")), links)
			}
		}
	})
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
		if title, _ := r.headed(f); r.Layout > 3 {
			s.Text(doc.Name(title), ", session ", doc.Code(f.header.ID))
		} else {
			s.Text("Session ", doc.Code(f.header.ID))
		}
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
		if r.Layout > 3 {
			verdict = strings.ReplaceAll(verdict, "_", " ")
		}
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
