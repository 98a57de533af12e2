package results

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// Keys returns all keys of the screens of results, for the settings.
func Keys() []frame.Key {
	m, s := &Model{}, &Screen{}
	return frame.Merged(m.listKeys(), m.askKeys(&question{does: "yes, where assay asks"}), m.search.Keys("everything again"),
		s.pageKeys(), s.listKeys(), s.taskKeys(), s.filterKeys(), viewer.PastKeys(), []frame.Key{{Press: "v", Does: "back to the form, where an answer is rated"}})
}

// keys returns the table of what is shown.
func (m *Screen) keys() []frame.Key {
	switch {
	case m.line != nil:
		return m.filterKeys()
	case m.search.Typing():
		return m.search.Keys("everything again")
	case !m.ready:
		keys := []frame.Key{{Press: "esc", Also: "q", Does: "back", Do: frame.GoBack}, frame.HelpKey, more(m.writeKey())}
		if m.opts.Filter != "" { // it may choose no task
			keys = slices.Insert(keys, 1, m.filterKey())
		}
		return keys
	case m.reading:
		return m.taskKeys()
	case m.overview.More() >= 0:
		return m.listKeys()
	}
	return m.pageKeys()
}

// writeKey writes the report.
func (m *Screen) writeKey() frame.Key {
	return frame.Key{Press: "r", Does: "write report", Do: m.writeReport}
}

// pageKeys returns the keys of numbers and figures.
func (m *Screen) pageKeys() []frame.Key {
	leave := func() tea.Cmd {
		m.opening = true // a key before this screen has gone could open a session that nobody sees
		return frame.Back
	}
	pages, filter := m.overview.Keys(), m.filterKey()
	if m.size.Narrow() {
		filter = more(filter)
		for i := range pages[1:] {
			pages[i+1] = more(pages[i+1]) // the way back needs the room
		}
	}
	return slices.Concat([]frame.Key{
		{Press: "enter", Does: "tasks", Do: frame.Only(func() { m.overview.ShowMore(0) })},
		{Press: "c", Does: "continue", Not: m.unopen, Do: m.goOn}, m.writeKey(), filter, m.overview.OpenKey(m.opts.Work.Desktop),
	}, pages, []frame.Key{frame.HelpKey, {Press: "esc", Also: "q", Does: "back", Do: leave}})
}

// listKeys returns the keys of the list of tasks.
func (m *Screen) listKeys() []frame.Key {
	back := m.search.Back(frame.GoBack)
	return slices.Concat([]frame.Key{
		{Press: "enter", Does: "open", Do: m.openTask}, {Press: "/", Does: "find", Do: m.search.Begin},
		{Press: "o", Does: "order", Do: frame.Only(func() {
			m.order = (m.order + 1) % orders
			m.list()
			m.shown.Choose(0) // an order is chosen for its first rows
		})},
	}, m.overview.TurnKeys(), []frame.Key{
		m.filterKey(), more(m.shown.Key()), frame.HelpKey, {Press: "esc", Also: "q", Does: "back", Do: back},
		more(m.writeKey()),
	}, frame.Motions(m.shown.Move))
}

// taskKeys returns the keys of a task.
func (m *Screen) taskKeys() []frame.Key {
	none := func() string {
		if m.attempts.Len() == 0 {
			return "no attempt was made"
		}
		return ""
	}
	back := frame.Only(func() { m.reading = false })
	return []frame.Key{
		m.attempts.Key(), {Press: "enter", Does: "open", Not: none, Do: m.openAttempt},
		m.shown.Beside("other task"), frame.HelpKey, {Press: "esc", Also: "q", Does: "back", Do: back},
		{Press: "home end", Also: "g G", Does: "the first, the last attempt", More: true, Run: m.attempts.Move},
		{Press: "pgup pgdn", Also: "space", Does: "scroll the result", More: true, Run: m.result.Move},
		{Press: "ctrl+u ctrl+d", Does: "scroll the result by half a page", More: true, Run: m.result.Move},
		{Press: "1-9", Does: "open that attempt", More: true, Not: none, Fit: func(k *frame.Key) {
			k.Press = strings.TrimPrefix(fmt.Sprintf("1-%d", max(1, min(m.attempts.Len(), 9))), "1-1")
		}, Run: func(press string) tea.Cmd {
			if i := int(press[0] - '1'); i < m.attempts.Len() {
				m.attempts.Choose(i)
				return m.openAttempt()
			}
			return nil
		}},
		more(m.writeKey()),
	}
}

// more shows a key only in the list of keys.
func more(k frame.Key) frame.Key {
	k.More = true
	return k
}
