package history_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/history"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data"
	"assay/data/fatal"
)

// commit writes files, of which those without text are removed, and commits them with a message.
func commit(t *testing.T, dir, message string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if text == "" {
			fatal.If(t, os.Remove(path))
			continue
		}
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", message)
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

const (
	testsOfTwice = "import unittest\nfrom code import *\n\nclass T(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(4), 8)\n"
	testsOfHalf  = testsOfTwice + "    def test_half(self):\n        self.assertEqual(half(7), 3)\n"
)

// aHistory is a repository with a commit of each kind.
func aHistory(t *testing.T) string {
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	commit(t, dir, "Begin", map[string]string{"code.py": "def twice(n):\n    return n + n + 1\n", "README": "x\n"})
	commit(t, dir, "Twice is twice\n\nIt added one.\n\nSigned-off-by: A <a@example.org>\n", map[string]string{
		"code.py": "def twice(n):\n    return n + n\n", "tests/test_code.py": testsOfTwice})
	commit(t, dir, "Say more", map[string]string{"README": "y\n"})
	commit(t, dir, "Test text", map[string]string{"tests/test_code.py": testsOfTwice + "\n", "README": "z\n"})
	commit(t, dir, "Another name", map[string]string{"code.py": "def twice(n):\n    return 2 * n\n", "tests/test_code.py": testsOfTwice})
	commit(t, dir, "", map[string]string{"code.py": "def twice(n):\n    return n * 2\n", "tests/test_code.py": "\n" + testsOfTwice})
	commit(t, dir, "12- half of «it»", map[string]string{
		"code.py": "def twice(n):\n    return 2 * n\n\n\ndef half(n):\n    return n // 2\n", "tests/test_code.py": testsOfHalf})
	return dir
}

func TestCommits(t *testing.T) {
	r, err := history.Open(t.Context(), aHistory(t))
	fatal.If(t, err)
	commits, err := r.Commits(t.Context(), "HEAD~6..HEAD")
	fatal.If(t, err)
	want := []struct{ title, problem string }{
		{"Twice is twice", ""},
		{"Say more", "it changes no tests"},
		{"Test text", "it changes tests, but no code in a language that assay knows"},
		{"Another name", ""},
		{"", "its message says nothing, or only names an issue or a merge"},
		{"12- half of «it»", ""},
	}
	if len(commits) != len(want) {
		t.Fatalf("%d commits", len(commits))
	}
	for i, c := range commits {
		if c.Title != want[i].title || c.Unsuitable() != want[i].problem {
			t.Errorf("%q: %q, want %+v", c.Title, c.Unsuitable(), want[i])
		}
	}
	if c := commits[0]; c.Message != "Twice is twice\n\nIt added one." || c.ID() != "twice-is-twice-"+c.Hash[:8] || c.Language() != "python" {
		t.Errorf("%+v, %s", c, c.ID())
	}
	if c := commits[5]; c.ID() != "commit-12-half-of-it-"+c.Hash[:8] && benchmark.FolderID(c.ID()) != c.ID() {
		t.Errorf("the folder %s is of the task %s", c.ID(), benchmark.FolderID(c.ID()))
	}
}

// A merged branch is one commit, with what its merge says, or else its commits; one that keeps up with the line is, too.
// The commits of another line that is merged are there one by one, each once.
func TestMerges(t *testing.T) {
	dir := t.TempDir()
	n := 0
	change := func(message string) {
		n++
		commit(t, dir, message, map[string]string{fmt.Sprintf("code%d.py", n): "x = 1\n", fmt.Sprintf("tests/test_%d.py", n): "import x\n"})
	}
	merge := func(branch, message string) {
		git(t, dir, "merge", "--quiet", "--no-ff", "--message", message, branch)
	}
	git(t, dir, "init", "--quiet")
	change("Begin")
	git(t, dir, "branch", "1.x")
	git(t, dir, "checkout", "--quiet", "-b", "one")
	change("wip")
	git(t, dir, "checkout", "--quiet", "main")
	change("Directly\n\nCloses #7")
	git(t, dir, "checkout", "--quiet", "one")
	merge("main", "Merge branch 'main' into one")
	change("wip 2")
	git(t, dir, "checkout", "--quiet", "main")
	merge("one", "Merge pull request #12 from a/one\n\nOne is right\n\nIt was wrong.\nFixes #3, #4.")
	git(t, dir, "checkout", "--quiet", "-b", "12-two")
	change("Two begins\n\nCloses #200")
	change("Two ends")
	git(t, dir, "checkout", "--quiet", "main")
	merge("12-two", "Merge branch '12-two' into 'main'\n\nCloses #200\n\nSee merge request g/p!3")
	git(t, dir, "checkout", "--quiet", "1.x")
	change("An old fault")
	git(t, dir, "checkout", "--quiet", "-b", "fix")
	change("wip 3")
	git(t, dir, "checkout", "--quiet", "1.x")
	merge("fix", "Merge pull request #13 from a/fix\n\nAnother old fault")
	git(t, dir, "checkout", "--quiet", "main")
	merge("1.x", "Merge branch '1.x'")
	change("Closes #9")
	r, err := history.Open(t.Context(), dir)
	fatal.If(t, err)
	commits, err := r.Commits(t.Context(), "HEAD")
	fatal.If(t, err)
	var got []string
	for _, c := range commits {
		got = append(got, fmt.Sprintf("%q %d %s", c.Message, len(c.Tests), c.Unsuitable()))
	}
	want := []string{`"Directly" 1 `, `"One is right\n\nIt was wrong." 2 `, `"Two begins\n\nTwo ends" 2 `, `"An old fault" 1 `, `"Another old fault" 1 `,
		`"" 1 its message says nothing, or only names an issue or a merge`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestErrors(t *testing.T) {
	dir := aHistory(t)
	for _, row := range []struct{ name, dir, span, want string }{
		{"no directory", filepath.Join(dir, "code.py"), "HEAD", "is no directory"},
		{"no repository", t.TempDir(), "HEAD", "is no git repository"},
		{"no such commit", dir, "v1..v2", `the range "v1..v2" cannot be read`},
		{"an option", dir, "--all", "is no range"},
		{"nothing", dir, "", "is no range"},
	} {
		r, err := history.Open(t.Context(), row.dir)
		if err == nil {
			_, err = r.Commits(t.Context(), row.span)
		}
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

func TestIsTest(t *testing.T) {
	for name, want := range map[string]bool{
		"tests/data.json": true, "a/test_b.py": true, "a/b_test.go": true, "src/a.spec.tsx": true, "conftest.py": true, "FooTest.java": true,
		"sympy/core/tests/test_x.py": true, "testing.py": false, "src/contest.py": false, "latest/a.go": false, "attest.js": false,
	} {
		if history.IsTest(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// TestPropose: the commits whose tests show the change become tasks, which can be judged from the folder alone; the
// second time nothing is written.
func TestPropose(t *testing.T) {
	dir := aHistory(t)
	r, err := history.Open(t.Context(), dir)
	fatal.If(t, err)
	commits, err := r.Commits(t.Context(), "HEAD~6..HEAD")
	fatal.If(t, err)
	o := history.Options{Tests: aRunner(t), Folder: filepath.Join(t.TempDir(), "ours"), Name: "own/code", Rounds: 2}
	propose := func() (tasks, problems []string) {
		fatal.If(t, r.Propose(t.Context(), commits, o, func(p history.Proposal) {
			if p.Task != "" && !p.Exists {
				tasks = append(tasks, p.Title)
			} else if p.Problem != "" {
				problems = append(problems, p.Problem)
			}
		}))
		return tasks, problems
	}
	tasks, problems := propose()
	if strings.Join(tasks, ", ") != "Twice is twice, 12- half of «it»" {
		t.Fatalf("tasks of %q; %q", tasks, problems)
	}
	if !strings.Contains(strings.Join(problems, "\n"), "no test fails before the change") {
		t.Errorf("got %q", problems)
	}
	fatal.If(t, os.RemoveAll(dir))
	b, err := benchmark.Load(o.Folder)
	fatal.If(t, err)
	for i := range b.Tasks {
		task := &b.Tasks[i]
		if got, err := o.Tests.(*repository.Runner).Judge(t.Context(), task, task.Reference); err != nil || got.Outcome != outcomes.Resolved {
			t.Errorf("%s: %v, %s %s", task.ID, err, got.Outcome, got.Message)
		}
	}
	half := b.Tasks[0].Repository
	if b.Tasks[0].Title == "Twice is twice" {
		half = b.Tasks[1].Repository
	}
	if strings.Join(half.FailToPass, " ") != "tests.test_code.T.test_half" || strings.Join(half.PassToPass, " ") != "tests.test_code.T.test_twice" {
		t.Errorf("fail_to_pass %q, pass_to_pass %q", half.FailToPass, half.PassToPass)
	}
}

func aRunner(t *testing.T) *repository.Runner {
	t.Helper()
	box, err := sandbox.NewBubblewrap()
	if err == nil {
		err = box.Probe(context.Background())
	}
	if err != nil {
		t.Skip(err)
	}
	table, err := repository.LoadTable(data.Environments(), "")
	fatal.If(t, err)
	trees, remove, err := shelf.Open(box, "test-trees", shelf.Options{MaxBytes: 4 << 30})
	fatal.If(t, err)
	t.Cleanup(remove)
	return &repository.Runner{Box: box, Shelf: trees, Python: "/usr/bin/python3", Table: table}
}
