package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	sessioncmd "assay/cmd/cli/session"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/store"
)

// rehearse runs a session over tasks of a bundled benchmark with recorded answers, at most two attempts
// each, and stores it. Without tasks it uses all.
func rehearse(ctx context.Context, storeFile, name string, tasks int, judge engine.Judge) error {
	s, err := store.Open(storeFile, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	benchmarks, err := inputs.Bundled()
	if err != nil {
		return err
	}
	atOnce := func(string) string { return "0" } // the pace of the recordings
	client, err := llm.Model{Name: "rehearsal", Provider: llm.ProviderRehearsal}.Client(llm.Deps{Getenv: atOnce, Recorded: inputs.Rehearsal()})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(benchmarks, func(b *benchmark.Benchmark) bool { return b.Name == name })
	plan, list, err := session.Choice{
		Benchmark: benchmarks[i], Tasks: tasks, K: 2, Seed: 7,
		Model: session.Model{Name: "rehearsal", Provider: "rehearsal", Recorded: true},
	}.Plan()
	if err != nil {
		return err
	}
	e, err := engine.Begin(ctx, engine.Config{Store: s, Judge: judge, Client: client, Stamp: engine.SystemClock()},
		session.Opened{Session: ulid.Make().String(), Plan: plan, Env: session.Environment{Assay: console.Version(), OS: runtime.GOOS}}, list)
	if err != nil {
		return err
	}
	for e.State().Closed == "" {
		if err := rehearseStep(ctx, e); err != nil {
			return err
		}
	}
	return e.Close(ctx)
}

// rehearseStep does the tester's next step.
func rehearseStep(ctx context.Context, e *engine.Engine) error {
	switch s := e.State(); s.Phase {
	case session.Between:
		return e.OpenTask(ctx)
	case session.Read, session.Compose:
		return e.Send(ctx, "Please solve the task: "+s.Task().Title)
	case session.Review:
		a := s.Attempt()
		switch {
		case a.Verdict == nil || a.Measured == nil:
		case a.Verdict.Verdict == "accepted":
			return e.Judge(ctx, session.DecideSatisfied, true)
		case a.N < s.Plan.K:
			return e.Judge(ctx, session.DecideRefine, true)
		default:
			return e.Judge(ctx, session.DecideGiveUp, true)
		}
	case session.Rate:
		for _, id := range s.Missing() {
			if err := answerForm(ctx, e, id); err != nil {
				return err
			}
		}
		return e.Commit(ctx)
	}
	select {
	case <-e.Changes():
	case <-ctx.Done():
	}
	return ctx.Err()
}

func answerForm(ctx context.Context, e *engine.Engine, id string) error {
	for _, l := range session.Labels() {
		if l.ID == id {
			return e.Label(ctx, id, l.Values[0])
		}
	}
	if id == session.MergeID {
		return e.MergeJudged(ctx, session.MergeJudged{Answer: session.MergeYes})
	}
	return e.Rate(ctx, id, 4)
}

// rehearseCommand is the command `rehearse BENCHMARK TASKS` of the test scripts.
func rehearseCommand() error {
	if len(os.Args) != 3 {
		return errors.New("usage: rehearse BENCHMARK TASKS")
	}
	tasks := 0
	if _, err := fmt.Sscan(os.Args[2], &tasks); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	x := &judges.Execution{}
	defer x.Close()
	if _, err := x.ForEngine(ctx); err != nil {
		return err
	}
	return rehearse(ctx, os.Getenv("ASSAY_STORE"), os.Args[1], tasks, x)
}

// A session judged by quickJudge, whose verdicts are wrong, fails when it is judged again; the rest of its
// bundle passes.
func TestWrongVerdictsAreFound(t *testing.T) {
	judgeHere(t)
	dir := t.TempDir()
	file, out := filepath.Join(dir, "assay.db"), filepath.Join(dir, "study.assay")
	fatal.If(t, rehearse(t.Context(), file, "starter", 4, quickJudge{}))
	mustKept(t, file, "session", "export", "--bundle", out, "last")
	text, errs, code := runKept(t, "", "session", "verify", out)
	if code != console.ExitError || !strings.Contains(text, "recorded accepted 2/2, now ") && !strings.Contains(text, "recorded wrong_answer 1/2, now ") ||
		!strings.Contains(errs, "whole but not reproduced") || !strings.Contains(text, "identical") {
		t.Errorf("exit code %d\n%s%s", code, text, errs)
	}
	if text, errs, code = runKept(t, "", "session", "verify", out, "--no-run"); code != console.ExitOK || !strings.Contains(text, "none judged again, as requested") {
		t.Errorf("--no-run: exit code %d\n%s%s", code, text, errs)
	}
}

// Imported sessions have no prompts and no answers: only chain and report are verified.
func TestBundleOfImportedSessions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "assay.db")
	for range 2 {
		mustKept(t, file, append([]string{"session", "import"}, keptStudy(t)...)...)
	}
	var ids []string
	var rows []struct{ Session string }
	text, _ := mustKept(t, file, "session", "verify", "--json")
	if err := json.Unmarshal([]byte(text), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	for _, r := range rows {
		ids = append(ids, r.Session)
	}
	one, two := filepath.Join(dir, "one.assay"), filepath.Join(dir, "two.assay")
	mustKept(t, file, "session", "export", "--bundle", one, ids[0], ids[1], "last")
	text, _ = mustKept(t, file, "session", "export", "--bundle", two, "--json", ids[1], ids[0])
	var p sessioncmd.Packed
	if err := json.Unmarshal([]byte(text), &p); err != nil || p.Sessions != 2 || len(p.Seal) != 64 {
		t.Errorf("%v: %s", err, text)
	}
	a, errA := os.ReadFile(one)
	b, errB := os.ReadFile(two)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the same sessions in another order give another bundle: %v, %v, %d and %d bytes", errA, errB, len(a), len(b))
	}
	text, _ = mustKept(t, "", "session", "verify", one)
	for _, want := range []string{"2 sessions", "of 0 answers, none compared", "identical", p.Seal} {
		if !strings.Contains(text, want) {
			t.Errorf("verify does not say %q:\n%s", want, text)
		}
	}
}

func TestBundleMistakesAreAnswered(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "assay.db"), filepath.Join(dir, "study.assay")
	mustKept(t, file, append([]string{"session", "import"}, keptStudy(t)...)...)
	mustKept(t, file, "session", "export", "--bundle", out, "last")
	whole := fatal.Read(t, out)
	variant := func(name string, bytes []byte) string {
		path := filepath.Join(dir, name)
		fatal.If(t, os.WriteFile(path, bytes, 0o600))
		return path
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = zip.Write([]byte("some text"))
	_ = zip.Close()
	altered := bytes.Clone(whole)
	altered[len(altered)/2] ^= 0x40
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"session", "export", "--bundle", out, "last"}, console.ExitError, "name another file, or replace it with --force"},
		{[]string{"session", "export", "--bundle", "", "last"}, console.ExitUsage, "--bundle needs the name"},
		{[]string{"session", "export", "--bundle", filepath.Join(dir, "new")}, console.ExitUsage, "one or more sessions"},
		{[]string{"session", "export", "--bundle", filepath.Join(dir, "new"), "nothing"}, console.ExitError, `no session "nothing"`},
		{[]string{"session", "export", "--bundle", filepath.Join(dir, "no", "folder"), "last"}, console.ExitError, "cannot be written"},
		{[]string{"session", "export", "--force", "last"}, console.ExitUsage, "--force, --json, --study and --ratings are for"},
		{[]string{"session", "verify", "--no-run"}, console.ExitUsage, "--no-run is for a bundle"},
		{[]string{"session", "verify", "--isolation", "strict", "last"}, console.ExitUsage, "--isolation is for a bundle"},
		{[]string{"session", "verify", out, "--isolation", "chroot"}, console.ExitUsage, "not \"chroot\""},
		{[]string{"session", "verify", filepath.Join(dir, "absent.assay")}, console.ExitError, "is not a file"},
		{[]string{"session", "verify", dir}, console.ExitError, "is not a file"},
		{[]string{"session", "verify", variant("text", []byte("no bundle\n"))}, console.ExitError, "it is not a bundle"},
		{[]string{"session", "verify", variant("empty", nil)}, console.ExitError, "it is not a bundle"},
		{[]string{"session", "verify", variant("zipped", zipped.Bytes())}, console.ExitError, "get the file again"},
		{[]string{"session", "verify", variant("short", whole[:len(whole)-100])}, console.ExitError, "it is cut short"},
		{[]string{"session", "verify", variant("altered", altered)}, console.ExitError, "get the file again"},
		{[]string{"session", "verify", variant("more", append(bytes.Clone(whole), '\n'))}, console.ExitError, "data after the end"},
	} {
		out, errs, code := runKept(t, file, c.args...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("assay %v: exit code %d, %s\n%s", c.args, code, errs, out)
		}
	}
	mustKept(t, file, "session", "export", "--bundle", out, "--force", "last")
	text, _, code := runKept(t, file, "session", "verify", "--json", filepath.Join(dir, "short"))
	var answer struct {
		OK      bool
		Problem string
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || code != console.ExitError || answer.OK || !strings.Contains(answer.Problem, "cut short") {
		t.Errorf("--json of a broken bundle: %d, %v, %s", code, err, text)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Without a sandbox the verdicts are not compared, which the exit code shows.
func TestBundleWithoutASandbox(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "assay.db"), filepath.Join(dir, "study.assay")
	fatal.If(t, rehearse(t.Context(), file, "starter", 1, quickJudge{}))
	mustKept(t, file, "session", "export", "--bundle", out, "last")
	t.Setenv("PATH", dir) // no podman, no docker
	text, errs, code := runKept(t, "", "session", "verify", out, "--isolation", "podman", "--image", "none")
	if code != console.ExitPartial || !strings.Contains(text, "not compared: ") || !strings.Contains(errs, "could not be compared here") {
		t.Errorf("exit code %d\n%s%s", code, text, errs)
	}
}
