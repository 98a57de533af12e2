package work

import (
	"testing"

	"assay/benchmark"
)

// A failed test that calls the answer by the name of the benchmark's tests says whose name that is, unless the prompt does.
func TestCandidateNote(t *testing.T) {
	for _, row := range []struct{ entry, description, text, want string }{
		{"PageSet", "Write a class.", "str(candidate('7')) fails", "The tests call PageSet candidate.\n"},
		{"PageSet", "Write a class.", "len(candidates) fails", ""},
		{"PageSet", "Write a class candidate.", "candidate('7') fails", ""},
		{"candidate", "Write a function.", "candidate('7') fails", ""},
		{"", "Write a program.", "candidate('7') fails", ""},
	} {
		if got := candidateNote(&benchmark.Task{EntryPoint: row.entry, Description: row.description}, row.text); got != row.want {
			t.Errorf("%+v: %q", row, got)
		}
	}
}
