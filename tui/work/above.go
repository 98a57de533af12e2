package work

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/result"
	"assay/tui/work/viewer"
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
	if m.Awaited() {
		if m.compose.above == abovePrompt {
			return aboveStatement
		}
		return abovePrompt
	}
	next := m.compose.above + 1
	if next == aboveArrived && len(m.arrived()) == 0 {
		next++
	}
	if next == aboveAnswer && m.Previous() == nil {
		next++
	}
	if next == aboveTests && (m.Previous() == nil || m.Previous().Verdict == nil) {
		next++
	}
	if next == aboveDifference && m.Previous() == nil || next > aboveDifference {
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
	return strings.Join(append(rest, m.Theme.Dim.Render("   "+frame.Position(from, seen, len(lines))+keys)), "\n")
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
	key := upperKey{look: m.WrittenLook(width), folded: c.above == aboveStatement && !m.threePanes() && !m.Awaited(), task: m.at.task, attempt: m.at.attempt}
	copy(key.arrived[:], m.arrived())
	before := m.Previous()
	if before != nil {
		key.sees, key.verdict, key.extracted = m.State.Plan.Sees(before), before.Verdict, before.Extracted
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
		if !m.Size.Wide() { // a pane has a title
			text = " " + m.Theme.Strong.Render(what.String()) + "\n"
		}
		text += strings.Join(m.AnswerRows(before, m.Text(before.Answer.Answer), width), "\n")
	case aboveTests:
		text = m.TestsText(before, width)
	case aboveDifference:
		text = m.draftChanges(width)
	case abovePrompt:
		text = m.promptToTake(width)
	default:
		if key.folded {
			text = m.folded(width)
		}
		text += viewer.Statement(m.Task(), frame.Size{Width: width, Height: m.Size.Height}, m.Theme)
		if suffix := m.State.Plan.Suffix; suffix != "" {
			text += "\n\n" + frame.Indent(m.Theme.Dim.Render(frame.Wrap("appended to every prompt: "+frame.OneLine(suffix), width-2)), " ")
		}
	}
	c.upper[what] = upperLines{key, strings.Split(text, "\n")}
	return c.upper[what].lines
}

// folded summarizes the conversation so far in one line.
func (m *Model) folded(width int) string {
	n := len(m.State.Task().Attempts) - 1
	if n < 1 {
		return ""
	}
	chip := ""
	if before := m.Previous(); before != nil && before.Verdict != nil && before.VerdictSeen {
		chip = m.Theme.Chip(result.Tests(m.State.Plan, before, false))
	}
	return frame.Cut(m.Theme.Dim.Render(" "+frame.Count(n, "turn")+" before  ")+chip+m.Theme.Dim.Render(m.keyed("  {tab} shows the last, then its tests")), width) + "\n"
}

// failure says in rows of a width why the prompt has no answer, and what to do.
func (m *Model) failure(width int) []string {
	a := m.State.Attempt()
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
		case m.State.Plan.Blind(): // a provider's message would name the model
			message, advice = m.State.Plan.ModelShown()+" did not answer", "If it happens again, tell the study's owner."
		}
		return remark(m.Theme.Bad, fmt.Sprintf("✗ %s: %s", message, advice), "{ctrl+s} sends the prompt again; this cost no attempt.")
	case a.Broken != nil && m.pasting() && m.State.Words[session.WordsAnswer] != "":
		return remark(m.Theme.Warn, "‖ No answer was handed in.", "{ctrl+s} goes on to paste it: what you had pasted is kept. This cost no attempt.")
	case a.Broken != nil && m.pasting():
		return remark(m.Theme.Warn, "‖ No answer was handed in.", "{ctrl+s} goes on to paste it; this cost no attempt.")
	case a.Broken != nil && a.Broken.Reason != "stopped":
		return remark(m.Theme.Warn, "‖ The answer was cut off when assay ended.", "{ctrl+s} asks again; this cost no attempt.")
	case a.Broken != nil:
		return remark(m.Theme.Warn, "‖ You stopped the answer.", "{ctrl+s} asks again; this cost no attempt.")
	}
	return nil
}

// failedSides says which of two answers did not come, and what sending again does; "" where one model answers.
func failedSides(a *session.Attempt) (who, then string) {
	if a.Sides == nil {
		return "", ""
	}
	var missing []string
	for _, side := range session.Sides() {
		if a.On(side).Answer == nil {
			missing = append(missing, viewer.SideName(side))
		} else {
			then = " " + strings.ToUpper(viewer.SideName(side)[:1]) + viewer.SideName(side)[1:] + " is kept: the same prompt asks only for the other one, another prompt for both."
		}
	}
	return strings.Join(missing, " and "), then
}

// arrived lists what had arrived of answers that failed or were stopped, as far as the study shows it.
func (m *Model) arrived() (list []session.Arrival) {
	a := m.State.Attempt()
	if a == nil {
		return nil
	}
	for _, got := range a.Arrived() {
		if m.State.Plan.HideThinking {
			got.Thinking = ""
		}
		if got.Text != "" || got.Thinking != "" {
			list = append(list, got)
		}
	}
	return list
}

// arrivedText shows it above the editor.
func (m *Model) arrivedText(width int) string {
	var parts []string
	for _, got := range m.arrived() {
		of := "the answer"
		if got.Side != "" {
			of = viewer.SideName(got.Side)
		}
		text := " " + m.Theme.Strong.Render("what had arrived of "+of+": it is not judged")
		if thoughts := m.Text(got.Thinking); thoughts != "" {
			text += "\n " + m.Theme.Dim.Render(viewer.ThinkingHead(thoughts)) + "\n" + strings.Join(m.Dimmed(strings.Split(markdown.AsItCame(thoughts, width), "\n")), "\n") + "\n"
		}
		parts = append(parts, text+"\n"+markdown.Render(m.AnswerText(got.Text), m.WrittenLook(width)))
	}
	return strings.Join(parts, "\n\n")
}

// arrivedHint names the key that shows it.
func (m *Model) arrivedHint() string {
	if len(m.arrived()) == 0 {
		return ""
	}
	return m.keyed(" {tab} shows what had arrived.")
}

// threePanes reports whether a text about the previous attempt stands beside the editor.
func (m *Model) threePanes() bool {
	return m.Size.Width >= viewer.ThreeWidth && m.besideEditor() != aboveStatement
}

// composeColumns returns the widths of the columns while a prompt is written; the last is 0 if
// there are two.
func (m *Model) composeColumns() (left, middle, right int) {
	width := m.Size.Width
	if !m.threePanes() {
		left = min(width*45/100, frame.ProseWidth)
		return left, min(width-left-1, frame.ProseWidth), 0
	}
	left, middle = min(width*26/100, frame.ProseWidth), min(width*42/100, frame.ProseWidth)
	return left, middle, min(width-left-middle-2, frame.ProseWidth)
}

// lastFailure draws the verdict on the attempt before and its first failed test, in at most so many rows; none where
// the tests stand beside the editor.
func (m *Model) lastFailure(width, most int) []string {
	a := m.Previous()
	if a == nil || a.Verdict == nil || m.State.Plan.Sees(a) == session.SeeNothing || m.threePanes() || m.compose.above == aboveTests {
		return nil
	}
	rows := []string{frame.Section("last attempt", m.Theme.Chip(result.Verdict(a.Verdict, false)), width, m.Theme)}
	if result, err := m.Results(a.Verdict); err == nil && m.State.Plan.Sees(a) == session.SeeTests {
		failed := slices.DeleteFunc(slices.Clone(result.Cases), func(c verdicts.CaseResult) bool { return c.Status == verdicts.Passed || c.Status == verdicts.NotRun })
		if len(failed) > 0 {
			text, _ := m.CaseText(failed[0], width, false)
			rows = append(rows, strings.Split(strings.TrimRight(text, "\n"), "\n")...)
		}
		if len(failed) > 1 {
			rows = append(rows, m.Theme.Dim.Render(fmt.Sprintf("            and %s: ", frame.Count(len(failed)-1, "other failure"))+m.keyed("{tab} shows the tests")))
		}
	}
	return rows[:min(len(rows), most)]
}

// besideEditor returns the text in the third column: the one chosen with tab, or the first that tab
// would choose.
func (m *Model) besideEditor() above {
	if m.compose.above != aboveStatement {
		return m.compose.above
	}
	return m.nextAbove()
}

// aboveAt returns the text above or beside the editor in column x of the body.
func (m *Model) aboveAt(x int) above {
	switch {
	case !m.threePanes():
		return m.compose.above
	case x < m.compose.room.x:
		return aboveStatement
	}
	return m.besideEditor()
}
