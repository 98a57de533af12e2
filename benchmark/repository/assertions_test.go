package repository

import (
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
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := exec.LookPath(row.command[0]); err != nil {
				t.Skip(err)
			}
			if row.name == "pytest" && exec.Command("python3", "-c", "import pytest").Run() != nil {
				t.Skip("pytest is not installed")
			}
			dir := t.TempDir()
			fatal.If(t, os.WriteFile(filepath.Join(dir, row.file), []byte(row.text), 0o644))
			cmd := exec.CommandContext(t.Context(), row.command[0], row.command[1:]...)
			cmd.Dir = dir
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
