package work

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/diff"
	"assay/tui/editor"
	"assay/tui/frame"
	"assay/tui/saver"
	"assay/tui/work/viewer"
)

// saveMsg is sent when saver.Every has passed since the last save.
type saveMsg struct{}

// composer is the editor of a prompt, or of a pasted answer.
type composer struct {
	area    editor.Editor
	of      draftOf
	unsaved *unsaved
	saving  bool // a saveMsg is on its way
	dirty   bool // something was typed since it was sent
	list    list // the list shown over the editor
	offers  frame.List[insertion]
	above   above
	skips   [aboves]int // lines scrolled away of each text above
	seen    int         // visible lines of the chosen one
	upper   [aboves]upperLines
	differ  frame.Latest[draftVersion, []diff.Run]
	room    room
}

// draftOf identifies what the text in the editor is for.
type draftOf struct {
	task, attempt int
	answer        bool // a pasted answer, not a prompt
}

func (d draftOf) String() string {
	if d.answer {
		return fmt.Sprintf("task-%d-answer-%d", d.task+1, d.attempt)
	}
	return fmt.Sprintf("task-%d-prompt-%d", d.task+1, d.attempt)
}

// room is the position and width of the editor in the body.
type room struct{ x, y, width int }

// begin fills the editor with a draft, of which the given number of bytes was inserted, not typed.
// If the editor holds that text already, as after a failed answer, its undo history stays.
func (c *composer) begin(of draftOf, draft string, inserted int) {
	c.list, c.above, c.skips = listNone, aboveStatement, [aboves]int{}
	if c.of == of && c.area.Value() == draft {
		return
	}
	// The log tells how many bytes were inserted, not which ones. This matters for text that is
	// deleted and restored by undo.
	c.area.Reset(draft, 2*inserted > len(draft))
	c.of, c.unsaved = of, &unsaved{saved: draft}
	if text := c.area.Value(); text != draft {
		c.unsaved.add(editor.Change{Text: text, What: "clean"})
	}
}

// takeBack undoes the judgement that led to this prompt.
func (m *Model) takeBack() tea.Cmd {
	undo := func() tea.Cmd { return m.intend(step(m.eng.Undo)) }
	if strings.TrimSpace(m.compose.area.Value()) == "" {
		return undo()
	}
	m.ask = &question{text: "Take the judgement back? The message that you began is dropped.", yes: "take it back", do: undo}
	return m.saveDraft()
}

// editKey passes a key to the editor of a prompt or a pasted answer. Text that is cut or copied
// also goes to the terminal's clipboard.
func (m *Model) editKey(msg tea.KeyPressMsg) tea.Cmd {
	area := &m.compose.area
	before := area.Version()
	var cmd tea.Cmd
	switch press := msg.Keystroke(); press {
	case "ctrl+x":
		cmd = m.onClipboard(area.Cut())
	case "ctrl+g", "ctrl+insert":
		cmd = m.onClipboard(area.Copy())
	default:
		area.Key(msg)
		if area.Version() == before {
			m.Notice = m.whyNothing(press)
		}
	}
	if area.Version() == before {
		return cmd
	}
	return tea.Batch(cmd, m.scheduleSave(), m.compareDraft())
}

// onClipboard puts what was cut or copied on the clipboard.
func (m *Model) onClipboard(text string) tea.Cmd {
	if text == "" {
		m.Notice = m.keyed("Nothing is selected: shift and the arrow keys select, or {ctrl+space} and then the arrow keys.")
		return nil
	}
	m.Notice = fmt.Sprintf(m.keyed("The text (%s) was sent to the clipboard; {ctrl+v} also inserts it."), frame.Extent(text))
	return m.opts.Copy(text)
}

// whyNothing explains why a key changed nothing, where that may surprise.
func (m *Model) whyNothing(press string) string {
	switch press {
	case "ctrl+z":
		if m.State.Phase != session.Wait && m.State.CanUndo() != 0 {
			return m.keyed("There is nothing to undo. {f6} takes the judgement back.")
		}
		return "There is nothing to undo."
	case "ctrl+r":
		return "There is nothing to redo."
	case "ctrl+v":
		return "Nothing was cut or copied here. The paste key of your terminal inserts what is on its clipboard."
	}
	return ""
}

// scheduleSave saves what is typed: at once after a rest, then once in each [saver.Every].
func (m *Model) scheduleSave() tea.Cmd {
	if m.compose.saving {
		m.compose.dirty = true
		return nil
	}
	m.compose.saving = true
	return tea.Batch(m.save(), tea.Tick(saver.Every, func(time.Time) tea.Msg { return saveMsg{} }))
}

// savedLast saves what was typed since the last save.
func (m *Model) savedLast() tea.Cmd {
	if m.compose.saving = false; m.compose.dirty {
		return m.scheduleSave()
	}
	return nil
}

// saveDraft saves what was typed, if a prompt or a pasted answer is being written.
func (m *Model) saveDraft() tea.Cmd {
	if m.State.Paused != "" || !m.writing(m.State) {
		return nil
	}
	u, of := m.compose.unsaved, m.compose.of
	u.add(m.compose.area.Changes()...)
	if u.none() {
		return nil
	}
	return m.intend(m.savesDraft(func(ctx context.Context) error {
		if s := m.eng.State(); !m.writing(s) || m.draftOf(s) != of {
			return nil // sending it meanwhile has saved it
		}
		return u.save(ctx, m.eng, of)
	}))
}

// writing reports whether the editor is open in a state: for a prompt, or for a pasted answer. The queue asks, too,
// beside the screen.
func (*Model) writing(s *session.State) bool {
	return s.Phase == session.Read || s.Phase == session.Compose || s.Phase == session.Wait && pasted(s)
}

// draftOf identifies what the text in the editor is for in a state.
func (*Model) draftOf(s *session.State) draftOf {
	of := draftOf{task: s.Current, answer: s.Phase == session.Wait}
	if a := s.Attempt(); a != nil {
		of.attempt = a.N
	}
	return of
}

func (m *Model) send() tea.Cmd {
	u, text := m.compose.unsaved, m.compose.area.Value()
	if strings.TrimSpace(text) == "" {
		m.Notice = m.keyed("The prompt is empty: write what you want the model to do, or insert the statement with {ctrl+t}.")
		return nil
	}
	u.add(m.compose.area.Changes()...)
	return m.intend(step(func(ctx context.Context) error {
		if err := u.save(ctx, m.eng, draftOf{}); err != nil {
			return err
		}
		return m.eng.Send(ctx, text)
	}))
}

// paste inserts text from the clipboard; the log records it as pasted.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.State.Paused != "" || m.ask != nil {
		return nil
	}
	if !m.files.shown && (m.State.Phase == session.Rate || m.State.Phase == session.Review) {
		return m.FindTyped(msg)
	}
	if !m.Typing() {
		return nil
	}
	if m.files.shown {
		return m.typedInFiles(msg)
	}
	return m.insert(msg.Content, "paste")
}

// insert inserts a text that was not typed at the cursor, replacing the selection.
func (m *Model) insert(text, what string) tea.Cmd {
	return m.change(func(area *editor.Editor) {
		if !area.Insert(text, what) {
			m.Notice = editor.TooLong
		}
	})
}

// change alters the draft other than by typing, and saves it at once.
func (m *Model) change(alter func(*editor.Editor)) tea.Cmd {
	before := m.compose.area.Version()
	alter(&m.compose.area)
	if m.compose.area.Version() == before {
		return nil
	}
	return tea.Batch(m.saveDraft(), m.compareDraft())
}

// Mouse handles the mouse at x and y of the body: in the editor it places the cursor, selects and
// scrolls, and the wheel scrolls the text above. Elsewhere moused handles it.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if cmd, taken := m.pointList(msg, y); taken {
		return cmd
	}
	writing := m.State.Phase == session.Read || m.State.Phase == session.Compose || m.State.Phase == session.Wait
	if !writing || !m.typing() {
		return m.moused(msg, x, y)
	}
	c := &m.compose
	inside := x >= c.room.x-1 && x < c.room.x+c.room.width && y >= c.room.y
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if inside {
			c.area.Mouse(msg, x-c.room.x, y-c.room.y)
		} else {
			c.skips[m.aboveAt(x)] += frame.WheelRows(msg)
		}
	case tea.MouseClickMsg:
		if inside {
			c.area.Mouse(msg, x-c.room.x, y-c.room.y)
		}
	default:
		c.area.Mouse(msg, x-c.room.x, y-c.room.y)
		return nil // motion alone is no activity
	}
	return m.active()
}

func (m *Model) composePage() frame.Page {
	var p frame.Page
	if m.compose.list != listNone {
		p.Body = m.listPage(m.Size.Body())
		return p
	}
	label := ""
	if m.Previous() != nil {
		label = string(m.State.Plan.Context)
	}
	if t := m.State.Task(); t != nil {
		label = strings.TrimPrefix(label+viewer.NotTyped(t.InsertedBytes(), t.EditorBytes(), len(t.Draft())), " · ")
	}
	if holds := m.eng.Exceeded(m.compose.area.Value()); holds > 0 {
		label = fmt.Sprintf("longer than the context of %d tokens", holds)
	}
	if selected := m.selectedLabel(); selected != "" {
		label = selected // a narrow screen has no room for both
	}
	head := "your prompt"
	if m.Previous() != nil {
		head = "your next message"
		if m.State.Plan.Context == session.Fresh {
			head = "your next prompt"
		}
	}
	return m.writePage(p, head, label)
}

// writePage lays out the editor, headed by head and label, with the text to read.
func (m *Model) writePage(p frame.Page, head, label string) frame.Page {
	body := m.Size.Body()
	if m.Size.Wide() {
		return m.composeWide(p, body, head, label)
	}
	failed := m.failure(m.Size.Width)
	height := body.Height - 1 - m.troubleRows() - len(failed)
	top := m.scrolled(m.compose.above, m.Size.Width, m.upperHeight(m.Size.Width, height))
	rows := strings.Count(top, "\n") + 1
	area := m.editor(m.Size.Width, height-rows)
	p.Body = strings.Join(slices.Concat([]string{top, frame.FocusedSection(head, label, m.Size.Width, m.Theme)}, failed, []string{area}), "\n")
	p.Cursor = m.cursor(0, rows+1+len(failed))
	return p
}

// editor draws the text area.
func (m *Model) editor(width, height int) string {
	area := &m.compose.area
	m.compose.room.width = width
	area.SetSize(width-1, height)
	area.SetStyle(m.Theme.Chosen)
	if hint := m.emptyHint(); hint != "" && area.Value() == "" {
		lines := strings.Split(frame.Wrap(hint, max(10, width-2)), "\n")
		return frame.Indent(m.Theme.Dim.Render(strings.Join(lines[:min(len(lines), max(1, height))], "\n")), " ")
	}
	return frame.Indent(area.View(), " ")
}

// emptyHint is shown in an empty editor.
func (m *Model) emptyHint() string {
	switch {
	case m.State.Phase == session.Wait:
		return "The answer goes here."
	case m.Previous() != nil && m.State.Plan.Context != session.Fresh:
		return "The earlier prompts and answers are sent along: say what is to be different."
	}
	if m.State.Plan.Model.Recorded {
		return m.keyed("A model would read what you write here, and not the task: describe what you want, or take over the task's own words with {ctrl+t}.")
	}
	return m.keyed("The model reads what you write here, and not the task: describe what you want, or take over the task's own words with {ctrl+t}.")
}

// cursor returns the cursor of the text area in coordinates of the body, nil if it is out of view.
func (m *Model) cursor(dx, dy int) *tea.Cursor {
	m.compose.room.x, m.compose.room.y = dx+1, dy
	x, y, seen := m.compose.area.Cursor()
	if !seen {
		return nil
	}
	return tea.NewCursor(x+dx+1, y+dy)
}

// selectedLabel tells how much is selected.
func (m *Model) selectedLabel() string {
	area := &m.compose.area
	switch lines, characters := area.Selected(); {
	case lines > 1:
		return fmt.Sprintf("%d lines selected", lines)
	case lines == 1:
		return frame.Count(characters, "character") + " selected"
	case area.Selecting():
		return "motions select"
	}
	return ""
}

func (m *Model) composeKeys() []frame.Key {
	difference := frame.Key{Press: "f8", Does: "difference to the prompt before", More: true, Not: m.first, Do: m.toggleDifference}
	return append([]frame.Key{
		{Press: "ctrl+s", Does: "send", Do: m.send},
		{Press: "ctrl+t", Does: "insert", Do: frame.Only(func() { m.openList(listInsertions) })},
		{Press: "ctrl+l", Does: "files", Do: m.showFiles, Fit: func(k *frame.Key) {
			if !m.OfRepository() {
				k.Press = ""
			}
		}},
		{Press: "ctrl+o", Does: "edit in your own editor", Not: m.noEditor, Do: m.openEditor, Fit: func(k *frame.Key) {
			if m.opts.Editor != "" {
				k.Does = "edit in " + m.ownEditor
			}
		}},
		{Press: "tab", Does: "turns", Do: m.turnAbove, Not: func() string {
			if len(m.arrived()) == 0 {
				return m.first()
			}
			return ""
		}},
		m.pauseKey(), frame.HelpKey,
		{Press: "f3", Does: "leave the task out", More: true, Not: m.unskippable, Do: func() tea.Cmd { return tea.Batch(m.saveDraft(), m.confirmSkip()) }},
		{Press: "f4 f5", Also: "ctrl+pgup ctrl+pgdown", Does: "scroll what stands above", More: true, Run: m.scrollAbove},
		{Press: "f6", Does: "back to the answer: take the judgement back", More: true, Do: m.takeBack, Not: func() string {
			if m.State.CanUndo() == 0 {
				return "there is no judgement to take back"
			}
			return ""
		}},
		{Press: "f7", Does: "prompts sent before", More: true, Do: frame.Only(func() { m.openList(listPrompts) }), Not: func() string {
			if len(m.promptsBefore()) == 0 {
				return "none was sent in this session"
			}
			return ""
		}},
		difference,
		{Press: "esc", Does: "how to leave", More: true, Do: func() tea.Cmd {
			if m.compose.area.Selecting() {
				m.compose.area.Deselect()
			} else {
				m.Notice = m.keyed("The prompt is saved as it stands. {f2} pauses, ctrl+c leaves.")
			}
			return nil
		}},
	}, m.editingKeys()...)
}

// first explains why there is no previous attempt, or is "".
func (m *Model) first() string {
	if m.Previous() == nil {
		return "this is the first attempt"
	}
	return ""
}

// editingKeys lists the keys of the editor; it handles those without an action itself. The usual
// keys for moving and deleting are not listed.
func (m *Model) editingKeys() []frame.Key {
	return []frame.Key{
		{Press: "ctrl+z ctrl+r", Does: "undo, redo", More: true},
		{Press: "ctrl+space", Does: "select, as shift+arrows do", More: true},
		{Press: "f9", Does: "select all", More: true},
		{Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste", More: true},
	}
}

// The columns beside the editor on wide screens.

// composeWide lays out statement, editor and, if there is one and room for it, a text about the
// previous attempt side by side.
func (m *Model) composeWide(p frame.Page, body frame.Size, head, label string) frame.Page {
	left, middle, right := m.composeColumns()
	height := body.Height - 1 - m.troubleRows()
	beside := m.compose.above
	if right > 0 {
		beside = aboveStatement
	}
	text := m.scrolled(beside, left, height)
	if spare := height - strings.Count(text, "\n") - 2; right == 0 && beside != aboveStatement && spare >= minEditor {
		text += "\n" + frame.Section(aboveStatement.String(), "", left, m.Theme) + "\n" + m.scrolled(aboveStatement, left, spare)
	}
	failed, tests := m.failure(middle), m.lastFailure(middle, height/2)
	rows := height - len(failed) - len(tests)
	area := slices.Concat(failed, frame.Fit(m.editor(middle, rows), frame.Size{Width: middle, Height: rows}), tests)
	panes := []frame.Pane{
		{Title: beside.String(), Text: text, Width: left},
		{Title: head, Note: label, Text: strings.Join(area, "\n"), Width: middle, Focused: true},
	}
	if right > 0 {
		panes = append(panes, frame.Pane{Title: m.besideEditor().String(), Text: m.scrolled(m.besideEditor(), right, height), Width: right})
	}
	p.Body = frame.Panes(height, m.Theme, panes...)
	p.Cursor = m.cursor(left+1, 1+len(failed))
	return p
}
