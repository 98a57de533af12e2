package automatic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/automatic"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/report/sessions"
)

const (
	wrong = "```python\ndef double(n): return n # wrong\n```"
	right = "```python\ndef double(n):\n    return 2 * n\n```"
)

// model answers depending on the request, and takes three seconds.
type model struct {
	clock *enginetest.Clock
	says  func(llm.Request) (string, error)

	mu    sync.Mutex
	asked []llm.Request
}

func (m *model) Stream(_ context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	m.mu.Lock()
	m.asked = append(m.asked, req)
	m.mu.Unlock()
	m.clock.Advance(1000)
	text, err := m.says(req)
	if err != nil {
		return llm.Answer{}, err
	}
	delta(text[:1])
	m.clock.Advance(2000)
	delta(text[1:])
	return llm.Answer{Text: text, FinishReason: "stop"}, nil
}

// slowJudge takes half a second.
type slowJudge struct{ clock *enginetest.Clock }

func (j slowJudge) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	j.clock.Advance(500)
	return enginetest.Judge{}.Judge(ctx, task, code)
}

// wrongUntil answers every task wrongly before the given attempt, and task double-2 always.
func wrongUntil(attempt int) func(llm.Request) (string, error) {
	return func(r llm.Request) (string, error) {
		switch {
		case strings.Contains(r.Messages[len(r.Messages)-1].Text, "Do not write code yet"):
			return "It does not double.", nil
		case r.Attempt < attempt || r.Task == "double-2":
			return wrong, nil
		}
		return right, nil
	}
}

// bench is the environment of automatic sessions in a test.
type bench struct {
	t      *testing.T
	clock  *enginetest.Clock
	store  *enginetest.Store
	model  *model
	client llm.Client // the model, or one over HTTP
}

const id = "01JTESTAUTOMATIC"

func newBench(t *testing.T, says func(llm.Request) (string, error)) *bench {
	clock := enginetest.NewClock()
	m := &model{clock: clock, says: says}
	return &bench{t, clock, enginetest.NewStore(), m, m}
}

func (b *bench) config() engine.Config {
	return engine.Config{Store: b.store, Judge: slowJudge{clock: b.clock}, Trees: enginetest.Trees{}, Client: b.client, Stamp: b.clock.Stamp, RetryEvery: time.Millisecond}
}

func choice(tasks, k int, f session.Feedback, level int, c session.Context) session.Choice {
	return session.Choice{
		Benchmark: enginetest.Benchmark(tasks), Seed: 1, K: k, Level: level, Context: c,
		Model:     session.Model{Name: "scripted", Provider: "openai", Model: "scripted-1"},
		Automatic: automatic.Tester(f, level, c, 2, session.TooLongUnsolved),
	}
}

func (b *bench) begin(c session.Choice) *engine.Engine {
	b.t.Helper()
	plan, tasks, err := c.Plan()
	fatal.If(b.t, err)
	eng, err := engine.Begin(b.t.Context(), b.config(), session.Opened{Session: id, Plan: plan}, tasks)
	fatal.If(b.t, err)
	return eng
}

// run works through a new session and returns its log.
func (b *bench) run(c session.Choice) (*session.State, []session.Event) {
	b.t.Helper()
	eng := b.begin(c)
	fatal.If(b.t, automatic.Run(b.t.Context(), eng, automatic.Options{}))
	return eng.State(), b.events()
}

func (b *bench) events() []session.Event {
	b.t.Helper()
	events, err := b.store.Events(id, 1)
	fatal.If(b.t, err)
	fatal.If(b.t, enginetest.Verify(events))
	return events
}

// A complete session without a human: the events of a human's, with the same attempts and times, and
// without ratings.
func TestSession(t *testing.T) {
	b := newBench(t, wrongUntil(2))
	s, events := b.run(choice(2, 3, session.FeedbackVerdict, 1, session.Conversation))
	if s.Closed != "finished" || s.Plan.Tester != "automatic" {
		t.Fatalf("%q by %q", s.Closed, s.Plan.Tester)
	}
	outcomes := map[string]session.Outcome{}
	attempts := map[string]int{}
	for _, task := range s.Tasks {
		outcomes[task.ID], attempts[task.ID] = task.Outcome, len(task.Attempts)
		if len(task.Ratings)+len(task.Labels) > 0 {
			t.Errorf("task %s was rated", task.ID)
		}
	}
	if outcomes["double-1"] != session.Satisfied || attempts["double-1"] != 2 || outcomes["double-2"] != session.Exhausted || attempts["double-2"] != 3 {
		t.Errorf("%v after %v", outcomes, attempts)
	}
	first := slices.IndexFunc(s.Tasks, func(task session.Task) bool { return task.ID == "double-1" })
	var kinds []session.Kind
	open := -1
	for _, e := range events {
		if p, ok := e.Payload.(session.TaskOpened); ok {
			open = p.Index
		}
		if k := e.Payload.Kind(); open == first && k != session.KindMeasured && k != session.KindVerdictRecorded {
			kinds = append(kinds, k)
		}
		if _, ok := e.Payload.(session.TaskClosed); ok {
			open = -1
		}
	}
	want := []session.Kind{
		"task_opened", "inserted", "edit_started", "prompt_sent", "first_token", "answer_received", "code_extracted", "judged",
		"inserted", "prompt_sent", "first_token", "answer_received", "code_extracted", "judged", "task_closed",
	}
	kinds = slices.DeleteFunc(kinds, func(k session.Kind) bool { return k == "session_closed" })
	if !slices.Equal(kinds, want) {
		t.Errorf("the task's events are\n%v, want\n%v", kinds, want)
	}
	_, intervals, err := session.Fold(events)
	fatal.If(t, err)
	times := session.TimesOf(s, intervals)[first]
	if times.Completion != 7000 || times.WithoutModel != 1000 || times.Phases[session.Wait] != 6000 || times.Phases[session.Review] != 1000 {
		t.Errorf("times %+v, want two answers of 3 s and two verdicts of 0.5 s", times)
	}
}

// overHTTP is a client of a server that speaks OpenAI's protocol, and whose model is wrong at first and
// corrects itself after feedback. The requests are stored in the model.
func (b *bench) overHTTP(policy session.Feedback) llm.Client {
	b.t.Helper()
	answer := func(messages []llm.Message) string {
		last := messages[len(messages)-1].Text
		switch {
		case strings.Contains(last, "Do not write code yet"):
			return "It does not double."
		case strings.HasSuffix(last, "whole corrected code."), policy == session.FeedbackNone && len(b.model.asked) > 1:
			return right
		}
		return wrong
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Messages []struct{ Role, Content string }
			Seed     int
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			b.t.Error(err)
		}
		var messages []llm.Message
		for _, m := range body.Messages {
			messages = append(messages, llm.Message{Role: m.Role, Text: m.Content})
		}
		b.model.asked = append(b.model.asked, llm.Request{Messages: messages, Sample: body.Seed - 40})
		piece, _ := json.Marshal(answer(messages))
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", piece)
	}))
	b.t.Cleanup(server.Close)
	seed := int64(40)
	m := llm.Model{Name: "scripted", Provider: llm.ProviderOpenAI, BaseURL: server.URL + "/v1", Model: "scripted-1"}
	m.Seed = &seed
	client, err := m.Client(llm.Deps{Getenv: func(string) string { return "" }})
	fatal.If(b.t, err)
	return client
}

// The messages sent to a server, at first and after a failed attempt, by policy and context.
func TestMessages(t *testing.T) {
	const statement = "Return twice the number that is given. The number is never negative.\n\nWrite it in Python with this signature:\n\n    double(n: int) -> int\n"
	const code = "```python\ndef double(n): return n # wrong\n```"
	const about = statement + "\nAn earlier answer to this had this code:\n\n" + code + "\n\n"
	const ran = "The tests were run, and the code is not right: it gives a wrong result. "
	const again = "Answer with the whole corrected code."
	const case2 = "```\ninput: double(2)\nexpected: 4\ngot: 5\n```"
	const reflect = ran + "Do not write code yet. Say what is wrong with it, and why."
	type messages []llm.Message
	said := func(texts ...string) messages {
		var all messages
		for i, text := range texts {
			all = append(all, llm.Message{Role: []string{llm.User, llm.Assistant}[i%2], Text: text})
		}
		return all
	}
	for _, c := range []struct {
		policy       session.Feedback
		conversation []messages // after the first request
		fresh        []messages
	}{
		{session.FeedbackNone, []messages{said(statement, wrong, statement)}, []messages{said(statement)}},
		{session.FeedbackVerdict, []messages{said(statement, wrong, ran+again)}, []messages{said(about + ran + again)}},
		{
			session.FeedbackFirst, []messages{said(statement, wrong, ran+"The first test case that fails:\n\n"+case2+"\n\n"+again)},
			[]messages{said(about + ran + "The first test case that fails:\n\n" + case2 + "\n\n" + again)},
		},
		{
			session.FeedbackAll, []messages{said(statement, wrong, ran+"The test cases that fail:\n\n"+case2+"\n\n"+again)},
			[]messages{said(about + ran + "The test cases that fail:\n\n" + case2 + "\n\n" + again)},
		},
		{
			session.FeedbackReflection,
			[]messages{said(statement, wrong, reflect), said(statement, wrong, reflect, "It does not double.", "Now correct the code accordingly. "+again)},
			[]messages{said(about + reflect), said(about + ran + "This was found to be wrong with it:\n\nIt does not double.\n\nCorrect the code accordingly. " + again)},
		},
	} {
		for context, want := range map[session.Context][]messages{session.Conversation: c.conversation, session.Fresh: c.fresh} {
			t.Run(fmt.Sprintf("%s/%s", c.policy, context), func(t *testing.T) {
				b := newBench(t, nil)
				b.client = b.overHTTP(c.policy)
				s, events := b.run(choice(1, 4, c.policy, 1, context))
				want := append([]messages{said(statement)}, want...)
				if len(b.model.asked) != len(want) {
					t.Fatalf("%d requests, want %d", len(b.model.asked), len(want))
				}
				for i, r := range b.model.asked {
					if !slices.Equal(r.Messages, want[i]) {
						t.Errorf("request %d is\n%q, want\n%q", i+1, r.Messages, want[i])
					}
				}
				if n, o := len(s.Tasks[0].Attempts), s.Tasks[0].Outcome; n != 2 || o != session.Satisfied {
					t.Errorf("%d attempts, %s; want 2", n, o)
				}
				if last := b.model.asked[len(want)-1].Sample; last != 1 {
					t.Errorf("the second attempt has the seed of sample %d: the same prompt would be answered alike", last)
				}
				b.sentAsLogged(events)
			})
		}
	}
}

// sentAsLogged compares the messages of the log with those that the model got.
func (b *bench) sentAsLogged(events []session.Event) {
	b.t.Helper()
	n := 0
	for _, e := range events {
		p, ok := e.Payload.(session.PromptSent)
		if !ok {
			continue
		}
		for i, m := range p.Messages {
			text, err := b.store.Blob(m.Text)
			if got := b.model.asked[n].Messages[i]; err != nil || got.Text != string(text) || got.Role != string(m.Role) {
				b.t.Errorf("request %d, message %d: the log has %q, %v; the model got %q", n+1, i, text, err, got)
			}
		}
		if p.Inserted != p.Bytes {
			b.t.Errorf("request %d: %d of %d bytes inserted; nobody typed", n+1, p.Inserted, p.Bytes)
		}
		n++
	}
	if n != len(b.model.asked) {
		b.t.Errorf("the log has %d requests, the model got %d", n, len(b.model.asked))
	}
}

// If the program is killed at any moment, the continued session ends as an uninterrupted one does, and no
// stored answer is requested again.
func TestKilledAnywhere(t *testing.T) {
	for _, policy := range []session.Feedback{session.FeedbackFirst, session.FeedbackReflection} {
		for _, context := range []session.Context{session.Conversation, session.Fresh} {
			whole := newBench(t, wrongUntil(3))
			c := choice(2, 3, policy, 1, context)
			want, events := whole.run(c)
			for cut := 1; cut < len(events); cut++ {
				b := newBench(t, wrongUntil(3))
				texts := map[session.Ref][]byte{}
				for _, e := range events {
					for _, ref := range session.Refs(e.Payload) {
						text, err := whole.store.Blob(ref)
						fatal.If(t, err)
						texts[ref] = text
					}
				}
				if _, err := b.store.Append(t.Context(), id, events[:cut], texts); err != nil {
					t.Fatal(err)
				}
				before := answers(events[:cut])
				b.clock.Advance(events[cut-1].Mono)
				b.clock.Restart(60_000)
				eng, err := engine.Reopen(t.Context(), b.config(), id)
				fatal.If(t, err)
				if err := automatic.Run(t.Context(), eng, automatic.Options{}); err != nil {
					t.Fatalf("%s, %s, cut after event %d (%s): %v", policy, context, cut, events[cut-1].Payload.Kind(), err)
				}
				if got, want := outcome(eng.State()), outcome(want); got != want {
					t.Fatalf("%s, %s, cut after event %d (%s): ended as\n%s, want\n%s", policy, context, cut, events[cut-1].Payload.Kind(), got, want)
				}
				if all := answers(events); before+len(b.model.asked) != all {
					t.Errorf("%s, %s, cut after event %d: %d answers were stored and %d asked for, want %d in all", policy, context, cut, before, len(b.model.asked), all)
				}
				b.events() // verifies the chain
			}
		}
	}
}

func answers(events []session.Event) int {
	n := 0
	for _, e := range events {
		if e.Payload.Kind() == session.KindAnswerReceived {
			n++
		}
	}
	return n
}

// outcome is the result of a session without times and numbers of tries.
func outcome(s *session.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", s.Closed, s.Phase)
	for _, t := range s.Tasks {
		fmt.Fprintf(&b, "%s %s\n", t.ID, t.Outcome)
		for _, a := range t.Attempts {
			fmt.Fprintf(&b, "  %d %s %s %s %s %s %d/%d", a.N, a.Decision, a.Sent.Prompt, a.Answer.Answer, a.Extracted.Code, a.Verdict.Verdict, a.Verdict.Passed, a.Verdict.Total)
			if r := a.Reflection; r != nil {
				fmt.Fprintf(&b, " %s %s", r.Sent.Prompt, r.Answer.Answer)
			}
			fmt.Fprintf(&b, " %v %v\n", a.Sent.Messages, a.Measured.Valid)
		}
	}
	return b.String()
}

// The effect of a provider's errors, by what they concern.
func TestProviderErrors(t *testing.T) {
	failing := func(class llm.Class, when func(llm.Request) bool) func(llm.Request) (string, error) {
		return func(r llm.Request) (string, error) {
			if when(r) {
				return "", &llm.Error{Class: class, Message: "it failed", Advice: "mend it"}
			}
			return right, nil
		}
	}
	always := func(llm.Request) bool { return true }
	second := func(r llm.Request) bool { return r.Task == "double-2" }
	once := func() func(llm.Request) bool {
		failed := false
		return func(llm.Request) bool {
			was := failed
			failed = true
			return !was
		}
	}
	for name, c := range map[string]struct {
		says    func(llm.Request) (string, error)
		stopped bool
		skipped int
		asked   int
	}{
		"a refused key stops at once":                    {failing(llm.Auth, always), true, 0, 1},
		"an unreachable server stops after two":          {failing(llm.Unreachable, always), true, 0, 2},
		"an account without credit stops at once":        {failing(llm.Quota, always), true, 0, 1},
		"a refusal of the first request stops at once":   {failing(llm.BadRequest, always), true, 0, 1},
		"one error is asked again":                       {failing(llm.Server, once()), false, 0, 4},
		"a task without a recording is left out at once": {failing(llm.NoAnswer, second), false, 1, 3},
		"nothing recorded at all leaves all out":         {failing(llm.NoAnswer, always), false, 3, 3},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.says)
			eng := b.begin(choice(3, 2, session.FeedbackVerdict, 1, session.Conversation))
			err := automatic.Run(t.Context(), eng, automatic.Options{})
			var stopped *automatic.Stopped
			if errors.As(err, &stopped) != c.stopped || !c.stopped && err != nil {
				t.Fatalf("got %v", err)
			}
			s := eng.State()
			skipped, attempts := 0, 0
			for _, task := range s.Tasks {
				if task.Outcome == session.Skipped {
					skipped++
				}
				attempts = max(attempts, len(task.Attempts))
			}
			if skipped != c.skipped || len(b.model.asked) != c.asked || attempts > 1 {
				t.Errorf("%d tasks left out, want %d; %d requests, want %d; %d attempts", skipped, c.skipped, len(b.model.asked), c.asked, attempts)
			}
			if c.stopped != (s.Closed == "") || c.stopped && s.Paused != "quit" {
				t.Errorf("the session is %q, paused %q", s.Closed, s.Paused)
			}
			if !c.stopped {
				return
			}
			// Once the cause is fixed, the session continues with all its attempts.
			b.model.says = wrongUntil(1)
			b.clock.Restart(1000)
			eng, err = engine.Reopen(t.Context(), b.config(), id)
			fatal.If(t, err)
			if err := automatic.Run(t.Context(), eng, automatic.Options{}); err != nil || eng.State().Closed != "finished" {
				t.Errorf("it did not go on: %v", err)
			}
		})
	}
}

// One refused request concerns its task; three refused tasks in a row end the session.
func TestRefusedTasks(t *testing.T) {
	refused := func(from, to int) func(llm.Request) (string, error) {
		n := 0
		return func(r llm.Request) (string, error) {
			if n++; n > from && n <= to {
				return "", &llm.Error{Class: llm.BadRequest, Message: "too long", Advice: "ask for less"}
			}
			return right, nil
		}
	}
	for _, c := range []struct {
		to      int
		stopped bool
		skipped int
	}{{2, false, 1}, {3, false, 2}, {100, true, 2}} {
		b := newBench(t, refused(1, c.to))
		eng := b.begin(choice(6, 2, session.FeedbackVerdict, 1, session.Conversation))
		err := automatic.Run(t.Context(), eng, automatic.Options{})
		skipped := 0
		for _, task := range eng.State().Tasks {
			if task.Outcome == session.Skipped {
				skipped++
			}
		}
		if (err != nil) != c.stopped || skipped != c.skipped {
			t.Errorf("refused to %d: %v, %d left out", c.to, err, skipped)
		}
	}
}

// The first task of a session, too, may exceed the model's context, or be refused by its filter: the session goes on, but not
// if one task after the other does.
func TestFirstTooLong(t *testing.T) {
	for class, stays := range map[llm.Class]bool{llm.TooLong: false, llm.Filtered: false, llm.BadRequest: true} {
		for refused := 1; refused <= 3; refused++ {
			asked := map[string]bool{}
			b := newBench(t, func(r llm.Request) (string, error) {
				if asked[r.Task] = true; len(asked) <= refused {
					return "", &llm.Error{Class: class, Message: "9000 tokens"}
				}
				return wrongUntil(1)(r)
			})
			eng := b.begin(choice(5, 3, session.FeedbackVerdict, 1, session.Conversation))
			err := automatic.Run(t.Context(), eng, automatic.Options{})
			if stopped := stays || refused == 3; (err != nil) != stopped || (eng.State().Closed == "finished") == stopped {
				t.Errorf("%s of %d tasks: session %q, %v", class, refused, eng.State().Closed, err)
			}
		}
	}
}

// A task whose prompt alone exceeds the model's context counts by the session's rule, also where no attempt was made.
func TestTooLong(t *testing.T) {
	for rule, want := range map[session.TooLong]session.Outcome{session.TooLongUnsolved: session.GaveUp, session.TooLongSkipped: session.Skipped, "": session.Skipped} {
		for from := 1; from <= 2; from++ { // the attempt that is too long
			b := newBench(t, func(r llm.Request) (string, error) {
				if r.Task == "double-2" && r.Attempt >= from {
					return "", &llm.Error{Class: llm.TooLong, Message: "9000 tokens"}
				}
				return wrongUntil(2)(r)
			})
			c := choice(3, 3, session.FeedbackVerdict, 1, session.Conversation)
			c.Automatic.TooLong = rule
			s, events := b.run(c)
			task := s.Tasks[slices.IndexFunc(s.Tasks, func(t session.Task) bool { return t.ID == "double-2" })]
			judged := len(task.Attempts)
			if rule == session.TooLongUnsolved && judged != from-1 || task.Outcome != want || !strings.Contains(task.Reason, "too_long") || s.Closed != "finished" {
				t.Errorf("%q from attempt %d: %s after %d attempts, %q, session %s", rule, from, task.Outcome, judged, task.Reason, s.Closed)
			}
			builder := sessions.NewBuilder(sessions.Options{})
			fatal.If(t, builder.Add(events))
			report, err := builder.Report()
			fatal.If(t, err)
			results := 3
			if want == session.Skipped {
				results = 2
			}
			if n := report.Counts.Analysed; n != results {
				t.Errorf("%q from attempt %d: %d results, want %d", rule, from, n, results)
			}
		}
	}
}

// A task that can never be judged is left out before the model is asked. If a program is missing the
// session stops before its first prompt, and continues once the program is installed.
func TestNotJudgeable(t *testing.T) {
	b := newBench(t, wrongUntil(1))
	c := choice(4, 2, session.FeedbackVerdict, 1, session.Conversation)
	c.Benchmark.Tasks[1].Tests = benchmark.Tests{}
	c.Benchmark.Tasks[3].Language = "cobol"
	eng := b.begin(c)
	ready := func(_ context.Context, task *benchmark.Task) error {
		if task.ID == "double-2" {
			return errors.New("there is no Python")
		}
		return nil
	}
	var stopped *automatic.Stopped
	err := automatic.Run(t.Context(), eng, automatic.Options{Ready: ready})
	if !errors.As(err, &stopped) || len(b.model.asked) > 0 || !strings.Contains(err.Error(), "1 of the 2 tasks that are left cannot be run here: there is no Python") {
		t.Fatalf("%v; %d requests", err, len(b.model.asked))
	}
	eng, err = engine.Reopen(t.Context(), b.config(), id)
	fatal.If(t, err)
	err = automatic.Run(t.Context(), eng, automatic.Options{Ready: func(context.Context, *benchmark.Task) error { return nil }})
	outcomes, reasons := map[string]session.Outcome{}, map[string]string{}
	for _, task := range eng.State().Tasks {
		outcomes[task.ID], reasons[task.ID] = task.Outcome, task.Reason
	}
	if err != nil || outcomes["double-1"] != session.Skipped || outcomes["double-2"] == session.Skipped || outcomes["double-3"] != session.Skipped ||
		!strings.Contains(reasons["double-1"], "no tests") || !strings.Contains(reasons["double-3"], "cobol") {
		t.Errorf("%v; %q; %q", err, outcomes, reasons)
	}
}

// A session left in the middle of an answer can be continued.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, nil)
	b.model.says = func(r llm.Request) (string, error) {
		cancel()
		return "", ctx.Err()
	}
	eng := b.begin(choice(1, 2, session.FeedbackVerdict, 1, session.Conversation))
	if err := automatic.Run(ctx, eng, automatic.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if s := eng.State(); s.Closed != "" || s.Paused != "quit" {
		t.Errorf("the session is %q, paused %q", s.Closed, s.Paused)
	}
}

// A human's session cannot be run by the automatic tester.
func TestHumanSession(t *testing.T) {
	c := choice(1, 2, session.FeedbackVerdict, 1, session.Conversation)
	c.Automatic = nil
	b := newBench(t, wrongUntil(1))
	if err := automatic.Run(t.Context(), b.begin(c), automatic.Options{}); err == nil || !strings.Contains(err.Error(), "human") {
		t.Errorf("got %v", err)
	}
}

// A pause after an error of the model does not count as anybody's time.
func TestPausesAreNoTime(t *testing.T) {
	completion := func(pause int64) int64 {
		n := 0
		b := newBench(t, func(llm.Request) (string, error) {
			if n++; n == 1 {
				return "", &llm.Error{Class: llm.Server, Message: "it failed", Advice: "wait"}
			}
			return right, nil
		})
		eng := b.begin(choice(2, 2, session.FeedbackVerdict, 1, session.Conversation))
		slept := 0
		err := automatic.Run(t.Context(), eng, automatic.Options{Sleep: func(context.Context, time.Duration) error {
			slept++
			b.clock.Advance(pause)
			return nil
		}})
		if err != nil || slept != 1 {
			t.Fatalf("slept %d times: %v", slept, err)
		}
		events, err := b.store.Events(id, 1)
		fatal.If(t, err)
		s, intervals, err := session.Fold(events)
		fatal.If(t, err)
		sum := int64(0)
		for _, x := range session.TimesOf(s, intervals) {
			sum += x.Completion
		}
		return sum
	}
	if short, long := completion(10), completion(100_000); short != long || short == 0 {
		t.Errorf("the tasks take %d ms, and with a longer pause %d", short, long)
	}
}
