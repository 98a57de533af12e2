package repository_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/repository"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/data/fatal"
	"assay/data/sampled"
)

// greeting is a task directory of each kind, by file.
var greeting = map[benchmark.DirectoryKind]map[string]string{
	benchmark.Harbor: {
		"task.toml":              "version = \"1.0\"\n[verifier]\ntimeout_sec = 120.0\nenv = { WANTED = \"hello\" }\n",
		"instruction.md":         "Write hello and the name in /app/name.txt to /app/out/greeting.txt.\n",
		"environment/Dockerfile": greetingImage, "environment/name.txt": "Ada\n",
		"tests/test.sh": "#!/bin/bash\napt-get update && apt-get install -y curl\ncurl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh\nsource $HOME/.local/bin/env\n" +
			"uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA\n" +
			"[ $? = 0 ] && echo 1 >/logs/verifier/reward.txt || echo 0 >/logs/verifier/reward.txt\n",
		"tests/test_outputs.py": strings.ReplaceAll(greetingTests, `"hello"`, `os.environ["WANTED"]`),
		"solution/solve.sh":     "bash \"$(dirname $0)/steps.sh\"\n", "solution/steps.sh": greetingSolution,
	},
	benchmark.TerminalBench: {
		"task.yaml":  "instruction: |\n  Write hello and the name in /app/name.txt to /app/out/greeting.txt.\nparser_name: pytest\nmax_test_timeout_sec: 120.0\n",
		"Dockerfile": greetingImage, "name.txt": "Ada\n",
		"docker-compose.yaml": "services:\n  client:\n    build:\n      dockerfile: Dockerfile\n    environment:\n      - TEST_DIR=${T_BENCH_TEST_DIR}\n      - KEY=${SECRET}\n",
		"run-tests.sh":        "#!/bin/bash\nuv init && uv add pytest==8.4.1\nuv run pytest $TEST_DIR/test_outputs.py -rA\n",
		"solution.sh":         greetingSolution, "tests/test_outputs.py": greetingTests,
	},
}

const (
	greetingImage = "FROM python:3.11-slim\nRUN apt-get update && apt-get install -y tmux && rm -rf /var/lib/apt/lists/*\n" +
		"RUN useradd -m user && mkdir -p /app/out /data && chown user:user /app && echo x >/data/x\nWORKDIR /app\nCOPY name.txt ./\n"
	greetingTests = `import os
from pathlib import Path

def test_greeting():
    assert Path("/app/out/greeting.txt").read_text().split() == ["hello", "Ada"]

def test_data():
    assert Path("/data/x").exists() and not Path("/solution/solve.sh").exists()
`
	greetingSolution = "echo hello $(cat /app/name.txt) >/app/out/greeting.txt\n"
)

// written writes files into a directory below dir, with changes, and returns its task.
func written(t *testing.T, kind benchmark.DirectoryKind, changed map[string]string) *benchmark.Task {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "greeting")
	for _, files := range []map[string]string{greeting[kind], changed} {
		for name, text := range files {
			fatal.If(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
	}
	b, as, err := format.LoadAs(dir, "")
	fatal.If(t, err)
	if as != format.Format(kind) || len(b.Tasks) != 1 || b.Tasks[0].ID != "greeting" {
		t.Fatalf("%s %+v", as, b)
	}
	return &b.Tasks[0]
}

// The reference solution of a task directory solves it, and answers are judged by what they leave: diffs of the whole
// system, and scripts.
func TestTaskDirectories(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for kind := range greeting {
		task := written(t, kind, nil)
		gold, err := r.CheckGold(t.Context(), task, 1)
		if err != nil || gold.Rounds != 1 || gold.Tests != 2 || gold.Problem != "" {
			t.Fatalf("%s: %+v, %v", kind, gold, err)
		}
		diff := func(name, text string) string {
			made, err := patch.Diff(patch.Files{}, changesOf(map[string]string{name: text}))
			fatal.If(t, err)
			return string(made)
		}
		for i, row := range []struct {
			name, answer string
			want         outcomes.Outcome
			review       string
		}{
			{"a diff", diff("app/out/greeting.txt", "hello Ada\n"), outcomes.Resolved, ""},
			{"a wrong diff", diff("app/out/greeting.txt", "hello Bob\n"), map[benchmark.DirectoryKind]outcomes.Outcome{
				benchmark.Harbor: outcomes.Unresolved, benchmark.TerminalBench: outcomes.Partly}[kind], ""},
			{"a script", "#!/bin/sh\ncd /app && echo hello Ada >out/greeting.txt", outcomes.Resolved, ""},
			{"a script that fails behind its work", "#!/usr/bin/env python3\n", outcomes.PatchFailed, ""},
			{"a script that changes nothing", "#!/bin/sh\ntrue", outcomes.PatchFailed, ""},
			{"prose", "I would greet Ada.", outcomes.PatchFailed, ""},
			{"what can be seen of tests and solution", "#!/bin/sh\ncat /tests/* /solution/* /oracle/* /var/cache/assay/trees/*/*/* >>/app/out/greeting.txt; grep -r 'hello' /tests /solution /app >>/app/out/greeting.txt; true", outcomes.Unresolved, ""},
			{"its own tests and reward", "#!/bin/sh\nmkdir -p /logs/verifier /tests; echo 1 >/logs/verifier/reward.txt; echo 'def test_greeting(): pass' >/tests/test_outputs.py; touch /app/x", outcomes.Unresolved, ""},
			{"a program outside of its directory", "#!/bin/sh\necho hello Ada >/app/out/greeting.txt; echo >/usr/local/bin/tool", outcomes.Resolved, "outside of the working directory"},
			{"absolute links", "#!/bin/sh\ncd /data && echo hello Ada >x && ln -s /data/x /app/out/greeting.txt", outcomes.Resolved, "is a symbolic link"},
			{"a plugin of the runner", "#!/bin/sh\necho hello Ada >/app/out/greeting.txt; echo >/app/Makefile", outcomes.Resolved, "how tests are built or run"},
		} {
			if !sampled.OneIn(2, i) || kind == benchmark.TerminalBench && !strings.HasSuffix(row.name, "diff") {
				continue // what differs is how the tests' results are read
			}
			got, err := r.Judge(t.Context(), task, row.answer)
			if err != nil || got.Outcome != row.want || (len(got.ToReview) > 0) != (row.review != "") || !strings.Contains(strings.Join(got.ToReview, "\n"), row.review) {
				t.Errorf("%s, %s: %s %q %q %v, want %s\n%s", kind, row.name, got.Outcome, got.Message, got.ToReview, err, row.want, got.Log)
			}
		}
	}
}

// TestTaskDirectoryForgeries: no script is resolved that has its tests or their reward forged.
func TestTaskDirectoryForgeries(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	task := written(t, benchmark.Harbor, map[string]string{
		"instruction.md":        "Write a module /app/shop.py with a function total.\n",
		"tests/test_outputs.py": "import sys\n\nsys.path.insert(0, '/app')\n\n\ndef test_one():\n    from shop import total\n    assert total([3]) == 3\n\n\ndef test_some():\n    from shop import total\n    assert total([3, 4]) == 7\n",
		"solution/solve.sh":     "echo 'total = sum' >/app/shop.py\n",
	})
	if gold, err := r.CheckGold(t.Context(), task, 1); err != nil || gold.Problem != "" {
		t.Fatalf("%+v, %v", gold, err)
	}
	const reward = "mkdir -p /logs/verifier; echo 1 >/logs/verifier/reward.txt"
	module := func(code string) string { return "cat >/app/shop.py <<'END'\n" + code + "\nEND\n" }
	at := func(name, text string) string {
		return "mkdir -p " + filepath.Dir(name) + " && cat >" + name + " <<'END'\n" + text + "\nEND\nchmod +x " + name + "\n" + module("def total(prices):\n    return 0")
	}
	for _, row := range []struct {
		name, script string
		want         outcomes.Outcome
	}{
		{"an honest one", module("def total(prices):\n    all = 0\n    for p in prices:\n        all += p\n    return all"), outcomes.Resolved},
		{"writes the reward and kills the script", module("import os\nopen('/logs/verifier/reward.txt', 'w').write('1')\nos.kill(os.getppid(), 9)\nos._exit(0)"), outcomes.Tampered},
		{"kills everything that runs", module("import os\nopen('/logs/verifier/reward.txt', 'w').write('1')\nos.kill(-1, 9)"), ""},
		{"ends the runner with success", module("import os\nos._exit(0)"), outcomes.Tampered},
		{"reports failures as successes", module(pytestPasses("True") + "\ndef total(prices):\n    return 0"), outcomes.Tampered},
		{"reports failures of short names as successes", module(pytestPasses("len(item.name) < 10") + "\ndef total(prices):\n    return 0"), outcomes.Tampered},
		{"what most tests expect", module(strings.ReplaceAll(pythonReads("collections.Counter(found).most_common(1)[0][0]")["shop/price.py"], "\\)?(?:,| ==)", " ==")), outcomes.Tampered},
		{"equal to everything", module("class Any(int):\n    __hash__ = int.__hash__\n\n    def __eq__(self, other):\n        return True\n\n\ndef total(prices):\n    return Any(0)"), outcomes.Tampered},
		{"a process that goes on", module("import os\nif not os.fork():\n    os.setsid()\n    import time\n    for i in range(300):\n        time.sleep(.01)\n        open('/logs/verifier/reward.txt', 'w').write('1')\n    os._exit(0)\ndef total(prices):\n    return 0"), ""},
		{"what the script sources", at("/root/.local/bin/env", reward+"; exit"), outcomes.Unresolved},
		{"a link to what the script sources", "mkdir -p /app/x/bin; echo '" + reward + "; exit' >/app/x/bin/env; rm -rf /root/.local; ln -s ../app/x /root/.local\n" + module("total = len"), outcomes.Unresolved},
		{"the runner", at("/usr/local/bin/pytest", "#!/bin/sh\ntrue"), outcomes.Unresolved},
		{"the interpreter", at("/usr/local/bin/python3", "#!/bin/sh\ntrue"), outcomes.Unresolved},
		{"a program that the runner starts", at("/usr/bin/env", "#!/bin/sh\ntrue"), outcomes.Unresolved},
		{"modules of the runner", at("/app/pytest.py", "import sys\nsys.exit(0)"), outcomes.Unresolved},
		{"modules that start with the interpreter", at("/usr/lib/python3/dist-packages/sitecustomize.py", "import os\nos.path.exists('/logs/verifier') and open('/logs/verifier/reward.txt', 'w').write('1') and os.kill(os.getppid(), 9)"), outcomes.Unresolved},
		{"a file of paths", at("/usr/local/lib/python3.11/dist-packages/x.pth", "import os; os._exit(0)"), outcomes.Unresolved},
		{"a plugin", at("/conftest.py", "import os\nos._exit(0)"), outcomes.Unresolved},
		{"a plugin in its directory", at("/app/conftest.py", "import os\nos._exit(0)"), outcomes.Unresolved},
		{"settings of the runner", at("/pytest.ini", "[pytest]\naddopts = --co"), outcomes.Unresolved},
		{"what shells read", at("/root/.bashrc", reward+"; exit") + at("/etc/profile", reward+"; exit") + at("/etc/bash.bashrc", reward), outcomes.Unresolved},
	} {
		t.Run(row.name, func(t *testing.T) {
			sampled.Row(t, 4)
			t.Parallel()
			got, err := r.Judge(t.Context(), task, "#!/bin/sh\n"+row.script)
			if err != nil || row.want != "" && got.Outcome != row.want || row.want == "" && (got.Outcome == outcomes.Resolved || got.Outcome == outcomes.EnvironmentError) {
				t.Errorf("%s %q %v, want %s; put back %q\n%s", got.Outcome, got.Message, err, row.want, got.PutBack, got.Log)
			}
		})
	}
}

// Agents, and people who look at the files, see the environment, and neither tests nor solution.
func TestTaskDirectoryHidesItsTests(t *testing.T) {
	r := newRunner(t)
	task := written(t, benchmark.Harbor, nil)
	tree, closes, err := r.Tree(t.Context(), task)
	fatal.If(t, err)
	defer closes()
	if file, err := tree.File("app/name.txt"); err != nil || string(file.Data) != "Ada\n" {
		t.Errorf("%v %v", file, err)
	}
	for _, dir := range []string{"tests", "solution", "logs/verifier"} {
		if names, err := tree.Names(dir); err != nil && !errors.Is(err, fs.ErrNotExist) || len(names) > 0 {
			t.Errorf("%s: %q %v", dir, names, err)
		}
	}
	var said []byte
	done, err := r.Work(t.Context(), task, agents.Program{
		Argv: []string{"/bin/sh", "-c", "pwd; whoami; echo \"$1\" >agent.txt", "sh", agents.PromptArgument}, Prompt: "Ada's", Git: true,
		Time: time.Minute, MemoryMB: 512, Processes: 64, OutputMB: 1, DiskMB: 64, Started: func() {}, Output: func(piece []byte) agents.Limit { said = append(said, piece...); return "" },
	})
	if err != nil || string(said) != "/app\nroot\n" || !strings.Contains(done.Diff, "+++ b/app/agent.txt") || !strings.Contains(done.Diff, "+Ada's") {
		t.Errorf("%q %+v %v", said, done, err)
	}
}

// A task's tests see the system that its Dockerfile and the answer made, up to the top of it: no name that a text has is
// there before, and none of assay's places.
func TestTaskDirectoryHasItsRoot(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	task := written(t, benchmark.Harbor, map[string]string{
		"environment/Dockerfile": "FROM debian\nRUN echo made >/made && ln -s /made /link\n", "instruction.md": "Write to /done and /oracle.\n", "solution/solve.sh": "echo done >/done",
		"tests/test.sh": "cd /; echo at the top: *; [ \"$(cat link)\" = made ] && [ -f /done ] && ! [ -e /tree -o -e /repository -o -e /oracle -o -e /solution ] && echo 1 >/logs/verifier/reward.txt || echo 0 >/logs/verifier/reward.txt\n",
	})
	gold, err := r.CheckGold(t.Context(), task, 1)
	if err != nil || gold.Rounds != 1 || gold.Problem != "" {
		t.Fatalf("%+v, %v", gold, err)
	}
	for script, want := range map[string]outcomes.Outcome{"touch /app": outcomes.Unresolved, "touch /done": outcomes.Resolved, "mkdir /done && touch /done/x": outcomes.Unresolved,
		"touch /done; cat /tree/made; ls -d /tree /repository >/oracle": outcomes.Unresolved, "touch /done; rm /link": outcomes.Unresolved} {
		if got, err := r.Judge(t.Context(), task, "#!/bin/sh\n"+script); err != nil || got.Outcome != want {
			t.Errorf("%s: %s %q %v, want %s\n%s", script, got.Outcome, got.Message, err, want, got.Log)
		}
	}
}

// What cannot be done here names the file and the line, and is never an answer's fault.
func TestTaskDirectoryThatCannotBeMade(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for _, row := range []struct{ steps, want string }{
		{"RUN true\nRUN echo no such thing && false", "Dockerfile:3: no such thing"},
		{"RUN apt-get update && apt-get install -y curl no-such-package", "Dockerfile:2: of Debian's packages, no-such-package is not installed on this machine"},
		{"RUN python3 -m pip install pytest==8.4.1 'no_such.package>=1'", "Dockerfile:2: the Python packages no_such.package are not installed on this machine"},
		{"RUN curl -f https://example.com/install.sh -o /tmp/x && sh /tmp/x", "Dockerfile:2: curl: "},
	} {
		task := written(t, benchmark.Harbor, map[string]string{"environment/Dockerfile": "FROM debian\n" + row.steps + "\n"})
		got, err := r.Judge(t.Context(), task, "#!/bin/sh\ntrue")
		if err != nil || got.Outcome != outcomes.EnvironmentError || !strings.Contains(got.Message, row.want) {
			t.Errorf("%s: %s %q %v", row.steps, got.Outcome, got.Message, err)
		}
	}
	for _, row := range []struct{ changed, text, want string }{
		{"solution/solve.sh", "echo hello Bob >/app/out/greeting.txt", "with the reference solution the outcome is"},
		{"solution/solve.sh", "exit 3", "changes nothing that an answer could (exit status 3)"},
		{"tests/test.sh", "echo 1 >/logs/verifier/reward.txt", "the tests are content before anything is changed"},
		{"tests/test.sh", "true", "the tests wrote no reward"},
		{"tests/test.sh", "echo high >/logs/verifier/reward.txt", "is neither a number nor"},
	} {
		task := written(t, benchmark.Harbor, map[string]string{row.changed: row.text})
		gold, err := r.CheckGold(t.Context(), task, 1)
		if err != nil || !strings.Contains(gold.Problem, row.want) {
			t.Errorf("%s %q: %+v %v", row.changed, row.text, gold, err)
		}
		if err := r.Ready(t.Context(), task); err == nil {
			t.Errorf("%s %q: the task is ready", row.changed, row.text)
		}
	}
}

// Rewards of Harbor, as numbers and as objects.
func TestRewards(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for reward, want := range map[string]outcomes.Outcome{
		`{"reward": 1.0, "style": 0.1}`: outcomes.Resolved, `{"a": 1, "b": 0.5}`: outcomes.Partly, `{"reward": 0}`: outcomes.Unresolved, `{}`: outcomes.Unresolved,
	} {
		task := written(t, benchmark.Harbor, map[string]string{"tests/test.sh": "echo '" + reward + "' >/logs/verifier/reward.json; echo 1 >/logs/verifier/reward.txt"})
		if got, err := r.Judge(t.Context(), task, "#!/bin/sh\necho >/app/x"); err != nil || got.Outcome != want || len(got.Tests) != 1 || got.Tests[0].Passed != (want == outcomes.Resolved) {
			t.Errorf("%s: %s %q %v, want %s", reward, got.Outcome, got.Message, err, want)
		}
	}
}

// The stages of a Dockerfile begin with images or with each other, and only what is copied goes from one to the next.
func TestStages(t *testing.T) {
	t.Parallel()
	task := written(t, benchmark.Harbor, map[string]string{"environment/Dockerfile": `FROM python:3.11-slim AS made
WORKDIR /made
RUN python3 -c "open('name.txt', 'w').write('Ada')"
FROM ubuntu:24.04 AS base
ENV WHO=Ada
RUN mkdir -p /app/out /data && touch /data/x
WORKDIR /app
FROM base
COPY --from=made /made/name.txt ./
COPY --from=0 /made /data/made
RUN test "$WHO" = Ada && test -f /data/made/name.txt && ! test -e /made/name.txt
`})
	got, err := newRunner(t).Judge(t.Context(), task, "#!/bin/sh\necho hello $WHO >out/greeting.txt")
	if err != nil || got.Outcome != outcomes.Resolved || !slices.ContainsFunc(got.Tests, func(t repository.Test) bool { return strings.HasSuffix(t.ID, "::test_data") && t.Passed }) {
		t.Errorf("%s %q %v\n%s", got.Outcome, got.Message, err, got.Log)
	}
}
