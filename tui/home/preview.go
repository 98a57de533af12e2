package home

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// previewRows is the height of a preview.
const previewRows = 6

// previewKey names what is previewed: a session by its last event.
type previewKey struct {
	id  string
	seq uint64
}

// preview is what a session's log tells of its tasks.
type preview struct {
	tasks []string // a sign for each counted task that was opened
	open  int      // index in tasks of the open task, -1 if none is
	facts []string // in lines
	err   error
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
		return previewOf(state)
	})
}

// previewOf sums up a session. The verdicts of its answers are left out: a study may hide them.
func previewOf(s *session.State) preview {
	p := preview{open: -1}
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
		p.tasks = append(p.tasks, sign(t))
		if count[t.Outcome]++; t.Outcome != "" && t.Outcome != session.Skipped {
			attempts += len(t.Attempts)
		}
	}
	done := count[session.Satisfied] + count[session.GaveUp] + count[session.Exhausted]
	facts := []string{fmt.Sprintf("%d satisfied", count[session.Satisfied])}
	for _, o := range []struct {
		outcome session.Outcome
		name    string
	}{{session.GaveUp, "given up"}, {session.Exhausted, "out of attempts"}, {session.Skipped, "skipped"}} {
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
	return "▸"
}

// drawPreview draws what is known of a session in previewRows rows; nothing before its log is read.
func (m *Model) drawPreview(s *session.Summary, width int) []string {
	key, p, ok := m.preview.Last()
	if !ok || key != (previewKey{s.ID, s.LastSeq}) {
		return nil
	}
	begun := ""
	if s.OpenedAt > 0 {
		begun = "begun " + m.ago(s.Began())
	}
	rows := []string{"  " + frame.Section(frame.OneLine(s.Title()), begun, width-2, m.theme), ""}
	if p.err != nil {
		return append(rows, frame.Notice("  ✗ "+p.err.Error(), m.theme.Bad, width, previewRows-len(rows))...)
	}
	left := max(0, s.Tasks-len(p.tasks))
	if s.Most > 0 {
		left = max(0, s.Most-len(p.tasks))
	}
	cells := append(slices.Clone(p.tasks), slices.Repeat([]string{"·"}, left)...)
	gap, first, most := " ", 0, width-6
	if 2*len(cells) > most {
		gap = ""
	}
	if len(cells) > most { // those around the open task
		at := p.open
		if at < 0 {
			at = len(p.tasks)
		}
		first = max(0, min(at-most/2, len(cells)-most))
		cells = cells[first : first+most]
	}
	var strip strings.Builder
	for i, cell := range cells {
		if i > 0 {
			strip.WriteString(gap)
		}
		if first+i == p.open {
			strip.WriteString(m.theme.Accent.Render(cell))
			continue
		}
		strip.WriteString(m.theme.Signed(cell))
	}
	rows = append(rows, "    "+strip.String())
	for i, fact := range p.facts {
		if i > 0 {
			fact = m.theme.Dim.Render(fact)
		}
		rows = append(rows, "    "+frame.Cut(fact, width-6))
	}
	return rows
}
