// Package reporttest makes up the logs of whole studies, for tests and measurements
// of what reads them. Their numbers say nothing about any model or person.
package reporttest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"assay/benchmark"
	"assay/session"
)

// Study is a made-up study: the same Seed gives the same logs.
type Study struct {
	Tasks   int      // of each session
	K       int      // attempts allowed
	Testers []string // the sessions' in turn
	Models  []string // likewise; all work with the same tasks
	Levels  []int    // likewise; nil: 0
	Types   []string // of the tasks in turn
	Seed    uint64

	// Prompt and Answer are the texts of an attempt; nil: some words.
	Prompt, Answer func(task, attempt int) string
	Unrated        bool // half of the ratings are missing, as when a session is left in the middle
	Hopeless       bool // every task is given up
}

// Log is the log of session i, sealed, with the texts that it refers to.
func (s Study) Log(i int) ([]session.Event, map[session.Ref][]byte, error) {
	l := &log{
		study: s, texts: map[session.Ref][]byte{}, random: rand.New(rand.NewPCG(s.Seed, uint64(i))),
		process: fmt.Sprintf("p%d", i), wall: 1_700_000_000_000 + int64(i)*86_400_000,
	}
	plan := session.Plan{
		Benchmark: "made-up", K: s.K, Context: session.Fresh, Seed: s.Seed, Tester: turn(s.Testers, i),
		Model: session.Model{Name: turn(s.Models, i), Provider: "replay", Recorded: true}, Criterion: session.DefaultCriterion, Attributes: session.MiahZhuAttributes(),
	}
	if len(s.Levels) > 0 {
		plan.Level = s.Levels[i%len(s.Levels)]
	}
	sets := max(1, s.Tasks/20)
	for t := range s.Tasks {
		plan.Tasks = append(plan.Tasks, session.PlanTask{
			ID: fmt.Sprintf("task-%03d", t), Title: fmt.Sprintf("Task %d", t), Set: fmt.Sprintf("T%d", t*sets/s.Tasks),
			Type: turn(s.Types, t), Difficulty: benchmark.Difficulties[t%3],
		})
	}
	l.add(session.Opened{Session: fmt.Sprintf("01HZ%022d", i), Plan: plan, Env: session.Environment{Assay: "test", OS: "linux/amd64", Sandbox: "none"}})
	for t := range s.Tasks {
		l.task(t, plan)
	}
	l.add(session.Closed{Reason: "finished"})
	return l.events, l.texts, l.err
}

func turn(list []string, i int) string {
	if len(list) == 0 {
		return ""
	}
	return list[i%len(list)]
}

type log struct {
	study   Study
	events  []session.Event
	texts   map[session.Ref][]byte
	random  *rand.Rand
	process string
	wall    int64
	mono    int64
	prev    string
	err     error
}

func (l *log) add(payloads ...session.Payload) {
	for _, p := range payloads {
		e, err := session.Event{
			Seq: uint64(len(l.events) + 1), Payload: p,
			Stamp: session.Stamp{Wall: l.wall + l.mono, Mono: l.mono, Process: l.process, Boot: "b"},
		}.Seal(l.prev)
		if err != nil && l.err == nil {
			l.err = err
		}
		l.prev = e.Hash
		l.events = append(l.events, e)
	}
}

func (l *log) pass(from, to int64) { l.mono += from + l.random.Int64N(to-from) }

func (l *log) text(s string) session.Ref {
	ref := session.RefOf([]byte(s))
	l.texts[ref] = []byte(s)
	return ref
}

func (l *log) task(t int, plan session.Plan) {
	l.add(session.TaskOpened{Index: t, Task: plan.Tasks[t].ID})
	l.pass(2000, 9000)
	need := 1 + l.random.IntN(l.study.K+t%3)
	outcome := session.Satisfied
	for n := 1; ; n++ {
		good := n >= need && !l.study.Hopeless
		decision := session.DecideRefine
		switch {
		case good:
			decision = session.DecideSatisfied
		case n == l.study.K, l.study.Hopeless && n == 2:
			decision = session.DecideGiveUp
			if outcome = session.GaveUp; n == l.study.K {
				outcome = session.Exhausted
			}
		}
		l.attempt(t, n, good, decision)
		if decision != session.DecideRefine {
			break
		}
	}
	l.rate(t, outcome)
}

func (l *log) attempt(t, n int, good bool, decision session.Decision) {
	if n == 1 {
		l.add(session.EditStarted{Attempt: 1})
	}
	prompt, answer := fmt.Sprintf("Write a function for task %d that handles %s.", t, strings.Repeat("one more case, ", n)), fmt.Sprintf("```python\ndef f(x):\n    return x + %d  # %d\n```\n", n, l.random.Uint32())
	if l.study.Prompt != nil {
		prompt = l.study.Prompt(t, n)
	}
	if l.study.Answer != nil {
		answer = l.study.Answer(t, n)
	}
	for i := range 3 {
		l.pass(500, 4000)
		l.add(session.DraftSaved{Attempt: n, Splice: session.Splice{At: 3 * i, Insert: "abc"}})
	}
	p, a := l.text(prompt), l.text(answer)
	l.add(session.PromptSent{Attempt: n, Try: 1, Prompt: p, Bytes: len(prompt), Messages: []session.Message{{Role: session.User, Text: p}}})
	l.pass(300, 900)
	l.add(session.FirstToken{Attempt: n})
	l.pass(500, 3000)
	l.add(session.AnswerReceived{Attempt: n, Answer: a, Bytes: len(answer), FinishReason: "stop", Model: "made-up-1", LatencyMS: 2000},
		session.CodeExtracted{Task: t, Attempt: n, Code: a, Bytes: len(answer), Method: "the only block", Blocks: 1})
	l.pass(20, 60)
	v := session.VerdictRecorded{Task: t, Attempt: n, Verdict: "accepted", Passed: 10, Total: 10, Loads: true, CPUMS: 12, WallMS: 20, MemoryKB: 9000, Enforcement: "net: namespace"}
	if !good || l.random.IntN(12) == 0 {
		v.Verdict, v.Passed = "wrong_answer", l.random.IntN(10)
	}
	l.add(v, session.Measured{
		Task: t, Attempt: n, Valid: true, Cyclomatic: 1 + l.random.IntN(12), Cognitive: l.random.IntN(15), CodeLines: 5 + l.random.IntN(30), CommentLines: 2, CommentRate: 8.5,
		Findings: l.random.IntN(3), Reliability: "A", Security: "A", Analyser: "rules",
	}, session.TabShown{Attempt: n, Tab: "tests"})
	l.pass(2000, 20000)
	l.add(session.Judged{Attempt: n, Decision: decision, VerdictSeen: l.random.IntN(5) > 0})
}

func (l *log) rate(t int, outcome session.Outcome) {
	for i, a := range session.MiahZhuAttributes() {
		if l.study.Unrated && (t+i)%2 == 0 {
			continue
		}
		l.pass(300, 1500)
		l.add(session.Rated{Attribute: a.ID, Score: 1 + min(4, l.random.IntN(5)+l.random.IntN(2))})
	}
	if l.study.Unrated {
		l.add(session.TaskSkipped{Index: t, Task: fmt.Sprintf("task-%03d", t), Reason: "no time"})
		return
	}
	for _, label := range session.LabelsFor(outcome) {
		l.add(session.Labelled{Label: label.ID, Value: label.Values[l.random.IntN(len(label.Values))]})
	}
	l.add(session.TaskClosed{Index: t, Outcome: outcome})
}
