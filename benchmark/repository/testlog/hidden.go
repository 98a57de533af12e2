package testlog

import (
	"regexp"
	"strings"
)

// A test that writes without a line end hides a result: what it wrote stands before the result on its line, or before
// the next one. Such lines are no results to SWE-bench's harness, so they count only for tests that no other line
// names.

// revealed returns a log with hidden results on lines of their own, by the names of formats.
var revealed = map[string]func(log string) string{
	"ant-junit":  starting(`\[junit\]\s+\[(?:PASS|FAIL|ERR)\]`),
	"cargo":      func(log string) string { return cargoEnds(cargoStarts(log)) },
	"django":     ending(` \.\.\.(?: |$)`, " ... ", "ok", "FAIL", "ERROR"),
	"go-test":    starting(`--- (?:PASS|FAIL|SKIP): `),
	"jest":       starting(`[✓✕○] `),
	"jest-lines": starting(`\[(?:PASSED|FAILED)\] `),
	"jq":         starting(`(?:PASS|FAIL): `),
	"node-test":  starting(` *[✔✓✖﹣] `),
	"phpunit":    starting(` *[✔✘↩] `),
	"redis":      starting(`\[(?:ok|err|skip|ignore)\]: `),
	"sympy":      ending(`^test_\S+`, " ", "ok", "F", "E"),
	"tap":        starting(`(?:not ok|ok) \d+ `),
	"unittest":   ending(unittestTest.String(), "\n", "ok", "FAIL", "ERROR", "expected failure", "unexpected success"),
	"vitest":     starting(`[✓×↓] `),
}

var (
	cargoStarts = starting(`test \S+(?: - should panic)? +\.\.\. `)
	cargoEnds   = ending(`^test \S+(?: - should panic)? +\.\.\.`, " ", "ok", "FAILED")
)

// reveal adds hidden results.
func (p Parser) reveal(log string, r *Results) {
	reveal := revealed[p.Name]
	if reveal == nil {
		return
	}
	hidden := newResults()
	p.parse(reveal(log), hidden)
	for id, s := range hidden.Status {
		if _, known := r.Status[id]; !known && !hidden.Contradicted[id] {
			r.set(id, s)
			r.output(id, hidden.Output[id])
		}
	}
}

// starting drops what stands on a line before that with which results begin.
func starting(expr string) func(string) string {
	line := regexp.MustCompile(`(?m)^.*?(` + expr + `)`)
	return func(log string) string { return line.ReplaceAllString(log, "$1") }
}

// ending writes each test as its head, a separator and the word at a line's end that is its result: the last one
// before the next head or a ruled line.
func ending(expr, separator string, words ...string) func(string) string {
	head := regexp.MustCompile(expr)
	return func(log string) string {
		var b strings.Builder
		begun, word := "", ""
		flush := func() {
			if begun != "" && word != "" {
				b.WriteString(begun + separator + word + "\n")
			}
			begun, word = "", ""
		}
		for line := range strings.Lines(log) {
			line = strings.TrimSpace(line)
			at := head.FindStringIndex(line)
			switch {
			case at != nil && separator == " ... ":
				flush()
				begun = line[:at[0]]
			case at != nil:
				flush()
				begun = line[:at[1]]
			case strings.HasPrefix(line, "====") || strings.HasPrefix(line, "----") || strings.HasPrefix(line, "____"):
				flush()
			}
			for _, w := range words {
				if begun != "" && strings.HasSuffix(line, w) {
					word = w
				}
			}
		}
		flush()
		return b.String()
	}
}
