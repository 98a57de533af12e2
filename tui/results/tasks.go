package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/result"
)

// headRows is the number of rows above the tasks and their heading: names of pages, rule and search.
const headRows = 3

// listText draws the tasks of the session.
func (m *Screen) listText(body frame.Size) (string, *tea.Cursor) {
	head, cursor := m.search.View(body.Width, m.theme.Dim.Render("all tasks; type "+m.theme.Press(frame.ScopeResults, "/")+" and words, for example hard given -numerical"), m.theme)
	if cursor != nil {
		cursor.Y += 2
	}
	count := fmt.Sprintf("%d of %s", m.shown.Len(), frame.Count(m.all(), "task"))
	text := m.overview.Head(body.Width, count, m.theme) + "\n" + head + "\n"
	if m.shown.Len() == 0 {
		return text + "\n   " + m.theme.Dim.Render("No task has all of these words."), cursor
	}
	t := frame.Table[int]{Width: body.Width, Columns: m.columns(), Theme: m.theme}
	return text + strings.Join(m.shown.Table(headRows, m.size.Body().Height-headRows, t), "\n"), cursor
}

// all counts the tasks that are part of the results.
func (m *Screen) all() (n int) {
	for i := range m.session.State.Tasks {
		if m.listed(i) {
			n++
		}
	}
	return n
}

// columns lists the columns of tasks, given by index, by priority.
func (m *Screen) columns() []frame.Column[int] {
	of := func(get func(*session.Task) string) func(int) string {
		return func(i int) string { return orDash(get(&m.session.State.Tasks[i])) }
	}
	all := make([]int, len(m.session.State.Tasks)) // over all tasks, so that a search does not change widths
	for i := range all {
		all[i] = i
	}
	return []frame.Column[int]{
		frame.Fixed(0, "title", 16, of(title)).Growing(),
		frame.Fixed(3, "outcome", 11, of(outcome)).Signed(),
		frame.Fixed(4, "att.", 4, of(func(t *session.Task) string {
			if !t.Opened {
				return ""
			}
			return fmt.Sprint(len(t.Attempts))
		})).Numeric(),
		frame.Fixed(6, "total", 5, of(func(t *session.Task) string {
			if sum, whole := result.Total(m.session.State, t); whole {
				return fmt.Sprint(sum)
			}
			return ""
		})).Numeric(),
		frame.Fixed(1, "diff.", 6, of(func(t *session.Task) string { return string(t.Difficulty) })),
		frame.Fitted(5, "time", all, 10, func(i int) string {
			if ms := m.session.Times[i].Completion; ms > 0 {
				return frame.Duration(float64(ms) / 1000)
			}
			return "-"
		}).Numeric(),
		frame.Fitted(7, "tests", all, 8, of(m.tests)).Chips(),
		frame.Fitted(2, "type", all, 14, of(func(t *session.Task) string { return t.Type })),
	}
}

// title returns the title of a task, or its id.
func title(t *session.Task) string {
	name := cmp.Or(t.Title, t.ID)
	if t.Practice {
		name = "(practice) " + name
	}
	return name
}

func orDash(text string) string { return cmp.Or(text, "-") }

// outcome returns how a task ended, in two words.
func outcome(t *session.Task) string {
	switch t.Outcome {
	case session.Satisfied:
		return "✓ satisfied"
	case session.GaveUp:
		return "✗ given up"
	case session.Exhausted:
		return "✗ exhausted"
	case session.Skipped:
		return "– left out"
	}
	if t.Opened {
		return "… open"
	}
	return "  not yet"
}

// rank orders tasks by their totals, those without one last.
func (m *Screen) rank(t *session.Task) int {
	if sum, whole := result.Total(m.session.State, t); whole {
		return sum
	}
	return math.MaxInt32
}

// tests returns the result of the tests of a task's last answer.
func (m *Screen) tests(t *session.Task) string {
	for i := len(t.Attempts) - 1; i >= 0; i-- {
		if t.Attempts[i].Answer != nil {
			return result.Tests(m.session.State.Plan, &t.Attempts[i], true)
		}
	}
	return ""
}

// taskText draws the chosen task: attempts and result; seen is the position in the result.
func (m *Screen) taskText(body frame.Size) (text, seen string) {
	i := m.task()
	t := &m.session.State.Tasks[i]
	width, right := body.Width, 0
	if m.size.Wide() {
		width, right = body.Width/2, body.Width-body.Width/2-1
	}
	facts := []string{t.ID}
	for _, f := range []string{string(t.Difficulty), t.Type, t.Category} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	if t.Set != "" {
		facts = append(facts, "test set "+t.Set)
	}
	head := " " + m.theme.Strong.Render(frame.OneLine(title(t))) + m.theme.Dim.Render("   "+frame.OneLine(strings.Join(facts, " · ")))
	head = frame.Fit(head, frame.Size{Width: body.Width, Height: 1})[0] + "\n" + frame.Rule("", body.Width, m.theme) + "\n"
	height := body.Height - 2
	if right > 0 {
		rows := m.attemptRows(t, width, height-1)
		lines := strings.Split(result.Task(m.session.State, i, m.session.Times[i], right, m.theme), "\n")
		text := strings.Join(m.result.Of(lines, height), "\n")
		return head + frame.Columns(strings.Join(rows, "\n"), text, width, right, height, m.theme), m.result.Seen()
	}
	rows := m.attemptRows(t, width, height-1-resultRows)
	lines := strings.Split(result.Task(m.session.State, i, m.session.Times[i], body.Width, m.theme), "\n")
	rows = append(rows, frame.Rule("", body.Width, m.theme))
	rows = append(rows, m.result.Of(lines, height-len(rows))...)
	return head + strings.Join(rows, "\n"), m.result.Seen()
}

// resultRows is the number of rows that the result of a task has at least, with its rule.
const resultRows = 8

// attemptRows returns the attempts of a task under a heading, of which so many are visible.
func (m *Screen) attemptRows(t *session.Task, width, height int) []string {
	sent := func(a *session.Attempt) bool { return a.Sent != nil && a.Sent.Prompt != "" }
	answered := func(a *session.Attempt) bool { return a.Answer != nil && a.Answer.Answer != "" }
	where := func(is func(*session.Attempt) bool, text func(*session.Attempt) string) func(*session.Attempt) string {
		return func(a *session.Attempt) string {
			if !is(a) {
				return "-"
			}
			return text(a)
		}
	}
	tab := frame.Table[*session.Attempt]{Width: width, Theme: m.theme, Columns: []frame.Column[*session.Attempt]{
		frame.Fixed(0, "attempt", 7, func(a *session.Attempt) string { return fmt.Sprint(a.N) }).Numeric(),
		frame.Fixed(1, "judged", 15, result.Decision).Growing().Signed(),
		frame.Fixed(2, "tests", 9, func(a *session.Attempt) string { return result.Tests(m.session.State.Plan, a, true) }).Chips(),
		frame.Fixed(3, "prompt", 9, where(sent, func(a *session.Attempt) string { return fmt.Sprintf("%d B", a.Sent.Bytes) })).Numeric(),
		frame.Fixed(4, "answer", 9, where(answered, func(a *session.Attempt) string { return fmt.Sprintf("%d B", a.Answer.Bytes) })).Numeric(),
		frame.Fixed(5, "waited", 9, where(answered, func(a *session.Attempt) string { return frame.Duration(float64(a.Answer.LatencyMS) / 1000) })).Numeric(),
	}}
	rows := m.attempts.Table(2, max(1, height)+1, tab)
	if len(t.Attempts) == 0 {
		rows = append(rows, "   "+m.theme.Dim.Render("no attempt was made"))
	}
	known := func(a session.Attempt) bool { return a.HasAnswer() }
	if m.session.State.Origin == session.Imported && !slices.ContainsFunc(t.Attempts, known) {
		rows = append(rows, "   "+m.theme.Dim.Render("imported without prompts and answers"))
	}
	return rows
}
