package repository

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/gateway"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

// script runs a script in the environment, and returns what it changes. Below / it finds a copy of a directory of the
// task directory, "": none.
func (j *job) script(ctx context.Context, with, text string, variables map[string]string) (agents.Work, error) {
	limits := j.task.Limits.ForRepository()
	const run = "mkdir /tmp/.script\nprintf %s \"$1\" >/tmp/.script/run.sh\nchmod +x /tmp/.script/run.sh\n/tmp/.script/run.sh\ncode=$?\nrm -rf /solution\nexit $code"
	program := agents.Program{
		Argv: []string{"/bin/bash", "-c", run, "script", text}, Errors: true,
		Time:     max(time.Duration(j.directory.AgentTimeSeconds*float64(time.Second)), seconds(limits.WallSeconds)),
		MemoryMB: limits.MemoryMB, Processes: limits.Processes, OutputMB: limits.OutputKB >> 10, DiskMB: limits.FileMB, Variables: variables, Started: func() {}, Asked: func(gateway.Request) {},
	}
	var said strings.Builder
	program.Output = func(piece []byte) agents.Limit {
		if said.Len() < keptLog {
			said.Write(piece)
		}
		return ""
	}
	if with != "" {
		place, err := j.directory.below(with)
		if err != nil {
			return agents.Work{}, err
		}
		program.Binds = []string{place}
		program.Argv[2] = "mkdir -p /solution\ncp -a --no-preserve=ownership " + shellWord(place) + "/. /solution/\n" + run
	}
	done, err := j.work(ctx, program, patch.Changes{})
	done.Stderr = said.String()
	return done, err
}

// belowRoot returns the target of a link relative to it, where the tree is the whole system: no answer has absolute ones.
func belowRoot(name string, target []byte) []byte {
	if rel, err := filepath.Rel(path.Dir("/"+name), string(target)); err == nil && path.IsAbs(string(target)) {
		return []byte(rel)
	}
	return target
}

// solve runs the reference solution of a task directory, and keeps what it changes. It returns why it cannot.
func (j *job) solve(ctx context.Context) (problem string, err error) {
	d := j.directory
	text, err := d.text(d.Solution)
	if err != nil {
		return "", err
	}
	with := ""
	if d.Kind == benchmark.Harbor {
		with, text = path.Dir(d.Solution), []byte("bash /"+d.Solution+"\n")
	}
	done, err := j.script(ctx, with, string(text), d.SolveVariables)
	switch {
	case err != nil:
		return err.Error(), context.Cause(ctx)
	case done.TooMuch:
		return "the reference solution changes more than an answer can", nil
	case done.Limit != "":
		return fmt.Sprintf("the reference solution reached its limit of %s", done.Limit), nil
	}
	said := cmp.Or(saidByStandin(done.Stderr), reasonOf(done.Stderr), lastLine(done.Stderr))
	if done.Diff == "" {
		return fmt.Sprintf("the reference solution changes nothing that an answer could (exit status %d): %s", done.Exit, said), nil
	}
	if done.Exit != 0 {
		problem = fmt.Sprintf("the reference solution ends with exit status %d: %s", done.Exit, said)
	}
	if j.known, err = applied(j.base, done.Diff); err != nil {
		return "what the reference solution changes is no answer: " + err.Error(), nil
	}
	dir, err := j.Shelf.Get(j.solvedKey(), disk.IsDir, func(string) error { return nil })
	if err != nil {
		return "", err
	}
	return problem, disk.Replace(filepath.Join(dir, solvedFile), 0o644, disk.Bytes([]byte(done.Diff)))
}

// solvedFile is the file of what the reference solution changes, in its entry of the shelf.
const solvedFile = "solution.diff"

func (j *job) solvedKey() string { return shelf.Key("solved 1", j.task.Hash(), filepath.Base(j.dir)) }

// solved returns what the reference solution changes as far as a check has run it.
func (j *job) solved() (patch.Changes, error) {
	dir := filepath.Join(j.Shelf.Dir, j.solvedKey())
	text, err := os.ReadFile(filepath.Join(dir, solvedFile))
	if err != nil {
		return nil, nil
	}
	j.Shelf.Keep(dir)
	return applied(j.base, string(text))
}

// checkDirectory is CheckGold for a task directory.
func (j *job) checkDirectory(ctx context.Context, rounds int) (outcomes.Gold, error) {
	found := outcomes.Gold{Tests: 1, Toolchain: j.toolchainOf()}
	before, err := j.judgeDirectory(ctx, nil)
	if err != nil {
		return found, err
	}
	log := before.Log
	found.Tests = len(before.Tests)
	switch before.Outcome {
	case outcomes.EnvironmentError:
		found.Problem = before.Message
	case outcomes.Resolved:
		found.Problem = "the tests are content before anything is changed"
	}
	failed := ""
	if found.Problem == "" && j.directory.Solution != "" {
		if failed, err = j.solve(ctx); err != nil {
			return found, err
		}
		if len(j.known) == 0 {
			found.Problem = failed
		}
	}
	for found.Problem == "" && j.directory.Solution != "" && found.Rounds < rounds {
		after, err := j.judgeDirectory(ctx, maps.Clone(j.known))
		if err != nil {
			return found, err
		}
		found.Seconds, found.Tests, log = after.Wall.Seconds(), len(after.Tests), after.Log
		if after.Outcome == outcomes.Resolved {
			found.Rounds++
			continue
		}
		found.Differ = differing(after, "", false)
		found.Problem = fmt.Sprintf("with the reference solution the outcome is %s: %s", after.Outcome, after.Message)
		found.Reason = cmp.Or(saidByStandin(after.Log), failed, reasonOf(after.Log))
	}
	return found, errors.Join(j.keepGold(&found, log), context.Cause(ctx))
}
