package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/data/sampled"
)

// The bundled benchmark of repositories.
var bundledFolder = filepath.Join("..", "..", "data", "repositories")

// loadBundled reads the bundled tasks, with the paths of their bundles.
func loadBundled(t *testing.T) []benchmark.Task {
	t.Helper()
	b, err := benchmark.LoadFolder(os.DirFS(bundledFolder), "repositories")
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.Tasks {
		b.Tasks[i].Repository.Source = filepath.Join(bundledFolder, b.Tasks[i].Repository.Source)
	}
	return b.Tasks
}

// ready skips a test whose task needs a program that is missing.
func ready(t *testing.T, r *repository.Runner, task *benchmark.Task) {
	t.Helper()
	needs := map[string][]string{
		"python": {"python3"}, "go": {"go"}, "javascript": {"node"}, "c": {"make", "cc"},
	}[task.Language]
	for _, program := range append(needs, "git") {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	if err := r.Ready(t.Context(), task); err != nil {
		t.Fatal(err)
	}
}

// rounds is how often each reference is judged: ASSAY_ROUNDS, or once.
func rounds() int {
	n, _ := strconv.Atoi(os.Getenv("ASSAY_ROUNDS"))
	return max(1, n)
}

// TestBundledTasks: before a task's change, the tests that must pass after it fail, and all others pass; with
// the reference, all pass; and every recorded answer has the outcome that it promises. Without
// ASSAY_TESTS=all every third task is tried.
func TestBundledTasks(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	answers, err := benchmark.ReadAnswers(os.DirFS(bundledFolder))
	if err != nil {
		t.Fatal(err)
	}
	promised := map[string]int{}
	for _, task := range loadBundled(t) {
		var own []benchmark.RecordedAnswer
		for _, a := range answers {
			if a.Task == task.ID {
				promised[a.Expect]++
				own = append(own, a)
			}
		}
		t.Run(task.ID, func(t *testing.T) {
			sampled.Row(t, 3)
			t.Parallel()
			last := len(own) - 1
			if last < 1 || own[0].Expect == string(outcomes.Resolved) || own[last].Expect != string(outcomes.Resolved) {
				t.Error("a wrong answer comes first, and a right one last")
			}
			ready(t, r, &task)
			gold, err := r.CheckGold(t.Context(), &task, rounds())
			if err != nil || gold.Problem != "" || gold.Rounds != rounds() {
				t.Errorf("%+v, %v", gold, err)
			}
			for _, a := range own {
				checkAnswer(t, r, &task, a)
			}
		})
	}
	for _, outcome := range []outcomes.Outcome{
		outcomes.Resolved, outcomes.Partly, outcomes.Unresolved, outcomes.BrokeTests,
		outcomes.PatchFailed, outcomes.TimeLimit, outcomes.Tampered,
	} {
		if promised[string(outcome)] == 0 {
			t.Errorf("no recorded answer is meant to be %s", outcome)
		}
	}
}

func checkAnswer(t *testing.T, r *repository.Runner, task *benchmark.Task, a benchmark.RecordedAnswer) {
	t.Helper()
	got, err := r.Judge(t.Context(), task, a.Text)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Outcome) != a.Expect {
		t.Errorf("answer %d: got %s (%s), want %s: %s", a.Attempt, got.Outcome, got.Message, a.Expect, got.Log)
	}
	if (a.Fault == "") != (a.Expect == string(outcomes.Resolved)) {
		t.Errorf("answer %d is %s, and its fault is %q", a.Attempt, a.Expect, a.Fault)
	}
	t.Logf("answer %d: %s (%s), put back %v, %v", a.Attempt, got.Outcome, got.Message, got.PutBack, got.Wall)
}

// The benchmark has eight repositories with a history, and tasks of all kinds and difficulties.
func TestBundledRepositories(t *testing.T) {
	tasks := loadBundled(t)
	sources, languages, kinds := map[string]bool{}, map[string]int{}, map[string]int{}
	difficulties := map[benchmark.Difficulty]int{}
	for _, task := range tasks {
		if source := task.Repository.Source; !sources[source] {
			sources[source] = true
			languages[task.Language]++
		}
		kinds[task.Category]++
		difficulties[task.Difficulty]++
		if !slices.Contains([]string{"bug", "feature", "API change", "performance"}, task.Category) {
			t.Errorf("%s is a %q", task.ID, task.Category)
		}
	}
	if len(tasks) != 10 || len(sources) != 8 || len(kinds) != 4 || len(difficulties) != 3 {
		t.Errorf("%d tasks of %d repositories, kinds %v, difficulties %v", len(tasks), len(sources), kinds, difficulties)
	}
	if languages["python"] != 3 || languages["go"] != 2 || languages["javascript"] != 2 || languages["c"] != 1 {
		t.Errorf("repositories by language: %v", languages)
	}
}

// Every bundle can be cloned, has a history, and goes on after the commits from which answers start.
func TestBundledHistories(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	git := func(dir string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for _, task := range loadBundled(t) {
		bundle, err := filepath.Abs(task.Repository.Source)
		if err != nil {
			t.Fatal(err)
		}
		clone := t.TempDir()
		git("", "clone", "--quiet", bundle, clone)
		all, before := git(clone, "rev-list", "HEAD"), git(clone, "rev-list", task.Repository.BaseCommit)
		if n := len(strings.Fields(all)); n < 5 || !strings.HasSuffix(all, "\n"+before) {
			t.Errorf("%s: %d commits, %d up to the base", task.ID, n, len(strings.Fields(before)))
		}
	}
}
