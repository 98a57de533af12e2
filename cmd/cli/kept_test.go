package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session"
	"assay/store"
)

// keptStudy is a small study in three files.
func keptStudy(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var args []string
	for name, text := range map[string]string{
		"tasks":    "task_id,attempts,satisfied,time_s,type,difficulty\nA,2,1,81,Numeric,Easy\nB,1,1,30,structural,hard\n",
		"attempts": "task_id,attempt,duration_s,satisfied\nA,1,41,0\nA,2,40,1\nB,1,30,1\n",
		"ratings":  "task_id,accuracy,conciseness\nA,5,4\nB,3,3\n",
	} {
		path := filepath.Join(dir, name+".csv")
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
		args = append(args, "--"+name, path)
	}
	return args
}

// runKept runs a command line on a store.
func runKept(t *testing.T, storeFile string, args ...string) (out, errs string, code int) {
	t.Helper()
	return clitest.Line(Run).On(t, storeFile, args...)
}

// mustKept is runKept for a command line that succeeds.
func mustKept(t *testing.T, storeFile string, args ...string) (out, errs string) {
	t.Helper()
	return clitest.Line(Run).Must(t, storeFile, args...)
}

func TestImportThenReportExportVerifyRebuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "assay.db")
	out, errs := mustKept(t, file, append([]string{"session", "import", "--name", "old study"}, keptStudy(t)...)...)
	id := strings.TrimSpace(out)
	if len(id) != 26 || !strings.Contains(errs, `is read as "numerical"`) {
		t.Fatalf("import says %q, %q", out, errs)
	}
	for _, meant := range []string{id, strings.ToLower(id), id[:20], "last"} {
		out, _ = mustKept(t, file, "report", meant)
		if !strings.Contains(out, "**1.50 (n = 2;") || !strings.Contains(out, "old study") {
			t.Errorf("report %s:\n%s", meant, out)
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	out, errs = mustKept(t, file, "report", "last", "--out", dir, "--json")
	if !json.Valid([]byte(out)) || !strings.Contains(errs, "open "+filepath.Join(dir, "report.html")) {
		t.Errorf("report --out --json: %s\n%s", out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "dataset", "documentation", "codebook.csv")); err != nil {
		t.Error(err)
	}
	out, _ = mustKept(t, file, "session", "export", "last")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); !strings.Contains(lines[0], `"session_opened"`) || !strings.Contains(lines[len(lines)-1], `"session_closed"`) {
		t.Errorf("export:\n%s", out)
	}
	out, _ = mustKept(t, file, "session", "verify")
	if !strings.Contains(out, "✓ "+id) {
		t.Errorf("verify: %s", out)
	}
	out, _ = mustKept(t, file, "session", "rebuild")
	if !strings.Contains(out, "1 session,") || !strings.Contains(out, "wrong before: 0") {
		t.Errorf("rebuild: %s", out)
	}
}

func TestMistakesAreAnswered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "assay.db")
	study := keptStudy(t)
	if _, errs, code := runKept(t, file, "report", "last"); code != console.ExitError || !strings.Contains(errs, "no store at") {
		t.Errorf("no store: %d, %s", code, errs)
	}
	mustKept(t, file, append([]string{"session", "import"}, study...)...)
	if _, errs, code := runKept(t, file, append([]string{"session", "import"}, study...)...); code != console.ExitError || !strings.Contains(errs, "has the same content, tester and model already") {
		t.Errorf("the same tables again: %d, %s", code, errs)
	}
	mustKept(t, file, append([]string{"session", "import", "--again"}, study...)...)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"report"}, console.ExitUsage, "takes sessions"},
		{[]string{"report", "nothing"}, console.ExitError, `no session "nothing"`},
		{[]string{"report", "0"}, console.ExitError, "give more of the id"},
		{[]string{"session", "export", "a", "b"}, console.ExitUsage, "takes one session"},
		{[]string{"session", "verify", "a", "b"}, console.ExitUsage, "one session, one bundle, or none"},
		{[]string{"session", "rebuild", "x"}, console.ExitUsage, "takes no arguments"},
		{[]string{"session", "import"}, console.ExitUsage, "--tasks is missing"},
		{append([]string{"session", "import", "--k", "1"}, study...), console.ExitError, "--k sets another number"},
		{append([]string{"session", "import"}, append(study[:5:5], "absent.csv")...), console.ExitError, "absent.csv"},
	} {
		if _, errs, code := runKept(t, file, c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("assay %v: exit code %d, %s", c.args, code, errs)
		}
	}
}

func TestReadingWhileTheStoreIsInUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "assay.db")
	study := keptStudy(t)
	out, _ := mustKept(t, file, append([]string{"session", "import"}, study...)...)
	id := strings.TrimSpace(out)
	holder, err := store.Open(file, store.Options{Command: "assay"})
	fatal.If(t, err)
	defer holder.Close()
	out, errs := mustKept(t, file, "report", "last", "--json")
	if !strings.Contains(out, id) || !strings.Contains(errs, "snapshot taken") {
		t.Errorf("report from the snapshot: %s", errs)
	}
	for _, args := range [][]string{append([]string{"session", "import"}, study...), {"rebuild"}} {
		if _, errs, code := runKept(t, file, args...); code != console.ExitInUse || !strings.Contains(errs, fmt.Sprint("process ", os.Getpid())) {
			t.Errorf("assay %s: exit code %d, %s", args[0], code, errs)
		}
	}
	fatal.If(t, os.Remove(file+".snapshot"))
	if _, errs, code := runKept(t, file, "report", "last"); code != console.ExitInUse || !strings.Contains(errs, "no snapshot") {
		t.Errorf("without a snapshot: exit code %d, %s", code, errs)
	}
}

// A log that no session can have written is not reported on.
func TestReportOfALogThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "assay.db")
	kept, err := store.Open(file, store.Options{})
	fatal.If(t, err)
	at := session.Stamp{Wall: 1_772_000_000_000, Mono: 1, Process: "p", Boot: "b"}
	plan := session.Plan{Benchmark: "b", K: 5, Tasks: []session.PlanTask{{ID: "t1"}}}
	_, err = kept.Append(t.Context(), "S1", []session.Event{
		{Seq: 1, Stamp: at, Payload: session.Opened{Session: "S1", Plan: plan}},
		{Seq: 2, Stamp: at, Payload: session.TaskClosed{Index: 0, Outcome: session.Satisfied}},
	}, nil)
	if err = errors.Join(err, kept.Close()); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := runKept(t, file, "report", "S1"); code != console.ExitError || out != "" || !strings.Contains(errs, "session S1 cannot be reported") || !strings.Contains(errs, "assay session verify S1") {
		t.Errorf("exit code %d, %s%s", code, out, errs)
	}
	if out, errs, code := runKept(t, file, "difficulty", "--testers"); code != console.ExitError || out != "" || !strings.Contains(errs, "session S1 cannot be read") {
		t.Errorf("difficulty: exit code %d, %s%s", code, out, errs)
	}
}

// From a damaged store everything is read that it and its copies contain, and verify fails for that store.
func TestDamagedStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "assay.db")
	out, _ := mustKept(t, file, append([]string{"session", "import", "--name", "old study"}, keptStudy(t)...)...)
	id := strings.TrimSpace(out)
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	fatal.If(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, 4096), 3*4096)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if out, errs := mustKept(t, file, "study", "watch"); !strings.Contains(out, id) || !strings.Contains(errs, "the store is damaged") {
		t.Errorf("watch prints\n%s%s", out, errs)
	}
	out, errs, code := runKept(t, file, "session", "verify")
	if code != console.ExitError || !strings.Contains(out, "✓ "+id) || !strings.Contains(errs, "the store itself is damaged: 'assay session restore'") {
		t.Errorf("verify prints, with exit code %d,\n%s%s", code, out, errs)
	}
	mustKept(t, file, "session", "restore")
	if out, errs := mustKept(t, file, "session", "verify"); !strings.Contains(out, "✓ "+id) || errs != "" {
		t.Errorf("verify prints after it was restored\n%s%s", out, errs)
	}
}

// TestSyntheticStudyThroughTheCommandLine imports the tables of the paper's synthetic study; session/report
// checks every number, this test that they are imported.
func TestSyntheticStudyThroughTheCommandLine(t *testing.T) {
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "oracles", "miah_zhu")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	file := filepath.Join(t.TempDir(), "assay.db")
	mustKept(t, file, "session", "import", "--tasks", filepath.Join(dir, "miah_zhu_attempts.csv"),
		"--attempts", filepath.Join(dir, "miah_zhu_attempt_rows.csv"), "--ratings", filepath.Join(dir, "miah_zhu_ratings.csv"))
	out, _ := mustKept(t, file, "report", "last")
	for _, want := range []string{
		"**1.61 (n = 100;", "SD 1.37", "99 of 100 = 99.0 % (95 % CI 94.6–100.0)", "| 7 | 1 | 0 | ███████████████████▊ | 99.0 | 94.6–100.0 | 2 | 0.010 | 0.010 | 0.001–0.049 |",
		"| completion | 100 | 47.02 ", "| 54.59 | 31.50 | 25.00–32.00 | 98.60 | 8.00 | 462.00 |", "| completion | type 1 (inverse ECDF) | 98.00 | 148.00 |", "| 36.63 |", "**Total of 40** | 100 | 37.15 |",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	mustKept(t, file, "session", "verify", "last")
}
