package tuitest

import (
	"context"
	"path/filepath"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
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
