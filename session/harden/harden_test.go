package harden

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/harden"
	"assay/benchmark/judge"
	"assay/benchmark/strength"
	"assay/data"
	"assay/data/fatal"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/prompts"
)

func floor() *benchmark.Task {
	raw := func(list ...string) (all []json.RawMessage) {
		for _, text := range list {
			all = append(all, json.RawMessage(text))
		}
		return all
	}
	var cases []benchmark.Case
	for _, c := range [][2]string{{"[1, 2]", "[1, 2]"}, {"[]", "[]"}, {"[-1, 7]", "[0, 7]"}, {"[0, -5]", "[0, 0]"}, {"[3, -3, 9, 4]", "[3, 0, 9, 4]"}} {
		cases = append(cases, benchmark.Case{Args: raw(c[0]), Expected: json.RawMessage(c[1])})
	}
	return &benchmark.Task{
		ID: "floor", Title: "Floor", Language: "python", EntryPoint: "floor", Description: "Return the numbers, with 0 for each that is below 0.",
		Signature: benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "xs", Type: "list[int]"}}, Returns: "list[int]"},
		Reference: "def floor(xs: list[int]) -> list[int]:\n    return [max(0, x) for x in xs]\n",
		Tests:     benchmark.Tests{Style: benchmark.Calls, Cases: cases},
	}
}

const harder = "def floor(xs: list[int]) -> list[int]:\n    low, out = 0, []\n    for x in xs:\n        out.append(max(low, x))\n        low = max(low, out[-1])\n    return out\n"

const statement = "Write floor, which returns for each number the largest number so far, at least 0."

// answers plays a model: what it says to each step. Each request is counted.
type answers struct {
	mu    sync.Mutex
	asked []string
	says  func(step, task string, number int) (string, error)
}

func (a *answers) Stream(ctx context.Context, r llm.Request, _ func(string)) (llm.Answer, error) {
	a.mu.Lock()
	a.asked = append(a.asked, fmt.Sprintf("%s %s %d", r.Prompt, r.Task, r.Sample))
	a.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, err
	}
	text, err := a.says(r.Prompt, r.Task, r.Sample)
	return llm.Answer{Text: text, FinishReason: "stop", Model: "played", InputTokens: 1000, OutputTokens: 1000}, err
}

// good answers every step well.
func good(step, _ string, _ int) (string, error) {
	switch step {
	case "statement":
		return "<prompt>" + statement + "</prompt>", nil
	case "solve", "measure":
		return "```python\n" + harder + "```", nil
	}
	return "```python\n" + harder + "```\n```json\n[[[5, 1, 6]], [[-2, -1]]]\n```", nil
}

func asked(name string, says func(step, task string, number int) (string, error)) (*generate.Asked, *answers) {
	played := &answers{says: says}
	price := 100.0
	return &generate.Asked{Model: llm.Model{Name: name, Provider: llm.ProviderOpenAI, Model: name, PriceIn: &price, PriceOut: &price, Currency: "USD"}, Client: played}, played
}

var sandboxed = sync.OnceValues(func() (*judge.Judge, error) { return judge.New(judge.Options{Workers: 2}) })

// world is a run in a directory, with a model that changes solutions.
type world struct {
	Options
	t    *testing.T
	path string
	said []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	j, err := sandboxed()
	if err != nil {
		t.Skipf("there is no sandbox: %v", err)
	}
	folder, err := data.PromptTemplates()
	fatal.If(t, err)
	templates, err := prompts.LoadTemplates(folder, "assay", TemplateNames())
	fatal.If(t, err)
	b := &benchmark.Benchmark{Version: 1, Name: "one", Tasks: []benchmark.Task{*floor()}}
	w := &world{t: t, path: filepath.Join(t.TempDir(), "hard.jsonl")}
	w.Options = Options{Benchmark: b, Tasks: []*benchmark.Task{&b.Tasks[0]}, Templates: templates, Proposals: 1, Tries: 1, Samples: 1, Keep: 5, Parallel: 1,
		Checker: &harden.Checker{Judge: j, Examiner: strength.Examiner{Judge: j, Mutate: true}}, Now: func() time.Time { return time.Unix(1e9, 0) },
		Say: func(text string) { w.said = append(w.said, text) }}
	fatal.If(t, Create(w.path, Header{Benchmark: "one", Reviewers: 1}))
	set, err := prompts.Create(ReviewPath(w.path), prompts.Header{Benchmark: "one-hard", Reviewers: 1})
	fatal.If(t, err)
	fatal.If(t, set.Close())
	return w
}

// run runs once, as one process does.
func (w *world) run(budget float64) (*State, error) {
	w.t.Helper()
	var models []llm.Model
	for _, a := range append([]*generate.Asked{w.Writer, w.Second}, w.Models...) {
		if a != nil {
			models = append(models, a.Model)
		}
	}
	var err error
	w.Account, err = generate.NewAccount(budget, models)
	fatal.If(w.t, err)
	w.File, err = Change(w.path)
	fatal.If(w.t, err)
	w.Review, err = prompts.Change(ReviewPath(w.path))
	fatal.If(w.t, err)
	_, failed := Run(w.t.Context(), w.Options)
	fatal.If(w.t, errors.Join(w.File.Close(), w.Review.Close()))
	s, err := Open(w.path)
	fatal.If(w.t, err)
	return s, failed
}

// only returns the one proposal.
func only(t *testing.T, s *State) *Proposed {
	t.Helper()
	if len(s.Proposed) != 1 {
		t.Fatalf("%d proposals", len(s.Proposed))
	}
	return s.Proposed[0]
}

// A proposal that passes every check is kept, laid before reviewers, and exported with its provenance.
func TestAccepted(t *testing.T) {
	w := newWorld(t)
	w.Writer, _ = asked("writer", good)
	w.Second, _ = asked("other", good)
	s, err := w.run(0)
	fatal.If(t, err)
	p := only(t, s)
	if p.Removed != "" || !p.Second.Agrees || p.Task.Description != statement || !slices.Equal(s.Kept, []string{"floor-states-1"}) {
		t.Fatalf("%s %s %+v %v", p.Removed, p.Why, p.Second, s.Kept)
	}
	set, err := prompts.Change(ReviewPath(w.path))
	fatal.If(t, err)
	defer set.Close()
	if b, err := Accepted(s, set, false); err != nil || len(b.Tasks) != 0 {
		t.Errorf("before a decision %d tasks are accepted: %v", len(b.Tasks), err)
	}
	if b, err := Accepted(s, set, true); err != nil || len(b.Tasks) != 1 {
		t.Errorf("unreviewed: %d tasks: %v", len(b.Tasks), err)
	}
	fatal.If(t, set.Decide(prompts.Decision{Task: "floor-states-1", Level: 1, Wording: 1, Reviewer: "ann", Verdict: prompts.Edit, Text: statement + " Quickly."}))
	b, made := exported(t, s, set)
	if !strings.HasSuffix(b.Tasks[0].Description, "Quickly.") || !made.Edited || made.Model != "writer" || made.Second != "not asked" ||
		!slices.Equal(made.Reviewers, []string{"ann"}) || made.Hashes[0] != w.Tasks[0].Hash() || made.Review != string(prompts.Edited) || made.Killed == 0 {
		t.Errorf("%s\n%+v", b.Tasks[0].Description, made)
	}

	// The next run asks for a solution from the edited statement alone, once.
	fatal.If(t, set.Close())
	for range 2 {
		w.Second, _ = asked("other", func(step, task string, number int) (string, error) { return "I cannot.", nil })
		s, err := w.run(0)
		fatal.If(t, err)
		set, err = prompts.Open(ReviewPath(w.path))
		fatal.If(t, err)
		if _, made := exported(t, s, set); made.Second != "other disagrees" || len(w.said) == 0 || !strings.Contains(w.said[len(w.said)-1], "as it was edited: the second solution is") {
			t.Errorf("%s, said %q", made.Second, w.said)
		}
	}
	if n := len(w.said); n != 2 { // the first said that it passes
		t.Errorf("%d lines: %q", n, w.said)
	}
}

// exported returns the benchmark of accepted tasks, and the provenance of the first.
func exported(t *testing.T, s *State, set *prompts.Set) (*benchmark.Benchmark, harden.Provenance) {
	t.Helper()
	b, err := Accepted(s, set, false)
	fatal.If(t, err)
	fatal.If(t, b.Tasks[0].Check())
	var made harden.Provenance
	fatal.If(t, json.Unmarshal(b.Tasks[0].Extra[harden.ProvenanceKey], &made))
	return b, made
}

// What a model answers badly, and the check that removes it. Nonsense ends nothing.
func TestNonsense(t *testing.T) {
	code := func(text string) string { return "```python\n" + text + "```" }
	for _, tt := range []struct {
		name string
		step string // answered badly
		says string
		want harden.Stage
	}{
		{"prose", "states", "I would rather not.", harden.Answered},
		{"no program", "states", code("def floor(:\n"), harden.Answered},
		{"empty", "states", " ", harden.Answered},
		{"the old solution", "states", code(floor().Reference), harden.OldFails},
		{"an endless loop", "states", code("def floor(xs: list[int]) -> list[int]:\n    while True:\n        pass\n"), harden.Returns},
		{"no statement", "statement", "<prompt> </prompt>", harden.Stated},
		{"the old statement", "statement", "<prompt>" + floor().Description + "</prompt>", harden.Different},
		{"a wrong second solution", "solve", code(floor().Reference), harden.Consensus},
		{"no second solution", "solve", "It cannot be done.", harden.Consensus},
	} {
		w := newWorld(t)
		w.Writer, _ = asked("writer", func(step, task string, number int) (string, error) {
			if step == tt.step {
				return tt.says, nil
			}
			return good(step, task, number)
		})
		w.Second = w.Writer
		s, err := w.run(0)
		fatal.If(t, err)
		p := only(t, s)
		if p.Removed != tt.want || p.Why == "" {
			t.Errorf("%s: removed by %q (%s), want %q", tt.name, p.Removed, p.Why, tt.want)
		}
		if shown := len(s.Shown()); shown != 0 != (tt.want == harden.Consensus) {
			t.Errorf("%s: %d are shown to people", tt.name, shown)
		}
		if tally := s.Tally(); tally[slices.Index(harden.Stages(), tt.want)].Removed != 1 {
			t.Errorf("%s: %+v", tt.name, tally)
		}
	}
}

// A run that fails at any request continues there: nothing is asked twice, and the result is the same.
func TestResumed(t *testing.T) {
	w := newWorld(t)
	whole := 0
	for fails := 0; ; fails++ {
		n := 0
		says := func(step, task string, number int) (string, error) {
			if n++; n > 1 { // one answer in each run
				return "", &llm.Error{Class: llm.Auth, Message: "no"}
			}
			return good(step, task, number)
		}
		var writer, judge *answers
		w.Writer, writer = asked("writer", says)
		w.Second = w.Writer
		measuring, judge := asked("measuring", says)
		w.Models = []*generate.Asked{measuring}
		s, err := w.run(0)
		whole += len(writer.asked) + len(judge.asked)
		if err == nil {
			if p := only(t, s); p.Removed != "" || len(s.Measured) != 2 || fails < 4 {
				t.Errorf("after %d failures: %+v, %d measurements", fails, p, len(s.Measured))
			}
			break
		}
		if fails > 20 {
			t.Fatal(err)
		}
	}
	// change, statement, solve, two measurements; a second request of each run but the last fails
	if whole != 9 {
		t.Errorf("%d requests", whole)
	}
	before := fatal.Read(t, w.path)
	if _, err := w.run(0); err != nil || string(before) != string(fatal.Read(t, w.path)) {
		t.Errorf("a finished run wrote more: %v", err)
	}
}

// A file cut off anywhere, as by a power loss, continues.
func TestCutOff(t *testing.T) {
	w := newWorld(t)
	w.Writer, _ = asked("writer", good)
	w.Second = w.Writer
	_, err := w.run(0)
	fatal.If(t, err)
	text := fatal.Read(t, w.path)
	for cut := len(text) - 1; cut > len(text)/2; cut -= len(text) / 7 {
		fatal.If(t, os.WriteFile(w.path, text[:cut], 0o644))
		s, err := w.run(0)
		fatal.If(t, err)
		if p := only(t, s); p.Removed != "" || len(s.Kept) != 1 {
			t.Errorf("cut to %d bytes: %+v", cut, p)
		}
	}
}

// Before the budget is exceeded, no more is sent; a larger one continues.
func TestBudget(t *testing.T) {
	w := newWorld(t)
	w.Writer, _ = asked("writer", good)
	w.Second = w.Writer
	price, tokens := 100.0, 1500 // an answer costs 0.2, and at most 0.25
	w.Writer.Model.PriceIn, w.Writer.Model.MaxTokens = &price, &tokens
	s, err := w.run(0.5)
	if !errors.Is(err, generate.ErrBudget) || len(s.Proposed) != 0 {
		t.Fatalf("%v, %d proposals", err, len(s.Proposed))
	}
	if total := w.Account.Total(); total == 0 || total > 0.5 {
		t.Errorf("%.2f spent of 0.50", total)
	}
	s, err = w.run(5)
	fatal.If(t, err)
	if only(t, s).Removed != "" {
		t.Errorf("%+v", s.Proposed[0])
	}
	if total := w.Account.Total(); total < 0.59 || total > 0.61 {
		t.Errorf("three answers cost %.2f", total)
	}
}

// What all or none of the answers solve does not separate and is not kept.
func TestKept(t *testing.T) {
	w := newWorld(t)
	w.Mechanical, w.Samples = true, 2
	solves := map[string]float64{"floor-distinct": 1, "floor-chain": 0.5, "floor-tally": 0, "floor": 1}
	solution := func(task string) string {
		for _, p := range harden.Mechanical(w.Tasks[0], w.Tasks) {
			if p.Task.ID == task {
				return p.Task.Reference
			}
		}
		return floor().Reference
	}
	for i, name := range []string{"weak", "strong"} {
		m, _ := asked(name, func(_, task string, number int) (string, error) {
			if solves[task] == 1 || solves[task] == 0.5 && i == 1 {
				return "```python\n" + solution(task) + "```", nil
			}
			return "```python\npass\n```", nil
		})
		w.Models = append(w.Models, m)
	}
	s, err := w.run(0)
	fatal.If(t, err)
	if !slices.Equal(s.Kept, []string{"floor-chain"}) {
		t.Errorf("kept %v; %v", s.Kept, w.said)
	}
	for _, d := range s.Difficulties() {
		if d.Solved == nil || *d.Solved != solves[d.Task] || d.Difficulty == nil || d.Separates != (d.Task == "floor-chain") {
			t.Errorf("%+v", d)
		}
	}
	if shift, ok := s.Shift(); !ok || shift.Before != 1 || shift.After != 0.5 || !shift.Known || shift.Tasks != 3 {
		t.Errorf("%+v %v", shift, ok)
	}
}

// Five failures in a row end a run, fewer do not; they are not counted as nonsense.
func TestFailures(t *testing.T) {
	w := newWorld(t)
	w.Proposals = 8
	w.Writer, _ = asked("writer", func(string, string, int) (string, error) {
		return "", &llm.Error{Class: llm.NoAnswer, Message: "none"}
	})
	s, err := w.run(0)
	var failed *llm.Error
	if !errors.As(err, &failed) || len(s.Proposed) != 0 || len(w.said) != generate.MaxFailures-1 {
		t.Errorf("%v after %d failures, %d proposals", err, len(w.said), len(s.Proposed))
	}
}

// A file that is no file of harder tasks, and impossible events.
func TestUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	const head = `{"assay_hardened":1,"benchmark":"b","author":{"name":"","provider":"","definition":""},"templates":"","reviewers":1}` + "\n"
	for want, text := range map[string]string{
		"x.jsonl:1: it does not begin like a file of harder tasks": "{\"assay_prompts\":1}\n",
		"\"assay_hardened\" is 2":                                  strings.Replace(head, "1", "2", 1),
		"x.jsonl:2: it is no event":                                head + "{}\n",
		"x.jsonl:2: \"a\" is kept, but":                            head + `{"kept":{"tasks":["a"],"at":"2026-01-01T00:00:00Z"}}` + "\n",
		"x.jsonl:2: the proposal names no":                         head + `{"proposed":{"task":{"id":"","title":"","language":"","description":""},"from":null,"hashes":null,"original":"","change":"","at":"2026-01-01T00:00:00Z"}}` + "\n",
	} {
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
