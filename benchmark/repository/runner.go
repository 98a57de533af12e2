package repository

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
)

// Test is the result of one test of the task's lists.
type Test struct {
	ID     string
	List   string // fail_to_pass or pass_to_pass
	Passed bool
	Status testlog.Status // "": not reported
	Output string         // of a test that failed, as far as the log has it
	Note   string         // why it counts as passed although that is not obvious
}

// Result is the result of judging an answer.
type Result struct {
	Outcome   outcomes.Outcome
	Message   string   // one sentence, for outcomes other than resolved
	Tests     []Test   // FAIL_TO_PASS first, in the task's order
	PutBack   []string // files of the answer that were not its to change
	Sentinels int      // planted tests that guarded the run; 0: nothing did
	Guess     int      // that many tosses of a coin an answer had to guess that does not compute what tests ask for
	ToReview  []string // why a person has to look at an answer that is resolved; see [job.audit]

	Log         string // the beginning and the end of what the tests wrote
	Toolchain   string
	Enforcement map[string]string
	CPU, Wall   time.Duration
	MemoryKB    int64
}

// Runner judges answers to repository tasks. It is safe for concurrent use.
type Runner struct {
	Box    sandbox.Box
	Shelf  *shelf.Shelf // of trees
	Python string       // an interpreter that boxes see, by which they mount trees
	Table  *Table

	// Repositories is a directory with repositories by name, for tasks without a source: OWNER/NAME or
	// OWNER__NAME, each of them a git directory or, with .bundle, a git bundle.
	Repositories string

	// Bundled has the git bundles of the bundled benchmark, whose sources are the only relative ones.
	Bundled fs.FS

	// Preparing is called before the tree of a task is made and prepared, and what it returns after that; nil: it is not.
	Preparing func(task string) (done func())

	toolchains toolchains
	trees      sync.Map // by checkout.Source: the directory of its tree
	controls   sync.Map // by the hash of a task: control
	altered    sync.Map // by the hash of a task, the look and the ids that decide: *alteration
}

// job is the judging of one answer.
type job struct {
	*Runner
	task   *benchmark.Task
	env    benchmark.Environment
	tools  toolchain
	parser testlog.Parser
	dir    string     // of the tree
	commit string     // the directory of the tree before the environment's commands prepared it
	base   patch.Tree // the tree
	root   *os.Root
	tests  patch.Changes // what the test patch changes
	known  patch.Changes // what the reference changes
	files  []string      // of the test patch, for the runner

	directory *directory // nil: the task is no task directory
}

// Judge applies an answer to the task's repository and runs the tests. Whatever the answer does becomes a
// Result; the error is for a cancelled context.
func (r *Runner) Judge(ctx context.Context, task *benchmark.Task, answer string) (Result, error) {
	j, err := r.ready(ctx, task)
	if err != nil {
		return Result{Outcome: outcomes.EnvironmentError, Message: err.Error()}, context.Cause(ctx)
	}
	defer j.root.Close()
	changes, err := j.changesOf(ctx, answer)
	if err == nil && len(changes) == 0 {
		err = errors.New("the answer changes nothing")
	}
	if err != nil && ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	if err != nil { // also of names that no file system has: the task's own patches were read from the same tree
		return Result{Outcome: outcomes.PatchFailed, Message: err.Error(), Toolchain: j.tools.name}, nil
	}
	return j.judge(ctx, changes)
}

// Ready returns why a task's tests cannot run here, or nil.
func (r *Runner) Ready(ctx context.Context, task *benchmark.Task) error {
	j, err := r.ready(ctx, task)
	if err == nil {
		j.root.Close()
	}
	return err
}

// ready is open for a task whose lists hold here as far as is known.
func (r *Runner) ready(ctx context.Context, task *benchmark.Task) (*job, error) {
	j, err := r.open(ctx, task)
	if err != nil {
		return nil, err
	}
	if gold := j.keptGold(); gold.Problem != "" {
		j.root.Close()
		return nil, fmt.Errorf("'assay tasks check' found that the task's own lists do not hold here: %s", gold.Describe())
	}
	return j, nil
}

// Lacks returns what this machine lacks for a task's tests, as far as that is known before anything is prepared, or nil.
func (r *Runner) Lacks(ctx context.Context, task *benchmark.Task) error {
	if task.Repository.Directory != nil {
		_, err := r.foundDirectory(ctx, task)
		return err
	}
	if _, err := r.found(ctx, task); err != nil {
		return err
	}
	_, err := r.source(task.Repository)
	return err
}

// found finds what the tests of a task run with.
func (r *Runner) found(ctx context.Context, task *benchmark.Task) (*job, error) {
	repository := task.Repository
	j := &job{Runner: r, task: task}
	var err error
	if j.env, err = r.Table.Environment(repository); err != nil {
		return nil, err
	}
	if j.parser, err = testlog.Find(j.env.Parser); err != nil {
		return nil, err
	}
	if j.tools, err = r.toolchains.find(ctx, j.env); err != nil {
		return nil, err
	}
	for _, dir := range j.env.Libraries {
		if err := shelf.Reachable(dir); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// open finds and prepares everything that judging answers to a task needs.
func (r *Runner) open(ctx context.Context, task *benchmark.Task) (*job, error) {
	if task.Repository.Directory != nil {
		return r.openDirectory(ctx, task)
	}
	j, err := r.found(ctx, task)
	if err != nil {
		return nil, err
	}
	if r.Preparing != nil {
		defer r.Preparing(task.ID)()
	}
	if j.dir, err = r.directory(ctx, task.Repository); err != nil {
		return nil, err
	}
	j.commit = j.dir
	if len(j.env.Prepare) == 0 && j.env.Toolchain == "go" { // so that no answer waits for what all have in common
		j.env.Prepare = []string{"go build testing testing/internal/testdeps && go test -run '^$' ./... || true"}
	}
	if len(j.env.Prepare) > 0 {
		if err := j.prepare(ctx); err != nil {
			return nil, err
		}
	}
	if j.root, err = os.OpenRoot(j.dir); err != nil {
		return nil, err
	}
	if err := j.readPatches(); err != nil {
		j.root.Close()
		return nil, err
	}
	return j, nil
}

// readPatches applies the task's own patches to the tree.
func (j *job) readPatches() (err error) {
	j.base = patch.FromFS(j.root.FS().(fs.ReadLinkFS))
	if j.tests, err = applied(j.base, j.task.Repository.TestPatch); err != nil {
		return fmt.Errorf("the task's test patch does not apply: %w", err)
	}
	if j.known, err = applied(j.base, j.task.Reference); err != nil {
		return fmt.Errorf("the task's reference patch does not apply: %w", err)
	}
	j.files, err = testFiles(j.task.Repository.TestPatch)
	return err
}

// changesOf returns the changes of an answer.
func (j *job) changesOf(ctx context.Context, answer string) (patch.Changes, error) {
	if j.directory != nil {
		return j.answeredDirectory(ctx, answer)
	}
	return j.answered(answer)
}

// answered returns the changes that an answer states.
func (j *job) answered(text string) (patch.Changes, error) {
	answer, err := patch.Read(text)
	if err != nil {
		return nil, err
	}
	return j.task.Repository.Changes(answer, j.base)
}

// applied returns the changes of a trusted patch, which may be empty.
func applied(base patch.Tree, text string) (patch.Changes, error) {
	if strings.TrimSpace(text) == "" {
		return patch.Changes{}, nil
	}
	answer, err := patch.Read(text)
	if err != nil {
		return nil, err
	}
	return answer.Apply(base)
}

// judge runs the tests in the tree with the changes.
func (j *job) judge(ctx context.Context, changes patch.Changes) (Result, error) {
	if j.directory != nil {
		return j.judgeDirectory(ctx, changes)
	}
	result := Result{Toolchain: j.tools.name}
	if changes == nil {
		changes = patch.Changes{}
	}
	for name := range j.tests { // the test patch decides about its files
		if _, both := changes[name]; both {
			result.PutBack = append(result.PutBack, name)
		}
	}
	slices.Sort(result.PutBack)
	maps.DeleteFunc(changes, func(name string, _ *patch.File) bool { _, both := j.tests[name]; return both })
	result.PutBack = append(result.PutBack, j.putBack(changes)...)
	result.PutBack = append(result.PutBack, apart(changes, j.tests, j.base)...)
	added, own := j.added(changes), maps.Clone(changes)
	maps.Copy(changes, j.tests)
	planted := j.plant(changes)
	result.Sentinels = tests(planted)
	ran, fault, err := j.ran(ctx, changes, planted, added)
	if fault != "" || err != nil {
		result.Outcome, result.Message = outcomes.EnvironmentError, fault
		return result, err
	}
	result.Enforcement, result.CPU, result.Wall, result.MemoryKB = ran.enforcement, ran.end.Usage.CPU, ran.wall, ran.end.Usage.PeakKB
	result.Log = shortened(ran.log)
	reported := ran.results(j.parser)
	for id := range reported.Contradicted { // perhaps by what the program under test prints
		reported.Status[id] = testlog.Failed
	}
	wrong := betrayed(planted, reported.Status, ran.end.Exit)
	if wrong != "" || len(reported.Status) == 0 {
		control, err := j.control(ctx)
		switch {
		case err != nil:
			result.Outcome, result.Message = outcomes.EnvironmentError, err.Error()
			return result, context.Cause(ctx)
		case control.problem != "" && len(reported.Status) == 0:
			result.Outcome, result.Message = outcomes.EnvironmentError, control.problem
			return result, nil
		}
		// Only sentinels that the control run reports tell something about the answer.
		planted = slices.DeleteFunc(planted, func(s sentinel) bool { return !control.guarded[path.Dir(s.path)] })
		result.Sentinels, wrong = tests(planted), betrayed(planted, reported.Status, ran.end.Exit)
	}
	doubt := j.conclude(&result, ran, reported, wrong)
	if countsPasses(result) && len(own) > 0 {
		if err := j.confirm(ctx, &result, own, added, doubt); err != nil {
			return result, err
		}
	}
	if result.Outcome == outcomes.BrokeTests || result.Outcome == outcomes.Partly || result.Outcome == outcomes.Unresolved {
		return result, j.misspelt(ctx, &result, reported)
	}
	return result, nil
}

// ran runs the tests with an answer. If they cannot be started, the task's reference decides whose fault that is:
// where it runs, the fault is the answer's, which then reports no test. Otherwise the fault is returned.
func (j *job) ran(ctx context.Context, changes patch.Changes, planted []sentinel, added []string) (found ran, fault string, err error) {
	for range 2 { // the first time, it may be a fault of this machine that passes
		if found, err = j.run(ctx, changes, planted, added); err == nil || ctx.Err() != nil {
			return found, "", err
		}
		j.controls.Delete(j.task.Hash()) // what ran before tells nothing about this machine now
		if control, fault := j.control(ctx); fault != nil || control.problem != "" {
			return found, err.Error(), context.Cause(ctx)
		}
	}
	return ran{failed: err.Error()}, "", nil
}

// notFound is a shell's exit status for a program that is not installed.
const notFound = 127

// plant adds sentinels to the changes.
func (j *job) plant(changes patch.Changes) []sentinel {
	like := slices.Concat(j.task.Repository.FailToPass, j.task.Repository.PassToPass, []string{""})[0]
	planted := sentinels(j.env, j.files, like, changes.Over(j.base))
	for _, s := range planted {
		changes[s.path] = &patch.File{Data: []byte(s.text), Mode: patch.Regular}
	}
	return planted
}

// control is a run of a task's tests with its reference, or without any answer if it has none.
type control struct {
	problem string // why no test runs; "": some do
	known   map[string]testlog.Status
	guarded map[string]bool // directories whose sentinels are reported as they must be: commands may select other tests
}

// control runs the tests as they must work, once for a task.
func (j *job) control(ctx context.Context) (found control, err error) {
	key := j.task.Hash()
	if known, ok := j.controls.Load(key); ok {
		return known.(control), nil
	}
	changes := maps.Clone(j.known) // without it, tests of a new function do not compile
	maps.Copy(changes, j.tests)
	planted := j.plant(changes)
	ran, err := j.run(ctx, changes, planted, nil)
	if err != nil {
		return found, err
	}
	reported := ran.results(j.parser)
	found.known, found.guarded = reported.Status, map[string]bool{}
	for _, s := range planted {
		found.guarded[path.Dir(s.path)] = betrayed([]sentinel{s}, reported.Status, ran.end.Exit) == ""
	}
	// Without a reference, tests of new functions may not compile, so that only a missing runner is a problem.
	if len(reported.Status) == 0 && (len(j.known) > 0 || ran.end.Exit == notFound) {
		found.problem = fmt.Sprintf("the tests do not run here with %s, whatever the answer: %s", j.tools.name, ran.why())
	}
	j.controls.Store(key, found)
	return found, nil
}

// conclude derives the outcome. Where tests pass but planted ones are not reported, because a test that fails may have
// ended the process, this is a doubt that altered tests can dispel.
func (j *job) conclude(result *Result, ran ran, reported *testlog.Results, wrong string) (doubt string) {
	lists := j.lists()
	grades := testlog.Grade(reported.Status, lists)
	result.Tests = testsOf(grades, lists, reported)
	if result.Message = limitReached(ran.end.Cause, ran.budget); result.Message != "" {
		result.Outcome = limitOutcomes[ran.end.Cause]
		return ""
	}
	passed, outcome := len(grades.FailToPass.Success), grades.Outcome()
	ended := strings.HasSuffix(wrong, "not reported") && outcome != testlog.Resolved
	if ended && passed > 0 {
		doubt = wrong
	}
	switch {
	case wrong != "" && !ended:
		result.Outcome, result.Message = outcomes.Tampered, "the report of the tests cannot be trusted: "+wrong
	case len(reported.Status) == 0:
		for i := range result.Tests { // where lists name failures alone, what is not reported would have passed
			result.Tests[i].Passed = false
		}
		result.Outcome, result.Message = outcomes.Unresolved, cmp.Or(ran.failed, fmt.Sprintf("no test was reported; the runner exited with %d", ran.end.Exit))
	case outcome == testlog.Resolved:
		result.Outcome = outcomes.Resolved
	case len(grades.PassToPass.Failure) > 0:
		result.Outcome = outcomes.BrokeTests
		result.Message = fmt.Sprintf("%d of %d tests fail that passed before; %d of %d tests pass that must pass now",
			len(grades.PassToPass.Failure), len(lists.PassToPass), passed, len(lists.FailToPass))
	default:
		result.Outcome = outcomes.Unresolved
		if passed > 0 {
			result.Outcome = outcomes.Partly
		}
		result.Message = fmt.Sprintf("%d of %d tests pass that must pass now", passed, len(lists.FailToPass))
	}
	return doubt
}

// limitOutcomes are the outcomes of runs that reached a limit.
var limitOutcomes = map[sandbox.Cause]outcomes.Outcome{
	sandbox.CPU: outcomes.TimeLimit, sandbox.CPUTotal: outcomes.TimeLimit, sandbox.Idle: outcomes.TimeLimit, sandbox.Memory: outcomes.MemoryLimit,
	sandbox.Output: outcomes.OutputLimit, sandbox.Files: outcomes.OutputLimit,
}

// testsOf lists the graded tests in the task's order.
func testsOf(g testlog.Grades, lists testlog.Lists, reported *testlog.Results) (tests []Test) {
	for _, list := range []struct {
		name   string
		ids    []string
		passed []string
	}{{failToPass, lists.FailToPass, g.FailToPass.Success}, {"pass_to_pass", lists.PassToPass, g.PassToPass.Success}} {
		good := map[string]bool{}
		for _, id := range list.passed {
			good[id] = true
		}
		for _, id := range list.ids {
			t := Test{ID: id, List: list.name, Passed: good[id], Note: g.Peculiar[id]}
			if key, found := testlog.Match(reported.Status, id); found {
				t.Status = reported.Status[key]
				if !t.Passed {
					t.Output = reported.Output[key]
				}
			}
			tests = append(tests, t)
		}
	}
	return tests
}

var cargoTest = regexp.MustCompile(`\bcargo (\+\S+ )?(test|t)\b`)

// reportFile is where a runner writes its report for machines.
const reportFile = "results.xml"

// run runs the tests in the tree with the changes.
func (j *job) run(ctx context.Context, changes patch.Changes, planted []sentinel, added []string) (ran, error) {
	commands, err := TestCommand(j.env, j.task.Repository.TestPatch)
	if err != nil {
		return ran{}, err
	}
	last := &commands[len(commands)-1]
	for _, s := range planted {
		*last += arguments(j.env, s.args)
	}
	if len(planted) > 0 && j.parser.Name == "cargo" { // which otherwise ends after the program whose test fails
		for i, command := range commands {
			if !strings.Contains(command, "--no-fail-fast") {
				commands[i] = cargoTest.ReplaceAllString(command, "$0 --no-fail-fast")
			}
		}
	}
	var outputs []string
	if strings.HasPrefix(j.parser.Name, "pytest") || j.parser.Name == "seaborn" {
		*last += " -o junit_family=xunit1 --junitxml=/tmp/work/" + reportFile
		outputs = []string{reportFile}
	}
	return j.inBox(ctx, work{
		script:  "(\n" + strings.Join(commands, "\n") + "\n) </dev/null >&4 2>&1 4>&-",
		changes: changes, added: added, outputs: outputs, most: int64(j.task.Limits.ForRepository().OutputKB) << 10,
	})
}

// keptLog is how much of a log is kept.
const keptLog = 64 << 10

// shortened returns the beginning and the end of a log.
func shortened(log string) string {
	if len(log) <= keptLog {
		return strings.ToValidUTF8(log, "\ufffd")
	}
	return strings.ToValidUTF8(log[:keptLog/2], "") + "\n…\n" + strings.ToValidUTF8(log[len(log)-keptLog/2:], "")
}

// lastLine returns the last line that tells something.
func lastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line != "FAIL" {
			last = line
		}
	}
	return last
}
