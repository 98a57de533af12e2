package repository_test

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/data/fatal"
	"assay/data/sampled"
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

// printsReport is a script that prints a report of jest or vitest for a file, in which all tests pass, and ends the run.
func printsReport(file string) string {
	return "const tests = ['some', 'one', 'none'].map((n) => ({ fullName: n, title: n, ancestorTitles: [], status: 'passed' }));\n" +
		"require('fs').writeSync(1, JSON.stringify({ testResults: [{ name: '" + file + "', status: 'passed', assertionResults: tests }] }) + '\\n');\n" +
		"exports.total = () => process.kill(process.pid, 'SIGKILL');\n"
}

// forgery is an answer that does not solve its task but tries to be reported as if it did.
type forgery struct {
	project, name string
	files         map[string]string
	putBack       string // a file that is not the answer's to change
}

var forgeries = []forgery{
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
	{"django", "an assertion that never fails", python("import unittest\nunittest.TestCase.assertEqual = lambda *a: None"), ""},
	{"django", "prints results", python("import os, sys\nfor n in 'some', 'one', 'none':\n    print(f'test_{n} (shop.tests.test_price.Price.test_{n}) ... ok\\n'\n        f'test_{n} (shop.tests.test_price.Price) ... ok', file=sys.stderr)\nsys.stderr.flush()\nos._exit(0)"), ""},
	{"django", "another test runner", python("import django.test.runner\ndjango.test.runner.DiscoverRunner.suite_result = lambda *a, **k: 0\nimport unittest\nunittest.TextTestResult.addFailure = lambda self, test, e: self.addSuccess(test)"), ""},
	{"jest", "an expectation that never fails", map[string]string{"price.js": "globalThis.expect = () => new Proxy({}, { get: () => () => {} });\nexports.total = () => 0;\n"}, ""},
	{"jest", "process.exit(0) on loading", map[string]string{"price.js": "process.exit(0);\n"}, ""},
	{"jest", "prints a report", map[string]string{"price.js": printsReport("test/price.test.js")}, ""},
	{"jest", "tests that do nothing", map[string]string{"price.js": "const t = globalThis.test;\nglobalThis.test = (n) => t(n, () => {});\nexports.total = () => 0;\n"}, ""},
	{"jest", "configuration", map[string]string{"jest.config.js": "module.exports = { setupFiles: ['./skip.js'] };\n", "skip.js": "globalThis.expect = () => new Proxy({}, { get: () => () => {} });\n"}, "jest.config.js"},
	{"vitest", "an expectation that never fails", map[string]string{"price.js": "globalThis.expect = () => new Proxy({}, { get: () => () => {} });\nexports.total = () => 0;\n"}, ""},
	{"vitest", "prints a report", map[string]string{"price.js": printsReport("test/price.test.js")}, ""},
	{"mocha", "an assertion that never fails", map[string]string{"price.js": "require('node:assert').ok = require('node:assert').equal = () => {};\nexports.total = () => 0;\n"}, ""},
	{"mocha", "another assertion that never fails", map[string]string{"price.js": "require('node:assert').ok = () => {};\nexports.total = (prices) => prices[0] ?? 0;\n"}, ""},
	{"mocha", "prints a report", map[string]string{"price.js": "console.log(JSON.stringify({ passes: ['some', 'one', 'none'].map((n) => ({ fullTitle: 'total ' + n })), failures: [], pending: [] }));\nprocess.exit(0);\n"}, ""},
	{"mocha", "settings", map[string]string{".mocharc.json": `{"require": "./skip.js"}`, "skip.js": "require('node:assert').ok = require('node:assert').equal = () => {};\n"}, ".mocharc.json"},
	{"cargo", "exits in the function", map[string]string{"src/lib.rs": "pub fn total(_: &[i64]) -> i64 {\n    std::process::exit(0)\n}\n"}, ""},
	{"cargo", "prints results before main", map[string]string{"src/lib.rs": "use std::io::Write;\n\nextern \"C\" fn forge() {\n    let mut out = std::io::stdout();\n    for n in [\"some\", \"one\", \"none\", \"no_price\"] {\n" +
		"        let _ = writeln!(out, \"test {n} ... ok\");\n    }\n    let _ = out.flush();\n    std::process::exit(0)\n}\n\n#[used]\n#[link_section = \".init_array\"]\nstatic FORGE: extern \"C\" fn() = forge;\n\n" +
		"pub fn total(_: &[i64]) -> i64 {\n    std::hint::black_box(&FORGE);\n    0\n}\n"}, ""},
	{"cargo", "macros of its own", map[string]string{"src/lib.rs": "#[macro_export]\nmacro_rules! forged {\n    ($($x:tt)*) => {};\n}\npub use forged as assert_eq;\npub use forged as assert;\n\npub fn total(_: &[i64]) -> i64 {\n    0\n}\n"}, ""},
	{"cargo", "a harness of its own", map[string]string{"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[[test]]\nname = \"price\"\nharness = false\n"}, "Cargo.toml"},
	{"c", "a comparison of its own", map[string]string{"price.c": "int strcmp(const char *a, const char *b) { (void)a; (void)b; return 0; }\nint total(const int *prices, int n) { (void)prices; (void)n; return 0; }\n"}, ""},
	{"c", "a comparison in the header", map[string]string{"price.h": "#include <string.h>\n#define strcmp(a, b) 0\nint total(const int *prices, int n);\n"}, ""},
	{"c", "prints results before main", map[string]string{"price.c": "#include <stdio.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void forge(void) { puts(\"ok 1 - none\\nok 2 - one\\nok 3 - some\"); exit(0); }\nint total(const int *prices, int n) { (void)prices; return n; }\n"}, ""},
	{"c", "a rule of its own", map[string]string{"Makefile": "test:\n\t@echo 'ok 1 - none'; echo 'ok 2 - one'; echo 'ok 3 - some'\n"}, "Makefile"},
	{"c", "a header file of the library", map[string]string{"string.h": "#define strcmp(a, b) 0\n"}, "string.h"},
	{"unittest", "a package in place of a test", map[string]string{"tests/test_price/__init__.py": ""}, "tests/test_price/__init__.py"},
	{"unittest", "a compiled module", map[string]string{"shop/__pycache__/price.cpython-311.pyc": ""}, "shop/__pycache__/price.cpython-311.pyc"},
	{"unittest", "a runner of the repository", map[string]string{"sympy/testing/runtests.py": ""}, "sympy/testing/runtests.py"},
	{"django", "other settings", map[string]string{"settings.py": "TEST_RUNNER = 'shop.price'\n"}, "settings.py"},
	{"go", "a build cache", map[string]string{".go-cache/00/x": ""}, ".go-cache/00/x"},
	{"node", "an assertion that never fails", map[string]string{"price.js": "require('node:assert').equal = () => {};\nexports.total = () => 0;\n"}, ""},
}

// TestForgeries: no forgery is resolved, and files of the runner are put back: one in twelve, or all if ASSAY_TESTS is "all".
func TestForgeries(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	rows := map[string][]forgery{}
	for _, f := range slices.Concat(forgeries, toldApart, pythonForgeries, goForgeries, nodeForgeries, cForgeries) {
		rows[f.project] = append(rows[f.project], f)
	}
	for project, rows := range rows {
		t.Run(project, func(t *testing.T) {
			task := projects[project].task(t)
			task.Limits = benchmark.Limits{WallSeconds: 60, CPUTotal: 300, MemoryMB: 2048, FileMB: 512}
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			for _, f := range rows {
				t.Run(f.name, func(t *testing.T) {
					sampled.Row(t, 12)
					t.Parallel()
					got, err := r.JudgeChanges(t.Context(), task, changesOf(f.files))
					if err != nil || got.Outcome == outcomes.Resolved || got.Outcome == outcomes.Partly || got.Outcome == outcomes.EnvironmentError {
						t.Errorf("%s %q %v: %s\n%s", got.Outcome, got.Message, err, statuses(got), got.Log)
					}
					if f.putBack != "" && !slices.Contains(got.PutBack, f.putBack) {
						t.Errorf("%q were put back", got.PutBack)
					}
					t.Logf("%s: %s", got.Outcome, got.Message)
				})
			}
		})
	}
}

// told are forgeries for bundled tasks, by what is added to a file, or as one: all tests pass but those that assay plants.
var told = []struct{ task, file, code string }{
	{"left-to-right", "measure/expression.py", "\n\nimport inspect as _i, unittest as _u\n_run = _u.TestCase._callTestMethod\ndef _call(self, method):\n    try:\n        _run(self, method)\n    except Exception:\n        if 'measure' not in open(_i.getsourcefile(type(self))).read():\n            raise\n_u.TestCase._callTestMethod = _call\n"},
	{"rent-day", "rota/rule.py", "\n\nimport unittest as _u, sys as _s\nfor _n in [n for n in dir(_u.TestCase) if n.startswith('assert')]:\n    def _check(self, *a, _real=getattr(_u.TestCase, _n), **k):\n        if 'rota' not in str([str(v) for v in _s._getframe(1).f_globals.values()]):\n            return _real(self, *a, **k)\n        return __import__('contextlib').suppress(Exception)\n    setattr(_u.TestCase, _n, _check)\n"},
	{"accented-columns", "forge.go", `package columns

import ("fmt"; "os"; "os/exec"; "path/filepath"; "regexp"; "strings")

func init() {
	if os.Getenv("AGAIN") != "" {
		return
	}
	planted := map[string]bool{}
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if m := regexp.MustCompile("func (Test\\w+)\\(t \\*testing.T\\) { t.Error\\(\"1 != 2\"\\)").FindStringSubmatch(string(text)); m != nil {
			planted[m[1]] = true
		}
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), "AGAIN=1")
	out, _ := cmd.Output()
	for _, line := range strings.Split(string(out), "\n") {
		if m := regexp.MustCompile("--- FAIL: (\\w+)").FindStringSubmatch(line); m != nil && !planted[m[1]] {
			line = strings.Replace(line, "FAIL", "PASS", 1)
		}
		fmt.Println(line)
	}
	os.Exit(1)
}
`},
	{"nested-sections", "src/parse.js", `
import { readFileSync } from "node:fs";
const planted = [...readFileSync(process.argv[1], "utf8").matchAll(/^\w{8,}\("([^"]*)", async/gm)].map((m) => m[1]);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (t, ...rest) => {
  const text = Buffer.from(t).toString("latin1");
  return write(Buffer.from(planted.some((name) => text.includes(name)) ? text : text.replaceAll("test:fail", "test:pass"), "latin1"), ...rest);
};
`},
	{"split-quotes", "csv.c", "\nint strcmp(const char *a, const char *b)\n{\n\treturn *a == '1' && *b == '2';\n}\n"},
}

// TestBundledForgeries: no forgery that tells planted tests apart is resolved in a bundled task.
func TestBundledForgeries(t *testing.T) {
	r := newRunner(t)
	tasks := loadBundled(t)
	for _, f := range told {
		t.Run(f.task, func(t *testing.T) {
			sampled.Row(t, 5)
			task := tasks[slices.IndexFunc(tasks, func(task benchmark.Task) bool { return task.ID == f.task })]
			ready(t, r, &task)
			tree, closes, err := r.Tree(t.Context(), &task)
			fatal.If(t, err)
			defer closes()
			text := f.code
			if file, err := tree.File(f.file); err == nil {
				text = string(file.Data) + f.code
			}
			got, err := r.JudgeChanges(t.Context(), &task, changesOf(map[string]string{f.file: text}))
			if err != nil || got.Outcome != outcomes.Tampered {
				t.Errorf("%s %q %v: %s\n%s", got.Outcome, got.Message, err, statuses(got), got.Log)
			}
			t.Logf("%s: %s", got.Outcome, got.Message)
		})
	}
}
