package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark/repository/patch"
	"assay/session"
	"assay/tui/editor"
	"assay/tui/frame"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// takeBack undoes the judgement that led to this prompt.
func (m *composeRoom) takeBack() tea.Cmd {
	undo := func() tea.Cmd { return m.Intend(live.Step(m.Eng.Undo)) }
	if strings.TrimSpace(m.area.Value()) == "" {
		return undo()
	}
	m.Confirm("Take the judgement back? The message that you began is dropped.", "take it back", undo)
	return m.saveDraft()
}

// editKey passes a key to the editor of a prompt or a pasted answer. Text that is cut or copied
// also goes to the terminal's clipboard.
func (m *composeRoom) editKey(msg tea.KeyPressMsg) tea.Cmd {
	area := &m.area
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
	return tea.Batch(cmd, m.ScheduleSave(), m.compareDraft())
}

// whyNothing explains why a key changed nothing, where that may surprise.
func (m *composeRoom) whyNothing(press string) string {
	switch press {
	case "ctrl+z":
		if m.State.Phase != session.Wait && m.State.CanUndo() != 0 {
			return m.Keyed("There is nothing to undo. {f6} takes the judgement back.")
		}
		return "There is nothing to undo."
	case "ctrl+r":
		return "There is nothing to redo."
	case "ctrl+v":
		return "Nothing was cut or copied here. The paste key of your terminal inserts what is on its clipboard."
	}
	return ""
}

func (m *composeRoom) send() tea.Cmd {
	u, text := m.unsaved, m.area.Value()
	if strings.TrimSpace(text) == "" {
		m.Notice = m.Keyed("The prompt is empty: write what you want the model to do, or insert the statement with {ctrl+t}.")
		return nil
	}
	u.add(m.area.Changes()...)
	return m.Intend(live.Step(func(ctx context.Context) error {
		if err := u.save(ctx, m.Eng, draftOf{}); err != nil {
			return err
		}
		return m.Eng.Send(ctx, text)
	}))
}

func (m *composeRoom) Page() frame.Page {
	var p frame.Page
	if m.list != listNone {
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
	if holds := m.Eng.Exceeded(m.area.Value()); holds > 0 {
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
func (m *composeRoom) writePage(p frame.Page, head, label string) frame.Page {
	body := m.Size.Body()
	if m.Size.Wide() {
		return m.composeWide(p, body, head, label)
	}
	failed := m.failure(m.Size.Width)
	height := body.Height - 1 - m.TroubleRows() - len(failed)
	top := m.scrolled(m.above, m.Size.Width, m.upperHeight(m.Size.Width, height))
	rows := strings.Count(top, "\n") + 1
	area := m.editor(m.Size.Width, height-rows)
	p.Body = strings.Join(slices.Concat([]string{top, frame.FocusedSection(head, label, m.Size.Width, m.Theme)}, failed, []string{area}), "\n")
	p.Cursor = m.cursor(0, rows+1+len(failed))
	return p
}

// editor draws the text area.
func (m *composeRoom) editor(width, height int) string {
	area := &m.area
	m.at.width = width
	area.SetSize(width-1, height)
	area.SetStyle(m.Theme.Chosen)
	if hint := m.emptyHint(); hint != "" && area.Value() == "" {
		lines := strings.Split(frame.Wrap(hint, max(10, width-2)), "\n")
		return frame.Indent(m.Theme.Dim.Render(strings.Join(lines[:min(len(lines), max(1, height))], "\n")), " ")
	}
	return frame.Indent(area.View(), " ")
}

// emptyHint is shown in an empty editor.
func (m *composeRoom) emptyHint() string {
	switch {
	case m.State.Phase == session.Wait:
		return "The answer goes here."
	case m.Previous() != nil && m.State.Plan.Context != session.Fresh:
		return "The earlier prompts and answers are sent along: say what is to be different."
	}
	reads := "The model reads"
	if m.State.Plan.Model.Recorded {
		reads = "A model would read"
	}
	return m.Keyed(reads + " what you write here, and not the task: describe what you want, or take over the task's own words with {ctrl+t}.")
}

// cursor returns the cursor of the text area in coordinates of the body, nil if it is out of view.
func (m *composeRoom) cursor(dx, dy int) *tea.Cursor {
	m.at.x, m.at.y = dx+1, dy
	x, y, seen := m.area.Cursor()
	if !seen {
		return nil
	}
	return tea.NewCursor(x+dx+1, y+dy)
}

// selectedLabel tells how much is selected.
func (m *composeRoom) selectedLabel() string {
	area := &m.area
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

func (m *composeRoom) Keys() []frame.Key {
	if m.list != listNone {
		return m.listKeys()
	}
	return m.draftKeys()
}

func (m *composeRoom) Typing() bool { return m.list == listNone }

// Typed takes a key of the editor, or inserts what is pasted; the log records that as pasted.
func (m *composeRoom) Typed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.Typing() {
			return m.editKey(msg)
		}
	case tea.PasteMsg:
		return m.insert(msg.Content, "paste")
	}
	return nil
}

// Mouse places the cursor, selects and scrolls in the editor; the wheel scrolls the text above.
func (m *composeRoom) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	_, moving := msg.(tea.MouseMotionMsg)
	switch {
	case m.list != listNone && (m.Busy() || moving), m.Confirming():
		return nil
	case m.list != listNone:
		cmd := m.offers.Mouse(msg, y, func() tea.Cmd { return m.insertChosen(m.offers.Row(), "enter", false) })
		return tea.Batch(m.Active(), cmd)
	}
	inside := x >= m.at.x-1 && x < m.at.x+m.at.width && y >= m.at.y
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if inside {
			m.area.Mouse(msg, x-m.at.x, y-m.at.y)
		} else {
			m.skips[m.aboveAt(x)] += frame.WheelRows(msg)
		}
	case tea.MouseClickMsg:
		if inside {
			m.area.Mouse(msg, x-m.at.x, y-m.at.y)
		}
	default:
		m.area.Mouse(msg, x-m.at.x, y-m.at.y)
		return nil // motion alone is no activity
	}
	return m.Active()
}

func (m *composeRoom) draftKeys() []frame.Key {
	difference := frame.Key{Press: "f8", Does: "difference to the prompt before", More: true, Not: m.first, Do: m.toggleDifference}
	return append([]frame.Key{
		{Press: "ctrl+s", Does: "send", Do: m.send},
		{Press: "ctrl+t", Does: "insert", Do: frame.Only(func() { m.openList(listInsertions) })},
		m.files.key(),
		{Press: "ctrl+o", Does: "edit in your own editor", Not: m.NoEditor, Do: m.openEditor, Fit: func(k *frame.Key) {
			if m.Opts.Editor != "" {
				k.Does = "edit in " + m.ownEditor
			}
		}},
		{Press: "tab", Does: "turns", Do: m.turnAbove, Not: func() string {
			if len(m.arrived()) == 0 {
				return m.first()
			}
			return ""
		}},
		m.PauseKey(), frame.HelpKey,
		{Press: "f3", Does: "leave the task out", More: true, Not: m.Unskippable, Do: func() tea.Cmd { return tea.Batch(m.saveDraft(), m.ConfirmSkip()) }},
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
			if m.area.Selecting() {
				m.area.Deselect()
			} else {
				m.Notice = m.Keyed("The prompt is saved as it stands. {f2} pauses, ctrl+c leaves.")
			}
			return nil
		}},
	}, m.editingKeys()...)
}

// editingKeys lists the keys of the editor; it handles those without an action itself. The usual
// keys for moving and deleting are not listed.
func (m *composeRoom) editingKeys() []frame.Key {
	return []frame.Key{
		{Press: "ctrl+z ctrl+r", Does: "undo, redo", More: true},
		{Press: "ctrl+space", Does: "select, as shift+arrows do", More: true},
		{Press: "f9", Does: "select all", More: true},
		{Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste", More: true},
	}
}

// composeWide lays out statement, editor and, if there is one and room for it, a text about the
// previous attempt side by side.
func (m *composeRoom) composeWide(p frame.Page, body frame.Size, head, label string) frame.Page {
	left, middle, right := m.composeColumns()
	height := body.Height - 1 - m.TroubleRows()
	beside := m.above
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

// insertPath puts the path of a file at the cursor of the prompt.
func (m *composeRoom) insertPath(name string) tea.Cmd {
	m.files.shown = false
	return m.insert(name, "path")
}

// insertFile puts a file below its path, in a fence, at the cursor of the prompt, unless that was sent or
// the session paused meanwhile.
func (m *composeRoom) insertFile(name string) tea.Cmd {
	of, ctx := m.of, m.Watch
	return func() tea.Msg {
		text, err := m.Eng.ReadFile(ctx, of.task, name)
		return live.ThenMsg(func() tea.Cmd {
			switch {
			case err != nil:
				m.Notice = err.Error()
				return nil
			case of != m.of || !writing(m.State) || m.State.Paused != "":
				return nil
			}
			m.files.shown = false
			block := patch.Fenced(name, text)
			if !m.area.AtLineStart() {
				block = "\n" + block
			}
			return m.insert(block, "file")
		})
	}
}

// openEditor edits the draft in the tester's own editor.
func (m *composeRoom) openEditor() tea.Cmd {
	of, text := m.of, m.area.Value()
	if text != "" {
		text += "\n" // as editors expect
	}
	file, err := live.NewEditFile(m.EditDir(), of.String(), "prompt.md", text)
	if err != nil {
		m.Trouble = "the editor could not be opened: " + err.Error()
		return nil
	}
	edit := tea.ExecProcess(live.EditorCommand(m.Opts.Editor, file.Path), func(err error) tea.Msg { return visited(of, file, text, err) })
	return tea.Sequence(m.saveDraft(), edit)
}

// editedMsg is sent when the tester's own editor has ended.
type editedMsg struct {
	of    draftOf
	text  string
	err   error
	file  live.EditFile
	holds bool // the file holds what was written
}

// visited reads the edited file.
func visited(of draftOf, file live.EditFile, before string, failed error) tea.Msg {
	text, holds, err := file.Read(before, failed)
	return editedMsg{of, strings.TrimSuffix(text, "\n"), err, file, holds}
}

// edited takes over the text from the tester's own editor.
func (m *composeRoom) edited(msg editedMsg) tea.Cmd {
	switch {
	case msg.err != nil && msg.holds:
		m.Trouble = fmt.Sprintf("the editor ended with an error (%v), and the draft is as it was. What was written there is in %s", msg.err, msg.file.Path)
		return nil
	case msg.err != nil:
		m.Trouble = "the editor ended with an error, and the draft is as it was: " + msg.err.Error()
		return nil
	case msg.of != m.of:
		return nil // that draft is no longer being written
	}
	saved := m.change(func(area *editor.Editor) { area.Replace(msg.text, session.FromEditor) })
	text := m.area.Value()
	return tea.Batch(saved, m.Intend(live.Intent{Do: func(context.Context) error {
		if s := m.Eng.State(); writing(s) && draftIn(s) == msg.of && savedDraft(s) == text {
			msg.file.Remove()
		}
		return nil
	}}))
}
