package generate

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session/llm"
)

// Two levels with the same text are refused for a new run, except for the tasks that it names.
func TestSamePrompts(t *testing.T) {
	b := &benchmark.Benchmark{Name: "b", Tasks: []benchmark.Task{
		{ID: "whole", Title: "a", Language: "python", Description: "Add.", Constraints: []string{"n > 0"}, Examples: []benchmark.Example{{Input: "1", Output: "2"}}},
		{ID: "free", Title: "b", Language: "python", Description: "Double.", Examples: []benchmark.Example{{Input: "1", Output: "2"}}},
		{ID: "bare", Title: "c", Language: "python", Description: "Halve."}}}
	plan := func(filter string, levels ...int) Plan {
		same, err := NamedBy(filter)
		fatal.If(t, err)
		return Plan{Benchmark: b, N: 1, Same: same, Models: []llm.Model{{Name: "m", Provider: llm.ProviderRehearsal}}, Prompts: func(task *benchmark.Task) (list []Prompt) {
			for _, level := range levels {
				list = append(list, Prompt{Name: "level-" + string(rune('0'+level)), Text: task.PromptText(level)})
			}
			return list
		}}
	}
	for _, tt := range []struct {
		plan Plan
		want string // "": it is accepted
	}{
		{plan("", 3), ""},
		{plan("", 1, 2, 3), "level-1 and level-2 have the same text for 2 of 3 tasks (free, bare)"},
		{plan("no:constraints", 1, 2, 3), ""},
		{plan("id:free", 1, 2, 3), "level-1 and level-2 have the same text for 1 of 3 tasks (bare)"},
		{plan("", 1, 3), "level-1 and level-3 have the same text for 1 of 3 tasks (bare)"},
		{plan("id:bare", 1, 3), ""},
	} {
		for _, dir := range []string{"", t.TempDir()} {
			run, err := Open(Options{Plan: tt.plan, Dir: dir, Dry: dir == ""})
			if err == nil {
				fatal.If(t, run.Close())
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("in %q: %v, want %q", dir, err, tt.want)
			}
		}
	}
	if notes := strings.Join(Warnings(plan("no:constraints", 1, 2), []int{1}), "\n"); !strings.Contains(notes, "the same text for 2 of 3 tasks") {
		t.Errorf("notes %q", notes)
	}
}
