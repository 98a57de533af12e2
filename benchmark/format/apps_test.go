package format

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

func TestLoadAPPS(t *testing.T) {
	b, err := load("testdata/apps.jsonl")
	fatal.If(t, err)
	for i, want := range []struct {
		id, entry  string
		style      benchmark.Style
		count      int
		difficulty benchmark.Difficulty
	}{
		{"APPS/0", "", benchmark.Stdin, 2, benchmark.Medium},
		{"APPS/1", "", benchmark.Stdin, 1, benchmark.Easy},
		{"APPS/2", "swapped", benchmark.Calls, 2, benchmark.Easy},
		{"APPS/3", "largest", benchmark.Calls, 2, benchmark.Hard},
		{"APPS/4", "Solution", benchmark.Check, 0, benchmark.Medium},
		{"APPS/5", "", benchmark.NoTests, 0, benchmark.Hard},
	} {
		task := b.Tasks[i]
		if err := task.Check(); err != nil {
			t.Error(err)
		}
		if task.ID != want.id || task.EntryPoint != want.entry || task.Tests.Style != want.style || task.Tests.Count() != want.count || task.Difficulty != want.difficulty {
			t.Errorf("%+v", task)
		}
	}
	if r := b.Tasks[1].Tests.Runs[0]; r.Input != "1\n2" || r.Compare != benchmark.Tokens || b.Tasks[0].Tests.Runs[0].Compare != "" {
		t.Errorf("%+v", r)
	}
	if got := string(b.Tasks[3].Tests.Cases[0].Args[0]); got != `{"$dict":[[{"$int":"1"},5],[{"$int":"2"},7]]}` {
		t.Errorf("a mapping with numbers as keys: %s", got)
	}
	text := testdata(t, "apps.jsonl")
	for _, tt := range []struct{ old, new, want string }{
		{`"difficulty": "interview"`, `"difficulty": "easy"`, `:1: field "difficulty": "easy" is not known: write introductory`},
		{`{\"inputs\": [\"1 2\\n\", `, `{\"inputs\": [`, `:1: field "input_output": there are 1 inputs and 2 outputs: give each`},
		{`[\"3\\n\", `, `[3, `, `:1: field "input_output": without fn_name, input and output 1 must be texts or lists of lines`},
		{`\"inputs\": [[1, 2], `, `\"inputs\": [1, `, `:3: field "input_output": with fn_name, input 1 must be a list of arguments`},
		{`"input_output": "{`, `"input_output": "`, `:1: field "input_output": the field must be an object with inputs and outputs, as JSON`},
		{`"solutions": "[`, `"solutions": "`, `:1: field "solutions": the field must be a list of texts`},
		{`"id": 0, `, ``, `:1: field "id": the field must be a whole number`},
		{`"id": 1, `, `"id": 0, `, `:2: field "id": the id "APPS/0" was used on line 1`},
	} {
		changed := strings.Replace(text, tt.old, tt.new, 1)
		if changed == text {
			t.Fatalf("%s is not in the file", tt.old)
		}
		if _, err := loadText(t, changed); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}
