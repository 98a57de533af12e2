package benchmark

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestScenario(t *testing.T) {
	b := &Benchmark{Tasks: []Task{
		{ID: "a", Difficulty: Easy, Category: "file handling", Topics: []string{"sets", "sorting"}},
		{ID: "b", Difficulty: Hard, Type: "Numerical", Published: "2024-05"},
		{ID: "c", Difficulty: Hard, Topics: []string{"sets"}},
		{ID: "p", Difficulty: Easy, Practice: true},
	}}
	for filter, want := range map[string][]string{
		"":                               {"a", "b", "c"},
		"difficulty=hard":                {"b", "c"},
		"difficulty=HARD topic=sets":     {"c"},
		"difficulty=easy,hard year=2024": {"b"},
		"type=numerical":                 {"b"},
		"category=file_handling":         {"a"},
		"id=c,a":                         {"a", "c"},
		"topic=none":                     nil,
	} {
		s, err := ParseScenario(filter)
		if err != nil {
			t.Fatal(err)
		}
		tasks, practice := s.Select(b)
		var got []string
		for _, task := range tasks {
			got = append(got, task.ID)
		}
		if !slices.Equal(got, want) || len(practice) != 1 {
			t.Errorf("%q chose %v with %d practice tasks, want %v and 1", filter, got, len(practice), want)
		}
	}
	for _, bad := range []string{"hard", "difficulty=", "colour=red"} {
		if _, err := ParseScenario(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// Test sets are disjoint, of the size asked for, and the same for the same seed.
func TestDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "tasks")
		count := rapid.IntRange(1, n).Draw(t, "sets")
		size := rapid.IntRange(0, n/count).Draw(t, "size")
		seed := rapid.Uint64().Draw(t, "seed")
		tasks := make([]*Task, n)
		for i := range tasks {
			tasks[i] = &Task{ID: fmt.Sprint(i)}
		}
		sets, err := Draw(tasks, seed, count, size)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Draw(tasks, seed, count, size)
		seen := map[string]bool{}
		for i, set := range sets {
			if size > 0 && len(set) != size {
				t.Fatalf("set %d has %d tasks, want %d", i, len(set), size)
			}
			for j, task := range set {
				if seen[task.ID] {
					t.Fatalf("task %s stands in two sets", task.ID)
				}
				seen[task.ID] = true
				if again[i][j] != task {
					t.Fatal("the same seed gave another order")
				}
			}
		}
		if size == 0 && len(seen) != n {
			t.Fatalf("%d of %d tasks were dealt", len(seen), n)
		}
	})
	if _, err := Draw(nil, 1, 2, 3); err == nil {
		t.Error("sets were drawn from too few tasks")
	}
}
