package generate

import (
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
)

// samePrompts are two prompts that have the same text for some tasks.
type samePrompts struct {
	names   [2]string
	tasks   []string // ids
	unnamed []string // those of them that the plan does not name
}

// same returns the pairs of prompt levels that have the same text for a task. A comparison of such prompts compares
// samples of one prompt.
func (p Plan) same() []samePrompts {
	if p.Prompts == nil {
		return nil
	}
	var list []samePrompts
	for i := range p.Benchmark.Tasks {
		t := &p.Benchmark.Tasks[i]
		prompts := p.Prompts(t)
		prompts = slices.DeleteFunc(slices.Clone(prompts), func(x Prompt) bool { return !strings.HasPrefix(x.Name, "level-") })
		for at, prompt := range prompts {
			first := slices.IndexFunc(prompts, func(x Prompt) bool { return x.Text == prompt.Text })
			if first == at {
				continue
			}
			names := [2]string{prompts[first].Name, prompt.Name}
			pair := slices.IndexFunc(list, func(s samePrompts) bool { return s.names == names })
			if pair < 0 {
				pair = len(list)
				list = append(list, samePrompts{names: names})
			}
			s := &list[pair]
			if s.tasks = append(s.tasks, t.ID); p.Same == nil || !p.Same(t) {
				s.unnamed = append(s.unnamed, t.ID)
			}
		}
	}
	return list
}

// checkSame returns an error if two prompts have the same text for a task that the plan does not name.
func (p Plan) checkSame() error {
	for _, s := range p.same() {
		if len(s.unnamed) > 0 {
			const most = 5
			ids := s.unnamed[:min(most, len(s.unnamed))]
			if len(ids) < len(s.unnamed) {
				ids = append(slices.Clone(ids), "…")
			}
			return fmt.Errorf("the prompts %s and %s have the same text for %d of %d tasks (%s), which lack what the levels differ in: leave one prompt out, "+
				"choose tasks with the filter has:constraints or has:examples, or name these tasks with --same-prompts FILTER (in a batch file, same_prompts)",
				s.names[0], s.names[1], len(s.unnamed), len(p.Benchmark.Tasks), strings.Join(ids, ", "))
		}
	}
	return nil
}

// NamedBy returns what [Plan.Same] is for a filter, which names no task if it is empty.
func NamedBy(filter string) (func(*benchmark.Task) bool, error) {
	if filter == "" {
		return nil, nil
	}
	f, err := benchmark.ParseFilter(filter)
	return f.Match, err
}

func (p Plan) sameNotes() (notes []string) {
	for _, s := range p.same() {
		if len(s.unnamed) == 0 {
			notes = append(notes, fmt.Sprintf("the prompts %s and %s have the same text for %d of %d tasks", s.names[0], s.names[1], len(s.tasks), len(p.Benchmark.Tasks)))
		}
	}
	return notes
}
