package viewer

import (
	"fmt"
	"slices"
	"strings"

	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// The tests of a repository task, by name and by list.

// repository draws what became of an answer to a repository task, and its tests: those that must pass now
// first, and in each list those that failed.
func (l *testList) repository(a *session.Attempt, result verdicts.Result) {
	m := l.m
	for _, text := range []string{frame.Plain(result.Message), result.Resolution.Explained()} {
		if text != "" {
			l.add(frame.Indent(frame.Wrap(text, l.width-3), "   "))
		}
	}
	if len(result.PutBack) > 0 {
		text := "put back before the tests, since they decide what tests report: " + strings.Join(result.PutBack, ", ")
		l.add(frame.Indent(m.Theme.Warn.Render(frame.Wrap(frame.Plain(text), l.width-3)), "   "))
	}
	if len(result.ToReview) > 0 {
		text := "to review, since it could influence the tests or their report: " + strings.Join(result.ToReview, "; ")
		l.add(frame.Indent(m.Theme.Warn.Render(frame.Wrap(frame.Plain(text), l.width-3)), "   "))
	}
	before, name, as := map[string]bool{}, "", ", as the answer has them reported"
	if result.Resolution != outcomes.Tampered {
		before, name = m.statusesBefore(a)
		as = ""
	}
	if text := changedStatus(result.Cases, before); text != "" {
		l.add(frame.Indent(m.Theme.Strong.Render(frame.Wrap("since "+name+": "+text, l.width-3)), "   "))
	}
	if l.chooses && m.review.failing {
		l.add("   " + m.Theme.Dim.Render("only what failed: f lists all"))
	}
	for _, list := range []struct{ call, head string }{
		{verdicts.FailToPass, "must pass now (FAIL_TO_PASS)"}, {verdicts.PassToPass, "must still pass (PASS_TO_PASS)"},
	} {
		l.list(list.head+as, ofList(result.Cases, list.call), before)
	}
	l.addText(m.outputText(result, l.width))
}

// ofList returns the cases of one list, failed ones first, then those that were not run.
func ofList(cases []verdicts.CaseResult, call string) (list []verdicts.CaseResult) {
	for _, wanted := range []func(verdicts.CaseResult) bool{
		func(c verdicts.CaseResult) bool { return c.Status != verdicts.Passed && c.Status != verdicts.NotRun },
		func(c verdicts.CaseResult) bool { return c.Status == verdicts.NotRun },
		func(c verdicts.CaseResult) bool { return c.Status == verdicts.Passed },
	} {
		for _, c := range cases {
			if c.Call == call && wanted(c) {
				list = append(list, c)
			}
		}
	}
	return list
}

// list draws the tests of one list, of which those that passed are folded into a line.
func (l *testList) list(head string, cases []verdicts.CaseResult, before map[string]bool) {
	if len(cases) == 0 {
		return
	}
	m := l.m
	passed := frame.CountIf(cases, func(c *verdicts.CaseResult) bool { return c.Status == verdicts.Passed })
	l.add("\n " + m.Theme.Strong.Render(head) + m.Theme.Dim.Render(fmt.Sprintf("   %d of %d", passed, len(cases))))
	test := func(l *testList, c verdicts.CaseResult, run item) { l.namedTest(c, before, run) }
	equal := equalFailures(cases, failureOf)
	for i, c := range cases {
		if group := equal[i]; c.Status != verdicts.Passed && len(group) > 1 {
			if group[0] == i {
				l.failures(cases, group, l.equalTests(cases, group, before), test)
			}
			continue
		}
		if c.Status != verdicts.Passed {
			l.namedTest(c, before, item{})
			continue
		}
		good := cases[i:]
		of := item{rangeItem, c.Index}
		switch {
		case l.chooses && m.review.failing:
		case len(good) > 1 && (!l.chooses || m.foldedAway(of)):
			l.begin(of, true)
			l.add(fmt.Sprintf("   %s %s passed", m.Theme.Good.Render("✓"), frame.Count(len(good), "test")))
			l.end()
		default:
			for _, c := range good {
				l.namedTest(c, before, of)
			}
		}
		return
	}
}

// equalTests heads tests that failed in the same way.
func (l *testList) equalTests(cases []verdicts.CaseResult, group []int, before map[string]bool) string {
	style, what, first := l.m.Theme.Bad, failureOf(cases[group[0]]), cases[group[0]]
	glyph := "✗"
	switch {
	case first.Status == verdicts.NotRun:
		style, glyph, what = l.m.Theme.Warn, "–", "not reported"
	case what == "":
		what = "failed without output"
	}
	text := style.Render(fmt.Sprintf("%s %d tests: ", glyph, len(group))) + l.m.Theme.Strong.Render(what)
	worse := 0
	for _, i := range group {
		if before[cases[i].Name] {
			worse++
		}
	}
	if worse > 0 {
		text += l.m.Theme.Dim.Render(fmt.Sprintf("  %d passed before", worse))
	}
	return text
}

// failureOf is the line of a test's output that says what it failed with, "" for a test without output.
func failureOf(c verdicts.CaseResult) string {
	_, text := verdicts.Failure(frame.Plain(c.Message))
	return text
}

// outputRows is how many rows of a failed test's output are shown until it is unfolded: the last ones, or those from the
// one that says what it failed with.
const outputRows = 4

// namedTest draws a test with its output, if it failed. Enter on one that passed folds the run that it is in.
func (l *testList) namedTest(c verdicts.CaseResult, before map[string]bool, run item) {
	m := l.m
	glyph, word := m.Theme.Bad.Render("✗"), ""
	failed := false
	switch c.Status {
	case verdicts.Passed:
		glyph = m.Theme.Good.Render("✓")
	case verdicts.NotRun:
		glyph, word = m.Theme.Warn.Render("–"), " not reported"
	default:
		failed = true
		if c.Status == verdicts.Status(verdicts.RuntimeError) {
			word = " error"
		}
	}
	passed := c.Status == verdicts.Passed
	if was, known := before[c.Name]; known && was != passed {
		glyph += m.Theme.Strong.Render(map[bool]string{true: " (was ✗)", false: " (was ✓)"}[passed])
	}
	of := item{caseItem, c.Index}
	output := strings.TrimRight(frame.Plain(c.Message), "\n")
	l.begin(of, failed && output != "")
	l.spots[len(l.spots)-1].failed = failed
	whole := m.review.toggled[of] || m.review.find.Needle != "" && l.chooses
	line := "   " + glyph + " " + frame.OneLine(c.Name)
	if word != "" {
		line += m.Theme.Dim.Render(word)
	}
	if whole {
		l.add(frame.Indent(strings.Join(frame.WrapCode(strings.TrimPrefix(line, "   "), l.width-3), "\n"), "   "))
	} else {
		l.add(frame.Fit(line, frame.Size{Width: l.width, Height: 1})[0])
	}
	if output != "" && (failed || whole) {
		l.testOutput(output, whole)
	}
	l.end()
	if !failed && l.chooses {
		l.spots[len(l.spots)-1].folded = run
	}
}

// testOutput draws the output of a test, or some of its rows.
func (l *testList) testOutput(output string, whole bool) {
	lines := strings.Split(output, "\n")
	hidden := func(n int, where string) {
		if n > 0 {
			l.add("       " + l.m.Theme.Dim.Render(fmt.Sprintf("… %s %s: enter shows them", frame.Count(n, "line"), where)))
		}
	}
	if more := len(lines) - outputRows; !whole && more > 0 {
		at, _ := verdicts.Failure(output)
		before := min(more, at)
		lines = lines[before : before+outputRows]
		hidden(before, "before")
		defer hidden(more-before, "after")
	}
	for _, line := range lines {
		for _, row := range frame.WrapCode(line, l.width-8) {
			l.add("       " + row)
		}
	}
}

// statusesBefore returns which tests passed in the attempt before, if the tester may see that.
func (m *subject) statusesBefore(a *session.Attempt) (passed map[string]bool, name string) {
	attempts := m.Attempts()
	for i := range slices.Backward(attempts) {
		b := &attempts[i]
		if b.N >= a.N || b.Verdict == nil || b.Verdict.Total == 0 || m.State.Plan.Sees(b) != session.SeeTests {
			continue
		}
		result, err := m.source.Verdict(b.Verdict)
		if err != nil {
			return nil, ""
		}
		passed = map[string]bool{}
		for _, c := range result.Cases {
			passed[c.Name] = c.Status == verdicts.Passed
		}
		return passed, fmt.Sprintf("attempt %d", b.N)
	}
	return nil, ""
}

// changedStatus counts the tests whose status changed, or returns "".
func changedStatus(cases []verdicts.CaseResult, before map[string]bool) string {
	if len(before) == 0 || len(cases) == 0 {
		return ""
	}
	better, worse := 0, 0
	for _, c := range cases {
		was, known := before[c.Name]
		switch passes := c.Status == verdicts.Passed; {
		case known && passes && !was:
			better++
		case known && !passes && was:
			worse++
		}
	}
	if better+worse == 0 {
		return "no test changed its status"
	}
	return fmt.Sprintf("%s now passing, %d no longer", frame.Count(better, "test"), worse)
}
