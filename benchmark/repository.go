package benchmark

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
)

// Repository makes a whole repository the task: an answer changes files of it, and its tests decide. The
// statement is the task's description, the reference patch its reference, the limits its limits.
type Repository struct {
	Name    string `json:"name"`              // as in github.com: pallets/flask
	Version string `json:"version,omitempty"` // selects a row of the table of environments, with the name

	// Source is a directory, a tar archive, a git bundle or a git directory, relative to the benchmark's
	// file. If it is empty, it is looked up by name where the user keeps repositories.
	Source     string `json:"source,omitempty"`
	BaseCommit string `json:"base_commit,omitempty"` // in a source with history: what answers start from

	TestPatch  string   `json:"test_patch,omitempty"`   // a unified diff with the tests, applied after the answer
	FailToPass []string `json:"fail_to_pass,omitempty"` // tests that fail before the change and pass after it
	PassToPass []string `json:"pass_to_pass,omitempty"`

	// Apply is how an answer that is a diff is applied.
	Apply Application `json:"apply,omitempty"`

	// MayChange are files that configure the test runner but that an answer may change.
	MayChange []string `json:"may_change,omitempty"`

	// Environment is what the tests need. Fields that are not set come from the table of environments.
	Environment Environment `json:"environment,omitzero"`

	// Directory makes the source another tool's task directory, which brings its own tests and environment.
	Directory *Directory `json:"directory,omitempty"`
}

// Directory is what another tool's task directory says. Files are named relative to it.
type Directory struct {
	Kind       DirectoryKind `json:"kind"`
	Digest     string        `json:"digest"`             // the SHA-256 of all of its files
	Dockerfile string        `json:"dockerfile"`         // which the environment is made by
	Context    string        `json:"context"`            // the directory of what it copies
	Tests      string        `json:"tests"`              // the directory that is /tests when the tests run
	Script     string        `json:"script"`             // runs the tests
	Solution   string        `json:"solution,omitempty"` // the script of the reference solution; "": none

	Variables        map[string]string `json:"variables,omitempty"`          // of every program
	TestVariables    map[string]string `json:"test_variables,omitempty"`     // of the tests also
	SolveVariables   map[string]string `json:"solve_variables,omitempty"`    // of the reference solution also
	AgentTimeSeconds float64           `json:"agent_time_seconds,omitempty"` // in which an agent works there; 0: not given
}

// ScriptOf returns the script of an answer to a task directory, which makes the changes that others state: the answer
// itself, or its only fenced block, if it begins with #!.
func (d *Directory) ScriptOf(answer string) (script string, found bool) {
	if text := strings.TrimSpace(answer); strings.HasPrefix(text, "#!") {
		return text + "\n", true
	}
	blocks := fenced.FindAllStringSubmatch(answer, -1)
	if len(blocks) != 1 || !strings.HasPrefix(blocks[0][1], "#!") {
		return "", false
	}
	return blocks[0][1], true
}

var fenced = regexp.MustCompile("(?ms)^```[^`\\n]*\\n(.*?)^```[ \\t]*$")

// DirectoryKind is the tool whose task directory it is.
type DirectoryKind string

// The kinds of task directories.
const (
	TerminalBench DirectoryKind = "terminal-bench" // task.yaml; all tests that pytest reports must pass
	Harbor        DirectoryKind = "harbor"         // task.toml; the tests write a reward, which must be 1
)

// Application is how an answer that is a diff is applied.
type Application string

// The ways of applying a diff.
const (
	ApplyWhole  Application = ""        // as `git apply` does, or else as `patch` does, each on the untouched tree
	ApplyInTurn Application = "in_turn" // as SWE-bench's harness does; see [patch.Answer.ApplyInTurn]
)

// Changes returns what an answer changes in the repository's tree. The error is a [patch.Failure], unless the tree
// cannot be read.
func (r *Repository) Changes(answer *patch.Answer, base patch.Tree) (patch.Changes, error) {
	if r.Apply == ApplyInTurn {
		return answer.ApplyInTurn(base)
	}
	return answer.Apply(base)
}

// Environment is what the tests of a repository need.
type Environment struct {
	Toolchain string   `json:"toolchain,omitempty" toml:"toolchain"` // python, go, node, …
	Version   string   `json:"version,omitempty" toml:"version"`     // of the toolchain: 3.9
	Packages  []string `json:"packages,omitempty" toml:"packages"`   // packages as its package manager names them: click==8.0.1
	Libraries []string `json:"libraries,omitempty" toml:"libraries"` // directories of packages for programs to read

	Variables map[string]string `json:"variables,omitempty" toml:"variables"` // environment variables
	Prepare   []string          `json:"prepare,omitempty" toml:"prepare"`     // shell commands, run once in a fresh tree
	Test      []string          `json:"test,omitempty" toml:"test"`           // shell commands that run the tests
	Arguments TestArguments     `json:"arguments,omitempty" toml:"arguments"` // what is appended to the last command
	Parser    string            `json:"parser,omitempty" toml:"parser"`       // how the output is read: see testlog.Parsers
	FailOnly  bool              `json:"fail_only,omitempty" toml:"fail_only"` // the output names only tests that failed
	Planted   []Planted         `json:"planted,omitempty" toml:"planted"`     // planted tests for a runner that the program knows none for
	Image     string            `json:"image,omitempty" toml:"image"`         // for isolation by containers
}

// Planted is text to insert into a file that the tests are made of, with {pass} and {fail} for the names of a test
// that must pass and of one that must fail.
type Planted struct {
	File   string `json:"file" toml:"file"`
	Before string `json:"before,omitempty" toml:"before"` // inserted before its first occurrence; "": at the end
	Text   string `json:"text" toml:"text"`
}

// IsZero reports whether nothing is set.
func (e Environment) IsZero() bool {
	return e.Toolchain == "" && e.Version == "" && len(e.Packages) == 0 && len(e.Libraries) == 0 && len(e.Variables) == 0 &&
		len(e.Prepare) == 0 && len(e.Test) == 0 && e.Arguments == "" && e.Parser == "" && !e.FailOnly && len(e.Planted) == 0 && e.Image == ""
}

// TestArguments is what is appended to the command that runs the tests.
type TestArguments string

// The kinds of arguments.
const (
	NoArguments TestArguments = ""
	TestFiles   TestArguments = "files"   // the files of the test patch
	TestModules TestArguments = "modules" // these as dotted modules below tests/, as Django's runner takes them
)

// Problems lists what is wrong with an environment, each with its field and remedy.
func (e Environment) Problems() []string {
	var found []string
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if e.Parser != "" {
		if _, err := testlog.Find(e.Parser); err != nil {
			add("field \"parser\": %v", err)
		}
	}
	if e.Toolchain != "" && !programName.MatchString(e.Toolchain) {
		add("field \"toolchain\": %q is not the plain name of a program, such as ruby", e.Toolchain)
	}
	if !slices.Contains([]TestArguments{NoArguments, TestFiles, TestModules}, e.Arguments) {
		add("field \"arguments\": %q is not one of %q, %q; leave it out for none", e.Arguments, TestFiles, TestModules)
	}
	for name := range e.Variables {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			add("field \"variables\": %q is not a name of an environment variable", name)
		}
	}
	for _, list := range []struct {
		name     string
		commands []string
	}{{"prepare", e.Prepare}, {"test", e.Test}} {
		for i, command := range list.commands {
			if strings.TrimSpace(command) == "" {
				add("field \"%s[%d]\" is empty; it holds a shell command", list.name, i)
			}
		}
	}
	if len(e.Planted) > 0 {
		all := ""
		for i, p := range e.Planted {
			if all += p.Text; !fs.ValidPath(p.File) || p.File == "." {
				add("field \"planted[%d].file\": %q is no file of the repository; write a path as in tests/main.c", i, p.File)
			}
		}
		if !strings.Contains(all, "{pass}") || !strings.Contains(all, "{fail}") {
			add("field \"planted\": no text has {pass} and {fail}; they stand for the names of a test that must pass and of one that must fail")
		}
	}
	return found
}

// programName matches what is only looked for on the PATH.
var programName = regexp.MustCompile(`^[A-Za-z0-9][\w.+-]*$`)

var commitID = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// repositoryProblems lists what is wrong with a task's repository.
func (t *Task) repositoryProblems() []string {
	var found []string
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	r := t.Repository
	if r == nil {
		return nil
	}
	if !t.Tests.IsZero() {
		add("field \"tests\": a repository brings its own tests; remove the field")
	}
	for _, f := range []struct {
		name   string
		filled bool
	}{{"entry_point", t.EntryPoint != ""}, {"prompt", t.Prompt != ""}, {"library", t.Library != ""}} {
		if f.filled {
			add("field %q does not belong to a task with a repository; remove it", f.name)
		}
	}
	if r.Name == "" || strings.ContainsAny(r.Name, " \t\n\x00") {
		add("field \"repository.name\": %q is not the name of a repository; write it as in pallets/flask", r.Name)
	}
	if r.BaseCommit != "" && !commitID.MatchString(r.BaseCommit) {
		add("field \"repository.base_commit\": %q is not a commit: write 7 to 64 hexadecimal digits in lower case", r.BaseCommit)
	}
	if len(r.FailToPass) == 0 {
		add("field \"repository.fail_to_pass\" is missing or empty; without a test that fails before the change, an answer that changes nothing of use passes")
	}
	if r.Apply != ApplyWhole && r.Apply != ApplyInTurn {
		add("field \"repository.apply\": %q is not %q; leave it out for `git apply`, or else `patch`", r.Apply, ApplyInTurn)
	}
	for i, name := range r.MayChange {
		if why := patch.Outside(path.Clean(name)); why != "" {
			add("field \"repository.may_change[%d]\": %q: %s", i, name, why)
		}
	}
	for _, problem := range r.Environment.Problems() {
		add("%s", strings.Replace(problem, `field "`, `field "repository.environment.`, 1))
	}
	if r.Directory != nil {
		found = append(found, r.Directory.problems()...)
	}
	return append(found, r.testProblems()...)
}

// problems lists what is wrong with a task directory's fields: a benchmark may come from a stranger.
func (d *Directory) problems() (found []string) {
	if d.Kind != Harbor && d.Kind != TerminalBench {
		found = append(found, fmt.Sprintf("field \"repository.directory.kind\": %q is not one of %q, %q", d.Kind, Harbor, TerminalBench))
	}
	for _, f := range []struct{ name, value string }{
		{"dockerfile", d.Dockerfile}, {"context", d.Context}, {"tests", d.Tests}, {"script", d.Script}, {"solution", d.Solution},
	} {
		if !fs.ValidPath(f.value) && (f.name != "solution" || f.value != "") {
			found = append(found, fmt.Sprintf("field \"repository.directory.%s\": %q is no path below the task directory; write it as in tests/test.sh", f.name, f.value))
		}
	}
	for field, variables := range map[string]map[string]string{"variables": d.Variables, "test_variables": d.TestVariables, "solve_variables": d.SolveVariables} {
		for name := range variables {
			if name == "" || strings.ContainsAny(name, "=\x00") {
				found = append(found, fmt.Sprintf("field \"repository.directory.%s\": %q is not a name of an environment variable", field, name))
			}
		}
	}
	return found
}

// testProblems lists tests that are named twice or without a name.
func (r *Repository) testProblems() []string {
	var found []string
	seen := map[string]string{}
	for _, list := range []struct {
		name string
		ids  []string
	}{{"fail_to_pass", r.FailToPass}, {"pass_to_pass", r.PassToPass}} {
		for i, id := range list.ids {
			at := fmt.Sprintf("repository.%s[%d]", list.name, i)
			switch {
			case id == "":
				found = append(found, fmt.Sprintf("field %q is empty; it holds the id of a test", at))
			case seen[id] == "fail_to_pass" && list.name == "pass_to_pass":
				found = append(found, fmt.Sprintf("field %q: the test %q is in fail_to_pass too; keep one", at, id))
			}
			seen[id] = list.name
		}
	}
	return found
}
