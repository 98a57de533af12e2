package pipeline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/prompts"
)

// Draw selects some of the tasks at random, reproducibly.
type Draw struct {
	Tasks    int      `toml:"tasks"`    // 0: all
	PerCell  int      `toml:"per_cell"` // tasks of each combination of values of stratify; 0: Tasks counts
	Seed     uint64   `toml:"seed"`
	Stratify []string `toml:"stratify"`
}

// ChooseTasks returns a benchmark with the selected tasks, without practice tasks, which are for people. Notes name the
// cells with fewer tasks than were to be drawn.
func ChooseTasks(b *benchmark.Benchmark, s benchmark.Filter, d Draw) (some *benchmark.Benchmark, notes []string, err error) {
	tasks, _ := s.Select(b)
	if len(tasks) == 0 {
		return nil, nil, s.NoMatch(fmt.Sprintf("none of the %d tasks", len(b.Tasks)), b.Pointers())
	}
	switch {
	case d.PerCell > 0:
		var short []benchmark.ShortCell
		if tasks, short, err = benchmark.DrawCells(tasks, d.Seed, d.PerCell, d.Stratify...); err != nil {
			return nil, nil, err
		}
		for _, cell := range short {
			notes = append(notes, fmt.Sprintf("the cell %s has %d of the %d tasks to be drawn from each", cell.Name, cell.Tasks, d.PerCell))
		}
	case d.Tasks > 0:
		sets, err := benchmark.Draw(tasks, d.Seed, 1, d.Tasks, d.Stratify...)
		if err != nil {
			return nil, nil, err
		}
		tasks = sets[0]
	}
	chosen := *b
	chosen.Tasks = nil
	for _, t := range tasks {
		chosen.Tasks = append(chosen.Tasks, *t)
	}
	return &chosen, notes, nil
}

// ChooseModels finds models by name, or by patterns such as "gpt-*", which only match models of the models
// file.
func ChooseModels(known llm.Models, names []string) ([]llm.Model, error) {
	var models []llm.Model
	for _, name := range names {
		found := false
		for _, m := range known.List() {
			matches, err := path.Match(name, m.Name)
			if err != nil {
				return nil, fmt.Errorf("%q is not a pattern: write a name, which may contain *", name)
			}
			if m.Name != name && (!matches || m.BuiltIn()) {
				continue
			}
			found = true
			if !slices.ContainsFunc(models, func(other llm.Model) bool { return other.Name == m.Name }) {
				models = append(models, m)
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no model %q in %s; `assay models` lists the models", name, known.Path)
		}
	}
	return models, nil
}

// DefaultKind is the kind of prompt sent by default.
const DefaultKind = "level-3"

// kinds lists the kinds of prompts that follow from a task.
func kinds() []string {
	kinds := []string{"statement"}
	for n := 1; n <= benchmark.MaxPromptLevel; n++ {
		kinds = append(kinds, fmt.Sprintf("level-%d", n))
	}
	for n := 1; n <= benchmark.MaxContextLevel; n++ {
		kinds = append(kinds, fmt.Sprintf("context-%d", n))
	}
	return kinds
}

// checkKinds returns an error for a name that is not a kind of prompt.
func checkKinds(names []string) error {
	for _, name := range names {
		if !slices.Contains(kinds(), name) {
			return fmt.Errorf("there is no kind of prompt %q: the kinds are %s", name, strings.Join(kinds(), ", "))
		}
	}
	return nil
}

// Evaluated returns a note if the model that wrote the prompts of set, which may be nil, is evaluated with
// them.
func Evaluated(set *prompts.Set, models []llm.Model) []string {
	if set == nil {
		return nil
	}
	names := set.AlsoEvaluated(models)
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s wrote the prompts and is evaluated with them, as %s: it may do better by its own words", set.Header.Author.Name, strings.Join(names, ", "))}
}

// Prompts finds the prompts of every task: those of the given kinds, and the written ones of set, which may
// be nil. Notes are sentences about tasks that lack some; a task without any is an error.
func Prompts(b *benchmark.Benchmark, kinds []string, set *prompts.Set, unreviewed bool) (of func(*benchmark.Task) []generate.Prompt, notes []string, err error) {
	if err := checkKinds(kinds); err != nil {
		return nil, nil, err
	}
	all := map[string][]generate.Prompt{}
	lack := map[string]int{}
	unwritten := 0
	var naming []string
	for i := range b.Tasks {
		t := &b.Tasks[i]
		own := append(append([]prompts.Prompt{prompts.Statement(t)}, prompts.Levels(t)...), prompts.Context(t)...)
		for _, kind := range kinds {
			at := slices.IndexFunc(own, func(p prompts.Prompt) bool { return p.Name == kind })
			if at < 0 {
				lack[kind]++
				continue
			}
			all[t.ID] = append(all[t.ID], generate.Prompt{Name: kind, Text: own[at].Text})
		}
		if set != nil {
			written := set.For(t, unreviewed)
			if len(written) == 0 {
				unwritten++
			}
			for _, name := range set.Naming(t, unreviewed) {
				naming = append(naming, t.ID+" "+name)
			}
			for _, p := range written {
				all[t.ID] = append(all[t.ID], generate.Prompt{Name: p.Name, Text: p.Text, Unreviewed: p.Review == prompts.Unreviewed})
			}
		}
		if len(all[t.ID]) == 0 {
			return nil, nil, fmt.Errorf("the task %q has none of the requested prompts: filter it out, or request others", t.ID)
		}
	}
	for _, kind := range kinds {
		if n := lack[kind]; n > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d tasks have no prompt %s and are not asked with it", n, len(b.Tasks), kind))
		}
	}
	if unwritten > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d tasks have no written prompt that may be used", unwritten, len(b.Tasks)))
	}
	return func(t *benchmark.Task) []generate.Prompt { return all[t.ID] }, append(notes, namingNote(naming)...), nil
}

// namingNote returns a note about written prompts that reveal more than their level allows.
func namingNote(list []string) []string {
	const most = 5
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > most {
		list = append(list[:most:most], "…")
	}
	return []string{fmt.Sprintf("prompts of level 2 that name identifiers of the reference solution are used: %d (%s)", n, strings.Join(list, ", "))}
}
