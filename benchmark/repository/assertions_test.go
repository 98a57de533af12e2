package repository

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark/repository/testlog"
	"assay/data/fatal"
)

// TestPlantedAssertions: every planted test that must fail does, and the one that must pass passes.
func TestPlantedAssertions(t *testing.T) {
	all := func(table map[string]string) string { return strings.Join(slices.Sorted(maps.Keys(table)), "\n") }
	unittest, unittestNames := unittestSentinel("unittest.TestCase", unittestFails, "good", all(unittestFails))
	pytest, pytestNames := pytestSentinel("good", all(pytestFails)+"\nself.assertEqual")
	script, scriptNames := nodeSentinel("good", all(nodeFails)+"\nrequire('assert/strict')", false)
	module, moduleNames := nodeSentinel("good", all(nodeFails), true)
	django, djangoNames := unittestSentinel("django.test.SimpleTestCase", djangoFails, "good", all(djangoFails))
	sympy, sympyNames := sympySentinel("good", all(sympyFails)+"\nfrom sympy.testing.pytest import raises")
	rust, rustNames := rustSentinel("good", all(rustFails))
	jest, jestNames := jsSentinel("test", "good", withoutChai())
	chai, chaiNames := jsSentinel("it", "good", all(jsFails)+"\n"+all(nodeFails)+"\nassert")
	modules := cmp.Or(os.Getenv("ASSAY_NODE_MODULES"), "/nonexistent")
	for _, row := range []struct {
		name, parser, file, text, good string
		fail                           []string
		most                           int
		command                        []string
	}{
		{"unittest", "unittest", "test_a.py", unittest, "test_good", unittestNames, len(unittestFails), []string{"python3", "-m", "unittest", "-v", "test_a.py"}},
		{"pytest", "pytest", "test_a.py", pytest, "test_good", pytestNames, len(pytestFails) + 1, []string{"python3", "-m", "pytest", "-rA", "test_a.py"}},
		{"node script", "tap", "a.test.js", script, "good", scriptNames, len(nodeFails), []string{"node", "--test", "--test-reporter=tap", "a.test.js"}},
		{"node module", "tap", "a.test.mjs", module, "good", moduleNames, len(nodeFails), []string{"node", "--test", "--test-reporter=tap", "a.test.mjs"}},
		{"django", "django", "test_a.py", django, "test_good", djangoNames, len(djangoFails), []string{"/usr/bin/python3", "-m", "django", "test", "--settings=settings", "-v", "2"}},
		{"sympy", "sympy", "test_a.py", sympy, "test_good", sympyNames, len(sympyFails),
			[]string{"/usr/bin/python3", "-c", "from sympy.testing.runtests import *; r = PyTestReporter(verbose=True); t = SymPyTests(r); t._testfiles = ['test_a.py']; t.test(sort=True)"}},
		{"cargo", "cargo", "tests/a.rs", rust, "good", rustNames, len(rustFails), []string{"cargo", "test", "--offline"}},
		{"jest", "jest-json", "a.test.js", jest, "good", jestNames, strings.Count(withoutChai(), "\n"), []string{"node", modules + "/jest/bin/jest.js", "--json", "--rootDir=."}},
		{"vitest", "jest-json", "a.test.js", jest, "good", jestNames, strings.Count(withoutChai(), "\n"), []string{"node", modules + "/vitest/vitest.mjs", "run", "--globals", "--reporter=json"}},
		{"mocha", "mocha-json", "a.test.js", "const { assert, expect } = require(\"chai\");\n" + chai, "good", chaiNames, len(jsFails) + len(nodeFails),
			[]string{"node", modules + "/mocha/bin/mocha.js", "--reporter", "json", "a.test.js"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := exec.LookPath(row.command[0]); err != nil {
				t.Skip(err)
			}
			if python := map[string]string{"pytest": "pytest", "django": "django", "sympy": "sympy"}[row.name]; python != "" && exec.Command(row.command[0], "-c", "import "+python).Run() != nil {
				t.Skip(python + " is not installed")
			}
			if _, err := os.Stat(row.command[1]); strings.HasPrefix(row.command[1], "/") && err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			fatal.If(t, os.MkdirAll(filepath.Join(dir, "tests"), 0o755))
			for name, text := range map[string]string{row.file: row.text, "settings.py": "SECRET_KEY = 'x'\n", "lib.rs": "", "package.json": "{}",
				"Cargo.toml": "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n"} {
				fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			cmd := exec.CommandContext(t.Context(), row.command[0], row.command[1:]...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "NODE_PATH="+modules, "PYTHONDONTWRITEBYTECODE=1", "CARGO_TARGET_DIR="+filepath.Join(dir, "target"))
			log, _ := cmd.CombinedOutput() // which fails
			parser, err := testlog.Find(row.parser)
			fatal.If(t, err)
			found := parser.Parse(string(log)).Status
			if len(row.fail) != row.most {
				t.Errorf("%d tests must fail, for %d assertions", len(row.fail), row.most)
			}
			if wrong := betrayed([]sentinel{{pass: row.good, fail: row.fail}}, found, 1); wrong != "" {
				t.Errorf("%s: %s\n%s", wrong, row.text, log)
			}
		})
	}
}

// withoutChai are the words of jsFails that are not chai's, a line each.
func withoutChai() (words string) {
	for _, word := range slices.Sorted(maps.Keys(jsFails)) {
		if !strings.Contains(word, ".") {
			words += word + "\n"
		}
	}
	return words
}
