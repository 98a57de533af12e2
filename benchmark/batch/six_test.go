package batch

import (
	"encoding/json"
	"math"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestSixTable is worked out by hand. Task "one" (easy, 80 % of people solve it:
// weight 0.8) has a sample with 15+30+10+10+10 points and readability 10 to 25: 85 to
// 100. Task "two" (hard, unknown: 1.1, assumed) has four: 15+15+0+0+10 and 0 to 10: 40 to
// 50; one that does not parse, 0+0+0+0+0 and 0 to 10: 0 to 10; and one without code: 0;
// so 40/3 to 60/3. A fourth sample of it is in a language without grammar, and one is the
// sandbox's fault in task "three".
func TestSixTable(t *testing.T) {
	rate := 0.8
	tasks := map[string]*benchmark.Task{
		"one": {ID: "one", Difficulty: benchmark.Easy, HumanPassRate: &rate, Category: "strings"},
		"two": {ID: "two", Difficulty: benchmark.Hard, Category: "files"},
	}
	good := &Measures{Parses: true, CodeLines: 7, Cyclomatic: 3, Cognitive: 2, CommentRate: 30, Reliability: "A", Security: "A", Analyser: "rules 1"}
	tangled := &Measures{Parses: true, CodeLines: 98, Cyclomatic: 16, Cognitive: 20, CommentRate: 2, Reliability: "D", Security: "A"}
	broken := &Measures{CodeLines: 1, Cyclomatic: 1, CommentRate: 0, Reliability: "E", Security: "A"}
	all := newTally(tasks)
	for _, r := range []Row{
		{TaskID: "one", Verdict: verdicts.Accepted, PassedTests: 4, TotalTests: 4, Loads: true, Measures: good},
		{TaskID: "two", Sample: 0, Verdict: verdicts.WrongAnswer, PassedTests: 2, TotalTests: 4, Loads: true, Measures: tangled},
		{TaskID: "two", Sample: 1, Verdict: verdicts.CompileError, TotalTests: 4, Measures: broken},
		{TaskID: "two", Sample: 2, Verdict: verdicts.RuntimeError, TotalTests: 4, Measures: &Measures{}},
		{TaskID: "two", Sample: 3, Verdict: verdicts.Accepted, PassedTests: 4, TotalTests: 4, Loads: true},
		{TaskID: "three", Verdict: verdicts.SandboxError},
	} {
		all.add(r)
	}
	s := all.summary([]int{1}, [][]string{{"category"}})
	six := s.Six
	if six == nil || six.Final.N != 2 || six.Samples != 4 || six.Unmeasured != 1 || six.Final.Assumed != 1 || six.Final.Open != 2 {
		t.Fatalf("%+v", six)
	}
	low, high := (85*0.8+40.0/3*1.1)/1.9, (100*0.8+20*1.1)/1.9
	if !near(six.Final.Low, low) || !near(six.Final.High, high) {
		t.Errorf("final %v to %v, want %v to %v", six.Final.Low, six.Final.High, low, high)
	}
	for i, want := range [][2]float64{{10, 10}, {17.5, 17.5}, {5, 5}, {5, 5}, {20.0 / 3, 20.0 / 3}, {5, 12.5 + 10.0/3}} {
		if d := six.Dimensions[i]; !near(d.Low, want[0]) || !near(d.High, want[1]) {
			t.Errorf("%s %v to %v, want %v", d.Name, d.Low, d.High, want)
		}
	}
	if six.Correct.Value != 0.5 || !near(six.Wrong.Value, 1.0/6) || !near(six.Runtime.Value, 1.0/3) || six.Cyclomatic != 20 || six.Cognitive != 22 || !near(six.CommentRate.Value, 46.0/3) {
		t.Errorf("%+v", six)
	}
	if len(six.Categories) != 2 || six.Categories[0].Name != "files" || six.Categories[0].Incorrect.Value != 1 || !six.Categories[0].Few {
		t.Errorf("%+v", six.Categories)
	}
	if len(s.Splits) != 2 || len(s.Splits[0].Cells) != 2 || !near(s.Splits[0].Cells[0].Value, 0.25) {
		t.Errorf("%+v", s.Splits)
	}
	if text, err := json.Marshal(s); err != nil || !json.Valid(text) {
		t.Error(err)
	}
}

func TestCompareByHand(t *testing.T) {
	row := func(task string, sample, passed int) Row {
		v := verdicts.WrongAnswer
		if passed == 2 {
			v = verdicts.Accepted
		}
		return Row{TaskID: task, Sample: sample, Verdict: v, PassedTests: passed, TotalTests: 2}
	}
	first := []Row{row("a", 0, 2), row("a", 1, 2), row("b", 0, 2), row("b", 1, 0), row("c", 0, 2), row("d", 0, 2), {TaskID: "e", Verdict: verdicts.SandboxError}}
	second := []Row{row("a", 0, 1), row("a", 1, 0), row("b", 0, 2), row("b", 1, 0), row("e", 0, 2), row("c", 0, 2), {TaskID: "d", Verdict: verdicts.NotJudged}}
	c, err := Compare(first, second, CompareOptions{K: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	m := c.Metrics[0]
	if !near(m.First.Value, 2.5/3) || !near(m.Second.Value, 0.5) || !near(m.Difference.Value, 1.0/3) || m.Difference.Better != 1 || m.Difference.Tie != 2 {
		t.Errorf("%+v", m)
	}
	if ratio := c.Metrics[1]; !near(ratio.Second.Value, (0.125+0.5+1)/3) {
		t.Errorf("%+v", ratio)
	}
	if len(c.OnlyFirst) != 1 || c.OnlyFirst[0] != "d" || len(c.OnlySecond) != 0 || len(c.Withheld) != 1 || c.Withheld[0] != "e" {
		t.Errorf("%v %v %v", c.OnlyFirst, c.OnlySecond, c.Withheld)
	}
	first[0].Task, second[0].Task, second[1].Task = "1", "1", "2"
	if c, err = Compare(first, second, CompareOptions{K: []int{1}}); err != nil || len(c.Changed) != 1 || c.Changed[0] != "a" {
		t.Errorf("%v, %v", c.Changed, err)
	}
	if _, err := Compare(first, second, CompareOptions{K: []int{2}}); err == nil {
		t.Error("pass@2 of one sample")
	}
	if _, err := Compare(first, []Row{row("z", 0, 1)}, CompareOptions{K: []int{1}}); err == nil {
		t.Error("no task in common")
	}
}
