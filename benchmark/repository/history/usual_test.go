package history

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/data/fatal"
)

// How tests run is told by the language and, for scripts, by what package.json names.
func TestUsual(t *testing.T) {
	for _, row := range []struct{ file, test, tests, manifest, command, parser string }{
		{"a.py", "tests/test_a.py", "import pytest", "", "python3 -m pytest -rA", "pytest"},
		{"a.py", "tests/test_a.py", "import unittest", "", "python3 -m unittest -v", "unittest"},
		{"a.go", "b/a_test.go", "", "", "go test -json -count=1 './b'", "go-test-json"},
		{"a.js", "a.test.js", "", "", "node --test --test-reporter=spec", "node-test"},
		{"a.ts", "a.test.ts", "", "", "node --experimental-strip-types --test --test-reporter=spec", "node-test"},
		{"a.ts", "a.test.ts", "", `{"devDependencies": {"vitest": "^1"}}`, "npx vitest run --reporter=json", "jest-json"},
		{"a.ts", "a.test.ts", "", `{"devDependencies": {"@types/jest": "^1"}}`, "npx jest --json", "jest-json"},
		{"a.js", "a.test.js", "", `{"scripts": {"test:unit": "nyc mocha --bail"}}`, "npx mocha --reporter json", "mocha-json"},
		{"a.js", "a.test.js", "", `{"name": "jestful"}`, "node --test --test-reporter=spec", "node-test"},
	} {
		e := usual(&Commit{Tests: []string{row.test}, Others: []string{row.file}}, row.tests, row.manifest)
		if len(e.Test) != 1 || e.Test[0] != row.command || e.Parser != row.parser {
			t.Errorf("%+v: %q, %s", row, e.Test, e.Parser)
		}
		all, ok := wider(&Commit{Tests: []string{row.test}}, e)
		if ok == (row.parser == "unittest") || ok && all.Arguments != benchmark.NoArguments {
			t.Errorf("%+v: all tests run by %q, %v", row, all.Test, ok)
		}
	}
}

// narrow are tests of which the changed files have none that passed before.
type narrow struct{ broken bool }

func (n narrow) Lists(_ context.Context, task *benchmark.Task) (failToPass, passToPass []string, err error) {
	if strings.HasSuffix(task.Repository.Environment.Test[0], "./...") {
		return []string{"a"}, []string{"b", "c"}, nil
	}
	return []string{"a"}, nil, nil
}

func (n narrow) CheckGold(_ context.Context, task *benchmark.Task, _ int) (outcomes.Gold, error) {
	if n.broken && len(task.Repository.PassToPass) > 0 {
		return outcomes.Gold{Problem: "flaky"}, nil
	}
	if len(task.Repository.FailToPass) == 0 {
		return outcomes.Gold{}, errors.New("no lists")
	}
	return outcomes.Gold{}, nil
}

// Where the changed files have no test that passed before, others fill the list, if they hold.
func TestOthersFillPassToPass(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
	}
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "--message", "Begin")
	for _, name := range []string{"a.go", "a_test.go"} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte("package a\n"), 0o644))
	}
	git("add", "--all")
	git("commit", "--quiet", "--message", "Add it")
	for broken, want := range map[bool]int{false: 2, true: 0} {
		r, err := Open(t.Context(), dir)
		fatal.If(t, err)
		commits, err := r.Commits(t.Context(), "HEAD~1..HEAD")
		fatal.If(t, err)
		p, task, err := r.propose(t.Context(), &commits[0], Options{Tests: narrow{broken}, Folder: t.TempDir(), Name: "o/a"})
		if err != nil || p.PassToPass != want || p.FailToPass != 1 || task == nil || len(task.Repository.PassToPass) != want {
			t.Errorf("others that fail: %v: %+v, %v", broken, p, err)
		}
	}
}
