package benchmark

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Scenario is a subset of a benchmark chosen by metadata: for every field that
// is named, the task's value must be one of those listed.
type Scenario struct {
	text  string
	terms []term
}

type term struct {
	field  string
	values []string
}

// fields are the metadata a scenario may name, and how a task answers.
var fields = map[string]func(*Task) []string{
	"id":         func(t *Task) []string { return []string{t.ID} },
	"language":   func(t *Task) []string { return []string{t.Language} },
	"difficulty": func(t *Task) []string { return []string{string(t.Difficulty)} },
	"type":       func(t *Task) []string { return []string{t.Type} },
	"category":   func(t *Task) []string { return []string{t.Category} },
	"topic":      func(t *Task) []string { return t.Topics },
	"year":       func(t *Task) []string { return []string{strconv.Itoa(t.Published.Year())} },
	"source":     func(t *Task) []string { return []string{t.Source.Title} },
}

// ParseScenario reads a filter such as "difficulty=easy,hard type=structural":
// terms separated by spaces, all of which must hold; values separated by
// commas, one of which must match. Case does not matter, and "_" stands for a
// space in a value. The empty text chooses every task.
func ParseScenario(text string) (Scenario, error) {
	s := Scenario{text: strings.Join(strings.Fields(text), " ")}
	for _, word := range strings.Fields(text) {
		field, values, found := strings.Cut(word, "=")
		if !found || values == "" {
			return Scenario{}, fmt.Errorf("filter %q: write field=value, for example difficulty=easy,medium", word)
		}
		field = strings.ToLower(field)
		if _, known := fields[field]; !known {
			return Scenario{}, fmt.Errorf("filter %q: no field %q; the fields are %s", word, field, strings.Join(FilterFields(), ", "))
		}
		s.terms = append(s.terms, term{field, strings.Split(values, ",")})
	}
	return s, nil
}

// FilterFields lists the fields that a scenario may name, sorted.
func FilterFields() []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// String is the filter as it was written, with single spaces.
func (s Scenario) String() string { return s.text }

// Match says whether the scenario chooses t.
func (s Scenario) Match(t *Task) bool {
	for _, term := range s.terms {
		has := fields[term.field](t)
		if !slices.ContainsFunc(term.values, func(want string) bool {
			want = strings.ReplaceAll(want, "_", " ")
			return slices.ContainsFunc(has, func(v string) bool {
				return strings.EqualFold(strings.ReplaceAll(v, "_", " "), want)
			})
		}) {
			return false
		}
	}
	return true
}

// Select lists the tasks that the scenario chooses, in the benchmark's order,
// practice tasks apart.
func (s Scenario) Select(b *Benchmark) (tasks, practice []*Task) {
	for i := range b.Tasks {
		t := &b.Tasks[i]
		switch {
		case t.Practice:
			practice = append(practice, t)
		case s.Match(t):
			tasks = append(tasks, t)
		}
	}
	return tasks, practice
}

// Draw shuffles tasks with the seed and deals them into count disjoint test
// sets of size tasks each: T0, T1, …. Equal arguments give equal sets, on every
// machine. A size of 0 deals all tasks as evenly as count allows.
func Draw(tasks []*Task, seed uint64, count, size int) ([][]*Task, error) {
	if count < 1 {
		return nil, fmt.Errorf("%d test sets cannot be drawn; ask for at least 1", count)
	}
	if size < 0 || count*size > len(tasks) {
		return nil, fmt.Errorf("test sets × tasks in a set is %d × %d = %d, and the scenario has %d tasks", count, size, count*size, len(tasks))
	}
	shuffled := slices.Clone(tasks)
	rng := rand.New(rand.NewPCG(seed, drawStream))
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	sets := make([][]*Task, count)
	for i := range sets {
		n := size
		if size == 0 {
			n = len(tasks) / count
			if i < len(tasks)%count {
				n++
			}
		}
		sets[i], shuffled = shuffled[:n:n], shuffled[n:]
	}
	return sets, nil
}

// drawStream keeps the order of tasks independent of other uses of a seed.
const drawStream = 0x7461736b73 // "tasks"
