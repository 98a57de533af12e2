package study

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/irt/adaptive"
	"assay/session"
)

const adaptiveStudy = `name = "Adaptive"
[tasks]
benchmark = "b"
[[arm]]
name = "first"
model = "m"
[design]
order = "adaptive"
testers = 3
[adaptive]
items = "items.json"
least = 2
most = 4
se = 0.4
among = 1
[adaptive.difficulties]
easy = 0.5
hard = 0.5
`

// adaptiveStudyIn writes a study with its items into a directory, and returns its benchmark.
func adaptiveStudyIn(t *testing.T, dir string) (path string, b *benchmark.Benchmark) {
	t.Helper()
	b = &benchmark.Benchmark{Name: "b"}
	f := adaptive.File{Format: adaptive.Format, Name: "run", Model: "2PL"}
	for i, id := range strings.Fields("a b c d e f g h") {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: id, Language: "python", Difficulty: []benchmark.Difficulty{"easy", "hard"}[i%2], Type: "t"})
		f.Items = append(f.Items, adaptive.Item{ID: id, Slope: 1, Intercept: float64(i) - 4, SlopeSE: 0.1, InterceptSE: 0.2})
	}
	text, err := json.Marshal(f)
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "items.json"), text, 0o644))
	path = filepath.Join(dir, "study.toml")
	fatal.If(t, os.WriteFile(path, []byte(adaptiveStudy), 0o644))
	return path, b
}

// Each counted task of a plan has its item, and each tester and session a seed of its own; the items are frozen with
// the study.
func TestAdaptivePlan(t *testing.T) {
	dir := t.TempDir()
	path, b := adaptiveStudyIn(t, dir)
	s, err := Load(path)
	fatal.If(t, err)
	lock, _, err := s.Freeze(b, someModel)
	fatal.If(t, err)
	seeds := map[uint64]bool{}
	for tester := 1; tester <= 3; tester++ {
		plan, _, err := s.Plan(b, lock.Hash, tester, 1, "ann", session.Model{Name: "m"})
		fatal.If(t, err)
		seeds[plan.Adaptive.Seed] = true
		for _, task := range plan.Tasks {
			if task.Item == nil || task.Item.ID != task.ID {
				t.Errorf("task %s has the item %+v", task.ID, task.Item)
			}
		}
		if r := plan.Adaptive.Rules; r.Least != 2 || r.Most != 4 || r.SE != 0.4 || r.Among != 1 || len(r.Shares) != 2 || r.Shares[0].Group != "difficulty:easy" {
			t.Errorf("%+v", r)
		}
		if plan.Adaptive.Solved != session.SolvedWithinK || plan.Adaptive.Items != "run" || plan.Longest() != 4 {
			t.Errorf("%+v", plan.Adaptive)
		}
		fatal.If(t, lock.Of(plan))
		plan.Tasks[0].Item.Slope++
		if lock.Of(plan) == nil {
			t.Error("a plan with another item is of the frozen study")
		}
	}
	if len(seeds) != 3 {
		t.Errorf("%d seeds of 3 testers", len(seeds))
	}
	text, err := os.ReadFile(filepath.Join(dir, "items.json"))
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "items.json"), []byte(strings.Replace(string(text), `"intercept":-4`, `"intercept":-5`, 1)), 0o644))
	if _, err := s.Frozen(b, someModel); err == nil || !strings.Contains(err.Error(), "task a of T0 is another") {
		t.Errorf("changed items: %v", err)
	}
}

// Without wanted shares a test has the categories of its set, and no task is open to all tests of a large set.
func TestBalancedTests(t *testing.T) {
	set := func(n int) (tasks []session.PlanTask) {
		for i := range n {
			tasks = append(tasks, session.PlanTask{ID: fmt.Sprint(i), Category: []string{"lists", "texts", "texts"}[i%3], Type: "t", Practice: i >= 120})
		}
		return tasks
	}
	a := defaultAdaptive()
	r := a.rules(set(123))
	if r.Exposure != 0.5 || len(r.Shares) != 2 || r.Shares[1] != (adaptive.Share{Group: "category:texts", Share: 2.0 / 3}) {
		t.Errorf("%+v", r)
	}
	if a.Balance = "type"; a.rules(set(120)).Shares != nil {
		t.Error("one type has a share")
	}
	if a.Balance = ""; a.rules(set(120)).Shares != nil {
		t.Error("shares without a balance")
	}
	a.Balance, a.Exposure, a.Difficulties = "category", 1, map[string]float64{"easy": 1}
	if r := a.rules(set(120)); r.Exposure != 1 || len(r.Shares) != 1 || r.Shares[0].Group != "difficulty:easy" {
		t.Errorf("%+v", r)
	}
}

// Mistakes in the settings are named with line and key.
func TestBadAdaptive(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`order = "adaptive"`, `order = "fixed"`, "study.toml:10: adaptive: tasks are not chosen by ability"},
		{`items = "items.json"`, ``, "adaptive.items: name the file of items"},
		{`items = "items.json"`, `items = "none.json"`, "study.toml:11: adaptive.items: the file of items cannot be read"},
		{`items = "items.json"`, `items = "study.toml"`, "adaptive.items: "},
		{`items = "items.json"`, "items = \"items.json\"\nresponse = \"right\"", "adaptive.response: \"right\" is none of solved, first, satisfied"},
		{`least = 2`, `least = 5`, "study.toml:12: adaptive.least: 5 is more than the most, 4"},
		{`least = 2`, `least = -1`, "adaptive.least: -1 is negative"},
		{`most = 4`, `most = 0`, "adaptive.most: 0"},
		{`se = 0.4`, `se = 3.0`, "adaptive.se: 3 is not a standard error"},
		{`among = 1`, `among = 0`, "adaptive.among: 0"},
		{`among = 1`, "among = 1\nexposure = 0.0", "adaptive.exposure: 0 is not a share"},
		{`easy = 0.5`, `easy = 0.4`, "adaptive.difficulties: the shares add up to 0.9"},
		{`easy = 0.5`, `easy = -0.5`, "adaptive.difficulties.easy: -0.5 is not a share"},
		{`easy = 0.5`, `medium = 0.5`, "adaptive.difficulties.medium: test set T0 has no such task"},
		{`most = 4`, `longest = 4`, "the key is not known"},
	} {
		t.Run(c.to, func(t *testing.T) {
			dir := t.TempDir()
			path, b := adaptiveStudyIn(t, dir)
			text := strings.Replace(adaptiveStudy, c.from, c.to, 1)
			fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
			s, err := Load(path)
			if err == nil {
				_, _, err = s.Sets(b)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	path, b := adaptiveStudyIn(t, t.TempDir())
	b.Tasks = append(b.Tasks, benchmark.Task{ID: "new", Language: "python", Difficulty: "easy"})
	s, err := Load(path)
	fatal.If(t, err)
	if _, _, err := s.Sets(b); err == nil || !strings.Contains(err.Error(), "items.json has no item for new") {
		t.Errorf("a task without an item: %v", err)
	}
}
