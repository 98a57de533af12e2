package work

import (
	"fmt"
	"strings"

	"assay/benchmark/judge"
	"assay/session"
	"assay/tui/frame"
)

// testsText is the verdict on an attempt and its test cases: what failed in
// full, runs of what passed folded unless open.
func (m *viewer) testsText(a *session.Attempt, width int, open bool) string {
	if a == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n")
	seen := m.state.Plan.Sees(a)
	if seen == session.SeeNothing {
		return "\n" + frame.Indent(m.theme.Dim.Render(frame.Wrap("This study hides the tests until you have judged the answer. They run all the same.", width-2)), " ") + "\n"
	}
	if a.Verdict == nil {
		b.WriteString(" " + m.theme.Dim.Render("… running: the results appear here by themselves") + "\n" + m.extractedLine(a, width))
		return b.String()
	}
	b.WriteString(m.verdictLine(a.Verdict, width) + "\n" + m.extractedLine(a, width))
	if seen == session.SeeVerdict {
		b.WriteString("\n " + m.theme.Dim.Render("The single tests are shown when you have judged the answer.") + "\n")
		return b.String()
	}
	result, err := m.results(a.Verdict)
	if err != nil {
		b.WriteString(" " + m.theme.Bad.Render("The single results cannot be read: "+err.Error()) + "\n")
		return b.String()
	}
	if result.Message != "" {
		b.WriteString(frame.Indent(frame.Wrap(frame.Plain(result.Message), width-3), "   ") + "\n")
	}
	b.WriteString("\n")
	for i := 0; i < len(result.Cases); i++ {
		j := i
		for !open && j < len(result.Cases) && folds(result.Cases[j], result.Cases[i]) {
			j++
		}
		if j > i+1 {
			b.WriteString(m.foldedCases(result.Cases[i:j]))
			i = j - 1
			continue
		}
		b.WriteString(m.caseText(result.Cases[i], width))
	}
	b.WriteString(m.outputText(result, width))
	b.WriteString(m.outputsText(a.Verdict, width))
	return b.String()
}

// results are the per-test-case results behind a verdict. The last ones are
// kept: the screen is drawn far more often than they change.
func (m *viewer) results(v *session.VerdictRecorded) (judge.Result, error) {
	if v.Detail == m.shownDetail {
		return m.shownResult, nil
	}
	result, err := m.source.Verdict(v)
	if err != nil {
		return result, err
	}
	previews, err := m.previews(v)
	if err == nil {
		m.shownDetail, m.shownResult, m.shownPreviews = v.Detail, result, previews
	}
	return result, err
}

// folds says whether c may stand in one line with first.
func folds(c, first judge.CaseResult) bool {
	return c.Status == first.Status && (c.Status == judge.Passed || c.Status == judge.NotRun)
}

// extractedLine says which part of the answer was run.
func (m *viewer) extractedLine(a *session.Attempt, width int) string {
	switch {
	case a.Extracted == nil:
		return ""
	case a.Extracted.Code == "":
		return " " + m.theme.Warn.Render("– no code was found in this answer") + "\n"
	case a.Extracted.Note == "":
		return ""
	}
	return frame.Indent(m.theme.Dim.Render(frame.Wrap("code: "+frame.Plain(a.Extracted.Note), width-2)), " ") + "\n"
}

func (m *viewer) verdictLine(v *session.VerdictRecorded, width int) string {
	word := frame.OneLine(strings.ReplaceAll(v.Verdict, "_", " "))
	switch judge.Verdict(v.Verdict) {
	case judge.Accepted:
		word = m.theme.Good.Bold(true).Render("✓ " + word)
	case judge.NotJudged:
		return " " + m.theme.Warn.Render("– "+word)
	case judge.SandboxError:
		return " " + m.theme.Warn.Render("! "+word+": the sandbox failed, not the code")
	default:
		word = m.theme.Bad.Bold(true).Render("✗ " + word)
	}
	facts := []string{fmt.Sprintf("%d of %d passed", v.Passed, v.Total), fmt.Sprintf("%d ms CPU", v.CPUMS)}
	if v.MemoryKB > 0 {
		facts = append(facts, fmt.Sprintf("%d MB", (v.MemoryKB+512)/1024))
	}
	return frame.Fit(" "+word+"   "+strings.Join(facts, "   "), frame.Size{Width: width, Height: 1})[0]
}

func (m *viewer) foldedCases(cases []judge.CaseResult) string {
	span := fmt.Sprintf("%d-%d", cases[0].Index, cases[len(cases)-1].Index)
	if cases[0].Status == judge.Passed {
		return fmt.Sprintf("   %s %-6s passed\n", m.theme.Good.Render("✓"), span)
	}
	return fmt.Sprintf("   %s %-6s not run\n", m.theme.Dim.Render("–"), span)
}

func (m *viewer) caseText(c judge.CaseResult, width int) string {
	glyph := m.theme.Bad.Render("✗")
	switch c.Status {
	case judge.Passed:
		glyph = m.theme.Good.Render("✓")
	case judge.NotRun:
		glyph = m.theme.Dim.Render("–")
	}
	what := frame.Plain(c.Call)
	if c.Name != "" {
		what = frame.Plain(c.Name) + ": " + what
	}
	var b strings.Builder
	line := fmt.Sprintf("   %s %-6d %s", glyph, c.Index, oneLine(what))
	b.WriteString(frame.Fit(line, frame.Size{Width: width, Height: 1})[0] + "\n")
	if c.Status == judge.Passed || c.Status == judge.NotRun {
		return b.String()
	}
	detail := func(name, value string) {
		if value != "" {
			b.WriteString(frame.Indent(frame.Wrap(fmt.Sprintf("%-9s %s", name, frame.Plain(value)), width-14), "            ") + "\n")
		}
	}
	detail("expected", c.Expected)
	detail("got", c.Got)
	if c.Status != judge.Status(judge.WrongAnswer) {
		detail("", strings.ReplaceAll(string(c.Status), "_", " "))
	}
	detail("", c.Message)
	return b.String()
}

// oneLine shows a text of several lines in one.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "⏎") }

// outputText is what the program printed.
func (m *viewer) outputText(r judge.Result, width int) string {
	var b strings.Builder
	for _, out := range []struct{ name, text string }{{"printed", r.Stdout}, {"printed as errors", r.Stderr}} {
		if text := strings.TrimRight(frame.Plain(out.text), "\n"); text != "" {
			b.WriteString("\n " + m.theme.Dim.Render(out.name) + "\n" + frame.Indent(frame.Wrap(text, width-4), "   ") + "\n")
		}
	}
	if r.Isolation != "" {
		b.WriteString("\n " + m.theme.Dim.Render(frame.Fit(isolationText(r), frame.Size{Width: width - 1, Height: 1})[0]) + "\n")
	}
	return b.String()
}

func isolationText(r judge.Result) string {
	text := strings.ReplaceAll(r.Isolation, "_", " ")
	if r.Interpreter != "" {
		text += " · " + r.Interpreter
	}
	return frame.OneLine(text)
}
