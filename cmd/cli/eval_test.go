package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/sandbox"
	"assay/cmd/cli/console"
	"assay/data/fatal"
)

// evalFiles writes a task and samples of every outcome.
func evalFiles(t *testing.T) (tasks, samples string) {
	t.Helper()
	dir := t.TempDir()
	tasks, samples = filepath.Join(dir, "tasks.jsonl"), filepath.Join(dir, "samples.jsonl")
	for path, text := range map[string]string{
		tasks: `{"task_id":"t/0","prompt":"def one():\n","canonical_solution":"    return 1","test":"def check(candidate):\n    assert candidate() == 1","entry_point":"one"}
{"task_id":"t/1","prompt":"def two():\n","canonical_solution":"    return 2","test":"def check(candidate):\n    assert candidate() == 2","entry_point":"two"}
`,
		samples: `{"task_id":"t/0","completion":"    return 1"}
{"task_id":"t/0","completion":"    return 2"}
{"task_id":"t/0","solution":"def one(): return 1"}
` + "{\"task_id\":\"t/0\",\"answer\":\"Sure:\\n```python\\ndef one():\\n    return 1\\n```\"}\n",
	} {
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return tasks, samples
}

func runCLI(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Run(t.Context(), args, &console.IO{In: strings.NewReader(""), Out: &o, Err: &e, Getenv: os.Getenv})
	return code, o.String(), e.String()
}

func needSandbox(t *testing.T) {
	t.Helper()
	b, err := sandbox.NewBubblewrap()
	if err != nil {
		t.Skip(err)
	}
	defer b.Close()
	if err := b.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
}

func TestEvalJSON(t *testing.T) {
	needSandbox(t)
	tasks, samples := evalFiles(t)
	out := t.TempDir()
	code, text, errs := runCLI(t, "eval", samples, "--tasks", tasks, "--k", "1,4", "--json", "--out", out)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for name, want := range map[string]any{"samples": 4.0, "tasks": 1.0, "accepted": 3.0, "pass@1": 0.75, "pass@4": 1.0, "pass_ratio@n": 0.75, "average_pass_rate": 0.75, "strict_accuracy": 0.75, "tasks_without_samples": 1.0} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	results, err := os.ReadFile(filepath.Join(out, "results.jsonl"))
	if err != nil || strings.Count(string(results), "\n") != 4 || !strings.Contains(string(results), `"extraction":"fence"`) {
		t.Errorf("%v: %s", err, results)
	}
	_, text, _ = runCLI(t, "eval", samples, "--tasks", tasks, "--out", out)
	for _, want := range []string{"accepted        3", "0.75", "1 task has no sample", "4 results were taken"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	tasks, samples := evalFiles(t)
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no file", nil, console.ExitUsage, "one file of samples"},
		{"no tasks", []string{samples}, console.ExitUsage, "--tasks"},
		{"k is no number", []string{samples, "--tasks", tasks, "--k", "x"}, console.ExitUsage, "--k"},
		{"unknown flag", []string{samples, "--nosuch"}, console.ExitUsage, "nosuch"},
		{"missing tasks", []string{samples, "--tasks", "/nonexistent"}, console.ExitError, "/nonexistent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := runCLI(t, append([]string{"eval"}, tt.args...)...)
			if code != tt.code || !strings.Contains(errs, tt.want) || out != "" {
				t.Errorf("exit %d, %q, %q; want %d and %q", code, out, errs, tt.code, tt.want)
			}
		})
	}
	t.Run("k over n", func(t *testing.T) {
		needSandbox(t)
		code, _, errs := runCLI(t, "eval", samples, "--tasks", tasks, "--k", "5")
		if code != console.ExitError || !strings.Contains(errs, "t/0 has 4") {
			t.Errorf("exit %d, %q", code, errs)
		}
	})
}
