package repository_test

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark/repository"
)

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
