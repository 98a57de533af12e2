package llm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/data/fatal"
)

func replayOf(t *testing.T, name, text string) Client {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	client, err := Model{Name: "r", Provider: ProviderReplay, Answers: path}.Client(Deps{Getenv: func(string) string { return "" }})
	fatal.If(t, err)
	return client
}

func TestReplay(t *testing.T) {
	const own = `{"task":"a","answer":"a1"}
{"task":"b","sample":1,"answer":"b2"}

{"task":"a","answer":"a2"}
{"task":"b","sample":0,"answer":"b1"}
{"task":"c","attempt":3,"answer":"c3"}
{"task":"d","attempt":1,"answer":""}
{"task":"a","prompt":"level-2","answer":"a1 of level 2"}`
	const samples = `{"task_id":"a","completion":"    return 1\n"}
{"task_id":"b","completion":"    return 2\n"}
{"task_id":"a","completion":"    return 3\n"}
`
	const solutions = `{"task_id":"a","solution":"def f():\n    return 1\n"}` + "\n"
	const answers = `{"task_id":"a","answer":"Sure:\n` + "```python\\npass\\n```" + `"}` + "\n"
	rows := []struct {
		name, file string
		req        Request
		want       string // of the answer or, after "!", within the error
	}{
		{"the first", own, Request{Task: "a", Attempt: 1}, "a1"},
		{"the second attempt", own, Request{Task: "a", Attempt: 2}, "a2"},
		{"the second sample", own, Request{Task: "a", Attempt: 1, Sample: 1}, "a2"},
		{"samples count from 0", own, Request{Task: "b"}, "b1"},
		{"by its number, not its place", own, Request{Task: "b", Sample: 1}, "b2"},
		{"a gap", own, Request{Task: "c", Attempt: 1}, `!no answer number 1 to the task "c" (it has one)`},
		{"after the gap", own, Request{Task: "c", Attempt: 3}, "c3"},
		{"after the last", own, Request{Task: "a", Attempt: 3}, `!no answer number 3 to the task "a" (it has 2)`},
		{"no such task", own, Request{Task: "z", Attempt: 1}, `!to the task "z" (it has 0)`},
		{"an empty answer is one", own, Request{Task: "d", Attempt: 1}, ""},
		{"a wording with answers of its own", own, Request{Task: "a", Prompt: "level-2"}, "a1 of level 2"},
		{"a wording without", own, Request{Task: "a", Prompt: "level-1", Sample: 1}, "a2"},
		{"after the last of a wording", own, Request{Task: "a", Prompt: "level-2", Sample: 1}, `!to the task "a" in the wording "level-2" (it has one)`},
		{"a file of samples", samples, Request{Task: "a", Attempt: 2}, "```\n    return 3\n```\n"},
		{"solutions", solutions, Request{Task: "a"}, "```\ndef f():\n    return 1\n```\n"},
		{"raw answers", answers, Request{Task: "a"}, "Sure:\n```python\npass\n```"},
		{"a task twice", `{"task":"a","attempt":1,"answer":"x"}` + "\n" + `{"task":"a","attempt":1,"answer":"y"}`, Request{Task: "a"}, `!:2: task "a" has an answer number 1 already`},
		{"no answer", `{"task":"a"}`, Request{Task: "a"}, `!:1: field "answer"`},
		{"no task", `{"task":"","answer":"x"}`, Request{Task: "a"}, `!:1: field "task"`},
		{"attempt 0", `{"task":"a","attempt":0,"answer":"x"}`, Request{Task: "a"}, `!counted from 1`},
		{"sample -1", `{"task":"a","sample":-1,"answer":"x"}`, Request{Task: "a"}, `!counted from 0`},
		{"both", `{"task":"a","sample":0,"attempt":1,"answer":"x"}`, Request{Task: "a"}, `!keep one`},
		{"an unknown field", `{"task":"a","answer":"x"}` + "\n" + `{"task":"a","anwser":"x"}`, Request{Task: "a"}, `!:2: the line is no recorded answer`},
		{"cut", `{"task":"a","answer":"x"}` + "\n" + `{"task":"a","ans`, Request{Task: "a"}, `!:2: the line is no recorded answer`},
		{"two on a line", `{"task":"a","answer":"x"}{"task":"a","answer":"x"}`, Request{Task: "a"}, `!`},
		{"empty", "", Request{Task: "a"}, "!is empty"},
		{"no JSON", "hello", Request{Task: "a"}, "!:1"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var deltas strings.Builder
			answer, err := replayOf(t, "answers.jsonl", row.file).Stream(t.Context(), row.req, func(s string) { deltas.WriteString(s) })
			if problem, bad := strings.CutPrefix(row.want, "!"); bad {
				var failed *Error
				if !errors.As(err, &failed) || failed.Class != NoAnswer || !strings.Contains(failed.Message, problem) || !strings.Contains(failed.Message, "answers.jsonl") && !strings.Contains(failed.Message, row.req.Task) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || answer.Text != row.want || deltas.String() != row.want || answer.FinishReason != "stop" {
				t.Errorf("got %+v, %v", answer, err)
			}
		})
	}
}

func TestReplayOfNoFile(t *testing.T) {
	m := Model{Name: "r", Provider: ProviderReplay, Answers: "/no/such/file.jsonl"}
	if ok, why := m.Ready(Deps{}); ok || !strings.Contains(why, "/no/such/file.jsonl") {
		t.Errorf("got %v, %s", ok, why)
	}
	client, err := m.Client(Deps{})
	fatal.If(t, err)
	if _, err := client.Stream(t.Context(), Request{Task: "a"}, nil); err == nil || !strings.Contains(err.Error(), "/no/such/file.jsonl") {
		t.Errorf("got %v", err)
	}
}

// The path of the file is relative to the models file, and its content is part of the model's definition.
func TestReplayIsItsFile(t *testing.T) {
	dir := t.TempDir()
	models, answers := filepath.Join(dir, "models.toml"), filepath.Join(dir, "answers.jsonl")
	write := func(path, text string) {
		t.Helper()
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(models, "[[model]]\nname = \"r\"\nprovider = \"replay\"\nanswers = \"answers.jsonl\"\n")
	write(answers, `{"task":"a","answer":"x"}`)
	loaded, err := LoadModels(models)
	fatal.If(t, err)
	m, _ := loaded.Get("r")
	if m.Answers != answers {
		t.Errorf("the file is %s", m.Answers)
	}
	before := m.Definition()
	write(answers, `{"task":"a","answer":"y"}`)
	if m.Definition() == before {
		t.Error("other answers have the same definition")
	}
}

// A replayed completion continues the task's prompt, as it did when it was recorded: the program consists
// of both.
func TestReplayedCompletionsAreCode(t *testing.T) {
	task := &benchmark.Task{ID: "a", Language: "python", EntryPoint: "f"}
	const completion = "    total = 0\n    for x in xs:\n        total += x\n    return total\n"
	client := replayOf(t, "samples.jsonl", fmt.Sprintf(`{"task_id":"a","completion":%q}`, completion))
	answer, err := client.Stream(t.Context(), Request{Task: "a"}, nil)
	if got := extract.Code(answer.Text, task); err != nil || got.Code != completion {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzReplayLines(f *testing.F) {
	f.Add([]byte(`{"task":"a","attempt":1,"answer":"x"}`))
	f.Add([]byte(`{"task":"a","sample":0,"answer":"x"} {}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		answers := recording{}
		if problem := answers.addLine(line); (problem == "") != (len(answers) == 1) {
			t.Fatalf("%q: %q with %d tasks", line, problem, len(answers))
		}
	})
}
