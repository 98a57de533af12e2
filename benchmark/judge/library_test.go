package judge

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// packages makes a directory with files in it.
func packages(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for at := dir; at != os.TempDir() && at != filepath.Dir(at); at = filepath.Dir(at) { // a box of root's is another user
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLibraries(t *testing.T) {
	t.Parallel()
	python := packages(t, map[string]string{"twice/__init__.py": "def twice(x): return 2 * x\n"})
	node := packages(t, map[string]string{"node_modules/twice/index.js": "module.exports = x => 2 * x;\n"})
	for _, warm := range []bool{true, false} {
		j := judgeIn(t, warm)
		version := strings.Join(strings.SplitN(j.python.Version, ".", 3)[:2], ".")
		venv := packages(t, map[string]string{"pyvenv.cfg": "", "lib/python" + version + "/site-packages/twice.py": "def twice(x): return 2 * x\n"})
		for _, tt := range []struct{ name, language, library, code, want string }{
			{"packages", "python", python, "from twice import twice\ndef f(x): return twice(x)\n", "accepted"},
			{"a virtual environment", "python", venv, "from twice import twice\ndef f(x): return twice(x)\n", "accepted"},
			{"none declared", "python", "", "from twice import twice\ndef f(x): return twice(x)\n", "runtime_error"},
			{"read-only", "python", python, "import twice\ndef f(x):\n    open(twice.__file__, 'a').write('#')\n    return 2 * x\n", "runtime_error"},
			{"node_modules", "javascript", node, "const twice = require('twice');\nfunction f(x) { return twice(x); }\n", "accepted"},
			{"another language", "javascript", python, "const twice = require('twice');\nfunction f(x) { return twice(x); }\n", "runtime_error"},
			{"no directory", "python", filepath.Join(python, "none"), "def f(x): return 2 * x\n", "not_judged"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				sampled.Row(t, 6)
				if _, err := exec.LookPath("node"); err != nil && tt.language == "javascript" {
					t.Skip("there is no node")
				}
				task := callsTask(t, "f", `{"args":[3],"expected":6}`)
				task.Language, task.Library = tt.language, tt.library
				r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: tt.code})
				if err != nil || string(r.Verdict) != tt.want {
					t.Fatalf("%v: %s %q, want %s", err, r.Verdict, r.Message, tt.want)
				}
				if tt.want == "accepted" && !strings.HasPrefix(r.Library, tt.library+" sha256:") {
					t.Errorf("the library is recorded as %q", r.Library)
				}
			})
		}
	}
}

func TestTestsMayUseTheLibrary(t *testing.T) {
	j := judgeIn(t, true)
	task := checkTask("", "f", "from twice import twice\ndef check(candidate):\n    assert candidate(3) == twice(3)\n")
	task.Library = packages(t, map[string]string{"twice.py": "def twice(x): return 2 * x\n"})
	r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: "def f(x): return x + x\n"})
	if err != nil || r.Verdict != verdicts.Accepted {
		t.Fatalf("%v: %s %q", err, r.Verdict, r.Message)
	}
}

// TestMissingLibrary: what a task's own reference or tests import and nobody has installed
// is nothing that a sample could help. What only a sample imports is its own mistake.
func TestMissingLibrary(t *testing.T) {
	j := newJudge(t)
	library := packages(t, map[string]string{"twice.py": "def twice(x): return 2 * x\n", "other/__init__.py": ""})
	const code = "from twice import twice\ndef f(x): return twice(x)\n"
	const offered = "try:\n    from twice import twice\nexcept ImportError:\n    pass\n"
	plain := "def f(x): return 2 * x\n"
	for _, tt := range []struct{ name, reference, check, library, code, verdict, says string }{
		{"the reference needs it", code, "", "", plain, "not_judged", "imports twice, which"},
		{"it is declared", code, "", library, code, "accepted", ""},
		{"two, one of them declared", code + "import other.deep, third as t, math\n", "", library, code, "not_judged", "imports third, which"},
		{"the tests need it", plain, "import twice\n", "", plain, "not_judged", "imports twice, which"},
		{"within a function", "def f(x):\n    import twice\n    return twice.twice(x)\n", "", "", plain, "not_judged", "imports twice, which"},
		{"the reference can do without", "try:\n    import twice\nexcept ImportError: pass\n" + plain, "", "", plain, "accepted", ""},
		{"a text that speaks of it", "\"\"\"\nfrom twice as much\nimport duties\n\"\"\"\n" + plain, "", "", plain, "accepted", ""},
		{"only the sample imports it", plain, "", "", code, "runtime_error", "No module named 'twice'"},
		{"the task offers it, and the sample does without", plain, offered, "", plain, "accepted", ""},
		{"the task offers it, and the reference uses it", offered + "def f(x): return twice(x)\n", "", "", plain, "not_judged", "the task itself imports twice, which"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := checkTask("", "f", tt.check+"def check(candidate):\n    assert candidate(3) == 6\n")
			task.Reference, task.Library = tt.reference, tt.library
			r := judgeCode(t, j, task, tt.code)
			if string(r.Verdict) != tt.verdict || !strings.Contains(r.Message, tt.says) || r.MissingTool != (tt.verdict == "not_judged") {
				t.Errorf("%s %v %q", r.Verdict, r.MissingTool, r.Message)
			}
			if why := j.Ready(task); (why != nil) != r.MissingTool || why != nil && why.Error() != r.Message {
				t.Errorf("beforehand: %v", why)
			}
		})
	}
}

// TestOfferedLibrary: what a benchmark's harness has, as its tasks say by importing it where it is installed, is
// missing here if an answer uses it. It is not the answer's fault.
func TestOfferedLibrary(t *testing.T) {
	j := newJudge(t)
	library := packages(t, map[string]string{"twice.py": "def twice(x): return 2 * x\n"})
	const offered = "try:\n    import twice as tw\n    from twice import twice\nexcept ImportError:\n    pass\n"
	for _, tt := range []struct{ name, code, without string }{
		{"imports it", "import twice\ndef f(x): return twice.twice(x)\n", "not_judged"},
		{"imports it in the function", "def f(x):\n    from twice import twice as g\n    return g(x)\n", "not_judged"},
		{"calls it by its name", "def f(x): return twice(x)\n", "not_judged"},
		{"by another name", "def f(x): return tw.twice(x)\n", "not_judged"},
		{"as an argument", "def f(x): return list(map(twice, [x]))[0]\n", "not_judged"},
		{"has a function of that name", "def twice(x): return x + x\ndef f(x): return twice(x)\n", "accepted"},
		{"has a variable of that name", "def f(x):\n    tw = x\n    return tw + x\n", "accepted"},
		{"has a parameter of that name", "def f(twice): return twice * 2\n", "accepted"},
		{"has a parameter with a default", "def f(twice=1): return twice * 2\n", "accepted"},
		{"loops over that name", "def f(x): return sum(twice for twice in [x, x])\n", "accepted"},
		{"has an attribute of that name", "class A: pass\ndef f(x):\n    A.twice = x\n    return A.twice + x\n", "accepted"},
		{"speaks of it", "def f(x):\n    'twice(x), tw'\n    return x + x\n", "accepted"},
		{"imports it where it can", "try:\n    from twice import twice\nexcept ImportError:\n    twice = lambda x: x + x\ndef f(x): return twice(x)\n", "accepted"},
		{"imports another", "import thrice\ndef f(x): return 2 * x\n", "runtime_error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := checkTask("", "f", "def check(candidate):\n    assert candidate(3) == 6\n")
			task.Tests.Setup = offered
			if r := judgeCode(t, j, task, tt.code); string(r.Verdict) != tt.without || r.MissingTool != (tt.without == "not_judged") {
				t.Errorf("without: %s %v %q", r.Verdict, r.MissingTool, r.Message)
			}
			task.Library = library
			if r := judgeCode(t, j, task, tt.code); r.Verdict != verdicts.Accepted && tt.without != "runtime_error" {
				t.Errorf("with: %s %q", r.Verdict, r.Message)
			}
			if err := j.Ready(task); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLibraryDigest(t *testing.T) {
	dir := packages(t, map[string]string{"a.py": "1", "b/c.py": "2", "__pycache__/a.pyc": "x"})
	take := func() string {
		d, err := digest(dir)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := take()
	if err := os.WriteFile(filepath.Join(dir, "__pycache__", "a.pyc"), []byte("y"), 0o644); err != nil || take() != first {
		t.Errorf("what Python compiled changes the digest (%v)", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b", "c.py"), []byte("3"), 0o644); err != nil || take() == first {
		t.Errorf("another content has the same digest (%v)", err)
	}
}

func TestLibrariesOfABenchmark(t *testing.T) {
	b := &benchmark.Benchmark{Tasks: []benchmark.Task{{ID: "a", Language: "python"}, {ID: "b", Language: "python", Library: "/own"}, {ID: "c", Language: "r"}}}
	if err := b.SetLibraries("/here", map[string]string{"python": "venv"}); err != nil {
		t.Fatal(err)
	}
	if b.Tasks[0].Library != "/here/venv" || b.Tasks[1].Library != "/own" || b.Tasks[2].Library != "" {
		t.Errorf("%+v", b.Tasks)
	}
	if err := b.SetLibraries("", map[string]string{"java": "x"}); err == nil {
		t.Error("a library that no task can use is accepted")
	}
}
