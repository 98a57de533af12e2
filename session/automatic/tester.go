package automatic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
)

// Options configure a tester. The zero value never waits and reports nothing.
type Options struct {
	// Ready returns why a task cannot be judged here; nil if all can be.
	Ready func(ctx context.Context, task *benchmark.Task) error
	// Sleep waits before a prompt is sent again after a model error; nil: no wait.
	Sleep func(ctx context.Context, d time.Duration) error
	// Tell is called when something has changed, with the reason why results cannot be stored, or ""; may
	// be nil.
	Tell func(s *session.State, trouble string)
	// Holds is how many tokens the model's context holds; 0: not known.
	Holds int
	// Note is called with what a person should know of the session, once for each kind; may be nil.
	Note func(text string)
	// Ticks drive the heartbeat; may be nil.
	Ticks <-chan time.Time
}

// Stopped is the error for a session that was stopped because of its model, or because this machine cannot
// run its tests. It can be continued.
type Stopped struct {
	Class   llm.Class
	Message string // what happened
	Advice  string // what to do
}

func (e *Stopped) Error() string { return fmt.Sprintf("%s: %s", e.Message, e.Advice) }

// Mode is the mode of such sessions in the log.
const Mode = "automatic"

// Run works through a session until it ends, ctx ends, or the model keeps failing. It does not repeat
// stored requests. It closes the engine, which pauses a session that has not ended.
func Run(ctx context.Context, eng *engine.Engine, o Options) error {
	beating, stop := context.WithCancel(ctx)
	defer stop()
	if o.Ticks != nil {
		go eng.Pulse(beating, o.Ticks)
	}
	t := &tester{ctx: ctx, eng: eng, o: o}
	err := t.session()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if closed := eng.Close(context.WithoutCancel(ctx)); err == nil {
		err = closed
	}
	t.report()
	return err
}

// tester is a session being worked through.
type tester struct {
	ctx context.Context
	eng *engine.Engine
	o   Options

	long    bool // a prompt exceeded the context, which was said
	failed  int  // consecutive failures to send the current prompt
	leftOut int  // consecutive tasks skipped because of the model
}

func (t *tester) state() *session.State { return t.eng.State() }

func (t *tester) report() {
	if t.o.Tell != nil {
		t.o.Tell(t.state(), t.eng.Trouble())
	}
}

// session goes from state to state until the session ends.
func (t *tester) session() error {
	if t.state().Plan.Automatic == nil {
		return errors.New("this session belongs to a human tester; an automatic tester cannot continue it")
	}
	if err := t.ready(); err != nil {
		return err
	}
	for {
		t.report()
		s := t.state()
		var err error
		switch {
		case t.ctx.Err() != nil:
			return t.ctx.Err()
		case s.Closed != "":
			return nil
		case s.Paused != "":
			err = t.eng.Resume(t.ctx)
		case s.Phase == session.Between:
			err = t.between()
		case s.Phase == session.Read || s.Phase == session.Compose:
			err = t.compose()
		case s.Phase == session.Wait:
			err = t.until(func(s *session.State) bool { return s.Phase != session.Wait })
		case s.Phase == session.Review:
			err = t.review()
		case s.Phase == session.Rate:
			err = t.eng.Commit(t.ctx)
		}
		if err != nil {
			return err
		}
	}
}

// until waits for a state.
func (t *tester) until(reached func(*session.State) bool) error {
	for !reached(t.state()) {
		select {
		case <-t.eng.Changes():
			t.report()
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
	return nil
}

// between opens the next task, or skips one that cannot be judged here.
func (t *tester) between() error {
	next := t.state().Next()
	if next < 0 {
		return t.eng.Finish(t.ctx)
	}
	task := t.eng.Task(next)
	if !task.HasTests() {
		return t.eng.Skip(t.ctx, "the task has no tests, by which an automatic tester judges")
	}
	if err := judge.Known(task); err != nil {
		return t.eng.Skip(t.ctx, "its tests cannot be run: "+err.Error())
	}
	return t.eng.OpenTask(t.ctx)
}

// ready stops the session before its first prompt if a program is missing for judging remaining tasks.
// Skipping them would be final.
func (t *tester) ready() error {
	if t.o.Ready == nil {
		return nil
	}
	lacking, left, reason := 0, 0, error(nil)
	for i, state := range t.state().Tasks {
		task := t.eng.Task(i)
		if state.Outcome != "" || !task.HasTests() || judge.Known(task) != nil {
			continue
		}
		left++
		if err := t.o.Ready(t.ctx, task); err != nil {
			lacking++
			reason = cmp.Or(reason, err)
		}
	}
	if lacking == 0 {
		return nil
	}
	return &Stopped{Message: fmt.Sprintf("the tests of %d of the %d tasks that are left cannot be run here: %v", lacking, left, reason),
		Advice: "install what is missing, or leave those tasks out with --filter"}
}

// compose sends the next prompt of the task, or the request for a reflection before it, and waits for the
// answer.
func (t *tester) compose() error {
	s := t.state()
	files := repositoryFiles(t.ctx, t.eng, s.Current)
	text, source := firstPrompt(s.Plan, t.eng.Task(s.Current), files), "statement"
	send := t.eng.Send
	if s.Attempt().N > 1 {
		f, err := t.feedback(s)
		if err != nil {
			return err
		}
		f.files = files
		if text, source = f.prompt(), "feedback"; s.Plan.Automatic.Feedback == session.FeedbackNone {
			source = "prompt"
		}
		if s.WantsReflection() {
			text, send = f.reflect(), t.eng.Reflect
		}
	}
	if !s.WantsReflection() {
		if err := t.eng.Insert(t.ctx, source, s.Task().Draft(), text); err != nil {
			return err
		}
	}
	if t.o.Note != nil && !t.long && t.eng.Exceeds(text, t.o.Holds) {
		t.long = true
		t.o.Note(fmt.Sprintf("the prompt of task %s, attempt %d, exceeds the model's context of %d tokens: some servers cut it without a word; answers to such prompts are marked where that is known", s.Task().ID, s.Attempt().N, t.o.Holds))
	}
	if err := send(t.ctx, text); err != nil {
		return err
	}
	if err := t.until(func(s *session.State) bool { return s.Phase != session.Wait }); err != nil {
		return err
	}
	if a := t.state().Attempt(); a.Failed != nil {
		return t.failure(a.Failed)
	}
	t.failed, t.leftOut = 0, 0
	return nil
}

// feedback describes the attempt before the open one.
func (t *tester) feedback(s *session.State) (f feedback, err error) {
	attempts := s.Task().Attempts
	before, now := &attempts[len(attempts)-2], &attempts[len(attempts)-1]
	f.plan, f.task = s.Plan, t.eng.Task(s.Current)
	if f.code, err = t.eng.Text(before.Extracted.Code); err != nil {
		return f, err
	}
	if f.verdict, err = t.eng.Verdict(before.Verdict); err != nil {
		return f, err
	}
	if f.verdict.Verdict == "" { // the details were not stored
		f.verdict.Verdict = verdicts.Verdict(before.Verdict.Verdict)
	}
	if now.Reflection != nil && now.Reflection.Answer != nil {
		f.reflection, err = t.eng.Text(now.Reflection.Answer.Answer)
	}
	return f, err
}

// pauseAfterError is the wait before a prompt is sent again; by then the client has retried several times.
const pauseAfterError = 2 * time.Second

// leftOutMost is the number of consecutive tasks skipped because of the model after which the session is
// stopped, since the tasks are not the reason.
const leftOutMost = 3

// aboutTask lists the errors that the request may have caused.
var aboutTask = [...]llm.Class{llm.NoAnswer, llm.BadRequest, llm.TooLong, llm.Filtered, llm.CutOff, llm.Program}

// failure reacts to a model error, which costs no attempt: the prompt is sent again until it has failed so
// often that the task is skipped or, if the error is not about the task, the session stopped.
func (t *tester) failure(f *session.AnswerFailed) error {
	t.failed++
	class := llm.Class(f.Class)
	stopped := &Stopped{class, f.Message, f.Advice}
	switch {
	case class == llm.Auth || class == llm.Quota:
		return stopped
	case class == llm.TooLong && t.sentTurns() > 1:
		return nil // it is sent again with the newer half of the earlier turns
	case (&llm.Error{Class: class}).Passing() && t.failed < t.state().Plan.Automatic.Failures:
		if t.o.Sleep == nil {
			return nil
		}
		// Stop the clock: waiting is neither work nor the model's time.
		if err := t.eng.Pause(t.ctx, engine.PauseByTester); err != nil {
			return err
		}
		return t.o.Sleep(t.ctx, pauseAfterError)
	case !slices.Contains(aboutTask[:], class):
		return stopped
	case class != llm.NoAnswer && t.leftOut+1 >= leftOutMost:
		return stopped
	case class != llm.NoAnswer && class != llm.TooLong && class != llm.Filtered && !t.answered(): // those two are about this prompt
		return stopped
	}
	how := string(class)
	if t.failed > 1 {
		how += fmt.Sprintf(", %d times", t.failed)
	}
	reason := fmt.Sprintf("the model gave no answer (%s): %s", how, f.Message)
	t.failed, t.leftOut = 0, t.leftOut+1
	return t.eng.Skip(t.ctx, reason)
}

// sentTurns is the number of turns that were last sent, the prompt included.
func (t *tester) sentTurns() int {
	a := t.state().Attempt()
	switch {
	case a == nil:
		return 0
	case a.Reflection != nil && a.Reflection.Answer == nil && a.Reflection.Sent != nil:
		return 0 // a reflection has no second form
	case a.Sent == nil:
		return 0
	}
	return len(a.Sent.Messages)
}

// answered reports whether the model has answered anything in this session.
func (t *tester) answered() bool {
	return slices.ContainsFunc(t.state().Tasks, func(task session.Task) bool {
		return slices.ContainsFunc(task.Attempts, func(a session.Attempt) bool { return a.Answer != nil })
	})
}

// review waits for all results of the answer, and judges it by the rule.
func (t *tester) review() error {
	err := t.until(func(s *session.State) bool {
		a := s.Attempt()
		return a.Extracted != nil && a.Verdict != nil && a.Measured != nil
	})
	if err != nil {
		return err
	}
	a := t.state().Attempt()
	switch v := a.Verdict; verdicts.Verdict(v.Verdict) {
	case verdicts.SandboxError, verdicts.NotJudged:
		return t.eng.Skip(t.ctx, "there is no verdict on an answer: "+v.Message)
	}
	return t.eng.Judge(t.ctx, t.state().RuledOn(a), true)
}
