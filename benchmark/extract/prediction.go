package extract

import (
	"strings"

	"assay/benchmark"
)

// The methods of finding what an answer predicts, besides MethodFence.
const (
	MethodAssertion = "assertion" // the last line that begins with assert
	MethodLine      = "line"      // the first line, or what follows ==
)

// prediction finds what an answer says that a call returns, as LiveCodeBench's parsers do.
func prediction(text string, style benchmark.Style) Extraction {
	text = joined(linesOf(text))
	if strings.TrimSpace(text) == "" {
		return Extraction{Method: MethodNone, Reason: NoAnswer, Note: "The answer is empty."}
	}
	if style == benchmark.Execution {
		return returned(text)
	}
	return asserted(text)
}

// returned finds the value in an answer about the execution of code: after [ANSWER], after the first ==, and
// before [/ANSWER] or the end of the line.
func returned(text string) Extraction {
	e := Extraction{Method: MethodLine, Note: "The answer's first line was taken."}
	if parts := strings.Split(text, "[ANSWER]"); len(parts) > 1 {
		text = strings.TrimSpace(parts[1])
		e.Method, e.Note = MethodTagged, "What follows [ANSWER] was taken."
	}
	if parts := strings.Split(text, "=="); len(parts) > 1 {
		text = strings.TrimSpace(parts[1])
		e.Note = "What follows == was taken."
	}
	if before, _, found := strings.Cut(text, "[/ANSWER]"); found {
		text = before
	} else {
		text, _, _ = strings.Cut(text, "\n")
	}
	if e.Code = strings.TrimSpace(text); e.Code == "" {
		return Extraction{Method: MethodNone, Reason: NoCode, Note: "The answer states no value."}
	}
	return e
}

// asserted finds the completed test case in an answer: the last line that begins with assert, else the
// content of the first fence.
func asserted(text string) Extraction {
	lines := strings.Split(text, "\n")
	python, fences := -1, []int(nil)
	for i := len(lines) - 1; i >= 0; i-- {
		line := lines[i]
		if strings.HasPrefix(line, "assert") {
			return Extraction{Code: line, Method: MethodAssertion, Note: "The last line that begins with assert was taken."}
		}
		if strings.Contains(line, "```") {
			fences = append([]int{i}, fences...)
		}
		if strings.Contains(line, "```python") || strings.Contains(line, "```Python") {
			python = i
		}
	}
	for len(fences) > 0 && fences[0] < python {
		fences = fences[1:]
	}
	if len(fences) < 2 {
		return Extraction{Method: MethodNone, Reason: NoCode, Note: "The answer has no line that begins with assert."}
	}
	return Extraction{Code: strings.Join(lines[fences[0]+1:fences[1]], "\n"), Method: MethodFence, Blocks: len(fences) / 2, Note: "The answer's first block of code was taken."}
}
