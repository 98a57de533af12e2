package batch

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
)

// Only a completion is cut at the stop tokens of its task, and the note says so.
func TestStopTokens(t *testing.T) {
	task := &benchmark.Task{ID: "t", Language: "rust", EntryPoint: "f", Prompt: "fn f() -> i32 {\n", Extra: map[string]json.RawMessage{"stop_tokens": json.RawMessage(`["\n}"]`)}}
	const text = "fn f() -> i32 {\n    1\n}\nfn g() {}\n"
	for kind, cut := range map[format.SampleKind]bool{format.Completion: true, format.Solution: false, format.Answer: false} {
		found := CodeOf(format.Sample{Kind: kind, Text: text}, task)
		if strings.Contains(found.Code, "\n}") == cut || strings.Contains(found.Note, `"\n}"`) != cut {
			t.Errorf("%s: %+v", kind, found)
		}
	}
}
