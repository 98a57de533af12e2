package difficulty

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
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
// missing responses. An error names the line.
func ReadCSV(name string, in io.Reader) (irt.Responses, error) {
	lines := csv.NewReader(in)
	head, err := lines.Read()
	if err != nil {
		return irt.Responses{}, fmt.Errorf("%s: there is no line with the names of the columns: %w", name, err)
	}
	for i := range head {
		head[i] = strings.TrimSpace(strings.TrimPrefix(head[i], "\ufeff"))
	}
	task, who, score, n := slices.Index(head, "task"), slices.Index(head, "respondent"), slices.Index(head, "score"), slices.Index(head, "n")
	if task < 0 {
		return irt.Responses{}, fmt.Errorf("%s:1: there is no column task: name the columns task, respondent, score and, if known, n; or task and a column for each respondent", name)
	}
	t := table{name: name, listed: map[[2]string]bool{}, cells: map[[2]string]response{}}
	for {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return t.responses()
		}
		if err != nil {
			return irt.Responses{}, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := lines.FieldPos(0)
		if who >= 0 && score >= 0 {
			count := ""
			if n >= 0 {
				count = row[n]
			}
			if err := t.add(line, row[task], row[who], row[score], count); err != nil {
				return irt.Responses{}, err
			}
			continue
		}
		for i, respondent := range head {
			if i != task {
				if err := t.add(line, row[task], respondent, row[i], ""); err != nil {
					return irt.Responses{}, err
				}
			}
		}
	}
}

// table collects the responses of a file.
type table struct {
	name               string
	tasks, respondents []string
	listed             map[[2]string]bool // "task" or "respondent", and the name
	cells              map[[2]string]response
	counted            int
}

type response struct{ score, n float64 }

func (t *table) add(line int, task, who, score, count string) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", t.name, line, fmt.Sprintf(format, args...))
	}
	if task == "" || who == "" {
		return wrong("a task or respondent has no name")
	}
	for _, list := range []struct {
		names *[]string
		name  [2]string
	}{{&t.tasks, [2]string{"task", task}}, {&t.respondents, [2]string{"respondent", who}}} {
		if !t.listed[list.name] {
			t.listed[list.name] = true
			*list.names = append(*list.names, list.name[1])
		}
	}
	if strings.TrimSpace(score) == "" {
		return nil
	}
	x := response{n: math.NaN()}
	var err error
	if x.score, err = strconv.ParseFloat(strings.TrimSpace(score), 64); err != nil || !(x.score >= 0 && x.score <= 1) {
		return wrong("the score %q of %s is no number from 0 to 1", score, who)
	}
	if strings.TrimSpace(count) != "" {
		if x.n, err = strconv.ParseFloat(strings.TrimSpace(count), 64); err != nil || !(x.n >= 1) || math.IsInf(x.n, 1) {
			return wrong("n is %q: write how many samples the score is the share of, at least 1", count)
		}
		t.counted++
	}
	if _, twice := t.cells[[2]string{task, who}]; twice {
		return wrong("%s has a score for the task %s already", who, task)
	}
	t.cells[[2]string{task, who}] = x
	return nil
}

func (t *table) responses() (irt.Responses, error) {
	if t.counted > 0 && t.counted < len(t.cells) {
		return irt.Responses{}, fmt.Errorf("%s: %d of %d scores have no n: give it for all of them, or for none", t.name, len(t.cells)-t.counted, len(t.cells))
	}
	r := irt.Responses{Respondents: t.respondents, Items: t.tasks}
	for _, who := range t.respondents {
		scores, trials := make([]float64, len(t.tasks)), make([]float64, len(t.tasks))
		for j, task := range t.tasks {
			scores[j], trials[j] = math.NaN(), math.NaN()
			if x, ok := t.cells[[2]string{task, who}]; ok {
				scores[j], trials[j] = x.score, x.n
			}
		}
		r.Scores = append(r.Scores, scores)
		if t.counted > 0 {
			r.Trials = append(r.Trials, trials)
		}
	}
	return answered(r), nil
}
