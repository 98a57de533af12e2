package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

// Page draws the list.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := frame.Page{Scope: frame.ScopeResults, Title: "Sessions" + filtered(m.opts.Filter), Place: "reading…", Keys: m.keys()}
	if m.loaded {
		all := len(NotWithdrawn(m.sessions))
		p.Place = frame.Count(all, "session")
		if m.search.Words() != "" {
			p.Place = fmt.Sprintf("%d of %s", m.shown.Len(), p.Place)
		}
	}
	if m.ask != nil {
		return m.askPage(p)
	}
	head, cursor := m.search.View(size.Width, theme.Dim.Render("all sessions; type "+theme.Press(frame.ScopeResults, "/")+" and words, for example open qwen"), theme)
	p.Cursor = cursor
	rule := frame.Rule("", size.Width, theme)
	var rows string
	switch {
	case !m.loaded:
		rows = "   " + theme.Dim.Render("reading…")
	case len(m.sessions) == 0:
		rows = "   There are no sessions yet.\n\n   " + theme.Dim.Render(theme.Press(frame.ScopeResults, "esc")+", then "+theme.Press(frame.ScopeHome, "n")+" begins one; "+
			theme.Press(frame.ScopeHome, "p")+" rehearses with recorded answers.")
	case m.shown.Len() == 0:
		rows = "   " + theme.Dim.Render("No session has all of these words.")
	default:
		t := frame.Table[session.Summary]{Width: size.Width, Columns: m.columns(), Theme: theme}
		rows = strings.Join(append(m.shown.Table(1, m.height()+1, t), m.preview()...), "\n")
		p.Seen = m.shown.Seen()
	}
	body := frame.Fit(head+"\n"+rows, frame.Size{Width: size.Width, Height: size.Body().Height - 3})
	p.Body = strings.Join(append(body, rule, m.about()), "\n")
	return p
}

// preview draws the tasks of the chosen session where the list leaves room.
func (m *Model) preview() []string {
	s, spare := m.chosen(), m.height()-m.shown.Len()-2
	if s == nil || spare < PreviewRows {
		return nil
	}
	n, known := m.numbers[numbersKey{s.ID, s.LastSeq}]
	if !known || n.err != nil {
		return nil
	}
	return append([]string{"", ""}, n.preview.Draw(s, "begun "+s.Began().Format(minute), frame.Size{Width: min(m.size.Width, frame.WideWidth), Height: spare}, m.theme)...)
}

// columns lists the columns by priority.
func (m *Model) columns() []frame.Column[session.Summary] {
	of := func(get func(numbers) string) func(session.Summary) string {
		return func(s session.Summary) string {
			switch n, known := m.numbers[numbersKey{s.ID, s.LastSeq}]; {
			case !known:
				return "…"
			case n.err != nil:
				return "✗"
			default:
				return get(n)
			}
		}
	}
	fitted := func(place int, name string, most int, of func(session.Summary) string) frame.Column[session.Summary] {
		key := fitKey{name, most}
		width, known := m.widths[key]
		if !known {
			width = frame.Widest(name, m.sessions, of, most)
			m.widths[key] = width
		}
		return frame.Fixed(place, name, width, of)
	}
	begun := fitted(2, "begun", len(minute+":05 #99"), m.begun)
	if m.size.Width < frame.FullWidth { // only twins show the year
		begun = fitted(2, "begun", len(minute+":05 #9"), func(s session.Summary) string {
			if _, is := m.twins[s.ID]; is {
				return m.begun(s)
			}
			return s.Began().Format("01-02 15:04")
		})
	}
	tasks := func(s session.Summary) string { return fmt.Sprintf("%d/%d", s.Closed(), s.Tasks) }
	if m.opts.Filter != "" { // the index counts all tasks
		tasks = of(func(n numbers) string { return fmt.Sprint(n.tasks) })
	}
	columns := []frame.Column[session.Summary]{
		fitted(0, "status", 11, func(s session.Summary) string { return status(s.Status) }).Signed(),
		fitted(1, "session", titleRoom, session.Summary.Title).Growing(),
		begun,
		fitted(4, "tasks", 9, tasks).Numeric(),
		frame.Fixed(5, "attempts", 8, of(func(n numbers) string { return frame.Number(float64(n.attempts), 2) })).Numeric(),
		frame.Fixed(7, "total", 5, of(func(n numbers) string { return frame.Number(float64(n.total), 1) })).Numeric(),
		frame.Fixed(6, "time", 10, of(func(n numbers) string { return frame.Duration(float64(n.seconds)) })).Numeric(),
		frame.Fixed(8, "last", 11, func(s session.Summary) string { return s.Last().Format("01-02 15:04") }),
	}
	if slices.ContainsFunc(m.sessions, func(s session.Summary) bool { return s.Tester != "" }) {
		columns = append(columns, fitted(3, "tester", 12, func(s session.Summary) string { return orDash(s.Tester) }))
	}
	return columns
}

// status returns a glyph and a word.
func status(s session.Status) string {
	return cmp.Or(map[session.Status]string{
		session.StatusFinished:  "✓ finished",
		session.StatusOpen:      "… open",
		session.StatusPaused:    "‖ paused",
		session.StatusAbandoned: "✗ abandoned",
	}[s], "– "+string(s))
}

// about shows more about the chosen session, or what is wrong.
func (m *Model) about() string {
	width := m.size.Width
	if m.trouble != "" {
		return frame.Notice("✗ "+m.trouble, m.theme.Bad, width, 1)[0]
	}
	if m.notice != "" {
		return m.theme.Good.Render(" ✓ ") + m.notice
	}
	s := m.chosen()
	if s == nil {
		return ""
	}
	facts := []string{s.Of()}
	if s.Automatic != "" {
		facts = append(facts, automatic(*s))
	}
	if s.Open() {
		facts = append(facts, s.Place())
	}
	facts = append(facts, "last "+s.Last().Format(minute))
	if s.Tester != "" && s.Automatic == "" {
		facts = append(facts, "by "+s.Tester)
	}
	if s.Imported {
		facts = append(facts, "imported")
	}
	second := "… reading"
	if n, known := m.numbers[numbersKey{s.ID, s.LastSeq}]; known {
		switch {
		case n.err != nil:
			second = "✗ " + n.err.Error()
		case n.tasks == 0:
			second = "no task has a result"
		default:
			second = fmt.Sprintf("means over %s: %s attempts, %s, total %s", frame.Count(n.tasks, "task"),
				frame.Number(float64(n.attempts), 2), frame.Duration(float64(n.seconds)), frame.Number(float64(n.total), 1))
			if width >= frame.FullWidth {
				second += "; a task given up counts k attempts"
			}
		}
	}
	facts = append(facts, s.ID)
	lines := frame.OneLine(strings.Join(facts, " · ")) + "\n " + frame.OneLine(second)
	return m.theme.Dim.Render(" " + strings.Join(frame.Fit(lines, frame.Size{Width: width - 1, Height: 2}), "\n"))
}

// keys returns the table of what is shown.
func (m *Model) keys() []frame.Key {
	switch {
	case m.ask != nil:
		return m.askKeys(m.ask)
	case m.search.Typing():
		return m.search.Keys("everything again")
	}
	return m.listKeys()
}

func (m *Model) listKeys() []frame.Key {
	back := m.search.Back(m.leave)
	none := func() string {
		if m.chosen() == nil {
			return "there is no session"
		}
		return ""
	}
	return append([]frame.Key{
		{Press: "enter", Does: "continue", Do: m.goOn, Fit: func(k *frame.Key) {
			if !m.continues(m.chosen()) {
				k.Press = ""
			}
		}},
		{Press: "enter", Also: "v", Does: "results", Not: none, Do: m.open, Fit: func(k *frame.Key) {
			if m.continues(m.chosen()) {
				k.Press, k.Also = "v", ""
			}
		}},
		{Press: "/", Does: "find", Do: m.search.Begin},
		{Press: "n", Does: "name", Not: func() string { return m.unchangeable(m.chosen()) }, Do: m.askName},
		{Press: "x", Does: "close", Not: func() string { return m.unclosable(m.chosen()) }, Do: m.askClose},
		{Press: "d", Does: "delete", Not: func() string { return m.unending(m.chosen()) }, Do: m.askDelete},
		frame.HelpKey, {Press: "esc", Also: "q", Does: "back", Do: back}, more(m.shown.Key()),
	}, frame.Motions(m.shown.Move)...)
}
