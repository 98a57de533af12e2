package repository_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data"
)

// newRunner returns a runner that all tests share, with its trees.
func newRunner(t testing.TB) *repository.Runner {
	t.Helper()
	r, err := sharedRunner()
	if err != nil {
		t.Skip(err)
	}
	return r
}

var sharedRunner = sync.OnceValues(func() (*repository.Runner, error) {
	box, err := sandbox.NewBubblewrap()
	if err != nil {
		return nil, err
	}
	if err := box.Probe(context.Background()); err != nil {
		return nil, err
	}
	table, err := repository.LoadTable(data.Environments(), "")
	if err != nil {
		return nil, err
	}
	trees, _, err := shelf.Open(box, "test-trees", shelf.Options{MaxBytes: 4 << 30})
	return &repository.Runner{Box: box, Shelf: trees, Python: "/usr/bin/python3", Table: table, Repositories: os.Getenv("ASSAY_REPOSITORIES")}, err
})

// project is a small repository with a fault: its tests, its reference and what else a task needs.
type project struct {
	files      map[string]string
	tests      map[string]string // of the test patch
	reference  map[string]string
	env        benchmark.Environment
	failToPass []string
	passToPass []string
	needs      string // a program without which the tests cannot run
}

var projects = map[string]project{
	"unittest": {
		files:      map[string]string{"shop/__init__.py": "", "shop/price.py": "def total(prices):\n    return sum(prices[1:])\n", "tests/__init__.py": "", "README": "shop\n"},
		tests:      map[string]string{"tests/test_price.py": pythonTests},
		reference:  map[string]string{"shop/price.py": "def total(prices):\n    return sum(prices)\n"},
		env:        benchmark.Environment{Toolchain: "python", Test: []string{"python -m unittest -v"}, Arguments: benchmark.TestFiles, Parser: "unittest"},
		failToPass: []string{"tests.test_price.Price.test_some", "tests.test_price.Price.test_one"}, passToPass: []string{"tests.test_price.Price.test_none"},
		needs: "python3",
	},
	"go": {
		files:      map[string]string{"go.mod": "module shop\n\ngo 1.18\n", "price.go": "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, p := range prices[min(1, len(prices)):] {\n\t\tsum += p\n\t}\n\treturn sum\n}\n\nfunc min(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n"},
		tests:      map[string]string{"price_test.go": goTests},
		reference:  map[string]string{"price.go": "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum\n}\n"},
		env:        benchmark.Environment{Toolchain: "go", Test: []string{"go test -v ./..."}, Parser: "go-test"},
		failToPass: []string{"TestSome", "TestOne"}, passToPass: []string{"TestNone"}, needs: "go",
	},
	"node": {
		files:      map[string]string{"package.json": `{"name": "shop", "type": "commonjs"}` + "\n", "price.js": "exports.total = (prices) => prices.slice(1).reduce((a, b) => a + b, 0);\n"},
		tests:      map[string]string{"test/price.test.js": nodeTests},
		reference:  map[string]string{"price.js": "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\n"},
		env:        benchmark.Environment{Toolchain: "node", Test: []string{"node --test --test-reporter=tap"}, Arguments: benchmark.TestFiles, Parser: "tap"},
		failToPass: []string{"some", "one"}, passToPass: []string{"none"}, needs: "node",
	},
}

const pythonTests = `import unittest
from shop.price import total


class Price(unittest.TestCase):
    def test_none(self):
        self.assertEqual(total([]), 0)

    def test_one(self):
        self.assertEqual(total([3]), 3)

    def test_some(self):
        self.assertTrue(total([3, 4]) == 7)
`

const goTests = `package shop

import "testing"

func TestNone(t *testing.T) { if Total(nil) != 0 { t.Error(Total(nil)) } }
func TestOne(t *testing.T) { if Total([]int{3}) != 3 { t.Error(Total([]int{3})) } }
func TestSome(t *testing.T) { if Total([]int{3, 4}) != 7 { t.Error(Total([]int{3, 4})) } }
`

const nodeTests = `const test = require("node:test");
const assert = require("node:assert");
const { total } = require("../price.js");
test("none", () => { assert.equal(total([]), 0); });
test("one", () => { assert.equal(total([3]), 3); });
test("some", () => { assert.ok(total([3, 4]) === 7); });
`

// changesOf are files as changes.
func changesOf(files map[string]string) patch.Changes {
	changes := patch.Changes{}
	for name, text := range files {
		changes[name] = &patch.File{Data: []byte(text), Mode: patch.Regular}
	}
	return changes
}

// diff writes files as a diff of a project.
func (p project) diff(t *testing.T, files map[string]string) string {
	t.Helper()
	text, err := patch.Diff(patch.Files(changesOf(p.files)), changesOf(files))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// task writes the project to a directory and returns its task.
func (p project) task(t *testing.T) *benchmark.Task {
	t.Helper()
	if _, err := exec.LookPath(p.needs); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range p.files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &benchmark.Task{ID: "shop/1", Title: "Total", Reference: p.diff(t, p.reference), Repository: &benchmark.Repository{
		Name: "assay/shop", Source: dir, TestPatch: p.diff(t, p.tests), FailToPass: p.failToPass, PassToPass: p.passToPass, Environment: p.env}}
}

// statuses are a result's tests in short.
func statuses(r repository.Result) string {
	var all []string
	for _, test := range r.Tests {
		all = append(all, test.ID+" "+string(test.Status))
	}
	return strings.Join(all, ", ")
}

// TestJudge: honest answers in the three languages, right, wrong and half right.
func TestJudge(t *testing.T) {
	r := newRunner(t)
	for name, p := range projects {
		t.Run(name, func(t *testing.T) {
			task := p.task(t)
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			for _, row := range []struct {
				name, answer string
				want         repository.Outcome
			}{
				{"reference", "Here is the fix.\n\n```diff\n" + task.Reference + "```\n", repository.Resolved},
				{"nothing that helps", p.diff(t, map[string]string{"NEWS": "none\n"}), repository.Unresolved},
				{"no patch", "I could not find it.", repository.PatchFailed},
				{"another file", "--- a/nope.py\n+++ b/nope.py\n@@ -1 +1 @@\n-a\n+b\n", repository.PatchFailed},
			} {
				got, err := r.Judge(t.Context(), task, row.answer)
				if err != nil || got.Outcome != row.want {
					t.Errorf("%s: %s %q, want %s: %s\n%s\n%v", row.name, got.Outcome, got.Message, row.want, statuses(got), got.Log, err)
				}
				if row.want != repository.PatchFailed && got.Sentinels < 2 {
					t.Errorf("%s: %d sentinels", row.name, got.Sentinels)
				}
			}
		})
	}
}

// python returns an answer that adds code to the module under test, which stays wrong.
func python(code string) map[string]string {
	return map[string]string{"shop/price.py": code + "\n\ndef total(prices):\n    return sum(prices[1:])\n"}
}

// goCode does so in Go.
func goCode(imports, code string) map[string]string {
	text := projects["go"].files["price.go"]
	return map[string]string{"price.go": strings.Replace(text, "package shop\n", "package shop\n\nimport ("+imports+")\n\n"+code+"\n", 1)}
}

// forgeries are answers that do not solve their task but try to be reported as if they did.
var forgeries = []struct {
	project, name string
	files         map[string]string
	putBack       string // a file that is not the answer's to change
}{
	{"unittest", "os._exit(0) on import", python("import os\nos._exit(0)"), ""},
	{"unittest", "sys.exit(0) on import", python("import sys\nsys.exit(0)"), ""},
	{"unittest", "prints results", python("import os, sys\nfor n in 'some', 'one', 'none':\n    print(f'test_{n} (tests.test_price.Price.test_{n}) ... ok', file=sys.stderr)\nsys.stderr.flush()\nos._exit(0)"), ""},
	{"unittest", "prints results at the end", python("import atexit, sys\natexit.register(lambda: print('\\n'.join(f'test_{n} (tests.test_price.Price.test_{n}) ... ok' for n in ('some', 'one', 'none')), file=sys.stderr))"), ""},
	{"unittest", "an assertion that never fails", python("import unittest\nunittest.TestCase.assertEqual = lambda *a: None"), ""},
	{"unittest", "another assertion that never fails", map[string]string{"shop/price.py": "import unittest\nunittest.TestCase.assertTrue = lambda *a: None\n\n\ndef total(prices):\n    return prices[0] if prices else 0\n"}, ""},
	{"unittest", "failures are successes", python("import unittest\nunittest.TextTestResult.addFailure = lambda self, test, e: self.addSuccess(test)"), ""},
	{"unittest", "tests that do nothing", python("import unittest\nunittest.TestCase._callTestMethod = lambda self, m: None"), ""},
	{"unittest", "skipped", python("import unittest\nunittest.TestCase.run = lambda self, result=None: result.addSkip(self, 'x')"), ""},
	{"unittest", "expected failures", python("import unittest\n_o = unittest.TestCase.__init__\ndef _i(self, m='runTest'):\n    _o(self, m)\n    self.__unittest_expecting_failure__ = True\nunittest.TestCase.__init__ = _i"), ""},
	{"unittest", "exit status", python("import atexit, os\natexit.register(os._exit, 0)\nimport unittest\nunittest.TestCase.assertEqual = lambda *a: None"), ""},
	{"unittest", "overwritten tests", map[string]string{"tests/test_price.py": "import unittest\nclass Price(unittest.TestCase):\n    test_none = test_one = test_some = lambda self: None\n"}, "tests/test_price.py"},
	{"unittest", "a runner of its own", map[string]string{"unittest/__init__.py": "", "unittest/__main__.py": "print('test_one (tests.test_price.Price.test_one) ... ok')\n"}, "unittest/__main__.py"},
	{"unittest", "sitecustomize", map[string]string{"sitecustomize.py": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"}, "sitecustomize.py"},
	{"unittest", "the package of the tests", map[string]string{"tests/__init__.py": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"}, "tests/__init__.py"},
	{"unittest", "a thread that waits for the end", python("import threading, os, sys, time\ndef f():\n    time.sleep(0.05)\n    print('\\n'.join(f'test_{n} (tests.test_price.Price.test_{n}) ... ok' for n in ('some', 'one', 'none')), file=sys.stderr, flush=True)\n    os._exit(0)\nthreading.Thread(target=f).start()"), ""},
	{"go", "init that exits", goCode(`"os"`, "func init() { os.Exit(0) }"), ""},
	{"go", "init that prints", goCode(`"fmt"; "os"`, "func init() { for _, n := range []string{\"Some\", \"One\", \"None\"} { fmt.Printf(\"=== RUN   Test%s\\n--- PASS: Test%s (0.00s)\\n\", n, n) }; os.Exit(0) }"), ""},
	{"go", "TestMain that exits", map[string]string{"main_test.go": "package shop\n\nimport (\"os\"; \"testing\")\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n"}, "main_test.go"},
	{"go", "another module", map[string]string{"go.mod": "module other\n\ngo 1.18\n"}, "go.mod"},
	{"node", "process.exit(0) on loading", map[string]string{"price.js": "process.exit(0);\n"}, ""},
	{"node", "prints TAP", map[string]string{"price.js": "console.log('TAP version 13\\nok 1 - some\\nok 2 - one\\nok 3 - none\\n1..3');\nprocess.exit(0);\n"}, ""},
	{"node", "scripts", map[string]string{"package.json": `{"name": "shop", "scripts": {"test": "true"}, "imports": {}}`}, "package.json"},
	{"node", "another assertion that never fails", map[string]string{"price.js": "require('node:assert').ok = () => {};\nexports.total = (prices) => prices[0] ?? 0;\n"}, ""},
	{"node", "an assertion that never fails", map[string]string{"price.js": "require('node:assert').equal = () => {};\nexports.total = () => 0;\n"}, ""},
}

// TestForgeries: no forgery is resolved, and files of the runner are put back.
func TestForgeries(t *testing.T) {
	r := newRunner(t)
	for _, f := range forgeries {
		t.Run(f.project+"/"+f.name, func(t *testing.T) {
			p := projects[f.project]
			task := p.task(t)
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			got, err := r.JudgeChanges(t.Context(), task, changesOf(f.files))
			if err != nil || got.Outcome == repository.Resolved || got.Outcome == repository.Partly || got.Outcome == repository.EnvironmentError {
				t.Errorf("%s %q %v: %s\n%s", got.Outcome, got.Message, err, statuses(got), got.Log)
			}
			if f.putBack != "" && !slices.Contains(got.PutBack, f.putBack) {
				t.Errorf("%q were put back", got.PutBack)
			}
			t.Logf("%s: %s", got.Outcome, got.Message)
		})
	}
}
