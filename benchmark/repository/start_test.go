package repository_test

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/data/sampled"
)

// pytestDir is a directory with pytest that boxes can see, from ASSAY_PYTEST.
var pytestDir = cmp.Or(os.Getenv("ASSAY_PYTEST"), "/nonexistent")

// TestNoModuleIsReplaced: whatever the runner imports, and whatever belongs to the interpreter, is not taken from
// files that an answer adds, nor is what they can do without: as modules, packages, links to them and with a program for -m, in both directories of
// the path and in the runner's own.
func TestNoModuleIsReplaced(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for runner, command := range map[string]string{"unittest": "python3 -m unittest -v", "pytest": "pytest -rA"} {
		cmd := exec.CommandContext(t.Context(), "python3", "-c", "import sys, "+runner+"\nprint(*sorted({n.split('.')[0] for n in sys.modules} | set(sys.stdlib_module_names)))")
		cmd.Env = append(cmd.Environ(), "PYTHONPATH="+pytestDir)
		out, err := cmd.Output()
		if err != nil {
			t.Logf("%s: %v", runner, err)
			continue
		}
		names := slices.DeleteFunc(append(strings.Fields(string(out)), "sitecustomize", "usercustomize",
			"_manylinux", "argcomplete", "colorama", "exceptiongroup", "org", "pygments"), func(name string) bool { return name == "__main__" })
		const taken = "import sys\nsys.stderr.write('\\ntaken: ' + __name__ + '\\n')\n"
		for shape, add := range map[string]func(patch.Changes, string){
			"modules": func(c patch.Changes, name string) {
				c[name+".py"] = &patch.File{Data: []byte(taken), Mode: patch.Regular}
			},
			"packages": func(c patch.Changes, name string) {
				maps.Copy(c, changesOf(map[string]string{name + "/__init__.py": taken, name + "/__main__.py": taken}))
			},
			"links": func(c patch.Changes, name string) {
				c["shop/taken/__init__.py"] = &patch.File{Data: []byte(taken), Mode: patch.Regular}
				link(c, name, strings.Repeat("../", strings.Count(name, "/"))+"shop/taken")
			},
		} {
			t.Run(runner+" "+shape, func(t *testing.T) {
				sampled.Row(t, 3)
				t.Parallel()
				p := projects["unittest"]
				p.env.Test, p.env.Parser = []string{command}, runner
				if runner == "pytest" {
					p.env.Libraries, p.env.Variables = []string{pytestDir}, map[string]string{"PYTHONPATH": "src:.:" + pytestDir}
					p.env.Arguments = benchmark.TestFiles
					p.failToPass = []string{"tests/test_price.py::Price::test_one", "tests/test_price.py::Price::test_some"}
					p.passToPass = []string{"tests/test_price.py::Price::test_none"}
				}
				changes := changesOf(p.reference)
				for _, name := range names {
					add(changes, name)
					add(changes, "src/"+name)
				}
				got, err := r.JudgeChanges(t.Context(), p.task(t), changes)
				if err != nil || got.Outcome != outcomes.Resolved || strings.Contains(got.Log, "taken:") {
					t.Errorf("%s %q %v\n%s", got.Outcome, got.Message, err, got.Log)
				}
			})
		}
	}
}

// TestNoRunnerIsReplaced: what node, go, make and the compiler are made of, or read, is not taken from files that an
// answer adds, wherever they lie.
func TestNoRunnerIsReplaced(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	output := func(name string, args ...string) []string {
		out, err := exec.CommandContext(t.Context(), name, args...).Output()
		if err != nil {
			t.Skip(err)
		}
		return strings.Fields(string(out))
	}
	for _, row := range []struct {
		project string
		files   func() map[string]string
	}{
		{"node", func() map[string]string {
			const taken = "process.stdout.write('\ntaken: ' + __filename + '\n');\n"
			files := map[string]string{"test/.mocharc.js": taken, ".noderc.js": taken, "node": "#!/bin/sh\necho taken: node\n"}
			for _, name := range output("node", "-p", "require('module').builtinModules.concat('test', 'node:test').join(' ')") {
				for _, dir := range []string{"", "test/", "node_modules/", "test/node_modules/"} {
					files[dir+name+".js"], files[dir+name+"/index.js"] = taken, taken
				}
			}
			return files
		}},
		{"go", func() map[string]string {
			files := map[string]string{"go": "#!/bin/sh\necho taken: go\n", "go.env": "GOFLAGS=-run=^$\n", "pkg/tool/linux_amd64/compile": "#!/bin/sh\necho taken: compile\n"}
			for _, name := range strings.Fields("testing testing/internal/testdeps internal/testlog os fmt runtime src/testing vendor/testing") {
				files[name+"/taken.go"] = "package " + name[strings.LastIndex(name, "/")+1:] + "\n\nfunc init() { println(\"taken: " + name + "\") }\n"
			}
			return files
		}},
		{"c", func() map[string]string {
			files := map[string]string{"Makefile.sh": "test:\n\t@echo taken: Makefile\n", "RCS/Makefile,v": "taken:\n", "run": "#!/bin/sh\necho taken: run\n", "test.c.sh": "taken:\n", "price.o": "taken:\n"}
			for _, name := range strings.Fields("cc gcc make as ld cc1 collect2 sh printf crt1.o libc.a libc.so libgcc.a specs") {
				files[name] = "#!/bin/sh\necho taken: " + name + "\n"
			}
			dir := t.TempDir()
			os.WriteFile(dir+"/all.c", []byte("#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n#include <assert.h>\n"), 0o644)
			for _, name := range output("cc", "-M", dir+"/all.c") {
				if _, own, found := strings.Cut(name, "/include/"); found {
					own = strings.TrimPrefix(own, "x86_64-linux-gnu/")
					files[own] = "#error taken: " + own + "\n"
				}
			}
			return files
		}},
	} {
		t.Run(row.project, func(t *testing.T) {
			sampled.Row(t, 3)
			t.Parallel()
			p := projects[row.project]
			task, changes := p.task(t), changesOf(row.files())
			maps.Copy(changes, changesOf(p.reference))
			got, err := r.JudgeChanges(t.Context(), task, changes)
			if err != nil || got.Outcome != outcomes.Resolved || strings.Contains(got.Log, "taken:") {
				t.Errorf("%s %q %v\n%s", got.Outcome, got.Message, err, got.Log)
			}
		})
	}
}

// What a machine lacks is known before a repository is prepared. Preparing one is told, and that it has ended.
func TestPreparingIsTold(t *testing.T) {
	shared := newRunner(t)
	var told []string
	r := &repository.Runner{Box: shared.Box, Shelf: shared.Shelf, Python: shared.Python, Table: shared.Table, Preparing: func(task string) func() {
		told = append(told, "begin "+task)
		return func() { told = append(told, "end "+task) }
	}}
	task := projects["c"].task(t)
	task.Repository.Environment.Prepare = []string{"false"}
	if err := r.Lacks(t.Context(), task); err != nil || len(told) > 0 {
		t.Errorf("%v, %q", err, told)
	}
	if err := r.Ready(t.Context(), task); err == nil || strings.Join(told, ", ") != "begin shop/1, end shop/1" {
		t.Errorf("%v, %q", err, told)
	}
	task.Repository.Source, task.Repository.Name = "", "nobody/nothing"
	if err := r.Lacks(t.Context(), task); err == nil || !strings.Contains(err.Error(), "nobody/nothing is not on this machine") {
		t.Errorf("%v", err)
	}
}
