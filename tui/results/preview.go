package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

// PreviewRows is the least height of a preview.
const PreviewRows = 6

// Preview is what a session's log tells of its tasks. The verdicts on its answers are left out: a study may hide them.
type Preview struct {
	tasks []previewTask // counted tasks that were opened, in order
	open  int           // index in tasks of the open task, -1 if none is
	facts []string      // in lines
}

// previewTask is a task with the sign of its outcome.
type previewTask struct {
	sign, title string
	attempts    int
}

// PreviewOf sums up a session.
func PreviewOf(s *session.State) Preview {
	p := Preview{open: -1}
	count := map[session.Outcome]int{}
	attempts := 0
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Practice || !t.Opened && !t.Closed {
			continue
		}
		if i == s.Current {
			p.open = len(p.tasks)
		}
		p.tasks = append(p.tasks, previewTask{sign(t), frame.OneLine(cmp.Or(t.Title, t.ID)), len(t.Attempts)})
		switch count[t.Outcome]++; t.Outcome {
		case session.Satisfied:
			attempts += len(t.Attempts)
		case session.GaveUp, session.Exhausted: // as in reports
			attempts += s.Plan.K
		}
	}
	done := count[session.Satisfied] + count[session.GaveUp] + count[session.Exhausted]
	facts := []string{fmt.Sprintf("%d satisfied", count[session.Satisfied])}
	for _, o := range []struct {
		outcome session.Outcome
		name    string
	}{{session.GaveUp, "given up"}, {session.Exhausted, "out of attempts"}, {session.Skipped, "left out"}} {
		if n := count[o.outcome]; n > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n, o.name))
		}
	}
	if done > 0 {
		facts = append(facts, fmt.Sprintf("%.2f attempts a task", float64(attempts)/float64(done)))
	}
	p.facts = append(p.facts, strings.Join(facts, " · "))
	if t := s.Task(); t != nil {
		p.facts = append(p.facts, fmt.Sprintf("now: %s · attempt %d of %d", frame.OneLine(cmp.Or(t.Title, t.ID)), max(1, len(t.Attempts)), s.Plan.K))
		if draft := frame.OneLine(strings.TrimSpace(t.Draft())); draft != "" {
			p.facts = append(p.facts, "your prompt: "+draft)
		}
	}
	return p
}

// sign returns the sign of a task's outcome.
func sign(t *session.Task) string {
	switch t.Outcome {
	case session.Satisfied:
		return "✓"
	case session.GaveUp, session.Exhausted:
		return "✗"
	case session.Skipped:
		return "-"
	}
	return "…"
}

// Draw draws what is known of a session in at most size, from PreviewRows rows on: a sign for each task and, where
// there is room, the tasks around the open one.
func (p Preview) Draw(s *session.Summary, begun string, size frame.Size, theme frame.Theme) []string {
	rows := []string{"  " + frame.Section(frame.OneLine(s.Title()), begun, size.Width-2, theme), "", "    " + p.strip(s, size.Width-6, theme)}
	for i, fact := range p.facts {
		if i > 0 {
			fact = theme.Dim.Render(fact)
		}
		rows = append(rows, "    "+frame.Cut(fact, size.Width-6))
	}
	room := size.Height - len(rows) - 1
	if room < 3 || len(p.tasks) == 0 {
		return rows[:min(len(rows), size.Height)]
	}
	var window frame.Window
	window.Fit(room, len(p.tasks))
	if window.To(len(p.tasks)); p.open >= 0 {
		window.Show(p.open)
	}
	rows = append(rows, "")
	for _, t := range p.tasks[window.Top():min(window.Top()+room, len(p.tasks))] {
		rows = append(rows, "    "+theme.Signed(t.sign)+" "+frame.Spread(frame.Cut(t.title, 40), theme.Dim.Render(frame.Count(t.attempts, "attempt")), min(56, size.Width-8)))
	}
	return rows
}

// strip draws a sign for each task of a session in a width; of more tasks, those around the open one.
func (p Preview) strip(s *session.Summary, width int, theme frame.Theme) string {
	var cells []string
	for _, t := range p.tasks {
		cells = append(cells, t.sign)
	}
	cells = append(cells, slices.Repeat([]string{"·"}, max(0, cmp.Or(s.Most, s.Tasks)-len(p.tasks)))...)
	gap, first := " ", 0
	if 2*len(cells) > width {
		gap = ""
	}
	if len(cells) > width {
		at := p.open
		if at < 0 {
			at = len(p.tasks)
		}
		first = max(0, min(at-width/2, len(cells)-width))
		cells = cells[first : first+width]
	}
	for i, cell := range cells {
		if cells[i] = theme.Signed(cell); first+i == p.open {
			cells[i] = theme.Accent.Render(cell)
		}
	}
	return strings.Join(cells, gap)
}
