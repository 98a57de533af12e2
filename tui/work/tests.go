package work

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/benchmark/extract"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
)

// testsText returns the verdict on an attempt and its test cases, without a cursor.
func (m *viewer) testsText(a *session.Attempt, width int) string {
	if a == nil {
		return ""
	}
	list := testList{m: m, width: width}
	return strings.Join(list.draw(a).rows, "\n")
}

// testsSheet lists an attempt's test cases. Beside the answer it has no cursor.
func (m *viewer) testsSheet(a *session.Attempt, size frame.Size, beside bool) *sheet {
	if a == nil {
		return &sheet{}
	}
	list := testList{m: m, width: size.Width, chooses: !beside}
	return list.draw(a)
}

// testList draws the test cases of an attempt: failed ones in short or in full, runs of passed
// ones in one line.
type testList struct {
	m       *viewer
	width   int
	chooses bool // there is a cursor, and cases can be unfolded
	sheet
}

func (l *testList) draw(a *session.Attempt) *sheet {
	m := l.m
	l.rows = []string{""}
	seen := m.state.Plan.Sees(a)
	switch {
	case seen == session.SeeNothing:
		text := "This study hides the tests until you have judged the answer. They run all the same."
		if !m.open() && m.past.blind {
			text = "Raters do not see the tests."
		}
		l.add(frame.Indent(m.theme.Dim.Render(frame.Wrap(text, l.width-2)), " "))
		return &l.sheet
	case a.Answer == nil && m.open():
		l.add(" " + m.theme.Dim.Render("There is no answer yet."))
		return &l.sheet
	case a.Verdict == nil && m.open() && m.state.Phase == session.Wait:
		l.add(" " + m.theme.Dim.Render("The tests begin when both answers have come."))
		return &l.sheet
	case a.Verdict == nil:
		l.running(a)
		return &l.sheet
	}
	l.add(m.verdictLine(a.Verdict, l.width))
	l.addText(m.extractedLine(a, l.width))
	if seen == session.SeeVerdict {
		text := "The single tests are shown when you have judged the answer."
		if !m.open() && m.past.blind {
			text = "Raters do not see the single tests."
		}
		l.add("\n" + frame.Indent(m.theme.Dim.Render(frame.Wrap(text, l.width-2)), " "))
		return &l.sheet
	}
	result, err := m.results(a.Verdict)
	if err != nil {
		l.add(" " + m.theme.Bad.Render("The single results cannot be read: "+err.Error()))
		return &l.sheet
	}
	if result.Resolution != "" {
		l.repository(a, result)
		return &l.sheet
	}
	if result.Message != "" && !slices.ContainsFunc(result.Cases, func(c verdicts.CaseResult) bool { return c.Message == result.Message }) {
		l.add(frame.Indent(frame.Wrap(frame.Plain(result.Message), l.width-3), "   "))
	}
	l.add("")
	l.cases(result.Cases)
	l.addText(m.outputText(result, l.width))
	l.scratch(a)
	l.files(a.Verdict)
	return &l.sheet
}

// addText adds lines that each end with a line break.
func (l *testList) addText(text string) {
	if text != "" {
		l.add(strings.TrimSuffix(text, "\n"))
	}
}

// cases lists test cases.
func (l *testList) cases(cases []verdicts.CaseResult) {
	failing := l.chooses && l.m.review.failing
	if failing {
		l.add("   " + l.m.theme.Dim.Render("only what failed: f lists all"))
	}
	equal := equalFailures(cases, byMessage)
	for i := 0; i < len(cases); {
		if group := equal[i]; len(group) > 1 {
			if group[0] == i {
				head := l.m.theme.Signed(fmt.Sprintf("✗ %d cases: ", len(group))) + l.m.theme.Strong.Render(failure(cases[i]))
				l.failures(cases, group, head, (*testList).testCase)
			}
			i++
			continue
		}
		j := i + 1
		for j < len(cases) && folds(cases[j], cases[i]) {
			j++
		}
		if failing && cases[i].Status == verdicts.Passed {
			i = j
			continue
		}
		of := item{rangeItem, cases[i].Index}
		if j > i+1 && (!l.chooses || l.m.foldedAway(of)) {
			l.begin(of, true)
			l.add(l.m.foldedCases(cases[i:j]))
			l.end()
			i = j
			continue
		}
		if j == i+1 {
			of = item{} // a single case is no run
		}
		for ; i < j; i++ {
			l.testCase(cases[i], of)
		}
	}
}

// testCase adds a test case. Enter on a passed one folds the run that it is in.
func (l *testList) testCase(c verdicts.CaseResult, run item) {
	of := item{caseItem, c.Index}
	failed := c.Status != verdicts.Passed && c.Status != verdicts.NotRun
	whole := l.chooses && failed && (l.m.review.toggled[of] || l.m.review.find.needle != "")
	text, cut := l.m.caseText(c, l.width, whole)
	l.begin(of, failed && (cut || l.m.review.toggled[of]))
	l.spots[len(l.spots)-1].failed = failed
	l.addText(text)
	l.end()
	if !failed && l.chooses {
		l.spots[len(l.spots)-1].folded = run
	}
}

// running lists the tests that have ended so far, below the time and the limits.
func (l *testList) running(a *session.Attempt) {
	m := l.m
	p, text := m.underway(), "… "+m.runningText()
	if m.state.Plan.Sees(a) == session.SeeTests && m.open() {
		seconds := int(p.Elapsed / time.Second)
		text += fmt.Sprintf(" · %d:%02d · limits: ", seconds/60, seconds%60)
		if limits := m.task().Limits.WithDefaults(); m.ofRepository() {
			limits = m.task().Limits.ForRepository()
			text += fmt.Sprintf("%g s of processor time, %g s of waiting", limits.CPUTotal, limits.WallSeconds)
		} else {
			text += fmt.Sprintf("%g s of processor time a test, %g s in all", limits.CPUSeconds, limits.CPUTotal)
		}
	}
	l.add(frame.Indent(m.theme.Dim.Render(frame.Wrap(text, l.width-2)), " "))
	l.addText(m.extractedLine(a, l.width))
	l.add("")
	l.cases(p.Ended)
}

// runningText tells that tests are running, with their progress if it is known.
func (m *viewer) runningText() string {
	if p := m.underway(); p.Total > 0 {
		return fmt.Sprintf("running %*d of %d", len(fmt.Sprint(p.Total)), min(p.Done+1, p.Total), p.Total) // padded, so that the width stays the same
	}
	return "running"
}

// underway returns the progress of the tests of the attempt on the screen, if they are running and the
// tester may see them.
func (m *viewer) underway() engine.Progress {
	a := m.attempt()
	if m.progress == nil || a == nil || a.Answer == nil || a.Verdict != nil || m.state.Plan.Sees(a) != session.SeeTests {
		return engine.Progress{}
	}
	return m.progress(m.state.Current, a.N, m.sideOf(a))
}

// sawTests reports whether any test result of the attempt has been on the screen.
func (m *viewer) sawTests(a *session.Attempt) bool {
	switch {
	case m.state.Plan.Sees(a) == session.SeeNothing:
		return false
	case a.Verdict != nil: // its outcome stands in the line of tabs
		return true
	}
	_, _, beside := m.columns()
	return len(m.underway().Ended) > 0 && (beside > 0 || m.review.tab == tabTests || slices.Contains(a.Tabs, tabNames[tabTests]))
}

// results reads the results of the test cases behind a verdict. The last ones are cached, since
// the screen is drawn far more often than they change.
func (m *viewer) results(v *session.VerdictRecorded) (verdicts.Result, error) {
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

// folds reports whether c may stand in one line with first.
func folds(c, first verdicts.CaseResult) bool {
	return c.Status == first.Status && (c.Status == verdicts.Passed || c.Status == verdicts.NotRun)
}

// extractedLine says which part of the answer was run.
func (m *viewer) extractedLine(a *session.Attempt, width int) string {
	switch {
	case a.Extracted == nil:
		return ""
	case a.Extracted.Code == "":
		return frame.Indent(m.theme.Warn.Render(frame.Wrap("– No code was run. "+frame.Plain(a.Extracted.Note), width-2)), " ") + "\n"
	case a.Extracted.Note == "", a.Extracted.Note == extract.OnlyBlock, a.Answer.Transcript != "": // an agent's changes are always a diff
		return ""
	}
	return frame.Indent(m.theme.Dim.Render(frame.Wrap("code: "+frame.Plain(a.Extracted.Note), width-2)), " ") + "\n"
}

func (m *viewer) verdictLine(v *session.VerdictRecorded, width int) string {
	line := " " + m.theme.Chip(verdictText(v, false))
	switch verdict := verdicts.Verdict(v.Verdict); {
	case verdict == verdicts.NotJudged && v.CPUMS == 0:
		return line
	case verdict == verdicts.SandboxError:
		return line + "  the sandbox failed, not the code"
	}
	facts := []string{fmt.Sprintf("%d ms CPU", v.CPUMS)}
	if v.Resolution != "" && v.Total == 0 || v.Resolution == string(outcomes.Tampered) {
		facts = append(facts, "no test counts")
	}
	if v.MemoryKB > 0 {
		facts = append(facts, fmt.Sprintf("%d MB", (v.MemoryKB+512)/1024))
	}
	return frame.Cut(line+"  "+m.theme.Dim.Render(strings.Join(facts, "   ")), width)
}

func (m *viewer) foldedCases(cases []verdicts.CaseResult) string {
	span := fmt.Sprintf("%d-%d", cases[0].Index, cases[len(cases)-1].Index)
	if cases[0].Status == verdicts.Passed {
		return fmt.Sprintf("   %s %-6s passed", m.theme.Good.Render("✓"), span)
	}
	return fmt.Sprintf("   %s %-6s not run", m.theme.Dim.Render("–"), span)
}

// oneLine shows a text of several lines in one.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "⏎") }

// outputText returns what the program printed.
func (m *viewer) outputText(r verdicts.Result, width int) string {
	var b strings.Builder
	for _, out := range []struct{ name, text string }{{"printed", r.Stdout}, {"printed as errors", r.Stderr}} {
		if text := strings.TrimRight(frame.Plain(out.text), "\n"); text != "" {
			b.WriteString("\n " + m.theme.Dim.Render(out.name) + "\n" + frame.Indent(frame.Wrap(text, width-4), "   ") + "\n")
		}
	}
	if r.Isolation != "" {
		b.WriteString("\n" + frame.Indent(m.theme.Dim.Render(frame.Wrap(isolationText(r), width-2)), " ") + "\n")
	}
	return b.String()
}

// isolationText tells in what the code ran, with what that means for the verdict.
func isolationText(r verdicts.Result) string {
	text := strings.ReplaceAll(r.Isolation, "_", " ")
	switch r.Isolation {
	case verdicts.InProcess:
		text += ": its tests ran in the program's own process, where code that means to could forge their results"
	case verdicts.Unprotected:
		text += ": no sandbox kept the code from anything, or from forging its results"
	}
	if r.Interpreter != "" {
		text += " · " + r.Interpreter
	}
	return frame.OneLine(text)
}
