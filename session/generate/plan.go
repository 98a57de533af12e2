package generate

import (
	"encoding/json"
	"fmt"
	"slices"

	"assay/benchmark"
	"assay/benchmark/outputs"
	"assay/data/disk"
	"assay/session/llm"
)

// Prompt is one wording of a task.
type Prompt struct {
	Name       string // the same for every task, such as "level-2"
	Text       string
	Unreviewed bool // written by a model and not reviewed by a person
}

// Plan specifies the wanted answers.
type Plan struct {
	Benchmark *benchmark.Benchmark
	Models    []llm.Model
	Prompts   func(*benchmark.Task) []Prompt // the wordings of a task, at least one
	Same      func(*benchmark.Task) bool     // tasks whose prompts of two levels may be the same text; nil: none
	N         int                            // samples for each wording of each task
	Attempt   int                            // at the task, from 1, for models that replay recorded answers; 0: 1
	Holds     map[string]int                 // tokens of a model's context as its server tells, by the model's name
}

// cells numbers the wanted answers of one model, from 0: task by task, wording by wording, sample by
// sample.
type cells struct {
	tasks   []*benchmark.Task
	prompts [][]Prompt     // by task
	first   []int          // by task: the number of wordings of all tasks before
	index   map[string]int // of a task's id
	n       int
	pairs   int   // the number of task-wording pairs
	tokens  int64 // estimate for an average wording
}

// cell is one wanted answer, independent of the model.
type cell struct{ task, prompt, sample int }

// mostCells is the largest number of answers of one model in a run, at five bytes of memory each.
const mostCells = 50_000_000

// newCells checks a plan and numbers its cells.
func newCells(p Plan) (*cells, error) {
	c := &cells{n: p.N, index: map[string]int{}}
	switch {
	case p.N < 1:
		return nil, fmt.Errorf("the number of samples is %d: ask for at least 1", p.N)
	case len(p.Models) == 0:
		return nil, fmt.Errorf("no model is named: name at least one")
	case len(p.Benchmark.Tasks) == 0:
		return nil, fmt.Errorf("there are no tasks")
	}
	if err := checkModels(p.Models); err != nil {
		return nil, err
	}
	for i := range p.Benchmark.Tasks {
		t := &p.Benchmark.Tasks[i]
		prompts := p.Prompts(t)
		if len(prompts) == 0 {
			return nil, fmt.Errorf("the task %q has no prompt: leave it out, or give it one", t.ID)
		}
		seen := map[string]bool{}
		for _, prompt := range prompts {
			switch {
			case prompt.Text == "":
				return nil, fmt.Errorf("the prompt %q of the task %q is empty", prompt.Name, t.ID)
			case seen[prompt.Name]:
				return nil, fmt.Errorf("the task %q has two prompts named %q", t.ID, prompt.Name)
			}
			seen[prompt.Name] = true
		}
		if agent := slices.IndexFunc(p.Models, func(m llm.Model) bool { return m.Provider == llm.ProviderAgent }); agent >= 0 && t.Repository == nil {
			return nil, fmt.Errorf("the model %q is an agent, which works on repositories, and the task %q has none: choose other tasks or another model", p.Models[agent].Name, t.ID)
		}
		c.index[t.ID] = i
		for _, prompt := range prompts {
			c.tokens += int64(tokensOf(prompt.Text))
		}
		c.tasks, c.prompts, c.first = append(c.tasks, t), append(c.prompts, prompts), append(c.first, c.pairs)
		c.pairs += len(prompts)
	}
	if p.N > mostCells/c.pairs {
		return nil, fmt.Errorf("%d samples to %d prompts are too many for one run: at most %d answers of a model", p.N, c.pairs, mostCells)
	}
	c.tokens = max(c.tokens/int64(c.pairs), 1)
	return c, nil
}

// checkModels rejects models that need a person, and those whose answers would be in the same file.
func checkModels(models []llm.Model) error {
	names := map[string]bool{}
	for _, m := range models {
		if m.Provider == llm.ProviderPaste {
			return fmt.Errorf("the model %q is a person who pastes answers: choose one that answers on its own", m.Name)
		}
		if names[outputs.SafeName(m.Name)] {
			return fmt.Errorf("the model %q is named twice", m.Name)
		}
		names[outputs.SafeName(m.Name)] = true
	}
	return nil
}

// count returns the number of cells for each model.
func (c *cells) count() int { return c.pairs * c.n }

// number returns the number of a cell.
func (c *cells) number(x cell) int { return (c.first[x.task]+x.prompt)*c.n + x.sample }

// names lists the names of wordings in the order of first occurrence.
func (c *cells) names() []string {
	var names []string
	for _, prompts := range c.prompts {
		for _, p := range prompts {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// find returns the cell of a stored answer.
func (c *cells) find(task, prompt string, sample int) (cell, bool) {
	t, ok := c.index[task]
	if !ok || sample < 0 || sample >= c.n {
		return cell{}, false
	}
	for p := range c.prompts[t] {
		if c.prompts[t][p].Name == prompt {
			return cell{t, p, sample}, true
		}
	}
	return cell{}, false
}

// each calls do with every cell until it returns false. The first samples of all tasks come before the
// second, so that an interrupted run has answers to every task.
func (c *cells) each(do func(cell) bool) {
	for s := range c.n {
		for t := range c.tasks {
			for p := range c.prompts[t] {
				if !do(cell{t, p, s}) {
					return
				}
			}
		}
	}
}

// messages returns the messages for a wording; the client adds the model's system message.
func (c *cells) messages(x cell) []llm.Message {
	return []llm.Message{{Role: llm.User, Text: c.prompts[x.task][x.prompt].Text}}
}

// key returns the hash of an answer's inputs: the model with its server and sampling, the messages, and the
// task, wording and sample. It does not cover time-outs, limits and concurrency, which do not affect an
// answer. It is 128 bits of a SHA-256, in hexadecimal.
func (c *cells) key(definition string, x cell) string {
	text, err := json.Marshal([]any{definition, c.tasks[x.task].ID, c.prompts[x.task][x.prompt].Name, c.messages(x), x.sample})
	if err != nil {
		panic("generate: texts do not marshal: " + err.Error())
	}
	return short(text)
}

func short(text []byte) string { return disk.Sum(text)[:32] }
