package setup

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/frame"
)

// Keys returns all keys of the form, for the settings.
func Keys() []frame.Key {
	m := &Model{}
	return frame.Merged(m.formKeys(), m.menuKeys())
}

// keys returns the table of the legend. The menu of the filter handles its keys itself and leaves the
// others to the form.
func (m *Model) keys() []frame.Key {
	if m.pick.open || len(m.filter.Offers()) > 0 {
		return m.menuKeys()
	}
	return m.formKeys()
}

func (m *Model) formKeys() []frame.Key {
	move := func(press string) tea.Cmd {
		by := 1
		if press == "up" || press == "shift+tab" {
			by = rowCount - 1
		}
		m.row = (m.row + by) % rowCount
		return m.focus()
	}
	turn := func(press string) tea.Cmd { return m.turn(press == "left") }
	return []frame.Key{
		{Press: "ctrl+s", Does: "begin the session", Do: m.start}, {Press: "↑↓", Also: "shift+tab tab enter", Does: "move", Run: move},
		{Press: "←→", Also: "space", Does: "change", Not: m.unchanging, Run: turn}, {Press: "esc", Does: "back", Do: m.leave}, frame.HelpKey,
	}
}

// leave leaves the form, unless it is beginning a session, which nobody would see.
func (m *Model) leave() tea.Cmd {
	if m.starting {
		return nil
	}
	m.starting = true
	return frame.Back
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.row == rowFilter {
		if cmd, taken := m.filter.Update(msg); taken {
			return cmd
		}
	}
	press, table := msg.Keystroke(), m.formKeys()
	switch typed := m.row == rowFilter || m.inputs[m.row] != nil; {
	case m.pick.open && m.pick.waits(press):
		m.pick.held = append(m.pick.held, msg)
		return nil
	case m.pick.open:
		table = m.menuKeys()
	case typed && (press == "left" || press == "right" || press == "space"):
		return m.edit(msg)
	}
	cmd, why, taken := frame.Pressed(table, press)
	if why != "" {
		m.trouble = why
	}
	if !taken {
		return m.edit(msg)
	}
	return cmd
}

func (m *Model) edit(msg tea.Msg) tea.Cmd {
	if m.row == rowFilter {
		cmd, _ := m.filter.Update(msg)
		return cmd
	}
	if picks(m.row) {
		return m.look(msg)
	}
	in := m.inputs[m.row]
	if in == nil {
		return nil
	}
	if key, ok := msg.(tea.KeyPressMsg); m.arrived && m.row != rowStratify && (!ok || strings.TrimSpace(key.Text) != "") {
		in.SetValue("") // the first typed digit replaces a number
	}
	m.arrived = false
	var cmd tea.Cmd
	*in, cmd = in.Update(msg)
	return cmd
}

// look passes a key or a paste to the picker.
func (m *Model) look(msg tea.Msg) tea.Cmd {
	if press, is := msg.(tea.KeyPressMsg); !m.pick.open && is && strings.TrimSpace(press.Text) == "" {
		return nil
	}
	var cmds []tea.Cmd
	if !m.pick.open {
		cmds = append(cmds, m.pick.begin())
	}
	var cmd tea.Cmd
	m.pick.line, cmd = m.pick.line.Update(msg)
	return tea.Batch(append(cmds, cmd, m.suggest())...)
}

func (m *Model) focus() tea.Cmd {
	m.arrived = true
	m.pick.close()
	var cmd tea.Cmd
	if m.row == rowFilter {
		cmd = m.filter.Focus(false)
	} else {
		cmd = m.filter.Blur()
	}
	for row, in := range m.inputs {
		if row == m.row {
			cmd = tea.Batch(cmd, in.Focus())
			in.CursorEnd()
		} else {
			in.Blur()
		}
	}
	return cmd
}

// turn changes a row with fixed values.
func (m *Model) turn(back bool) tea.Cmd {
	step := func(value, count int) int {
		if back {
			return (value + count - 1) % count
		}
		return (value + 1) % count
	}
	switch m.row {
	case rowBenchmark:
		m.benchmark = step(m.benchmark, len(m.choices.Benchmarks))
		return m.filter.SetBenchmark(m.choices.Benchmarks[m.benchmark])
	case rowModel:
		m.model = step(m.model, len(m.choices.Models))
	case rowAgainst:
		names := m.rivals()
		m.against = names[step(max(0, slices.Index(names, m.against)), len(names))]
	case rowLevel:
		m.level = step(m.level, benchmark.MaxPromptLevel+1)
	case rowContext:
		m.fresh = !m.fresh
	case rowReference:
		m.reference = !m.reference
	case rowPractice:
		m.practice = !m.practice
	}
	return nil
}

func (m *Model) start() tea.Cmd {
	choice, err := m.choice()
	if _, o, ok := m.drawn.Last(); err == nil && ok && m.Settled() {
		err = o.err
	}
	if err != nil {
		m.trouble = err.Error()
		return nil
	}
	if m.starting {
		return nil
	}
	m.starting = true
	return func() tea.Msg {
		eng, err := m.begin.Begin(context.Background(), choice)
		return begunMsg{eng, err}
	}
}
