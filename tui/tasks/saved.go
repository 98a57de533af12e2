package tasks

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// askName asks for the name of the saved filter.
func (m *Model) askName() tea.Cmd {
	m.mode = naming
	m.name.SetValue("")
	return tea.Batch(m.name.Focus(), m.readSaved())
}

// readSaved reads the saved filters.
func (m *Model) readSaved() tea.Cmd {
	kept := m.opts.SavedFilters
	return func() tea.Msg {
		saved, err := kept.SavedFilters()
		return keptMsg{saved, err}
	}
}

func (m *Model) listed(msg keptMsg) tea.Cmd {
	m.saved.Set(msg.saved)
	if msg.err != nil {
		m.trouble = msg.err.Error()
		if m.mode == naming || m.mode == loading {
			m.mode = listing
			m.name.Blur()
		}
	}
	return nil
}

func (m *Model) nameTyped(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	m.name, cmd = m.name.Update(msg)
	return cmd
}

// saveNamed saves the filter under the typed name.
func (m *Model) saveNamed() tea.Cmd {
	name := strings.TrimSpace(m.name.Value())
	if name == "" {
		m.trouble = "a name is needed; " + m.theme.Press(frame.ScopeTasks, "esc") + " saves nothing"
		return nil
	}
	m.mode = listing
	m.name.Blur()
	kept, text := m.opts.SavedFilters, m.line.Text()
	return func() tea.Msg {
		path, err := kept.SaveFilter(name, text)
		return savedMsg{path, err}
	}
}

// replaces returns the filter that the typed name already has.
func (m *Model) replaces() string {
	name := strings.TrimSpace(m.name.Value())
	for _, s := range m.saved.Rows() {
		if s.Name == name {
			return s.Filter
		}
	}
	return ""
}

// load shows the saved filters.
func (m *Model) load() tea.Cmd {
	m.mode, m.saved = loading, frame.List[SavedFilter]{}
	return m.readSaved()
}

// loadChosen applies the chosen filter.
func (m *Model) loadChosen() tea.Cmd {
	m.mode = listing
	if saved, ok := m.saved.Chosen(); ok {
		return m.line.SetText(saved.Filter)
	}
	return nil
}

// savedList draws the saved filters.
func (m *Model) savedList(size frame.Size) string {
	if m.saved.Len() == 0 {
		return "\n   " + m.theme.Dim.Render("No filter is saved yet: "+m.theme.Press(frame.ScopeTasks, "w")+" saves the one that is typed.")
	}
	label := 4
	for _, s := range m.saved.Rows() {
		label = max(label, min(frame.Width(frame.OneLine(s.Name)), 24))
	}
	rows := m.saved.Draw(topHeight+1, size.Height-1, func(s SavedFilter, chosen bool) string {
		return m.theme.Item(frame.Cell(frame.OneLine(s.Name), label)+"  "+m.theme.Dim.Render(frame.OneLine(s.Filter)), chosen, size.Width)
	})
	return frame.Section("saved filters", fmt.Sprint(m.saved.Len()), size.Width, m.theme) + "\n" + strings.Join(rows, "\n")
}
