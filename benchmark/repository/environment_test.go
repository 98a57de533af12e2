package repository_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/repository"
	"assay/data"
)

func bundled(t *testing.T) *repository.Table {
	t.Helper()
	table, err := repository.LoadTable(data.Environments(), "")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestEnvironment(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(own, []byte("[[environment]]\nrepository = \"pallets/flask\"\nversions = [\"2.0\"]\ntest = [\"mine\"]\nparser = \"junit\"\n"+
		"[[environment]]\nrepository = \"gin-gonic/gin\"\ntest = [\"all\"]\nparser = \"tap\"\n"+
		"[[environment]]\nrepository = \"o/r\"\ntest = [\"any\"]\nparser = \"tap\"\n"+
		"planted = [{ file = \"t.c\", text = \"\"\"\n{pass}\n{fail}\"\"\" }]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := repository.LoadTable(data.Environments(), own)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name            string
		repository      benchmark.Repository
		command, parser string
	}{
		{"bundled", benchmark.Repository{Name: "pallets/flask", Version: "2.3"}, "pytest -rA", "pytest"},
		{"own row first", benchmark.Repository{Name: "pallets/flask", Version: "2.0"}, "mine", "junit"},
		{"own row for all versions before a bundled one for this", benchmark.Repository{Name: "gin-gonic/gin", Version: "1805"}, "all", "tap"},
		{"own row for all versions", benchmark.Repository{Name: "o/r", Version: "9"}, "any", "tap"},
		{"the task's own command", benchmark.Repository{Name: "pallets/flask", Version: "2.3", Environment: benchmark.Environment{Test: []string{"task"}}}, "task", "pytest"},
		{"the task's own parser", benchmark.Repository{Name: "o/r", Environment: benchmark.Environment{Parser: "junit"}}, "any", "junit"},
		{"without a row", benchmark.Repository{Name: "x/y", Environment: benchmark.Environment{Test: []string{"task"}, Parser: "tap"}}, "task", "tap"},
	} {
		e, err := table.Environment(&tc.repository)
		if err != nil || e.Test[0] != tc.command || e.Parser != tc.parser {
			t.Errorf("%s: %+v, %v", tc.name, e, err)
		}
	}
	if e, err := table.Environment(&benchmark.Repository{Name: "o/r"}); err != nil || len(e.Planted) != 1 || e.Planted[0].Text != "{pass}\n{fail}" {
		t.Errorf("%+v %v", e.Planted, err)
	}
	if _, err := table.Environment(&benchmark.Repository{Name: "x/y", Version: "1"}); err == nil || !strings.Contains(err.Error(), `tests run is not known: add a row with repository = "x/y", versions = ["1"]`) {
		t.Error(err)
	}
	e, err := table.Environment(&benchmark.Repository{Name: "sympy/sympy", Version: "1.9", Environment: benchmark.Environment{Variables: map[string]string{"A": "b"}}})
	if err != nil || e.Variables["A"] != "b" || e.Variables["PYTHONWARNINGS"] == "" {
		t.Errorf("%v %v", e.Variables, err)
	}
}

func TestBadTable(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"[[environment]]\ntest = [\"x\"]\n", "own.toml:1: environment.0.repository: the key is missing"},
		{"[[environment]]\nrepository = \"o/r\"\nparser = \"nose\"\n", `own.toml:3: environment.0.parser: "nose" is no format of test output`},
		{"[[environment]]\nrepository = \"o/r\"\ncommand = \"x\"\n", "own.toml:3: environment.0.command: the key is not known: a row [[environment]] has repository"},
		{"[[environment]]\nrepository = \"o/r\"\ntest = \"x\"\n", "own.toml:3: "},
		{"[[environment]]\nrepository = \"o/r\"\nplanted = [{ file = \"../t\", text = \"{pass}{fail}\" }]\n", `own.toml:3: environment.0.planted: "../t" is no file of the repository`},
		{"[[environment]]\nrepository = \"o/r\"\nplanted = [{ file = \"t\", text = \"{pass}\" }]\n", "own.toml:3: environment.0.planted: no text has {pass} and {fail}"},
		{"[[environment]]\nrepository = \"o/r\"\ntest = [\"\"]\n", "own.toml:3: environment.0.test: is empty; it holds a shell command"},
		{"[[environment]]\nrepository = \"o/r\"\nversions = [\"1\"]\n[[environment]]\nrepository = \"o/r\"\nversions = [\"2\", \"1\"]\n", "own.toml:6: environment.1.versions: row 1 has o/r 1 already"},
	} {
		own := filepath.Join(t.TempDir(), "own.toml")
		if err := os.WriteFile(own, []byte(tc.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := repository.LoadTable(data.Environments(), own); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("got %v, want %q", err, tc.want)
		}
	}
	if _, err := repository.LoadTable(data.Environments(), "missing.toml"); err == nil || !strings.Contains(err.Error(), "missing.toml") {
		t.Error(err)
	}
}

func TestTestCommand(t *testing.T) {
	const patch = "diff --git a/tests/forms/test_a.py b/tests/forms/test_a.py\n--- a/tests/forms/test_a.py\n+++ b/tests/forms/test_a.py\n@@ -1 +1 @@\n-a\n+b\n" +
		"diff --git a/tests/x.json b/tests/x.json\n--- a/tests/x.json\n+++ b/tests/x.json\n@@ -1 +1 @@\n-a\n+b\n" +
		"diff --git a/tests/it's.py b/tests/it's.py\nnew file mode 100644\n--- /dev/null\n+++ b/tests/it's.py\n@@ -0,0 +1 @@\n+b\n" +
		"diff --git a/tests/gone.py b/tests/gone.py\ndeleted file mode 100644\n--- a/tests/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"
	for arguments, want := range map[benchmark.TestArguments]string{
		benchmark.TestFiles:   `run tests/forms/test_a.py "tests/it's.py"`,
		benchmark.TestModules: `run forms.test_a "it's"`,
		benchmark.NoArguments: "run",
	} {
		got, err := repository.TestCommand(benchmark.Environment{Test: []string{"build", "run"}, Arguments: arguments}, patch)
		if err != nil || !slices.Equal(got, []string{"build", want}) {
			t.Errorf("%q: %q, %v", arguments, got, err)
		}
	}
}

// Every instance of Lite has a row, and so have those of the repositories in Go and of preact. All patches
// are read as git reads them.
func TestTableCoversTheDataSets(t *testing.T) {
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		t.Skip("ASSAY_SHARED is not set")
	}
	table := bundled(t)
	covered := []string{"gin-gonic/gin", "caddyserver/caddy", "preactjs/preact", "gohugoio/hugo", "prometheus/prometheus", "hashicorp/terraform"}
	for _, name := range []string{"lite", "multilingual"} {
		b, _, err := format.LoadAs(filepath.Join(shared, "datasets/swebench", name+".jsonl"), "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Tasks {
			task := &b.Tasks[i]
			e, err := table.Environment(task.Repository)
			if name == "multilingual" && !slices.Contains(covered, task.Repository.Name) {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", task.ID, err)
				continue
			}
			if command, err := repository.TestCommand(e, task.Repository.TestPatch); err != nil || len(command) == 0 {
				t.Errorf("%s: %v %v", task.ID, command, err)
			}
		}
	}
}
