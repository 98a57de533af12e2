package overlap

import (
	"cmp"
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/session"
)

// ModelAnswer is an answer of a model that is of no session: of an evaluation, a batch, or a file.
type ModelAnswer struct {
	Model  string
	Source string // where it was read
	Sample int    // within the task, from 0
	Task   *benchmark.Task
	Text   string                   // the answer as it is shown
	Code   string                   // the code in it; "": none
	Method string                   // how the code was found
	Result *session.VerdictRecorded // nil: it was not judged
}

// AddAnswer adds a model's answer, which raters see as the only attempt at its task. tests determines what they see of
// the tests; if empty, the verdict of answers that have one. It must be the same for all answers and for the plan.
func (p *Pool) AddAnswer(benchmark string, a ModelAnswer, tests session.TestsSeen) error {
	if strings.TrimSpace(a.Text) == "" {
		p.Left["whose answer is empty"]++
		return nil
	}
	if p.plan == nil {
		p.plan = &session.Plan{Benchmark: benchmark, Attributes: session.MiahZhuAttributes(), Tests: session.SeeVerdict}
	}
	p.models = append(p.models, a.Model)
	tests = cmp.Or(tests, seen(p.plan.Tests))
	var item Item
	b := builder{item: &item, tests: tests, texts: func(ref session.Ref) ([]byte, error) {
		return nil, fmt.Errorf("the text %s is missing", ref)
	}}
	b.item.Texts, b.item.Files = map[session.Ref]string{}, map[session.Ref][]byte{}
	task := shownTask(*a.Task, p.plan.Reference)
	content, text := session.TaskContent(&task)
	b.keep(content, text)
	item.Task = session.PlanTask{ID: a.Task.ID, Title: a.Task.Title, Difficulty: a.Task.Difficulty, Type: a.Task.Type, Category: a.Task.Category, Content: content}
	keep := func(text string) session.Ref {
		ref := session.RefOf([]byte(text))
		b.keep(ref, []byte(text))
		return ref
	}
	shown := Shown{Prompt: keep(a.Task.Statement()), Answer: keep(a.Text), Extracted: &session.CodeExtracted{Attempt: 1, Method: a.Method, Bytes: len(a.Code)}}
	if a.Code != "" {
		shown.Extracted.Code = keep(a.Code)
	}
	if a.Result != nil && tests != session.SeeNothing {
		v := *a.Result
		v.Detail, v.Outputs, v.Message = "", nil, ""
		shown.Verdict = &v
	}
	item.Attempts, item.Files = []Shown{shown}, nil
	item.ID = item.hash()
	verdict := ""
	if a.Result != nil {
		verdict = a.Result.Verdict
	}
	p.keep(candidate{item: item, task: item.Task,
		origins: []Origin{{Item: item.ID, Task: a.Task.ID, Arm: a.Model, Source: a.Source, Sample: a.Sample, Verdict: verdict, Ratings: map[string]int{}, Labels: map[string]string{}}}})
	return nil
}

// keep adds an output, or where it comes from if the same one is already there.
func (p *Pool) keep(c candidate) {
	if at, ok := p.known[c.item.ID]; ok {
		p.list[at].origins = append(p.list[at].origins, c.origins...)
		return
	}
	p.known[c.item.ID] = len(p.list)
	p.list = append(p.list, c)
}

// shownTask returns what raters may see of a task.
func shownTask(task benchmark.Task, reference bool) benchmark.Task {
	task.Tests, task.Extra, task.Library = benchmark.Tests{}, nil, ""
	if task.Repository != nil { // without the tests
		task.Repository = &benchmark.Repository{Name: task.Repository.Name}
	}
	if !reference {
		task.Reference = ""
	}
	return task
}
