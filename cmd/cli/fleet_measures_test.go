package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark/batch"
	"assay/benchmark/fleet"
	"assay/cmd/cli/console"
	"assay/data/fatal"
)

const measuredTasks = `{"assay_benchmark": 1, "name": "n", "tasks": [
 {"id": "n/1", "title": "One", "language": "python", "description": "d", "entry_point": "one", "prompt": "def one():\n",
  "tests": {"style": "calls", "cases": [{"args": [], "expected": 1}]}},
 {"id": "n/2", "title": "Echo", "language": "bash", "description": "d",
  "tests": {"style": "stdin", "runs": [{"input": "a\n", "output": "a\n"}]}}]}`

const measuredSamples = `{"task_id": "n/1", "completion": "    # first\n    if True:\n        return eval('1')\n"}
{"task_id": "n/1", "solution": "def one():\n    try:\n        return 2\n    except:\n        pass\n"}
{"task_id": "n/1", "solution": "def one(:\n"}
{"task_id": "n/1", "answer": "Here it is:\n` + "```python\\ndef one():\\n    return 1\\n```" + `\n"}
{"task_id": "n/2", "solution": "read line\necho \"$line\"\n"}
`

// comparable are the rows of an evaluation as JSON, without the judge and the fields that vary between
// runs.
func comparable(t *testing.T, out string) []string {
	t.Helper()
	rows, err := batch.ReadResults(out)
	fatal.If(t, err)
	var list []string
	for _, r := range rows {
		r.Worker, r.Assay, r.CPUMS, r.WallMS, r.MemoryKB = "", "", 0, 0, 0
		text, err := json.Marshal(r)
		fatal.If(t, err)
		list = append(list, string(text))
	}
	slices.Sort(list)
	return list
}

// Verdicts and measures of workers equal, byte by byte, those of one machine.
func TestResultsOfAFleetAreThoseOfOneMachine(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	dir := t.TempDir()
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0", Token: "secret"})
	fatal.If(t, err)
	defer s.Close()
	tasks, samples := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl")
	writeFile(t, tasks, measuredTasks)
	writeFile(t, samples, measuredSamples)
	eval := func(name string, more ...string) (rows []string, stdout string) {
		out := filepath.Join(dir, name)
		code, stdout, stderr := runCLI(t, append([]string{"eval", samples, "--tasks", tasks, "--out", out}, more...)...)
		if code != console.ExitOK || strings.Contains(stderr, "measures") {
			t.Fatalf("%s: code %d\n%s%s", name, code, stdout, stderr)
		}
		stdout, _, _ = strings.Cut(stdout, " samples of ") // the seconds differ
		return comparable(t, out), stdout
	}
	here, printed := eval("here")
	worker, ended, stop := inBackground("worker", "--nats", s.Address(), "--workers", "1", "--name", "alice", "--languages", "python,bash")
	defer stop()
	worker.await(t, "ready ", ended)
	there, printedThere := eval("there", "--nats", s.Address())
	stop()
	<-ended
	both, printedBoth := eval("both", "--fleet", "127.0.0.1:0", "--workers", "1")
	if len(here) != 5 || !strings.Contains(here[0], `"measures":{"parses":`) {
		t.Fatalf("the rows are %s", here)
	}
	if !slices.Equal(here, there) || !slices.Equal(here, both) {
		t.Errorf("one machine:\n%s\na worker:\n%s\nits own fleet:\n%s", strings.Join(here, "\n"), strings.Join(there, "\n"), strings.Join(both, "\n"))
	}
	if printed != printedThere || printed != printedBoth {
		t.Errorf("one machine:\n%s\na worker:\n%s\nits own fleet:\n%s", printed, printedThere, printedBoth)
	}
}
