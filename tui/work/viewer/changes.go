package viewer

import (
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// compared lists the texts that the code of an attempt can be compared with, nearest first:
// the other answer of a pair, earlier attempts, then the reference solution if the tester may see it.
func (m *reading) compared(a *session.Attempt) []comparedText {
	if a == nil || a.Extracted == nil || a.Extracted.Code == "" {
		return nil
	}
	if m.OfRepository() {
		return m.comparedTrees(a)
	}
	var list []comparedText
	if p := m.past; p != nil && p.rival.Code != "" {
		list = append(list, comparedText{name: p.rival.Name, key: diffKey{plain: p.rival.Code, after: a.Extracted.Code}})
	}
	attempts := m.Attempts()
	for i := len(attempts) - 1; i >= 0; i-- {
		if b := &attempts[i]; b.N < a.N && b.Extracted != nil {
			list = append(list, comparedText{name: fmt.Sprintf("attempt %d", b.N), key: diffKey{before: b.Extracted.Code, after: a.Extracted.Code}})
		}
	}
	for _, t := range m.tabs() {
		if t == tabSolution {
			list = append(list, comparedText{name: "the reference solution", key: diffKey{plain: m.Task().Reference, after: a.Extracted.Code}, asked: true})
		}
	}
	return list
}

// against returns the chosen text of a list; ok is false if none is chosen. The reference
// solution is compared with only on request.
func (m *reading) against(list []comparedText) (chosen comparedText, ok bool) {
	i := m.review.against - notAsked(list)
	if i < 0 || i >= len(list) {
		return comparedText{}, false
	}
	return list[i], true
}

// notAsked returns 1 if nothing is compared until the tester asks, else 0.
func notAsked(list []comparedText) int {
	if len(list) > 0 && list[0].asked {
		return 1
	}
	return 0
}

// compare starts the comparisons that the chosen tab needs.
func (m *changesTab) compare() tea.Cmd {
	a := m.Attempt()
	switch m.review.tab {
	case TabChanges:
		c, ok := m.against(m.compared(a))
		if ok && m.OfRepository() {
			return m.compareTrees(c.files)
		}
		if ok {
			key := m.drawKey(c.key, m.review.beside)
			key.language = m.language()
			return m.ask(&m.diffs, key)
		}
	case tabPrompt:
		if key, ok := m.promptKey(a); ok {
			return m.ask(&m.prompts, m.drawKey(key, false))
		}
	}
	return nil
}

func (m *reading) promptKey(a *session.Attempt) (diffKey, bool) {
	before := m.Previous()
	if a == nil || a.Sent == nil || before == nil || before.Sent == nil {
		return diffKey{}, false
	}
	return diffKey{before: before.Sent.Prompt, after: a.Sent.Prompt}, true
}

// changesSheet compares the code of an attempt with another text.
func (m *changesTab) changesSheet(a *session.Attempt, size frame.Size) *sheet {
	list := m.compared(a)
	chosen, ok := m.against(list)
	if m.OfRepository() {
		return m.treeSheet(a, size, chosen, ok)
	}
	s := &sheet{}
	say := func(style lipgloss.Style, text string) {
		s.add("\n" + frame.Indent(style.Render(frame.Wrap(text, size.Width-2)), " "))
	}
	switch {
	case a.Extracted == nil:
		say(m.Theme.Dim, "… the code is being taken from the answer")
		return s
	case a.Extracted.Code == "":
		say(m.Theme.Dim, "There is no code in this answer.")
		return s
	case !ok:
		text := "This is the first attempt: there is nothing to compare with."
		if len(list) > 0 {
			text += " [ compares with the reference solution."
		}
		say(m.Theme.Dim, text+" The code is:")
		s.add("")
		s.rows = append(s.rows, markdown.Code(m.Text(a.Extracted.Code), m.language(), m.AnswerLook(size.Width))...)
		return s
	}
	key, drawn, ready := m.diffs.Last()
	head := fmt.Sprintf("%s → %s", chosen.name, m.nameOf(a))
	switch {
	case !ready || key.diffKey != chosen.key:
		say(m.Theme.Dim, head+" · … comparing")
		return s
	case drawn.summary == "":
		say(m.Theme.Warn, "The code is the same as in "+chosen.name+".")
		return s
	}
	say(m.Theme.Dim, head+" · "+drawn.summary)
	s.add("")
	m.addChanges(s, drawn, 0)
	return s
}

// promptSheet shows the prompt as sent and its difference to the previous prompt.
func (m *changesTab) promptSheet(a *session.Attempt, size frame.Size) *sheet {
	s := &sheet{}
	if r := a.Reflection; r != nil && r.Answer != nil {
		for _, part := range []struct{ head, text string }{
			{"asked before, which is no attempt", m.Text(r.Sent.Prompt)}, {"what the model said was wrong", m.AnswerText(r.Answer.Answer)},
		} {
			s.add("\n " + m.Theme.Dim.Render(part.head) + "\n\n" + frame.Indent(markdown.Wrapped(part.text, size.Width-4), "   "))
		}
	}
	prompt := m.Text(a.Sent.Prompt)
	facts := frame.Extent(prompt) + NotTyped(a.Sent.Inserted, a.Sent.Editor, a.Sent.Bytes)
	if n := len(a.Sent.Messages) - 1; n > 0 {
		facts += " · sent with " + frame.Count(n, "earlier message")
	}
	s.add("\n " + m.Theme.Dim.Render(facts) + "\n\n" + frame.Indent(markdown.Wrapped(prompt, size.Width-4), "   "))
	if a.Sent.Asked() != a.Sent.Prompt {
		s.add("\n " + m.Theme.Dim.Render("appended by the study") + "\n\n" + frame.Indent(markdown.Wrapped(m.State.Plan.Suffix, size.Width-4), "   "))
	}
	wanted, ok := m.promptKey(a)
	if !ok {
		return s
	}
	s.add("\n " + m.Theme.Dim.Render("changes to the prompt before") + "\n")
	if key, drawn, ready := m.prompts.Last(); ready && key.diffKey == wanted {
		m.addChanges(s, drawn, 0)
	} else {
		s.add(" " + m.Theme.Dim.Render("… comparing"))
	}
	return s
}

// isBeside reports whether changes are to be side by side: those of repositories unless the tester turned
// that off, others if the tester turned it on.
func (m *reading) isBeside() bool {
	if m.OfRepository() {
		return !m.review.stacked
	}
	return m.review.beside
}

// NotTyped tells how much of a prompt was not typed here, in bytes of all of them.
func NotTyped(inserted, editor, all int) (text string) {
	for _, part := range []struct {
		bytes int
		what  string
	}{{inserted, "inserted"}, {editor, "from your own editor"}} {
		switch percent := math.Round(100 * float64(part.bytes) / float64(max(all, 1))); {
		case part.bytes == all && all > 0:
			text += " · all " + part.what
		case part.bytes > 0:
			text += fmt.Sprintf(" · %.0f %% %s", min(max(percent, 1), 99), part.what)
		}
	}
	return text
}
