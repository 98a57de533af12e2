package repository

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/dockerfile"
	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

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
