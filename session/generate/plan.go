package generate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"assay/benchmark"
	"assay/benchmark/outputs"
	"assay/session/llm"
)

// Prompt is one wording of a task.
type Prompt struct {
	Name       string // the same for the same kind of wording of every task, such as "level-2"
	Text       string
	Unreviewed bool // written by a model, and no person has looked at it
}

// Plan says which answers are wanted.
type Plan struct {
	Benchmark *benchmark.Benchmark
	Models    []llm.Model
	Prompts   func(*benchmark.Task) []Prompt // the wordings of a task, at least one
	N         int                            // samples for each wording of each task
}

// cells numbers the answers that are wanted of one model, from 0: task by task, wording by
// wording, sample by sample.
type cells struct {
	tasks   []*benchmark.Task
	prompts [][]Prompt     // by task
	first   []int          // by task: how many wordings the tasks before have
	index   map[string]int // of a task's id
	n       int
	pairs   int   // of a task and a wording
	tokens  int64 // of a wording, on average, as estimated
}

// cell is one answer that is wanted, whichever the model.
type cell struct{ task, prompt, sample int }

// mostCells is how many answers of one model a run may have: five bytes of memory each.
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

// checkModels refuses models that cannot be asked without a person, and those whose
// answers would lie in one file.
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

// count is how many there are for each model.
func (c *cells) count() int { return c.pairs * c.n }

// number is the place of a cell.
func (c *cells) number(x cell) int { return (c.first[x.task]+x.prompt)*c.n + x.sample }

// names lists the names of wordings in the order in which tasks have them first.
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

// find is the cell of what a stored answer says of itself.
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

// each calls do with every cell, the first samples of all tasks before the second, so
// that a run that is stopped knows something of every task. It ends when do says false.
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

// messages are what is sent for a wording; the model's system message is its own.
func (c *cells) messages(x cell) []llm.Message {
	return []llm.Message{{Role: llm.User, Text: c.prompts[x.task][x.prompt].Text}}
}

// key is the hash of what makes an answer: the model with its server and sampling, the
// messages, which task, wording and sample they are. Time-outs, limits and concurrency do
// not change an answer and are not covered. It is 128 bits of a SHA-256, in hexadecimal.
func (c *cells) key(definition string, x cell) string {
	text, err := json.Marshal([]any{definition, c.tasks[x.task].ID, c.prompts[x.task][x.prompt].Name, c.messages(x), x.sample})
	if err != nil {
		panic("generate: texts do not marshal: " + err.Error())
	}
	return short(text)
}

func short(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
