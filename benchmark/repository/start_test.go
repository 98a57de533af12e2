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
