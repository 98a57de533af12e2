package judge

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// programFailure returns why a run of a program failed, or nil. A failed assertion of a script is
// a wrong answer.
func (r *run) programFailure(end sandbox.Outcome, source string) *callFailure {
	if end.Cause == "" && end.Exit == 0 {
		return nil
	}
	f := failure(end)
	if end.Cause != "" || f.Status != verdicts.Status(verdicts.RuntimeError) {
		return &f
	}
	for _, sign := range []string{"java.lang.OutOfMemoryError", "heap out of memory", "std::bad_alloc", "MemoryError", "cannot allocate vector"} {
		if strings.Contains(string(end.Stderr), sign) {
			f.Status = verdicts.Status(verdicts.MemoryLimit)
		}
	}
	said := errorLine(end.Stderr)
	if end.Exit > 0 && !bySignal(end.Exit) {
		f.Text = fmt.Sprintf("the program ended with exit status %d", end.Exit)
		if said != "" {
			f.Text += ": " + said
		}
	}
	if r.isScript() && f.Status == verdicts.Status(verdicts.RuntimeError) {
		r.asserted(&f, end, said, source)
	}
	return &f
}

var (
	// errorStart matches how interpreters begin the line that names an error.
	errorStart = regexp.MustCompile(`^(?:Uncaught |Exception in thread "[^"]*" )?(?:[\w.$]*(?:Error|Exception)\b|panic: |fatal error: |thread '[^']*' panicked at |\S*: .*Assertion .* failed)`)
	// interpreterNote matches a line of Node.js about itself.
	interpreterNote = regexp.MustCompile("^(?:Node\\.js v|\\(Use `node )")
	// underlined matches the marks below the source line in a traceback.
	underlined = regexp.MustCompile(`^[\s~^]+$`)
	stackFrame = regexp.MustCompile(`^\s+at .*`)
)

// errorLine returns the most informative part of an error output: the first line that names an
// error, with its continuation if it ends with a colon, or else the last line.
func errorLine(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(verdicts.StripEscapes(string(stderr))), "\n")
	last, source, second := "", "", ""
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case errorStart.MatchString(line):
			if text == "AssertionError" && source != "" && !strings.HasPrefix(source, "File ") {
				text += ": " + source // as Python shows it
			}
			return verdicts.Clip(strings.Join(append([]string{text}, continued(text, lines[i+1:])...), " "), 300)
		case text == "" || interpreterNote.MatchString(text):
			continue
		case second == "" && strings.Contains(strings.ToLower(text), "error:"):
			second = text
		}
		if last = text; !underlined.MatchString(line) {
			source = text
		}
	}
	if second != "" {
		last = second
	}
	return verdicts.Clip(last, 300)
}

// continued returns the continuation of a message whose first line ends with a colon: in Node.js
// everything down to the stack, else one line, as R breaks long messages.
func continued(first string, rest []string) (more []string) {
	if !strings.HasSuffix(first, ":") {
		return nil
	}
	for _, line := range rest {
		if stackFrame.MatchString(line) {
			break
		}
		if line = strings.TrimSpace(line); line != "" {
			more = append(more, line)
		}
		if len(more) > 0 && !strings.Contains(first, "[ERR_ASSERTION]") {
			break
		}
	}
	return more
}

var (
	assertion = regexp.MustCompile(`^(?:Uncaught |Exception in thread "[^"]*" )?(?:java\.lang\.)?AssertionError\b|^Error: assertion failed|Assertion .* failed|(?:is not|are not all) TRUE$`)
	// withoutMessage matches an assertion without a message.
	withoutMessage = regexp.MustCompile(`(?:AssertionError|^Error: assertion failed)$`)
	// atLine matches a stack frame in the script.
	atLine = regexp.MustCompile(`(?m)^\s+at .*\b\w+\.(?:js|java):(\d+)`)
	// goFailed matches the first line that a Go test printed after its name. A position inside
	// the assertion package is dropped: it tells the reader nothing.
	goFailed = regexp.MustCompile(`(?s)^.*?--- FAIL: [^\n]*\n\s+(?:assert\.go:\d+: )?((?:\w+\.go:\d+: )?[^\n]*)`)
)

// asserted turns a failure into a wrong answer if an assertion failed.
func (r *run) asserted(f *callFailure, end sandbox.Outcome, said, source string) {
	switch {
	case assertion.MatchString(said):
		if f.Text = said; withoutMessage.MatchString(said) {
			f.Text += asserting(string(end.Stderr), source)
		}
	case r.task.Language == "go" && end.Exit == 1 && strings.Contains(string(end.Stdout), "--- FAIL: "):
		stdout := strings.ReplaceAll(verdicts.StripEscapes(string(end.Stdout)), "--- FAIL: Tests (", "")
		if m := goFailed.FindStringSubmatch(stdout); m != nil {
			f.Text = verdicts.Clip(m[1], 300)
		}
	case end.Exit == r.tool.End.FailedExit && end.Exit != 0:
	case failedAssertion(r.tool, end) != "":
		f.Text = failedAssertion(r.tool, end)
	default:
		return
	}
	f.Status = verdicts.Status(verdicts.WrongAnswer)
}

// failedAssertion returns the line of a script's output that reports a failed assertion, or "".
func failedAssertion(t *toolchain, end sandbox.Outcome) string {
	return verdicts.Clip(t.End.Failed(verdicts.StripEscapes(string(end.Stdout)+"\n"+string(end.Stderr))), 300)
}

// asserting returns the assertion's source text, found by the stack: ": assert(f(1) == 2)", or
// "".
func asserting(stderr, source string) string {
	lines := strings.Split(source, "\n")
	for _, m := range atLine.FindAllStringSubmatch(stderr, 8) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > len(lines) {
			continue
		}
		text := strings.TrimSpace(lines[n-1])
		if !strings.Contains(strings.ToLower(text), "assert") || strings.HasPrefix(text, "function assayAssert") || strings.Contains(text, "assayTests") {
			continue
		}
		for ; n < len(lines) && strings.Count(text, "(") > strings.Count(text, ")"); n++ {
			text += " " + strings.TrimSpace(lines[n])
		}
		return ": " + verdicts.Clip(strings.ReplaceAll(text, "assayAssert(", "console.assert("), 200) // as the tests have it
	}
	return ""
}
