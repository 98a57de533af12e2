package plain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/markdowntest"
	"assay/tui/frame"
)

// Nothing of an answer is lost where it is read aloud, and nothing of a task.
func TestNothingIsLost(t *testing.T) {
	markdowntest.Check(t, 300, func(t *rapid.T, source string) {
		if err := markdowntest.Kept(frame.Clean(source), frame.Plain(spoken(source))); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		(&talk{out: &out}).statement(&benchmark.Task{
			Title: "Title", Description: source, Constraints: []string{source}, Examples: []benchmark.Example{{Input: source, Output: source, Explanation: source}},
		})
		if err := markdowntest.Kept(frame.Clean(strings.Repeat(source+"\n", 5)), out.String()); err != nil {
			t.Fatal(err)
		}
	})
}

// Backticks in a line of prose open no code.
func TestBackticksInProse(t *testing.T) {
	const prose = "```a``` is code\n\nand this is not"
	if got := spoken(prose); got != prose {
		t.Errorf("%q is read as %q", prose, got)
	}
}
