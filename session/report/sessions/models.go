package sessions

import (
	"fmt"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/session"
	"assay/session/report/evaluations"
)

// finalAnswer is the answer that a task ended with, as a sample of an evaluation.
type finalAnswer struct {
	result
	sampleTask string // the task's id, with a number where several tasks have the same
	sample     int    // of the arm's answers to the task, from 0: several testers gave it
}

// armAnswers are the final answers of one arm, or with the one model.
type armAnswers struct {
	name    string
	answers []finalAnswer
}

// answersOf returns the final answers that have a verdict, of each arm, or of the one model where there are no arms; an arm
// without any is left out.
func answersOf(analysed []result, arms map[string][]result, names []string) (all []armAnswers) {
	if len(names) == 0 && len(analysed) > 0 {
		names = []string{clean(analysed[0].in.header.modelName())}
		arms = map[string][]result{names[0]: analysed}
	}
	ids, used := map[string]string{}, map[string]bool{} // a task's id by what it asks and tests
	for _, name := range names {
		arm, samples := armAnswers{name: name}, map[string]int{}
		for _, r := range arms[name] {
			if last := r.final(); last == nil || last.Verdict == nil {
				continue
			}
			id, known := ids[r.same()]
			if !known {
				id = clean(r.ID)
				for n := 2; used[id]; n++ {
					id = fmt.Sprintf("%s (%d)", clean(r.ID), n)
				}
				ids[r.same()], used[id] = id, true
			}
			arm.answers = append(arm.answers, finalAnswer{r, id, samples[id]})
			samples[id]++
		}
		if len(arm.answers) > 0 {
			all = append(all, arm)
		}
	}
	return all
}

// modelsOf returns the evaluation of Su et al. of each arm's final answers, nil if none of them was judged and measured. Several
// answers of an arm to a task are samples of it.
func modelsOf(arms []armAnswers) (*evaluations.Su, error) {
	o := evaluations.Options{Tasks: &benchmark.Benchmark{}}
	known, some := map[string]bool{}, false
	var runs []evaluations.Results
	for _, arm := range arms {
		run := evaluations.Results{Name: arm.name}
		for _, a := range arm.answers {
			if !known[a.sampleTask] {
				known[a.sampleTask] = true
				o.Tasks.Tasks = append(o.Tasks.Tasks, benchmark.Task{ID: a.sampleTask, Difficulty: a.Difficulty, Type: clean(a.Type), Category: clean(a.Category), HumanPassRate: a.humanPassRate()})
			}
			row := rowOf(a.final())
			row.TaskID, row.Sample = a.sampleTask, a.sample
			run.Rows = append(run.Rows, row)
			some = some || row.Measures != nil && says(a.final().Verdict)
			if l := a.label(); l.Explanation != scoring.Unknown || l.Cause != scoring.NoCause {
				l.Run, l.Task, l.Sample = arm.name, a.sampleTask, a.sample
				o.Labels = append(o.Labels, l)
			}
		}
		runs = append(runs, run)
	}
	if !some {
		return nil, nil
	}
	return evaluations.SuOf(runs, o)
}

// rowOf returns the result of judging an attempt's code, as an evaluation has it.
func rowOf(a *session.Attempt) batch.Row {
	v := a.Verdict
	row := batch.Row{Verdict: verdicts.Verdict(v.Verdict), PassedTests: v.Passed, TotalTests: v.Total, Loads: v.Loads || v.Passed > 0} // older logs do not say whether it loads
	if a.Extracted != nil {
		row.Extraction = a.Extracted.Method
	}
	if m := a.Measured; m != nil && m.Problem == "" {
		row.Measures = &batch.Measures{
			Parses: m.Valid, Cyclomatic: m.Cyclomatic, Cognitive: m.Cognitive, CodeLines: m.CodeLines, CommentLines: m.CommentLines,
			CommentRate: m.CommentRate, Findings: m.Findings, Reliability: scoring.Rating(m.Reliability), Security: scoring.Rating(m.Security), Analyser: m.Analyser, By: m.By,
		}
	}
	return row
}

// label returns what the tester said of the final answer.
func (r result) label() evaluations.Label {
	l := evaluations.Label{Explanation: map[string]scoring.Known{"yes": scoring.Yes, "no": scoring.No}[r.Labels[session.LabelExplanation]]}
	if r.final().Verdict.Verdict != string(verdicts.Accepted) {
		l.Cause = map[string]scoring.Cause{"code": scoring.CodeProblem, "understanding": scoring.UnderstandingProblem}[r.Labels[session.LabelErrorCause]]
	}
	return l
}
