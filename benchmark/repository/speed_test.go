package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/sandbox"
	"assay/data/fatal"
)

// instances returns the instances of SWE-bench in ASSAY_SHARED whose ids begin with a name in ASSAY_INSTANCES.
// Their repositories are in ASSAY_REPOSITORIES.
func instances(t testing.TB) (tasks []benchmark.Task) {
	t.Helper()
	names := strings.Fields(os.Getenv("ASSAY_INSTANCES"))
	if len(names) == 0 {
		t.Skip("ASSAY_INSTANCES names no instances")
	}
	for _, file := range []string{"lite.jsonl", "multilingual.jsonl"} {
		text, err := os.ReadFile(filepath.Join(os.Getenv("ASSAY_SHARED"), "datasets", "swebench", file))
		fatal.If(t, err)
		var wanted strings.Builder // a file with a fault in another instance is none to read
		for line := range strings.Lines(string(text)) {
			if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(line, `"instance_id": "`+name) }) {
				wanted.WriteString(line)
			}
		}
		if wanted.Len() == 0 {
			continue
		}
		path := filepath.Join(t.TempDir(), file)
		fatal.If(t, os.WriteFile(path, []byte(wanted.String()), 0o600))
		b, _, err := format.LoadAs(path, "")
		fatal.If(t, err)
		tasks = append(tasks, b.Tasks...)
	}
	return tasks
}

// BenchmarkInstances compares judging the reference of an instance with running its tests by hand, in turns: in a
// work tree with reference and test patch, without a box. It reports the ratio of the times, and the seconds of
// preparing: what judging takes apart from the tests.
func BenchmarkInstances(b *testing.B) {
	r := newRunner(b)
	for _, task := range instances(b) {
		b.Run(task.ID, func(b *testing.B) {
			if err := r.Ready(b.Context(), &task); err != nil {
				b.Skip(err)
			}
			dir, renew := byHand(b, r, &task)
			var judged, alone, tests time.Duration
			for b.Loop() {
				began := time.Now()
				got, err := r.Judge(b.Context(), &task, task.Reference)
				fatal.If(b, err)
				if got.Outcome != outcomes.Resolved {
					b.Fatalf("%s: %s", got.Outcome, got.Message)
				}
				judged += time.Since(began)
				tests += got.Wall
				renew()
				began = time.Now()
				runByHand(b, r, &task, dir)
				alone += time.Since(began)
			}
			n := float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(judged.Seconds()/n, "judged-s")
			b.ReportMetric(alone.Seconds()/n, "by-hand-s")
			b.ReportMetric(judged.Seconds()/alone.Seconds(), "ratio")
			b.ReportMetric((judged-tests).Seconds()/n, "around-the-box-s")
			b.ReportMetric(60*n/judged.Seconds(), "per-minute")
		})
	}
}

// byHand returns a directory and what makes it a fresh work tree, prepared before reference and test patch were
// applied: otherwise Go would find its compiled tests, and even their results.
func byHand(b *testing.B, r *repository.Runner, task *benchmark.Task) (dir string, renew func()) {
	b.Helper()
	dir = filepath.Join(b.TempDir(), "tree")
	fatal.If(b, os.Mkdir(dir, 0o755))
	source := filepath.Join(r.Repositories, task.Repository.Name)
	cmd := exec.CommandContext(b.Context(), "git", "--git-dir", source, "--work-tree", dir, "checkout", "--force", task.Repository.BaseCommit, "--", ".")
	cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(b.TempDir(), "index"))
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("git checkout: %v: %s", err, out)
	}
	env, err := r.Table.Environment(task.Repository)
	fatal.If(b, err)
	shell(b, r, task, dir, strings.Join(env.Prepare, "\n"))
	fatal.If(b, os.Rename(dir, dir+"-prepared"))
	return dir, func() {
		fatal.If(b, os.RemoveAll(dir))
		fatal.If(b, exec.CommandContext(b.Context(), "cp", "-a", dir+"-prepared", dir).Run())
		for _, text := range []string{task.Reference, task.Repository.TestPatch} {
			cmd := exec.CommandContext(b.Context(), "git", "apply", "-")
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("git apply: %v: %s", err, out)
			}
		}
	}
}

func runByHand(b *testing.B, r *repository.Runner, task *benchmark.Task, dir string) {
	b.Helper()
	env, err := r.Table.Environment(task.Repository)
	fatal.If(b, err)
	commands, err := repository.TestCommand(env, task.Repository.TestPatch)
	fatal.If(b, err)
	shell(b, r, task, dir, strings.Join(commands, "\n"))
}

// shell runs commands with the toolchain that boxes use. Tests that are not in the task's lists may fail.
func shell(b *testing.B, r *repository.Runner, task *benchmark.Task, dir, commands string) {
	b.Helper()
	programs, variables, err := r.Toolchain(b.Context(), task)
	fatal.If(b, err)
	bin := b.TempDir()
	cmd := exec.CommandContext(b.Context(), "/bin/sh", "-c", strings.ReplaceAll(programs, repository.BinDir, bin)+commands)
	cmd.Dir = dir
	for _, v := range variables {
		cmd.Env = append(cmd.Env, strings.NewReplacer(sandbox.TreeDir, dir, "/tmp/work", b.TempDir(), repository.BinDir, bin).Replace(v))
	}
	cmd.Run()
}
