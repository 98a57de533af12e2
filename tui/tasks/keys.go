package tasks

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key {
	m := &Model{}
	return frame.Merged(m.listKeys(), m.readKeys(), m.countKeys(), m.loadKeys(), m.filterKeys(), m.nameKeys())
}

// keys returns the keys of the current mode.
func (m *Model) keys() []frame.Key {
	switch m.mode {
	case filtering:
		return m.filterKeys()
	case naming:
		return m.nameKeys()
	case loading:
		return m.loadKeys()
	case counting:
		return m.countKeys()
	case reading:
		return m.readKeys()
	}
	return m.listKeys()
}

// press runs the action of a key, or shows why there is none now.
func (m *Model) press(press string) (cmd tea.Cmd, taken bool) {
	cmd, why, taken := frame.Pressed(m.keys(), press)
	if why != "" {
		m.trouble = why
	}
	return cmd, taken
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.mode == filtering {
		if cmd, taken := m.line.Update(msg); taken {
			return cmd
		}
	}
	cmd, taken := m.press(msg.String())
	if !taken && m.mode == naming {
		return m.nameTyped(msg)
	}
	return cmd
}

// filterKeys returns the keys that the filter's line leaves to the screen, and its own.
func (m *Model) filterKeys() []frame.Key {
	done := func() tea.Cmd {
		m.mode = listing
		m.shown.Keep()
		return m.line.Blur()
	}
	return []frame.Key{
		{Press: "tab ↓ ↑", Does: "choose", Run: func(press string) tea.Cmd {
			if press == "down" {
				return done()
			}
			return nil
		}},
		{Press: "enter", Does: "complete, or done", Do: done}, {Press: "esc", Does: "close", Do: done}, frame.HelpKey,
	}
}

func (m *Model) noTask() string {
	if m.task == nil {
		return "there is no task"
	}
	return ""
}

func (m *Model) listKeys() []frame.Key {
	choose := m.shown.Key()
	choose.More = m.size.Narrow()
	keys := append([]frame.Key{
		choose,
		{Press: "enter", Does: "open", Not: m.noTask, Do: frame.Only(func() { m.mode = reading })},
	}, m.commonKeys()...)
	return append(append(keys, m.saveKey(),
		frame.Key{Press: "l", Does: "load filter", Do: m.load, Not: m.noPlace}, m.revealKey(),
		frame.Key{Press: "1-5", Does: "a part of the task", Each: tabNames[:], More: true, Not: m.noTask, Run: func(press string) tea.Cmd {
			m.openTab(press)
			if !m.beside() {
				m.mode = reading
			}
			return nil
		}},
		frame.HelpKey, frame.Key{Press: "esc", Also: "q", Does: "back", Do: frame.GoBack},
	), frame.Motions(m.shown.Move)...)
}

func (m *Model) openTab(press string) { m.open(tab(press[0] - '1')) }

func (m *Model) readKeys() []frame.Key {
	back := frame.Only(func() { m.mode = listing })
	keys := append([]frame.Key{
		{Press: "1-5", Does: "part", Each: tabNames[:], Run: func(press string) tea.Cmd { m.openTab(press); return nil }},
		m.text.Key(), m.shown.Beside("other task"),
		{Press: "esc", Also: "enter q", Does: "back", Do: back}, frame.HelpKey,
	}, m.commonKeys()...)
	keys = append(keys, frame.Key{Press: "l", Does: "load filter", Do: m.load, Not: m.noPlace}, m.revealKey())
	keys = append(keys, m.pan.Keys(m.theme, func(notice string) { m.notice = notice })...)
	return append(append(keys,
		frame.Key{Press: "tab", Does: "next part", More: true, Do: frame.Only(func() { m.open((m.tab + 1) % tabs) })},
		frame.Key{Press: "shift+tab", Does: "part before", More: true, Do: frame.Only(func() { m.open((m.tab + tabs - 1) % tabs) })},
	), frame.Motions(m.text.Move)...)
}

// commonKeys returns the keys of both list and task.
func (m *Model) commonKeys() []frame.Key {
	return []frame.Key{
		{Press: "/", Also: "f", Does: "filter", Do: func() tea.Cmd {
			m.mode = filtering
			return m.line.Focus(true)
		}},
		{Press: "s", Does: "statistics", Do: frame.Only(func() {
			m.mode = counting
			m.window.To(0)
		})},
		{Press: "n", Does: "new session", Do: m.begin, Not: func() string {
			if m.opts.Begin == nil {
				return "start sessions from the home screen: run assay"
			}
			return ""
		}},
		{Press: "b", Does: "benchmark", Do: func() tea.Cmd {
			m.bench = (m.bench + 1) % len(m.opts.Benchmarks)
			m.columns = columnsOf(m.benchmark())
			m.mode = listing
			return m.line.SetBenchmark(m.benchmark())
		}},
		{Press: "o", Does: "order", Fit: func(k *frame.Key) { k.More = m.mode == reading && !m.beside() },
			Do: func() tea.Cmd { return m.line.SetOrder(m.line.Order().Next()) }},
	}
}

func (m *Model) noPlace() string {
	if m.opts.SavedFilters == nil {
		return "filters cannot be saved here"
	}
	return ""
}

func (m *Model) saveKey() frame.Key {
	return frame.Key{Press: "w", Does: "save filter", Do: m.askName, Not: func() string {
		switch {
		case m.opts.SavedFilters == nil:
			return m.noPlace()
		case strings.TrimSpace(m.line.Text()) == "":
			return "there is no filter to save"
		case m.line.Err() != nil:
			return "the filter has an error"
		}
		return ""
	}}
}

func (m *Model) revealKey() frame.Key {
	return frame.Key{Press: "r", Does: "show the reference solution", More: true, Do: frame.Only(m.reveal), Not: func() string {
		if m.hidesReference() {
			return openSession
		}
		return m.noTask()
	}}
}

// nameKeys returns the keys for naming a saved filter.
func (m *Model) nameKeys() []frame.Key {
	return []frame.Key{{Press: "enter", Does: "save", Do: m.saveNamed}, {Press: "esc", Does: "cancel", Do: frame.Only(func() {
		m.mode = listing
		m.name.Blur()
	})}, frame.HelpKey}
}

// loadKeys returns the keys of the list of saved filters.
func (m *Model) loadKeys() []frame.Key {
	back := frame.Only(func() { m.mode = listing })
	return append([]frame.Key{
		m.saved.Key(), {Press: "enter", Does: "load", Do: m.loadChosen},
		{Press: "esc", Also: "q", Does: "back", Do: back}, frame.HelpKey,
	}, frame.Motions(m.saved.Move)...)
}

// countKeys returns the keys of the statistics.
func (m *Model) countKeys() []frame.Key {
	turn := func(press string) tea.Cmd {
		by := 1
		if press == "left" || press == "shift+tab" {
			by = len(tables) - 1
		}
		m.table = (m.table + by) % len(tables)
		m.window.To(0)
		return nil
	}
	back := frame.Only(func() { m.mode = listing })
	return append([]frame.Key{
		{Press: "←→", Also: "shift+tab tab", Does: "other fields", Run: turn}, m.window.Key(),
		{Press: "esc", Also: "s enter q", Does: "back", Do: back}, frame.HelpKey,
	}, frame.Motions(m.window.Move)...)
}

// begin opens the form for a new session.
func (m *Model) begin() tea.Cmd {
	if m.opening {
		return nil
	}
	m.opening = true
	open, start := m.opts.Begin, session.Choice{Benchmark: m.benchmark(), Filter: m.line.Text()}
	return func() tea.Msg {
		screen, err := open(context.Background(), start)
		return formMsg{screen, err}
	}
}
