package home

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/results"
)

// maxWidth bounds the width of the entries in columns; from besideWidth on the preview stands at their right.
const maxWidth, besideWidth = 110, 175

// recent is the maximum number of open sessions on the home screen.
const recent = 4

// mostFinished is the maximum number of finished sessions, which screens from tallHeight rows on list.
const mostFinished, tallHeight = 8, 32

func (m *Model) entries() []entry {
	var own, programs []session.Summary // that are shown
	count, width := 0, rowWidths{}
	for _, s := range m.sessions {
		if !s.Open() {
			continue
		}
		count++
		list := &own
		if s.Automatic != "" {
			list = &programs
		}
		if len(*list) < recent {
			*list = append(*list, s)
			width = rowWidths{max(width.place, frame.Width(s.Place())), max(width.last, frame.Width(m.last(s)))}
		}
	}
	var open, automatic []entry
	for _, s := range own {
		open = append(open, entry{"Continue", frame.OneLine(s.Title()), m.progress(s, width), m.briefly(s), "", func() tea.Cmd { return m.resume(s.ID) }, &s})
	}
	for _, s := range programs {
		automatic = append(automatic, entry{"Automatic tester, in progress", frame.OneLine(s.Title()), m.progress(s, width), m.briefly(s), "", func() tea.Cmd { return m.look(s.ID) }, &s})
	}
	all := entry{"Look", "All " + frame.Count(len(m.sessions), "session"), fmt.Sprintf("%d open: continue, results, name, delete", count), fmt.Sprintf("%d open", count), "r", m.results, nil}
	if count == 0 {
		all.right, all.brief = "none open: results, name, delete", "none open"
	}
	switch len(m.sessions) {
	case 0:
		all.name, all.right, all.brief = "Sessions", "none yet", "none yet"
	case 1:
		all.name = "Sessions"
	}
	if next := m.next; next != nil {
		which := fmt.Sprintf("session %d of %d", next.Part, next.Last)
		open = append(open, entry{"Continue", "Next session of " + frame.OneLine(next.Study), which, which, "", func() tea.Cmd { return m.enter(next.Begin) }, nil})
	}
	list := append(open, automatic...)
	for i := range list {
		list[i].press = fmt.Sprint(i + 1)
	}
	if len(list) > 0 {
		all.group = list[len(list)-1].group
		list = append(list, all)
	}
	if m.bare {
		list = append(list, entry{"Begin", "Connect a model", "finds local servers, and keys in the environment", "servers and keys", "m", m.models, nil})
	}
	list = append(list,
		entry{"Begin", "New session", "", "", "n", func() tea.Cmd { return m.begin(false) }, nil},
		entry{"Begin", "Rehearse with recorded answers", "written beforehand; no model needed", "no model needed", "p", func() tea.Cmd { return m.begin(true) }, nil},
	)
	if all.group == "Look" {
		list = append(list, all)
	}
	list = append(list, entry{"Look", "Tasks", "search, filter, statistics", "", "t", m.browse, nil})
	if !m.bare {
		list = append(list, entry{"Look", "Models", "which are configured, and how to add yours", "", "m", m.models, nil})
	}
	if m.tall {
		list = append(list, m.finished()...)
	}
	return list
}

// finished lists the sessions that were finished last.
func (m *Model) finished() (list []entry) {
	for _, s := range m.sessions {
		if s.Status == session.StatusFinished && len(list) < mostFinished {
			list = append(list, entry{"Finished", frame.OneLine(s.Title()), fmt.Sprintf("%s  ✓ %-10s", s.Share(), m.ago(s.Last())), s.Share(), "", func() tea.Cmd { return m.look(s.ID) }, &s})
		}
	}
	return list
}

// previewKey names what is previewed: a session by its last event.
type previewKey struct {
	id  string
	seq uint64
}

// preview is the preview of a session, or why it cannot be read.
type preview struct {
	of  results.Preview
	err error
}

// ask reads the log of the chosen session, if there is one.
func (m *Model) ask() tea.Cmd {
	list := m.entries()
	if !m.tall || m.row >= len(list) || list[m.row].of == nil {
		return nil
	}
	s := list[m.row].of
	return m.preview.Ask(previewKey{s.ID, s.LastSeq}, func(ctx context.Context) preview {
		events, err := m.lib.Log(ctx, s.ID)
		if err != nil {
			return preview{err: err}
		}
		state, err := session.Replay(events)
		if err != nil {
			return preview{err: err}
		}
		return preview{of: results.PreviewOf(state)}
	})
}

// drawPreview draws what is known of the chosen session, if one is; nothing before its log is read.
func (m *Model) drawPreview(entries []entry, size frame.Size) []string {
	if m.row >= len(entries) || entries[m.row].of == nil {
		return nil
	}
	s := entries[m.row].of
	key, p, ok := m.preview.Last()
	switch {
	case !ok || key != (previewKey{s.ID, s.LastSeq}):
		return nil
	case p.err != nil:
		return frame.Notice("  ✗ "+p.err.Error(), m.theme.Bad, size.Width, 4)
	}
	begun := ""
	if s.OpenedAt > 0 {
		begun = "begun " + m.ago(s.Began())
	}
	return p.of.Draw(s, begun, size, m.theme)
}

// progress tells the progress of a session, in columns of given widths.
func (m *Model) progress(s session.Summary, width rowWidths) string {
	return frame.Bar(s.Closed(), s.Tasks, 10, m.theme) + "  " + m.theme.Dim.Render(frame.Cell(s.Place(), width.place)+"  "+frame.Cell(m.last(s), width.last))
}

// rowWidths are the widths of the columns of progress.
type rowWidths struct{ place, last int }

// last tells when a session was worked on, or what distinguishes it from others of its title.
func (m *Model) last(s session.Summary) string {
	if begun, is := m.twins[s.ID]; is {
		return "‖ begun " + begun
	}
	return fmt.Sprintf("‖ %-10s", m.ago(s.Last()))
}

// briefly is progress for a narrow screen.
func (m *Model) briefly(s session.Summary) string {
	if begun, is := m.twins[s.ID]; is {
		return "begun " + begun
	}
	return s.Place()
}

// ago formats a time as people do: just now, 15:04, yesterday, or the date.
func (m *Model) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ago(m.now(), t)
}

// ago is Model.ago by the calendar of now's zone, in which a day may have 23 or 25 hours.
func ago(now, t time.Time) string {
	t = t.In(now.Location())
	switch today := midnight(now); {
	case now.Sub(t) < time.Minute:
		return "just now"
	case midnight(t).Equal(today):
		return t.Format("15:04")
	case midnight(t).Equal(midnight(today.Add(-time.Hour))):
		return "yesterday"
	}
	return t.Format(time.DateOnly)
}

// mark is the name of the program.
const mark = "▄▀█ █▀ █▀ ▄▀█ █ █\n█▀█ ▄█ ▄█ █▀█  █"

// Page draws the entries.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.theme = theme
	body, beside := size.Body(), m.loaded && m.tall && len(m.sessions) > 0 && size.Width >= besideWidth
	if beside {
		body.Width = maxWidth
	}
	var rows, below []string
	if m.trouble != "" {
		below = append(append(below, ""), frame.Notice("✗ "+m.trouble, theme.Bad, body.Width, 3)...)
	}
	if m.notice != "" {
		below = append(below, "")
		for _, row := range frame.Notice(m.notice, theme.Dim, body.Width-1, 4) {
			below = append(below, " "+row)
		}
	}
	m.lines = m.lines[:0]
	group := ""
	entries := m.entries()
	for i, e := range entries {
		if e.group != group {
			group = e.group
			rows = append(rows, "", "  "+theme.Dim.Render(group))
		}
		m.lines = append(m.lines, len(rows))
		rows = append(rows, m.entryRow(e, i == m.row, size))
	}
	if head := strings.Split("\n"+frame.Indent(mark, "  "), "\n"); len(head)+len(rows)+len(below) < body.Height {
		for i := range head {
			head[i] = theme.Line.Render(head[i]) // quieter than what it stands above
		}
		rows = append(head, rows...)
		for i := range m.lines {
			m.lines[i] += len(head)
		}
	}
	if spare := body.Height - len(rows) - len(below); !beside && spare > results.PreviewRows+1 {
		if shown := m.drawPreview(entries, frame.Size{Width: min(body.Width, maxWidth), Height: spare - 2}); shown != nil {
			below = append(append([]string{"", ""}, shown...), below...)
		}
	}
	p := frame.Page{Scope: frame.ScopeHome, Title: "assay", Place: frame.Count(len(m.sessions), "session"), Day: m.pace(size), Keys: m.keys()}
	if !m.loaded { // entries would move when the sessions are read
		p.Place, m.lines, rows = "reading…", nil, nil
	}
	m.window.Fit(body.Height-len(below), len(rows))
	switch {
	case len(m.lines) > 0 && m.row > 0:
		m.window.Show(m.lines[m.row])
	default:
		m.window.To(0) // with the first heading
	}
	rows = m.window.Of(rows, body.Height-len(below))
	p.Body, p.Seen = strings.Join(append(rows[:len(rows):len(rows)], below...), "\n"), m.window.Seen()
	if beside {
		right := frame.Size{Width: size.Width - maxWidth - 1, Height: body.Height - 1}
		p.Body = frame.Columns(p.Body, "\n"+strings.Join(m.drawPreview(entries, right), "\n"), maxWidth, right.Width, body.Height, theme)
	}
	return p
}

// entryRow draws an entry, with its key at the end.
func (m *Model) entryRow(e entry, chosen bool, size frame.Size) string {
	name, right := e.name, e.right
	if size.Narrow() {
		right = e.brief
	}
	room := min(size.Width, maxWidth)
	right = m.theme.Dim.Render(right) + "  " + m.theme.Accent.Render(frame.Cell(m.theme.Press(frame.ScopeHome, e.press), 3))
	if most := room - frame.Width(right) - 6; frame.Width(name) > most { // the right side tells sessions apart
		name = frame.Cut(name, most)
	}
	return m.theme.Item(frame.Spread(name, right, room-3), chosen, room)
}
