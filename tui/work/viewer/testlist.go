package viewer

import (
	"fmt"
	"strings"

	"assay/benchmark/extract"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/result"
)

// testList draws the test cases of an attempt: failed ones in short or in full, runs of passed
// ones in one line.
type testList struct {
	m       *testsTab
	width   int
	chooses bool // there is a cursor, and cases can be unfolded
	sheet
}

// addText adds lines that each end with a line break.
func (l *testList) addText(text string) {
	if text != "" {
		l.add(strings.TrimSuffix(text, "\n"))
	}
}

// testCase adds a test case. Enter on a passed one folds the run that it is in.
func (l *testList) testCase(c verdicts.CaseResult, run item) {
	of := item{caseItem, c.Index}
	failed := c.Status != verdicts.Passed && c.Status != verdicts.NotRun
	whole := l.chooses && failed && (l.m.review.toggled[of] || l.m.review.find.Needle != "")
	text, cut := l.m.CaseText(c, l.width, whole)
	l.begin(of, failed && (cut || l.m.review.toggled[of]))
	l.spots[len(l.spots)-1].failed = failed
	l.addText(text)
	l.end()
	if !failed && l.chooses {
		l.spots[len(l.spots)-1].folded = run
	}
}

// failures adds cases that failed in the same way: what happened, and the first of them or, unfolded, all.
func (l *testList) failures(cases []verdicts.CaseResult, group []int, what string, draw func(l *testList, c verdicts.CaseResult, run item)) {
	of := item{failuresItem, cases[group[0]].Index}
	whole := l.chooses && !l.m.foldedAway(of)
	l.begin(of, l.chooses)
	l.add(frame.Cut("   "+what, l.width))
	if !whole {
		first, c := testList{m: l.m, width: l.width - 2}, cases[group[0]]
		if frame.Width(what)+3 <= l.width { // it says the beginning of the message
			_, c.Message, _ = strings.Cut(strings.TrimSpace(c.Message), "\n")
		}
		draw(&first, c, item{})
		for _, row := range first.rows {
			l.add("  " + row)
		}
	}
	l.end()
	if whole {
		for _, i := range group {
			draw(l, cases[i], of)
		}
	}
}

// scratch lists the calls of the tester's own.
func (l *testList) scratch(a *session.Attempt) {
	if len(a.Scratch) > 0 {
		l.add("\n " + l.m.Theme.Dim.Render("calls of your own, which are no verdict"))
	}
	for _, run := range a.Scratch {
		l.add(frame.Indent(frame.Wrap(frame.Plain(l.m.Text(run.Input)), l.width-4), "   "))
		l.add(frame.Indent(l.m.Theme.Dim.Render(frame.Wrap(frame.Plain(l.m.Text(run.Output)), l.width-8)), "       "))
	}
}

// files lists the output files, with the first lines of texts and one of the pictures.
func (l *testList) files(v *session.VerdictRecorded) {
	m, width := l.m, l.width
	if len(v.Outputs) == 0 {
		return
	}
	name := 0
	for _, f := range v.Outputs {
		name = max(name, frame.Width(frame.Plain(f.Name)))
	}
	name = min(name, max(width-40, 12))
	l.add("\n " + m.Theme.Dim.Render("files of the program"))
	for i, f := range v.Outputs {
		called := frame.Fit(frame.Plain(f.Name), frame.Size{Width: name, Height: 1})[0]
		called += strings.Repeat(" ", max(0, name-frame.Width(called)))
		l.begin(item{fileItem, i}, false)
		if f.Problem != "" {
			text := frame.Wrap("not copied: "+frame.Plain(f.Problem), max(width-name-8, 12))
			l.add("   " + m.Theme.Warn.Render("–") + " " + called + "  " +
				strings.TrimLeft(frame.Indent(text, strings.Repeat(" ", name+7)), " "))
			l.end()
			continue
		}
		line := fmt.Sprintf("     %s  %-14s %10s", called, frame.Plain(f.Kind), sizeText(f.Size))
		l.add(frame.Fit(line, frame.Size{Width: width, Height: 1})[0])
		l.addText(m.previewText(i, width))
		if l.chooses {
			l.rows = append(l.rows, m.inlinePicture(i)...)
		}
		l.end()
	}
	if m.savedIn != "" && m.savedOf == (attemptID{m.Task().ID, m.Attempt().N}) {
		l.add(frame.Indent(frame.Wrap(m.Theme.Dim.Render("saved in ")+frame.FileLink(m.savedIn, m.Theme.Dim, width-16), width-6), "     "))
	} else if m.savesOutputs() {
		l.add("     " + m.Theme.Dim.Render("o saves them, to be opened with your own programs"))
	}
}

// extractedLine says which part of the answer was run.
func (m *reading) extractedLine(a *session.Attempt, width int) string {
	switch {
	case a.Extracted == nil:
		return ""
	case a.Extracted.Code == "":
		return frame.Indent(m.Theme.Warn.Render(frame.Wrap("– No code was run. "+frame.Plain(a.Extracted.Note), width-2)), " ") + "\n"
	case a.Extracted.Note == "", a.Extracted.Note == extract.OnlyBlock, a.Answer.Transcript != "": // an agent's changes are always a diff
		return ""
	}
	return frame.Indent(m.Theme.Dim.Render(frame.Wrap("code: "+frame.Plain(a.Extracted.Note), width-2)), " ") + "\n"
}

func (m *reading) verdictLine(v *session.VerdictRecorded, width int) string {
	line := " " + m.Theme.Chip(result.Verdict(v, false))
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
	return frame.Cut(line+"  "+m.Theme.Dim.Render(strings.Join(facts, "   ")), width)
}

func (m *reading) foldedCases(cases []verdicts.CaseResult) string {
	span := fmt.Sprintf("%d-%d", cases[0].Index, cases[len(cases)-1].Index)
	if cases[0].Status == verdicts.Passed {
		return fmt.Sprintf("   %s %-6s passed", m.Theme.Good.Render("✓"), span)
	}
	return fmt.Sprintf("   %s %-6s not run", m.Theme.Dim.Render("–"), span)
}

// outputText returns what the program printed.
func (m *reading) outputText(r verdicts.Result, width int) string {
	var b strings.Builder
	for _, out := range []struct{ name, text string }{{"printed", r.Stdout}, {"printed as errors", r.Stderr}} {
		if text := strings.TrimRight(frame.Plain(out.text), "\n"); text != "" {
			b.WriteString("\n " + m.Theme.Dim.Render(out.name) + "\n" + frame.Indent(frame.Wrap(text, width-4), "   ") + "\n")
		}
	}
	if r.Isolation != "" {
		b.WriteString("\n" + frame.Indent(m.Theme.Dim.Render(frame.Wrap(isolationText(r), width-2)), " ") + "\n")
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

// folds reports whether c may stand in one line with first.
func folds(c, first verdicts.CaseResult) bool {
	return c.Status == first.Status && (c.Status == verdicts.Passed || c.Status == verdicts.NotRun)
}
