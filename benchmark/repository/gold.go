package repository

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

// CheckGold judges a task's repository as it is, and then so often with the reference patch. The result is kept:
// [Runner.Ready] returns an error for a task whose lists do not hold, until a later check finds that they do.
func (r *Runner) CheckGold(ctx context.Context, task *benchmark.Task, rounds int) (outcomes.Gold, error) {
	j, err := r.open(ctx, task)
	if err != nil {
		return outcomes.Gold{Problem: err.Error()}, context.Cause(ctx)
	}
	defer j.root.Close()
	if j.directory != nil {
		return j.checkDirectory(ctx, rounds)
	}
	found := outcomes.Gold{Tests: len(task.Repository.FailToPass) + len(task.Repository.PassToPass), Toolchain: j.tools.name}
	before, err := j.judge(ctx, nil)
	if err != nil {
		return found, err
	}
	log := before.Log
	switch passing := differing(before, "fail_to_pass", true); {
	case before.Outcome == outcomes.EnvironmentError:
		found.Problem = before.Message
	case len(passing) > 0:
		found.Differ = passing
		found.Problem = fmt.Sprintf("%d of %d tests of fail_to_pass pass before the change", len(passing), len(task.Repository.FailToPass))
	}
	for found.Problem == "" && found.Rounds < rounds {
		after, err := j.judge(ctx, maps.Clone(j.known))
		if err != nil {
			return found, err
		}
		found.Seconds = after.Wall.Seconds()
		if after.Outcome == outcomes.Resolved {
			found.Rounds++
			continue
		}
		j.explain(&found, after)
		log = after.Log
	}
	return found, errors.Join(j.keepGold(&found, log), context.Cause(ctx))
}

// explain describes a run with the reference that is not resolved.
func (j *job) explain(g *outcomes.Gold, after Result) {
	g.Differ = differing(after, "", false)
	g.Problem = fmt.Sprintf("with the reference patch the outcome is %s", after.Outcome)
	if len(g.Differ) > 0 && after.Outcome != outcomes.EnvironmentError {
		what := "fail"
		if !slices.ContainsFunc(after.Tests, func(t Test) bool { return !t.Passed && t.Status != "" }) {
			what = "are not found in the log"
		}
		g.Problem = fmt.Sprintf("with the reference patch %d of %d tests %s, first %s", len(g.Differ), g.Tests, what, g.Differ[0])
	} else if after.Message != "" {
		g.Problem += ": " + after.Message
	}
	if g.Rounds > 0 {
		g.Problem = fmt.Sprintf("after %d runs in which all tests passed, %s", g.Rounds, g.Problem)
	}
	text := after.Log
	for _, test := range after.Tests {
		if !test.Passed {
			text = cmp.Or(test.Output, text)
			break
		}
	}
	g.Reason = reasonOf(text)
	if !j.tools.exact && (g.Reason == "" || g.Reason == anotherVersion) {
		g.Reason = "the tests ran with " + g.Toolchain
	}
}

// differing lists the tests of a list, or of both, of which passed is as given.
func differing(r Result, list string, passed bool) (ids []string) {
	for _, test := range r.Tests {
		if (list == "" || test.List == list) && test.Passed == passed {
			ids = append(ids, test.ID)
		}
	}
	return ids
}

// reasons are what the output of failing tests shows about the machine, in the order of preference.
var reasons = []struct {
	shown  *regexp.Regexp
	reason string // $1 is the first group
}{
	{regexp.MustCompile(`No module named '?([\w.]+)`), "the Python package $1 is missing"},
	{regexp.MustCompile(`Cannot find (?:module|package) '([^']+)'`), "the package $1 is missing"},
	{regexp.MustCompile(`ENOTCACHED|only-if-cached`), "the packages of npm are missing, which have to be in the tree or in libraries"},
	{regexp.MustCompile(`no required module provides package ([^\s;:]+)`), "the module $1 is missing"},
	{regexp.MustCompile(`([\w.\-/]+@v[\w.\-+]+): .*(?:module lookup disabled|dial tcp|no such host)`), "the module $1 is missing"},
	{regexp.MustCompile(`/cache/download/((?:github|gitlab|bitbucket)\.(?:com|org)(?:/[^/\s:]+)?): read-only file system`), "a module of $1 is missing"},
	{regexp.MustCompile(`/cache/download/(\S+?)(?:/@v/\S+)?: read-only file system`), "the module $1 is missing"},
	{regexp.MustCompile(`(?i)name resolution|network is unreachable|name or service not known|getaddrinfo|\bENOTFOUND\b|no such host|ConnectTimeout|` +
		`failed to establish a new connection|dial tcp|network unreachable`), "the tests need a network"},
	{regexp.MustCompile(`fixture '(\w+)' not found`), "the pytest plugin that provides the fixture $1 is missing"},
	{regexp.MustCompile(`module '([\w.]+)' has no attribute|cannot import name '(\w+)'|required field "lineno" missing|` +
		`SyntaxError: |requires go >= |DeprecationWarning: `), anotherVersion},
	{regexp.MustCompile(`(?:sh: \d+: |bash: )(\S+): (?:command )?not found`), "the program $1 is missing"},
}

const anotherVersion = "the tests need another version of the language or of a package"

// reasonOf returns the reason for a failure that its output shows, or "".
func reasonOf(output string) string {
	for _, r := range reasons {
		if at := r.shown.FindStringSubmatchIndex(output); at != nil {
			return string(r.shown.ExpandString(nil, r.reason, output, at))
		}
	}
	return ""
}

// goldFile is the file of a check's result, in its entry of the shelf.
const goldFile = "gold.json"

// goldKey names the entry of a task's check: everything on which its result depends.
func (j *job) goldKey() string {
	env, err := json.Marshal(j.env)
	if err != nil {
		return ""
	}
	return shelf.Key("gold 1", j.task.Hash(), filepath.Base(j.dir), j.tools.name, string(env))
}

// keepGold keeps the result of a check for later evaluations, and what its tests wrote if there is a problem.
func (j *job) keepGold(found *outcomes.Gold, log string) error {
	dir, err := j.Shelf.Get(j.goldKey(), disk.IsDir, func(string) error { return nil })
	if err != nil {
		return err
	}
	if found.Problem != "" && log != "" {
		found.Output = filepath.Join(dir, "output.log")
		if err := disk.Replace(found.Output, 0o644, disk.Bytes([]byte(log))); err != nil {
			return err
		}
	}
	text, err := json.Marshal(found)
	if err != nil {
		return err
	}
	return disk.Replace(filepath.Join(dir, goldFile), 0o644, disk.Bytes(text))
}

// keptGold returns the result of an earlier check. A task that was never checked holds as far as is known.
func (j *job) keptGold() (found outcomes.Gold) {
	dir := filepath.Join(j.Shelf.Dir, j.goldKey())
	text, err := os.ReadFile(filepath.Join(dir, goldFile))
	if err != nil || json.Unmarshal(text, &found) != nil {
		return outcomes.Gold{}
	}
	j.Shelf.Keep(dir)
	return found
}
