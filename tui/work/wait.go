package work

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/markdown"
)

// While an answer is awaited: it streams in, or the tester fetches it from a
// chat page and pastes it.

// pasting says whether the tester brings the answer.
func (m *Model) pasting() bool { return m.state.Plan.Model.Provider == "paste" }

func (m *Model) waitKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.pasting() {
		return m.pasteKey(msg)
	}
	switch msg.String() {
	case "esc":
		m.eng.Stop()
		return nil
	}
	if cmd, notice, taken := m.review.pan.Key(msg.String(), m.theme); taken {
		m.notice = notice
		return cmd
	}
	if m.stream != nil {
		scrollStream(m.stream, msg.String(), m.size.Body().Height)
	}
	return nil
}

func (m *Model) waitPage() frame.Page {
	if m.pasting() {
		return m.pastePage()
	}
	body := m.size.Body()
	text := m.eng.Streamed()
	p := frame.Page{
		Keys: []frame.Key{
			{Press: "esc", Does: "stop"}, {Press: "↑↓", Does: "scroll"}, {Press: "end", Does: "follow"},
			{Press: "f2", Does: "pause"}, frame.HelpKey,
			{Press: "space b pgup pgdn ctrl+u ctrl+d home", Does: "scroll by pages, half pages, to the beginning", More: true},
		},
		Status: m.state.Plan.ModelShown() + " · " + m.attemptStatus(),
	}
	p.Keys = append(p.Keys, frame.PanKeys(m.theme)...)
	if text == "" {
		p.Body = "\n " + m.theme.Dim.Render("… waiting for the first words of "+m.state.Plan.ModelShown())
		return p
	}
	if m.stream == nil {
		m.stream = markdown.NewStream()
	}
	m.stream.Feed(text)
	_, width, _ := m.answerColumns() // as it will stand when it is whole
	p.Body = m.streamText(frame.Size{Width: width, Height: body.Height - m.troubleRows()})
	if !m.stream.Following() {
		p.Status = "↓ more · " + p.Status
	}
	return p
}

func (m *Model) pasteKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+s":
		text := m.compose.area.Value()
		if strings.TrimSpace(text) == "" {
			m.notice = "Nothing is pasted yet. An answer that is really empty: write (empty)."
			return nil
		}
		if err := m.eng.Pasted(text); err != nil {
			m.trouble = err.Error()
		}
		return nil
	case "ctrl+y":
		m.notice = "The prompt was sent to the clipboard."
		return m.opts.Copy(m.text(m.state.Attempt().Sent.Asked()))
	case "esc":
		if m.compose.area.Selecting() {
			m.compose.area.Deselect()
			return nil
		}
		if strings.TrimSpace(m.compose.area.Value()) == "" {
			m.eng.Stop()
			return nil
		}
		m.ask = &question{text: "Go back to the prompt? The answer that stands here is dropped.", yes: "go back", do: func() tea.Cmd {
			m.eng.Stop()
			return nil
		}}
		return nil
	}
	return m.editKey(msg)
}

func (m *Model) pastePage() frame.Page {
	body := m.size.Body()
	top := " " + m.theme.Strong.Render("Take the prompt to your chat page; paste its answer here.") + "\n" +
		frame.Indent(frame.Wrap(m.keyed("{ctrl+y} copies the prompt. Give it to the model as it is, then paste the whole answer, text and code."), body.Width-2), " ")
	rows := strings.Count(top, "\n") + 1
	p := frame.Page{
		Keys: append([]frame.Key{
			{Press: "ctrl+y", Does: "copy prompt"}, {Press: "ctrl+s", Does: "hand in"},
			{Press: "esc", Does: "back to the prompt"}, frame.HelpKeyTyping, {Press: "f2", Does: "pause", More: true},
		}, editingKeys()...),
		Status: m.attemptStatus(),
		Body: top + "\n" + frame.Section("the answer", m.selectedLabel(), body.Width, m.theme) + "\n" +
			m.editor(body.Width, body.Height-rows-1-m.troubleRows()),
	}
	p.Cursor = m.cursor(0, rows+1)
	return p
}
