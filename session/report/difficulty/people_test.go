package difficulty_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt"
	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/session/estimate"
	diffreport "assay/session/report/difficulty"
)

// estimated adds people's estimates of the first tasks to an analysis: two people agree on a category of times for each.
func estimated(t *testing.T, a *difficulty.Analysis, minutes []int, categories ...int) {
	t.Helper()
	h := estimate.Header{Version: 1, Benchmark: a.Source.Name, Round: 1, Rounds: 1, Estimators: 2, Threshold: 0.6, Minutes: minutes}
	for j := range categories {
		h.Items = append(h.Items, estimate.Item{Task: fmt.Sprintf("t%d", j), Phrasings: []estimate.Phrasing{{Name: "statement", Text: "Do it."}}})
	}
	r := estimate.NewRound(h)
	for _, who := range []string{"ann", "bob"} {
		fatal.If(t, r.Apply(estimate.Event{Opened: &estimate.Opened{Estimator: who}}))
		for j, category := range categories {
			fatal.If(t, r.Apply(estimate.Event{Estimate: &estimate.Estimate{Estimator: who, Task: h.Items[j].Task, Form: estimate.Form{Summary: "s", Time: &category, Difficulty: 3, Reason: "r"}}}))
		}
		fatal.If(t, r.Apply(estimate.Event{Submitted: &estimate.Submitted{Estimator: who}}))
	}
	s, err := estimate.Combine(r)
	fatal.If(t, err)
	a.People, err = a.ComparePeople(s, difficulty.Equal, nil)
	fatal.If(t, err)
}

// originals adds the results of the original prompts, one answer each: all fail t1, all solve t2, and the ablest half
// solves every other task. There are none of the last task.
func originals(t *testing.T, a *difficulty.Analysis) {
	t.Helper()
	r := irt.Responses{}
	for i := range a.Respondents {
		r.Respondents = append(r.Respondents, a.Respondents[i].Name)
		var scores []float64
		for j := range len(a.Tasks) - 1 {
			score := 0.0
			if j == 2 || j != 1 && i < len(a.Respondents)/2 {
				score = 1
			}
			scores = append(scores, score)
		}
		r.Scores = append(r.Scores, scores)
	}
	for j := range len(a.Tasks) - 1 {
		r.Items = append(r.Items, fmt.Sprintf("t%d", j))
	}
	fatal.If(t, a.CompareOriginals(r, []string{"originals"}))
}

// TaskEval's published shares: of 60 tasks of HumanEval+ people put 17 % into the categories from 20 minutes on, of 60 of
// ClassEval 40 %, and the paper finds p < 0.01. How tasks are spread over the categories below and above is ours.
func TestPeopleOfTwoBenchmarks(t *testing.T) {
	spread := func(counts ...int) (list []int) {
		for category, n := range counts {
			list = append(list, slices.Repeat([]int{category}, n)...)
		}
		return list
	}
	a, b := analysis(t, responses(8, 70, 5, 1), difficulty.Options{Method: difficulty.TaskEval}, "HumanEval+"), analysis(t, responses(8, 60, 5, 2), difficulty.Options{Method: difficulty.TaskEval}, "ClassEval")
	estimated(t, a, estimate.DefaultMinutes(), spread(15, 20, 15, 5, 3, 2)...)
	estimated(t, b, estimate.DefaultMinutes(), spread(9, 12, 15, 12, 7, 5)...)
	r := build(t, diffreport.Options{Apart: "not tried"}, a, b)
	c := r.Compared.People
	if c.P >= 0.01 || c.Problem != "" || c.First != 60 || c.Second != 60 || math.Abs(c.Scale[3].FirstAbove-10.0/60) > 1e-12 || math.Abs(c.Scale[3].SecondAbove-0.4) > 1e-12 {
		t.Errorf("%+v", c)
	}
	if d := r.Views[0].Drawn; d == nil || d.N != 60 || d.P < 0.1 || r.Views[1].Drawn != nil {
		t.Errorf("%+v, %+v", d, r.Views[1].Drawn)
	}
	written(t, r)
	text := markdown(t, r)
	for _, want := range []string{"Median times that people estimate for tasks of HumanEval+ and ClassEval", "| 20 min |", "Are the 60 estimated tasks as difficult for models as all 70?"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	estimated(t, b, []int{1, 10}, 0, 1, 2)
	if c := build(t, diffreport.Options{Apart: "not tried"}, a, b).Compared.People; !strings.Contains(c.Problem, "different scales of times") || len(c.Scale) > 0 {
		t.Errorf("%+v", c)
	}
}

// The difficulty by original prompts stands beside δ, and the largest differences first. It is of the joint scale, too.
func TestOriginalPrompts(t *testing.T) {
	a := full(t, 9)
	o := a.Originals
	if o.N != 28 || o.Tau == nil || len(o.Warnings) != 2 || !strings.Contains(o.Warnings[0], "original prompt: 1.") || !strings.Contains(o.Warnings[1], "most fail: 1.") {
		t.Fatalf("%+v", o)
	}
	tasks := a.ByID()
	if x := tasks["t1"].Original; *x != (difficulty.Original{Difficulty: 1, N: 9, Failed: 9}) {
		t.Errorf("%+v", x)
	}
	if x := tasks["t2"].Original; *x != (difficulty.Original{N: 9, Solved: 9}) {
		t.Errorf("%+v", x)
	}
	var delta, share []float64
	for i, row := range o.Rows {
		x := tasks[row.Task]
		delta, share = append(delta, x.Difficulty.Value), append(share, x.Original.Difficulty)
		if row.Gap != x.Difficulty.Value-x.Original.Difficulty || i > 0 && math.Abs(row.Gap) > math.Abs(o.Rows[i-1].Gap) {
			t.Errorf("%d: %+v", i, row)
		}
	}
	if tau, err := stats.Kendall(delta, share, stats.Auto); err != nil || tau != *o.Tau {
		t.Errorf("%+v, %v", tau, err)
	}
	text := markdown(t, build(t, diffreport.Options{}, a))
	for _, want := range []string{"The largest differences between δ and the original prompts", "28 tasks have both"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	x, _, err := difficulty.Calibrate(a, analysis(t, responses(9, 30, 20, 5), difficulty.Options{Seed: 1, Quick: true}, "other"), true)
	fatal.If(t, err)
	for _, row := range x.Originals.Rows {
		if of := x.ByID()[row.Task]; row.Gap != of.Difficulty.Value-of.Original.Difficulty {
			t.Errorf("%+v", row)
		}
	}
	if err := a.CompareOriginals(irt.Responses{Respondents: []string{"m"}, Items: []string{"none of them"}, Scores: [][]float64{{1}}}, nil); err != nil && !strings.Contains(err.Error(), "none of the 30 tasks has results") {
		t.Error(err)
	}
}
