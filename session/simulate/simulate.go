// Package simulate generates logs of sessions from a plan, to try a study, its report and other readers of
// logs before there are data. The numbers tell nothing about any model or person.
package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/scoring/pairs"
	"assay/session"
)

// Version is what simulated sessions have in place of the version of assay that wrote them.
const Version = "simulated"

// Session is a simulated session: equal ones have equal logs.
type Session struct {
	ID   string
	Plan session.Plan
	Seed uint64
	Wall int64 // of the first event, Unix milliseconds

	// Prompt and Answer are the texts of an attempt; nil: filler text.
	Prompt, Answer func(task, attempt int) string
	Unrated        bool // half of the ratings are missing, as if the session was left in the middle
	Hopeless       bool // every task is given up

	// Effects determine how tasks go; nil: all tasks go alike.
	Effects *Effects
}

// Effects determine how hard each task of a session is: an attempt succeeds with the probability whose
// logit is the sum of Ability, the easiness of the task's set, and that of the task. Differences by tester,
// arm or period are part of Ability; Pace multiplies all times.
type Effects struct {
	Ability float64
	Sets    map[string]float64 // easiness of a test set, by its name
	Tasks   map[string]float64 // of a task, by its id
	Pace    float64            // factor of all times; 0: 1
	First   float64            // logit of the probability that the first of two models is preferred, where one is
}

// needs draws the number of attempts that a task needs, which may exceed k.
func (e *Effects) needs(random *rand.Rand, task session.PlanTask, k int) int {
	p := 1 / (1 + math.Exp(-e.Ability-e.Sets[task.Set]-e.Tasks[task.ID]))
	for n := 1; n <= k; n++ {
		if random.Float64() < p {
			return n
		}
	}
	return k + 1
}

// Log returns the session's sealed log, with the texts that it refers to and the content of tasks.
func (s Session) Log(tasks ...*benchmark.Task) ([]session.Event, map[session.Ref][]byte, error) {
	l := &log{session: s, state: session.New(), texts: map[session.Ref][]byte{}, random: rand.New(rand.NewPCG(s.Seed, 0)), process: "simulated-" + s.ID}
	for _, t := range tasks {
		ref, text := session.TaskContent(t)
		l.texts[ref] = text
	}
	l.add(session.Opened{Session: s.ID, Plan: s.Plan, Env: session.Environment{
		Assay: Version, OS: "none", Sandbox: "none: nothing was executed, the results are simulated",
	}})
	if in := s.Plan.Study; in != nil && in.ConsentVersion != "" {
		l.add(session.Consented{Version: in.ConsentVersion})
	}
	for t := l.next(-1); t >= 0; t = l.next(t) {
		if l.state.BreakDue() {
			l.add(session.Paused{Reason: "break"})
			l.mono += s.Plan.Breaks.MS
			l.add(session.Resumed{Reason: "break"})
		}
		l.task(t)
	}
	l.survey()
	l.add(session.Closed{Reason: "finished"})
	return l.events, l.texts, l.err
}

// next returns the index of the task after t, -1 after the last. In an adaptive test it is chosen.
func (l *log) next(t int) int {
	if l.session.Plan.Adaptive == nil || t+1 < len(l.session.Plan.Tasks) && l.session.Plan.Tasks[t+1].Practice {
		if t++; t < len(l.session.Plan.Tasks) {
			return t
		}
		return -1
	}
	if l.err == nil && l.state.WantsChoice() {
		choice, err := l.state.Choose()
		if err != nil {
			l.err = err
		} else {
			l.add(choice)
		}
	}
	if l.err != nil {
		return -1
	}
	return l.state.Next()
}

type log struct {
	session Session
	state   *session.State
	events  []session.Event
	texts   map[session.Ref][]byte
	random  *rand.Rand
	process string
	mono    int64
	prev    string
	err     error
}

func (l *log) add(payloads ...session.Payload) {
	for _, p := range payloads {
		e, err := session.Event{
			Seq: uint64(len(l.events) + 1), Payload: p,
			Stamp: session.Stamp{Wall: l.session.Wall + l.mono, Mono: l.mono, Process: l.process, Boot: "b"},
		}.Seal(l.prev)
		if err == nil {
			err = l.state.Apply(e)
		}
		if err != nil && l.err == nil {
			l.err = err
		}
		l.prev = e.Hash
		l.events = append(l.events, e)
	}
}

func (l *log) pass(from, to int64) {
	passed := from + l.random.Int64N(to-from)
	if e := l.session.Effects; e != nil && e.Pace > 0 {
		passed = int64(float64(passed) * e.Pace)
	}
	l.mono += passed
}

func (l *log) text(s string) session.Ref {
	ref := session.RefOf([]byte(s))
	l.texts[ref] = []byte(s)
	return ref
}

func (l *log) task(t int) {
	l.add(session.TaskOpened{Index: t, Task: l.session.Plan.Tasks[t].ID})
	l.pass(2000, 9000)
	need := 0
	if e := l.session.Effects; e != nil {
		need = e.needs(l.random, l.session.Plan.Tasks[t], l.session.Plan.K)
	} else {
		need = 1 + l.random.IntN(l.session.Plan.K+t%3)
	}
	if l.session.Plan.Tasks[t].Practice && l.session.Plan.Gate != nil {
		need = 1 // the practice is passed
	}
	outcome := session.Satisfied
	for n := 1; ; n++ {
		good := n >= need && !l.session.Hopeless
		decision := session.DecideRefine
		switch {
		case good:
			decision = session.DecideSatisfied
		case n == l.session.Plan.K, l.session.Hopeless && n == 2:
			decision = session.DecideGiveUp
			if outcome = session.GaveUp; n == l.session.Plan.K {
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
	if l.session.Prompt != nil {
		prompt = l.session.Prompt(t, n)
	}
	if l.session.Answer != nil {
		answer = l.session.Answer(t, n)
	}
	for i := range 3 {
		l.pass(500, 4000)
		l.add(session.DraftSaved{Attempt: n, Splice: session.Splice{At: 3 * i, Insert: "abc"}})
	}
	l.reflect(n)
	p := l.text(prompt)
	sent := session.PromptSent{Attempt: n, Try: 1, Prompt: p, Bytes: len(prompt), Messages: []session.Message{{Role: session.User, Text: p}}}
	if l.session.Plan.Arena != nil {
		l.compare(sent, t, answer, good, decision)
	} else {
		l.add(sent)
		l.arrives(n, answer, "")
		l.measured(t, n, answer, "", good)
	}
	l.add(session.TabShown{Attempt: n, Tab: "tests"})
	l.pass(2000, 20000)
	l.add(session.Judged{Attempt: n, Decision: decision, VerdictSeen: l.random.IntN(5) > 0})
}

// compare has both models of an arena answer, and one answer picked, which is good or not; the other one is as often as not.
func (l *log) compare(sent session.PromptSent, t int, answer string, good bool, decision session.Decision) {
	arena, n := l.session.Plan.Arena, sent.Attempt
	var goes session.Side
	sent.Sides, goes = arena.Draw(l.session.Plan.Tasks[t].ID, n)
	l.add(sent)
	other := fmt.Sprintf("%s\nIt adds %d.\n", answer, l.random.Uint32())
	outcome, first := pairs.Equal, 0.0
	if e := l.session.Effects; e != nil {
		first = e.First
	}
	switch u := l.random.Float64(); {
	case u < 0.15:
	case u < 0.2 && decision != session.DecideSatisfied:
		outcome = pairs.Neither
	default:
		better := 1
		if l.random.Float64() < 1/(1+math.Exp(-first)) {
			better = 0
		}
		goes = session.Sides()[slices.Index(sent.Sides, better)]
		outcome = pairs.Outcome(goes)
	}
	texts, fine := map[session.Side]string{session.SideA: other, session.SideB: other}, map[session.Side]bool{}
	for _, side := range session.Sides() {
		fine[side] = l.random.IntN(2) == 0
	}
	texts[goes], fine[goes] = answer, good
	for _, side := range session.Sides() {
		l.arrives(n, texts[side], side)
	}
	for _, side := range session.Sides() {
		l.measured(t, n, texts[side], side, fine[side])
	}
	l.pass(2000, 9000)
	l.add(session.Picked{Attempt: n, Outcome: outcome, Goes: goes, Both: true})
}

// arrives adds an answer.
func (l *log) arrives(n int, answer string, side session.Side) {
	l.pass(300, 900)
	l.add(session.FirstToken{Attempt: n, Side: side})
	l.pass(500, 3000)
	l.add(session.AnswerReceived{Attempt: n, Answer: l.text(answer), Bytes: len(answer), FinishReason: "stop", Model: "made-up-1", LatencyMS: 2000, Side: side})
}

// measured adds what was found in an answer.
func (l *log) measured(t, n int, answer string, side session.Side, good bool) {
	l.add(session.CodeExtracted{Task: t, Attempt: n, Code: l.text(answer), Bytes: len(answer), Method: "the only block", Blocks: 1, Side: side})
	l.pass(20, 60)
	v := session.VerdictRecorded{Task: t, Attempt: n, Side: side, Verdict: "accepted", Passed: 10, Total: 10, Loads: true, CPUMS: 12, WallMS: 20, MemoryKB: 9000, Enforcement: "net: namespace"}
	slip := l.random.IntN(12) == 0 && !(l.session.Plan.Tasks[t].Practice && l.session.Plan.Gate != nil) && l.session.Plan.Automatic == nil
	if !good || slip {
		v.Verdict, v.Passed = "wrong_answer", l.random.IntN(10)
	}
	l.add(v, session.Measured{
		Task: t, Attempt: n, Side: side, Valid: true, Cyclomatic: 1 + l.random.IntN(12), Cognitive: l.random.IntN(15), CodeLines: 5 + l.random.IntN(30), CommentLines: 2, CommentRate: 8.5,
		Findings: l.random.IntN(3), Reliability: "A", Security: "A", Analyser: "rules",
	})
}

// reflect adds a reflection on the previous attempt if the plan asks for one.
func (l *log) reflect(n int) {
	if !l.state.WantsReflection() {
		return
	}
	p, a := l.text("What was wrong?"), l.text("It was not finished.")
	l.add(session.PromptSent{Attempt: n, Try: 1, Prompt: p, Bytes: 1, Inserted: 1, Messages: []session.Message{{Role: session.User, Text: p}}, Reflection: true})
	l.pass(500, 3000)
	l.add(session.AnswerReceived{Attempt: n, Answer: a, Bytes: 1, FinishReason: "stop", Model: "made-up-1", LatencyMS: 2000})
}

func (l *log) rate(t int, outcome session.Outcome) {
	for i, a := range l.session.Plan.Attributes {
		if l.session.Unrated && (t+i)%2 == 0 {
			continue
		}
		l.pass(300, 1500)
		l.add(session.Rated{Attribute: a.ID, Score: 1 + min(a.Max()-1, l.random.IntN(a.Max())+l.random.IntN(2))})
	}
	if l.session.Unrated {
		l.add(session.TaskSkipped{Index: t, Task: l.session.Plan.Tasks[t].ID, Reason: "no time"})
		return
	}
	if check := l.state.Tasks[t].Check; check != nil {
		l.add(session.Rated{Attribute: session.CheckID, Score: check.Score})
	}
	for _, label := range l.session.Plan.LabelsFor(outcome) {
		l.add(session.Labelled{Label: label.ID, Value: label.Values[l.random.IntN(len(label.Values))]})
	}
	l.add(session.TaskClosed{Index: t, Outcome: outcome})
}

// survey answers the questions of the exit survey.
func (l *log) survey() {
	for _, q := range l.session.Plan.Survey {
		answer := "made up"
		if len(q.Choices) > 0 {
			answer = q.Choices[l.random.IntN(len(q.Choices))]
		}
		l.pass(1000, 5000)
		l.add(session.Surveyed{Question: q.ID, Answer: answer})
	}
}
