package work

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// writeReport makes the report of a session that has ended.
func (m *Model) writeReport() tea.Cmd {
	if m.opts.Report == nil {
		return nil
	}
	id := m.state.Session
	return func() tea.Msg {
		path, err := m.opts.Report(context.Background(), id)
		return reportMsg{path, err}
	}
}

func (m *Model) reported(msg reportMsg) {
	if msg.err != nil {
		m.trouble = "the report was not written: " + msg.err.Error()
		return
	}
	m.report = msg.path
}

func (m *Model) summaryKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "esc", "q":
		return frame.Back
	case "r":
		return m.writeReport()
	}
	return nil
}

// Past is the summary of a session that is not being worked on.
type Past struct {
	state  *session.State
	report func() (path string, err error)
	path   string
	bad    string
}

// NewSummary makes the screen of a past session. Report writes its report.
func NewSummary(state *session.State, report func() (string, error)) *Past {
	return &Past{state: state, report: report}
}

// Init writes the report.
func (p *Past) Init() tea.Cmd {
	return func() tea.Msg {
		path, err := p.report()
		return reportMsg{path, err}
	}
}

// Typing is false: every key is a command here.
func (p *Past) Typing() bool { return false }

// Update goes back.
func (p *Past) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case reportMsg:
		p.path = msg.path
		if msg.err != nil {
			p.bad = "the report was not written: " + msg.err.Error()
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "enter", "esc", "q":
			return frame.Back
		}
	}
	return nil
}

// Page shows the numbers.
func (p *Past) Page(size frame.Size, theme frame.Theme) frame.Page {
	body := Summary(p.state, p.path, size.Body(), theme)
	if p.bad != "" {
		body += "\n   " + theme.Bad.Render("✗ "+p.bad)
	}
	return frame.Page{
		Title: p.state.Plan.Benchmark + " · " + p.state.Plan.Model.Name, Place: p.state.First.Time().Format("2006-01-02 15:04") + " UTC",
		Body: body, Keys: []frame.Key{{Press: "enter", Does: "home"}, frame.HelpKey},
	}
}

func (m *Model) summaryPage() frame.Page {
	return frame.Page{
		Body:   Summary(m.state, m.report, m.size.Body(), m.theme),
		Keys:   []frame.Key{{Press: "enter", Does: "home"}, {Press: "r", Does: "write the report again"}, frame.HelpKey},
		Status: m.state.Plan.Model.Name,
	}
}

// Summary is a session's own numbers as bars: attempts, outcomes and ratings.
func Summary(s *session.State, report string, size frame.Size, theme frame.Theme) string {
	var b strings.Builder
	results := 0
	attempts := make([]int, s.Plan.K+1)
	outcomes := map[session.Outcome]int{}
	sums := map[string]int{}
	total := 0
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Practice || !t.Closed {
			continue
		}
		outcomes[t.Outcome]++
		if t.Outcome == session.Skipped {
			continue
		}
		results++
		n := len(t.Attempts)
		if t.Outcome != session.Satisfied {
			n = s.Plan.K // as in Miah & Zhu: not satisfied counts as k
		}
		attempts[n]++
		total += n
		for id, score := range t.Ratings {
			sums[id] += score
		}
	}
	b.WriteString(" " + theme.Strong.Render("Session "+finishedText(s)) + "\n\n")
	if results == 0 {
		b.WriteString("   No task has a result.\n")
		return b.String()
	}
	fmt.Fprintf(&b, "   %s: %d satisfied, %d given up, %d not satisfied after %d attempts", count(results, "task"),
		outcomes[session.Satisfied], outcomes[session.GaveUp], outcomes[session.Exhausted], s.Plan.K)
	if n := outcomes[session.Skipped]; n > 0 {
		fmt.Fprintf(&b, ", %d left out", n)
	}
	fmt.Fprintf(&b, "\n   mean number of attempts %.2f (not satisfied counts as %d)\n\n", float64(total)/float64(results), s.Plan.K)
	width := max(8, min(40, size.Width-44))
	for n, tasks := range attempts {
		if tasks > 0 {
			fmt.Fprintf(&b, "   %-28s %s %d\n", count(n, "attempt"), bar(tasks, results, width, theme), tasks)
		}
	}
	b.WriteString("\n")
	for _, a := range s.Plan.Attributes {
		mean := float64(sums[a.ID]) / float64(results)
		fmt.Fprintf(&b, "   %-28s %s %.2f\n", a.Name, bar(sums[a.ID], results*session.MaxScore, width, theme), mean)
	}
	if report != "" {
		b.WriteString("\n   " + theme.Dim.Render("report ") + report + "\n")
	}
	return b.String()
}

func finishedText(s *session.State) string {
	switch s.Closed {
	case "finished":
		return "finished"
	case "":
		return "in progress"
	}
	return s.Closed
}

// bar draws part of whole in width columns.
func bar(part, whole, width int, theme frame.Theme) string {
	n := 0
	if whole > 0 {
		n = (part*width + whole/2) / whole
	}
	if part > 0 && n == 0 {
		n = 1
	}
	return theme.Accent.Render(strings.Repeat("█", n)) + theme.Dim.Render(strings.Repeat("·", width-n))
}
