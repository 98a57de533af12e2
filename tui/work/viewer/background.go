package viewer

import (
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"assay/tui/desktop"
)

// Take handles the results of background work.
func (m *Viewer) Take(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case outputsMsg:
		return m.outputsSaved(msg), true
	case desktop.OpenedMsg:
		m.opened(msg)
		return nil, true
	case copiedMsg:
		m.copied(msg)
		return nil, true
	case shownMsg:
		return m.pictureShown(msg), true
	}
	if cmd, taken := m.takeRendered(msg); taken {
		return cmd, true
	}
	for _, latest := range []interface {
		Take(tea.Msg) (tea.Cmd, bool)
	}{&m.diffs, &m.trees, &m.prompts, &m.painted} {
		before := m.review.sheets[m.review.tab].sheet
		if cmd, taken := latest.Take(msg); taken {
			m.review.changes++
			m.anchor(before)
			return tea.Batch(cmd, m.upload()), true
		}
	}
	return nil, false
}

// Resume restarts background work that was dropped while another screen was shown.
func (m *Viewer) Resume() tea.Cmd {
	return tea.Batch(m.answers.Resume(), m.diffs.Resume(), m.trees.Resume(), m.prompts.Resume(), m.painted.Resume(), m.Render())
}

// Render starts the background work for what is shown.
func (m *Viewer) Render() tea.Cmd {
	if m.Attempt() == nil || m.Size.Width == 0 {
		return nil
	}
	return tea.Batch(m.renderAnswer(), m.compare(), m.paint())
}

// Settled reports whether no background work for the screen is under way.
func (m *Viewer) Settled() bool {
	return m.answers.Settled() && m.diffs.Settled() && m.trees.Settled() && m.prompts.Settled() && m.painted.Settled()
}

func (m *testsTab) outputsSaved(msg outputsMsg) tea.Cmd {
	if msg.err != nil {
		m.Trouble = fmt.Errorf("the files were not saved: %w", msg.err).Error()
		return nil
	}
	m.Trouble, m.savedOf, m.savedIn = "", msg.of, msg.dir
	m.review.changes++
	m.Notice = "The files are in " + msg.dir
	if msg.open == "" {
		return nil
	}
	path, desk := filepath.Join(msg.dir, filepath.FromSlash(msg.open)), m.Opts.Desktop
	return func() tea.Msg { return desktop.OpenedMsg{Path: path, Err: desk.Open(path)} }
}

func (m *reading) opened(msg desktop.OpenedMsg) {
	if msg.Err != nil {
		m.Trouble = msg.Err.Error()
		return
	}
	m.Notice = m.Opts.Desktop.Opener() + " opens " + msg.Path
}

// pictureShown shows a picture in place of the screen, or tells why that failed.
func (m *Viewer) pictureShown(msg shownMsg) tea.Cmd {
	if msg.err != nil {
		m.Notice = "The picture cannot be shown: " + msg.err.Error()
		return nil
	}
	if msg.shown == nil {
		return nil
	}
	return tea.Exec(msg.shown, func(err error) tea.Msg { return shownMsg{err: err} })
}
