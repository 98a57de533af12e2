package tasks

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch m.mode {
	case filtering:
		return m.filterKey(msg)
	case naming:
		return m.nameKey(msg)
	case loading:
		return m.loadKey(msg.String())
	case counting:
		return m.countKey(msg.String())
	case reading:
		return m.readKey(msg.String())
	}
	return m.listKey(msg.String())
}

func (m *Model) filterKey(msg tea.KeyPressMsg) tea.Cmd {
	cmd, taken := m.line.Update(msg)
	if taken {
		return cmd
	}
	switch msg.String() {
	case "enter", "esc", "down":
		m.mode = listing
		cmd = m.line.Blur()
		m.choose(m.row)
		return cmd
	}
	return nil
}

func (m *Model) listKey(press string) tea.Cmd {
	if to, moved := frame.Move(press, m.row, m.listHeight()-1, len(m.shown)); moved {
		m.choose(to)
		return nil
	}
	switch press {
	case "enter":
		if m.task != nil {
			m.mode = reading
		}
	case "esc", "q":
		return frame.Back
	default:
		if t, ok := tabAt(press); ok && m.task != nil {
			m.open(t)
			if !m.beside() {
				m.mode = reading
			}
			return nil
		}
		return m.commonKey(press)
	}
	return nil
}

// commonKey handles the keys that the list and the task share.
func (m *Model) commonKey(press string) tea.Cmd {
	switch press {
	case "/":
		m.mode = filtering
		cmd := m.line.Focus(true)
		m.choose(m.row) // the menu takes rows of the list
		return cmd
	case "r":
		m.reveal()
	case "s":
		m.mode, m.tableTop = counting, 0
	case "b":
		m.bench = (m.bench + 1) % len(m.opts.Benchmarks)
		m.widths = widthsOf(m.benchmark())
		m.mode = listing
		return m.line.SetBenchmark(m.benchmark())
	case "o":
		return m.line.SetOrder(m.line.Order().Next())
	case "w":
		return m.askName()
	case "l":
		return m.load()
	case "n":
		return m.begin()
	}
	return nil
}

// begin opens the form for a new session.
func (m *Model) begin() tea.Cmd {
	if m.opts.Begin == nil {
		m.trouble = frame.Refused(m.listKeys(), "n")
		return nil
	}
	if m.opening {
		return nil
	}
	m.opening = true
	open, start := m.opts.Begin, session.Choice{Benchmark: m.benchmark(), Scenario: m.line.Text()}
	return func() tea.Msg {
		screen, err := open(context.Background(), start)
		return formMsg{screen, err}
	}
}
