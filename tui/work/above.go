package work

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// above is what stands above the editor.
type above int

const (
	aboveStatement above = iota
	aboveArrived
	aboveAnswer
	aboveTests
	aboveDifference
	abovePrompt // the prompt as sent, while the tester fetches its answer from a chat page
	aboves      // the number of them
)

func (a above) String() string {
	return [aboves]string{"statement", "what arrived", "the answer before", "tests", "difference", "your prompt as sent"}[a]
}

// nextAbove returns what tab shows next above the editor.
func (m *Model) nextAbove() above {
	if m.awaited() {
		if m.compose.above == abovePrompt {
			return aboveStatement
		}
		return abovePrompt
	}
	next := m.compose.above + 1
	if next == aboveArrived && len(m.arrived()) == 0 {
		next++
	}
	if next == aboveAnswer && m.previous() == nil {
		next++
	}
	if next == aboveTests && (m.previous() == nil || m.previous().Verdict == nil) {
		next++
	}
	if next == aboveDifference && m.previous() == nil || next > aboveDifference {
		return aboveStatement
	}
	return next
}

// turnAbove shows the next text above the editor.
func (m *Model) turnAbove() tea.Cmd { return m.showAbove(m.nextAbove()) }

// showAbove shows a text above the editor, scrolled to where the tester left it.
func (m *Model) showAbove(what above) tea.Cmd {
	m.compose.above = what
	return m.compareDraft()
}

// scrollAbove scrolls the chosen text above the editor by a page, less one row.
func (m *Model) scrollAbove(press string) tea.Cmd {
	c := &m.compose
	by := max(1, c.seen-1)
	if press == "f4" || press == "ctrl+pgup" {
		by = -by
	}
	c.skips[c.above] += by
	return nil
}

// minEditor is the minimum height of the editor in rows; the hint in an empty editor needs it.
const minEditor = 3

// upperHeight returns the number of rows, out of height, for the text above the editor: all that the
// draft does not need, and just over half where both are long.
func (m *Model) upperHeight(width, height int) int {
	area := &m.compose.area
	area.SetSize(width-1, height)
	need := max(minEditor, area.Rows(height)+1)
	return max(height*55/100, height-need)
}

// scrolled cuts a text above or beside the editor to height. If it does not fit, its last row
// tells the position.
func (m *Model) scrolled(what above, width, height int) string {
	c, lines := &m.compose, m.upperLines(what, width)
	seen := max(1, height-1)
	if what == c.above {
		c.seen = seen
	}
	if len(lines) <= height {
		c.skips[what] = 0
		return strings.Join(lines, "\n")
	}
	from := max(0, min(c.skips[what], len(lines)-seen))
	c.skips[what] = from
	keys := m.keyed(" · {tab} chooses it")
	if what == c.above {
		keys = m.scrollKeys(from > 0, from+seen < len(lines))
	}
	rest := slices.Clone(lines[from : from+seen])
	return strings.Join(append(rest, m.theme.Dim.Render("   "+frame.Position(from, seen, len(lines))+keys)), "\n")
}

// scrollKeys names the keys that scroll the text above the editor further.
func (m *Model) scrollKeys(up, down bool) string {
	var keys []string
	if down {
		keys = append(keys, m.keyed("{f5} down"))
	}
	if up {
		keys = append(keys, m.keyed("{f4} up"))
	}
	return " · " + strings.Join(keys, ", ")
}

// upperLines caches the lines above the editor, which are drawn at every key and may be a long
// answer.
type upperLines struct {
	key   upperKey
	lines []string
}

// upperKey holds everything that upperLines depend on.
type upperKey struct {
	look          markdown.Look
	folded        bool
	task, attempt int
	sees          session.TestsSeen
	verdict       *session.VerdictRecorded
	extracted     *session.CodeExtracted
	draft         draftVersion
	arrived       [2]session.Arrival
}

func (m *Model) upperLines(what above, width int) []string {
	c := &m.compose
	key := upperKey{look: m.writtenLook(width), folded: c.above == aboveStatement && !m.threePanes() && !m.awaited(), task: m.at.task, attempt: m.at.attempt}
	copy(key.arrived[:], m.arrived())
	before := m.previous()
	if before != nil {
		key.sees, key.verdict, key.extracted = m.state.Plan.Sees(before), before.Verdict, before.Extracted
	}
	if what == aboveDifference {
		key.draft, _, _ = c.differ.Last()
	}
	if kept := c.upper[what]; kept.lines != nil && kept.key == key {
		return kept.lines
	}
	var text string
	switch what {
	case aboveArrived:
		text = m.arrivedText(width)
	case aboveAnswer:
		if !m.size.Wide() { // a pane has a title
			text = " " + m.theme.Strong.Render(what.String()) + "\n"
		}
		text += strings.Join(m.answerRows(before, audit(m.text(before.Answer.Answer), m.task(), m.writtenLook(width)), width), "\n")
	case aboveTests:
		text = m.testsText(before, width)
	case aboveDifference:
		text = m.draftChanges(width)
	case abovePrompt:
		text = m.promptToTake(width)
	default:
		if key.folded {
			text = m.folded(width)
		}
		text += statement(m.task(), frame.Size{Width: width, Height: m.size.Height}, m.theme)
		if suffix := m.state.Plan.Suffix; suffix != "" {
			text += "\n\n" + frame.Indent(m.theme.Dim.Render(frame.Wrap("appended to every prompt: "+frame.OneLine(suffix), width-2)), " ")
		}
	}
	c.upper[what] = upperLines{key, strings.Split(text, "\n")}
	return c.upper[what].lines
}

// folded summarizes the conversation so far in one line.
func (m *Model) folded(width int) string {
	n := len(m.state.Task().Attempts) - 1
	if n < 1 {
		return ""
	}
	chip := ""
	if before := m.previous(); before != nil && before.Verdict != nil && before.VerdictSeen {
		chip = m.theme.Chip(Tests(m.state.Plan, before, false))
	}
	return frame.Cut(m.theme.Dim.Render(" "+frame.Count(n, "turn")+" before  ")+chip+m.theme.Dim.Render(m.keyed("  {tab} shows the last, then its tests")), width) + "\n"
}

// failure says in rows of a width why the prompt has no answer, and what to do.
func (m *Model) failure(width int) []string {
	a := m.state.Attempt()
	if a == nil {
		return nil
	}
	who, then := failedSides(a)
	remark := func(style lipgloss.Style, what, next string) []string {
		next = frame.Plain(m.keyed(next) + then + m.arrivedHint())
		return append(strings.Split(frame.Indent(style.Render(frame.Wrap(frame.Plain(what), width-2))+"\n"+frame.Wrap(next, width-2), " "), "\n"), "")
	}
	switch {
	case a.Failed != nil:
		advice := a.Failed.Advice
		if !strings.HasSuffix(advice, ".") && !strings.HasSuffix(advice, "?") {
			advice += "."
		}
		message := a.Failed.Message
		switch {
		case who != "":
			message = who + " did not come"
		case m.state.Plan.Blind(): // a provider's message would name the model
			message, advice = m.state.Plan.ModelShown()+" did not answer", "If it happens again, tell the study's owner."
		}
		return remark(m.theme.Bad, fmt.Sprintf("✗ %s: %s", message, advice), "{ctrl+s} sends the prompt again; this cost no attempt.")
	case a.Broken != nil && m.pasting() && m.state.Words[session.WordsAnswer] != "":
		return remark(m.theme.Warn, "‖ No answer was handed in.", "{ctrl+s} goes on to paste it: what you had pasted is kept. This cost no attempt.")
	case a.Broken != nil && m.pasting():
		return remark(m.theme.Warn, "‖ No answer was handed in.", "{ctrl+s} goes on to paste it; this cost no attempt.")
	case a.Broken != nil && a.Broken.Reason != "stopped":
		return remark(m.theme.Warn, "‖ The answer was cut off when assay ended.", "{ctrl+s} asks again; this cost no attempt.")
	case a.Broken != nil:
		return remark(m.theme.Warn, "‖ You stopped the answer.", "{ctrl+s} asks again; this cost no attempt.")
	}
	return nil
}
