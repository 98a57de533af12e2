package verdicts

import (
	"regexp"
	"strings"
)

// Words describes the result of a test case, for people and models: "f(2) fails: expected 4, got
// 5".
func (c CaseResult) Words() string {
	text := c.Call
	switch {
	case c.Call == FailToPass:
		text = c.Name + ", which must pass now,"
	case c.Call == PassToPass:
		text = c.Name + ", which passed before,"
	case c.Name != "":
		text = strings.TrimSuffix(c.Name+": "+text, ": ")
	}
	if c.Status == Passed || c.Status == NotRun {
		return strings.TrimSpace(text + " " + strings.ReplaceAll(string(c.Status), "_", " "))
	}
	text += " fails"
	if c.Expected != "" {
		text += ": expected " + c.Expected
	}
	if c.Got != "" {
		text += ", got " + c.Got
	}
	switch {
	case strings.Contains(c.Message, "\n") && (c.Call == FailToPass || c.Call == PassToPass): // what a test wrote
		text += ":\n\n" + c.Message + "\n"
	case c.Message != "":
		text += " (" + c.Message + ")"
	}
	return text
}

// maxWhy bounds Why in bytes.
const maxWhy = 400

// Why describes the first test case that ran and failed, or returns "".
func (r Result) Why() string {
	c := r.FirstFailing()
	if c == nil {
		return ""
	}
	if text := c.Words(); len(text) <= maxWhy || !strings.Contains(c.Message, "\n") {
		return Clip(text, maxWhy)
	}
	short := *c
	_, short.Message = Failure(c.Message)
	return Clip(short.Words(), maxWhy)
}

// raised matches a line that says what a test failed with: "ImportError: …", "java.lang.AssertionError", "Error: …".
var raised = regexp.MustCompile(`^(?:[\w$]+\.)*\w*(?:Error|Exception|Failure|Failed|Exit|Interrupt)\b`)

// Failure returns the line of a test's output that says what it failed with, and its index: the first that pytest marks
// by E, else the last one that names an error, else the last one that is not blank, else "" and 0.
func Failure(output string) (at int, text string) {
	named := false
	for i, line := range strings.Split(output, "\n") {
		marked, is := strings.CutPrefix(line, "E  ")
		if marked = strings.TrimSpace(marked); is && marked != "" {
			return i, marked
		}
		line = strings.TrimSpace(line)
		if is := raised.MatchString(line); is || line != "" && !named {
			at, text, named = i, line, is
		}
	}
	return at, text
}

// FirstFailing returns the first test case that ran and failed, or nil.
func (r Result) FirstFailing() *CaseResult {
	for i, c := range r.Cases {
		if c.Status != Passed && c.Status != NotRun {
			return &r.Cases[i]
		}
	}
	return nil
}
