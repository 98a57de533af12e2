package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/result"
	"assay/tui/work/viewer"
)

// mergeAnswers are the answers with their keys.
var mergeAnswers = [...]struct {
	press  string
	answer session.MergeAnswer
}{{"y", session.MergeYes}, {"c", session.MergeChanges}, {"n", session.MergeNo}}

// mergeRoom asks whether the answer would be merged, once all else is rated. Each key is saved at once.
type mergeRoom struct {
	mendRoom
	viewing bool // keys are for the answer, which is shown in place of the form or beside it
	merging bool // the ratings are complete, and the question about merging is shown
}

// merge returns the answer so far.
func (m *mergeRoom) merge() session.MergeJudged {
	if t := m.State.Task(); t != nil && t.Merge != nil {
		return *t.Merge
	}
	return session.MergeJudged{}
}

// setMerge saves the answer so far.
func (m *mergeRoom) setMerge(p session.MergeJudged) live.Intent {
	predicted := m.Predict(p)
	return live.Record(predicted, func(ctx context.Context) error { return m.Eng.MergeJudged(ctx, p) })
}

func (m *mergeRoom) answerMerge(press string) tea.Cmd {
	p := m.merge()
	for _, a := range mergeAnswers {
		if a.press == press {
			p.Answer = a.answer
		}
	}
	if p.Answer == session.MergeYes {
		p.Reasons = nil
	}
	return m.Intend(m.setMerge(p))
}

// tickReason ticks or clears a reason.
func (m *mergeRoom) tickReason(press string) tea.Cmd {
	p, id := m.merge(), session.MergeReasons()[press[0]-'1'].ID
	if p.Answer == session.MergeYes {
		m.Notice = m.Keyed("A reason belongs to {c} or {n}.")
		return nil
	}
	p.Reasons = slices.Clone(p.Reasons)
	if i := slices.Index(p.Reasons, id); i >= 0 {
		p.Reasons = slices.Delete(p.Reasons, i, i+1)
	} else {
		p.Reasons = append(p.Reasons, id)
	}
	return m.Intend(m.setMerge(p))
}

// mergeWords asks for reasons in the tester's own words.
func (m *mergeRoom) mergeWords() tea.Cmd {
	return m.Wants(session.WordsMerge, "Why, in your own words", "keep", m.merge().Text, "", func(text string) (live.Intent, string) {
		p := m.merge()
		p.Text = text
		return m.setMerge(p), ""
	})
}

// commitMerge closes the task.
func (m *mergeRoom) commitMerge() tea.Cmd {
	p := m.merge()
	switch {
	case p.Answer == "":
		m.Notice = m.Keyed("Answer with {y}, {c} or {n}.")
	case !p.Complete():
		m.Notice = m.Keyed("Give at least one reason: tick one, or write it with {t}.")
	default:
		return m.Intend(live.Step(m.Eng.Commit))
	}
	return nil
}

// mergeKeys are the keys of the form.
func (m *mergeRoom) mergeKeys() []frame.Key {
	back := frame.Only(func() { m.merging = false })
	return []frame.Key{
		{Press: "y c n", Does: "answer", Run: m.answerMerge},
		{Press: fmt.Sprintf("1-%d", len(session.MergeReasons())), Does: "reasons", Run: m.tickReason},
		{Press: "t", Does: "in words", Do: m.mergeWords},
		{Press: "enter", Does: "commit", Do: m.commitMerge},
		{Press: "v", Does: "changes", Do: frame.Only(func() { m.viewing = true; m.Turn(viewer.TabChanges) })},
		m.mendKey("ctrl+o", "edit files", m.files.showFiles),
		{Press: "esc", Also: "u", Does: "ratings", Do: back}, frame.HelpKey,
	}
}

// mergePage draws the form.
func (m *mergeRoom) mergePage() frame.Page {
	p, t := m.merge(), m.State.Task()
	width := m.Size.Width
	rows := []string{" " + m.Theme.Strong.Render("Would you merge this?") + m.Theme.Dim.Render("   into this project, as its maintainer"), ""}
	line := "  "
	for _, a := range mergeAnswers {
		press := m.Theme.Press(frame.ScopeRating, a.press)
		if a.answer == p.Answer {
			line += " " + m.Theme.Given(press+" "+result.MergeNames[a.answer])
		} else {
			line += "  " + m.Theme.Accent.Render(press) + " " + result.MergeNames[a.answer] + " "
		}
	}
	rows = append(rows, line, "", "   "+m.Theme.Dim.Render("Why not as it is?"))
	for i, reason := range session.MergeReasons() {
		mark := "[ ]"
		if slices.Contains(p.Reasons, reason.ID) {
			mark = m.Theme.Given("x")
		}
		rows = append(rows, fmt.Sprintf("   %s %s %s", m.Theme.Accent.Render(m.Theme.Press(frame.ScopeRating, fmt.Sprint(i+1))), mark, reason.Name))
	}
	if p.Text != "" {
		rows = append(rows, "", frame.Indent(frame.Wrap(frame.Plain(p.Text), width-6), "   "))
	}
	if m.State.Words[session.WordsMerge] != "" {
		rows = append(rows, "", "   "+m.Theme.Warn.Render(m.Keyed("You began to write why: {t} goes on with it.")))
	}
	if text := result.Mends(t); text != "" {
		rows = append(rows, "", "   "+m.Theme.Dim.Render(text))
	}
	page := frame.Page{Body: strings.Join(rows, "\n"), Status: "1 to go"}
	if p.Complete() {
		page.Status = m.Theme.Good.Render("✓ complete: enter commits")
	}
	return page
}
