package repository_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/data/fatal"
)

// respelt writes ids of unittest as pytest does.
func respelt(ids []string) (all []string) {
	for _, id := range ids {
		parts := strings.Split(id, ".")
		at := len(parts) - 2
		all = append(all, strings.Join(parts[:at], "/")+".py::"+strings.Join(parts[at:], "::"))
	}
	return all
}

// TestGold: a task whose lists do not hold is named with the reason, and left out until they do.
func TestGold(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	tasks := loadBundled(t)
	task := tasks[slices.IndexFunc(tasks, func(t benchmark.Task) bool { return t.ID == "left-to-right" })]
	ready(t, r, &task)
	lists := *task.Repository
	for _, row := range []struct {
		name       string
		fail, pass []string
		reference  string
		prepare    []string
		want       string
	}{
		{"passes before", append(slices.Clone(lists.FailToPass), lists.PassToPass[0]), nil, task.Reference, nil,
			"1 of 6 tests of fail_to_pass pass before the change"},
		{"no such test", lists.FailToPass, []string{"tests.test_expression.EvaluateTest.test_none"}, task.Reference, nil,
			"with the reference patch 1 of 6 tests are not found in the log, first tests.test_expression.EvaluateTest.test_none"},
		{"another spelling", respelt(lists.FailToPass), lists.PassToPass, task.Reference, nil,
			`did you mean "tests.test_command.CommandTest.test_remaining_length"?`},
		{"does not apply", lists.FailToPass, nil, "--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n", nil, "reference patch does not apply"},
		{"holds", lists.FailToPass, lists.PassToPass, task.Reference, nil, ""},
		{"its preparation ends in another directory", lists.FailToPass, lists.PassToPass, task.Reference, []string{"mkdir made", "cd made"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			repo := lists
			repo.FailToPass, repo.PassToPass = row.fail, row.pass
			repo.Environment.Prepare = row.prepare
			changed := task
			changed.Repository, changed.Reference = &repo, row.reference
			gold, err := r.CheckGold(t.Context(), &changed, 1)
			fatal.If(t, err)
			if !strings.Contains(gold.Problem, row.want) || (gold.Problem == "") != (row.want == "") {
				t.Errorf("%+v, want %q", gold, row.want)
			}
			if strings.Contains(row.want, "tests") {
				if text, err := os.ReadFile(gold.Output); err != nil || !strings.Contains(string(text), "test_") {
					t.Errorf("the tests' output is %q (%v)", text, err)
				}
			}
			answer, err := r.Judge(t.Context(), &changed, task.Reference)
			fatal.If(t, err)
			if left := answer.Outcome == outcomes.EnvironmentError; left != (row.want != "") {
				t.Errorf("an answer is %s (%s)", answer.Outcome, answer.Message)
			}
		})
	}
}

func TestReasons(t *testing.T) {
	for output, want := range map[string]string{
		"E   ModuleNotFoundError: No module named 'httpbin.core'":                               "the Python package httpbin.core is missing",
		"Error: Cannot find module 'chai'":                                                      "the package chai is missing",
		"x.go:3:2: no required module provides package github.com/a/b; to add it":               "the module github.com/a/b is missing",
		"socket.gaierror: [Errno -3] Temporary failure in name resolution":                      "the tests need a network",
		"E       fixture 'httpbin' not found":                                                   "the pytest plugin that provides the fixture httpbin is missing",
		"AttributeError: module 'collections' has no attribute 'Mapping'":                       "the tests need another version of the language or of a package",
		"npm ERR! code ENOTCACHED":                                                              "the packages of npm are missing, which have to be in the tree or in libraries",
		"a.go:29:2: mkdir /m/cache/download/golang.org/x/term: read-only file system":           "the module golang.org/x/term is missing",
		"a.go:2:2: mkdir /m/cache/download/github.com/sergi: read-only file system":             "a module of github.com/sergi is missing",
		"a.go:2:2: mkdir /m/cache/download/github.com: read-only file system":                   "a module of github.com is missing",
		"a.go:2:2: open /m/cache/download/github.com/a/b/@v/v1.0.0.lock: read-only file system": "the module github.com/a/b is missing",
		"sh: 1: tox: not found":                                                                 "the program tox is missing",
		"E       FileNotFoundError: [Errno 2] No such file":                                     "",
		"assert 1 == 2": "",
	} {
		if got := repository.ReasonOf(output); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
