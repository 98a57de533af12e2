package engine

import (
	"context"
	"encoding/json"
	"slices"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/session"
)

// replyID names an answer: its task by index, its attempt by number, and its side, "" where one model answers.
type replyID struct {
	task, attempt int
	side          session.Side
}

// reply returns what the log has of an answer.
func (e *Engine) reply(of replyID) *session.Attempt {
	attempts := e.State().Tasks[of.task].Attempts
	i := slices.IndexFunc(attempts, func(a session.Attempt) bool { return a.N == of.attempt })
	if i < 0 {
		return nil
	}
	return attempts[i].On(of.side)
}

// measureAll measures the answers of an attempt concurrently, as far as they are not measured.
func (e *Engine) measureAll(task int, a session.Attempt) {
	sides := []session.Side{""}
	if a.Sides != nil {
		sides = session.Sides()
	}
	for _, side := range sides {
		if on := a.On(side); on.Measured == nil || e.treeless(task, on) || e.unjudged(task, on) {
			e.job(func() { e.remeasure(replyID{task, a.N, side}, on) })
		}
	}
}

// measure extracts the code of an answer, then judges and inspects it concurrently, while the tester
// already reads the answer.
func (e *Engine) measure(of replyID, answer string) {
	code := e.extract(of, answer)
	e.job(func() { e.inspect(of, code) })
	e.changeTree(of, code)
	e.judge(of, code)
}

// Messages recorded if a part of measuring panics.
const (
	judgingBroke   = "judging broke: the details are in the server's log"
	measuringBroke = "measuring broke: the details are in the server's log"
	takingBroke    = "Taking the code out of the answer broke: the details are in the server's log."
)

// inspect measures code without running it.
func (e *Engine) inspect(of replyID, code string) {
	var m session.Measured
	texts := map[session.Ref][]byte{}
	if !e.survives(func() { m = e.measures(of.task, code, texts) }) {
		m, texts = session.Measured{Problem: measuringBroke}, nil
	}
	m.Task, m.Attempt, m.Side = of.task, of.attempt, of.side
	if e.background().Err() == nil {
		e.insist(texts, m)
	}
}

// measures returns the static measures of code, zero for none, and adds the full report to texts.
func (e *Engine) measures(task int, code string, texts map[session.Ref][]byte) (m session.Measured) {
	switch t := e.tasks[task]; {
	case t.Repository != nil:
		return session.Measured{Problem: "the answer changes a repository, and is no code by itself"}
	case !t.Program():
		return session.Measured{Problem: "the answer states what a call returns, and is no program"}
	}
	if code == "" {
		return m
	}
	report, err := batch.Inspect(e.tasks[task], code, assemble.Solution)
	switch {
	case err != nil:
		m.Problem = err.Error()
	default:
		m.By, m.Unrated = e.analyse(task, code, &report)
		m.Valid, m.Cyclomatic, m.Cognitive = report.Valid, report.Cyclomatic, report.Cognitive
		m.CodeLines, m.CommentLines, m.CommentRate = report.CodeLines, report.CommentLines, report.CommentRate
		m.Findings, m.Analyser = len(report.Findings), report.Analyser
		m.Reliability, m.Security = string(report.Reliability), string(report.Security)
		detail, err := json.Marshal(report)
		if err != nil {
			detail = nil
		}
		m.Detail = keep(texts, string(detail))
	}
	return m
}

// analyse replaces the findings and ratings of assay's own rules in a report by those of the analysers that are named, if
// any. It returns the ratings of each, or why they did not rate the code, which then has no ratings.
func (e *Engine) analyse(task int, code string, r *inspect.Report) (by []scoring.Rated, unrated string) {
	if e.cfg.Analysis == nil || r.CodeLines == 0 {
		return nil, ""
	}
	found, err := e.cfg.Analysis.Rate(e.background(), e.tasks[task], 0, code, assemble.Solution)
	if err != nil {
		unrated = err.Error()
	}
	all := scoring.Together(found.By)
	r.Findings, r.Reliability, r.Security, r.Analyser = append([]quality.Finding{}, found.Findings...), all.Reliability, all.Security, all.Analyser
	return found.By, unrated
}

func (e *Engine) extract(of replyID, answer string) string {
	var found extract.Extraction
	if !e.survives(func() {
		found = extract.Code(answer, e.tasks[of.task])
		found.Note = assemble.Noted(found.Note, e.tasks[of.task], found.Code)
	}) {
		found = extract.Extraction{Method: extract.MethodNone, Note: takingBroke}
	}
	texts := map[session.Ref][]byte{}
	e.insist(texts, extracted(of, found, texts))
	return found.Code
}

// extracted returns the record of an extraction, and adds its code to texts.
func extracted(of replyID, found extract.Extraction, texts map[session.Ref][]byte) session.CodeExtracted {
	return session.CodeExtracted{
		Task: of.task, Attempt: of.attempt, Side: of.side, Code: keep(texts, found.Code), Bytes: len(found.Code),
		Method: found.Method, Blocks: found.Blocks, Chosen: found.Chosen, Note: found.Note,
	}
}

func (e *Engine) judge(of replyID, code string) {
	progress := &e.progress[of.side.Index()]
	progress.begin(of.task, of.attempt, e.cfg.Stamp().Mono)
	reached := verdicts.WithProgress(e.background(), func(p verdicts.Progress) {
		if progress.set(of.task, of.attempt, p) {
			e.notify()
		}
	})
	var result verdicts.Result
	if !e.survives(func() { result = e.verdict(reached, e.tasks[of.task], code) }) {
		result = verdicts.Result{Verdict: verdicts.SandboxError, Message: judgingBroke}
	}
	if e.background().Err() != nil {
		return // the program is ending: Reopen judges again
	}
	if on := e.reply(of); on != nil && on.Verdict != nil && on.Verdict.Verdict == string(result.Verdict) {
		return // nothing has changed since it was recorded as not judged
	}
	texts := map[session.Ref][]byte{}
	outputs := keepOutputs(texts, result.Outputs)
	detail, err := json.Marshal(result)
	if err != nil {
		detail = nil
	}
	record := verdictOn(result)
	record.Task, record.Attempt, record.Side, record.Detail, record.Outputs = of.task, of.attempt, of.side, keep(texts, string(detail)), outputs
	e.insist(texts, record)
}

// verdictOn returns the record of a result, without what it refers to.
func verdictOn(r verdicts.Result) session.VerdictRecorded {
	return session.VerdictRecorded{
		Verdict: string(r.Verdict), Passed: r.Passed, Total: r.Total, Loads: r.Loaded(), CPUMS: r.CPUMS, WallMS: r.WallMS, MemoryKB: r.MemoryKB,
		Enforcement: r.EnforcementText(), Message: r.Message, Resolution: string(r.Resolution), ToReview: r.ToReview,
	}
}

// keepOutputs adds the program's output files to texts and returns their records. It clears the data in
// files, so that the verdict's detail does not store them a second time.
func keepOutputs(texts map[session.Ref][]byte, files []verdicts.OutputFile) []session.Output {
	var outputs []session.Output
	for i, f := range files {
		outputs = append(outputs, session.Output{Name: f.Name, Size: f.Size, Kind: f.Kind, Data: keep(texts, string(f.Data)), Problem: f.Problem})
		files[i] = f.WithoutData()
	}
	return outputs
}

// Output reads a program's output file.
func (e *Engine) Output(o session.Output) ([]byte, error) {
	if o.Data == "" {
		return nil, nil
	}
	return e.cfg.Store.Blob(o.Data)
}

// verdict runs the code, or returns why it is not run.
func (e *Engine) verdict(ctx context.Context, task *benchmark.Task, code string) verdicts.Result {
	switch {
	case !task.HasTests():
		return e.trial(ctx, task, code)
	case e.cfg.Judge == nil:
		return verdicts.Result{Verdict: verdicts.NotJudged, Message: e.cfg.NoJudge}
	}
	result, err := e.cfg.Judge.Judge(ctx, task, code)
	if err != nil {
		return verdicts.Result{Verdict: verdicts.SandboxError, Message: err.Error()}
	}
	return result
}

// trial runs code that no test judges: what it prints, its files, time and memory are for the tester.
func (e *Engine) trial(ctx context.Context, task *benchmark.Task, code string) verdicts.Result {
	result := verdicts.Result{Verdict: verdicts.NotJudged, Message: "the task has no tests: you are its judge"}
	if e.cfg.Judge == nil || code == "" {
		return result
	}
	run, program := assemble.Trial(task, code)
	ran, err := e.cfg.Judge.Judge(ctx, run, program)
	if err != nil {
		result.Message += "; the code was not run: " + err.Error()
		return result
	}
	if failed := ran.Failure(); failed != "" {
		result.Message += "\n" + failed
	}
	ran.Verdict, ran.Message, ran.Cases, ran.Passed, ran.Total = result.Verdict, result.Message, nil, 0, 0
	ran.MissingTool = false
	ran.Outputs = slices.DeleteFunc(ran.Outputs, func(f verdicts.OutputFile) bool { return f.Problem == verdicts.NothingLeft && len(task.Outputs) == 0 })
	return ran
}

// resumeMeasuring redoes measurements that a crash or a quit interrupted, and judges answers that were not
// judged because a program was missing, which may be installed by now.
func (e *Engine) resumeMeasuring() {
	s := e.State()
	for i := range s.Tasks {
		for _, a := range s.Tasks[i].Attempts {
			if len(a.Received()) == len(a.Replies()) {
				e.measureAll(i, a)
			}
		}
	}
	e.resumeMending()
}

// treeless reports whether what an answer changes may still be recorded.
func (e *Engine) treeless(task int, a *session.Attempt) bool {
	return a.Tree == nil && e.tasks[task].Repository != nil && e.cfg.Trees != nil && (a.Extracted == nil || a.Extracted.Code != "")
}

// unjudged reports whether an answer has no verdict, or one that a retry may replace.
func (e *Engine) unjudged(task int, a *session.Attempt) bool {
	return a.Verdict == nil ||
		verdicts.Verdict(a.Verdict.Verdict) == verdicts.NotJudged && e.tasks[task].HasTests() && e.cfg.Judge != nil
}

func (e *Engine) remeasure(of replyID, a *session.Attempt) {
	if a.Extracted == nil {
		answer, err := e.Text(a.Answer.Answer)
		if err != nil {
			e.setTrouble(err.Error())
			return
		}
		e.measure(of, answer)
		return
	}
	code, err := e.Text(a.Extracted.Code)
	if err != nil {
		e.setTrouble(err.Error())
		return
	}
	if a.Measured == nil {
		e.inspect(of, code)
	}
	if a.Tree == nil {
		e.changeTree(of, code)
	}
	if e.unjudged(of.task, a) {
		e.judge(of, code)
	}
}
