package estimate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"assay/benchmark"
	"assay/scoring/quality"
	"assay/session/prompts"
)

// Sample describes how tasks were sampled: the groups, and the number drawn from each.
type Sample struct {
	Seed   uint64  `json:"seed"`
	Groups []Group `json:"groups"`
}

// Group is a group of tasks whose reference solutions are about equally long and complex.
type Group struct {
	Number int    `json:"number"` // as in Item.Group
	Name   string `json:"name"`
	Tasks  int    `json:"tasks"`
	Drawn  int    `json:"drawn"`
}

// groupNames returns the names of the groups. TaskEval has three, by lines and cyclomatic complexity, without
// saying how it combines them; here it is the mean of a task's two ranks, with a third of the tasks in
// each. Tasks that cannot be measured are in a separate group.
func groupNames() []string { return []string{"not measured", "short", "middle", "long"} }

// Setup configures the first round.
type Setup struct {
	Sample     int // number of tasks to draw; 0: all
	Seed       uint64
	Prompts    *prompts.Set // accepted wordings to show besides the tasks' own; nil: none
	Estimators int
	Threshold  float64
	Rounds     int
	Minutes    []int
	Examples   []Example // worked ones, shown before
}

// First returns the header of the first round for tasks of a benchmark.
func First(b *benchmark.Benchmark, tasks []*benchmark.Task, o Setup) (Header, error) {
	h := Header{Version: Version, Benchmark: b.Name, TasksHash: hashOf(b), Round: 1, Rounds: o.Rounds,
		Estimators: o.Estimators, Threshold: o.Threshold, Minutes: o.Minutes, Examples: o.Examples}
	groups := map[string]int{}
	if o.Sample > 0 {
		if o.Sample > len(tasks) {
			return Header{}, fmt.Errorf("%d tasks cannot be drawn from %d", o.Sample, len(tasks))
		}
		groups = groupsOf(tasks)
		h.Sample = &Sample{Seed: o.Seed}
		tasks, h.Sample.Groups = draw(tasks, groups, o.Sample, o.Seed)
	}
	for _, t := range tasks {
		item := Item{Task: t.ID, Title: t.Title, Hash: taskHash(t), Group: groups[t.ID]}
		statement := prompts.Statement(t)
		item.Phrasings = append(item.Phrasings, Phrasing{Name: statement.Name, Text: statement.Text})
		if o.Prompts != nil {
			for _, p := range o.Prompts.For(t, false) {
				item.Phrasings = append(item.Phrasings, Phrasing{Name: p.Name, Text: p.Text})
			}
		}
		h.Items = append(h.Items, item)
	}
	return h, h.Check()
}

// taskHash returns a hash of a task as estimators see it, and of its reference solution.
func taskHash(t *benchmark.Task) string {
	return short([]byte(prompts.Basis(t) + "\n" + prompts.Statement(t).Text))
}

// hashOf returns a hash of all tasks of a benchmark.
func hashOf(b *benchmark.Benchmark) string {
	var list [][2]string
	for i := range b.Tasks {
		list = append(list, [2]string{b.Tasks[i].ID, taskHash(&b.Tasks[i])})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic("estimate: a list of hashes does not marshal: " + err.Error())
	}
	return short(text)
}

// Changed lists the tasks of a round that have changed in, or are missing from, a benchmark.
func (h *Header) Changed(b *benchmark.Benchmark) []string {
	var list []string
	for _, item := range h.Items {
		if t, err := b.Task(item.Task); err != nil || taskHash(t) != item.Hash {
			list = append(list, item.Task)
		}
	}
	return list
}

// groupsOf divides tasks into three groups by their reference solutions' lines and complexity.
func groupsOf(tasks []*benchmark.Task) map[string]int {
	groups := map[string]int{}
	type measured struct {
		id                string
		lines, cyclomatic int
	}
	var known []measured
	for _, t := range tasks {
		m, err := quality.Measure(t.Language, []byte(t.Reference))
		if t.Reference == "" || err != nil {
			groups[t.ID] = 0
			continue
		}
		known = append(known, measured{t.ID, m.CodeLines, m.Cyclomatic})
	}
	rank := map[string]float64{}
	for _, of := range []func(measured) int{func(m measured) int { return m.lines }, func(m measured) int { return m.cyclomatic }} {
		for _, m := range known {
			for _, o := range known { // ties have the mean rank
				switch {
				case of(o) < of(m):
					rank[m.id]++
				case of(o) == of(m):
					rank[m.id] += 0.5
				}
			}
		}
	}
	slices.SortStableFunc(known, func(a, b measured) int {
		switch {
		case rank[a.id] < rank[b.id]:
			return -1
		case rank[a.id] > rank[b.id]:
			return 1
		}
		return 0
	})
	for i, m := range known {
		groups[m.id] = 1 + i*3/len(known)
	}
	return groups
}

// draw draws n tasks at random, from each group in proportion (largest remainders), and keeps their order.
func draw(tasks []*benchmark.Task, of map[string]int, n int, seed uint64) ([]*benchmark.Task, []Group) {
	members := make([][]*benchmark.Task, len(groupNames()))
	for _, t := range tasks {
		members[of[t.ID]] = append(members[of[t.ID]], t)
	}
	share := make([]int, len(members))
	left := n
	order := []int{}
	for g, list := range members {
		share[g] = n * len(list) / len(tasks)
		left -= share[g]
		order = append(order, g)
	}
	slices.SortStableFunc(order, func(a, b int) int { return n*len(members[b])%len(tasks) - n*len(members[a])%len(tasks) })
	for _, g := range order[:left] {
		share[g]++
	}
	random := rand.New(rand.NewPCG(seed, 1))
	taken := map[*benchmark.Task]bool{}
	var groups []Group
	for g, list := range members {
		if len(list) == 0 {
			continue
		}
		for _, i := range random.Perm(len(list))[:share[g]] {
			taken[list[i]] = true
		}
		groups = append(groups, Group{Number: g, Name: groupNames()[g], Tasks: len(list), Drawn: share[g]})
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t *benchmark.Task) bool { return !taken[t] }), groups
}
