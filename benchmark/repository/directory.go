package repository

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/dockerfile"
	"assay/benchmark/gateway"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/checkout"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
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
	if err != nil {
		j.root.Close()
	}
	return j, err
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

// environmentTree returns the directory of the environment that the Dockerfile makes. Each of its stages is made once.
func (j *job) environmentTree(ctx context.Context) (string, error) {
	packages, _ := os.ReadFile(dpkgStatus) // elsewhere there are none of Debian's
	base, err := j.Shelf.Get(shelf.Key("task base 2", string(packages)), disk.IsDir, func(dir string) error {
		return cmp.Or(skeleton(dir, packages), sandbox.OwnTree(dir))
	})
	if err != nil {
		return "", err
	}
	var stages []string
	made := map[*dockerfile.Plan]string{nil: base}
	for _, plan := range append(slices.Clone(j.directory.plan.Stages), j.directory.plan) {
		dir, err := j.stageTree(ctx, plan, made[plan.On], stages)
		if err != nil {
			return "", err
		}
		made[plan], stages = dir, append(stages, dir)
	}
	return made[j.directory.plan], nil
}

// stageTree returns the directory of a stage, which begins with a base.
func (j *job) stageTree(ctx context.Context, plan *dockerfile.Plan, base string, stages []string) (string, error) {
	own, place := *j, *j.directory
	tools, err := j.toolchains.find(ctx, benchmark.Environment{Toolchain: plan.Toolchain, Version: plan.Version})
	if err != nil {
		return "", err
	}
	place.plan, own.directory, own.tools, own.dir = plan, &place, tools, base
	key := shelf.Key(append([]string{"task stage 1", place.place, place.Context, plan.Script, tools.name, base, standinProgram}, stages...)...)
	return j.Shelf.Get(key, disk.IsDir, func(dir string) error { return own.build(ctx, dir, stages) })
}

// build does the steps of a stage in a box, and writes what they leave into a directory.
func (j *job) build(ctx context.Context, dir string, stages []string) error {
	var unread error
	task := *j.task
	task.Limits = benchmark.Limits{FileMB: maxPrepared >> 20} // the task's are those of its tests
	j.task = &task
	context, err := j.directory.below(j.directory.Context)
	if err != nil {
		return err
	}
	script := "export ASSAY_CONTEXT=" + shellWord(context) + " ASSAY_BIN=" + binDir
	for i, stage := range stages {
		script += fmt.Sprintf(" ASSAY_STAGE_%d=%s", i, shellWord(stage))
	}
	ran, err := j.inBox(ctx, work{
		script: script + "\n(set -e; . /var/tmp/steps) </dev/null >&4 2>&1 4>&-\ncode=$?\nrm -f /var/tmp/steps\n" +
			"[ $code = 0 ] || echo \"@$(cat /tmp/.step)\" >&4\nexit $code",
		changes: patch.Changes{"var/tmp/steps": {Data: []byte(j.directory.plan.Script), Mode: patch.Regular}},
		binds:   append(slices.Clone(stages), context), most: 64 << 20,
		leave: func(left sandbox.Left) {
			if unread = left.Err; unread == nil {
				unread = cmp.Or(os.CopyFS(dir, os.DirFS(j.dir)), lay(left, dir))
			}
		},
	})
	if err != nil {
		return err
	}
	if ran.end.Cause != "" || ran.end.Exit != 0 {
		log, step, _ := cutLast(ran.log, "\n@")
		return fmt.Errorf("the environment cannot be made here: %s:%s: %s", filepath.Join(j.task.Repository.Source, j.directory.Dockerfile),
			cmp.Or(strings.TrimSpace(step), "1"), cmp.Or(limitReached(ran.end.Cause, ran.budget), saidByStandin(log), lastLine(log), fmt.Sprintf("exit status %d", ran.end.Exit)))
	}
	return cmp.Or(unread, sandbox.OwnTree(dir))
}

// cutLast cuts a text at the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(text, sep); at >= 0 {
		return text[:at], text[at+len(sep):], true
	}
	return text, "", false
}

// saidByStandin returns what a program that stands for another says is missing, or "".
func saidByStandin(log string) (said string) {
	for line := range strings.Lines(log) {
		if text, ours := strings.CutPrefix(strings.TrimSpace(line), "assay: "); ours && strings.Contains(text, "not ") {
			said = text
		}
	}
	return said
}

// standinProgram stands for programs that fetch packages.
//
//go:embed python/standin.py
var standinProgram string

// standins are the programs that it stands for.
const standins = "apt-get apt pip pip3 uv uvx curl wget pytest py.test chown chgrp useradd adduser groupadd usermod"

// setUpDirectory returns shell commands that make the toolchain and the stand-ins available.
func (j *job) setUpDirectory() string {
	tools := j.tools
	python := cmp.Or(tools.programs["python3"], "/usr/bin/python3")
	wrapped := "[ \"$1$2\" = -mpip ] && { shift 2; exec pip \"$@\"; }\n[ \"$1$2\" = -mpytest ] && { shift 2; exec pytest \"$@\"; }\nexec " + shellWord(python) + " \"$@\""
	tools.programs = maps.Clone(tools.programs)
	tools.scripts = map[string]string{"python3": wrapped}
	if tools.programs["python"] != "" {
		tools.scripts["python"] = wrapped
	}
	maps.DeleteFunc(tools.programs, func(name, _ string) bool { return tools.scripts[name] != "" })
	return tools.setUp() + "rm -r " + startDir + "\nmkdir " + startDir + "\nprintf '#!%s -I\\n%s' " + shellWord(python) + " " + shellWord(standinProgram) +
		" >" + binDir + "/standin\nchmod +x " + binDir + "/standin\nfor name in " + standins + "; do ln -s standin " + binDir + "/$name; done\n"
}

// environ returns the environment of every program of a task directory.
func (d *directory) environ(tools toolchain) []string {
	env := map[string]string{"PATH": dockerfile.SystemPath, "HOME": "/root", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "USER": "root", "PYTHONDONTWRITEBYTECODE": "1"}
	for _, pair := range tools.env {
		if name, value, _ := strings.Cut(pair, "="); !strings.Contains(name, "PYTHON") && name != "GOCACHE" {
			env[name] = value
		}
	}
	maps.Copy(env, d.plan.Env)
	maps.Copy(env, d.Variables)
	env["PATH"] = binDir + ":" + env["PATH"]
	return pairs(env)
}

// pairs returns variables as NAME=value.
func pairs(variables map[string]string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		list = append(list, name+"="+variables[name])
	}
	return list
}

// exports returns shell commands that set variables.
func exports(variables map[string]string) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		text += "export " + shellWord(name+"="+variables[name]) + "\n"
	}
	return text
}

// judgeDirectory runs the tests of a task directory with an answer's changes.
func (j *job) judgeDirectory(ctx context.Context, changes patch.Changes) (Result, error) {
	result := Result{Toolchain: j.toolchainOf()}
	answer := patch.Changes{}
	for name, file := range changes {
		if top, _, _ := strings.Cut(name, "/"); slices.Contains([]string{testsDir, logsDir, solutionDir}, top) {
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
		result.ToReview = j.auditDirectory(answer)
	case reward > 0:
		result.Outcome, result.Message = outcomes.Partly, why
	default:
		result.Outcome, result.Message = outcomes.Unresolved, why
	}
	if len(result.Tests) == 0 {
		result.Tests = []Test{{ID: j.directory.Script, List: "fail_to_pass", Passed: reward >= 1, Status: testlog.Failed, Output: lastLine(ran.log)}}
	}
	return result, nil
}

// toolchainOf names what the tests run with.
func (j *job) toolchainOf() string {
	return j.tools.name + " in place of " + j.directory.plan.Image
}

// testedTwice runs the tests. If they cannot be started, the unchanged environment decides whose fault that is: where
// they start with it, it is the answer's.
func (j *job) testedTwice(ctx context.Context, changes patch.Changes) (found ran, err error) {
	for range 2 { // the first time, it may be a fault of this machine that passes
		if found, err = j.tested(ctx, changes); err == nil || ctx.Err() != nil {
			return found, err
		}
		if _, fault := j.tested(ctx, nil); fault != nil {
			return found, fault
		}
	}
	return ran{failed: err.Error()}, nil
}

// rewardFile has the reward when the tests have ended.
const rewardFile = "reward"

// tested runs the tests of a task directory.
func (j *job) tested(ctx context.Context, changes patch.Changes) (ran, error) {
	d := j.directory
	all := maps.Clone(changes)
	if all == nil {
		all = patch.Changes{}
	}
	script := "/" + d.Script
	var binds []string
	copied := ""
	if tests, err := d.below(d.Tests); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return ran{}, err
		}
		binds, copied = []string{tests}, "mkdir -p /tests\ncp -a --no-preserve=ownership "+shellWord(tests)+"/. /tests/\n"
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
		t := Test{ID: id, List: "fail_to_pass", Passed: status.Good() || status == testlog.Skipped, Status: status}
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
		reasons = append(reasons, j.touches(name, file, known)...)
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
