package work

import (
	"context"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session"
	"assay/tui/frame"
)

// saveEvery is the time between a key and the saving of the draft: at most this
// much typing is lost when the machine dies.
const saveEvery = 500 * time.Millisecond

// saveMsg says that the draft is to be saved.
type saveMsg struct{}

// composer is the editor of a prompt, or of a pasted answer.
type composer struct {
	area     textarea.Model
	saving   bool // a saveMsg is on its way
	choosing bool // the list of what can be inserted is shown
	above    above
	skip     int // lines of the upper part scrolled away
}

// above is what stands above the editor.
type above int

const (
	aboveStatement above = iota
	aboveAnswer
	aboveTests
)

func newComposer() composer {
	area := textarea.New()
	area.CharLimit, area.MaxHeight = 0, 0 // no prompt is too long
	area.ShowLineNumbers = false
	area.Prompt = " "
	area.SetVirtualCursor(false)
	plain := textarea.StyleState{Placeholder: lipgloss.NewStyle().Faint(true)}
	area.SetStyles(textarea.Styles{Focused: plain, Blurred: plain})
	return composer{area: area}
}

// begin fills the editor with a draft.
func (c *composer) begin(draft string) {
	c.area.SetValue(draft)
	c.area.MoveToEnd()
	c.choosing, c.above, c.skip = false, aboveStatement, 0
}

func (m *Model) composeKey(msg tea.KeyPressMsg) tea.Cmd {
	c := &m.compose
	if c.choosing {
		return m.insertKey(msg)
	}
	switch msg.String() {
	case "ctrl+s":
		return m.send()
	case "ctrl+t":
		c.choosing = true
		return nil
	case "ctrl+o":
		return m.openEditor()
	case "esc":
		m.notice = "The prompt is saved as it stands. f2 pauses, ctrl+c leaves."
		return nil
	case "tab":
		c.above, c.skip = m.nextAbove(), 0
		return nil
	case "f3":
		return tea.Batch(m.saveDraft(), m.confirmSkip())
	case "f5", "ctrl+pgdown":
		c.skip += 4
		return nil
	case "f4", "ctrl+pgup":
		c.skip = max(0, c.skip-4)
		return nil
	case "ctrl+z":
		if m.state.CanUndo() == 0 {
			m.notice = "There is no judgement to take back here."
			return nil
		}
		undo := func() tea.Cmd { return m.intend("undo", m.eng.Undo) }
		if strings.TrimSpace(c.area.Value()) == "" {
			return undo()
		}
		m.ask = &question{text: "Take the judgement back? The message that you began is dropped.", yes: "take it back", do: undo}
		return m.saveDraft()
	}
	var cmd tea.Cmd
	before := c.area.Value()
	c.area, cmd = c.area.Update(msg)
	if c.area.Value() == before {
		return cmd
	}
	return tea.Batch(cmd, m.scheduleSave())
}

// scheduleSave asks for the draft to be saved soon.
func (m *Model) scheduleSave() tea.Cmd {
	if m.compose.saving {
		return nil
	}
	m.compose.saving = true
	return tea.Tick(saveEvery, func(time.Time) tea.Msg { return saveMsg{} })
}

// saveDraft saves what was typed, if a prompt is being written.
func (m *Model) saveDraft() tea.Cmd {
	m.compose.saving = false
	if m.state.Paused != "" || m.state.Phase != session.Read && m.state.Phase != session.Compose {
		return nil
	}
	text, at := m.compose.area.Value(), m.at
	return m.intend("save", func(ctx context.Context) error {
		s := m.eng.State()
		writing := s.Phase == session.Read || s.Phase == session.Compose
		if a := s.Attempt(); a == nil || s.Current != at.task || a.N != at.attempt || !writing {
			return nil // it was sent meanwhile, and saved by that
		}
		return m.eng.Edit(ctx, text)
	})
}

func (m *Model) send() tea.Cmd {
	text := m.compose.area.Value()
	if strings.TrimSpace(text) == "" {
		m.notice = "The prompt is empty: write what you want the model to do, or insert the statement with ctrl+t."
		return nil
	}
	return m.intend("send", func(ctx context.Context) error { return m.eng.Send(ctx, text) })
}

// paste puts text from the clipboard into the editor and says so in the log.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.state.Paused != "" || m.ask != nil {
		return nil
	}
	if m.state.Phase == session.Rate || m.state.Phase == session.Review {
		return m.review.pasteNote(msg)
	}
	if !m.Typing() {
		return nil
	}
	return m.change("paste", func(area *textarea.Model) tea.Cmd {
		var cmd tea.Cmd
		*area, cmd = area.Update(msg)
		return cmd
	})
}

// change alters the draft by something that is not typing.
func (m *Model) change(what string, alter func(*textarea.Model) tea.Cmd) tea.Cmd {
	before := m.compose.area.Value()
	cmd := alter(&m.compose.area)
	after := m.compose.area.Value()
	if m.state.Phase == session.Wait || after == before {
		return cmd
	}
	return tea.Batch(cmd, m.intend("save", func(ctx context.Context) error {
		return m.eng.Insert(ctx, what, before, after)
	}))
}

// nextAbove is what tab shows next above the editor.
func (m *Model) nextAbove() above {
	next := m.compose.above + 1
	if next == aboveAnswer && m.previous() == nil {
		next++
	}
	if next == aboveTests && (m.previous() == nil || m.previous().Verdict == nil) {
		next++
	}
	if next > aboveTests {
		return aboveStatement
	}
	return next
}

func (m *Model) composePage() frame.Page {
	p := frame.Page{Keys: m.composeKeys(), Status: m.attemptStatus()}
	body := m.size.Body()
	if m.compose.choosing {
		p.Body = m.insertPage(body)
		return p
	}
	label := string(m.state.Plan.Context)
	if n := m.inserted(); n > 0 {
		label += fmt.Sprintf(" · %d of %d bytes inserted", n, len(m.state.Task().Draft()))
	}
	head := "your prompt"
	if m.previous() != nil {
		head = "your next message"
		if m.state.Plan.Context == session.Fresh {
			head = "your next prompt"
		}
	}
	if m.size.Wide() {
		return m.composeWide(p, body, head, label)
	}
	top := m.upper(m.size.Width, m.upperHeight(body.Height))
	rows := strings.Count(top, "\n") + 1
	area := m.editor(m.size.Width, body.Height-rows-1-m.troubleRows())
	p.Body = top + "\n" + frame.Section(head, label, m.size.Width, m.theme) + "\n" + area
	p.Cursor = m.cursor(0, rows+1)
	return p
}

// composeWide sets statement and editor side by side.
func (m *Model) composeWide(p frame.Page, body frame.Size, head, label string) frame.Page {
	left := m.size.Width * 45 / 100
	right := m.size.Width - left - 1
	area := frame.Section(head, label, right, m.theme) + "\n" + m.editor(right, body.Height-1-m.troubleRows())
	p.Body = frame.Columns(m.upper(left, body.Height), area, left, right, body.Height, m.theme)
	p.Cursor = m.cursor(left+1, 1)
	return p
}

// upperHeight is how many rows what stands above the editor may take.
func (m *Model) upperHeight(height int) int {
	if m.size.Compact() && m.compose.above == aboveStatement && m.compose.skip == 0 && !m.openedFully() {
		rows := 2
		if f := m.failure(); f != "" {
			rows += strings.Count(f, "\n") + 1 // what went wrong is never folded away
		}
		return rows
	}
	return max(3, height*55/100)
}

// openedFully says whether tab was used to unfold the statement of a compact
// screen.
func (m *Model) openedFully() bool { return m.compose.skip > 0 }

// upper is what stands above the editor, scrolled and cut to height.
func (m *Model) upper(width, height int) string {
	var text string
	switch m.compose.above {
	case aboveAnswer:
		text = " " + m.theme.Strong.Render("the answer before") + "\n" + frame.Indent(frame.Wrap(frame.Plain(m.text(m.previous().Answer.Answer)), width-2), " ")
	case aboveTests:
		text = m.testsText(m.previous(), width, true)
	default:
		text = m.folded(width) + statement(m.task(), width, m.theme)
	}
	if f := m.failure(); f != "" {
		text = f + "\n" + text
	}
	lines := strings.Split(text, "\n")
	skip := min(m.compose.skip, max(0, len(lines)-height))
	m.compose.skip = skip
	rest := lines[skip:]
	if len(rest) > height {
		rest = rest[:height]
		rest[height-1] = m.theme.Dim.Render(fmt.Sprintf("   … %d more lines: f5 down, f4 up", len(lines)-skip-height+1))
	}
	return strings.Join(rest, "\n")
}

// folded is the conversation so far, in one line.
func (m *Model) folded(width int) string {
	n := len(m.state.Task().Attempts) - 1
	if n < 1 {
		return ""
	}
	line := fmt.Sprintf(" ▸ %s before: tab shows the last, then its tests", count(n, "turn"))
	return m.theme.Dim.Render(frame.Fit(line, frame.Size{Width: width, Height: 1})[0]) + "\n"
}

// failure says why the prompt has no answer, and what to do.
func (m *Model) failure() string {
	a := m.state.Attempt()
	switch {
	case a == nil:
		return ""
	case a.Failed != nil:
		advice := a.Failed.Advice
		if !strings.HasSuffix(advice, ".") && !strings.HasSuffix(advice, "?") {
			advice += "."
		}
		message := a.Failed.Message
		if m.state.Plan.ModelShown() != m.state.Plan.Model.Name { // what a provider says names the model
			message, advice = m.state.Plan.ModelShown()+" did not answer", "If it happens again, tell the study's owner."
		}
		text := fmt.Sprintf("✗ %s: %s ctrl+s sends the prompt again; this cost no attempt.", message, advice)
		return m.remark(m.theme.Bad, text)
	case a.Broken != nil && a.Broken.Reason != "stopped":
		return m.remark(m.theme.Warn, "‖ The answer was cut off when assay ended. ctrl+s asks again; this cost no attempt.")
	case a.Broken != nil:
		return m.remark(m.theme.Warn, "‖ You stopped the answer. ctrl+s asks again; this cost no attempt.")
	}
	return ""
}

// remark wraps a sentence that stands above the statement.
func (m *Model) remark(style lipgloss.Style, text string) string {
	return frame.Indent(style.Render(frame.Wrap(frame.Plain(text), m.upperWidth()-2)), " ")
}

func (m *Model) upperWidth() int {
	if m.size.Wide() {
		return m.size.Width * 45 / 100
	}
	return m.size.Width
}

// editor draws the text area in its room.
func (m *Model) editor(width, height int) string {
	m.compose.area.SetWidth(width - 1)
	m.compose.area.SetHeight(max(1, height))
	return m.compose.area.View()
}

// cursor is where the text area has it, moved to the area's place in the body.
func (m *Model) cursor(dx, dy int) *tea.Cursor {
	c := m.compose.area.Cursor()
	if c == nil {
		return nil
	}
	c.X += dx
	c.Y += dy
	return c
}

func (m *Model) inserted() int {
	if t := m.state.Task(); t != nil {
		return t.InsertedBytes()
	}
	return 0
}

// tabKey is the key for what else can stand above the editor.
func (m *Model) tabKey() frame.Key {
	key := frame.Key{Press: "tab", Does: "turns"}
	if m.previous() == nil {
		key.Why = "this is the first attempt"
	}
	return key
}

func (m *Model) composeKeys() []frame.Key {
	keys := []frame.Key{
		{Press: "ctrl+s", Does: "send"}, {Press: "ctrl+t", Does: "insert"}, {Press: "ctrl+o", Does: "editor"},
		m.tabKey(), {Press: "f2", Does: "pause"}, frame.HelpKeyTyping,
		{Press: "f3", Does: "leave the task out", More: true},
		{Press: "f4 f5", Does: "scroll what stands above", More: true},
	}
	undo := frame.Key{Press: "ctrl+z", Does: "back to the answer: take the judgement back", More: true}
	if m.state.CanUndo() == 0 {
		undo.Why = "there is no judgement to take back"
	}
	return append(keys, undo)
}
