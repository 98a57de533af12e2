package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// A program that ends a script before its tests is not accepted, and eval warns that such verdicts can be
// forged by the program.
func TestEvalOfAScript(t *testing.T) {
	needSandbox(t)
	dir := t.TempDir()
	tasks, samples := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl")
	for path, text := range map[string]string{
		tasks:   `{"assay_benchmark":1,"name":"b","tasks":[{"id":"t/0","title":"One","description":"d","language":"bash","tests":{"style":"script","script":"f; [ $REPLY = 1 ]"}}]}`,
		samples: `{"task_id":"t/0","solution":"f() { REPLY=1; }"}` + "\n" + `{"task_id":"t/0","solution":"exit 0"}` + "\n" + `{"task_id":"t/0","solution":"f() { REPLY=2; }"}` + "\n",
	} {
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	code, out, errs := runCLI(t, "eval", samples, "--tasks", tasks)
	for _, want := range []string{"accepted        1", "wrong_answer        1", "runtime_error        1", "3 of 3 verdicts could be forged (in_process).\n"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d: %q is missing in:\n%s%s", code, want, out, errs)
		}
	}
}
