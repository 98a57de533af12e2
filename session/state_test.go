package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/scoring/pairs"
)

// plan is a small plan for tests: n tasks, k attempts.
func plan(n, k int) Plan {
	p := Plan{Benchmark: "b", K: k, Context: Conversation, Attributes: MiahZhuAttributes()[:2], Model: Model{Name: "m", Provider: "command"}}
	for i := range n {
		p.Tasks = append(p.Tasks, PlanTask{ID: fmt.Sprintf("t%d", i), Practice: i == 0})
	}
	if n > 2 { // a study with all the rules there are
		p.Tasks[1].Check = &Check{"choose 2", 2}
		p.Rules = Rules{
			Gate: &Gate{GateAccepted, 1}, Breaks: &Breaks{Tasks: 1, MS: 10, Forced: true}, Resume: &Resume{WithinMS: 1000},
			Survey:      []Question{{ID: "q", Text: "?", Choices: []string{"x", "y"}}, {ID: "o", Text: "?", Optional: true}},
			Corrections: true, Merge: true, HandEdit: true,
		}
		p.Tasks[1].Repository = true
	}
	return p
}

// anyPayload draws a payload, often one that makes sense in s and sometimes one
// that does not.
func anyPayload(t *rapid.T, s *State) Payload {
	n, tries, draftLen := 1, 0, 0
	if a := s.Attempt(); a != nil {
		n, tries = a.N, a.Tries
		draftLen = len(s.Task().Draft())
	}
	if rapid.IntRange(0, 19).Draw(t, "other attempt") == 0 {
		n++
	}
	side, sides := Side(""), []int(nil)
	if s.Plan.Arena != nil {
		side = rapid.SampledFrom(Sides()).Draw(t, "side")
		sides = rapid.SampledFrom([][]int{{0, 1}, {0, 1}, {1, 0}, {0, 0}, nil}).Draw(t, "sides")
	}
	if rapid.IntRange(0, 19).Draw(t, "other side") == 0 {
		side = SideB
	}
	splice := func() Splice {
		at := rapid.IntRange(0, draftLen).Draw(t, "at")
		return Splice{At: at, Remove: rapid.IntRange(0, draftLen-at).Draw(t, "remove"), Insert: rapid.StringN(0, 8, -1).Draw(t, "insert")}
	}
	index := s.Current
	if index < 0 {
		index = s.Next()
	}
	id := ""
	if index >= 0 {
		id = s.Tasks[index].ID
	}
	attribute := rapid.SampledFrom([]string{"accuracy", "completeness", CheckID, "none"}).Draw(t, "attribute")
	decided := Outcome("")
	if task := s.Task(); task != nil {
		decided = task.Decided(s.Plan.K)
	}
	return rapid.SampledFrom([]Payload{
		TaskOpened{index, id}, TaskOpened{index, id}, EditStarted{n},
		DraftSaved{n, splice()}, DraftSaved{n, splice()}, Inserted{n, "paste", splice()},
		PromptSent{Attempt: n, Try: tries + 1, Prompt: RefOf([]byte("p")), Bytes: 1, Sides: sides},
		PromptSent{Attempt: n, Try: tries + 1, Prompt: RefOf([]byte("p")), Bytes: 1, Sides: sides},
		FirstToken{n, side}, AnswerArrived{n, RefOf([]byte("a")), RefOf([]byte("b")), side}, AnswerReceived{Attempt: n, Answer: RefOf([]byte("a")), FinishReason: "stop", Side: side},
		AnswerReceived{Attempt: n, Answer: RefOf([]byte("a")), FinishReason: "stop", Side: side},
		AnswerFailed{Attempt: n, Class: "timeout", Side: side}, AnswerInterrupted{Attempt: n, Reason: "stopped", Side: side},
		CodeExtracted{Task: max(0, s.Current), Attempt: n, Side: side}, VerdictRecorded{Task: max(0, s.Current), Attempt: n, Verdict: "accepted", Side: side},
		Measured{Task: max(0, s.Current), Attempt: n, Valid: true, Cyclomatic: 1, CommentRate: 12.5, Reliability: "A", Side: side},
		TreeChanged{Task: max(0, s.Current), Attempt: n, Side: side}, AnswerMended{Number: 1}, MendJudged{1, VerdictRecorded{Task: max(0, s.Current), Verdict: "accepted"}},
		MergeJudged{Answer: MergeYes}, MergeJudged{Answer: MergeNo, Reasons: []string{"style"}}, MergeJudged{Answer: MergeNo},
		Picked{Attempt: n, Outcome: pairs.A, Goes: SideA}, Picked{Attempt: n, Outcome: pairs.Neither, Goes: SideB}, Picked{Attempt: n, Outcome: pairs.B, Goes: side},
		Surveyed{"q", "x"}, Surveyed{"o", ""}, TabShown{n, "tests", n%2 == 0}, Judged{n, DecideSatisfied, true}, Judged{n, DecideRefine, false}, Judged{n, DecideGiveUp, false},
		Rated{attribute, rapid.IntRange(0, 6).Draw(t, "score")}, Rated{attribute, 3},
		Labelled{LabelExplanation, "yes"}, Labelled{LabelErrorCause, "code"}, Noted{"n"},
		Undone{s.CanUndo()}, Undone{s.Seq}, TaskClosed{s.Current, decided}, TaskClosed{s.Current, decided}, TaskClosed{s.Current, Satisfied},
		TaskSkipped{Index: index, Task: id, Reason: "x"}, TaskSkipped{Index: index, Task: id, Reason: "x", Unsolved: true}, CorrectionBegun{max(0, s.Correctable()), s.Tasks[max(0, s.Correctable())].ID},
		WordsDrafted{For: WordsNote, Splice: SpliceBetween(s.Words[WordsNote], "half a note")}, WordsDrafted{For: WordsAnswer, Splice: SpliceBetween(s.Words[WordsAnswer], "half an answer")}, Paused{"tester"}, Resumed{Reason: "tester"}, Resumed{Reason: "tester"},
		FocusLost{}, FocusGained{}, IdleStarted{5}, IdleEnded{}, Suspended{MS: 9}, Heartbeat{}, Flagged{"f"}, Renamed{"mine"}, Closed{"finished"},
	}).Draw(t, "payload")
}

// anyLog draws a log by trying random events on a session.
func anyLog(t *rapid.T) ([]Event, *State) {
	s := New()
	var log []Event
	stamp := Stamp{Wall: 1000, Process: "p", Boot: "b"}
	add := func(p Payload) error {
		e, err := Event{Seq: s.Seq + 1, Stamp: stamp, Payload: p}.Seal(s.Hash)
		fatal.If(t, err)
		next := s.Clone()
		if err := next.Apply(e); err != nil {
			return err
		}
		s, log = next, append(log, e)
		return nil
	}
	opened := plan(3, rapid.IntRange(1, 3).Draw(t, "k"))
	if rapid.IntRange(0, 2).Draw(t, "arena") == 0 {
		opened.Arena = &Arena{Models: [2]Model{{Name: "x"}, {Name: "y"}}, Seed: 1}
		opened.Model = opened.Arena.Model()
	}
	fatal.If(t, add(Opened{Session: "S", Plan: opened}))
	for range rapid.IntRange(0, 120).Draw(t, "steps") {
		ms := rapid.Int64Range(0, 500).Draw(t, "ms")
		stamp.Wall, stamp.Mono = stamp.Wall+ms, stamp.Mono+ms
		if rapid.IntRange(0, 30).Draw(t, "restart") == 0 {
			stamp.Process, stamp.Mono = stamp.Process+"'", 0
		}
		before := s.Clone()
		if err := add(anyPayload(t, s)); err != nil && !reflect.DeepEqual(before, s) {
			t.Fatalf("a refused event changed the state: %v", err)
		}
	}
	return log, s
}

// verifyChain verifies the log that events are stored as.
func verifyChain(events []Event) error {
	texts := make([][]byte, len(events))
	for i, e := range events {
		var err error
		if texts[i], err = json.Marshal(e); err != nil {
			return err
		}
	}
	_, err := VerifyLog(texts)
	return err
}

// A log read back from JSON gives exactly the same state, its chain verifies, and any change to it is
// detected.
func TestReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, s := anyLog(t)
		text, err := json.Marshal(log)
		fatal.If(t, err)
		var read []Event
		fatal.If(t, json.Unmarshal(text, &read))
		again, err := Replay(read)
		fatal.If(t, err)
		if !reflect.DeepEqual(s, again) {
			t.Fatalf("replayed\n%+v\nwas\n%+v", again, s)
		}
		fatal.If(t, verifyChain(read))
		i := rapid.IntRange(0, len(read)-1).Draw(t, "altered")
		read[i].Wall++
		if verifyChain(read) == nil {
			t.Fatalf("event %d was altered unnoticed", i+1)
		}
		read[i].Wall--
		if len(read) > 1 {
			cut := rapid.IntRange(0, len(read)-2).Draw(t, "cut")
			if verifyChain(append(append([]Event(nil), read[:cut]...), read[cut+1:]...)) == nil {
				t.Fatalf("event %d was cut out unnoticed", cut+1)
			}
		}
	})
}

// Invariants of every reachable state.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := anyLog(t)
		for i, task := range s.Tasks {
			if len(task.Attempts) > s.Plan.K {
				t.Fatalf("task %d has %d attempts of %d", i, len(task.Attempts), s.Plan.K)
			}
			for j, a := range task.Attempts {
				if a.N != j+1 {
					t.Fatalf("attempt %d is numbered %d", j+1, a.N)
				}
				if a.Answer != nil && a.Sent == nil || a.Verdict != nil && a.Answer == nil || a.Decision != "" && a.Answer == nil {
					t.Fatalf("attempt %d has a result without its cause: %+v", a.N, a)
				}
				invariantsOfSides(t, s, a)
				if j < len(task.Attempts)-1 && a.Decision != DecideRefine {
					t.Fatalf("attempt %d was followed by another and judged %q", a.N, a.Decision)
				}
			}
			for id, score := range task.Ratings {
				if score < MinScore || score > MaxScore {
					t.Fatalf("%s is rated %d", id, score)
				}
			}
			if task.Closed && task.Outcome != Skipped && task.Repository && !task.Merge.Complete() {
				t.Fatalf("task %d was closed without an answer to the question about merging: %+v", i, task.Merge)
			}
			if task.Closed && task.Outcome != Skipped && (len(task.Ratings) != len(s.Plan.Attributes) || task.Outcome != task.Decided(s.Plan.K)) {
				t.Fatalf("task %d was closed as %s with %d ratings", i, task.Outcome, len(task.Ratings))
			}
		}
		if (s.Current >= 0) != (s.Phase != Between && s.Phase != Ended) {
			t.Fatalf("task %d is open in phase %s", s.Current, s.Phase)
		}
	})
}

// invariantsOfSides are those of an attempt's two answers.
func invariantsOfSides(t *rapid.T, s *State, a Attempt) {
	if s.Plan.Arena == nil {
		if a.Sides != nil || a.Picked != nil {
			t.Fatalf("two answers where one model answers: %+v", a)
		}
		return
	}
	if (a.Answer != nil) != (a.Picked != nil) {
		t.Fatalf("an answer stands without a pick, or none with one: %+v", a)
	}
	if a.Picked != nil {
		from := a.On(a.Picked.Goes)
		if len(a.Received()) != 2 || a.Answer != from.Answer || a.Extracted != from.Extracted || a.Verdict != from.Verdict || a.Measured != from.Measured || a.Tree != from.Tree {
			t.Fatalf("what stands is not what was picked: %+v", a)
		}
		if a.Unusable() && a.Decision == DecideSatisfied {
			t.Fatalf("satisfied with an unusable answer: %+v", a)
		}
	}
	if last := s.Attempt(); last != nil && last.N == a.N && s.Phase == Pick && (len(last.Received()) != 2 || last.Picked != nil) {
		t.Fatalf("nothing to pick: %+v", last)
	}
	if (s.Phase == Wait) != (len(s.Awaited()) > 0) {
		t.Fatalf("in phase %s these are awaited: %v", s.Phase, s.Awaited())
	}
}

// The intervals of a log partition its time, without overlaps or gaps.
func TestTimelinePartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, s := anyLog(t)
		_, intervals, err := Fold(log)
		fatal.If(t, err)
		var sum, want int64
		for _, iv := range intervals {
			sum += iv.MS
		}
		var end Event
		for _, e := range log {
			if e.Payload.Kind() != KindRenamed { // which moves no clock
				end = e
			}
			if e.Payload.Kind() == KindClosed {
				end = e
				break
			}
		}
		if want = end.Wall - log[0].Wall; sum != want {
			t.Fatalf("the intervals sum to %d ms of %d", sum, want)
		}
		var counted int64
		for _, times := range TimesOf(s, intervals) {
			var phases int64
			for _, ms := range times.Phases {
				phases += ms
			}
			counted += phases + times.Paused + times.Unobserved
			if times.WithoutModel > times.Completion || times.Completion > phases {
				t.Fatalf("times %+v", times)
			}
		}
		if counted > sum {
			t.Fatalf("the tasks take %d ms of %d", counted, sum)
		}
	})
}

// Undoing a change restores the previous state, after any number of changes.
func TestUndoIsInverse(t *testing.T) {
	s := New()
	apply := func(t fatal.Test, payloads ...Payload) {
		for _, p := range payloads {
			fatal.If(t, s.Apply(Event{Seq: s.Seq + 1, Payload: p}))
		}
	}
	apply(t, Opened{Session: "S", Plan: plan(1, 2)}, TaskOpened{0, "t0"}, PromptSent{Attempt: 1, Try: 1, Bytes: 1},
		AnswerReceived{Attempt: 1}, Judged{1, DecideGiveUp, false})
	given := s
	rapid.Check(t, func(t *rapid.T) {
		s = given.Clone()
		var before []*State
		for range rapid.IntRange(1, 12).Draw(t, "settings") {
			before = append(before, s.Clone())
			apply(t, rapid.SampledFrom([]Payload{
				Rated{"accuracy", rapid.IntRange(1, 5).Draw(t, "score")}, Rated{"completeness", 2},
				Labelled{LabelExplanation, "no"}, Labelled{LabelErrorCause, rapid.SampledFrom([]string{"code", "understanding"}).Draw(t, "cause")},
			}).Draw(t, "setting"))
		}
		for i := len(before) - 1; i >= 0; i-- {
			apply(t, Undone{s.CanUndo()})
			a, b := s.Task(), before[i].Task()
			if !reflect.DeepEqual(a.Ratings, b.Ratings) || !reflect.DeepEqual(a.Labels, b.Labels) || len(a.undo) != len(b.undo) {
				t.Fatalf("undone to %v %v, was %v %v", a.Ratings, a.Labels, b.Ratings, b.Labels)
			}
		}
		apply(t, Undone{s.CanUndo()})
		if s.Phase != Review || s.Attempt().Decision != "" || s.CanUndo() != 0 {
			t.Fatalf("the judgement is not taken back: phase %s, %q", s.Phase, s.Attempt().Decision)
		}
	})
}

func TestSplice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.String().Draw(t, "before"), rapid.String().Draw(t, "after")
		d := draft{text: before}
		if err := d.apply(SpliceBetween(before, after), rapid.SampledFrom([]origin{originTyped, originInserted, originEditor}).Draw(t, "origin")); err != nil || d.text != after {
			t.Fatalf("%q became %q, not %q: %v", before, d.text, after, err)
		}
		if n := d.bytes(originInserted) + d.bytes(originEditor); n > len(after) {
			t.Fatalf("%d of %d bytes are not typed", n, len(after))
		}
	})
	d := draft{}
	for _, step := range []struct {
		splice           Splice
		from             origin
		text             string
		inserted, editor int
	}{
		{Splice{Insert: "typed "}, originTyped, "typed ", 0, 0},
		{Splice{At: 6, Insert: "PASTED"}, originInserted, "typed PASTED", 6, 0},
		{Splice{At: 9, Insert: "-"}, originTyped, "typed PAS-TED", 6, 0},
		{Splice{At: 5, Remove: 3}, originTyped, "typedS-TED", 4, 0},
		{Splice{At: 5, Insert: " by vi "}, originEditor, "typed by vi S-TED", 4, 7},
		{Splice{At: 8, Remove: 5, Insert: "VI"}, originInserted, "typed byVI-TED", 5, 3},
		{Splice{At: 0, Remove: 14, Insert: "new"}, originTyped, "new", 0, 0},
	} {
		if err := d.apply(step.splice, step.from); err != nil || d.text != step.text || d.bytes(originInserted) != step.inserted || d.bytes(originEditor) != step.editor {
			t.Fatalf("after %+v: %q with %d inserted and %d of the editor, %v; want %+v", step.splice, d.text, d.bytes(originInserted), d.bytes(originEditor), err, step)
		}
	}
	if err := d.apply(Splice{At: 2, Remove: 5}, originTyped); err == nil {
		t.Fatal("a splice beyond the end was accepted")
	}
}

// An event of a newer version is rejected by name.
func TestNewerEvents(t *testing.T) {
	for _, text := range []string{
		`{"seq":1,"kind":"telepathy","v":1,"data":{}}`,
		`{"seq":1,"kind":"heartbeat","v":2,"data":{}}`,
	} {
		var e Event
		if err := json.Unmarshal([]byte(text), &e); !errors.Is(err, ErrUnknownKind) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzEvent(f *testing.F) {
	f.Add([]byte(`{"seq":1,"kind":"rated","v":1,"data":{"attribute":"accuracy","score":4}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var e Event
		if json.Unmarshal(text, &e) != nil {
			return
		}
		_ = New().Apply(e)
		if _, err := json.Marshal(e); err != nil {
			t.Fatal(err)
		}
	})
}

// An event that cannot be encoded as JSON cannot be sealed.
func TestSealRefuses(t *testing.T) {
	for name, p := range map[string]Payload{"nothing": nil, "not a number": Measured{CommentRate: math.NaN()}} {
		if e, err := (Event{Seq: 1, Payload: p}).Seal(""); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Asked returns the last message, which may be longer than the prompt.
func TestAsked(t *testing.T) {
	said := []Message{{User, "first"}, {Assistant, "answer"}, {User, "prompt and suffix"}}
	for want, p := range map[Ref]PromptSent{"p": {Prompt: "p"}, "prompt and suffix": {Prompt: "p", Messages: said}} {
		if got := p.Asked(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for want, s := range map[string]Summary{
		"b · m":              {Benchmark: "b", Model: "m", Sets: "T0"},
		"b · m · set T1":     {Benchmark: "b", Model: "m", Sets: "T1"},
		"b · m · sets T0,T1": {Benchmark: "b", Model: "m", Sets: "T0,T1"},
		"b · m · type:x":     {Benchmark: "b", Model: "m", Filter: "type:x"},
		"mine":               {Benchmark: "b", Model: "m", Name: "mine"},
	} {
		if got := s.Title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestConsent: no task opens before the tester has agreed to the required version.
func TestConsent(t *testing.T) {
	p := plan(2, 3)
	p.Study = &InStudy{Name: "s", Consent: "You are recorded.", ConsentVersion: "2"}
	s := New()
	seq := uint64(0)
	apply := func(payload Payload) error {
		c := s.Clone()
		if err := c.Apply(Event{Seq: seq + 1, Payload: payload}); err != nil {
			return err
		}
		s, seq = c, seq+1
		return nil
	}
	fatal.If(t, apply(Opened{Session: "x", Plan: p}))
	if !s.WantsConsent() {
		t.Error("nothing is asked")
	}
	if err := apply(TaskOpened{0, "t0"}); !errors.Is(err, ErrNotNow) {
		t.Errorf("a task before the consent: %v", err)
	}
	if err := apply(Consented{"1"}); err == nil {
		t.Error("another version is agreed to")
	}
	if err := apply(Consented{"2"}); err != nil || s.Consented != "2" || s.WantsConsent() {
		t.Errorf("%v, %q", err, s.Consented)
	}
	if err := apply(Consented{"2"}); !errors.Is(err, ErrNotNow) {
		t.Errorf("agreed twice: %v", err)
	}
	if err := apply(TaskOpened{0, "t0"}); err != nil {
		t.Error(err)
	}
	s, seq = New(), 0
	fatal.If(t, apply(Opened{Session: "y", Plan: plan(1, 1)}))
	if err := apply(Consented{""}); !errors.Is(err, ErrNotNow) {
		t.Errorf("a consent that nobody asked for: %v", err)
	}
}

// Closing a task with missing ratings is an error that names the rows as the form does.
func TestMissingRatingsAreNamed(t *testing.T) {
	s := New()
	s.Plan = Plan{K: 1, Attributes: []Attribute{{ID: "accuracy", Name: "Accuracy"}, {ID: "depth", Name: "Depth of the answer"}}, Rules: Rules{Labels: []Label{}}}
	s.Tasks, s.Current, s.Phase = []Task{{Ratings: map[string]int{}, Labels: map[string]string{}}}, 0, Rate
	err := s.closeTask(TaskClosed{Index: 0, Outcome: Satisfied})
	if want := "the task cannot be closed yet: Accuracy, Depth of the answer are not rated"; !errors.Is(err, ErrNotNow) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// A task that was left out is counted as on every other screen.
func TestShare(t *testing.T) {
	for want, p := range map[string]Progress{"3 of 3, 1 left out": {Tasks: 3, Done: 2, Skipped: 1}, "2 of 3": {Tasks: 3, Done: 2}, "1 of at most 4": {Tasks: 4, Most: 4, Done: 1}} {
		if got := p.Share(); got != want {
			t.Errorf("%+v is %q, want %q", p, got, want)
		}
	}
}
