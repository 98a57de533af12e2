package difficulty

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/table"
	"assay/scoring/irt"
)

// Run holds one model's results with one kind of prompt.
type Run struct {
	Model  string
	Prompt string // "": there is only one kind
	Rows   []batch.Row
}

// By defines respondents.
type By string

const (
	ByModel  By = "model"  // a model, over all prompts and samples (TaskEval, equation 2)
	ByPrompt By = "prompt" // a model with one kind of prompt
)

// Score defines responses.
type Score string

const (
	Correct   Score = "correct"    // the share of samples that pass all tests
	PassRatio Score = "pass-ratio" // the mean of (passed/total)², Yeo et al.'s pass-ratio@n
	PassRate  Score = "pass-rate"  // the mean of passed/total
)

// Choose returns the responses to the tasks that a filter chooses, without respondents who answered none of these. It is an error
// if there are none.
func Choose(r irt.Responses, tasks *benchmark.Benchmark, filter benchmark.Filter) (irt.Responses, error) {
	known := map[string]*benchmark.Task{}
	for _, t := range tasks.Pointers() {
		known[t.ID] = t
	}
	var answered []*benchmark.Task
	only := r.Only(func(item string) bool {
		task := known[item]
		if task != nil {
			answered = append(answered, task)
		}
		return task != nil && filter.Match(task)
	})
	if len(only.Items) == 0 {
		return only, filter.NoMatch(fmt.Sprintf("no task of %q with responses", tasks.Name), answered)
	}
	return only, nil
}

// cellSum sums up samples.
type cellSum struct {
	sum      float64
	n        int
	withheld bool // the sandbox failed on a sample
}

// FromRuns makes responses from evaluations: the mean over prompts and samples for each task. Samples that
// could not be judged are left out; a task on whose samples the sandbox failed has no response. Tasks and
// respondents are in order of first occurrence; tasks without any response are left out.
func FromRuns(runs []Run, by By, score Score) (irt.Responses, error) {
	var r irt.Responses
	tasks, respondents := map[string]int{}, map[string]int{}
	cells := map[[2]int]*cellSum{}
	number := func(known map[string]int, list *[]string, name string) int {
		i, ok := known[name]
		if !ok {
			i = len(*list)
			known[name], *list = i, append(*list, name)
		}
		return i
	}
	for _, run := range runs {
		name := run.Model
		if by == ByPrompt && run.Prompt != "" {
			name += ", " + run.Prompt
		}
		who := number(respondents, &r.Respondents, name)
		for _, row := range run.Rows {
			if row.Verdict == verdicts.NotJudged {
				continue
			}
			at := [2]int{who, number(tasks, &r.Items, row.TaskID)}
			c := cells[at]
			if c == nil {
				c = &cellSum{}
				cells[at] = c
			}
			if row.Verdict == verdicts.SandboxError {
				c.withheld = true
				continue
			}
			c.n++
			c.sum += score.of(row)
		}
	}
	for who := range r.Respondents {
		scores, trials := make([]float64, len(r.Items)), make([]float64, len(r.Items))
		for task := range r.Items {
			scores[task], trials[task] = math.NaN(), math.NaN()
			if c := cells[[2]int{who, task}]; c != nil && c.n > 0 && !c.withheld {
				scores[task], trials[task] = c.sum/float64(c.n), float64(c.n)
			}
		}
		r.Scores = append(r.Scores, scores)
		if score == Correct { // only this score is a share of trials
			r.Trials = append(r.Trials, trials)
		}
	}
	return answered(r), nil
}

func (s Score) of(row batch.Row) float64 {
	ratio := float64(row.PassedTests) / float64(max(row.TotalTests, 1))
	switch {
	case s == Correct && row.Verdict == verdicts.Accepted:
		return 1
	case s == Correct:
		return 0
	case s == PassRatio:
		return ratio * ratio
	}
	return ratio
}

// answered removes items without any response.
func answered(r irt.Responses) irt.Responses {
	var keep []int
	for j := range r.Items {
		if slices.ContainsFunc(r.Scores, func(row []float64) bool { return !math.IsNaN(row[j]) }) {
			keep = append(keep, j)
		}
	}
	if len(keep) == len(r.Items) {
		return r
	}
	taken, err := r.Take(keep)
	if err != nil {
		panic("difficulty: items that are there cannot be taken: " + err.Error())
	}
	return taken
}

// ReadCSV reads responses from a table with the columns task, respondent and score, and optionally n, the
// number of samples behind a score; or with a column for each respondent besides task. Empty cells are
// missing responses. An error names line and column.
func ReadCSV(name string, in io.Reader) (irt.Responses, error) {
	from, err := table.Read(in, name, "task")
	if err != nil {
		return irt.Responses{}, fmt.Errorf("%w (a table of scores has the columns task, respondent, score and, if known, n; or task and a column for each respondent)", err)
	}
	c := collected{name: name, listed: map[[2]string]bool{}, cells: map[[2]string]response{}}
	for _, row := range from.Rows {
		if from.Has("respondent") && from.Has("score") {
			if err := c.add(row, row.Text("respondent"), "score"); err != nil {
				return irt.Responses{}, err
			}
			continue
		}
		for _, respondent := range from.Header {
			if !strings.EqualFold(respondent, "task") {
				if err := c.add(row, respondent, respondent); err != nil {
					return irt.Responses{}, err
				}
			}
		}
	}
	return c.responses()
}

// collected are the responses of a file.
type collected struct {
	name               string
	tasks, respondents []string
	listed             map[[2]string]bool // "task" or "respondent", and the name
	cells              map[[2]string]response
	counted            int
}

type response struct{ score, n float64 }

// add takes the score of a respondent from a column.
func (c *collected) add(row table.Row, who, column string) error {
	task := row.Text("task")
	if task == "" || who == "" {
		return row.Fault(column, "the task or the respondent has no name")
	}
	for _, list := range []struct {
		names *[]string
		name  [2]string
	}{{&c.tasks, [2]string{"task", task}}, {&c.respondents, [2]string{"respondent", who}}} {
		if !c.listed[list.name] {
			c.listed[list.name] = true
			*list.names = append(*list.names, list.name[1])
		}
	}
	if row.Text(column) == "" {
		return nil
	}
	x := response{n: math.NaN()}
	var err error
	if x.score, err = row.Number(column, 0, 1); err != nil {
		return fmt.Errorf("%w: scores are shares", err)
	}
	if column == "score" && row.Text("n") != "" {
		if x.n, err = row.Number("n", 1, math.Inf(1)); err != nil {
			return fmt.Errorf("%w: n is how many samples the score is the share of", err)
		}
		c.counted++
	}
	if _, twice := c.cells[[2]string{task, who}]; twice {
		return row.Fault(column, "%s has a score for the task %s already", who, task)
	}
	c.cells[[2]string{task, who}] = x
	return nil
}

func (c *collected) responses() (irt.Responses, error) {
	if c.counted > 0 && c.counted < len(c.cells) {
		return irt.Responses{}, fmt.Errorf("%s: %d of %d scores have no n: give it for all of them, or for none", c.name, len(c.cells)-c.counted, len(c.cells))
	}
	r := irt.Responses{Respondents: c.respondents, Items: c.tasks}
	for _, who := range c.respondents {
		scores, trials := make([]float64, len(c.tasks)), make([]float64, len(c.tasks))
		for j, task := range c.tasks {
			scores[j], trials[j] = math.NaN(), math.NaN()
			if x, ok := c.cells[[2]string{task, who}]; ok {
				scores[j], trials[j] = x.score, x.n
			}
		}
		r.Scores = append(r.Scores, scores)
		if c.counted > 0 {
			r.Trials = append(r.Trials, trials)
		}
	}
	return answered(r), nil
}
