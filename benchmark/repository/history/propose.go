package history

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/benchmark"
	"assay/benchmark/author"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
)

// Tests runs the tests of proposed tasks; see [repository.Runner].
type Tests interface {
	Lists(ctx context.Context, task *benchmark.Task) (failToPass, passToPass []string, err error)
	CheckGold(ctx context.Context, task *benchmark.Task, rounds int) (outcomes.Gold, error)
}

// Options say how commits become tasks.
type Options struct {
	Tests       Tests
	Folder      string                // of the benchmark, made if it does not exist
	Name        string                // of the repository; "": that of its directory
	Environment benchmark.Environment // zero: what is usual for the language
	Rounds      int                   // how often all tests must pass with the reference
	Most        int                   // how many tasks are written; 0: all
}

// Proposal is what became of a commit.
type Proposal struct {
	Commit     string `json:"commit"`
	Title      string `json:"title"`
	Task       string `json:"task,omitempty"`    // the id of the task that was written
	Problem    string `json:"problem,omitempty"` // why there is none
	Exists     bool   `json:"exists,omitempty"`  // the folder had the task already
	Ran        bool   `json:"ran,omitempty"`     // its tests ran, or were to
	FailToPass int    `json:"fail_to_pass"`
	PassToPass int    `json:"pass_to_pass"`
}

// Propose writes a task for each commit of the range whose tests fail before it and pass after it, and the bundle that
// has their base commits. Commits whose task the folder has are not tried again. It calls tell after each commit.
func (r *Repository) Propose(ctx context.Context, commits []Commit, o Options, tell func(Proposal)) (err error) {
	o.Name = cmp.Or(o.Name, strings.TrimSuffix(filepath.Base(strings.TrimSuffix(r.dir, "/.git")), ".git"))
	bundle := strings.ReplaceAll(o.Name, "/", "__") + ".bundle"
	bases, err := basesOf(o.Folder, bundle)
	if err != nil {
		return err
	}
	written := len(bases) == 0
	defer func() {
		if len(bases) > 0 && !written {
			err = errors.Join(err, r.bundle(context.WithoutCancel(ctx), bases, filepath.Join(o.Folder, bundle)))
		}
	}()
	tasks := 0
	for i := range commits {
		c := &commits[i]
		p, task, err := r.propose(ctx, c, o)
		if err != nil {
			return err
		}
		if task != nil {
			task.Repository.Source = bundle
			if _, err := author.Write(o.Folder, task); err != nil {
				return err
			}
			bases, written = append(bases, c.Base), false
		}
		if p.Task != "" {
			tasks++
		}
		tell(p)
		if o.Most > 0 && tasks == o.Most {
			break
		}
	}
	return nil
}

// basesOf returns the base commits of a folder's tasks of the bundle. A folder that does not exist has none.
func basesOf(folder, bundle string) (bases []string, err error) {
	if _, err := os.Stat(filepath.Join(folder, benchmark.FolderFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, author.Free(folder, "new")
	}
	b, err := benchmark.Load(folder)
	if err != nil {
		return nil, err
	}
	for _, task := range b.Tasks {
		if task.Repository != nil && filepath.Base(task.Repository.Source) == bundle {
			bases = append(bases, task.Repository.BaseCommit)
		}
	}
	return bases, nil
}

// propose returns the task of a commit, or nil and why there is none.
func (r *Repository) propose(ctx context.Context, c *Commit, o Options) (p Proposal, task *benchmark.Task, err error) {
	p = Proposal{Commit: c.Hash, Title: c.Title, Problem: c.Unsuitable()}
	if p.Problem != "" {
		return p, nil, nil
	}
	if _, err := os.Lstat(filepath.Join(o.Folder, c.ID())); err == nil {
		p.Task, p.Exists = c.ID(), true
		return p, nil, nil
	}
	p.Ran = true
	if task, err = r.Task(ctx, c, o.Name, o.Environment); err != nil {
		return p, nil, err
	}
	lists := task.Repository
	if lists.FailToPass, lists.PassToPass, err = o.Tests.Lists(ctx, task); err != nil {
		if p.Problem = err.Error(); errors.Is(err, repository.ErrNoEnvironment) {
			p.Problem = "how tests in " + task.Language + " usually run is not known: give --test and --parser"
		}
		return p, nil, context.Cause(ctx)
	}
	if env, ok := wider(c, lists.Environment); ok && len(lists.PassToPass) == 0 && o.Environment.IsZero() {
		all := *task
		own := *lists
		own.Environment, all.Repository = env, &own
		if fail, pass, err := o.Tests.Lists(ctx, &all); err == nil && len(pass) > 0 {
			if gold, err := o.Tests.CheckGold(ctx, withLists(&all, fail, pass), 1); err == nil && gold.Problem == "" {
				task, lists = &all, all.Repository
			}
		}
	}
	p.FailToPass, p.PassToPass = len(lists.FailToPass), len(lists.PassToPass)
	gold, err := o.Tests.CheckGold(ctx, task, o.Rounds)
	if err != nil {
		return p, nil, err
	}
	if p.Problem = gold.Describe(); p.Problem != "" {
		return p, nil, nil
	}
	p.Task = task.ID
	return p, task, task.Check()
}

// withLists sets a task's lists of tests.
func withLists(task *benchmark.Task, failToPass, passToPass []string) *benchmark.Task {
	task.Repository.FailToPass, task.Repository.PassToPass = failToPass, passToPass
	return task
}

// Runs is how often the tests of a commit run before it is a task: before and after it for the lists, before it once
// more, and after it in each round.
func (o Options) Runs() int { return 3 + o.Rounds }
