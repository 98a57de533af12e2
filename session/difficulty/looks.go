package difficulty

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// Look describes the answers to a task with negative discrimination.
type Look struct {
	Task      string     `json:"task"`
	Kind      Kind       `json:"kind"`
	Statement string     `json:"statement,omitempty"`
	Total     int        `json:"total"`  // answers with a verdict
	Failed    int        `json:"failed"` // failed answers
	Ways      []Way      `json:"ways"`   // the most frequent first
	Answers   []Answered `json:"answers"`
	Texts     []Text     `json:"texts,omitempty"`
}

// Way is a way of failing.
type Way struct {
	Verdict     string   `json:"verdict"`
	First       int      `json:"first_failing_case,omitempty"` // from 1; 0: unknown
	Message     string   `json:"message,omitempty"`            // of one of them
	Count       int      `json:"count"`
	Respondents []string `json:"respondents"` // in descending order of ability
}

// Answered is the result of one answer.
type Answered struct {
	Respondent string `json:"respondent"`
	Prompt     string `json:"prompt,omitempty"`
	Sample     int    `json:"sample"` // from 0
	Verdict    string `json:"verdict"`
	Passed     int    `json:"passed"`
	Total      int    `json:"total"`
	First      int    `json:"first_failing_case,omitempty"`

	rank  int
	model string
	text  string // the test's message
}

// Text is an answer as the model gave it.
type Text struct {
	Answered
	Text string `json:"answer"`
}

// Answer is an answer with its text.
type Answer struct {
	Model, Prompt, Task string
	Sample              int
	Text                string
}

// LookAt collects the answers to suspects and noise. The texts, at most texts for each task, are the answer
// of the ablest respondent that fails in the most frequent way, that of the least able one that passes, and
// then other ways of failing. answers, which may be nil, returns the texts of answers to the given tasks.
func (a *Analysis) LookAt(runs []Run, by By, tasks *benchmark.Benchmark, texts int, answers func(tasks map[string]bool, each func(Answer)) error) error {
	rank := map[string]int{}
	for i, r := range a.Respondents {
		rank[r.Name] = i
	}
	rows := map[string][]Answered{}
	for _, run := range runs {
		name := run.Model
		if by == ByPrompt && run.Prompt != "" {
			name += ", " + run.Prompt
		}
		place, known := rank[name]
		for _, row := range run.Rows {
			if !known || row.Verdict == verdicts.NotJudged || row.Verdict == verdicts.SandboxError {
				continue
			}
			rows[row.TaskID] = append(rows[row.TaskID], Answered{Respondent: name, Prompt: run.Prompt, Sample: row.Sample, Verdict: string(row.Verdict),
				Passed: row.PassedTests, Total: row.TotalTests, First: firstOf(row.FailedTests), rank: place, model: run.Model, text: row.Message})
		}
	}
	a.Looks = nil
	for _, kind := range []Kind{Suspect, Chance} {
		for _, t := range a.Tasks {
			if t.Kind == kind && len(rows[t.ID]) > 0 {
				a.Looks = append(a.Looks, lookAt(t, rows[t.ID], tasks))
			}
		}
	}
	if answers == nil || texts < 1 || len(a.Looks) == 0 {
		return nil
	}
	return a.quote(texts, answers)
}

// firstOf returns the first number of a list like "3-5,7".
func firstOf(list string) int {
	n, _ := strconv.Atoi(list[:max(strings.IndexFunc(list+",", func(r rune) bool { return r < '0' || r > '9' }), 0)])
	return n
}

func lookAt(t Task, rows []Answered, tasks *benchmark.Benchmark) Look {
	l := Look{Task: t.ID, Kind: t.Kind, Total: len(rows), Ways: []Way{}}
	if tasks != nil {
		if task, err := tasks.Task(t.ID); err == nil {
			l.Statement = cmp.Or(task.Prompt, task.Description)
		}
	}
	slices.SortStableFunc(rows, func(x, y Answered) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), strings.Compare(x.Prompt, y.Prompt), cmp.Compare(x.Sample, y.Sample))
	})
	l.Answers = rows
	for _, x := range rows {
		if x.Verdict == string(verdicts.Accepted) {
			continue
		}
		l.Failed++
		at := slices.IndexFunc(l.Ways, func(w Way) bool { return w.Verdict == x.Verdict && w.First == x.First })
		if at < 0 {
			at = len(l.Ways)
			l.Ways = append(l.Ways, Way{Verdict: x.Verdict, First: x.First, Message: x.text})
		}
		w := &l.Ways[at]
		w.Count++
		if !slices.Contains(w.Respondents, x.Respondent) {
			w.Respondents = append(w.Respondents, x.Respondent)
		}
	}
	slices.SortStableFunc(l.Ways, func(x, y Way) int { return cmp.Compare(y.Count, x.Count) })
	return l
}

// choose returns the answers of a look to show.
func (l *Look) choose(most int) []Answered {
	var all []Answered
	for _, w := range l.Ways {
		for _, x := range l.Answers {
			if x.Verdict == w.Verdict && x.First == w.First {
				all = append(all, x)
				break
			}
		}
	}
	for _, x := range slices.Backward(l.Answers) {
		if x.Verdict == string(verdicts.Accepted) {
			all = slices.Insert(all, min(1, len(all)), x)
			break
		}
	}
	return all[:min(most, len(all))]
}

// quote reads the texts of the chosen answers.
func (a *Analysis) quote(most int, answers func(map[string]bool, func(Answer)) error) error {
	type name struct {
		model, prompt, task string
		sample              int
	}
	wanted, tasks := map[name]string{}, map[string]bool{}
	of := func(l *Look, x Answered) name { return name{x.model, x.Prompt, l.Task, x.Sample} }
	for i := range a.Looks {
		l := &a.Looks[i]
		tasks[l.Task] = true
		for _, x := range l.choose(most) {
			wanted[of(l, x)] = ""
		}
	}
	err := answers(tasks, func(x Answer) {
		n := name{x.Model, x.Prompt, x.Task, x.Sample}
		if _, ok := wanted[n]; ok {
			wanted[n] = x.Text
		}
	})
	if err != nil {
		return err
	}
	for i := range a.Looks {
		l := &a.Looks[i]
		for _, x := range l.choose(most) {
			if text := wanted[of(l, x)]; text != "" {
				l.Texts = append(l.Texts, Text{x, text})
			}
		}
	}
	return nil
}
