package repository_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/repository"
	"assay/benchmark/repository/testlog"
	"assay/data/fatal"
)

// recordedReport is the part of the harness' report.json that is compared.
type recordedReport struct {
	Applied bool `json:"patch_successfully_applied"`
	Solved  bool `json:"resolved"`
	Tests   *struct {
		FailToPass testlog.Graded `json:"FAIL_TO_PASS"`
		PassToPass testlog.Graded `json:"PASS_TO_PASS"`
	} `json:"tests_status"`
}

// Logs that SWE-bench's harness wrote are graded as in its reports, by test. ASSAY_SWEBENCH_LOGS names a
// folder below which there are folders of instances with report.json and test_output.txt, and ASSAY_SHARED
// the data set with the instances.
func TestGradesAgreeWithTheHarness(t *testing.T) {
	dir, shared := os.Getenv("ASSAY_SWEBENCH_LOGS"), os.Getenv("ASSAY_SHARED")
	if dir == "" || shared == "" {
		t.Skip("ASSAY_SWEBENCH_LOGS and ASSAY_SHARED name no folders with logs of SWE-bench's harness and its data set")
	}
	b, _, err := format.LoadAs(filepath.Join(shared, "datasets/swebench/lite.jsonl"), "")
	if err != nil {
		t.Fatal(err)
	}
	table, graded, resolved := bundled(t), 0, 0
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "report.json" {
			return err
		}
		id := filepath.Base(filepath.Dir(path))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var reports map[string]recordedReport
		if err := json.Unmarshal(text, &reports); err != nil {
			return err
		}
		report := reports[id]
		log, err := os.ReadFile(filepath.Join(filepath.Dir(path), "test_output.txt"))
		if err != nil {
			return err
		}
		task, err := b.Task(id)
		if err != nil {
			t.Logf("%s is not in the data set", id)
			return nil
		}
		graded++
		if report.Solved {
			resolved++
		}
		compareGrades(t, table, task, string(log), report)
		return nil
	})
	if err != nil || graded == 0 {
		t.Errorf("%d logs: %v", graded, err)
	}
	t.Logf("%d logs graded, %d of them resolved", graded, resolved)
}

// compareGrades grades a log and compares the lists.
func compareGrades(t *testing.T, table *repository.Table, task *benchmark.Task, log string, want recordedReport) {
	t.Helper()
	e, err := table.Environment(task.Repository)
	if err != nil {
		t.Error(err)
		return
	}
	parser, err := testlog.Find(e.Parser)
	if err != nil {
		t.Error(err)
		return
	}
	results, why := readHarness(log, parser)
	if (results != nil) != want.Applied {
		t.Errorf("%s: the harness reports that the patch was applied: %v; here: %q", task.ID, want.Applied, why)
	}
	if results == nil || want.Tests == nil {
		return
	}
	grades := testlog.Grade(results.Status, testlog.Lists{FailToPass: task.Repository.FailToPass, PassToPass: task.Repository.PassToPass, FailOnly: e.FailOnly})
	for _, list := range []struct {
		name      string
		got, want []string
	}{
		{"FAIL_TO_PASS success", grades.FailToPass.Success, want.Tests.FailToPass.Success},
		{"FAIL_TO_PASS failure", grades.FailToPass.Failure, want.Tests.FailToPass.Failure},
		{"PASS_TO_PASS success", grades.PassToPass.Success, want.Tests.PassToPass.Success},
		{"PASS_TO_PASS failure", grades.PassToPass.Failure, want.Tests.PassToPass.Failure},
	} {
		if !slices.Equal(list.got, list.want) {
			t.Errorf("%s: %s: got %d, want %d\n%s", task.ID, list.name, len(list.got), len(list.want), difference(list.got, list.want))
		}
	}
	if solved := grades.Outcome() == testlog.Resolved; solved != want.Solved {
		t.Errorf("%s: resolved %v, want %v", task.ID, solved, want.Solved)
	}
}

// difference lists what is only in one of two lists.
func difference(got, want []string) string {
	var b strings.Builder
	for _, id := range got {
		if !slices.Contains(want, id) {
			b.WriteString("+" + id + "\n")
		}
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			b.WriteString("-" + id + "\n")
		}
	}
	return b.String()
}

// The marks by which SWE-bench's scripts separate the tests' output from the rest of a log.
const (
	startMark = ">>>>> Start Test Output"
	endMark   = ">>>>> End Test Output"
)

var (
	badMarks = [...]string{">>>>> Patch Apply Failed", ">>>>> Reset Failed", ">>>>> Tests Errored", ">>>>> Tests Timed Out"}
	exitMark = regexp.MustCompile(`>>>>> Test Exit Code:\s*(-?\d+)`)
	// ran matches signs that a runner has run at least one test although the log names none.
	ran = regexp.MustCompile(`(?m)Executed [1-9]\d* of \d+|TOTAL: [1-9]\d* (?:SUCCESS|FAILED)|[1-9]\d* passing|Tests:\s+[1-9]\d*` +
		`|Test Suites:\s+(?:\d+ \w+, )*[1-9]\d* total|^# tests [1-9]\d*|[1-9]\d* specs?, \d+ failures?|': ok$`)
)

// readHarness reads a log of SWE-bench's harness (test_output.txt) by a format. It returns nil and the
// reason if the log shows no complete run, for which the harness reports that the patch was not applied.
func readHarness(log string, p testlog.Parser) (*testlog.Results, string) {
	for _, mark := range badMarks {
		if strings.Contains(log, mark) {
			return nil, "the log has the mark " + strings.TrimPrefix(mark, ">>>>> ")
		}
	}
	_, rest, started := strings.Cut(log, startMark)
	if !started || !strings.Contains(log, endMark) {
		return nil, "the log does not have the marks around the tests' output"
	}
	rest, _, _ = strings.Cut(rest, startMark)
	tests, _, _ := strings.Cut(rest, endMark)
	r := p.Parse(tests)
	if len(r.Status) == 0 {
		r = p.Parse(log) // some runners' output is outside the marks
	}
	if len(r.Status) == 0 && !ran.MatchString(log) {
		return nil, "the log has no results, and no sign that tests were run"
	}
	if m := exitMark.FindStringSubmatch(log); m != nil && len(r.Status) > 0 {
		if code, err := strconv.Atoi(m[1]); (err != nil || code != 0) && !anyFailed(r) {
			return nil, "the tests' exit status is " + m[1] + ", but the log has no failure"
		}
	}
	return r, ""
}

// anyFailed reports whether a test failed.
func anyFailed(r *testlog.Results) bool {
	for _, s := range r.Status {
		if s == testlog.Failed || s == testlog.Error {
			return true
		}
	}
	return false
}

func TestReadHarness(t *testing.T) {
	p, err := testlog.Find("pytest")
	fatal.If(t, err)
	const tests = startMark + "\nPASSED a\n" + endMark + "\n"
	for _, tc := range []struct{ name, log, want, problem string }{
		{"between the marks", "PASSED before\n" + tests + "PASSED after\n", "PASSED a", ""},
		{"outside the marks", startMark + "\n" + endMark + "\nPASSED b\n", "PASSED b", ""},
		{"not applied", ">>>>> Patch Apply Failed\n" + tests, "", "Patch Apply Failed"},
		{"no marks", "PASSED a\n", "", "marks"},
		{"nothing ran", startMark + "\n" + endMark + "\n", "", "no results"},
		{"exit status without failure", tests + ">>>>> Test Exit Code: 1\n", "", "exit status is 1"},
		{"exit status with failure", strings.Replace(tests, "PASSED a", "FAILED a", 1) + ">>>>> Test Exit Code: 1\n", "FAILED a", ""},
		{"shell trace of the marks", "+ : '" + startMark + "'\nPASSED a\n+ : '" + endMark + "'\n", "PASSED a", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, problem := readHarness(tc.log, p)
			status, id, _ := strings.Cut(tc.want, " ")
			if tc.problem != "" && (r != nil || !strings.Contains(problem, tc.problem)) ||
				tc.problem == "" && (r == nil || len(r.Status) != 1 || string(r.Status[id]) != status) {
				t.Errorf("%v, %q", r, problem)
			}
		})
	}
}
