package judge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// outputStyles are the ways in which a program runs that may leave files. Each makes
// a task, and the code that does something and passes its tests.
var outputStyles = []struct {
	name string
	task func(t *testing.T) *benchmark.Task
	code func(does string) string
}{
	{"calls", func(t *testing.T) *benchmark.Task { return callsTask(t, "f", `{"args":[],"expected":1}`) }, inFunction},
	{"check", func(t *testing.T) *benchmark.Task { return checkTask("", "f", returnsOne) }, inFunction},
	{"in process", func(t *testing.T) *benchmark.Task {
		task := checkTask("", "f", returnsOne)
		task.Tests.InProcess = true
		return task
	}, inFunction},
	{"stdin", func(t *testing.T) *benchmark.Task {
		return &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Output: "1"}}}}
	}, func(does string) string { return "import os\n" + does + "\nprint(1)" }},
	{"script", func(t *testing.T) *benchmark.Task {
		return &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Script, Script: "assert one == 1"}}
	}, func(does string) string { return "import os\n" + does + "\none = 1\n" }},
}

func inFunction(does string) string {
	return "import os\ndef f():\n    " + strings.ReplaceAll(does, "\n", "\n    ") + "\n    return 1\n"
}

// 42: a link, a FIFO, a directory or a giant in place of a file that is copied out
// is refused, in whatever way the program runs; the verdict does not depend on it.
func TestRefusedOutputs(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "planted")
	if err := os.WriteFile(secret, []byte("the planted secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, warm := range []bool{true, false} {
		j := judgeIn(t, warm)
		for _, style := range outputStyles {
			for _, tt := range []struct{ name, does, problem string }{
				{"42 nothing", "pass", verdicts.NothingLeft},
				{"42 symlink", "os.symlink('/etc/passwd', 'plot.png')", "symbolic link"},
				{"42 symlink to a secret", fmt.Sprintf("os.symlink(%q, 'plot.png')", secret), "symbolic link"},
				{"42 symlink by way of a process", "os.symlink('/proc/self/root/etc/passwd', 'plot.png')", "symbolic link"},
				{"42 hard link", "open('x', 'w').close()\nos.link('x', 'plot.png')", "2 names"},
				{"42 FIFO", "os.mkfifo('plot.png')", "FIFO"},
				{"42 directory", "os.mkdir('plot.png')", "directory"},
				{"42 sparse giant", "os.truncate(os.open('plot.png', os.O_CREAT | os.O_WRONLY), 30 << 20)", "31457280 bytes"},
				{"42 unreadable", "os.close(os.open('plot.png', os.O_CREAT | os.O_WRONLY, 0))", ""},
			} {
				t.Run(fmt.Sprintf("warm %t/%s/%s", warm, style.name, tt.name), func(t *testing.T) {
					sampled.Row(t, 6)
					task := style.task(t)
					task.Outputs = []string{"plot.png"}
					r := judgeCode(t, j, task, style.code(tt.does))
					if r.Verdict != verdicts.Accepted || len(r.Outputs) != 1 {
						t.Fatalf("%s %q, %d outputs", r.Verdict, r.Message, len(r.Outputs))
					}
					o := r.Outputs[0]
					if tt.problem == "" && os.Geteuid() == 0 {
						return // root may read it, and it is only an empty file
					}
					if !strings.Contains(o.Problem, tt.problem) || o.Problem == "" || o.Data != nil || o.SHA256 != "" || o.Size != 0 {
						t.Errorf("%+v, want %q", o, tt.problem)
					}
					if text, _ := json.Marshal(r); bytes.Contains(text, []byte("planted secret")) || bytes.Contains(text, []byte("cGxhbnRlZCBzZWNyZXQ")) {
						t.Error("the secret was read")
					}
				})
			}
		}
	}
}

// Whatever the end of the program, the file is copied as it then was.
func TestOutputs(t *testing.T) {
	t.Parallel()
	for _, warm := range []bool{true, false} {
		j := judgeIn(t, warm)
		for _, style := range outputStyles {
			for _, tt := range []struct {
				name, does string
				verdicts   []verdicts.Verdict
			}{
				{"accepted", "open('plot.png', 'w').write('hello')", ok},
				{"10,000 other files", "open('plot.png', 'w').write('hello')\nfor i in range(10000): open('f%d' % i, 'w').close()", never},
				{"names with escapes", "open('\\x1b[2J.png', 'w').close()\nopen('plot.png', 'w').write('hello')", ok},
				{"exit", "open('plot.png', 'w').write('hello')\nos._exit(3)", never},
				{"endless", "open('plot.png', 'w').write('hello')\nwhile True: pass", []verdicts.Verdict{verdicts.TimeLimit}},
				{"an orphan writes on", "open('plot.png', 'w').write('hello')\nif os.fork() == 0:\n    os.setsid()\n    while True: open('other', 'w').write('x')", ok},
			} {
				t.Run(fmt.Sprintf("warm %t/%s/%s", warm, style.name, tt.name), func(t *testing.T) {
					sampled.Row(t, 6)
					task := style.task(t)
					task.Outputs = []string{"plot.png", "none.csv"}
					task.Limits = benchmark.Limits{CPUSeconds: 0.3, CPUTotal: 0.6, WallSeconds: 5}
					r := judgeCode(t, j, task, style.code(tt.does))
					contained := false
					for _, v := range tt.verdicts {
						contained = contained || r.Verdict == v
					}
					if !contained || len(r.Outputs) != 2 {
						t.Fatalf("%s %q, %d outputs", r.Verdict, r.Message, len(r.Outputs))
					}
					sum := sha256.Sum256([]byte("hello"))
					if o := r.Outputs[0]; o.Problem != "" || string(o.Data) != "hello" || o.Size != 5 || o.Kind != "text" || o.SHA256 != hex.EncodeToString(sum[:]) {
						t.Errorf("%+v", o)
					}
					if o := r.Outputs[1]; o.Name != "none.csv" || o.Problem != verdicts.NothingLeft {
						t.Errorf("%+v", o)
					}
				})
			}
		}
	}
}

// JavaScript and R run in strict boxes of their own.
func TestOutputsOfOtherLanguages(t *testing.T) {
	j := newJudge(t)
	for language, code := range map[string]string{
		"javascript": "function f() { require('fs').writeFileSync('a.txt', 'hello'); return 1 }",
		"r":          "f <- function() { cat('hello', file = 'a.txt'); 1 }",
	} {
		t.Run(language, func(t *testing.T) {
			task := callsTask(t, "f", `{"args":[],"expected":1}`)
			task.Language, task.Outputs = language, []string{"a.txt"}
			if err := j.Ready(task); err != nil {
				t.Skip(err)
			}
			if r := judgeCode(t, j, task, code); r.Verdict != verdicts.Accepted || string(r.Outputs[0].Data) != "hello" {
				t.Errorf("%s %q %+v", r.Verdict, r.Message, r.Outputs)
			}
		})
	}
}

// Of several runs, the first that leaves something under the name is shown.
func TestOutputsOfSeveralRuns(t *testing.T) {
	j := newJudge(t)
	task := &benchmark.Task{ID: "t/1", Language: "python", Outputs: []string{"a", "b"}, Tests: benchmark.Tests{Style: benchmark.Stdin,
		Runs: []benchmark.Run{{Input: "1"}, {Input: "2"}, {Input: "3"}}}}
	r := judgeCode(t, j, task, "n = int(input())\nif n > 1: open('a', 'w').write(str(n))")
	if string(r.Outputs[0].Data) != "2" || r.Outputs[1].Problem == "" {
		t.Errorf("%+v", r.Outputs)
	}
	if r := judgeCode(t, j, task, "def"); r.Verdict != verdicts.CompileError || r.Outputs[0].Problem != verdicts.NothingLeft {
		t.Errorf("%s %+v", r.Verdict, r.Outputs)
	}
	task.Outputs = nil
	if r := judgeCode(t, j, task, "open('a', 'w').write('x')"); r.Outputs != nil {
		t.Errorf("nothing was declared: %+v", r.Outputs)
	}
}

// To declare files changes nothing of how a program is judged.
func TestVerdictsWithAndWithoutOutputs(t *testing.T) {
	t.Parallel()
	for _, warm := range []bool{true, false} {
		j := judgeIn(t, warm)
		for _, style := range outputStyles {
			if !warm && style.name != outputStyles[0].name && !sampled.All {
				continue
			}
			for _, does := range []string{"pass", "1 / 0", "os._exit(0)", "os._exit(7)", "os.kill(os.getpid(), 9)", "print('x' * 3000000)", "import sys\nsys.stderr.write('no\\n')\nsys.exit(2)",
				"if os.fork() == 0:\n    import time\n    time.sleep(99)"} {
				task := style.task(t)
				without := judgeCode(t, j, task, style.code(does))
				task.Outputs = []string{"plot.png"}
				with := judgeCode(t, j, task, style.code(does))
				if with.Verdict == verdicts.OutputLimit { // in which case it is noticed depends on who reads first
					with.Cases, without.Cases, with.Stdout, without.Stdout = nil, nil, "", ""
				}
				if with.Verdict != without.Verdict || with.Message != without.Message || with.Stdout != without.Stdout || with.Stderr != without.Stderr || statuses(with) != statuses(without) {
					t.Errorf("warm %t, %s, %q: %s %q [%s], and without outputs %s %q [%s]", warm, style.name, does,
						with.Verdict, with.Message, statuses(with), without.Verdict, without.Message, statuses(without))
				}
			}
		}
	}
}
