package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/scoring"
)

// fakeJudge takes the verdict from the code itself: "accepted 3/3".
type fakeJudge struct {
	calls atomic.Int64
	after func(n int64)
}

func (f *fakeJudge) Workers() int { return 3 }

func (f *fakeJudge) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	n := f.calls.Add(1)
	if f.after != nil {
		f.after(n)
	}
	if ctx.Err() != nil {
		return verdicts.Result{}, ctx.Err()
	}
	var r verdicts.Result
	if _, err := fmt.Sscanf(s.Code, "%s %d/%d", &r.Verdict, &r.Passed, &r.Total); err != nil {
		return r, err
	}
	return r, nil
}

// oneByOne judges no two samples at a time.
type oneByOne struct{ *fakeJudge }

func (oneByOne) Workers() int { return 1 }

func tasks(ids ...string) *benchmark.Benchmark {
	b := &benchmark.Benchmark{}
	for _, id := range ids {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: id, Language: "python", Tests: benchmark.Tests{Style: benchmark.Check, Check: "x"}})
	}
	return b
}

// samples writes a sample file; each argument is "task verdict passed/total".
func samples(t *testing.T, list ...string) string {
	t.Helper()
	var text strings.Builder
	for _, s := range list {
		id, code, _ := strings.Cut(s, " ")
		fmt.Fprintf(&text, "{\"task_id\":%q,\"completion\":%q}\n", id, code)
	}
	path := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func pass(k int) scoring.SampleMetric { return scoring.SampleMetric{Kind: scoring.PassAt, K: k} }

var ratio = scoring.SampleMetric{Kind: scoring.RatioKind}

// A practice task is for people: that it has no sample is nothing to tell. An answer
// without code counts, as failed.
func TestPracticeAndAnswersWithoutCode(t *testing.T) {
	b := tasks("a", "b", "c")
	b.Tasks[2].Practice = true
	s, err := Eval(t.Context(), Options{Samples: samples(t, "a accepted 4/4"), Benchmark: b, Judge: &fakeJudge{}})
	if err != nil || s.Unsampled != 1 || len(s.Metrics) != 4 || s.Metrics[0].SampleMetric != pass(1) {
		t.Errorf("%+v, %v", s, err)
	}
	all := newTally(nil)
	all.add(Row{TaskID: "a", Verdict: verdicts.WrongAnswer, Extraction: extract.MethodNone})
	all.add(Row{TaskID: "a", Sample: 1, Verdict: verdicts.Accepted, Extraction: "fence"})
	if s := all.summary([]int{1}, nil); s.NoCode != 1 || s.Mean(pass(1)).Value != 0.5 {
		t.Errorf("%+v", s)
	}
}

// Samples that repeat the call whose value they state count as they were judged; and as LiveCodeBench counts,
// not at all. A task with no other samples is failed there.
func TestRepeatedCallsAreCountedBothWays(t *testing.T) {
	all := newTally(nil)
	for i, x := range []struct {
		task     string
		verdict  verdicts.Verdict
		repeated bool
	}{{"a", verdicts.Accepted, false}, {"a", verdicts.WrongAnswer, true}, {"a", verdicts.WrongAnswer, true}, {"a", verdicts.WrongAnswer, false}, {"b", verdicts.Accepted, true}} {
		all.add(Row{TaskID: x.task, Sample: i, Verdict: x.verdict, RepeatsCall: x.repeated})
	}
	s := all.summary([]int{1}, nil)
	if got, want := s.Mean(pass(1)).Value, (0.25+1)/2; got != want {
		t.Errorf("pass@1 is %v, not %v", got, want)
	}
	if got, want := s.AsLiveCodeBench[0].Value, (0.5+0)/2; got != want || s.Repeats != 3 {
		t.Errorf("as LiveCodeBench counts pass@1 is %v, not %v; %d repeat the call", got, want, s.Repeats)
	}
}

// Only the tasks that have samples after the filter are known to be judged, before the first is.
func TestSampledTasks(t *testing.T) {
	b, judge := tasks("a", "b", "c", "d"), &fakeJudge{}
	for i := range b.Tasks {
		b.Tasks[i].Category = "x"
	}
	b.Tasks[1].Category = "y"
	filter, err := benchmark.ParseFilter("category:x")
	fatal.If(t, err)
	var got []string
	_, err = Eval(t.Context(), Options{Samples: samples(t, "d accepted 4/4", "a accepted 4/4", "b accepted 4/4", "d accepted 4/4"), Benchmark: b, Judge: judge, Filter: filter,
		Sampled: func(list []*benchmark.Task) {
			for _, task := range list {
				got = append(got, task.ID)
			}
		}})
	if err != nil || strings.Join(got, " ") != "a d" {
		t.Errorf("%q, %v", got, err)
	}
}

// A rule decides how answers to review count in a comparison; applied twice it says the same.
func TestAnswersToReviewByRule(t *testing.T) {
	review := []string{"a.py:1 names stack frames: _getframe"}
	first := []Row{{TaskID: "a", Verdict: verdicts.Accepted, PassedTests: 2, TotalTests: 2, ToReview: review}, {TaskID: "a", Sample: 1, Verdict: verdicts.Accepted, PassedTests: 2, TotalTests: 2},
		{TaskID: "b", Verdict: verdicts.WrongAnswer, TotalTests: 2, ToReview: review}}
	second := []Row{{TaskID: "a", Verdict: verdicts.Accepted, PassedTests: 2, TotalTests: 2}, {TaskID: "b", Verdict: verdicts.WrongAnswer, TotalTests: 2}}
	for _, tt := range []struct {
		rule Reviewing
		want float64 // mean of both tasks
	}{{"", 0.5}, {CountResolved, 0.5}, {CountFailed, 0.25}, {LeaveOut, 0.5}} {
		o := CompareOptions{K: []int{1}, Reviewing: tt.rule}
		c, err := Compare(first, second, o)
		fatal.If(t, err)
		a, err := Ask(first, second, "", 0, o)
		fatal.If(t, err)
		if got := c.Metrics[0].First.Value; got != tt.want || a.First.Value != tt.want {
			t.Errorf("%q: pass@1 is %v and %v, not %v", tt.rule, got, a.First.Value, tt.want)
		}
		once := tt.rule.Apply(first)
		if twice := tt.rule.Apply(once); !reflect.DeepEqual(once, twice) || len(once[2].Message) > 0 {
			t.Errorf("%q: %+v, then %+v", tt.rule, once, twice)
		}
	}
	for text, want := range map[string]Reviewing{"": CountResolved, "failed": CountFailed, "excluded": LeaveOut, "resolved": CountResolved} {
		if got, err := ParseReviewing(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if _, err := ParseReviewing("left out"); err == nil || !strings.Contains(err.Error(), "write resolved, failed or excluded") {
		t.Error(err)
	}
}

// Resolved answers that a person has to look at count as they were judged; and, beside it, as failed.
func TestAnswersToReviewAreCountedBothWays(t *testing.T) {
	all := newTally(nil)
	review := []string{"a.py:1 names stack frames: _getframe"}
	for i, row := range []Row{{TaskID: "a", Verdict: verdicts.Accepted, ToReview: review}, {TaskID: "a", Verdict: verdicts.Accepted},
		{TaskID: "b", Verdict: verdicts.Accepted, ToReview: review}, {TaskID: "b", Verdict: verdicts.WrongAnswer}} {
		row.Sample = i
		all.add(row)
	}
	s := all.summary([]int{1}, nil)
	if got, want := s.Mean(pass(1)).Value, (1+0.5)/2; got != want || s.ToReview != 2 {
		t.Errorf("pass@1 is %v, not %v; %d to review", got, want, s.ToReview)
	}
	text, err := json.Marshal(s)
	if got, want := s.WithoutToReview[0].Value, (0.5+0)/2; got != want || err != nil || !strings.Contains(string(text), `"pass@1 without to_review":0.25`) {
		t.Errorf("without them pass@1 is %v, not %v; %s, %v", got, want, text, err)
	}
}

// Verdicts that count are counted by what kept the program from its tests.
func TestVerdictsThatCouldBeForged(t *testing.T) {
	all := newTally(nil)
	for i, row := range []Row{
		{Verdict: verdicts.Accepted, Isolation: verdicts.Isolated}, {Verdict: verdicts.Accepted, Isolation: verdicts.InProcess},
		{Verdict: verdicts.WrongAnswer, Isolation: verdicts.InProcess}, {Verdict: verdicts.Accepted, Isolation: verdicts.Unprotected},
		{Verdict: verdicts.NotJudged, Isolation: verdicts.InProcess}, {Verdict: verdicts.SandboxError, Isolation: verdicts.InProcess},
	} {
		row.TaskID, row.Sample = "a", i
		all.add(row)
	}
	text, err := json.Marshal(all.summary([]int{1}, nil))
	if want := `"forgeable_verdicts":{"in_process":2,"unprotected":1}`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}

func TestEvalMetrics(t *testing.T) {
	path := samples(t, "a accepted 4/4", "b wrong_answer 2/4", "a wrong_answer 1/4", "b time_limit 0/4")
	s, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a", "b", "c"), K: []int{1, 2}, Judge: &fakeJudge{}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Samples != 4 || s.Tasks != 2 || s.Unsampled != 1 || s.Accepted != 1 || s.MinN != 2 || s.MaxN != 2 || s.Partial() {
		t.Errorf("%+v", s)
	}
	all := s.Mean(scoring.SampleMetric{Kind: scoring.PassAll, K: 2})
	if s.Mean(pass(1)).Value != 0.25 || s.Mean(pass(2)).Value != 0.5 || all.Value != 0 {
		t.Errorf("pass@1 %v, pass@2 %v, pass^2 %v", s.Mean(pass(1)), s.Mean(pass(2)), all)
	}
	// a: (1 + 1/16)/2, b: (1/4 + 0)/2
	if want := (17.0/32 + 1.0/8) / 2; s.Mean(ratio).Value != want {
		t.Errorf("pass ratio %v, want %v", s.Mean(ratio), want)
	}
	var shown map[string]any
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &shown)
	}
	if err != nil || shown["pass@2"] != 0.5 || shown["pass^2"] != 0.0 || shown["n"] != 2.0 || shown["accepted"] != 1.0 {
		t.Errorf("%s, %v", text, err)
	}
}

func TestSandboxErrorsWithholdTheTask(t *testing.T) {
	path := samples(t, "a accepted 1/1", "a sandbox_error 0/0", "b accepted 1/1", "b wrong_answer 0/1", "c not_judged 0/0", "c not_judged 0/0")
	s, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a", "b", "c"), K: []int{2}, Judge: &fakeJudge{}})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Partial() || len(s.Withheld) != 1 || s.Withheld[0] != "a" || s.Scored != 1 || s.Excluded != 2 || s.Mean(pass(2)).Value != 1 {
		t.Errorf("%+v", s)
	}
}

func TestEvalRefusesBeforeItRuns(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		k          int
		want       string
		is         error
	}{
		{"k over n", samples(t, "a accepted 1/1", "b accepted 1/1", "a accepted 1/1"), 2, "b has 1", scoring.ErrTooFewSamples},
		{"unknown task", samples(t, "a accepted 1/1", "x accepted 1/1"), 1, `:2: field "task_id": there is no task "x"`, nil},
		{"no file", "/nonexistent", 1, "/nonexistent", os.ErrNotExist},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := &fakeJudge{}
			_, err := Eval(t.Context(), Options{Samples: tt.path, Benchmark: tasks("a", "b"), K: []int{tt.k}, Judge: j})
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if j.calls.Load() > 0 {
				t.Error("samples were judged")
			}
		})
	}
}

func TestEvalGoesOn(t *testing.T) {
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprintf("a accepted %d/40", i))
	}
	path, out := samples(t, list...), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	first := &fakeJudge{after: func(n int64) {
		if n == 10 {
			cancel()
		}
	}}
	s, err := Eval(ctx, Options{Samples: path, Benchmark: tasks("a"), Out: out, Judge: first})
	if !errors.Is(err, ErrInterrupted) || s.Samples >= 40 || !s.Partial() {
		t.Fatalf("%+v, %v", s, err)
	}
	// A crash in the middle of a line.
	file := filepath.Join(out, "results.jsonl")
	text, _ := os.ReadFile(file)
	if err := os.WriteFile(file, append(text, `{"task_id":"a","sam`...), 0o644); err != nil {
		t.Fatal(err)
	}
	second := &fakeJudge{}
	whole, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a"), Out: out, Judge: second})
	if err != nil || whole.Samples != 40 || whole.Reused != s.Samples || int(second.calls.Load()) != 40-s.Samples {
		t.Errorf("%+v, %v, %d calls", whole, err, second.calls.Load())
	}
	text, _ = os.ReadFile(file)
	seen := map[int]bool{}
	for line := range strings.Lines(string(text)) {
		var row Row
		if err := json.Unmarshal([]byte(line), &row); err != nil || seen[row.Sample] {
			t.Errorf("%v in %s", err, line)
		}
		seen[row.Sample] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d results", len(seen))
	}
}

// A result is taken from the run before only if the sample's text and its task are the same.
func TestWhatChangedIsJudgedAgain(t *testing.T) {
	out, one, two := t.TempDir(), tasks("a"), tasks("a")
	two.Tasks[0].Tests.Check = "y"
	was, is := []string{"a accepted 1/1", "a accepted 1/1"}, []string{"a accepted 1/1", "a wrong_answer 0/1"}
	for _, step := range []struct {
		name     string
		samples  []string
		on       *benchmark.Benchmark
		calls    int64
		accepted int
	}{{"at first", was, one, 2, 2}, {"again", was, one, 0, 2}, {"another answer", is, one, 1, 1}, {"other tests", is, two, 2, 1}} {
		j := &fakeJudge{}
		s, err := Eval(t.Context(), Options{Samples: samples(t, step.samples...), Benchmark: step.on, Out: out, Judge: j, Replace: step.on == two})
		if err != nil || j.calls.Load() != step.calls || s.Verdicts[verdicts.Accepted] != step.accepted {
			t.Errorf("%s: %d samples judged, %d accepted, want %d and %d (%v)", step.name, j.calls.Load(), s.Verdicts[verdicts.Accepted], step.calls, step.accepted, err)
		}
	}
}

// Results that another program takes away while they are written are not claimed to be there:
// the evaluation ends at once, and the next one judges what is missing. What a killed
// evaluation began to write anew does not stay.
func TestEvalWithoutItsResults(t *testing.T) {
	path := samples(t, "a accepted 1/1", "a accepted 2/2", "a accepted 3/3", "a accepted 4/4")
	for name, harm := range map[string]func(string) error{
		"was deleted": os.Remove,
		"was replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"~", nil, 0o644), os.Rename(path+"~", path))
		},
		"was cut off": func(path string) error { return os.Truncate(path, 100) },
	} {
		for _, at := range []int64{2, 4} { // in the middle, and before the last row
			out := t.TempDir()
			harming := &fakeJudge{after: func(n int64) {
				file := filepath.Join(out, "results.jsonl")
				for text := []byte(nil); n == at && bytes.Count(text, []byte("\n")) < 1; {
					text, _ = os.ReadFile(file)
				}
				if n == at {
					if err := harm(file); err != nil {
						t.Error(err)
					}
				}
			}}
			_, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a"), Out: out, Judge: oneByOne{harming}})
			if err == nil || !strings.Contains(err.Error(), name+" by another program") || !strings.Contains(err.Error(), "run the same command again") {
				t.Errorf("the results %s at %d: the error is %v", name, at, err)
			}
			if s, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a"), Out: out, Judge: &fakeJudge{}}); err != nil || s.Samples != 4 {
				t.Errorf("the results %s at %d: %+v, %v", name, at, s, err)
			}
		}
	}
	out := t.TempDir()
	file := filepath.Join(out, "results.jsonl")
	whole, err := json.Marshal(Row{TaskID: "a", Sample: 1, Verdict: verdicts.Accepted})
	if err := errors.Join(err, os.WriteFile(file, slices.Concat(whole[:30], whole, []byte("\n")), 0o644)); err != nil { // written behind a cut
		t.Fatal(err)
	}
	if s, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a"), Out: out, Judge: &fakeJudge{}}); err != nil || s.Samples != 4 || s.Reused != 0 {
		t.Errorf("behind a cut: %+v, %v", s, err)
	}
	out = t.TempDir()
	half := filepath.Join(out, "results.jsonl.123")
	if err := os.WriteFile(half, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a"), Out: out, Judge: &fakeJudge{}}); err != nil || s.Samples != 4 || s.Reused != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", half, err)
	}
}

func TestForeignResultsAreNotOverwritten(t *testing.T) {
	out := t.TempDir()
	file := filepath.Join(out, "results.jsonl")
	if err := os.WriteFile(file, []byte("{\"mine\":1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Eval(t.Context(), Options{Samples: samples(t, "a accepted 1/1"), Benchmark: tasks("a"), Out: out, Judge: &fakeJudge{}})
	if err == nil || !strings.Contains(err.Error(), "results.jsonl:1") {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "{\"mine\":1}\n" {
		t.Errorf("the file is now %s", text)
	}
}

// TestEvalMeasuresEarlierResults: results that were only run, or are of an older
// version, get their measures without running again.
func TestEvalMeasuresEarlierResults(t *testing.T) {
	b := tasks("a")
	path, out := samples(t, "a accepted 2/2"), t.TempDir()
	first, err := Eval(t.Context(), Options{Samples: path, Benchmark: b, Out: out, Judge: &fakeJudge{}, NoMeasures: true})
	if err != nil || first.Six != nil {
		t.Fatalf("%+v, %v", first, err)
	}
	again := &fakeJudge{}
	second, err := Eval(t.Context(), Options{Samples: path, Benchmark: b, Out: out, Judge: again})
	if err != nil || second.Reused != 1 || again.calls.Load() != 0 {
		t.Fatalf("%+v, %v, %d calls", second, err, again.calls.Load())
	}
	if s := second.Six; s == nil || s.Samples != 1 || s.Unmeasured != 0 || s.Dimensions[0].Low != 15 {
		t.Errorf("%+v", s)
	}
}

// TestReadResultsToTheEnd: a last line that is whole counts, with a line break or not.
func TestReadResultsToTheEnd(t *testing.T) {
	row := `{"task_id":"a","sample":%d,"verdict":"accepted"}`
	for end, want := range map[string]int{"": 2, "\n": 2, "\n{\"task_id\":\"a\",\"sam": 2, "\n\n": 2} {
		path := filepath.Join(t.TempDir(), "results.jsonl")
		if err := os.WriteFile(path, fmt.Appendf(nil, row+"\n"+row+end, 0, 1), 0o644); err != nil {
			t.Fatal(err)
		}
		if rows, err := ReadResults(path); err != nil || len(rows) != want {
			t.Errorf("%d rows before %q, %v", len(rows), end, err)
		}
	}
}

// An evaluation that stops at failing cases has no metrics that need all of them, and one
// that needs them judges those samples again.
func TestFirstFailure(t *testing.T) {
	path := samples(t, "a accepted 4/4", "a wrong_answer 1/4")
	o := Options{Samples: path, Benchmark: tasks("a"), K: []int{1}, Judge: &casesJudge{}, Out: t.TempDir(), FirstFailure: true, NoMeasures: true}
	s, err := Eval(t.Context(), o)
	if err != nil || s.Stopped != 1 || s.Mean(ratio) != nil || s.Mean(scoring.SampleMetric{Kind: scoring.RateKind}) != nil ||
		s.Mean(pass(1)).Value != 0.5 || s.Mean(scoring.SampleMetric{Kind: scoring.StrictKind}).Value != 0.5 {
		t.Fatalf("%+v, %v", s, err)
	}
	rows, err := ReadResults(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(rows, rows, CompareOptions{K: []int{1}})
	if err != nil || len(c.Metrics) != 2 || !slices.Equal(c.Unknown, []string{"pass_ratio@n", "average_pass_rate"}) {
		t.Errorf("%+v, %v", c, err)
	}
	o.FirstFailure = false
	if s, err = Eval(t.Context(), o); err != nil || s.Reused != 1 || s.Stopped != 0 || s.Mean(ratio) == nil {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = Eval(t.Context(), o); err != nil || s.Reused != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
