package work

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/diff"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/result"
	"assay/tui/work/viewer"
)

func (a above) String() string {
	return [aboves]string{"statement", "what arrived", "the answer before", "tests", "difference", "your prompt as sent"}[a]
}

// turnAbove shows the next text above the editor.
func (m *composeRoom) turnAbove() tea.Cmd { return m.showAbove(m.nextAbove()) }

// showAbove shows a text above the editor, scrolled to where the tester left it.
func (m *composeRoom) showAbove(what above) tea.Cmd {
	m.above = what
	return m.compareDraft()
}

// scrollAbove scrolls the chosen text above the editor by a page, less one row.
func (m *composeRoom) scrollAbove(press string) tea.Cmd {
	c := m
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
func (m *composeRoom) upperHeight(width, height int) int {
	area := &m.area
	area.SetSize(width-1, height)
	need := max(minEditor, area.Rows(height)+1)
	return max(height*55/100, height-need)
}

// scrolled cuts a text above or beside the editor to height. If it does not fit, its last row
// tells the position.
func (m *composeRoom) scrolled(what above, width, height int) string {
	c, lines := m, m.upperLines(what, width)
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
	keys := m.Keyed(" · {tab} chooses it")
	if what == c.above {
		keys = m.scrollKeys(from > 0, from+seen < len(lines))
	}
	rest := slices.Clone(lines[from : from+seen])
	return strings.Join(append(rest, m.Theme.Dim.Render("   "+frame.Position(from, seen, len(lines))+keys)), "\n")
}

// scrollKeys names the keys that scroll the text above the editor further.
func (m *composeRoom) scrollKeys(up, down bool) string {
	var keys []string
	if down {
		keys = append(keys, m.Keyed("{f5} down"))
	}
	if up {
		keys = append(keys, m.Keyed("{f4} up"))
	}
	return " · " + strings.Join(keys, ", ")
}

func (m *composeRoom) upperLines(what above, width int) []string {
	c := m
	key := upperKey{look: m.WrittenLook(width), folded: c.above == aboveStatement && !m.threePanes() && !m.Awaited(), task: m.of.task, attempt: m.of.attempt}
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
func (m *composeRoom) folded(width int) string {
	n := len(m.State.Task().Attempts) - 1
	if n < 1 {
		return ""
	}
	chip := ""
	if before := m.Previous(); before != nil && before.Verdict != nil && before.VerdictSeen {
		chip = m.Theme.Chip(result.Tests(m.State.Plan, before, false))
	}
	return frame.Cut(m.Theme.Dim.Render(" "+frame.Count(n, "turn")+" before  ")+chip+m.Theme.Dim.Render(m.Keyed("  {tab} shows the last, then its tests")), width) + "\n"
}

// failure says in rows of a width why the prompt has no answer, and what to do.
func (m *composeRoom) failure(width int) []string {
	a := m.State.Attempt()
	if a == nil {
		return nil
	}
	who, then := failedSides(a)
	remark := func(style lipgloss.Style, what, next string) []string {
		next = frame.Plain(m.Keyed(next) + then + m.arrivedHint())
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
	case a.Broken != nil && m.Pasting() && m.State.Words[session.WordsAnswer] != "":
		return remark(m.Theme.Warn, "‖ No answer was handed in.", "{ctrl+s} goes on to paste it: what you had pasted is kept. This cost no attempt.")
	case a.Broken != nil && m.Pasting():
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

// arrivedText shows it above the editor.
func (m *composeRoom) arrivedText(width int) string {
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
func (m *composeRoom) arrivedHint() string {
	if len(m.arrived()) == 0 {
		return ""
	}
	return m.Keyed(" {tab} shows what had arrived.")
}

// composeColumns returns the widths of the columns while a prompt is written; the last is 0 if
// there are two.
func (m *composeRoom) composeColumns() (left, middle, right int) {
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
func (m *composeRoom) lastFailure(width, most int) []string {
	a := m.Previous()
	if a == nil || a.Verdict == nil || m.State.Plan.Sees(a) == session.SeeNothing || m.threePanes() || m.above == aboveTests {
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
			rows = append(rows, m.Theme.Dim.Render(fmt.Sprintf("            and %s: ", frame.Count(len(failed)-1, "other failure"))+m.Keyed("{tab} shows the tests")))
		}
	}
	return rows[:min(len(rows), most)]
}

// aboveAt returns the text above or beside the editor in column x of the body.
func (m *composeRoom) aboveAt(x int) above {
	switch {
	case !m.threePanes():
		return m.above
	case x < m.at.x:
		return aboveStatement
	}
	return m.besideEditor()
}

// promptToTake shows the prompt with instructions. The prompt is shown in full, since not every
// terminal passes on copied text.
func (m *composeRoom) promptToTake(width int) string {
	return " " + m.Theme.Strong.Render("Take the prompt to your chat page; paste its answer here.") + "\n" +
		frame.Indent(frame.Wrap(m.Keyed("{ctrl+y} copies the prompt. Give it to the model as it is, then paste the whole answer, text and code."), width-2), " ") + "\n\n" +
		frame.Indent(frame.Wrap(frame.Plain(m.Text(m.State.Attempt().Sent.Asked())), width-4), "   ")
}

// toggleDifference switches between the task and the draft's changes to the previous prompt.
func (m *composeRoom) toggleDifference() tea.Cmd {
	if m.above == aboveDifference {
		return m.showAbove(aboveStatement)
	}
	return m.showAbove(aboveDifference)
}

// draftChanges shows the draft's changes to the previous prompt: deleted text as [-…-], new text
// as {+…+}, and the ends of long unchanged parts.
func (m *composeRoom) draftChanges(width int) string {
	head := " " + m.Theme.Strong.Render("the draft against the prompt before") + "\n"
	key, list, ok := m.differ.Last()
	if !ok || key.of != m.of {
		return head + " " + m.Theme.Dim.Render("… comparing")
	}
	if !akin(list) {
		return head + " " + m.Theme.Dim.Render("They have little in common. The prompt before:") + "\n" +
			frame.Indent(frame.Wrap(frame.Plain(m.Text(m.Previous().Sent.Prompt)), width-2), " ")
	}
	changed := false
	var b strings.Builder
	for i, d := range list {
		text := frame.Plain(d.Text)
		switch d.Kind {
		case diff.Gone:
			b.WriteString(changedText(text, "[-", "-]", m.Theme.Bad.Render))
			changed = true
		case diff.New:
			b.WriteString(changedText(text, "{+", "+}", m.Theme.Good.Render))
			changed = true
		default:
			b.WriteString(alikeText(text, i == 0, i == len(list)-1))
		}
	}
	if !changed {
		return head + " " + m.Theme.Dim.Render("Both are the same.")
	}
	return head + frame.Indent(frame.Wrap(b.String(), width-2), " ")
}

// akin reports whether two texts share enough for a list of changes to be readable: a quarter of
// the shorter one.
func akin(runs []diff.Run) bool {
	same, gone, fresh := 0, 0, 0
	for _, d := range runs {
		switch n := len(strings.TrimSpace(d.Text)); d.Kind {
		case diff.Gone:
			gone += n
		case diff.New:
			fresh += n
		default:
			same += n
		}
	}
	return gone+fresh == 0 || same > 0 && 4*same >= same+min(gone, fresh)
}

// changedText encloses a run of text in signs and styles each line by itself, so that styles end
// with the line.
func changedText(text, from, to string, style func(...string) string) string {
	const most = 4000 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… %d more bytes", len(text)-most)
	}
	lines := strings.Split(text, "\n")
	lines[0] = from + lines[0]
	lines[len(lines)-1] += to
	for i, l := range lines {
		if l != "" {
			lines[i] = style(l)
		}
	}
	return strings.Join(lines, "\n")
}

// alikeText shortens unchanged text to the lines next to a change.
func alikeText(text string, first, last bool) string {
	lines := strings.Split(text, "\n")
	head, tail := 2, 2
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if len(lines) <= head+tail+2 {
		return text
	}
	ends := append(slices.Clone(lines[:head]), fmt.Sprintf("⋮ %s alike", frame.Count(len(lines)-head-tail, "line")))
	return strings.Join(append(ends, lines[len(lines)-tail:]...), "\n")
}
