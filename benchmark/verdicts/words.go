package verdicts

import "strings"

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
	return Clip(c.Words(), maxWhy)
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
