package repository

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
	"assay/data/disk"
	"assay/data/program"
	"assay/data/tomlfile"
)

// row is an entry of the table.
type row struct {
	Repository string   `toml:"repository"`
	Versions   []string `toml:"versions"` // none: all others
	benchmark.Environment
}

// Table is what the tests of repositories need. A row for a task in an earlier file comes before all in later ones.
type Table struct{ files [][]row }

// LoadTable reads the bundled table, whose text is given, after the rows of the user's own file if there is a
// path. Errors name the file, the line and the key.
func LoadTable(bundled, own string) (*Table, error) {
	table := &Table{}
	if own != "" {
		text, err := disk.ReadFile(own, disk.Table)
		if err != nil {
			return nil, fmt.Errorf("the table of environments cannot be read: %w", err)
		}
		if err := table.add(own, string(text)); err != nil {
			return nil, err
		}
	}
	return table, table.add("environments.toml", bundled)
}

// add appends the rows of a file.
func (t *Table) add(name, text string) error {
	var file struct {
		Environment []row `toml:"environment"`
	}
	decoded, err := tomlfile.Decode(name, text, &file, "a row [[environment]] has repository, versions, toolchain, version, packages, "+
		"libraries, variables, prepare, test, arguments, parser, fail_only, planted and image")
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for i, r := range file.Environment {
		at := fmt.Sprintf("environment.%d", i)
		if r.Repository == "" {
			return decoded.Wrong(at+".repository", "the key is missing; write the name of the repository, as in pallets/flask")
		}
		for _, problem := range r.Problems() {
			field, rest, _ := strings.Cut(strings.TrimPrefix(problem, `field "`), `"`)
			field, _, _ = strings.Cut(field, "[")
			return decoded.Wrong(at+"."+field, "%s", strings.TrimLeft(rest, ": "))
		}
		versions := r.Versions
		if len(versions) == 0 {
			versions = []string{""}
		}
		for _, version := range versions {
			key := r.Repository + "\x00" + version
			if first, twice := seen[key]; twice {
				return decoded.Wrong(at+".versions", "row %d has %s %s already; keep one", first+1, r.Repository, cmp.Or(version, "without versions"))
			}
			seen[key] = i
		}
	}
	t.files = append(t.files, file.Environment)
	return nil
}

// ErrNoEnvironment is wrapped by the error of a repository of which neither the task nor the table knows the tests.
var ErrNoEnvironment = errors.New("how the repository's tests run is not known")

// Environment returns what a task's tests need: the task's own fields, and others from the first row for its
// repository and version. Without a row and without a command and a parser of its own, the error says what
// to write where.
func (t *Table) Environment(r *benchmark.Repository) (benchmark.Environment, error) {
	e := r.Environment
	if row := t.find(r); row != nil {
		e = merge(e, row.Environment)
	}
	if len(e.Test) == 0 || e.Parser == "" {
		versions := ""
		if r.Version != "" {
			versions = fmt.Sprintf("versions = [%q], ", r.Version)
		}
		return e, fmt.Errorf("%w: add a row with repository = %q, %stest and parser to your table of environments, "+
			"or \"test\" and \"parser\" to the task's \"environment\"", ErrNoEnvironment, r.Name, versions)
	}
	return e, nil
}

// find returns the row for a repository, or nil. In a file, a row that names the version comes before one without
// versions.
func (t *Table) find(r *benchmark.Repository) *row {
	for _, rows := range t.files {
		for _, named := range []bool{true, false} {
			i := slices.IndexFunc(rows, func(row row) bool {
				return row.Repository == r.Name && (named && slices.Contains(row.Versions, r.Version) || !named && len(row.Versions) == 0)
			})
			if i >= 0 {
				return &rows[i]
			}
		}
	}
	return nil
}

// merge fills in the fields of an environment that are not set.
func merge(e, from benchmark.Environment) benchmark.Environment {
	list := func(own, other []string) []string {
		if len(own) > 0 {
			return own
		}
		return other
	}
	if len(e.Test) == 0 {
		e.Test, e.Arguments = from.Test, cmp.Or(e.Arguments, from.Arguments)
	}
	if e.Toolchain == "" || e.Toolchain == from.Toolchain {
		e.Toolchain, e.Version = from.Toolchain, cmp.Or(e.Version, from.Version)
	}
	variables := maps.Clone(from.Variables)
	if variables == nil {
		variables = map[string]string{}
	}
	maps.Copy(variables, e.Variables)
	e.Variables = variables
	e.Packages, e.Libraries, e.Prepare = list(e.Packages, from.Packages), list(e.Libraries, from.Libraries), list(e.Prepare, from.Prepare)
	if e.Parser == "" {
		e.Parser, e.FailOnly = from.Parser, from.FailOnly
	}
	if len(e.Planted) == 0 {
		e.Planted = from.Planted
	}
	e.Image = cmp.Or(e.Image, from.Image)
	return e
}

// notTests are endings of files of a test patch that are data of tests, as SWE-bench's harness has them.
var notTests = []string{".json", ".png", "csv", ".txt", ".md", ".jpg", ".jpeg", ".pkl", ".yml", ".yaml", ".toml"}

// testFiles returns the files that a test patch changes or adds and that a runner may be given.
func testFiles(testPatch string) ([]string, error) {
	if strings.TrimSpace(testPatch) == "" {
		return nil, nil
	}
	names, err := patch.Paths(testPatch)
	if err != nil {
		return nil, fmt.Errorf("the test patch: %w", err)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(notTests, func(end string) bool { return strings.HasSuffix(name, end) })
	}), nil
}

// TestCommand returns the shell commands that run a task's tests, with their arguments.
func TestCommand(e benchmark.Environment, testPatch string) ([]string, error) {
	commands := slices.Clone(e.Test)
	if e.Arguments == benchmark.NoArguments || len(commands) == 0 {
		return commands, nil
	}
	files, err := testFiles(testPatch)
	if err != nil {
		return nil, err
	}
	commands[len(commands)-1] += arguments(e, files)
	return commands, nil
}

// arguments returns what is appended to the command so that it runs the tests of files.
func arguments(e benchmark.Environment, files []string) (words string) {
	for _, file := range files {
		switch e.Arguments {
		case benchmark.NoArguments:
			return ""
		case benchmark.TestModules:
			file = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(path.Clean(file), "tests/"), ".py"), "/", ".")
		}
		words += " " + shellWord(file)
	}
	return words
}

// shellWord quotes a word for a shell if necessary.
func shellWord(word string) string { return program.Word(word) }
