package sessions

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/scoring"
	"assay/session"
	"assay/session/report/evaluations"
	"assay/session/report/reporttest"
)

// judgedAnswer is one final answer: as a tester's session records it, and as an evaluation does.
type judgedAnswer struct {
	row                batch.Row
	explanation, cause string
	unrated            string // why analysers did not rate it
}

// drawnAnswer returns a random answer to a task.
func drawnAnswer(random *rand.Rand, task string) judgedAnswer {
	of := func(values ...string) string { return values[random.IntN(len(values))] }
	a := judgedAnswer{row: batch.Row{TaskID: task, Verdict: verdicts.Verdict(of("accepted", "accepted", "wrong_answer", "runtime_error", "compile_error", "time_limit")), TotalTests: 1 + random.IntN(6), Loads: true}}
	grades := []scoring.Rating{"A", "A", "B", "E", scoring.NotAnalysed}
	a.row.Measures = &batch.Measures{
		Parses: true, Cyclomatic: random.IntN(20), Cognitive: random.IntN(20), CodeLines: 1 + random.IntN(30), CommentLines: random.IntN(5),
		CommentRate: float64(random.IntN(40)), Reliability: grades[random.IntN(5)], Security: grades[random.IntN(5)],
	}
	if m := a.row.Measures; random.IntN(2) == 0 { // analysers other than assay's own rules were named
		m.By = []scoring.Rated{{Analyser: "bandit 1.9.4", Security: grades[random.IntN(4)]}, {Analyser: "pylint 3.3", Findings: random.IntN(3), Reliability: grades[random.IntN(4)]}}
		if random.IntN(3) > 0 {
			m.By = append(m.By, scoring.Rated{Analyser: "assay rules 2", Reliability: grades[random.IntN(4)], Security: grades[random.IntN(4)]})
		}
		if random.IntN(5) == 0 {
			m.By, a.unrated = nil, "bandit 1.9.4 crashed"
		}
		all := scoring.Together(m.By)
		m.Findings, m.Reliability, m.Security, m.Analyser = all.Findings, all.Reliability, all.Security, all.Analyser
	}
	switch a.row.Verdict {
	case verdicts.Accepted:
		a.row.PassedTests = a.row.TotalTests
	case verdicts.CompileError:
		a.row.Loads = false
		fallthrough
	default:
		a.cause = of("code", "understanding")
	}
	a.explanation = of("yes", "no")
	return a
}

// record adds the task with this answer to a log.
func (a judgedAnswer) record(l *log, index int) {
	l.add(session.TaskOpened{Index: index, Task: a.row.TaskID}, session.EditStarted{Attempt: 1})
	l.pass(5)
	l.add(session.PromptSent{Attempt: 1, Try: 1, Prompt: session.RefOf([]byte("p")), Bytes: 10})
	l.add(session.AnswerReceived{Attempt: 1, Answer: session.RefOf([]byte("a")), Bytes: 20, FinishReason: "stop"},
		session.CodeExtracted{Task: index, Attempt: 1, Code: session.RefOf([]byte("c")), Bytes: 5, Method: "fence"})
	l.add(session.VerdictRecorded{Task: index, Attempt: 1, Verdict: string(a.row.Verdict), Passed: a.row.PassedTests, Total: a.row.TotalTests, Loads: a.row.Loads})
	m := a.row.Measures
	l.add(session.Measured{Task: index, Attempt: 1, Valid: m.Parses, Cyclomatic: m.Cyclomatic, Cognitive: m.Cognitive, CodeLines: m.CodeLines, CommentLines: m.CommentLines,
		CommentRate: m.CommentRate, Reliability: string(m.Reliability), Security: string(m.Security), Findings: m.Findings, Analyser: m.Analyser, By: m.By, Unrated: a.unrated, Detail: session.RefOf([]byte("m"))})
	outcome, decision := session.Satisfied, session.DecideSatisfied
	if a.row.Verdict != verdicts.Accepted {
		outcome, decision = session.Exhausted, session.DecideGiveUp
	}
	l.add(session.Judged{Attempt: 1, Decision: decision})
	if a.explanation != "" {
		l.add(session.Labelled{Label: session.LabelExplanation, Value: a.explanation})
	}
	if a.cause != "" {
		l.add(session.Labelled{Label: session.LabelErrorCause, Value: a.cause})
	}
	l.add(session.TaskClosed{Index: index, Outcome: outcome})
}

// TestModelsAsEvaluated: the six dimensions by model are those of an evaluation's report of the same answers, tasks and labels,
// whatever the number of models, testers and tasks; and R computes them again.
func TestModelsAsEvaluated(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 53))
		models, testers, tasks := 1+random.IntN(3), 1+random.IntN(3), 2+random.IntN(6)
		if seed == 0 {
			models, testers, tasks = 2, 1, 5
		}
		b, texts := &benchmark.Benchmark{}, map[session.Ref][]byte{}
		for i := range tasks {
			task := benchmark.Task{ID: fmt.Sprint("t", i), Title: "T", Difficulty: benchmark.Difficulties[random.IntN(3)], Category: fmt.Sprint("c", i%2)}
			if rate := random.Float64(); rate > 0.2 {
				task.HumanPassRate = &rate
			}
			b.Tasks = append(b.Tasks, task)
		}
		texts[session.RefOf([]byte("p"))] = []byte("p")
		builder := NewBuilder(Options{NoImages: true, Texts: func(ref session.Ref) ([]byte, error) { return texts[ref], nil }})
		runs, o := []evaluations.Results{}, evaluations.Options{Tasks: b}
		for m := range models {
			run := evaluations.Results{Name: fmt.Sprint("model", m)}
			for tester := range testers {
				l := &log{t: t, process: fmt.Sprint("p", m, tester)}
				plan := session.Plan{Benchmark: "b", K: 1, Context: session.Fresh, Tester: fmt.Sprint("tester", tester), Study: &session.InStudy{Name: "s", Hash: "h", Tester: tester + 1, Arm: run.Name},
					Model: session.Model{Name: run.Name, Provider: "command"}, Criterion: session.DefaultCriterion, Attributes: []session.Attribute{}}
				for _, task := range b.Tasks {
					content, err := json.Marshal(task)
					fatal.If(t, err)
					texts[session.RefOf(content)] = content
					plan.Tasks = append(plan.Tasks, session.PlanTask{ID: task.ID, Title: task.Title, Set: "T0", Difficulty: task.Difficulty, Category: task.Category, Content: session.RefOf(content)})
				}
				asked := random.IntN(3) > 0
				if !asked {
					plan.Labels = []session.Label{}
				}
				l.add(session.Opened{Session: fmt.Sprintf("01J0000000000000000000T%d%d%d", m, tester, seed), Plan: plan})
				for i, task := range b.Tasks {
					a := drawnAnswer(random, task.ID)
					a.row.Sample = tester
					if !asked {
						a.explanation, a.cause = "", ""
					}
					a.record(l, i)
					run.Rows = append(run.Rows, a.row)
					if a.explanation+a.cause != "" {
						o.Labels = append(o.Labels, evaluations.Label{Run: run.Name, Task: task.ID, Sample: tester,
							Explanation: map[string]scoring.Known{"yes": scoring.Yes, "no": scoring.No}[a.explanation],
							Cause:       map[string]scoring.Cause{"code": scoring.CodeProblem, "understanding": scoring.UnderstandingProblem}[a.cause]})
					}
				}
				l.add(session.Closed{Reason: "finished"})
				fatal.If(t, builder.Add(l.events))
			}
			runs = append(runs, run)
		}
		r, err := builder.Report()
		fatal.If(t, err)
		want, err := evaluations.Build(runs, o)
		fatal.If(t, err)
		for _, part := range [][2]any{{r.Models.Six, &want.Six}, {r.Models.Weights, want.About.Weights}, {r.Models.Tasks, want.Tasks}} {
			got, err := json.Marshal(part[0])
			fatal.If(t, err)
			is, err := json.Marshal(part[1])
			fatal.If(t, err)
			if string(got) != string(is) {
				t.Errorf("seed %d: sessions say\n%s\nand evaluations\n%s", seed, got, is)
			}
		}
		dir := t.TempDir()
		_, err = r.WriteDir(dir)
		fatal.If(t, err)
		reporttest.Repeat(t, dir)
	}
}
