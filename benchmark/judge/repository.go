package judge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/benchmark/verdicts"
)

// Repositories lets a Judge judge answers to repository tasks.
type Repositories struct {
	Table *repository.Table // what tests need, by repository and version
	Dir   string            // with repositories by name, for tasks without a source; "": none

	Bundled fs.FS // the folder of the bundled benchmark of repositories

	Preparing func(task string) (done func()) // see [repository.Runner]
}

// maxTrees is the size of all trees that are kept.
const maxTrees = 20 << 30

var errNoRepositories = errors.New("the task is a whole repository, which this judge has no table of environments for")

// repositories returns what judges repository tasks.
func (j *Judge) repositories() (*repository.Runner, error) {
	j.runnerOnce.Do(func() {
		if j.runnerErr = j.noPython; j.repository.Table == nil {
			j.runnerErr = errNoRepositories
		}
		if j.runnerErr != nil {
			return
		}
		box := j.box
		if warm, ok := box.(*sandbox.Warm); ok {
			box = warm.Strict()
		}
		trees, remove, err := shelf.Open(box, "trees", shelf.Options{MaxBytes: maxTrees})
		if j.runnerErr = err; err != nil {
			return
		}
		context.AfterFunc(j.ctx, remove)
		j.runner = &repository.Runner{
			Box: box, Shelf: trees, Python: j.python.Executable,
			Table: j.repository.Table, Repositories: j.repository.Dir, Bundled: j.repository.Bundled, Preparing: j.repository.Preparing,
		}
	})
	return j.runner, j.runnerErr
}

// judgeRepository judges an answer to a repository task. The answer is the code as it came: a diff, blocks
// or whole files, perhaps within a text.
func (j *Judge) judgeRepository(ctx context.Context, s verdicts.Submission) (final verdicts.Result, _ error) {
	runner, err := j.repositories()
	if err != nil {
		return NotReady(s.Task, err), nil
	}
	err = j.inTurn(ctx, s.Task, func() (peakKB int64, err error) {
		found, err := runner.Judge(ctx, s.Task, s.Code)
		final = repositoryResult(found)
		return found.MemoryKB, err
	})
	return final, err
}

// inTurn calls run when a worker and the memory that the tests of a repository may use are free.
func (j *Judge) inTurn(ctx context.Context, task *benchmark.Task, run func() (peakKB int64, err error)) error {
	worker, err := j.take(ctx, task)
	if err != nil {
		return err
	}
	defer func() { j.workers <- worker }()
	giveBack, err := j.memory.reserve(ctx, task.ID, task.Limits.ForRepository().MemoryMB)
	if err != nil {
		return fmt.Errorf("judging was interrupted: %w", err)
	}
	peakKB, err := run()
	giveBack(peakKB)
	return err
}

// Lists runs the tests of a repository task before and after its reference; see [repository.Runner.Lists].
func (j *Judge) Lists(ctx context.Context, task *benchmark.Task) (failToPass, passToPass []string, _ error) {
	runner, err := j.repositories()
	if err != nil {
		return nil, nil, err
	}
	err = j.inTurn(ctx, task, func() (_ int64, err error) {
		failToPass, passToPass, err = runner.Lists(ctx, task)
		return 0, err
	})
	return failToPass, passToPass, err
}

// CheckGold checks whether the lists of a repository task hold on this machine, with so many runs of its
// reference; see [repository.Runner.CheckGold].
func (j *Judge) CheckGold(ctx context.Context, task *benchmark.Task, rounds int) (gold outcomes.Gold, _ error) {
	runner, err := j.repositories()
	if err != nil {
		return outcomes.Gold{Problem: err.Error()}, nil
	}
	err = j.inTurn(ctx, task, func() (_ int64, err error) {
		gold, err = runner.CheckGold(ctx, task, rounds)
		return 0, err
	})
	return gold, err
}

// Work starts an agent in a copy of a task's repository, see [repository.Runner.Work]. It reserves the agent's
// memory, and waits until there is room.
func (j *Judge) Work(ctx context.Context, task *benchmark.Task, p agents.Program) (done agents.Work, _ error) {
	runner, err := j.repositories()
	if err != nil {
		return done, err
	}
	giveBack, err := j.memory.reserve(ctx, "agent "+p.Argv[0], p.MemoryMB)
	if err != nil {
		return done, err
	}
	defer func() { giveBack(done.PeakKB) }()
	return runner.Work(ctx, task, p)
}

// Tree returns the tree that answers to a repository task start from. The caller closes it.
func (j *Judge) Tree(ctx context.Context, task *benchmark.Task) (tree patch.Tree, closes func() error, err error) {
	runner, err := j.repositories()
	if err != nil {
		return nil, nil, err
	}
	return runner.Tree(ctx, task)
}

// repositoryVerdicts are the verdicts of outcomes. Isolation keeps the tests from the network and the host,
// not from the answer.
var repositoryVerdicts = map[outcomes.Outcome]verdicts.Verdict{
	outcomes.Resolved: verdicts.Accepted, outcomes.Partly: verdicts.WrongAnswer, outcomes.Unresolved: verdicts.WrongAnswer, outcomes.BrokeTests: verdicts.WrongAnswer,
	outcomes.PatchFailed: verdicts.CompileError, outcomes.TimeLimit: verdicts.TimeLimit, outcomes.MemoryLimit: verdicts.MemoryLimit, outcomes.OutputLimit: verdicts.OutputLimit,
	outcomes.Tampered: verdicts.RuntimeError, outcomes.EnvironmentError: verdicts.NotJudged,
}

// believed are the outcomes in which a test that is reported as passed counts as passed.
var believed = []outcomes.Outcome{outcomes.Resolved, outcomes.Partly, outcomes.Unresolved, outcomes.BrokeTests}

// repositoryResult has a case for each test of the task's lists.
func repositoryResult(found repository.Result) verdicts.Result {
	r := verdicts.Result{
		Verdict: repositoryVerdicts[found.Outcome], Message: verdicts.StripEscapes(found.Message), Resolution: found.Outcome, PutBack: found.PutBack, ToReview: found.ToReview,
		Stdout: verdicts.Clip(verdicts.StripEscapes(found.Log), 16<<10), CPUMS: found.CPU.Milliseconds(), WallMS: found.Wall.Milliseconds(), MemoryKB: found.MemoryKB,
		Enforcement: found.Enforcement, Interpreter: found.Toolchain, MissingTool: found.Outcome == outcomes.EnvironmentError,
		Total: len(found.Tests),
	}
	if found.Enforcement != nil { // the tests ran
		r.Isolation = verdicts.InProcess
	}
	for i, reason := range r.ToReview {
		r.ToReview[i] = verdicts.StripEscapes(reason)
	}
	for i, test := range found.Tests {
		c := verdicts.CaseResult{Index: i + 1, Name: verdicts.StripEscapes(test.ID), Call: test.List, Status: verdicts.Status(verdicts.WrongAnswer), Message: verdicts.Clip(verdicts.StripEscapes(test.Output), maxSaid)}
		switch {
		case test.Passed && !slices.Contains(believed, found.Outcome):
			c.Status, c.Message = verdicts.NotRun, "reported as passed in a run whose report does not count"
		case test.Passed:
			c.Status, c.Message = verdicts.Passed, test.Note
			r.Passed++
		case test.Status == "":
			c.Status = verdicts.NotRun
		case test.Status == testlog.Error:
			c.Status = verdicts.Status(verdicts.RuntimeError)
		}
		r.Cases = append(r.Cases, c)
	}
	return r
}

// Preparing has a function called before the tree of a repository task is prepared, and what it returns after that. It
// is set before the first task is judged.
func (j *Judge) Preparing(begin func(task string) (done func())) { j.repository.Preparing = begin }

// Lacks returns what this machine lacks for judging a task, or nil. Unlike [Judge.Ready] it prepares no repository.
func (j *Judge) Lacks(task *benchmark.Task) error {
	if task.Repository == nil {
		return j.Ready(task)
	}
	runner, err := j.repositories()
	if err != nil {
		return err
	}
	return runner.Lacks(j.ctx, task)
}

// readyRepository returns why a repository task cannot be judged here, or nil.
func (j *Judge) readyRepository(task *benchmark.Task) error {
	runner, err := j.repositories()
	if err != nil {
		return err
	}
	return runner.Ready(j.ctx, task)
}
