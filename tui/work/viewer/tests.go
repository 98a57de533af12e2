package viewer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// TestsText returns the verdict on an attempt and its test cases, without a cursor.
func (m *testsTab) TestsText(a *session.Attempt, width int) string {
	if a == nil {
		return ""
	}
	list := testList{m: m, width: width}
	return strings.Join(list.draw(a).rows, "\n")
}

// testsSheet lists an attempt's test cases. Beside the answer it has no cursor.
func (m *testsTab) testsSheet(a *session.Attempt, size frame.Size, beside bool) *sheet {
	if a == nil {
		return &sheet{}
	}
	list := testList{m: m, width: size.Width, chooses: !beside}
	return list.draw(a)
}

func (l *testList) draw(a *session.Attempt) *sheet {
	m := l.m
	l.rows = []string{""}
	seen := m.State.Plan.Sees(a)
	switch {
	case seen == session.SeeNothing:
		text := "This study hides the tests until you have judged the answer. They run all the same."
		if !m.open() && m.past.blind {
			text = "Raters do not see the tests."
		}
		l.add(frame.Indent(m.Theme.Dim.Render(frame.Wrap(text, l.width-2)), " "))
		return &l.sheet
	case a.Answer == nil && m.open():
		l.add(" " + m.Theme.Dim.Render("There is no answer yet."))
		return &l.sheet
	case a.Verdict == nil && m.open() && m.State.Phase == session.Wait:
		l.add(" " + m.Theme.Dim.Render("The tests begin when both answers have come."))
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
		l.add("\n" + frame.Indent(m.Theme.Dim.Render(frame.Wrap(text, l.width-2)), " "))
		return &l.sheet
	}
	result, err := m.Results(a.Verdict)
	if err != nil {
		l.add(" " + m.Theme.Bad.Render("The single results cannot be read: "+err.Error()))
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

// cases lists test cases.
func (l *testList) cases(cases []verdicts.CaseResult) {
	failing := l.chooses && l.m.review.failing
	if failing {
		l.add("   " + l.m.Theme.Dim.Render("only what failed: f lists all"))
	}
	equal := equalFailures(cases, byMessage)
	for i := 0; i < len(cases); {
		if group := equal[i]; len(group) > 1 {
			if group[0] == i {
				head := l.m.Theme.Signed(fmt.Sprintf("✗ %d cases: ", len(group))) + l.m.Theme.Strong.Render(failure(cases[i]))
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

// running lists the tests that have ended so far, below the time and the limits.
func (l *testList) running(a *session.Attempt) {
	m := l.m
	p, text := m.underway(), "… "+m.runningText()
	if m.State.Plan.Sees(a) == session.SeeTests && m.open() {
		seconds := int(p.Elapsed / time.Second)
		text += fmt.Sprintf(" · %d:%02d · limits: ", seconds/60, seconds%60)
		if limits := m.Task().Limits.WithDefaults(); m.OfRepository() {
			limits = m.Task().Limits.ForRepository()
			text += fmt.Sprintf("%g s of processor time, %g s of waiting", limits.CPUTotal, limits.WallSeconds)
		} else {
			text += fmt.Sprintf("%g s of processor time a test, %g s in all", limits.CPUSeconds, limits.CPUTotal)
		}
	}
	l.add(frame.Indent(m.Theme.Dim.Render(frame.Wrap(text, l.width-2)), " "))
	l.addText(m.extractedLine(a, l.width))
	l.add("")
	l.cases(p.Ended)
}

// SawTests reports whether any test result of the attempt has been on the screen.
func (m *reading) SawTests(a *session.Attempt) bool {
	switch {
	case m.State.Plan.Sees(a) == session.SeeNothing:
		return false
	case a.Verdict != nil: // its outcome stands in the line of tabs
		return true
	}
	_, _, beside := m.columns()
	return len(m.underway().Ended) > 0 && (beside > 0 || m.review.tab == TabTests || slices.Contains(a.Tabs, tabNames[TabTests]))
}
