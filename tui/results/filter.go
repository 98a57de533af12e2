package results

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/filter"
	"assay/tui/frame"
)

// menuRows is how many completions of a filter are offered at a time.
const menuRows = 6

// filterMsg has the tasks among which a filter chooses.
type filterMsg struct {
	tasks *benchmark.Benchmark
	err   error
}

// filterKey begins to type which tasks count.
func (m *Screen) filterKey() frame.Key {
	return frame.Key{Press: "f", Does: "filter", Do: m.typeFilter}
}

func (m *Screen) typeFilter() tea.Cmd {
	m.line = filter.New(m.opts.Filter)
	lib, id := m.opts.Library, m.id
	return tea.Batch(m.line.Focus(false), func() tea.Msg {
		tasks, err := lib.Tasks(context.Background(), id)
		return filterMsg{tasks, err}
	})
}

// filterKeys returns the keys that the filter's line leaves to the screen, and its own.
func (m *Screen) filterKeys() []frame.Key {
	return []frame.Key{
		{Press: "tab ↓ ↑", Does: "choose", Run: func(string) tea.Cmd { return nil }},
		{Press: "enter", Does: "complete, or apply", Do: m.applyFilter}, {Press: "esc", Does: "close", Do: frame.Only(m.closeFilter)}, frame.HelpKey,
	}
}

func (m *Screen) closeFilter() {
	m.line.Stop()
	m.line = nil
}

// applyFilter reads the session again with the tasks that the typed filter chooses. Its report is of these, too.
func (m *Screen) applyFilter() tea.Cmd {
	typed, err := benchmark.ParseFilter(m.line.Text())
	if err != nil {
		return nil // the line says what is wrong
	}
	m.closeFilter()
	if typed.String() == m.opts.Filter {
		return nil
	}
	m.opts.Library, m.opts.Filter = m.opts.Library.Filtered(typed), typed.String()
	m.opened, m.ready, m.err = frame.Latest[string, openedSession]{}, false, nil
	m.atTasks = m.overview.More() >= 0
	return m.Init()
}
