package engine

import (
	"context"
	"encoding/json"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/judge"
	"assay/session"
)

// measure extracts the code of an answer and has it judged, while the tester
// is reading already.
func (e *Engine) measure(task, attempt int, answer string) {
	code := e.extract(task, attempt, answer)
	e.judge(task, attempt, code)
}

func (e *Engine) extract(task, attempt int, answer string) string {
	found := extract.Code(answer, e.tasks[task])
	texts := map[session.Ref][]byte{}
	e.insist(texts, session.CodeExtracted{
		Task: task, Attempt: attempt, Code: keep(texts, found.Code), Bytes: len(found.Code),
		Method: found.Method, Blocks: found.Blocks, Chosen: found.Chosen, Note: found.Note,
	})
	return found.Code
}

func (e *Engine) judge(task, attempt int, code string) {
	result := e.verdict(e.background, e.tasks[task], code)
	if e.background.Err() != nil {
		return // the program ends: the verdict is made again when it is reopened
	}
	detail, err := json.Marshal(result)
	if err != nil {
		detail = nil
	}
	texts := map[session.Ref][]byte{}
	e.insist(texts, session.VerdictRecorded{
		Task: task, Attempt: attempt, Verdict: string(result.Verdict), Passed: result.Passed, Total: result.Total,
		CPUMS: result.CPUMS, WallMS: result.WallMS, MemoryKB: result.MemoryKB,
		Enforcement: result.EnforcementText(), Message: result.Message, Detail: keep(texts, string(detail)),
	})
}

// verdict runs the code, or says why it is not run.
func (e *Engine) verdict(ctx context.Context, task *benchmark.Task, code string) judge.Result {
	switch {
	case task.Tests.Style == benchmark.NoTests:
		return judge.Result{Verdict: judge.NotJudged, Message: "the task has no tests: you are its judge"}
	case e.cfg.Judge == nil:
		return judge.Result{Verdict: judge.NotJudged, Message: e.cfg.NoJudge}
	}
	result, err := e.cfg.Judge.Judge(ctx, task, code)
	if err != nil {
		return judge.Result{Verdict: judge.SandboxError, Message: err.Error()}
	}
	return result
}

// resumeMeasuring makes the measurements that a crash or a quit cut off.
func (e *Engine) resumeMeasuring() {
	s := e.State()
	for i := range s.Tasks {
		for _, a := range s.Tasks[i].Attempts {
			if a.Answer == nil || a.Verdict != nil {
				continue
			}
			e.jobs.Go(func() { e.remeasure(i, a) })
		}
	}
}

func (e *Engine) remeasure(task int, a session.Attempt) {
	if a.Extracted == nil {
		answer, err := e.Text(a.Answer.Answer)
		if err != nil {
			e.setTrouble(err.Error())
			return
		}
		e.measure(task, a.N, answer)
		return
	}
	code, err := e.Text(a.Extracted.Code)
	if err != nil {
		e.setTrouble(err.Error())
		return
	}
	e.judge(task, a.N, code)
}
