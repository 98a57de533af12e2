package repository_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/data/fatal"
	"assay/data/sampled"
)

// link is a change that makes a path a symbolic link.
func link(changes patch.Changes, name, target string) patch.Changes {
	changes[name] = &patch.File{Data: []byte(target), Mode: patch.Link}
	return changes
}

// many are deletions of files that do not exist, whose names exceed what a command line can hold.
func many(n int) patch.Changes {
	changes := patch.Changes{"NEWS": {Mode: patch.Regular}}
	for i := range n {
		changes[fmt.Sprintf("%d/%s", i, strings.Repeat("n", 200))] = nil
	}
	return changes
}

// TestNoAnswerChoosesNotToCount: whatever an answer does where the task's reference runs, it has a verdict.
func TestNoAnswerChoosesNotToCount(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	rows := map[string]patch.Changes{
		"a directory of tests is a link":        link(patch.Changes{}, "tests", "shop"),
		"with its tests deleted":                link(patch.Changes{"tests/__init__.py": nil, "tests/test_price.py": nil}, "tests", "shop"),
		"a test is a directory":                 changesOf(map[string]string{"tests/test_price.py/x.py": ""}),
		"a file of the tree is a directory":     changesOf(map[string]string{"shop/price.py/x.py": ""}),
		"a directory of the tree is a file":     changesOf(map[string]string{"shop": ""}),
		"a link to itself":                      link(patch.Changes{}, "shop/price.py", "price.py"),
		"a name that no file system has":        changesOf(map[string]string{strings.Repeat("n", 300): ""}),
		"a path that is too long":               changesOf(map[string]string{strings.Repeat(strings.Repeat("n", 200)+"/", 30) + "n": ""}),
		"a name with a zero byte":               changesOf(map[string]string{"a\x00b": ""}),
		"more deletions than fit a command":     many(11_000),
		"the file of the module under test":     {"shop/price.py": nil},
		"output that fills what may be written": changesOf(python("print('x' * 1_000_000)")),
		"a stopped process":                     changesOf(python("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)")),
		"every process is killed":               changesOf(python("import os\nos.kill(-1, 9)")),
		"the shell is killed, and status 126":   changesOf(python("import os\nos.kill(os.getppid(), 9)\nos._exit(126)")),
		"no end":                                changesOf(python("while True:\n    pass")),
		"no end of waiting":                     changesOf(python("import time\ntime.sleep(1e6)")),
		"no end of processes":                   changesOf(python("import os, time\nfor _ in range(1000):\n    try:\n        if not os.fork():\n            time.sleep(1e6)\n    except OSError:\n        pass")),
		"no end of memory":                      changesOf(python("x = []\nwhile True:\n    x.append(bytearray(1 << 24))")),
		"no end of files":                       changesOf(python("for i in range(10**6):\n    open(f'/tmp/{i}', 'w').close()")),
		"go: no end":                            changesOf(goCode("", "func init() { select {} }")),
		"go: no end of memory":                  changesOf(goCode("", "func init() { var x [][]byte; for { b := make([]byte, 1<<24); for i := range b { b[i] = 1 }; x = append(x, b) } }")),
		"node: no end":                          changesOf(nodeCode("for (;;);")),
		"c: no end":                             changesOf(cStarts("for (;;)\n\t\tpause();")),
		"go: every process is killed":           changesOf(goCode(`"syscall"`, "func init() { syscall.Kill(-1, 9) }")),
		"node: every process is killed":         changesOf(nodeCode("process.kill(-1, 'SIGKILL');")),
		"c: every process is killed":            changesOf(cStarts("kill(-1, SIGKILL);")),
		"go: programs are removed":              changesOf(goCode(`"os"`, "func init() { os.RemoveAll(\"/tmp/bin\"); os.RemoveAll(\"/repository\"); os.Exit(127) }")),
	}
	for _, status := range []string{"1", "126", "127", "137"} {
		rows["exit status "+status] = changesOf(python("import os\nos._exit(" + status + ")"))
		rows["go: exit status "+status] = changesOf(goCode(`"os"`, "func init() { os.Exit("+status+") }"))
		rows["node: exit status "+status] = changesOf(nodeCode("process.reallyExit(" + status + ");"))
		rows["c: exit status "+status] = changesOf(cStarts("_exit(" + status + ");"))
	}
	for name, file := range map[string]string{"go": "price.go", "node": "price.js", "c": "price.c"} {
		rows[name+": the file under test is deleted"] = patch.Changes{file: nil}
		rows[name+": the file under test is a link to itself"] = link(patch.Changes{}, file, file)
		rows[name+": the file under test is a directory"] = changesOf(map[string]string{file + "/x": ""})
		rows[name+": the file under test is not text"] = changesOf(map[string]string{file: "\x00\xff"})
	}
	for _, project := range []string{"unittest", "go", "node", "c"} {
		t.Run(project, func(t *testing.T) {
			task := projects[project].task(t)
			task.Limits = benchmark.Limits{WallSeconds: 10, CPUTotal: 30, MemoryMB: 1024, OutputKB: 256, FileMB: 512} // compilers need some
			if project == "unittest" {
				task.Limits = benchmark.Limits{WallSeconds: 2, CPUTotal: 5, MemoryMB: 256, OutputKB: 256, FileMB: 64, Processes: 64}
			}
			for name, changes := range rows {
				if of, _, isOther := strings.Cut(name, ": "); isOther != (project != "unittest") || isOther && of != project {
					continue
				}
				t.Run(name, func(t *testing.T) {
					sampled.Row(t, 3)
					t.Parallel()
					got, err := r.JudgeChanges(t.Context(), task, changes)
					if err != nil || got.Outcome == outcomes.EnvironmentError || got.Outcome == outcomes.Resolved {
						t.Errorf("%s %q %v", got.Outcome, got.Message, err)
					}
				})
			}
		})
	}
}

// Texts of answers that no tree can hold do not apply, which counts.
func TestNamesThatNoFileSystemHas(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	task := projects["unittest"].task(t)
	for _, name := range []string{strings.Repeat("n", 300), `"\377\376"`, `"a\000b"`, "shop/price.py/x", strings.Repeat("d/", 3000) + "n"} {
		for _, answer := range []string{
			"--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+x\n",
			"--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n-a\n+x\n",
			"diff --git a/" + name + " b/" + name + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+x\n",
			name + "\n```\nx\n```\n",
			name + "\n<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n",
		} {
			got, err := r.Judge(t.Context(), task, answer)
			if err != nil || got.Outcome == outcomes.EnvironmentError || got.Outcome == outcomes.Resolved {
				t.Errorf("%.40q: %s %q %v", answer, got.Outcome, got.Message, err)
			}
		}
	}
}

// A task without a reference: an answer that reports no test has failed all the same.
func TestNoReference(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for _, project := range []string{"unittest", "go"} {
		p := projects[project]
		task := p.task(t)
		if err := r.Ready(t.Context(), task); err != nil {
			t.Skip(err)
		}
		task.Reference = ""
		task.Repository.TestPatch = p.diff(t, map[string]string{"tests/test_new.py": "from shop.price import new\n",
			"new_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) { New() }\n"})
		got, err := r.JudgeChanges(t.Context(), task, changesOf(map[string]string{"NEWS": "none\n"}))
		if err != nil || got.Outcome == outcomes.EnvironmentError || got.Outcome == outcomes.Resolved {
			t.Errorf("%s: %s %q %v", project, got.Outcome, got.Message, err)
		}
	}
}

// failingBox fails to start boxes: so many, after so many that it starts.
type failingBox struct {
	sandbox.Box
	starts, fails atomic.Int32
}

func (b *failingBox) Start(ctx context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	if b.starts.Add(-1) < 0 && b.fails.Add(-1) >= 0 {
		return nil, errors.New("no memory")
	}
	return b.Box.Start(ctx, spec)
}

// ever is more often than a box is started.
const ever = 1000

// failing returns a runner for a task that is prepared, and its box, which fails when it is told so.
func failing(t *testing.T, task *benchmark.Task) (*repository.Runner, *failingBox) {
	t.Helper()
	shared := newRunner(t)
	box := &failingBox{Box: shared.Box}
	r := &repository.Runner{Box: box, Shelf: shared.Shelf, Python: shared.Python, Table: shared.Table}
	if err := r.Ready(t.Context(), task); err != nil {
		t.Skip(err)
	}
	return r, box
}

// A machine's own faults are never the answer's: one that passes is tried again, one that stays is no verdict, whatever
// has run before it.
func TestFaultsOfTheMachine(t *testing.T) {
	t.Parallel()
	task := projects["unittest"].task(t)
	silent := changesOf(python("import os\nos._exit(0)"))
	for name, row := range map[string]struct {
		before        patch.Changes
		starts, fails int32
		want          outcomes.Outcome
	}{
		"passes": {nil, 0, 1, outcomes.Resolved}, "stays": {nil, 0, ever, outcomes.EnvironmentError},
		"stays after a control run": {silent, 0, ever, outcomes.EnvironmentError},
	} {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 3)
			r, box := failing(t, task)
			if row.before != nil {
				_, err := r.JudgeChanges(t.Context(), task, row.before)
				fatal.If(t, err)
			}
			box.starts.Store(row.starts)
			box.fails.Store(row.fails)
			got, err := r.Judge(t.Context(), task, task.Reference)
			if err != nil || got.Outcome != row.want {
				t.Errorf("%s %q %v, want %s", got.Outcome, got.Message, err, row.want)
			}
		})
	}
}

// So they are in altered runs, of the reference and of the answer, in every language that has them.
func TestFaultsInAlteredRuns(t *testing.T) {
	t.Parallel()
	for project, files := range honest {
		for name, row := range map[string]struct {
			starts, fails int32
			want          outcomes.Outcome
		}{
			"of the reference passes": {1, 1, outcomes.Resolved}, "of the reference stays": {1, ever, outcomes.EnvironmentError},
			"of the answer stays": {-1, ever, outcomes.EnvironmentError},
		} {
			t.Run(project+" "+name, func(t *testing.T) {
				sampled.Row(t, 3)
				t.Parallel()
				task := projects[project].task(t)
				r, box := failing(t, task)
				if row.starts < 0 { // the reference's runs are known
					box.starts.Store(ever)
					got, err := r.JudgeChanges(t.Context(), task, changesOf(files))
					if err != nil || got.Outcome != outcomes.Resolved {
						t.Fatalf("%s %q %v", got.Outcome, got.Message, err)
					}
				}
				box.starts.Store(max(1, row.starts))
				box.fails.Store(row.fails)
				got, err := r.JudgeChanges(t.Context(), task, changesOf(files))
				if err != nil || got.Outcome != row.want {
					t.Errorf("%s %q %v, want %s", got.Outcome, got.Message, err, row.want)
				}
				box.fails.Store(0)
				if got, err = r.JudgeChanges(t.Context(), task, changesOf(files)); err != nil || got.Outcome != outcomes.Resolved {
					t.Errorf("after the fault: %s %q %v", got.Outcome, got.Message, err)
				}
			})
		}
	}
}
