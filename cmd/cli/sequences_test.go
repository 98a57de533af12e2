package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/inputs"
	"assay/data/fatal"
	"assay/session/overlap"
)

// written is a judge that takes the verdict from the end of the code, and stops an evaluation after some samples.
type written struct {
	left atomic.Int64
	stop context.CancelFunc
}

func (*written) Workers() int { return 1 }

func (j *written) Judge(ctx context.Context, s verdicts.Submission) (r verdicts.Result, err error) {
	if j.left.Add(-1) == 0 {
		j.stop()
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	_, end, _ := strings.Cut(s.Code, "# ")
	_, err = fmt.Sscanf(end, "%s %d/%d", &r.Verdict, &r.Passed, &r.Total)
	return r, err
}

// sampleLine is a line of a file of samples, and what is counted of it.
type sampleLine struct{ task, model, verdict, code string }

// sequence is a directory of results, the samples, tasks and filter of the last evaluation into it that was not
// refused, and what it was told to do.
type sequence struct {
	t        *testing.T
	random   *rand.Rand
	dir, out string
	lines    []sampleLine
	did      []string
}

func (s *sequence) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("after %s: %s", strings.Join(s.did, ", "), fmt.Sprintf(format, args...))
}

// tasks writes four tasks, of two difficulties, in the first or the second edition.
func (s *sequence) tasks(edition int) (path string) {
	var all []string
	for i, id := range []string{"a", "b", "c", "d"} {
		all = append(all, fmt.Sprintf(`{"id":%q,"title":"t","difficulty":%q,"language":"python","description":"edition %d","entry_point":"f","tests":{"style":"check","check":"def check(candidate):\n    assert candidate() == 1"}}`,
			id, []string{"easy", "hard"}[i%2], edition))
	}
	path = filepath.Join(s.dir, "tasks.json")
	fatal.If(s.t, os.WriteFile(path, []byte(`{"assay_benchmark":1,"name":"four","tasks":[`+strings.Join(all, ",")+`]}`), 0o600))
	return path
}

// line is one more sample; its task has another before it, now and then with the same text.
func (s *sequence) line() sampleLine {
	l := sampleLine{task: string(rune('a' + s.random.IntN(4))), model: []string{"m", "n"}[s.random.IntN(2)], verdict: []string{"accepted", "wrong_answer"}[s.random.IntN(2)]}
	l.code = fmt.Sprintf("def f(): return %d # %s 1/%d", s.random.IntN(3), l.verdict, map[string]int{"accepted": 1, "wrong_answer": 2}[l.verdict])
	return l
}

// change makes another file of samples, or makes the last one longer, shorter or mends it.
func (s *sequence) change() (samples string) {
	switch what := []string{"other", "grown", "mended", "shorter", "same"}[s.random.IntN(5)]; {
	case what == "other" || len(s.lines) == 0:
		s.did, s.lines = append(s.did, "other"), nil
		fallthrough
	case what == "grown":
		for range 1 + s.random.IntN(6) {
			s.lines = append(s.lines, s.line())
		}
		s.did = append(s.did, "grown")
	case what == "mended":
		s.lines[s.random.IntN(len(s.lines))] = s.line()
		s.did = append(s.did, what)
	case what == "shorter" && len(s.lines) > 1:
		s.lines = slices.Delete(s.lines, 0, 1)
		s.did = append(s.did, what)
	}
	var text strings.Builder
	for _, l := range s.lines {
		fmt.Fprintf(&text, "{\"task_id\":%q,\"model\":%q,\"solution\":%q}\n", l.task, l.model, l.code)
	}
	samples = filepath.Join(s.dir, "samples.jsonl")
	fatal.If(s.t, os.WriteFile(samples, []byte(text.String()), 0o600))
	return samples
}

// counted are the verdicts of the samples that an evaluation counts, by task.
func (s *sequence) counted(o batch.Options) map[string][]string {
	all := map[string][]string{}
	for _, l := range s.lines {
		task, err := o.Benchmark.Task(l.task)
		fatal.If(s.t, err)
		if (o.Model == "" || o.Model == l.model) && o.Filter.Match(task) {
			all[l.task] = append(all[l.task], l.verdict)
		}
	}
	return all
}

// step is one evaluation, with everything that reads its results.
func (s *sequence) step(edition *int) {
	chance := func(of int, what string) bool {
		yes := s.random.IntN(of) == 0
		if yes {
			s.did = append(s.did, what)
		}
		return yes
	}
	before := s.lines
	s.lines = slices.Clone(s.lines)
	samples := s.change()
	if chance(8, "other tasks") {
		*edition++
	}
	tasks := s.tasks(*edition)
	b, err := (&inputs.TaskLoader{Err: s.t.Output()}).Load(tasks)
	fatal.If(s.t, err)
	ctx, stop := context.WithCancel(s.t.Context())
	defer stop()
	judge := &written{stop: stop}
	o := batch.Options{Samples: samples, Format: format.EvalPlusSamples, Benchmark: b, Out: s.out, Judge: judge, Replace: chance(3, "--replace")}
	if chance(6, "--rules") {
		o.Rules = "livecodebench"
		fatal.If(s.t, o.Rules.Apply(b))
	}
	if chance(6, "--filter") {
		o.Filter, err = benchmark.ParseFilter("difficulty:hard")
		fatal.If(s.t, err)
	}
	if chance(6, "models") {
		s.models(o, tasks)
		s.lines = before
		return
	}
	if len(s.counted(o)) == 0 {
		return
	}
	killed := chance(4, "killed")
	if killed {
		judge.left.Store(int64(1 + s.random.IntN(3)))
	}
	summary, err := batch.Eval(ctx, o)
	switch {
	case errors.Is(err, batch.ErrInterrupted):
		s.cut()
		return
	case err != nil && strings.Contains(err.Error(), "--replace") && !o.Replace:
		s.lines, s.did = before, append(s.did, "refused")
		return
	case err != nil:
		s.fail("%v", err)
	}
	if chance(3, "--results-format") {
		_, err := batch.WriteResults(o, batch.InspectResults, "", time.Now())
		fatal.If(s.t, err)
	}
	s.check(o, tasks, summary)
}

// models evaluates each model of samples as SWE-bench has them into a folder of its own.
func (s *sequence) models(o batch.Options, tasks string) {
	var text strings.Builder
	for i, l := range s.lines {
		s.lines[i].code = "diff " + l.code
		fmt.Fprintf(&text, "{\"instance_id\":%q,\"model_name_or_path\":%q,\"model_patch\":%q}\n", l.task, l.model, s.lines[i].code)
	}
	o.Format = format.SWEBenchSamples
	fatal.If(s.t, os.WriteFile(o.Samples, []byte(text.String()), 0o600))
	if err := errors.Join(batch.Alone(o.Out, batch.ResultsName, o.Replace), batch.Alone(o.Out, batch.ChoicesName, o.Replace)); err != nil {
		return
	}
	if rows, err := batch.ReadResults(s.out); len(rows) > 0 {
		s.fail("%d results of one model beside those of several: %v", len(rows), err)
	}
	for _, o.Model = range []string{"m", "n"} {
		o.Out = filepath.Join(s.out, o.Model)
		if len(s.counted(o)) == 0 {
			continue
		}
		if summary, err := batch.Eval(s.t.Context(), o); err == nil {
			s.check(o, tasks, summary)
		} else if o.Replace || !strings.Contains(err.Error(), "--replace") {
			s.fail("%v", err)
		}
	}
}

// cut leaves of the results what a process leaves that is killed: a line that is not whole, and half a new file.
func (s *sequence) cut() {
	path := filepath.Join(s.out, batch.ResultsName)
	text, err := os.ReadFile(path)
	fatal.If(s.t, err)
	if at := strings.LastIndexByte(strings.TrimSuffix(string(text), "\n"), '\n') + 1; at < len(text) {
		fatal.If(s.t, os.WriteFile(path, text[:at+s.random.IntN(len(text)-at)], 0o600))
	}
	fatal.If(s.t, os.WriteFile(path+".1", text[:len(text)/2], 0o600))
}

// check compares what every reader finds with the samples that the evaluation counted.
func (s *sequence) check(o batch.Options, tasks string, summary *batch.Summary) {
	want := s.counted(o)
	accepted := func(verdicts []string) (n int) {
		for _, v := range verdicts {
			if v == "accepted" {
				n++
			}
		}
		return n
	}
	rows, err := batch.ReadResults(o.Out)
	fatal.If(s.t, err)
	got := map[string][]string{}
	for _, r := range rows {
		got[r.TaskID] = append(got[r.TaskID], string(r.Verdict))
	}
	if !maps.EqualFunc(got, want, func(a, b []string) bool { return len(a) == len(b) && accepted(a) == accepted(b) }) || summary.Samples != len(rows) {
		s.fail("%d were counted, and the results are %v, want %v", summary.Samples, got, want)
	}
	mean := 0.0
	for _, of := range want {
		mean += float64(accepted(of)) / float64(len(of)) / float64(len(want))
	}
	s.made(o, want)
	s.report(o, want, accepted)
	var compared struct {
		Metrics []struct{ First float64 } `json:"metrics"`
	}
	s.json(&compared, "compare", o.Out, o.Out, "--tasks", tasks, "--json")
	if d := compared.Metrics[0].First - mean; d > 1e-9 || d < -1e-9 {
		s.fail("compare finds %v, and %v were counted", compared.Metrics[0].First, mean)
	}
	if o.Model == "" { // a file of several models is not the answers of one
		s.rated(o, tasks, want, accepted)
	}
	s.difficulty(o, want, accepted)
}

// json runs a command line and decodes what it prints.
func (s *sequence) json(into any, args ...string) {
	code, out, errs := runCLI(s.t, args...)
	if code != 0 {
		s.fail("assay %v: exit code %d: %s", args, code, errs)
	}
	fatal.If(s.t, json.Unmarshal([]byte(out), into))
}

// made checks a log of Inspect beside the results: it has what the results have, or it is gone.
func (s *sequence) made(o batch.Options, want map[string][]string) {
	logs, err := filepath.Glob(filepath.Join(o.Out, "inspect*.json"))
	fatal.If(s.t, err)
	if len(logs) == 0 {
		return
	}
	got := map[string]int{}
	for _, path := range logs {
		var log struct{ Samples []struct{ ID string } }
		text, err := os.ReadFile(path)
		fatal.If(s.t, errors.Join(err, json.Unmarshal(text, &log)))
		for _, sample := range log.Samples {
			got[sample.ID]++
		}
	}
	if !maps.EqualFunc(got, want, func(n int, of []string) bool { return n == len(of) }) {
		s.fail("the logs of Inspect have samples %v, want %v", got, want)
	}
}

func (s *sequence) report(o batch.Options, want map[string][]string, accepted func([]string) int) {
	var r struct {
		Tasks []struct {
			ID   string
			Runs []struct{ Samples, Accepted int }
		}
	}
	s.json(&r, "report", "m="+o.Out, "--json")
	for _, task := range r.Tasks {
		if of := want[task.ID]; len(of) != task.Runs[0].Samples || accepted(of) != task.Runs[0].Accepted {
			s.fail("the report has %+v, want %v", task, of)
		}
	}
	if len(r.Tasks) != len(want) {
		s.fail("the report has %d tasks, want %v", len(r.Tasks), want)
	}
}

// rated checks the verdicts that a plan of ratings has of the samples. It reads the whole file of samples.
func (s *sequence) rated(o batch.Options, tasks string, want map[string][]string, accepted func([]string) int) {
	path := filepath.Join(s.dir, "plan.jsonl")
	for _, name := range []string{path, path + ".2"} {
		_ = os.Remove(name) // of the step before, if there was one
	}
	code, _, errs := runCLI(s.t, "rate", "plan", path, "--answers", "m="+o.Samples, "--results", "m="+o.Out, "--tasks", tasks, "--raters", "2")
	if code != 0 {
		s.fail("rate plan: %s", errs)
	}
	set, err := overlap.Open(path)
	fatal.If(s.t, err)
	got := map[string]int{}
	for _, origin := range set.Header.Origins {
		if origin.Verdict == "accepted" {
			got[origin.Task]++
		}
	}
	for id, of := range want {
		if got[id] != accepted(of) {
			s.fail("%d samples of %s are accepted in the plan of ratings, want %v", got[id], id, of)
		}
	}
	other := filepath.Join(s.dir, "other.jsonl")
	fatal.If(s.t, os.WriteFile(other, fmt.Appendf(nil, "{\"task_id\":%q,\"solution\":\"def g(): pass\"}\n", slices.Sorted(maps.Keys(want))[0]), 0o600))
	code, _, errs = runCLI(s.t, "rate", "plan", path+".2", "--answers", "m="+other, "--results", "m="+o.Out, "--tasks", tasks, "--raters", "2")
	if o.Rules == "" && (code == 0 || !strings.Contains(errs, "is of another answer")) {
		s.fail("a plan has verdicts of other answers: %s", errs)
	}
}

func (s *sequence) difficulty(o batch.Options, want map[string][]string, accepted func([]string) int) {
	code, out, errs := runCLI(s.t, "difficulty", "m="+o.Out, "other="+s.varied(want), "--json")
	if code != 0 && strings.Contains(errs, "cannot be analysed") {
		return
	}
	var d struct {
		Tasks       []struct{ ID string }
		Respondents []struct {
			Name   string
			Scores []float64
			Trials []int
		}
	}
	if code != 0 {
		s.fail("difficulty: %s", errs)
	}
	fatal.If(s.t, json.Unmarshal([]byte(out), &d))
	for _, r := range d.Respondents {
		for i, task := range d.Tasks {
			if of := want[task.ID]; r.Name == "m" && (r.Trials[i] != len(of) || r.Scores[i] != float64(accepted(of))/float64(len(of))) {
				s.fail("difficulty has %+v, want %v", r, want)
			}
		}
	}
}

// varied are results of the same tasks with which difficulties can be told apart.
func (s *sequence) varied(want map[string][]string) string {
	dir := filepath.Join(s.dir, "varied")
	fatal.If(s.t, os.MkdirAll(dir, 0o755))
	var text strings.Builder
	for i, id := range slices.Sorted(maps.Keys(want)) {
		for n := range 4 {
			verdict := "wrong_answer"
			if n < i+1 {
				verdict = "accepted"
			}
			fmt.Fprintf(&text, `{"task_id":%q,"sample":%d,"verdict":%q,"passed_tests":0,"total_tests":1,"content":"x"}`+"\n", id, n, verdict)
		}
	}
	fatal.If(s.t, os.WriteFile(filepath.Join(dir, batch.ResultsName), []byte(text.String()), 0o600))
	return dir
}

// TestEveryReaderFindsTheLastEvaluation: after any evaluations into one directory, every reader finds exactly the
// samples that the last one counted. $ASSAY_SEQUENCES is how many sequences.
func TestEveryReaderFindsTheLastEvaluation(t *testing.T) {
	rounds, seed := 10, uint64(time.Now().UnixNano())
	if n, err := strconv.Atoi(os.Getenv("ASSAY_SEQUENCES")); err == nil {
		rounds = n
	}
	if n, err := strconv.ParseUint(os.Getenv("ASSAY_SEQUENCES_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("ASSAY_SEQUENCES_SEED=%d", seed)
	for round := range uint64(rounds) {
		s := &sequence{t: t, random: rand.New(rand.NewPCG(seed+round, 0)), dir: t.TempDir()}
		s.out = filepath.Join(s.dir, "out")
		s.did = append(s.did, fmt.Sprintf("ASSAY_SEQUENCES_SEED=%d", seed+round))
		edition := 0
		for range 4 {
			s.did = append(s.did, "|")
			s.step(&edition)
		}
	}
}
