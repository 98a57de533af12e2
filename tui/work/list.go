package work

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/editor"
	"assay/tui/frame"
)

// list is what lies over the editor to choose from.
type list int

const (
	listNone list = iota
	listInsertions
	listPrompts
)

// openList shows a list over the editor.
func (m *Model) openList(which list) {
	m.compose.list, m.compose.offers = which, frame.List[insertion]{}
	m.compose.offers.Set(m.listed())
}

// listed returns what the list over the editor offers.
func (m *Model) listed() []insertion {
	if m.compose.list == listPrompts {
		return m.promptsBefore()
	}
	return m.insertions()
}

// pointList hands the mouse to the list over the editor, or to the files; taken is false if none is shown.
func (m *Model) pointList(msg tea.MouseMsg, y int) (cmd tea.Cmd, taken bool) {
	_, moving := msg.(tea.MouseMotionMsg)
	listing := m.compose.list != listNone && m.writing(m.State)
	if !m.files.shown && !listing || m.ask != nil || m.State.Paused != "" || m.steps > 0 || moving {
		return nil, m.files.shown
	}
	switch f := &m.files; {
	case !f.shown:
		cmd = m.compose.offers.Mouse(msg, y, func() tea.Cmd { return m.insertChosen(m.compose.offers.Row(), "enter", false) })
	case f.open == "":
		cmd = f.list.Mouse(msg, y, m.openFile)
	default:
		f.window.Wheel(msg)
	}
	return tea.Batch(m.active(), cmd), true
}

// insertChosen puts what was chosen at the cursor, on a line of its own, or makes it the draft.
func (m *Model) insertChosen(at int, press string, whole bool) tea.Cmd {
	offers := m.listed()
	if at >= len(offers) {
		m.Notice = fmt.Sprintf("%s: there are %d to choose from", press, len(offers))
		return nil
	}
	chosen := offers[at]
	if chosen.why != "" {
		m.Notice = press + ": " + chosen.why
		return nil
	}
	m.compose.list = listNone
	text := chosen.text
	if chosen.ref != "" {
		text = m.Text(chosen.ref)
	}
	if whole {
		m.Notice = m.keyed("{ctrl+z} brings back what stood here.")
		return m.change(func(area *editor.Editor) { area.Replace(text, chosen.what) })
	}
	if !m.compose.area.AtLineStart() {
		text = "\n" + text
	}
	return m.insert(text, chosen.what)
}

// listPage draws the list with what the chosen offer would insert: below it, or on a wide
// screen beside it.
func (m *Model) listPage(body frame.Size) string {
	m.compose.offers.Set(m.listed())
	chosen, _ := m.compose.offers.Chosen()
	if m.Size.Wide() {
		left := body.Width * 52 / 100
		right := body.Width - left - 1
		choices := m.choices(frame.Size{Width: left, Height: body.Height})
		return frame.Columns(choices, m.offered(chosen, right, body.Height), left, right, body.Height, m.Theme)
	}
	choices := m.choices(frame.Size{Width: body.Width, Height: min(m.compose.offers.Len()+4, body.Height/2+1)})
	rows := strings.Count(choices, "\n") + 1
	return choices + "\n" + m.offered(chosen, body.Width, body.Height-rows)
}

// choices draws the offers around the chosen one.
func (m *Model) choices(size frame.Size) string {
	offers := &m.compose.offers
	head := "Insert at the cursor"
	if m.compose.list == listPrompts {
		head = fmt.Sprintf("Prompts sent before: %d of %d, the newest first", offers.Row()+1, offers.Len())
	}
	rows := []string{" " + m.Theme.Strong.Render(head), ""}
	rows = append(rows, offers.Draw(2, min(offers.Len(), size.Height-3), func(in insertion, chosen bool) string {
		return m.choice(in, chosen, size.Width)
	})...)
	if hint := " What is inserted is told apart from what you type."; len(rows)+2 <= size.Height {
		rows = append(rows, "", m.Theme.Dim.Render(frame.Cell(hint, size.Width)))
	}
	return strings.Join(rows, "\n")
}

// choice draws one offer: its number where it has one, its name, and how a prompt that
// was sent before begins.
func (m *Model) choice(in insertion, chosen bool, width int) string {
	number, excerpt := "", ""
	if in.ref == "" {
		number = fmt.Sprintf("%d   ", in.n)
	}
	room := width - 3 - frame.Width(number)
	if in.why != "" {
		return m.Theme.Item(m.Theme.Dim.Render(number+strings.TrimRight(frame.Cell(in.name+": "+in.why, room), " ")), chosen, width)
	}
	name := strings.TrimRight(frame.Cell(in.name, room), " ")
	if left := room - frame.Width(name) - 3; in.ref != "" && left > 0 {
		excerpt = m.Theme.Dim.Render(strings.TrimRight(frame.Cell("   "+frame.OneLine(strings.TrimSpace(m.Text(in.ref))), left+3), " "))
	}
	if number != "" {
		number = m.Theme.Accent.Render(number)
	}
	return m.Theme.Item(number+name+excerpt, chosen, width)
}

// offered shows the beginning of what an offer would insert.
func (m *Model) offered(in insertion, width, height int) string {
	text := in.text
	if in.ref != "" {
		text = m.Text(in.ref)
	}
	facts := frame.Extent(text)
	if in.why != "" {
		text, facts = in.why, ""
	}
	const most = 16 << 10 // more than any screen holds, and soon wrapped
	cut := text[:min(len(text), most)]
	lines := strings.Split(frame.Wrap(frame.Plain(strings.TrimRight(cut, "\n")), width-2), "\n")
	if room := height - 1; len(lines) > room && room > 0 {
		lines = lines[:room]
		lines[room-1] = m.Theme.Dim.Render("…")
	}
	return frame.Section("what it inserts", facts, width, m.Theme) + "\n" + frame.Indent(strings.Join(lines, "\n"), " ")
}

// fitInsertions names the keys of the insertions.
func (m *Model) fitInsertions(k *frame.Key) {
	if k.Press = ""; m.compose.list == listInsertions {
		k.Press = fmt.Sprintf("1-%d", len(m.insertions()))
	}
}

// listKeys returns the keys while a list lies over the editor.
func (m *Model) listKeys() []frame.Key {
	c := &m.compose
	only := func(which list) func(*frame.Key) {
		return func(k *frame.Key) {
			if c.list != which {
				k.Press = ""
			}
		}
	}
	back := frame.Only(func() { c.list = listNone })
	return append([]frame.Key{
		{Press: "enter", Does: "insert", Do: func() tea.Cmd { return m.insertChosen(c.offers.Row(), "enter", false) }},
		{Press: "r", Does: "replace the draft", Fit: only(listPrompts), Do: func() tea.Cmd { return m.insertChosen(c.offers.Row(), "r", true) }},
		c.offers.Key(),
		{Press: "1-9", Does: "at once", Fit: m.fitInsertions, Run: func(press string) tea.Cmd { return m.insertChosen(int(press[0]-'1'), press, false) }},
		{Press: "esc", Also: "ctrl+t q", Does: "back", Do: back}, frame.HelpKey,
		{Press: "f7 f8", Does: "older, newer", More: true, Fit: only(listPrompts), Run: func(press string) tea.Cmd {
			return c.offers.Move(map[string]string{"f7": "down", "f8": "up"}[press])
		}},
	}, frame.Motions(c.offers.Move)...)
}
