// Package result shows what became of a task and of a session: in words, and on pages of numbers and figures. It is a
// function of the session and of its report.
package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/scoring/pairs"
	"assay/session"
	"assay/tui/frame"
)

// Task shows the result of a task: outcome, ratings, labels, note and times.
func Task(s *session.State, task int, times session.TaskTimes, width int, theme frame.Theme) string {
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
	if text := mergeWords(t.Merge); text != "" {
		b.WriteString("   " + strings.TrimLeft(frame.Indent(frame.Wrap(frame.Cell("would merge it", nameWidth)+" "+text, width-6), "   "), " ") + "\n")
	}
	if text := Mends(t); text != "" {
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
		return "✓ " + Ended(t.Outcome, len(t.Attempts))
	case t.Closed:
		return "✗ " + Ended(t.Outcome, len(t.Attempts))
	case t.Opened:
		return "… open"
	}
	return "  not opened"
}

// pickText tells of each attempt at a task which of the two answers was better, once the session has ended with the names
// of the models; "" where one model answered.
func pickText(s *session.State, t *session.Task) string {
	var lines []string
	for i := range t.Attempts {
		a := &t.Attempts[i]
		if a.Picked == nil {
			continue
		}
		name := func(side session.Side) string {
			text := strings.ToUpper(string(side))
			if s.Closed != "" {
				text = frame.OneLine(s.Plan.Arena.Models[a.Sent.Sides[side.Index()]].Name)
			}
			return text
		}
		goes := a.Picked.Goes
		other := session.Sides()[1-goes.Index()]
		text := map[pairs.Outcome]string{
			pairs.Equal: name(goes) + " and " + name(other) + " equal, " + name(goes) + " went on", pairs.Neither: "neither " + name(goes) + " nor " + name(other) + " usable",
		}[a.Picked.Outcome]
		lines = append(lines, fmt.Sprintf("attempt %d: %s", a.N, cmp.Or(text, name(goes)+" better than "+name(other))))
	}
	return strings.Join(lines, "; ")
}

// MergeNames are the answers to "Would you merge this?" in words.
var MergeNames = map[session.MergeAnswer]string{session.MergeYes: "yes", session.MergeChanges: "with small changes", session.MergeNo: "no"}

// mergeWords is the answer in words, with the reasons; "" if there is none.
func mergeWords(p *session.MergeJudged) string {
	if !p.Complete() {
		return ""
	}
	text := MergeNames[p.Answer]
	var reasons []string
	for _, r := range session.MergeReasons() {
		if slices.Contains(p.Reasons, r.ID) {
			reasons = append(reasons, r.Name)
		}
	}
	if p.Text != "" {
		reasons = append(reasons, frame.OneLine(p.Text))
	}
	if len(reasons) > 0 {
		text += ": " + strings.Join(reasons, "; ")
	}
	return text
}

// Mends tells what was edited by hand, and the verdict before and after; "" if nothing was.
func Mends(t *session.Task) string {
	if len(t.Mends) == 0 {
		return ""
	}
	last := t.Mends[len(t.Mends)-1]
	added, deleted := session.Lines(last.Files)
	var ms int64
	for _, mend := range t.Mends {
		ms += mend.MS
	}
	text := fmt.Sprintf("mended by hand: +%d −%d in %s", added, deleted, frame.Duration(float64(ms)/1000))
	if v := t.Attempts[len(t.Attempts)-1].Verdict; v != nil {
		text += ", tests " + Verdict(v, true)
	}
	if last.Verdict == nil {
		return text + " → … running"
	}
	return text + " → " + Verdict(&last.Verdict.VerdictRecorded, true)
}

// Verdict is a verdict as a sign, a word unless it is brief, and the share of tests passed.
func Verdict(v *session.VerdictRecorded, brief bool) string {
	sign, word := "✗", frame.OneLine(strings.ReplaceAll(v.Verdict, "_", " "))
	if v.Resolution != "" {
		word = frame.OneLine(outcomes.Outcome(v.Resolution).Words())
	}
	share := fmt.Sprintf("%d/%d", v.Passed, v.Total)
	outcome := outcomes.Outcome(v.Resolution)
	switch tampered, unfit := outcome == outcomes.Tampered, outcome == outcomes.PatchFailed; {
	case tampered && brief:
		return "✗ tampered"
	case unfit && brief:
		return "✗ not applied"
	case tampered || unfit:
		share = ""
	}
	switch verdicts.Verdict(v.Verdict) {
	case verdicts.Accepted:
		sign = "✓"
	case verdicts.NotJudged:
		if sign, share = "–", ""; brief {
			word = "none"
		}
	case verdicts.SandboxError:
		sign, share = "!", ""
	}
	if brief && share != "" {
		word = ""
	}
	return strings.Join(strings.Fields(sign+" "+word+" "+share), " ")
}

// Tests tells the result of an attempt's tests as far as the plan lets it be seen, as [frame.Theme.Chip] draws it.
func Tests(plan session.Plan, a *session.Attempt, brief bool) string {
	switch {
	case plan.Sees(a) == session.SeeNothing:
		return "– hidden"
	case a.Verdict == nil:
		return "– none"
	}
	return Verdict(a.Verdict, brief)
}

// Decision returns the tester's judgement of an answer.
func Decision(a *session.Attempt) string {
	return cmp.Or(map[session.Decision]string{
		session.DecideSatisfied: "✓ satisfied",
		session.DecideRefine:    "↻ refined",
		session.DecideGiveUp:    "✗ not satisfied",
	}[a.Decision], "… not judged")
}

// Ended names an outcome, with the number of attempts that it took; 0: without.
func Ended(o session.Outcome, attempts int) string {
	text, after := "not satisfied", " after all "
	switch o {
	case session.Satisfied:
		text, after = "satisfied", " after "
	case session.GaveUp:
		text, after = "given up", " after "
	}
	if attempts == 0 {
		return text
	}
	return text + after + frame.Count(attempts, "attempt")
}

func Status(status string) string {
	if status == "open" {
		return "in progress"
	}
	return status
}
