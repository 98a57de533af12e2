package tuitest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"assay/benchmark"
	bench "assay/benchmark/harden"
	"assay/data/fatal"
	"assay/session/harden"
	"assay/session/prompts"
	screen "assay/tui/prompts"
)

// Worded are two tasks that prompts are written for.
func Worded() []*benchmark.Task {
	return []*benchmark.Task{
		{
			ID: "median", Title: "Median", Language: "python", EntryPoint: "median",
			Description: "Return the median of the numbers. Of an even number of them it is the mean of the two in the middle.\nFor example, median([3, 1, 2]) returns 2.",
			Constraints: []string{"There is at least one number."},
			Reference:   "def median(numbers):\n    ordered_list = sorted(numbers)\n    half = len(ordered_list) // 2\n    return (ordered_list[half] + ordered_list[~half]) / 2\n",
		},
		{ID: "double", Title: "Double", Language: "python", EntryPoint: "double", Description: "Return twice the number.", Reference: "def double(n):\n    return 2 * n\n"},
	}
}

// Written returns a file with prompts of both tasks; change adds to it.
func Written(t *testing.T, reviewers int) *prompts.Set {
	t.Helper()
	set, err := prompts.Create(filepath.Join(t.TempDir(), "prompts.jsonl"), prompts.Header{Benchmark: "starter", Author: prompts.Author{Name: "writer"}, Reviewers: reviewers})
	fatal.If(t, err)
	t.Cleanup(func() { _ = set.Close() })
	tasks := Worded()
	for _, p := range []struct {
		task           *benchmark.Task
		level, wording int
		text           string
	}{
		{tasks[0], 1, 1, "Write median, which returns the median of at least one number. Of an even number of them it is the mean of the two in the middle."},
		{tasks[0], 1, 2, "Write a function median. Given at least one number, it answers with the median; where their count is even, with the mean of the two in the middle."},
		{tasks[0], 2, 1, "Write median, which returns the median of at least one number: put them into ordered_list, then average the two in the middle, which are one where the count is odd."},
		{tasks[1], 1, 1, "Write double, which returns twice the number.\nFor example, double(2) returns 4."},
	} {
		fatal.If(t, set.Propose(prompts.Candidate{Task: p.task.ID, Basis: prompts.Basis(p.task), Level: p.level, Wording: p.wording, Text: p.text, Asked: 1, At: Noon()}))
	}
	return set
}

// Reviewer shows the review of a file on the screen, with a model that writes "Another".
func Reviewer(t *testing.T, set *prompts.Set, name string, change ...func(*screen.Options)) *Driver {
	t.Helper()
	o := screen.Options{Set: set, Tasks: Worded(), Reviewer: name, Now: Noon, Writer: "writer"}
	o.Another = func(ctx context.Context, task *benchmark.Task, level, wording int) error {
		return set.Propose(prompts.Candidate{Task: task.ID, Basis: prompts.Basis(task), Level: level, Wording: wording, Text: "Another wording of " + task.ID + ".", Asked: 1, At: Noon()})
	}
	for _, c := range change {
		c(&o)
	}
	d := Drive(t, screen.New(o), 80, 24).Sees("Prompts · starter")
	d.Settled()
	return d
}

// Hardener shows the review of two harder tasks: one that another model solved, and one that it did not.
func Hardener(t *testing.T, name string) *Driver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hard.jsonl")
	fatal.If(t, harden.Create(path, harden.Header{Benchmark: "starter", Reviewers: 1}))
	file, err := harden.Change(path)
	fatal.If(t, err)
	number := func(text string) []json.RawMessage { return []json.RawMessage{json.RawMessage(text)} }
	made := func(id, change, statement string, second harden.Second) *harden.Proposed {
		p := &harden.Proposed{From: []string{"floor"}, Hashes: []string{"0"}, Original: "Return the numbers, with 0 for each that is below 0.", Change: change, Second: &second, At: Noon()}
		p.Mutants, p.Killed = 16, 15
		p.Task = benchmark.Task{ID: id, Title: "Floor", Language: "python", EntryPoint: "floor_" + change, Description: statement, Constraints: []string{"All are integers."},
			Signature: benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "xs", Type: "list[int]"}}, Returns: "list[int]"},
			Examples:  []benchmark.Example{{Input: "floor_" + change + "([-1, 2])", Output: "[0, 2]"}}, Reference: "def floor_" + change + "(xs):\n    return [max(0, x) for x in xs]\n",
			Tests: benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: number("[-1, 2]"), Expected: json.RawMessage("[0, 2]")}}}}
		return p
	}
	tally := made("floor-tally", "tally", "Return the numbers, with 0 for each that is below 0, and how often each occurs.", harden.Second{Model: "other", Agrees: true, Tries: 1})
	states := made("floor-states-1", "states", "Return for each number the largest so far.", harden.Second{Model: "other", Tries: 2, Code: "def floor_states(xs):\n    return xs\n", Why: "floor_states([-1, 2]): expected [0, 2], got [-1, 2]"})
	states.Removed, states.Why = bench.Consensus, states.Second.Why
	for _, p := range []*harden.Proposed{tally, states} {
		fatal.If(t, file.Add(harden.Event{Proposed: p}))
	}
	fatal.If(t, file.Add(harden.Event{Measured: &harden.Measured{Task: "floor-tally", Model: "weak"}}, harden.Event{Measured: &harden.Measured{Task: "floor-tally", Model: "strong", Solved: true}}, harden.Event{Kept: &harden.Kept{Tasks: []string{"floor-tally"}, At: Noon()}}))
	fatal.If(t, file.Close())
	state, err := harden.Open(path)
	fatal.If(t, err)
	set, err := prompts.Create(harden.ReviewPath(path), prompts.Header{Benchmark: "starter-hard", Reviewers: 1})
	fatal.If(t, err)
	t.Cleanup(func() { _ = set.Close() })
	for _, p := range state.Shown() {
		fatal.If(t, set.Propose(prompts.Candidate{Task: p.Task.ID, Basis: prompts.Basis(&p.Task), Level: 1, Wording: 1, Text: p.Task.Description, At: Noon()}))
	}
	o := screen.Hardened(state, set, name)
	o.Now = Noon
	d := Drive(t, screen.New(o), 80, 24).Sees("Harder tasks · starter")
	d.Settled()
	return d
}

// Disagree returns what two reviewers made of the first two prompts.
func Disagree(t *testing.T) *prompts.Set {
	set := Written(t, 2)
	for _, who := range []string{"ann", "bob"} {
		for wording, v := range []prompts.Verdict{prompts.Accept, prompts.Accept} {
			d := prompts.Decision{Task: "median", Level: 1, Wording: wording + 1, Reviewer: who, Verdict: v, At: Noon()}
			if who == "bob" && wording == 1 {
				d.Verdict, d.Reason = prompts.Reject, "it says answers with"
			}
			fatal.If(t, set.Decide(d))
		}
	}
	return set
}
