package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestOldLogsVerify: a log written by an older assay still verifies. New fields of a plan must not appear
// in the JSON of a plan that does not use them.
func TestOldLogsVerify(t *testing.T) {
	f, err := os.Open("testdata/log-2026-11-20.jsonl")
	fatal.If(t, err)
	defer f.Close()
	var texts [][]byte
	for lines := bufio.NewScanner(f); lines.Scan(); {
		texts = append(texts, bytes.Clone(lines.Bytes()))
	}
	events, err := VerifyLog(texts)
	if err != nil || len(events) != 61 {
		t.Errorf("%d events, %v", len(events), err)
	}
	s, err := Replay(events)
	if err != nil || s.Closed != "finished" || len(s.Plan.AskedLabels()) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// story applies payloads one after the other, a second apart, and returns the result of the last one.
type story struct {
	t    *testing.T
	s    *State
	mono int64
}

func tell(t *testing.T, plan Plan) *story {
	t.Helper()
	plan.K, plan.Context = 2, Conversation
	if plan.Attributes == nil {
		plan.Attributes = []Attribute{{ID: "a", Points: 7}}
	}
	st := &story{t: t, s: New()}
	st.do(Opened{Session: "s", Plan: plan})
	return st
}

func (st *story) try(p Payload) error {
	st.mono += 1000
	next := st.s.Clone()
	err := next.Apply(Event{Seq: st.s.Seq + 1, Stamp: Stamp{Wall: st.mono, Mono: st.mono, Process: "p"}, Payload: p})
	if err == nil {
		st.s = next
	}
	return err
}

func (st *story) do(payloads ...Payload) *story {
	st.t.Helper()
	for _, p := range payloads {
		if err := st.try(p); err != nil {
			st.t.Fatalf("%#v: %v", p, err)
		}
	}
	return st
}

// work opens the next task, has it answered once and judges it.
func (st *story) work(verdict string, payloads ...Payload) *story {
	st.t.Helper()
	i := st.s.Next()
	st.do(TaskOpened{Index: i, Task: st.s.Tasks[i].ID}, PromptSent{Attempt: 1, Try: 1, Bytes: 3}, AnswerReceived{Attempt: 1},
		CodeExtracted{Task: i, Attempt: 1, Bytes: 1}, Measured{Task: i, Attempt: 1})
	if verdict != "" {
		st.do(VerdictRecorded{Task: i, Attempt: 1, Verdict: verdict})
	}
	return st.do(Judged{Attempt: 1, Decision: DecideSatisfied}).do(payloads...)
}

// rated sets every rating and closes the task.
func (st *story) rated() *story {
	st.t.Helper()
	return st.do(Rated{"a", 7}, Labelled{LabelExplanation, "yes"}, TaskClosed{Index: st.s.Current, Outcome: Satisfied})
}

func (st *story) refused(p Payload) *story {
	st.t.Helper()
	if err := st.try(p); err == nil {
		st.t.Fatalf("%#v was not refused", p)
	}
	return st
}

// The rating of the task closed last can be corrected until the next one is opened; the task is then closed
// again, without changing its time or the breaks.
func TestCorrection(t *testing.T) {
	plan := Plan{Tasks: []PlanTask{{ID: "1"}, {ID: "2"}, {ID: "3"}}, Rules: Rules{Breaks: &Breaks{Tasks: 2}}}
	tell(t, plan).work("").rated().refused(CorrectionBegun{Index: 0, Task: "1"})
	plan.Corrections = true
	st := tell(t, plan).refused(CorrectionBegun{Index: 0, Task: "1"}).work("").rated()
	st.refused(CorrectionBegun{Index: 1, Task: "2"}).refused(CorrectionBegun{Index: 0, Task: "2"})
	st.do(CorrectionBegun{Index: 0, Task: "1"}).refused(Undone{Seq: st.s.CanUndo()}).refused(TaskOpened{Index: 1, Task: "2"})
	st.do(Rated{"a", 3}, TaskClosed{Index: 0, Outcome: Satisfied})
	if task := st.s.Tasks[0]; task.Ratings["a"] != 3 || task.Corrections != 1 || st.s.BreakDue() {
		t.Errorf("corrected to %v, %d times; a break is due: %v", task.Ratings, task.Corrections, st.s.BreakDue())
	}
	st.do(CorrectionBegun{Index: 0, Task: "1"}, TaskClosed{Index: 0, Outcome: Satisfied}) // again, with nothing changed
	st.work("").refused(CorrectionBegun{Index: 0, Task: "1"}).rated()
	if !st.s.BreakDue() {
		t.Error("no break is due after two tasks")
	}
	st.do(TaskSkipped{Index: 2, Task: "3"}).refused(CorrectionBegun{Index: 1, Task: "2"})
}

// A task is closed by its number; a judgement can be undone until the next prompt is sent, even if that
// prompt was not answered.
func TestClosedAndTakenBack(t *testing.T) {
	st := tell(t, Plan{Tasks: []PlanTask{{ID: "1"}, {ID: "2"}}}).work("")
	st.do(Rated{"a", 7}, Labelled{LabelExplanation, "yes"}).refused(TaskClosed{Index: 1, Outcome: Satisfied}).do(TaskClosed{Index: 0, Outcome: Satisfied})
	st.do(TaskOpened{Index: 1, Task: "2"}, PromptSent{Attempt: 1, Try: 1, Bytes: 3}, AnswerReceived{Attempt: 1}, Judged{Attempt: 1, Decision: DecideRefine})
	judged := st.s.CanUndo()
	if judged == 0 {
		t.Fatal("the judgement cannot be taken back")
	}
	for _, next := range []struct {
		event Payload
		phase Phase
	}{
		{PromptSent{Attempt: 2, Try: 1, Bytes: 3}, Wait}, {AnswerFailed{Attempt: 2, Class: "timeout"}, Compose},
		{PromptSent{Attempt: 2, Try: 2, Bytes: 3}, Wait}, {AnswerReceived{Attempt: 2}, Review},
	} {
		if st.do(next.event); st.s.Phase != next.phase || st.s.CanUndo() != 0 {
			t.Errorf("after %s the phase is %s, and event %d can be taken back", next.event.Kind(), st.s.Phase, st.s.CanUndo())
		}
		st.refused(Undone{Seq: judged})
	}
}

func TestGate(t *testing.T) {
	plan := Plan{Tasks: []PlanTask{{ID: "p", Practice: true}, {ID: "1"}}, Rules: Rules{Gate: &Gate{Needs: GateAccepted, Repeats: 1}}}
	st := tell(t, plan).refused(TaskSkipped{Index: 0, Task: "p"})
	st.work("").rated()
	if again, sure := st.s.Repeating(); !again || sure {
		t.Error("the tests are running still, and it is said to be sure")
	}
	if err := st.try(TaskOpened{Index: 0, Task: "p"}); !errors.Is(err, ErrNotNow) {
		t.Errorf("begun anew before its tests ended: %v", err)
	}
	st.do(VerdictRecorded{Task: 0, Attempt: 1, Verdict: "wrong_answer"}).refused(TaskOpened{Index: 1, Task: "1"})
	st.work("wrong_answer").rated()
	if !st.s.GateMissed() || st.s.Next() != 1 || st.s.Tasks[0].Repeats != 1 {
		t.Errorf("after the last repeat: %+v", st.s.Tasks)
	}
	passed := tell(t, plan).work("wrong_answer").rated().work("accepted").rated()
	if passed.s.GateMissed() || passed.s.Next() != 1 {
		t.Error("the gate was passed in the second go")
	}
	missed := tell(t, plan).work("wrong_answer").rated().work("wrong_answer").rated()
	if missed.do(TaskSkipped{Index: 1, Task: "1"}); missed.s.GateMissed() {
		t.Error("the gate is missed once")
	}
	plan.Gate.Needs = GateJudged
	if judged := tell(t, plan).work("").rated(); judged.s.Next() != 1 || judged.s.GateMissed() {
		t.Error("a judged practice is enough")
	}
}

func TestBreaks(t *testing.T) {
	plan := Plan{Tasks: []PlanTask{{ID: "p", Practice: true}, {ID: "1"}, {ID: "2"}, {ID: "3"}}, Rules: Rules{Breaks: &Breaks{Tasks: 2, MS: 2500, Forced: true}}}
	st := tell(t, plan).work("").rated().work("").rated()
	if st.s.BreakDue() {
		t.Error("practice was counted")
	}
	if st.work("").rated(); !st.s.BreakDue() {
		t.Error("no break after two tasks")
	}
	open := TaskOpened{Index: 3, Task: "3"}
	st.refused(open).do(Paused{"break"})
	if left := st.s.BreakLeft(Stamp{Mono: st.mono + 500, Process: "p"}); left != 2000 {
		t.Errorf("%d ms left", left)
	}
	st.do(Resumed{Reason: "break"}).refused(open) // one second is too short
	st.do(Paused{"break"}, Heartbeat{}, Heartbeat{}, Resumed{Reason: "break"}, open)
	plan.Breaks.Forced = false
	tell(t, plan).work("").rated().work("").rated().work("").rated().do(open)
}

// TestBreaksAddUp: several short breaks, and one during which the machine was asleep.
func TestBreaksAddUp(t *testing.T) {
	plan := Plan{Tasks: []PlanTask{{ID: "1"}, {ID: "2"}}, Rules: Rules{Breaks: &Breaks{Tasks: 1, MS: 2500, Forced: true}}}
	st := tell(t, plan).work("").rated()
	for range 2 {
		st.do(Paused{"break"}, Resumed{Reason: "break"}).refused(TaskOpened{Index: 1, Task: "2"})
	}
	st.do(Paused{"break"}, Resumed{Reason: "break"}, TaskOpened{Index: 1, Task: "2"})
	plan.Tasks, plan.Breaks.Tasks, plan.Breaks.Forced = append(plan.Tasks, PlanTask{ID: "3"}), 2, false
	apart := tell(t, plan).work("").rated().do(Paused{"break"}, Heartbeat{}, Resumed{Reason: "break"}).work("").rated()
	apart.do(Paused{"break"}, Resumed{Reason: "break"})
	if !apart.s.BreakDue() {
		t.Error("two short breaks with a task between them are no break")
	}
	plan.Tasks, plan.Breaks.Tasks = plan.Tasks[:2], 1
	slept := tell(t, plan).work("").rated().do(Paused{"break"})
	slept.mono += 100
	next := slept.s.Clone()
	err := next.Apply(Event{Seq: next.Seq + 1, Stamp: Stamp{Wall: slept.mono + 3_600_000, Mono: slept.mono, Process: "p"}, Payload: Resumed{Reason: "break"}})
	if err != nil || next.BreakDue() {
		t.Errorf("an hour with the lid closed is no break: %v", err)
	}
}

func TestAttentionCheck(t *testing.T) {
	st := tell(t, Plan{Tasks: []PlanTask{{ID: "1", Check: &Check{"choose 2", 2}}, {ID: "2"}}})
	st.work("", Rated{"a", 7}, Labelled{LabelExplanation, "yes"}).refused(TaskClosed{Index: 0, Outcome: Satisfied})
	st.refused(Rated{CheckID, 8}).do(Rated{CheckID, 5}, Rated{CheckID, 2})
	if st.do(Undone{st.s.CanUndo()}); st.s.Tasks[0].Checked != 5 {
		t.Errorf("undone to %d", st.s.Tasks[0].Checked)
	}
	st.do(TaskClosed{Index: 0, Outcome: Satisfied})
	if _, mixed := st.s.Tasks[0].Ratings[CheckID]; mixed {
		t.Error("the check is among the ratings")
	}
	st.work("").refused(Rated{CheckID, 2})
}

func TestSurvey(t *testing.T) {
	st := tell(t, Plan{Tasks: []PlanTask{{ID: "1"}}, Rules: Rules{Survey: []Question{
		{ID: "years", Text: "?", Choices: []string{"few", "many"}}, {ID: "words", Text: "?", Optional: true},
		{ID: "consent", Text: "?", Choices: []string{"yes"}, Optional: true},
	}}})
	st.refused(Surveyed{"years", "few"}).work("").rated().refused(Closed{"finished"})
	st.refused(Surveyed{"years", "none"}).refused(Surveyed{"years", ""}).refused(Surveyed{"age", "9"}).refused(Surveyed{"consent", "no"})
	st.do(Surveyed{"years", "few"}, Surveyed{"years", "many"}).refused(Closed{"finished"})
	st.do(Surveyed{"words", ""}, Surveyed{"consent", "yes"}, Closed{"finished"}).refused(Surveyed{"years", "few"})
	if st.s.Answers["years"] != "many" {
		t.Errorf("%v", st.s.Answers)
	}
	tell(t, Plan{Tasks: []PlanTask{{ID: "1"}}, Rules: Rules{Survey: []Question{{ID: "a", Text: "?"}}}}).do(Closed{"abandoned"})
}

// During a pause only events that the tester did not cause are recorded, and after the end only those of
// work in progress.
func TestPausedAndClosed(t *testing.T) {
	st := tell(t, Plan{Tasks: []PlanTask{{ID: "1"}, {ID: "2"}}}).do(TaskOpened{Index: 0, Task: "1"}, PromptSent{Attempt: 1, Try: 1, Bytes: 3}, Paused{"tester"})
	for _, p := range []Payload{Paused{"again"}, IdleStarted{}, WordsDrafted{For: WordsNote, Splice: Splice{Insert: "x"}}, Noted{"x"}} {
		if err := st.try(p); !errors.Is(err, ErrNotNow) || !strings.Contains(err.Error(), "paused") {
			t.Errorf("%#v in a pause: %v", p, err)
		}
	}
	st.do(FirstToken{Attempt: 1}, Heartbeat{}, FocusLost{}, FocusGained{}, Suspended{MS: 9}, Flagged{"f"}, AnswerReceived{Attempt: 1}, Closed{"abandoned"})
	for _, p := range []Payload{Heartbeat{}, FocusLost{}, FocusGained{}, IdleEnded{}, Suspended{MS: 9}, Resumed{Reason: "tester"}, Closed{"abandoned"}} {
		if err := st.try(p); !errors.Is(err, ErrNotNow) || !strings.Contains(err.Error(), "closed") {
			t.Errorf("%#v after the end: %v", p, err)
		}
	}
	st.do(CodeExtracted{Task: 0, Attempt: 1, Bytes: 1}, VerdictRecorded{Task: 0, Attempt: 1, Verdict: "accepted"}, Measured{Task: 0, Attempt: 1}, Flagged{"g"})
}

func TestLate(t *testing.T) {
	plan := Plan{Tasks: []PlanTask{{ID: "1"}}, Rules: Rules{Resume: &Resume{WithinMS: 5000}}}
	st := tell(t, plan)
	for after, want := range map[int64]bool{5000: false, 5001: true} {
		if got := st.s.Late(Stamp{Wall: st.mono + after, Process: "another"}); got != want {
			t.Errorf("after %d ms: %v", after, got)
		}
	}
	if plan.Resume = nil; tell(t, plan).s.Late(Stamp{Wall: 1 << 40}) {
		t.Error("late without a rule")
	}
}

// TestOwnLabelsAndScale: a plan may define its own labels, or none, and another scale.
func TestOwnLabelsAndScale(t *testing.T) {
	own := []Label{{ID: "use", Name: "Use it?", Values: []string{"yes", "no"}}, {ID: "why", Name: "Why not?", Values: []string{"x", "y"}, WhenNotSatisfied: true}}
	st := tell(t, Plan{Tasks: []PlanTask{{ID: "1"}}, Rules: Rules{Labels: own}})
	st.work("").refused(Labelled{LabelExplanation, "yes"}).refused(Labelled{"why", "x"}).refused(Rated{"a", 8})
	st.do(Rated{"a", 7}, Labelled{"use", "no"}, TaskClosed{Index: 0, Outcome: Satisfied})
	none := tell(t, Plan{Tasks: []PlanTask{{ID: "1"}}, Rules: Rules{Labels: []Label{}}})
	none.work("", Rated{"a", 1}, TaskClosed{Index: 0, Outcome: Satisfied})
	text, err := json.Marshal(none.s.Plan)
	var back Plan
	if err = errors.Join(err, json.Unmarshal(text, &back)); err != nil || len(back.AskedLabels()) != 0 {
		t.Errorf("no labels became %v, %v", back.AskedLabels(), err)
	}
}

// TestBadRules: the session does not open with a rule that cannot be followed.
func TestBadRules(t *testing.T) {
	for name, spoil := range map[string]func(*Plan){
		"one point":             func(p *Plan) { p.Attributes[0].Points = 1 },
		"ten points":            func(p *Plan) { p.Attributes[0].Points = 10 },
		"two scales":            func(p *Plan) { p.Attributes = append(p.Attributes, Attribute{ID: "b", Points: 5}) },
		"the check's id":        func(p *Plan) { p.Attributes[0].ID = CheckID },
		"a check off scale":     func(p *Plan) { p.Tasks[0].Check = &Check{"?", 8} },
		"an unknown gate":       func(p *Plan) { p.Gate = &Gate{Needs: "luck"} },
		"a break after none":    func(p *Plan) { p.Breaks = &Breaks{} },
		"no time to lie":        func(p *Plan) { p.Resume = &Resume{} },
		"another clock":         func(p *Plan) { p.Clock = "big" },
		"a label of one value":  func(p *Plan) { p.Labels = []Label{{ID: "l", Values: []string{"x"}}} },
		"a label that is rated": func(p *Plan) { p.Labels = []Label{{ID: "a", Values: []string{"x", "y"}}} },
		"the check as a label":  func(p *Plan) { p.Labels = []Label{{ID: CheckID, Values: []string{"x", "y"}}} },
		"a question twice":      func(p *Plan) { p.Survey = []Question{{ID: "q", Text: "?"}, {ID: "q", Text: "?"}} },
	} {
		plan := Plan{K: 1, Context: Fresh, Tasks: []PlanTask{{ID: "1"}}, Attributes: []Attribute{{ID: "a", Points: 7}}}
		fatal.If(t, plan.Validate())
		if spoil(&plan); plan.Validate() == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
