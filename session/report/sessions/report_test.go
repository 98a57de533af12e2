package sessions

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/session"
	"assay/session/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// log builds a session event by event on a clock of its own.
type log struct {
	events  []session.Event
	mono    int64
	process string
	prev    string
	t       *testing.T
}

func (l *log) add(payloads ...session.Payload) {
	l.t.Helper()
	for _, p := range payloads {
		e := session.Event{
			Seq: uint64(len(l.events) + 1), Payload: p,
			Stamp: session.Stamp{Wall: 1_700_000_000_000 + l.mono, Mono: l.mono, Process: l.process, Boot: "b"},
		}
		sealed, err := e.Seal(l.prev)
		if err != nil {
			l.t.Fatal(err)
		}
		l.prev = sealed.Hash
		l.events = append(l.events, sealed)
	}
}

func (l *log) pass(seconds int64) { l.mono += 1000 * seconds }

// attempt is one cycle: 5 s of writing, 3 s of waiting, 2 s of review.
func (l *log) attempt(task, n int, verdict string, passed, total int, decision session.Decision) {
	if n == 1 {
		l.add(session.EditStarted{Attempt: 1})
	}
	l.pass(5)
	l.add(session.PromptSent{Attempt: n, Try: 1, Prompt: session.RefOf([]byte("p")), Bytes: 10, Inserted: 4})
	l.pass(3)
	l.add(session.AnswerReceived{Attempt: n, Answer: session.RefOf([]byte("a")), Bytes: 20, FinishReason: "stop", Model: "m-2024", LatencyMS: 3000},
		session.CodeExtracted{Task: task, Attempt: n, Code: session.RefOf([]byte("c")), Bytes: 5, Method: "the only block"})
	if verdict != "" {
		l.add(session.VerdictRecorded{Task: task, Attempt: n, Verdict: verdict, Passed: passed, Total: total, CPUMS: 12, MemoryKB: 900, Enforcement: "net: namespace", Loads: total > 0})
		m := session.Measured{Task: task, Attempt: n, Valid: true, Cyclomatic: 3, Cognitive: 2, CodeLines: 8, CommentLines: 2, CommentRate: 20, Reliability: "A", Security: "A", Analyser: "rules 1"}
		if verdict != "accepted" {
			m.Cyclomatic, m.Cognitive, m.CodeLines, m.CommentLines, m.CommentRate, m.Reliability = 16, 9, 19, 1, 5, "C"
		}
		l.add(m)
	}
	l.pass(2)
	l.add(session.Judged{Attempt: n, Decision: decision, VerdictSeen: n == 1})
}

func (l *log) finish(task int, outcome session.Outcome, score int) {
	l.pass(4)
	for _, a := range session.MiahZhuAttributes() {
		l.add(session.Rated{Attribute: a.ID, Score: score})
	}
	for _, label := range (session.Plan{}).LabelsFor(outcome) {
		l.add(session.Labelled{Label: label.ID, Value: label.Values[0]})
	}
	l.add(session.TaskClosed{Index: task, Outcome: outcome})
}

// live is a session in which everything happens: practice, satisfaction,
// giving up, exhaustion, skipping, a pause, a crash, hostile texts.
func live(t *testing.T) []session.Event {
	plan := session.Plan{
		Benchmark: "core|py", Filter: "=cmd|' /C calc'!A0", K: 2, Level: 1, Context: session.Fresh, Seed: 7, Tester: "T\x1b[31m1\x1b[0m",
		Model: session.Model{Name: "local", Provider: "command", Model: "m"}, Criterion: session.DefaultCriterion, Attributes: session.MiahZhuAttributes(),
	}
	for i, id := range []string{"practice", "good", "bad", "late", "left", "open", "never"} {
		plan.Tasks = append(plan.Tasks, session.PlanTask{
			ID: id, Title: "-" + id + " | <b>\u202e", Set: "T0", Type: "strings", Difficulty: benchmark.Difficulties[i%3], Practice: i == 0,
		})
	}
	l := &log{t: t, process: "p1"}
	l.add(session.Opened{Session: "01J0000000000000000000TEST", Plan: plan, Env: session.Environment{Assay: "0.1.0", OS: "linux/amd64", Sandbox: "bubblewrap"}})
	l.add(session.TaskOpened{Index: 0, Task: "practice"})
	l.attempt(0, 1, "accepted", 3, 3, session.DecideSatisfied)
	l.finish(0, session.Satisfied, 5)

	l.add(session.TaskOpened{Index: 1, Task: "good"})
	l.pass(7) // reading
	l.attempt(1, 1, "accepted", 4, 4, session.DecideSatisfied)
	l.finish(1, session.Satisfied, 4)

	l.add(session.TaskOpened{Index: 2, Task: "bad"}) // given up early, after a pause
	l.pass(1)
	l.add(session.Paused{Reason: "tester"})
	l.pass(1000)
	l.add(session.Resumed{Reason: "tester"})
	l.attempt(2, 1, "wrong_answer", 1, 4, session.DecideGiveUp)
	l.finish(2, session.GaveUp, 2)

	l.add(session.TaskOpened{Index: 3, Task: "late"}) // exhausted, with a crash and a provider's error
	l.add(session.EditStarted{Attempt: 1}, session.PromptSent{Attempt: 1, Try: 1, Prompt: session.RefOf([]byte("p")), Bytes: 10})
	l.pass(2)
	l.add(session.AnswerFailed{Attempt: 1, Class: "rate_limit", Message: "429", Advice: "wait"})
	l.pass(50)
	l.process = "p2" // the program was killed: 50 s at most are unobserved
	l.add(session.PromptSent{Attempt: 1, Try: 2, Prompt: session.RefOf([]byte("p")), Bytes: 10})
	l.pass(3)
	l.add(session.AnswerReceived{Attempt: 1, Answer: session.RefOf([]byte("a")), Bytes: 20, FinishReason: "length"})
	l.add(session.Judged{Attempt: 1, Decision: session.DecideRefine})
	l.attempt(3, 2, "not_judged", 0, 0, session.DecideGiveUp)
	l.add(session.Noted{Text: "@SUM(1)\nsecond line \x1b]0;title\x07"})
	l.finish(3, session.Exhausted, 1)

	l.add(session.TaskSkipped{Index: 4, Task: "left", Reason: "unclear"})
	l.add(session.TaskOpened{Index: 5, Task: "open"})
	return l.events
}

func mustBuild(t *testing.T, events []session.Event) *Report {
	t.Helper()
	r, err := Build(events)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEverythingIsCountedAndOnlyResultsEnter(t *testing.T) {
	r := mustBuild(t, live(t))
	want := Counts{Planned: 7, Analysed: 3, Satisfied: 1, GaveUp: 1, Exhausted: 1, Skipped: 1, Unfinished: 1, NotOpened: 1, Practice: 1, Unobserved: 1}
	if r.Events.Failures != 1 || r.Events.Truncated != 1 || r.Sessions[0].Failures != 1 {
		t.Errorf("events %+v", r.Events)
	}
	if r.Counts != want {
		t.Errorf("counts\n%+v\nwant\n%+v", r.Counts, want)
	}
	// good 1; bad given up after 1, counts 2; late exhausted at 2.
	if a := r.Tries; float64(a.Mean.Value) != 5.0/3 || a.Made != 4 || a.Success.Count != 1 || r.Tests.Unseen.Count != 1 {
		t.Errorf("attempts %+v", a)
	}
	// Censored at 1, bad leaves the risk set: S(1) = 2/3, and the area to 2 is 1 + 2/3.
	if got := float64(r.Tries.Censored.Value); got < 1.6666 || got > 1.6667 {
		t.Errorf("censored mean %v", got)
	}
	// good 7+5+3+2, bad 1+5+3+2, late 2+3+5+3+2 without the 50 s of the crash.
	if c := r.Times.Completion; float64(c.Mean.Value) != (17.0+11+15)/3 || float64(c.Max) != 17 {
		t.Errorf("completion %+v", c.Mean)
	}
	if w := r.Times.WithoutModel; float64(w.Mean.Value) != (14.0+8+7)/3 {
		t.Errorf("without the model %+v", w.Mean)
	}
	if float64(r.Times.Rating.Mean.Value) != 4 || r.Times.Unobserved != 50 || r.Times.Paused != 1000 || float64(r.Times.AtMost) != 93.0/3 {
		t.Errorf("times %+v", r.Times)
	}
	if ts := r.Tests; ts.PassRate.N != 2 || float64(ts.PassRate.Value) != 0.625 || ts.Accepted.Count != 1 || ts.NotJudged != 1 || ts.SatisfiedAccepted != 1 || ts.UnhappyFailed != 1 {
		t.Errorf("tests %+v", ts)
	}
	if total := r.Ratings.Total; total.Mean.N != 3 || float64(total.Mean.Value) != 8*(4+2+1)/3.0 {
		t.Errorf("total %+v", total.Mean)
	}
	if len(r.Ratings.Labels) != 4 || r.Ratings.Labels[0].Share.N != 3 || r.Ratings.Labels[2].Share.N != 2 {
		t.Errorf("labels %+v", r.Ratings.Labels)
	}
}

// TestOlderLogsLoad: before verdicts said whether the program loads, a passed test
// case told it.
func TestOlderLogsLoad(t *testing.T) {
	r := result{in: &folded{}, Task: &session.Task{Attempts: []session.Attempt{{N: 1, Decision: session.DecideSatisfied,
		Verdict:  &session.VerdictRecorded{Verdict: "wrong_answer", Passed: 1, Total: 4},
		Measured: &session.Measured{Valid: true, Cyclomatic: 1},
	}}}}
	if a, ok := r.sixAnswer(); !ok || !a.Facts.Valid {
		t.Errorf("%+v, %v", a, ok)
	}
}

// TestSixDimensions is worked out by hand: the good answer has 15 + 30 + 10 + 10 +
// 10 + 25 points and weight 1.0 (medium, human pass rate unknown), the bad one 15 +
// 30/4 + 0 + 0 + 10 + 10 and weight 1.1 (hard); the late one was not judged.
func TestSixDimensions(t *testing.T) {
	s := mustBuild(t, live(t)).Six
	if s == nil || s.N != 2 || s.LeftOut != 1 || s.Assumed != 2 {
		t.Fatalf("%+v", s)
	}
	if want := (100*1.0 + 42.5*1.1) / 2.1; s.Final.Low != s.Final.High || math.Abs(float64(s.Final.Low)-want) > 1e-12 {
		t.Errorf("final score %v to %v, want %v", s.Final.Low, s.Final.High, want)
	}
	for i, want := range []float64{15, 18.75, 5, 5, 10, 17.5} {
		if float64(s.Dimensions[i].Low) != want {
			t.Errorf("%s %v, want %v", s.Dimensions[i].Name, s.Dimensions[i].Low, want)
		}
	}
	if s.Outcomes[0].Count != 1 || s.Outcomes[1].Count != 1 || s.CaseRate != 0.625 || s.Cyclomatic != 19 || s.Cognitive != 11 ||
		s.CommentRate != 12.5 || s.CodeProblems != 1 || s.Unlabelled != 0 || s.Inaccurate != 0 {
		t.Errorf("%+v", s)
	}
}

func TestGoldenReport(t *testing.T) {
	var md bytes.Buffer
	if err := mustBuild(t, live(t)).Markdown(&md); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "live.md")
	if *update {
		if err := os.WriteFile(golden, md.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(md.Bytes(), want) {
		t.Errorf("the report differs from %s; look at it and run the test with -update:\n%s", golden, md.String())
	}
}

func TestTextFromOutsideCannotActAnywhere(t *testing.T) {
	r := mustBuild(t, live(t))
	dir := t.TempDir()
	files, err := r.WriteDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".png") {
			continue // pixels may be any bytes
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(text, "\x1b\x07\u202e") {
			t.Errorf("%s holds escape sequences", name)
		}
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
					t.Errorf("%s: the cell %q begins like a formula", name, cell)
				}
			}
		}
	}
	var md bytes.Buffer
	if err := r.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(md.String(), `| benchmark | core\|py |`) {
		t.Error("a pipe in a name breaks the table")
	}
}

// TestCodebookDescribesEveryColumn compares the files themselves.
func TestCodebookDescribesEveryColumn(t *testing.T) {
	dir := t.TempDir()
	if _, err := mustBuild(t, live(t)).WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	read := func(name string) [][]string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	described := map[string]string{}
	for _, row := range read(report.CodebookFile)[1:] {
		described[row[0]+"."+row[1]] = row[5]
		if row[2] == "" || row[5] == "" {
			t.Errorf("%v is not described", row)
		}
	}
	tables := map[string]int{"sessions": 1, "tasks": 7, "attempts": 6, "ratings": 32, "labels": 6, "participants": 1}
	columns := 0
	for name, rows := range tables {
		got := read(report.DatasetFile(name))
		if len(got)-1 != rows {
			t.Errorf("%s has %d rows, want %d", name, len(got)-1, rows)
		}
		for _, column := range got[0] {
			columns++
			if described[name+"."+column] == "" {
				t.Errorf("column %s of %s is not in the codebook", column, name)
			}
		}
	}
	if columns != len(described) {
		t.Errorf("%d columns, %d described", columns, len(described))
	}
}

// TestNothingYet: a session of which no task is closed still reports.
func TestNothingYet(t *testing.T) {
	r := mustBuild(t, live(t)[:2])
	var md, js bytes.Buffer
	if err := errors.Join(r.Markdown(&md), r.JSON(&js)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(md.String(), "No task has a result yet") || strings.Contains(md.String(), "NaN") || !json.Valid(js.Bytes()) {
		t.Errorf("%s", md.String())
	}
	events := live(t)
	for n := 1; n <= len(events); n++ { // whatever the moment of the crash
		r, err := Build(events[:n])
		if err != nil {
			t.Errorf("after %d events: %v", n, err)
			continue
		}
		js.Reset()
		if err := r.JSON(&js); err != nil {
			t.Fatal(err)
		}
		if err := valid(t, js.String()); err != nil {
			t.Errorf("after %d events: report.json is not as its schema says: %v", n, err)
		}
	}
	if _, err := Build(); err == nil {
		t.Error("no session: no error")
	}
	if _, err := Build(nil); err == nil {
		t.Error("no events: no error")
	}
}

// A report replaces files of an earlier one, complete or not, and nobody else's.
func TestWriteDirLeavesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	theirs := filepath.Join(dir, "report.md")
	if err := os.WriteFile(theirs, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := mustBuild(t, live(t)[:1])
	if _, err := r.WriteDir(dir); err == nil || !strings.Contains(err.Error(), theirs+" is there already") {
		t.Errorf("the error is %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("there are %v (%v) now", entries, err)
	}
	// As a killed program leaves it.
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.WriteDir(dir); err != nil {
			t.Error(err)
		}
	}
}
