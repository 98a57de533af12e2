package viewer

import (
	"fmt"
	"slices"
	"strings"

	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/session"
	"assay/tui/frame"
)

// The limits by which Su et al. give points, see scoring.ScoreSix.
const (
	mostComplex   = 15
	leastComments = 10 // percent
)

// measureWords explains the names of measures.
const measureWords = "cyclomatic: 1, and 1 more for each branch of the code; cognitive: how hard it is to follow, nested branches count more. " +
	"reliability, security: A to E by the worst finding; A says that the rules found nothing, not that the code is right."

// measuresTab is the tab of the measures. The report read last is kept, since the screen is drawn far more often
// than it changes.
type measuresTab struct {
	*reading
	shownMeasures session.Ref // of shownReport
	shownReport   inspect.Report
}

// measuresText shows the static measures of an attempt's code.
func (m *measuresTab) measuresText(a *session.Attempt, width int) string {
	switch {
	case a == nil:
		return ""
	case a.Measured == nil:
		return "\n " + m.Theme.Dim.Render("… measuring: the results appear here by themselves")
	case a.Measured.Problem != "":
		return "\n " + m.Theme.Warn.Render("– not measured: ") + frame.Wrap(frame.Plain(a.Measured.Problem), width-4)
	}
	report, err := m.measures(a.Measured)
	if a.Measured.NoCode() || err == nil && report.CodeLines == 0 {
		return "\n " + m.Theme.Warn.Render("– nothing to measure: ") + "the answer has no code"
	}
	if err != nil {
		return "\n " + m.Theme.Bad.Render("The measures cannot be read: "+err.Error())
	}
	unrated := ""
	if a.Measured.Unrated != "" {
		unrated = " " + m.Theme.Warn.Render("– not rated: ") + frame.Wrap(frame.Plain(a.Measured.Unrated), width-4) + "\n\n"
	}
	return "\n" + unrated + m.measureFacts(report, width) + m.functionTable(report.Functions, width) + m.findingsText(report, width) +
		"\n" + frame.Indent(m.Theme.Dim.Render(frame.Wrap(measureWords, width-6)), "   ")
}

// measures reads the report behind the recorded numbers.
func (m *measuresTab) measures(of *session.Measured) (inspect.Report, error) {
	if of.Detail == m.shownMeasures {
		return m.shownReport, nil
	}
	report, err := m.source.Inspected(of)
	if err == nil {
		m.shownMeasures, m.shownReport = of.Detail, report
	}
	return report, err
}

func (m *reading) measureFacts(r inspect.Report, width int) string {
	column := min(30, max(25, width-35))
	complexity, limit := fmt.Sprintf("cyclomatic %d, cognitive %d", r.Cyclomatic, r.Cognitive), fmt.Sprintf("at most %d", mostComplex)
	if len(complexity) <= column {
		limit += " each"
	}
	lines := [][3]string{
		{"complexity", complexity,
			m.mark(r.Valid && r.Cyclomatic <= mostComplex && r.Cognitive <= mostComplex, limit)},
		{"comments", fmt.Sprintf("%s, %d of code, %.1f %%", frame.Count(r.CommentLines, "line"), r.CodeLines, r.CommentRate),
			m.mark(r.CommentRate >= leastComments, fmt.Sprintf("at least %d %%", leastComments))},
		{"reliability", rating(r.Reliability), m.rated(r.Reliability, r.Valid)},
		{"security", rating(r.Security), m.rated(r.Security, r.Valid)},
	}
	if !r.Valid {
		lines = slices.Insert(lines, 0, [3]string{"syntax", "the code is not well formed", m.mark(false, "counted as far as it can be read")})
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "   %-12s %-*s %s\n", l[0], column, l[1], l[2])
	}
	return b.String()
}

// mark marks a value as good or bad, not by colour alone.
func (m *reading) mark(good bool, wanted string) string {
	if good {
		return m.Theme.Good.Render("✓") + " " + m.Theme.Dim.Render(wanted)
	}
	return m.Theme.Bad.Render("✗") + " " + m.Theme.Dim.Render(wanted)
}

func rating(r scoring.Rating) string {
	if r == scoring.NotAnalysed {
		return "not analysed"
	}
	return frame.OneLine(string(r))
}

func (m *reading) rated(r scoring.Rating, parses bool) string {
	switch {
	case !parses:
		return m.mark(false, "only a program has an A")
	case r == scoring.NotAnalysed:
		return m.Theme.Dim.Render("– no rules for it")
	case r == "A":
		return m.mark(true, "A: nothing found")
	}
	return m.mark(false, "should be A")
}

func (m *reading) functionTable(functions []quality.Function, width int) string {
	if len(functions) == 0 {
		return ""
	}
	tooComplex := func(f quality.Function) bool { return f.Cyclomatic > mostComplex || f.Cognitive > mostComplex }
	name := min(max(width-40, 12), 40)
	if slices.ContainsFunc(functions, tooComplex) {
		name = min(name, max(width-45, 12)) // leaves room for the mark
	}
	var b strings.Builder
	b.WriteString("\n " + m.Theme.Dim.Render(fmt.Sprintf("  %-*s %6s %12s %11s", name, "function", "line", "cyclomatic", "cognitive")) + "\n")
	for _, f := range functions {
		mark := ""
		if tooComplex(f) {
			mark = m.Theme.Bad.Render(fmt.Sprintf(" ✗ over %d", mostComplex))
		}
		called := frame.Fit(frame.Plain(f.Name), frame.Size{Width: name, Height: 1})[0]
		fmt.Fprintf(&b, "   %s%s %6d %12d %11d%s\n", called, strings.Repeat(" ", max(0, name-frame.Width(called))), f.Line, f.Cyclomatic, f.Cognitive, mark)
	}
	return b.String()
}

func (m *reading) findingsText(r inspect.Report, width int) string {
	if r.Analyser == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n")
	if len(r.Findings) == 0 {
		b.WriteString(" " + m.Theme.Dim.Render("  nothing found by "+frame.OneLine(r.Analyser)) + "\n")
		return b.String()
	}
	b.WriteString(" " + m.Theme.Dim.Render(fmt.Sprintf("  %d found by %s", len(r.Findings), frame.OneLine(r.Analyser))) + "\n")
	for _, f := range r.Findings {
		severity := strings.ToLower(string(f.Severity))
		if f.Dimension == quality.Smell {
			severity += ", style only"
		} else {
			severity += ", " + string(f.Dimension)
		}
		rule := f.Rule
		if f.Analyser != r.Analyser { // one of several
			rule += " (" + f.Analyser + ")"
		}
		fmt.Fprintf(&b, "   line %d · %s · %s\n", f.Line, frame.OneLine(severity), frame.OneLine(rule))
		b.WriteString(frame.Indent(frame.Wrap(frame.Plain(f.Message), width-8), "      ") + "\n")
	}
	return b.String()
}
