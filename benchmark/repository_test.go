package benchmark

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"assay/benchmark/repository/patch"
	"assay/data/fatal"
)

const repositoryTask = `{"assay_benchmark": 1, "name": "b", "tasks": [{"id": "a", "title": "A", "language": "python", "description": "d",
 "reference": "--- a/x\n", "repository": {"name": "o/r", "source": "tree.tar", "base_commit": "0123abc", "test_patch": "--- a/t\n",
 "fail_to_pass": ["t::a"], "pass_to_pass": ["t::b"], "may_change": ["setup.cfg"],
 "environment": {"toolchain": "python", "version": "3.11", "test": ["pytest -rA"], "arguments": "files", "parser": "pytest"}}}]}`

func TestLoadRepository(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "b.json")
	write := func(text string) {
		t.Helper()
		fatal.If(t, os.WriteFile(file, []byte(text), 0o644))
	}
	write(repositoryTask)
	b, err := Load(file)
	fatal.If(t, err)
	r := b.Tasks[0].Repository
	if r == nil || r.Source != filepath.Join(dir, "tree.tar") || r.Environment.Parser != "pytest" || r.FailToPass[0] != "t::a" {
		t.Errorf("%+v", r)
	}
	outside := t.TempDir()
	write(strings.Replace(repositoryTask, "tree.tar", outside, 1))
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "the repository "+outside+" is outside the benchmark's folder") {
		t.Errorf("got %v", err)
	}
}

func TestRepositoryProblems(t *testing.T) {
	for _, tc := range []struct{ old, new, want string }{
		{`"name": "o/r"`, `"name": ""`, `b.json:1: task "a": field "repository.name": "" is not the name of a repository`},
		{`"0123abc"`, `"main"`, `field "repository.base_commit": "main" is not a commit`},
		{`"fail_to_pass": ["t::a"], "pass_to_pass": ["t::b"]`, `"fail_to_pass": [], "pass_to_pass": ["t::b"]`, `field "repository.fail_to_pass" is missing or empty`},
		{`["t::a"]`, `[""]`, `field "repository.fail_to_pass[0]" is empty`},
		{`["t::b"]`, `["t::a"]`, `field "repository.pass_to_pass[0]": the test "t::a" is in fail_to_pass too`},
		{`"may_change"`, `"apply": "whole", "may_change"`, `field "repository.apply": "whole" is not "in_turn"; leave it out`},
		{`"setup.cfg"`, `"../x"`, `field "repository.may_change[0]": "../x": the path leads outside the repository`},
		{`"parser": "pytest"`, `"parser": "nose"`, `field "repository.environment.parser": "nose" is no format of test output`},
		{`"arguments": "files"`, `"arguments": "all"`, `field "repository.environment.arguments": "all" is not one of "files", "modules"`},
		{`"toolchain": "python"`, `"toolchain": "../../proc/self/cwd/x/evil"`, `field "repository.environment.toolchain": "../../proc/self/cwd/x/evil" is not the plain name of a program`},
		{`"pytest -rA"`, `" "`, `field "repository.environment.test[0]" is empty`},
		{`"version": "3.11"`, `"variables": {"A=B": ""}`, `field "repository.environment.variables": "A=B" is not a name`},
		{`"reference"`, `"entry_point": "f", "reference"`, `field "entry_point" does not belong to a task with a repository`},
		{`"reference"`, `"tests": {"style": "script", "script": "x"}, "reference"`, `field "tests": a repository brings its own tests`},
		{`"toolchain"`, `"tools"`, `field "tools" is not known`},
		{`"fail_to_pass": ["t::a"]`, `"fail_to_pass": "t::a"`, `field "repository.fail_to_pass": a list [ … ] is wanted, not a string`},
	} {
		if _, err := Parse("b.json", []byte(strings.Replace(repositoryTask, tc.old, tc.new, 1))); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", tc.new, err, tc.want)
		}
	}
}

// The diffs of a repository in a folder benchmark are files of their own.
func TestRepositoryFolder(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	folder := fstest.MapFS{
		"benchmark.json":       file(`{"assay_benchmark": 1, "name": "b"}`),
		"01-a/task.json":       file(`{"title": "A", "language": "go", "description": "d", "repository": {"name": "o/r", "fail_to_pass": ["T"]}}`),
		"01-a/" + TestPatch:    file("--- a/t\n"),
		"01-a/reference.patch": file("--- a/x\n"),
	}
	b, err := LoadFolder(folder, "b")
	fatal.If(t, err)
	if task := b.Tasks[0]; task.Reference != "--- a/x\n" || task.Repository.TestPatch != "--- a/t\n" {
		t.Errorf("%+v", task)
	}
}

// A prompt for a repository task asks for changes of files, whatever the language.
func TestRepositoryPrompt(t *testing.T) {
	task := &Task{Description: "It fails.", Language: "python", Repository: &Repository{Name: "o/r"}, Constraints: []string{"Keep it."}}
	for level, want := range []string{"", "It fails.\n\n" + AnswerForm + "\n", "It fails.\n\n" + AnswerForm + "\n\nConstraints:\n- Keep it.\n"} {
		if got := task.PromptText(level); got != want {
			t.Errorf("level %d: %q", level, got)
		}
	}
}

// The tests of a repository task are named, and its reference is a diff.
func TestRepositoryTests(t *testing.T) {
	task := &Task{Language: "python", Repository: &Repository{Name: "o/r", FailToPass: []string{"a", "b"}, PassToPass: []string{"c"}, TestPatch: "--- a/t\n"}}
	text := task.TestsText()
	for _, want := range []string{"(FAIL_TO_PASS):\n\n- `a`\n- `b`\n", "(PASS_TO_PASS):\n\n- `c`\n", "```diff\n--- a/t\n```"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if got := task.ReferenceLanguage(); got != "diff" {
		t.Errorf("the reference is in %s", got)
	}
}

// A repository decides how diffs are applied: in turn, one that is in the tree already is taken out of it.
func TestChanges(t *testing.T) {
	answer, err := patch.Read("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n")
	fatal.If(t, err)
	tree := patch.Files{"x": {Data: []byte("two\n"), Mode: patch.Regular}}
	if _, err := (&Repository{}).Changes(answer, tree); err == nil {
		t.Error("a diff was applied twice")
	}
	changes, err := (&Repository{Apply: ApplyInTurn}).Changes(answer, tree)
	if err != nil || string(changes["x"].Data) != "one\n" {
		t.Errorf("%v, %v", changes, err)
	}
}

// A benchmark from a stranger names no file outside of its task directories.
func TestTaskDirectoryOutside(t *testing.T) {
	for _, name := range []string{"../x", "/etc", "a/../../b", "", "./a"} {
		for field := range 4 {
			d := Directory{Kind: Harbor, Dockerfile: "Dockerfile", Context: ".", Tests: "tests", Script: "tests/test.sh"}
			*[]*string{&d.Dockerfile, &d.Context, &d.Tests, &d.Script}[field] = name
			task := Task{ID: "a", Title: "A", Language: "bash", Description: "d", Repository: &Repository{Name: "a/b", FailToPass: []string{"x"}, Directory: &d}}
			if err := task.Check(); err == nil || !strings.Contains(err.Error(), "repository.directory.") {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}
