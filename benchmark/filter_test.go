package benchmark

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

var metadata = &Benchmark{Tasks: []Task{
	{ID: "a", Title: "Shift plans", Difficulty: Easy, Category: "file handling", Topics: []string{"sets", "sorting"}, Published: "2023"},
	{ID: "b", Title: "Größe", Difficulty: Hard, Type: "Numerical", Published: "2024-05", Source: Source{Title: "R for Everyone", Chapter: "3"}},
	{ID: "c", Title: "C", Difficulty: Hard, Topics: []string{"sets"}, HumanPassRate: share(0.25), Source: Source{Title: "Own"}, Reference: "x"},
	{ID: "d", Title: "D", Difficulty: Medium, Published: "2024-06-30", Description: "merge the SHIFTS", Tests: Tests{Style: Calls, Cases: make([]Case, 12)}},
	{ID: "p", Title: "P", Difficulty: Easy, Practice: true},
}}

func share(x float64) *float64 { return &x }

func ids(tasks []*Task) []string {
	var list []string
	for _, t := range tasks {
		list = append(list, t.ID)
	}
	return list
}

func TestScenario(t *testing.T) {
	for filter, want := range map[string][]string{
		"":                               {"a", "b", "c", "d"},
		"difficulty=hard":                {"b", "c"}, // as filters were once written
		"difficulty:HARD topic:sets":     {"c"},
		"difficulty:easy,hard year:2024": {"b"},
		"type:numerical":                 {"b"},
		"category=file_handling":         {"a"},
		`category:"file handling"`:       {"a"},
		"category:file*":                 {"a"},
		"id:c,a":                         {"a", "c"},
		"topic:none":                     nil,
		"-difficulty:hard":               {"a", "d"},
		`-source:"R for Everyone"`:       {"a", "c", "d"},
		"source:*every*":                 {"b"},
		"source:r*one,own":               {"b", "c"},
		"difficulty:>=medium":            {"b", "c", "d"},
		"difficulty:<medium":             {"a"},
		"difficulty:easy..medium":        {"a", "d"},
		"difficulty:..medium":            {"a", "d"},
		"difficulty>=hard":               {"b", "c"},
		"published:2024":                 {"b", "d"},
		"published:>=2024-06":            {"d"},
		"published:>2023":                {"b", "d"},
		"published:<2024":                {"a"},
		"published:2023..2024-05":        {"a", "b"},
		"published:2024-06..*":           {"d"},
		"pass_rate:<0.4":                 {"c"},
		"-pass_rate:<0.4":                {"a", "b", "d"}, // those without one, too
		"tests:>=10":                     {"d"},
		"has:pass_rate,reference":        {"c"},
		"no:published":                   {"c"},
		"-no:published":                  {"a", "b", "d"},
		"no:published,tests":             {"c"}, // a term with "no" is the negation of "has"
		"chapter:3":                      {"b"},
		"style:calls":                    {"d"},
		"shift":                          {"a", "d"},
		"-shift":                         {"b", "c"},
		`"shift plans"`:                  {"a"},
		"GRÖSSE":                         nil,
		"größe":                          {"b"},
		"GRÖẞE":                          {"b"},
		"title:shift":                    {"a"},
		"file_h":                         {"a"},
	} {
		s, err := ParseFilter(filter)
		fatal.If(t, err)
		tasks, practice := s.Select(metadata)
		if got := ids(tasks); !slices.Equal(got, want) || len(practice) != 1 {
			t.Errorf("%q chose %v with %d practice tasks, want %v and 1", filter, got, len(practice), want)
		}
		again, err := ParseFilter(s.String())
		fatal.If(t, err)
		if tasks, _ := again.Select(metadata); !slices.Equal(ids(tasks), want) {
			t.Errorf("%q as it prints chooses %v", filter, ids(tasks))
		}
	}
	for bad, want := range map[string]string{
		"difficulty:":          "a value is missing",
		"colour:red":           `no field "colour"; the fields are difficulty`,
		"difficulty:tough":     "is not a difficulty",
		"difficulty:easy..low": "is not a difficulty",
		"published:>=May":      "is not a date",
		"tests:many":           "is not a number",
		"has:soul":             "not a field that can be missing",
		`source:"R for`:        "unclosed quotation mark",
		`""`:                   "no text to search for",
		"difficulty:easy,,":    "a value is missing",
		"difficulty:..":        "a value is missing",
	} {
		if _, err := ParseFilter(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", bad, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	tasks, _ := Filter{}.Select(metadata)
	for filter, want := range map[string]string{
		"diff":                    "difficulty:=0",
		"-ty":                     "-type:=0",
		"difficulty:":             "difficulty:hard=2 difficulty:easy=1 difficulty:medium=1",
		"topic:sets difficulty:":  "topic:sets difficulty:easy=1 topic:sets difficulty:hard=1",
		"difficulty:easy,h":       "difficulty:easy,hard=2",
		"difficulty:>=m":          "difficulty:>=medium=1",
		"source:r":                `source:"R for Everyone"=1`,
		`source:"R f`:             `source:"R for Everyone"=1`,
		"colour:red difficulty:m": "colour:red difficulty:medium=1",
		"nothing:":                "",
		"difficulty:hard ":        "*",
		"":                        "*",
	} {
		var got []string
		for _, c := range Complete(filter, tasks) {
			got = append(got, fmt.Sprintf("%s=%d", c.Filter, c.Count))
		}
		if want == "*" {
			if len(got) != len(FilterFields()) {
				t.Errorf("%q proposes %v, want every field", filter, got)
			}
			continue
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q proposes %v, want %s", filter, got, want)
		}
	}
}

// For any input, parsing fails or returns a filter that is parsed again to the same filter, and proposals
// are valid.
func FuzzScenario(f *testing.F) {
	for _, seed := range []string{"difficulty:>=hard -type:a,\"b c\"", "published:2020..2023", "x y", "-", ":", "a:b:c", "no:tests", "source:*a*", "\""} {
		f.Add(seed)
	}
	tasks, _ := Filter{}.Select(metadata)
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Complete(text, tasks) {
			if c.Count > 0 && len(c.Filter) < len(c.Label) {
				t.Fatalf("%q proposes %+v", text, c)
			}
		}
		s, err := ParseFilter(text)
		if err != nil {
			return
		}
		again, err := ParseFilter(s.String())
		if err != nil {
			t.Fatalf("%q is %q, which cannot be read: %v", text, s, err)
		}
		for _, task := range tasks {
			if s.Match(task) != again.Match(task) {
				t.Fatalf("%q and %q choose differently", text, again)
			}
		}
	})
}

// Test sets are disjoint, of the requested size, and reproducible by the seed.
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
		fatal.If(t, err)
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

// Stratified sets have nearly the same composition, and that of the scenario.
func TestStratifiedDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 80).Draw(t, "tasks")
		count := rapid.IntRange(1, n).Draw(t, "sets")
		size := rapid.IntRange(0, n/count).Draw(t, "size")
		tasks := make([]*Task, n)
		total := map[Difficulty]int{}
		for i := range tasks {
			tasks[i] = &Task{ID: fmt.Sprint(i), Difficulty: rapid.SampledFrom(Difficulties[:]).Draw(t, "difficulty")}
			total[tasks[i].Difficulty]++
		}
		sets, err := Draw(tasks, rapid.Uint64().Draw(t, "seed"), count, size, "difficulty")
		fatal.If(t, err)
		seen := map[string]bool{}
		drawn := map[Difficulty]int{}
		for _, d := range Difficulties {
			least, most := n, 0
			for _, set := range sets {
				here := 0
				for _, task := range set {
					if task.Difficulty == d {
						here++
						seen[task.ID] = true
					}
				}
				least, most = min(least, here), max(most, here)
				drawn[d] += here
			}
			if most-least > 1 {
				t.Fatalf("%s: %d in one set and %d in another", d, least, most)
			}
		}
		wanted := count * size
		if size == 0 {
			wanted = n
		}
		if len(seen) != wanted {
			t.Fatalf("%d different tasks were dealt, not %d", len(seen), wanted)
		}
		for d, have := range total {
			if share := float64(have) * float64(wanted) / float64(n); float64(drawn[d]) < share-1 || float64(drawn[d]) > share+1 {
				t.Fatalf("%d of %d drawn are %s, of %d in %d", drawn[d], wanted, d, have, n)
			}
		}
	})
	for _, bad := range []string{"", "colour", "has", "title"} {
		if _, err := Draw([]*Task{{}}, 1, 1, 1, bad); err == nil {
			t.Errorf("sets were stratified by %q", bad)
		}
	}
}

// A filter is typed key by key with many tasks.
func BenchmarkScenario(b *testing.B) {
	many := &Benchmark{}
	for i := range 100_000 {
		t := metadata.Tasks[i%4]
		t.ID = fmt.Sprint(i)
		t.Description = strings.Repeat("a statement of a task as people write them ", 20)
		many.Tasks = append(many.Tasks, t)
	}
	for _, filter := range []string{"difficulty:hard type:numerical", "published:>=2024 -topic:sets", "shift", "source:*every*"} {
		s, err := ParseFilter(filter)
		fatal.If(b, err)
		b.Run(filter, func(b *testing.B) {
			for b.Loop() {
				s.Select(many)
			}
		})
	}
}
