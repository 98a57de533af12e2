package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
)

// Shop is the repository of [Repositories].
func Shop() patch.Files {
	var cart strings.Builder
	cart.WriteString("\"\"\"The cart of a shop.\"\"\"\n\n\ndef total(items):\n    sum = 0\n    for price, count in items:\n        sum += price\n    return sum\n")
	for i := range 20 {
		fmt.Fprintf(&cart, "\n\ndef shelf_%d():\n    return %d\n", i, i)
	}
	text := func(s string) *patch.File { return &patch.File{Data: []byte(s), Mode: patch.Regular} }
	return patch.Files{
		"README.md": text("# A shop\n"), "shop/__init__.py": text(""), "shop/cart.py": text(cart.String()), "shop/words.py": text("HELLO = 'hello'\n"),
		"tests/test_cart.py": text("def test_one():\n    pass\n"), "logo.png": text("\x89PNG\x00\x01"),
	}
}

// Trees has [Shop] as the repository of every task.
type Trees struct{}

// Tree implements engine.Trees.
func (Trees) Tree(context.Context, *benchmark.Task) (patch.Tree, func() error, error) {
	return Shop(), func() error { return nil }, nil
}

// Repositories returns a benchmark of n tasks in the repository [Shop].
func Repositories(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Version: 1, Name: "shops"}
	for i := range n {
		b.Tasks = append(b.Tasks, benchmark.Task{
			ID: fmt.Sprintf("cart-%d", i+1), Title: "The total ignores how many were bought", Language: "python",
			Description: "The total of a cart is wrong:\n\n```python\ntotal([(3, 2)])  # 3 instead of 6\n```\n\nEach price should\ncount as often as it was bought.",
			Constraints: []string{"Names stay as they are."}, Difficulty: benchmark.Difficulties[i%3], Category: "bug",
			Repository: &benchmark.Repository{Name: "assay/shop", FailToPass: []string{"test_two", "test_many"}, PassToPass: []string{"test_none", "test_one", "test_words"}},
		})
	}
	return b
}

// Answers to the tasks of [Repositories].
const (
	ResolvingDiff = "A price counts as often as it was bought.\n\n```diff\n--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -4,5 +4,5 @@\n def total(items):\n     sum = 0\n     for price, count in items:\n-        sum += price\n+        sum += price * count\n     return sum\n```\n"
	BreakingFiles = "shop/words.py\n```python\nHELLO = 'hi'\n```\n\nshop/new.py\n```python\nNEW = 1\n```\n"
	UnfittingDiff = "```diff\n--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -4,3 +4,3 @@\n def sum(things):\n-    return 99\n+    return 2\n     # end\n```\n"
	ForgingBlocks = "tests/conftest.py\n```python\nprint('forged')\n```\n"
)

// RepositorySession works through a session of repository tasks: an accepted answer that would not be merged, and a wrong
// one that is edited by hand and would be merged with small changes.
func RepositorySession(t testing.TB) *Rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := New(2, func(c *session.Choice) { c.Benchmark = Repositories(2) })
	fatal.If(t, err)
	defer func() { _ = r.Engine.Close(context.Background()) }()
	for i, tc := range []struct {
		answer   string
		decision session.Decision
		mend     string
		merge    session.MergeJudged
	}{
		{ResolvingDiff, session.DecideSatisfied, "", session.MergeJudged{Answer: session.MergeNo, Reasons: []string{"style", "scope"}, Text: "too clever"}},
		{BreakingFiles, session.DecideGiveUp, "HELLO = 'hello'\n", session.MergeJudged{Answer: session.MergeChanges, Reasons: []string{"style"}}},
	} {
		r.Client.Say(tc.answer)
		fatal.If(t, r.Engine.OpenTask(ctx))
		fatal.If(t, r.Engine.Send(ctx, "Correct it."))
		fatal.If(t, r.Until(ctx, func(s *session.State) bool {
			return s.Attempt() != nil && s.Attempt().Verdict != nil && s.Attempt().Measured != nil
		}))
		fatal.If(t, r.Engine.Judge(ctx, tc.decision, true))
		if tc.mend != "" {
			fatal.If(t, r.Engine.Mend(ctx, "shop/words.py", tc.mend, 3000))
			fatal.If(t, r.Until(ctx, func(s *session.State) bool { return s.Tasks[i].Mends[0].Verdict != nil }))
		}
		for _, a := range r.Engine.State().Plan.Attributes {
			fatal.If(t, r.Engine.Rate(ctx, a.ID, 3))
		}
		for _, l := range r.Engine.State().Plan.LabelsFor(r.Engine.State().Task().Decided(10)) {
			fatal.If(t, r.Engine.Label(ctx, l.ID, l.Values[0]))
		}
		fatal.If(t, r.Engine.MergeJudged(ctx, tc.merge))
		fatal.If(t, r.Engine.Commit(ctx))
	}
	return r
}

// judgeRepository decides by the files that an answer changes: shop/cart.py resolves the task, shop/words.py
// breaks a test, and tests/conftest.py forges the report.
func judgeRepository(task *benchmark.Task, code string) verdicts.Result {
	r := verdicts.Result{Verdict: verdicts.WrongAnswer, CPUMS: 94, WallMS: 120, MemoryKB: 71 << 10, Isolation: verdicts.InProcess, Interpreter: "CPython 3.11.2", Total: 5}
	answer, err := patch.Read(code)
	var changes patch.Changes
	if err == nil {
		changes, err = answer.Apply(Shop())
	}
	if err != nil {
		r.Verdict, r.Resolution, r.Message, r.Total = verdicts.CompileError, outcomes.PatchFailed, err.Error(), 0
		return r
	}
	fixed, broken, forged := changes["shop/cart.py"] != nil, changes["shop/words.py"] != nil, changes["tests/conftest.py"] != nil
	add := func(list, name string, passed bool, output string) {
		c := verdicts.CaseResult{Index: len(r.Cases) + 1, Name: name, Call: list, Status: verdicts.Passed}
		if passed {
			r.Passed++
		} else {
			c.Status, c.Message = verdicts.Status(verdicts.WrongAnswer), output
		}
		r.Cases = append(r.Cases, c)
	}
	for _, name := range task.Repository.FailToPass {
		add(verdicts.FailToPass, name, fixed, "def "+name+"():\n    cart = [(3, 2)]\n    before = 1\n>   assert total(cart) == 6\nE   assert 3 == 6\nE    +  where 3 = total([(3, 2)])\n")
	}
	for _, name := range task.Repository.PassToPass {
		add(verdicts.PassToPass, name, !broken || name != "test_words", "E   assert 'hi' == 'hello'")
	}
	switch {
	case forged:
		r.Verdict, r.Resolution, r.Message = verdicts.RuntimeError, outcomes.Tampered, "the report of the tests cannot be trusted: a planted test is not reported"
		r.PutBack = []string{"tests/conftest.py"}
	case broken:
		r.Resolution, r.Message = outcomes.BrokeTests, "1 of 3 tests fail that passed before; 0 of 2 tests pass that must pass now"
	case fixed:
		r.Verdict, r.Resolution = verdicts.Accepted, outcomes.Resolved
	default:
		r.Resolution, r.Message = outcomes.Unresolved, "0 of 2 tests pass that must pass now"
	}
	return r
}
