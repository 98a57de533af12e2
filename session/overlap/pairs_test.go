package overlap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/session"
)

// answered is a pool of models' answers to tasks. The models "x" and "y" give the same answer to the first task, and the first
// model names itself.
func answered(t *testing.T, models []string, tasks int) *Pool {
	t.Helper()
	p := NewPool()
	for _, m := range models {
		for i := range tasks {
			text, code := fmt.Sprintf("As %s, I say %s: `f%d()`", m, strings.Repeat("do ", len(m)+i%7), i), fmt.Sprintf("f%d() # by %s, %d", i, m, len(m))
			if i == 0 && len(m) == 1 {
				text, code = "the same answer", "f()"
			}
			verdict := &session.VerdictRecorded{Attempt: 1, Verdict: []string{"accepted", "wrong_answer"}[(i+len(m))%2], Passed: 1, Total: 2}
			fatal.If(t, p.AddAnswer("bench", ModelAnswer{Model: m, Source: m + ".jsonl", Task: &benchmark.Task{ID: fmt.Sprintf("t/%d", i), Title: "T", Description: "Do it.", Reference: "secret"},
				Text: text, Code: code, Result: verdict}, ""))
		}
	}
	return p
}

// Answers of files become items with their model as origin only; names are masked, empty answers left out.
func TestAnswersOfModels(t *testing.T) {
	p := answered(t, []string{"gpt-9x", "llama"}, 3)
	fatal.If(t, p.AddAnswer("bench", ModelAnswer{Model: "gpt-9x", Task: &benchmark.Task{ID: "t/0"}, Text: " \n"}, ""))
	h, err := Make(p, Setup{Raters: []string{"ann", "bob"}, Overlap: 2, Seed: 1, Stratify: []string{"arm", "verdict"}, Mask: true})
	fatal.If(t, err)
	if len(h.Items) != 6 || p.Left["whose answer is empty"] != 1 || p.Masked != 12 || len(h.Attributes) != 8 {
		t.Errorf("%d items, left %v, %d masked, %d attributes", len(h.Items), p.Left, p.Masked, len(h.Attributes))
	}
	own, err := json.Marshal(h.For("ann"))
	fatal.If(t, err)
	for _, hidden := range []string{"gpt-9x", "llama", "secret", ".jsonl"} {
		if bytes.Contains(own, []byte(hidden)) {
			t.Errorf("a rater's file contains %q", hidden)
		}
	}
	if !bytes.Contains(own, []byte("As [model], I say")) {
		t.Error("the answers are not there")
	}
}

func TestMask(t *testing.T) {
	mask := NewMask([]string{"my-model.v2", "x", "model", "Qwen/Qwen2.5-Coder-7B-Instruct", "gemini-2.5-flash"})
	for text, want := range map[string]string{
		"I am ChatGPT, made by OpenAI.":       "I am [model], made by [model].",
		"MY-MODEL.V2 my-model.v2 My Model v2": "[model] [model] [model]",
		"x = model(claudette)":                "x = model(claudette)",
		"gpt-4o-mini and Claude 3.5 Sonnet":   "[model] and [model]",
		"As Claude, I'm gpt4o; GPT 4o, Claude-3.5 Sonnet, claude 3 opus, ChatGPT-4, GPT_4o.":         "As [model], I'm [model]; [model], [model], [model], [model], [model].",
		"Qwen 2.5 Coder wrote it, qwen2.5-coder-7b too; Gemini as well, Code Llama 70b, DeepSeek-V3": "[model] wrote it, [model] too; [model] as well, [model], [model]",
		"I'm Grok. To grok it, the falcon dives.":                                                    "I'm [model]. To grok it, the falcon dives.",
		"plain: a model (gptq), clauses, mistrals":                                                   "plain: a model (gptq), clauses, mistrals",
		"```python\nclaude = gpt(1)  # by Claude 3\nimport openai\n```\nGPT":                         "```python\nclaude = gpt(1)  # by [model]\nimport openai\n```\n[model]",
	} {
		if got, n := mask.Answer(text); got != want || n != strings.Count(want, Masked) {
			t.Errorf("%q becomes %q, want %q (%d)", text, got, want, n)
		}
	}
	for code, want := range map[string]string{
		"openai.run(claude, gpt_4)":                                      "openai.run(claude, gpt_4)",
		"print(\"I am GPT-4\") // Claude\nclaude += 1":                   "print(\"I am [model]\") // [model]\nclaude += 1",
		"'''Gemini\n\"quoted\" by Anthropic'''\ngemini = '\\'' + claude": "'''[model]\n\"quoted\" by [model]'''\ngemini = '\\'' + claude",
		"/* GPT\nby claude */ gpt":                                       "/* [model]\nby [model] */ gpt", "run my-model.v2": "run [model]", "\"open claude": "\"open [model]", "": "", "'": "'", "\"\\": "\"\\",
	} {
		if got, _ := mask.Code(code); got != want {
			t.Errorf("%q becomes %q, want %q", code, got, want)
		}
	}
}

// Every spelling of a name is masked in prose: other case, other or no separators, without the organisation, and without
// its last parts. Code without comments and strings stays what it is, whatever its identifiers.
func TestMaskSpellings(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	names := []string{"gpt-4o-2024-08-06", "claude-3-5-sonnet-20241022", "Qwen/Qwen2.5-Coder-7B-Instruct", "acme-7b", "org/solver2.1-large"}
	mask := NewMask(names)
	for range 500 {
		name := names[r.IntN(len(names))]
		tokens := parts.FindAllString(name[strings.LastIndexByte(name, '/')+1:], -1)
		number := slices.IndexFunc(tokens, func(s string) bool { return s[0] <= '9' })
		spelled := ""
		for i, token := range tokens[:number+1+r.IntN(len(tokens)-number)] {
			if i > 0 {
				spelled += []string{"", "-", " ", ".", "_"}[r.IntN(5)]
			}
			spelled += []string{token, strings.ToUpper(token), strings.ToLower(token)}[r.IntN(3)]
		}
		if text, n := mask.Answer("As " + spelled + ", I return it."); text != "As [model], I return it." || n != 1 {
			t.Fatalf("%q of %q becomes %q", spelled, name, text)
		}
		identifier := strings.Join(tokens, []string{"", "_"}[r.IntN(2)])
		code := fmt.Sprintf("%s = %s + f(%s)\n", identifier, identifier, identifier)
		if masked, n := mask.Code(code); masked != code || n != 0 {
			t.Fatalf("%q becomes %q", code, masked)
		}
	}
}

// Every plan is balanced: each pair has as many judges as wanted, raters have equally many, models meet equally often,
// sides are about even, and the same seed gives the same plan.
func TestPairPlans(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 9))
		raters := []string{"ann", "bob", "cleo", "dan"}[:2+r.IntN(3)]
		o := Setup{Raters: raters, Overlap: 1 + r.IntN(len(raters)), PerRater: 12 + r.IntN(20), Seed: seed, Pairs: true, Mask: true, Repeats: 0.2, Attention: 0.1}
		models := []string{"alpha-1", "beta-2222", "gamma-33333", "delta-4444444"}
		h, err := Make(answered(t, models, 30), o)
		fatal.If(t, err)
		again, err := Make(answered(t, models, 30), o)
		fatal.If(t, err)
		if h.Plan != again.Plan {
			t.Errorf("seed %d: the plan is not reproducible", seed)
		}
		arm, decoys, left := map[string]string{}, map[string]bool{}, 0
		for _, o := range h.Origins {
			arm[o.Item] = o.Arm
			if o.Decoy {
				decoys[o.Item] = true
			}
		}
		met, all := map[string]int{}, 0
		for _, w := range h.Work {
			if d := len(w.Items) - len(h.Work[0].Items); d < -1 || d > 1 || len(w.Items) > o.PerRater+2 {
				t.Errorf("seed %d: %s has %d pairs of %d", seed, w.Rater, len(w.Items), o.PerRater)
			}
			for _, id := range w.Items {
				p := h.Pair(id)
				all++
				if p.A < p.B {
					left++
				}
			}
		}
		seen := map[[2]string]bool{}
		for _, p := range h.Pairs {
			if at := p.answers(); !seen[at] && !decoys[p.A] && !decoys[p.B] {
				seen[at] = true
				met[min(arm[p.A], arm[p.B])+max(arm[p.A], arm[p.B])]++
				if arm[p.A] == arm[p.B] {
					t.Errorf("seed %d: a model meets itself", seed)
				}
			}
		}
		least, most := 1000, 0
		for _, n := range met {
			least, most = min(least, n), max(most, n)
		}
		if most > least+1 || len(met) != 6 && len(seen) >= 6 {
			t.Errorf("seed %d: models meet %v times", seed, met)
		}
		if share := float64(left) / float64(all); all > 40 && (share < 0.25 || share > 0.75) {
			t.Errorf("seed %d: %v of the sides are in one order", seed, share)
		}
		if len(decoys) == 0 {
			t.Errorf("seed %d: there are no attention checks", seed)
		}
		bad := h
		bad.Pairs = slices.Clone(h.Pairs)
		bad.Pairs[0].A = bad.Pairs[0].B
		bad.Plan = bad.hash()
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), `"pairs"[0]`) {
			t.Errorf("a changed pair: %v", err)
		}
	}
}

// Two models with the same answer to a task are not compared on it; with one model its samples are.
func TestWhichPairs(t *testing.T) {
	h, err := Make(answered(t, []string{"x", "y"}, 3), Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true})
	fatal.If(t, err)
	if h.Identical != 1 || h.RatedByPeople() != 2 {
		t.Errorf("%d identical, %d pairs", h.Identical, h.RatedByPeople())
	}
	p := answered(t, []string{"x"}, 1)
	fatal.If(t, p.AddAnswer("bench", ModelAnswer{Model: "x", Sample: 1, Task: &benchmark.Task{ID: "t/0", Title: "T", Description: "Do it."}, Text: "another"}, ""))
	if h, err = Make(p, Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true}); err != nil || h.RatedByPeople() != 1 {
		t.Errorf("%d pairs of one model, %v", h.RatedByPeople(), err)
	}
	if _, err := Make(answered(t, []string{"x"}, 4), Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true}); err == nil {
		t.Error("one answer to each task is a pair")
	}
}

// judged is a file of three models' pairs, judged by a rule in raters' own files, merged and closed. The rule is given the
// lengths of the models' names.
func judged(t *testing.T, o Setup, rule func(rater string, a, b int) pairs.Outcome) *Set {
	t.Helper()
	o.Pairs = true
	h, err := Make(answered(t, []string{"m-1", "m-22", "m-333"}, 40), o)
	fatal.If(t, err)
	size := map[string]int{}
	for _, origin := range h.Origins {
		size[origin.Item] = len(origin.Arm)
	}
	dir, at := t.TempDir(), time.Unix(0, 0).UTC()
	common := filepath.Join(dir, "common.jsonl")
	fatal.If(t, Create(common, h))
	whole, err := Open(common)
	fatal.If(t, err)
	for _, rater := range o.Raters {
		path := filepath.Join(dir, rater+".jsonl")
		fatal.If(t, Create(path, h.For(rater)))
		f, err := Change(path)
		fatal.If(t, err)
		fatal.If(t, f.Add(Event{Opened: &Opened{rater, at}}))
		for _, id := range h.Of(rater) {
			p := h.Pair(id)
			fatal.If(t, f.Add(Event{Compared: &Compared{Rater: rater, Pair: id, Outcome: rule(rater, size[p.A], size[p.B]), At: at, MS: 2000}}))
		}
		fatal.If(t, f.Close())
		own, err := Open(path)
		fatal.If(t, err)
		fresh, err := whole.Take(own)
		fatal.If(t, err)
		for _, ev := range fresh {
			fatal.If(t, whole.Apply(ev))
		}
	}
	fatal.If(t, whole.Apply(Event{Closed: &Closed{By: "eve", At: at}}))
	return whole
}

// longer prefers the model with the longer name; the size of a decoy is 0.
func longer(_ string, a, b int) pairs.Outcome {
	if a > b {
		return pairs.A
	}
	return pairs.B
}

func TestPairAnalysis(t *testing.T) {
	setup := Setup{Raters: []string{"ann", "bob"}, Overlap: 2, PerRater: 60, Seed: 4, Repeats: 0.1, Attention: 0.05}
	r := rand.New(rand.NewPCG(1, 1))
	s := judged(t, setup, func(_ string, a, b int) pairs.Outcome {
		if a > 0 && b > 0 && r.IntN(4) == 0 {
			return []pairs.Outcome{pairs.A, pairs.B, pairs.Equal, pairs.Neither}[r.IntN(4)]
		}
		return longer("", a, b)
	})
	whole, err := Analyse(s, Apart)
	fatal.If(t, err)
	a := whole.Pairs
	for i, want := range []string{"m-333", "m-22", "m-1"} {
		if a.Models[i].Model != want || a.Scale.Models[i].Model != want || a.Models[i].Range == nil {
			t.Errorf("place %d has %+v and %+v", i, a.Models[i], a.Scale.Models[i])
		}
	}
	for _, p := range a.Attention {
		if p.N != p.All || p.All == 0 {
			t.Errorf("%+v", p)
		}
	}
	if whole.Missing != 0 || a.Judgements != 2*a.Pairs || a.Repeats.All != 10 || a.ByRater || a.Median != 2 || a.Agreement.Range == nil || len(a.Matrix) != 6 || len(a.Style.Effects) != 2 || a.Wrong.All == 0 {
		t.Errorf("%+v", a)
	}
	if !strings.HasPrefix(a.Conclusion, "These people, of these 3 models: m-333 is preferred to each other model") {
		t.Error(a.Conclusion)
	}
}

// Who always chooses the left side shows a side effect, and no model to be better.
func TestPosition(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s := judged(t, Setup{Raters: []string{"ann", "bob"}, Overlap: 1, PerRater: 55, Seed: 4, Repeats: 0.2}, func(string, int, int) pairs.Outcome {
		if r.IntN(8) == 0 {
			return pairs.B
		}
		return pairs.A
	})
	whole, err := Analyse(s, Apart)
	fatal.If(t, err)
	a := whole.Pairs
	if e := a.Style.Effects[0]; e.Range == nil || e.Range.Low < 0.5 {
		t.Errorf("the side effect is %+v", e)
	}
	if a.Left.N*10 < a.Left.All*7 || a.Repeats.N*2 > a.Repeats.All || !strings.Contains(a.Conclusion, "no model to be better") {
		t.Errorf("%+v %+v %s", a.Left, a.Repeats, a.Conclusion)
	}
}

// Impossible judgements are refused and change nothing; undo takes back; others' judgements stay hidden.
func TestPairEvents(t *testing.T) {
	h, err := Make(answered(t, []string{"m-1", "m-22"}, 4), Setup{Raters: []string{"ann", "bob"}, Overlap: 1, Pairs: true})
	fatal.If(t, err)
	s, at := NewSet(h), time.Unix(0, 0).UTC()
	fatal.If(t, s.Apply(Event{Opened: &Opened{"ann", at}}))
	own, others := h.Of("ann"), h.Of("bob")
	for want, c := range map[string]Compared{
		`there is no "p"`: {Rater: "ann", Pair: "p", Outcome: pairs.A}, `"outcome"`: {Rater: "ann", Pair: own[0], Outcome: "c"}, "does not rate": {Rater: "ann", Pair: others[0], Outcome: pairs.A},
		`"ms"`: {Rater: "ann", Pair: own[0], Outcome: pairs.A, MS: -1}, "is not a rater": {Rater: "eve", Pair: own[0], Outcome: pairs.A},
	} {
		c.At = at
		if err := s.Apply(Event{Compared: &c}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, o := range []pairs.Outcome{pairs.A, pairs.Neither} {
		fatal.If(t, s.Apply(Event{Compared: &Compared{Rater: "ann", Pair: own[0], Outcome: o, At: at}}))
	}
	if e := s.For("ann")[0]; e.Form.Outcome != pairs.Neither || e.Other == nil || e.Unit() != own[0] || s.Progress()[0].Whole != 1 {
		t.Errorf("%+v", e)
	}
	fatal.If(t, s.Apply(Event{TakenBack: &TakenBack{"ann", at}}))
	if e := s.For("ann")[0]; e.Form.Outcome != pairs.A {
		t.Errorf("%+v", e.Form)
	}
	if _, err := Analyse(s, Apart); err != ErrOpen {
		t.Errorf("open: %v", err)
	}
}

// What is said beside the judgement is asked for, of a known attribute, and undone with it; numbers count it by model.
func TestReasons(t *testing.T) {
	setup := Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true, HowMuch: true, Why: []string{"accuracy"}}
	h, err := Make(answered(t, []string{"m-1", "m-22"}, 8), setup)
	fatal.If(t, err)
	s, at := NewSet(h), time.Unix(0, 0).UTC()
	fatal.If(t, s.Apply(Event{Opened: &Opened{"ann", at}}))
	own := h.Of("ann")
	for want, r := range map[string]Reasons{
		`"much" of`: {Much: 4}, `"much" of ` + own[0] + " is -1": {Much: -1}, `no attribute "x"`: {Why: map[string]pairs.Outcome{"x": pairs.A}}, "not one of a, b and =": {Why: map[string]pairs.Outcome{"accuracy": pairs.Neither}},
	} {
		if err := s.Apply(Event{Compared: &Compared{Rater: "ann", Pair: own[0], Outcome: pairs.A, Reasons: r, At: at}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if err := s.Apply(Event{Compared: &Compared{Rater: "ann", Pair: own[0], Outcome: pairs.Equal, Reasons: Reasons{Much: 1}, At: at}}); err == nil {
		t.Error("equal answers are better by a step")
	}
	for i, id := range own {
		p, arm := h.Pair(id), map[string]string{}
		for _, o := range h.Origins {
			arm[o.Item] = o.Arm
		}
		better, worse := pairs.A, pairs.B
		if arm[p.A] == "m-1" {
			better, worse = worse, better
		}
		e := Compared{Rater: "ann", Pair: id, Outcome: better, At: at}
		fatal.If(t, s.Apply(Event{Compared: &e}))
		if h.Whole(s.form("ann", id)) {
			t.Error("a pair is whole without its reasons")
		}
		e.Reasons = Reasons{Much: 1 + i%2, Why: map[string]pairs.Outcome{"accuracy": worse}}
		fatal.If(t, s.Apply(Event{Compared: &e}))
	}
	if s.Progress()[0].Whole != len(own) {
		t.Errorf("%+v", s.Progress())
	}
	fatal.If(t, s.Apply(Event{Closed: &Closed{By: "eve", At: at}}))
	whole, err := Analyse(s, Apart)
	fatal.If(t, err)
	a := whole.Pairs
	if g := a.Models[0].HowMuch; a.Models[0].Model != "m-22" || g == nil || g.Mean < 1 || g.Mean > 2 || g.Judgements != len(own) || g.Range == nil || a.Models[1].HowMuch.Mean != -g.Mean {
		t.Errorf("%+v %+v", a.Models[0], g)
	}
	if y := a.Why[0]; y.Models[0].Model != "m-1" || y.Models[0].Rate != 1 || y.Agree != (Share{0, len(own)}) || y.Models[0].HowMuch != nil {
		t.Errorf("%+v", y)
	}
	setup.Why = []string{"beauty"}
	if _, err := Make(answered(t, []string{"m-1", "m-22"}, 8), setup); err == nil || !strings.Contains(err.Error(), "choose from accuracy") {
		t.Error(err)
	}
}

// How preference goes with testers' ratings and with time, against a count by hand: the answer rated higher, of those that
// differ; each rater's judgements divided at the median of that rater's times.
func TestPreferenceAgainstRatingsAndTime(t *testing.T) {
	rated := func(verdict string, ratings map[string]int) []Origin {
		return []Origin{{Verdict: verdict, Ratings: ratings}}
	}
	x, y := rated("accepted", map[string]int{"accuracy": 5, "clarity": 2}), rated("wrong_answer", map[string]int{"accuracy": 1, "clarity": 4, "other": 5})
	list := []told{{x, y, pairs.A, 1000}, {x, y, pairs.B, 3000}, {y, x, pairs.B, 2000}, {x, y, pairs.Equal, 9000}, {x, rated("", nil), pairs.A, 0}}
	want := []PairRated{{"accuracy", Share{2, 3}}, {"clarity", Share{1, 3}}, {"total", Share{2, 3}}}
	if got := ratedBy(list); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	slow := []told{{x, y, pairs.B, 60000}, {x, y, pairs.B, 90000}}
	halves := []PairPace{{"faster half", 2, Share{3, 3}, Share{1, 3}, Share{1, 3}}, {"slower half", 9, Share{2, 3}, Share{0, 2}, Share{2, 2}}}
	if got := pace([][]told{list, slow}); !slices.Equal(got, halves) {
		t.Errorf("%+v, want %+v", got, halves)
	}
	if got := pace([][]told{{list[4]}, list[:1]}); len(got) != 0 {
		t.Errorf("halves of one judgement: %+v", got)
	}
}

// Sides are of two samples of one model, though there are several models, or of two attempts of one session at one task,
// each with its own prompt and as what is compared.
func TestWhatPairsAreBetween(t *testing.T) {
	pool := answered(t, []string{"alpha-1", "beta-22222"}, 6)
	for _, m := range []string{"alpha-1", "beta-22222"} {
		for i := range 6 {
			fatal.If(t, pool.AddAnswer("bench", ModelAnswer{Model: m, Sample: 1, Task: &benchmark.Task{ID: fmt.Sprintf("t/%d", i), Title: "T", Description: "Do it.", Reference: "secret"}, Text: m + " once more"}, ""))
		}
	}
	h, err := Make(pool, Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true, Between: Samples})
	fatal.If(t, err)
	from := map[string]Origin{}
	for _, o := range h.Origins {
		from[o.Item] = o
	}
	if len(h.units(false)) != 12 {
		t.Errorf("%d pairs of samples", len(h.units(false)))
	}
	for _, p := range h.Pairs {
		if a, b := from[p.A], from[p.B]; a.Arm != b.Arm || a.Sample == b.Sample {
			t.Errorf("%+v is paired with %+v", a, b)
		}
	}

	pool = NewPool()
	pool.Attempts = true
	for _, m := range []*made{sitting("S1", "eve", "tests", 4), sitting("S2", "fay", "plain", 4)} {
		fatal.If(t, pool.Add(m.events, m.blob, ""))
	}
	h, err = Make(pool, Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true, Between: Attempts})
	fatal.If(t, err)
	if len(h.units(false)) != 4 { // each second task has two attempts
		t.Errorf("%d pairs of attempts", len(h.units(false)))
	}
	for _, o := range h.Origins {
		from[o.Item] = o
	}
	for _, p := range h.Pairs {
		a, b := from[p.A], from[p.B]
		if a.Session != b.Session || a.Task != b.Task || a.Arm == b.Arm || len(h.Item(p.A).Attempts) != 1 {
			t.Errorf("%+v is paired with %+v", a, b)
		}
		item := h.Item(p.A)
		if want := fmt.Sprintf("%s asks %s", a.Session, strings.TrimPrefix(a.Arm, "attempt ")); item.Texts[item.Attempts[0].Prompt] != want {
			t.Errorf("%s is shown with %q", a.Arm, item.Texts[item.Attempts[0].Prompt])
		}
		if last := a.Arm == "attempt 2"; (len(a.Ratings) > 0) != last {
			t.Errorf("%s has the ratings %v", a.Arm, a.Ratings)
		}
	}
	if _, err := Make(answered(t, []string{"alpha-1"}, 2), Setup{Raters: []string{"ann"}, Overlap: 1, Pairs: true, Between: Samples}); err == nil || !strings.Contains(err.Error(), "of the same model") {
		t.Errorf("one sample each: %v", err)
	}
}
