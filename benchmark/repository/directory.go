package repository

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/dockerfile"
	"assay/benchmark/repository/checkout"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
	"assay/data/disk"
)

// directory is what judging answers to another tool's task directory needs, beside a job's fields. The tree of such a
// job is the box's root, so that its files are those of the whole system below /.
type directory struct {
	*benchmark.Directory
	place string // the copy of the task directory, of which boxes see parts
	plan  *dockerfile.Plan
}

// Where a box has the tests and the reference solution. No answer changes them.
const (
	testsDir    = "tests"
	logsDir     = "logs"
	solutionDir = "solution"
)

// text reads a file of the task directory, and none outside of it through links.
func (d *directory) text(name string) ([]byte, error) {
	root, err := os.OpenRoot(d.place)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := disk.ReadFS(root.FS(), name, disk.Document)
	if err != nil {
		return nil, fmt.Errorf("%s of the task directory: %w", name, err)
	}
	return text, nil
}

// below returns the path of a directory of the task directory for a box to see. It is an error if it lies outside.
func (d *directory) below(name string) (string, error) {
	place, err := filepath.EvalSymlinks(d.place)
	if err != nil {
		return "", err
	}
	found, err := filepath.EvalSymlinks(filepath.Join(place, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(place, found); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s of the task directory leads outside of it", name)
	}
	return found, nil
}

// openDirectory is open for a task directory.
func (r *Runner) openDirectory(ctx context.Context, task *benchmark.Task) (*job, error) {
	if r.Preparing != nil {
		defer r.Preparing(task.ID)()
	}
	j, err := r.foundDirectory(ctx, task)
	if err != nil {
		return nil, err
	}
	if j.dir, err = j.environmentTree(ctx); err != nil {
		return nil, err
	}
	j.commit = j.dir
	if j.root, err = os.OpenRoot(j.dir); err != nil {
		return nil, err
	}
	j.base = patch.FromFS(j.root.FS().(fs.ReadLinkFS))
	j.known, err = j.solved()
	if err == nil {
		j.tests, err = j.directory.readTests()
	}
	if err != nil {
		j.root.Close()
	}
	return j, err
}

// readTests returns the tests in Python, as files of the box.
func (d *directory) readTests() (patch.Changes, error) {
	dir, err := d.below(d.Tests)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tests, tree := patch.Changes{}, os.DirFS(dir)
	return tests, fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !isPython.MatchString(name) {
			return err
		}
		text, err := disk.ReadFS(tree, name, disk.Document)
		tests[testsDir+"/"+name] = &patch.File{Data: text, Mode: patch.Regular}
		return err
	})
}

// foundDirectory finds what a task directory needs, before its environment is made.
func (r *Runner) foundDirectory(ctx context.Context, task *benchmark.Task) (*job, error) {
	d := &directory{Directory: task.Repository.Directory}
	j := &job{Runner: r, task: task, directory: d}
	var err error
	if d.place, err = r.tree(ctx, checkout.Source{Path: task.Repository.Source}); err != nil {
		return nil, err
	}
	text, err := d.text(d.Dockerfile)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(d.place)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	context, err := fs.Sub(root.FS(), d.Context)
	if err != nil {
		return nil, err
	}
	if d.plan, err = dockerfile.Read(filepath.Join(task.Repository.Source, d.Dockerfile), string(text), context); err != nil {
		return nil, err
	}
	if j.tools, err = r.toolchains.find(ctx, benchmark.Environment{Toolchain: d.plan.Toolchain, Version: d.plan.Version}); err != nil {
		return nil, err
	}
	j.parser, err = testlog.Find("pytest")
	return j, err
}

// judgeDirectory runs the tests of a task directory with an answer's changes.
func (j *job) judgeDirectory(ctx context.Context, changes patch.Changes) (Result, error) {
	result := Result{Toolchain: j.toolchainOf()}
	answer := patch.Changes{}
	for name, file := range changes {
		if top, _, _ := strings.Cut(name, "/"); slices.Contains([]string{testsDir, logsDir, solutionDir}, top) || j.known[name] == nil && ofSystem(name) {
			result.PutBack = append(result.PutBack, name)
			continue
		}
		answer[name] = file
	}
	slices.Sort(result.PutBack)
	ran, err := j.testedTwice(ctx, answer)
	if err != nil {
		result.Outcome, result.Message = outcomes.EnvironmentError, err.Error()
		return result, context.Cause(ctx)
	}
	result.Enforcement, result.CPU, result.Wall, result.MemoryKB = ran.enforcement, ran.end.Usage.CPU, ran.wall, ran.end.Usage.PeakKB
	result.Log = shortened(ran.log)
	result.Tests = j.directoryTests(ran)
	if result.Message = cmp.Or(ran.failed, limitReached(ran.end.Cause, ran.budget)); result.Message != "" {
		result.Outcome = cmp.Or(limitOutcomes[ran.end.Cause], outcomes.Unresolved)
		return result, nil
	}
	reward, why := j.reward(ran, result.Tests)
	switch {
	case reward >= 1:
		result.Outcome = outcomes.Resolved
		if err := j.confirm(ctx, &result, answer, nil, ""); err != nil {
			return result, err
		}
	case reward > 0:
		result.Outcome, result.Message = outcomes.Partly, why
	default:
		result.Outcome, result.Message = outcomes.Unresolved, why
	}
	if len(result.Tests) == 0 {
		result.Tests = []Test{{ID: j.directory.Script, List: failToPass, Passed: reward >= 1, Status: testlog.Failed, Output: lastLine(ran.log)}}
	}
	return result, nil
}

// toolchainOf names what the tests run with.
func (j *job) toolchainOf() string { return j.tools.name + " in place of " + j.directory.plan.Image }

// testedTwice runs the tests. If they cannot be started, the unchanged environment decides whose fault that is: where
// they start with it, it is the answer's.
func (j *job) testedTwice(ctx context.Context, changes patch.Changes) (found ran, err error) {
	for range 2 { // the first time, it may be a fault of this machine that passes
		if found, err = j.tested(ctx, changes, nil); err == nil || ctx.Err() != nil {
			return found, err
		}
		if _, fault := j.tested(ctx, nil, nil); fault != nil {
			return found, fault
		}
	}
	return ran{failed: err.Error()}, nil
}

// rewardFile has the reward when the tests have ended.
const rewardFile = "reward"

// tested runs the tests of a task directory, with altered ones if they are not nil. Then pytest says what each did.
func (j *job) tested(ctx context.Context, changes, altered patch.Changes) (ran, error) {
	d := j.directory
	all := maps.Clone(changes)
	if all == nil {
		all = patch.Changes{}
	}
	maps.Copy(all, altered)
	script, copied := "/"+d.Script, ""
	var binds []string
	if altered != nil {
		copied = "export PYTEST_ADDOPTS=-rA\n"
	}
	if tests, err := d.below(d.Tests); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return ran{}, err
		}
		binds, copied = []string{tests}, copied+"mkdir -p /tests\ncp -an --no-preserve=ownership "+shellWord(tests)+"/. /tests/\n"
	}
	if !strings.HasPrefix(d.Script, testsDir+"/") {
		text, err := d.text(d.Script)
		if err != nil {
			return ran{}, err
		}
		all[testsDir+"/"+d.Script] = &patch.File{Data: text, Mode: patch.Regular}
		script = "/" + testsDir + "/" + d.Script
	}
	return j.inBox(ctx, work{
		script: copied + exports(d.TestVariables) + "mkdir -p /logs/verifier /logs/agent\ncd " + shellWord(d.plan.Workdir) + "\n" +
			"bash " + shellWord(script) + " </dev/null >&4 2>&1 4>&-\ncode=$?\n" +
			"cat /logs/verifier/reward.json >/tmp/work/" + rewardFile + " 2>/dev/null || cat /logs/verifier/reward.txt >/tmp/work/" + rewardFile + " 2>/dev/null\nexit $code",
		changes: all, binds: binds, outputs: []string{rewardFile}, most: int64(j.task.Limits.ForRepository().OutputKB) << 10,
	})
}

// directoryTests lists the tests that pytest reports.
func (j *job) directoryTests(ran ran) (tests []Test) {
	reported := j.parser.Parse(ran.log)
	for _, id := range slices.Sorted(maps.Keys(reported.Status)) {
		status := reported.Status[id]
		if reported.Contradicted[id] {
			status = testlog.Failed
		}
		t := Test{ID: id, List: failToPass, Passed: status.Good() || status == testlog.Skipped, Status: status}
		if !t.Passed {
			t.Output = reported.Output[id]
		}
		tests = append(tests, t)
	}
	return tests
}

// reward returns what an answer has earned, from 0 to 1, and why it is not 1.
func (j *job) reward(ran ran, tests []Test) (float64, string) {
	if j.directory.Kind == benchmark.TerminalBench {
		passed := 0
		for _, t := range tests {
			if t.Passed {
				passed++
			}
		}
		if len(tests) == 0 {
			return 0, fmt.Sprintf("no test was reported; %s exited with %d", j.directory.Script, ran.end.Exit)
		}
		return float64(passed) / float64(len(tests)), fmt.Sprintf("%d of %d tests pass", passed, len(tests))
	}
	text := strings.TrimSpace(ran.report)
	if text == "" {
		return 0, fmt.Sprintf("the tests wrote no reward; %s exited with %d", j.directory.Script, ran.end.Exit)
	}
	value, err := strconv.ParseFloat(text, 64)
	rewards := map[string]float64{}
	switch {
	case err == nil:
	case json.Unmarshal([]byte(text), &rewards) != nil || len(rewards) == 0:
		return 0, fmt.Sprintf("the reward %.60q is neither a number nor an object of numbers", text)
	default:
		var named bool
		if value, named = rewards["reward"]; !named {
			value = slices.Min(slices.Collect(maps.Values(rewards)))
		}
	}
	if math.IsNaN(value) {
		value = 0
	}
	return value, fmt.Sprintf("the reward is %v of 1", value)
}

// auditDirectory returns what a person has to look at in an answer that is resolved.
func (j *job) auditDirectory(answer patch.Changes) (reasons []string) {
	within := strings.TrimPrefix(j.directory.plan.Workdir, "/") + "/"
	for _, name := range answer.Paths() {
		file, known := answer[name], j.known[name]
		if _, both := j.known[name]; both && (file == nil || known.Equal(file)) {
			continue
		}
		if file == nil {
			continue
		}
		switch {
		case file.Mode == patch.Link:
			reasons = append(reasons, name+" is a symbolic link")
			continue
		case isProtected(name):
			reasons = append(reasons, name+" is a file that decides how tests are built or run")
		case known == nil && within != "/" && !strings.HasPrefix(name, within):
			reasons = append(reasons, name+" is outside of the working directory, and the reference does not change it")
		}
		reasons = append(reasons, j.touches(touched, name, file, known)...)
	}
	return reasons
}

// answeredDirectory returns the changes that an answer makes: those it states, or those its script makes.
func (j *job) answeredDirectory(ctx context.Context, answer string) (patch.Changes, error) {
	text, found := j.directory.ScriptOf(answer)
	if !found {
		return j.answered(answer)
	}
	done, err := j.script(ctx, "", text, nil)
	if err != nil {
		return nil, err
	}
	if done.TooMuch {
		return nil, errTooMuch
	}
	return applied(j.base, done.Diff)
}
