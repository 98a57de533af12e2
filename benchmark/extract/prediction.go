package extract

import (
	"cmp"
	"strings"

	"assay/benchmark"
)

// The methods of finding what an answer predicts, besides MethodFence and MethodTagged.
const (
	MethodAssertion = "assertion" // the last line that begins with assert
	MethodLine      = "line"      // the first line, or what follows ==
)

// prediction finds what an answer says that a call returns, as LiveCodeBench's parsers do, or the call, as CRUXEval's do.
func prediction(text string, task *benchmark.Task) Extraction {
	text = joined(linesOf(text))
	if strings.TrimSpace(text) == "" {
		return Extraction{Method: MethodNone, Reason: NoAnswer, Note: "The answer is empty."}
	}
	switch task.Tests.Style {
	case benchmark.Execution:
		return inTags(text, returned)
	case benchmark.Input:
		return inTags(text, func(text string) (string, string) { return called(text, task.EntryPoint) })
	}
	return asserted(text)
}

// inTags finds what an answer states after [ANSWER], and before [/ANSWER] or the end of the line. part returns the part
// of that text that is asked for, and how it was found.
func inTags(text string, part func(string) (text, note string)) Extraction {
	e := Extraction{Method: MethodLine, Note: "The answer's first line was taken."}
	if parts := strings.Split(text, "[ANSWER]"); len(parts) > 1 {
		text = strings.TrimSpace(parts[1])
		e.Method, e.Note = MethodTagged, "What follows [ANSWER] was taken."
	}
	text, _, closed := strings.Cut(text, "[/ANSWER]")
	text, note := part(text)
	e.Note = cmp.Or(note, e.Note)
	if !closed {
		text, _, _ = strings.Cut(text, "\n")
	}
	if e.Code = strings.TrimSpace(text); e.Code == "" {
		return Extraction{Method: MethodNone, Reason: NoCode, Note: "The answer states no value or call."}
	}
	return e
}

// returned finds the value in an answer about the execution of code: after the first == that compares.
func returned(text string) (value, note string) {
	if right, found := compared(text); found {
		return strings.TrimSpace(right), "What follows == was taken."
	}
	return text, ""
}

// called finds the call in an answer that completes an assertion: after assert, and before the first == that compares.
// An answer without a call states nothing, as in CRUXEval.
func called(text, entry string) (call, note string) {
	if _, after, found := strings.Cut(text, "assert "+entry); found {
		text, note = entry+after, "The call of the assertion was taken."
	}
	if !strings.Contains(text, entry+"(") {
		return "", ""
	}
	if at, _ := comparisons(text); len(at) > 0 {
		text, note = strings.TrimSpace(text[:at[0]]), "The call before == was taken."
	}
	return text, note
}

// compared returns what follows the first == of a text, up to the next. One in a string or in brackets belongs to a
// value, as in '==c', unless the text's quotes and brackets do not match.
func compared(text string) (right string, found bool) {
	at, matched := comparisons(text)
	if len(at) == 0 && !matched {
		if parts := strings.Split(text, "=="); len(parts) > 1 {
			return parts[1], true
		}
	}
	switch len(at) {
	case 0:
		return "", false
	case 1:
		return text[at[0]+2:], true
	}
	return text[at[0]+2 : at[1]], true
}

// comparisons returns the offsets of == outside of strings and brackets, and whether quotes and brackets match on
// every line.
func comparisons(text string) (at []int, matched bool) {
	matched = true
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end := endOfString(text, i)
			matched = matched && end > i
			i = max(i, end)
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == '\n':
			matched, depth = matched && depth == 0, 0
		case depth <= 0 && strings.HasPrefix(text[i:], "=="):
			at = append(at, i)
			i++
		}
	}
	return at, matched && depth == 0
}

// endOfString returns the offset of the last quote of the string that begins at i, -1 if it does not end on its line.
func endOfString(text string, i int) int {
	quote := text[i : i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[i:], triple) {
		if length := strings.Index(text[i+3:], triple); length >= 0 {
			return i + 3 + length + 2
		}
	}
	for end := i + 1; end < len(text) && text[end] != '\n'; end++ {
		switch text[end] {
		case '\\':
			end++
		case quote[0]:
			return end
		}
	}
	return -1
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
