package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/prompts"
)

func TestParse(t *testing.T) {
	const least = "tasks = \"starter\"\nmodels = [\"m\"]\n"
	f, err := parse("/dir/b.toml", least)
	fatal.If(t, err)
	if f.Name != "b" || f.Samples != 1 || !f.Measure || !slices.Equal(f.Prompts, []string{"level-3"}) || !slices.Equal(f.K, []int{1}) {
		t.Errorf("the defaults are %+v", f)
	}
	f, err = parse("/dir/b.toml", "tasks = \"./t.json\"\nmodels = [\"m\"]\nmodels_file = \"m.toml\"\nwritten_prompts = \"p.jsonl\"\n")
	if err != nil || f.Tasks != "/dir/t.json" || f.ModelsFile != "/dir/m.toml" || f.Written != "/dir/p.jsonl" || len(f.Prompts) != 0 {
		t.Errorf("files beside it: %+v, %v", f, err)
	}
	if _, err := parse("example", Example()); err != nil {
		t.Errorf("the example: %v", err)
	}
	for add, want := range map[string]string{
		"samples = 0":                            "b.toml:3: samples: ",
		"budget = -1":                            "b.toml:3: budget: ",
		"k = [2]":                                "b.toml:3: k: pass@2",
		"k = [0]":                                "b.toml:3: k: ",
		"prompts = [\"level-9\"]":                "b.toml:3: prompts: there is no kind",
		"by = [\"colour\"]":                      "b.toml:3: by: ",
		"filter = \"difficulty:(\"":              "b.toml:3: filter: ",
		"unreviewed = true":                      "b.toml:3: unreviewed: ",
		"colour = 1":                             "b.toml:3: colour: the key is not known",
		"samples = \"many\"":                     "b.toml:3: samples: ",
		"[draw]\nseed = 3":                       "b.toml:3: draw: ",
		"[draw]\ntasks = -2":                     "b.toml:4: draw.tasks: ",
		"samples = ":                             "b.toml:3: ",
		"[draw]\ntasks = 3\nstratify = \"type\"": "b.toml:5: ",
	} {
		if _, err := parse("b.toml", least+add+"\n"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", add, err, want)
		}
	}
	for text, want := range map[string]string{"models = [\"m\"]\n": "b.toml:1: tasks: it is missing", "tasks = \"starter\"\n": "b.toml:1: models: it is missing"} {
		if _, err := parse("b.toml", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml")); err == nil || !strings.Contains(err.Error(), "assay run example") {
		t.Errorf("no file: %v", err)
	}
}

func tasks(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "made"}
	for i := range n {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("t%d", i), Title: "A task", Language: "python", Description: fmt.Sprintf("Do %d.", i),
			Difficulty: benchmark.Difficulties[i%3], Practice: i == 0})
	}
	return b
}

func TestChoose(t *testing.T) {
	b := tasks(10)
	easy, err := benchmark.ParseFilter("difficulty:easy")
	fatal.If(t, err)
	ids := func(b *benchmark.Benchmark) (all []string) {
		for _, t := range b.Tasks {
			all = append(all, t.ID)
		}
		return all
	}
	if got, _, err := ChooseTasks(b, easy, Draw{}); err != nil || !slices.Equal(ids(got), []string{"t3", "t6", "t9"}) { // not t0, which is practice
		t.Errorf("easy ones: %v, %v", ids(got), err)
	}
	first, _, err := ChooseTasks(b, benchmark.Filter{}, Draw{Tasks: 4, Seed: 7})
	again, _, errAgain := ChooseTasks(b, benchmark.Filter{}, Draw{Tasks: 4, Seed: 7})
	if err != nil || errAgain != nil || len(first.Tasks) != 4 || !slices.Equal(ids(first), ids(again)) {
		t.Errorf("drawn: %v and %v", ids(first), ids(again))
	}
	if _, _, err := ChooseTasks(b, benchmark.Filter{}, Draw{Tasks: 40}); err == nil {
		t.Error("more tasks than there are: no error")
	}
	none, err := benchmark.ParseFilter("topic:none-has-it")
	fatal.If(t, err)
	if _, _, err := ChooseTasks(b, none, Draw{}); err == nil || !strings.Contains(err.Error(), "none of the 10 tasks matches the filter") {
		t.Errorf("no tasks: %v", err)
	}
}

func TestChooseModels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "models.toml")
	text := ""
	for _, name := range []string{"gpt-a", "gpt-b", "other"} {
		text += fmt.Sprintf("[[model]]\nname = %q\nprovider = \"command\"\ncommand = [\"cat\"]\n", name)
	}
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	known, err := llm.LoadModels(path)
	fatal.If(t, err)
	for pattern, want := range map[string]string{"gpt-*": "gpt-a gpt-b", "other gpt-*": "other gpt-a gpt-b", "*": "gpt-a gpt-b other", "rehearsal": "rehearsal", "gpt-a gpt-*": "gpt-a gpt-b"} {
		models, err := ChooseModels(known, strings.Fields(pattern))
		var names []string
		for _, m := range models {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", pattern, got, err, want)
		}
	}
	for _, bad := range []string{"nobody", "claude-*", "[", "reh*"} {
		if _, err := ChooseModels(known, []string{bad}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestPrompts(t *testing.T) {
	b := tasks(3)
	b.Tasks[1].ContextLevels = []string{"one", "two", "three"}
	set, err := prompts.Create(filepath.Join(t.TempDir(), "p.jsonl"), prompts.Header{Benchmark: "made", Author: prompts.Author{Name: "writer"}, Reviewers: 1})
	fatal.If(t, err)
	defer set.Close()
	fatal.If(t, set.Propose(prompts.Candidate{Task: "t2", Basis: prompts.Basis(&b.Tasks[2]), Level: 1, Wording: 1, Text: "In other words."}))
	of, notes, err := Prompts(b, []string{"level-1", "context-2"}, set, true)
	fatal.If(t, err)
	names := func(i int) (all []string) {
		for _, p := range of(&b.Tasks[i]) {
			all = append(all, fmt.Sprint(p.Name, p.Unreviewed))
		}
		return all
	}
	if got := fmt.Sprint(names(0), names(1), names(2)); got != "[level-1false] [level-1false context-2false] [level-1false context-1.1true]" {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(notes, "\n"); !strings.Contains(got, "2 of 3 tasks have no prompt context-2") || !strings.Contains(got, "2 of 3 tasks have no written prompt") {
		t.Errorf("notes: %s", got)
	}
	if of, _, err = Prompts(b, []string{"level-1"}, set, false); err != nil || len(of(&b.Tasks[2])) != 1 {
		t.Errorf("prompts that nobody reviewed are used unasked: %v", err)
	}
	if _, _, err := Prompts(b, []string{"context-1"}, nil, false); err == nil || !strings.Contains(err.Error(), "none of the requested prompts") {
		t.Errorf("a task without a prompt: %v", err)
	}
	if notes := Evaluated(set, []llm.Model{{Name: "m", Provider: llm.ProviderCommand}}); len(notes) != 0 {
		t.Errorf("notes: %v", notes)
	}
}

// Prompts of level 2 that name the reference's identifiers are used, with a note.
func TestNamingPrompts(t *testing.T) {
	b := tasks(7)
	set, err := prompts.Create(filepath.Join(t.TempDir(), "p.jsonl"), prompts.Header{Benchmark: "made", Author: prompts.Author{Name: "writer"}, Reviewers: 1})
	fatal.If(t, err)
	defer set.Close()
	for i := range b.Tasks {
		b.Tasks[i].Language, b.Tasks[i].Reference = "python", "def f(n):\n    half_way = n // 2\n    return half_way\n"
		fatal.If(t, set.Propose(prompts.Candidate{Task: b.Tasks[i].ID, Basis: prompts.Basis(&b.Tasks[i]), Level: 2, Wording: 1, Text: "Keep half_way."}))
	}
	note := func(unreviewed bool) string {
		_, notes, err := Prompts(b, []string{"level-1"}, set, unreviewed)
		fatal.If(t, err)
		return strings.Join(notes, "\n")
	}
	if got := note(true); !strings.Contains(got, "identifiers of the reference solution are used: 7 (t0 context-2.1, t1 context-2.1, ") || !strings.Contains(got, "t4 context-2.1, …)") {
		t.Errorf("notes: %s", got)
	}
	if got := note(false); strings.Contains(got, "identifiers") {
		t.Errorf("a note about prompts that are not used: %s", got)
	}
	fatal.If(t, set.Decide(prompts.Decision{Task: "t1", Level: 2, Wording: 1, Reviewer: "ann", Verdict: prompts.Accept}))
	if got := note(false); !strings.Contains(got, "are used: 1 (t1 context-2.1)") {
		t.Errorf("notes: %s", got)
	}
}

// slowly delays each answer after the first ones until another answer has been judged, so that a batch that
// judged only at the end would never finish.
type slowly struct {
	judged atomic.Int64
	passed chan struct{}
}

func (s *slowly) Judge(ctx context.Context, sub verdicts.Submission) (verdicts.Result, error) {
	s.judged.Add(1)
	select {
	case s.passed <- struct{}{}:
	default:
	}
	r := verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1}
	if strings.Contains(sub.Code, "wrong") {
		r.Verdict, r.Passed = verdicts.WrongAnswer, 0
	}
	return r, nil
}

func (s *slowly) Workers() int { return 2 }

func TestStagesOverlap(t *testing.T) {
	dir := t.TempDir()
	b := tasks(9)
	j := &slowly{passed: make(chan struct{}, 1)}
	asked := 0
	deps := llm.Deps{Getenv: func(string) string { return "" }, Recorded: func(task string, _ int) (string, bool) {
		if asked++; asked > 1 { // one request at a time, by the limit below
			<-j.passed
		}
		code := "right"
		if task == "t4" {
			code = "wrong"
		}
		return "```python\n" + code + " = 1\n```\n", true
	}}
	one, pace := 1, 0.0
	o := Options{Generate: generate.Options{Dir: filepath.Join(dir, "run"), Deps: deps, Plan: generate.Plan{Benchmark: b, N: 1,
		Models:  []llm.Model{{Name: "m", Provider: llm.ProviderRehearsal, MaxConcurrent: &one, Pace: &pace}},
		Prompts: func(t *benchmark.Task) []generate.Prompt { return []generate.Prompt{{Name: "p", Text: t.Description}} }}}, Judge: j, NoMeasures: true}
	out, err := Start(t.Context(), o)
	if err != nil || !out.Complete() || len(out.Runs) != 1 {
		t.Fatalf("got %+v, %v", out, err)
	}
	if s := out.Runs[0].Summary; s.Samples != 9 || s.Accepted != 8 || out.Judged() != 9 {
		t.Errorf("the summary is %+v, %d judged", s, out.Judged())
	}
	// Again: nothing is requested, and nothing judged.
	before := j.judged.Load()
	o.Generate.Deps.Recorded = func(string, int) (string, bool) { t.Error("asked again"); return "", false }
	out, err = Start(t.Context(), o)
	if err != nil || out.Runs[0].Summary.Reused != 9 || j.judged.Load() != before {
		t.Errorf("the second time: %+v, %v, %d judged", out, err, j.judged.Load()-before)
	}
	found, err := Results(o.Generate.Dir)
	if err != nil || len(found) != 1 || found[0].Model != "m" || found[0].Prompt != "p" {
		t.Errorf("its results: %+v, %v", found, err)
	}
	rows, err := batch.ReadResults(found[0].Dir)
	if err != nil || len(rows) != 9 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
}

// A judge that cannot continue ends the batch with its reason; generated answers remain.
type broken struct{}

func (broken) Judge(context.Context, verdicts.Submission) (verdicts.Result, error) {
	return verdicts.Result{}, errors.New("the box fell down")
}
func (broken) Workers() int { return 1 }

func TestABrokenJudge(t *testing.T) {
	pace := 0.0
	o := Options{Generate: generate.Options{Dir: filepath.Join(t.TempDir(), "run"), Plan: generate.Plan{Benchmark: tasks(3), N: 1,
		Models:  []llm.Model{{Name: "m", Provider: llm.ProviderRehearsal, Pace: &pace}},
		Prompts: func(t *benchmark.Task) []generate.Prompt { return []generate.Prompt{{Name: "p", Text: t.Description}} }},
		Deps: llm.Deps{Getenv: func(string) string { return "" }, Recorded: func(string, int) (string, bool) { return "x = 1", true }}}, Judge: broken{}}
	if _, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "the box fell down") || !strings.Contains(err.Error(), "judging the answers of m to p") {
		t.Errorf("got %v", err)
	}
}
