package work

import (
	"fmt"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

// Result shows the result of a task: outcome, ratings, labels, note and times.
func Result(s *session.State, task int, times session.TaskTimes, width int, theme frame.Theme) string {
	t := &s.Tasks[task]
	var b strings.Builder
	b.WriteString(" " + theme.Chip(strings.TrimSpace(Outcome(t))))
	if sum, whole := Total(s, t); whole {
		fmt.Fprintf(&b, "   total %d of %d", sum, session.MaxTotal(s.Plan.Attributes))
	}
	if t.Practice {
		b.WriteString(theme.Dim.Render("   practice, not counted"))
	}
	b.WriteString("\n")
	if t.Reason != "" {
		b.WriteString("   " + theme.Dim.Render(frame.OneLine(t.Reason)) + "\n")
	}
	b.WriteString(timesText(s, times, width, theme) + "\n" + ratingsText(s, t, width, theme))
	if s.Origin != session.Imported {
		for _, l := range s.Plan.LabelsFor(t.Outcome) {
			if value := t.Labels[l.ID]; value != "" {
				fmt.Fprintf(&b, "   %s %s\n", frame.Cell(frame.OneLine(l.Name), nameWidth), frame.OneLine(value))
			}
		}
	}
	if text := pickText(s, t); text != "" {
		b.WriteString(frame.Indent(frame.Wrap(frame.Cell("which answer was better", nameWidth)+" "+text, width-6), "   ") + "\n")
	}
	if text := mergeText(t.Merge); text != "" {
		b.WriteString("   " + strings.TrimLeft(frame.Indent(frame.Wrap(frame.Cell("would merge it", nameWidth)+" "+text, width-6), "   "), " ") + "\n")
	}
	if text := mendText(t); text != "" {
		b.WriteString(frame.Indent(frame.Wrap(text, width-6), "   ") + "\n")
	}
	if t.Note != "" {
		b.WriteString("\n" + frame.Indent(frame.Wrap("note: "+frame.Plain(t.Note), width-4), "   ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// nameWidth is the width of the names at the left.
const nameWidth = 32

// ratingsText draws the ratings of a task as bars, with their sum.
func ratingsText(s *session.State, t *session.Task, width int, theme frame.Theme) string {
	if len(t.Ratings) == 0 {
		return "   " + theme.Dim.Render("no ratings") + "\n"
	}
	var b strings.Builder
	for _, a := range s.Plan.Attributes {
		score, rated := t.Ratings[a.ID]
		name := frame.Cell(frame.OneLine(a.Name), nameWidth)
		if !rated {
			b.WriteString("   " + name + " " + theme.Dim.Render("not rated") + "\n")
			continue
		}
		fmt.Fprintf(&b, "   %s %s %d\n", name, frame.Bar(score, a.Max(), max(5, min(20, width-nameWidth-10)), theme), score)
	}
	return b.String()
}

// Total returns the sum of a task's ratings; whole is false if one is missing.
func Total(s *session.State, t *session.Task) (sum int, whole bool) {
	for _, a := range s.Plan.Attributes {
		score, rated := t.Ratings[a.ID]
		if !rated {
			return 0, false
		}
		sum += score
	}
	return sum, len(s.Plan.Attributes) > 0
}

// phaseNames lists the phases of a task in order, with their names.
var phaseNames = [...]struct {
	phase session.Phase
	name  string
}{
	{session.Read, "reading"}, {session.Compose, "writing"}, {session.Wait, "waiting"},
	{session.Review, "reviewing"}, {session.Rate, "rating"},
}

// timesText shows the time spent in each phase.
func timesText(s *session.State, times session.TaskTimes, width int, theme frame.Theme) string {
	var parts []string
	add := func(name string, ms int64) {
		// Times have no-break spaces.
		parts = append(parts, strings.ReplaceAll(name+" "+frame.Duration(float64(ms)/1000), " ", "\u00a0"))
	}
	if s.Origin != session.Imported {
		for _, p := range phaseNames {
			if ms, has := times.Phases[p.phase]; has {
				add(p.name, ms)
			}
		}
	}
	if times.Paused > 0 {
		add("paused, not counted:", times.Paused)
	}
	if times.Unobserved > 0 {
		add("unobserved, not counted: at most", times.Unobserved)
	}
	var b strings.Builder
	if times.Completion > 0 {
		b.WriteString("   " + frame.Duration(float64(times.Completion)/1000) + theme.Dim.Render(" from opening it to the last judgement") + "\n")
	}
	if len(parts) > 0 {
		text := strings.ReplaceAll(frame.Wrap(strings.Join(parts, ", "), width-4), "\u00a0", " ")
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString("   " + theme.Dim.Render(line) + "\n")
		}
	}
	return b.String()
}

// Outcome returns the outcome or the state of a task, with a glyph.
func Outcome(t *session.Task) string {
	switch {
	case t.Outcome == session.Skipped:
		return "– left out"
	case t.Outcome == session.Satisfied:
		return "✓ satisfied after " + frame.Count(len(t.Attempts), "attempt")
	case t.Closed && t.Outcome == session.GaveUp:
		return "✗ given up after " + frame.Count(len(t.Attempts), "attempt")
	case t.Closed:
		return "✗ not satisfied after all " + frame.Count(len(t.Attempts), "attempt")
	case t.Opened:
		return "… open"
	}
	return "  not opened"
}
