package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
)

// Mode is the log's name for sessions that are worked on line by line.
const Mode = "plain"

// Options are the inputs of a session besides the engine.
type Options struct {
	// Ticks drive the heartbeat; nil for none.
	Ticks <-chan time.Time
	// Report writes the session's report and returns its path; nil: no reports.
	Report func(ctx context.Context, id string) (path string, err error)
	// HandIn and Sessions are those of [work.Options].
	HandIn   func(ctx context.Context) (path string, err error)
	Sessions int
}

// Run runs a session until it ends, the tester leaves it, or the input ends. In the last two
// cases it leaves the session paused, to be continued in this mode or on the screens.
func Run(ctx context.Context, eng *engine.Engine, lines <-chan string, out io.Writer, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if o.Ticks != nil {
		go eng.Pulse(ctx, o.Ticks)
	}
	p := &talk{ctx: ctx, eng: eng, out: out, lines: lines}
	p.announce()
	err := p.session()
	if err == nil && eng.State().Closed != "" {
		err = p.summary(o)
	}
	if errors.Is(err, errLeft) {
		err = nil
	}
	if closed := eng.Close(context.WithoutCancel(ctx)); err == nil {
		err = closed
	}
	if eng.State().Closed == "" {
		p.say("Everything is saved. The session is paused and can be continued later.")
	}
	return err
}

// Lines returns the lines of in, without line ends, until it or ctx ends.
func Lines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for r := bufio.NewReader(in); ; {
			line, err := r.ReadString('\n')
			if err == nil || line != "" {
				select {
				case lines <- frame.Clean(strings.TrimRight(line, "\r\n")): // may be a paste with any content
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// errLeft reports that the tester leaves the session, or that the input ended.
var errLeft = errors.New("the session was left")

// talk is a session as a dialogue of lines.
type talk struct {
	ctx   context.Context
	eng   *engine.Engine // nil before a session is chosen
	out   io.Writer
	lines <-chan string
	ahead []string // lines typed while the model answered

	welcomed bool
	opened   answerID // the task that was read out, counted from 1, without its attempts
	told     answerID // the last printed answer
	heard    answerID // the last answer whose tests were printed
	rating   answerID // the last answer for which the rating was explained
	asked    int      // current question of the survey, from 1; 0 before it
}

// answerID is one answer of a session.
type answerID struct{ task, repeats, attempt, tries int }

func (p *talk) state() *session.State { return p.eng.State() }

func (p *talk) say(format string, args ...any) {
	fmt.Fprintln(p.out, frame.Plain(fmt.Sprintf(format, args...)))
}

// trouble prints why something was not done.
func (p *talk) trouble(err error) {
	if err != nil {
		p.say("Not done: %s", frame.OneLine(err.Error()))
	}
}

// ask prints a prompt and waits for a line.
func (p *talk) ask(prompt string) (string, error) {
	p.say("%s", prompt) // on its own line: input from a pipe does not echo a line end
	return p.line()
}

func (p *talk) line() (string, error) {
	if len(p.ahead) > 0 {
		line := p.ahead[0]
		p.ahead = p.ahead[1:]
		return line, nil
	}
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.say("")
			return "", errLeft
		}
		if p.eng != nil {
			_ = p.eng.Active(p.ctx) // a lost sign of activity is no reason to stop
		}
		return line, nil
	case <-p.ctx.Done():
		p.say("")
		return "", errLeft
	}
}

// announce names the session.
func (p *talk) announce() {
	s := p.state()
	if s.Closed != "" {
		return
	}
	what := "You continue a session"
	if s.Done() == 0 && s.Current < 0 {
		what = "A new session starts"
	}
	if in := s.Plan.Study; in != nil {
		what = fmt.Sprintf("%s: session %d of your sessions in the study %s", what, in.Part, frame.OneLine(in.Name))
	}
	p.say("%s: %s with %s, %s.", what, frame.OneLine(s.Plan.Benchmark), frame.OneLine(s.Plan.ModelShown()), s.Progress())
}

// session follows the states until the session ends or is left.
func (p *talk) session() error {
	for {
		s := p.state()
		if s.Closed == "" && s.Paused == "" && s.Phase != session.Between {
			if task := (answerID{task: s.Current + 1, repeats: s.Task().Repeats}); p.opened != task { // also of a session that is continued
				p.opened = task
				p.statement(p.eng.Task(s.Current))
			}
		}
		var err error
		switch {
		case s.Closed != "":
			return nil
		case s.Paused != "":
			err = p.paused()
		case s.Phase == session.Between:
			err = p.between()
		case s.Phase == session.Read || s.Phase == session.Compose:
			err = p.compose()
		case s.Phase == session.Wait:
			err = p.wait()
		case s.Phase == session.Pick:
			err = p.compare()
		case s.Phase == session.Review:
			err = p.review()
		case s.Phase == session.Rate:
			err = p.rate()
		}
		if err != nil {
			return err
		}
	}
}

func (p *talk) paused() error {
	p.say("Paused. The clock is stopped.")
	if text := p.state().Meanwhile(); text != "" {
		p.say("%s", text)
	}
	if left := p.eng.BreakLeft(); left > 0 {
		p.say("The study requires the break to last %s more.", frame.Duration(float64((left+999)/1000)))
	}
	line, err := p.ask("Press enter to continue, or type quit:")
	if err != nil || strings.TrimSpace(line) == "quit" {
		return errLeft
	}
	p.trouble(p.eng.Resume(p.ctx))
	return nil
}

// between handles the time without an open task: the study's texts, the next task, the survey.
func (p *talk) between() error {
	s := p.state()
	if s.Plan.Study != nil && (s.WantsConsent() || !p.welcomed && !s.Begun()) {
		return p.welcome()
	}
	if s.Next() < 0 {
		return p.survey()
	}
	if again, sure := s.Repeating(); again && !sure {
		return p.settle()
	}
	t := s.Tasks[s.Next()]
	p.say("")
	facts := []string{frame.OneLine(t.Title)}
	for _, f := range []string{string(t.Difficulty), t.Type, t.Category} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	p.say("Next, %s: %s.", s.Progress().Place(), strings.Join(facts, ", "))
	if again, sure := s.Repeating(); again && sure {
		p.say("The study requires an answer here that passes all tests, and your last one did not. This is repeat %d of %d.", t.Repeats+1, s.Plan.Gate.Repeats)
	}
	if s.BreakDue() {
		p.say("The study requires a break now.")
	}
	p.say("The clock starts when you open it. You have %s. %s", frame.Count(s.Plan.K, "attempt"), s.Plan.Criterion)
	if why := p.notRun(s.Next()); why != "" {
		p.say("No tests run here: %s.", strings.TrimSuffix(frame.OneLine(why), "."))
	}
	if s.Plan.Model.Recorded {
		p.say("The answers are recorded and do not depend on your prompt: this is a rehearsal.")
	}
	return p.choose("open, break, skip REASON or quit?", []command{
		{"open", "open the task", func(string) error { p.trouble(p.eng.OpenTask(p.ctx)); return nil }},
		{"break", "take a break", func(string) error { p.trouble(p.eng.Pause(p.ctx, "break")); return nil }},
		p.skip(),
	})
}

// notRun returns why code for a task cannot run here, if that is known.
func (p *talk) notRun(task int) string {
	for {
		if why, known := p.eng.NotRun(task); known {
			return why
		}
		select {
		case <-p.eng.Changes():
		case <-p.ctx.Done():
			return ""
		}
	}
}

// settle waits until it is known whether the practice starts over.
func (p *talk) settle() error {
	p.say("The tests of your last answer are still running.")
	for {
		if again, sure := p.state().Repeating(); !again || sure {
			return nil
		}
		select {
		case <-p.eng.Changes():
		case <-p.ctx.Done():
			return errLeft
		}
	}
}

func (p *talk) skip() command {
	return command{"skip REASON", "leave the task out, permanently", func(reason string) error {
		if reason == "" {
			p.say("Say why: skip REASON.")
			return nil
		}
		p.trouble(p.eng.Skip(p.ctx, reason))
		return nil
	}}
}

// welcome prints the study's texts, and asks for consent if required.
func (p *talk) welcome() error {
	in := p.state().Plan.Study
	p.say("%s", frame.OneLine(in.Name))
	for _, text := range []string{in.Instructions, in.Consent} {
		if text != "" {
			p.say("\n%s", frame.Plain(text))
		}
	}
	p.welcomed = true
	if !p.state().WantsConsent() {
		_, err := p.ask("Press enter to continue:")
		return err
	}
	line, err := p.ask(fmt.Sprintf("This is version %s of what you agree to. Type agree, or quit:", frame.OneLine(in.ConsentVersion)))
	if err != nil || strings.TrimSpace(line) == "quit" {
		return errLeft
	}
	if strings.TrimSpace(line) == "agree" {
		p.trouble(p.eng.Consent(p.ctx))
	}
	return nil
}

// summary prints how the session ended.
func (p *talk) summary(o Options) error {
	s := p.state()
	counts := map[session.Outcome]int{}
	for _, t := range s.Tasks {
		if !t.Practice {
			counts[t.Outcome]++
		}
	}
	p.say("\nThe session is %s. Tasks with which you were satisfied: %d; given up: %d; not satisfied after all attempts: %d; left out: %d.",
		frame.OneLine(s.Closed), counts[session.Satisfied], counts[session.GaveUp], counts[session.Exhausted], counts[session.Skipped])
	if s.Plan.ResultsLater() {
		p.say("The study has another session for you: the command that you began with starts it. It shows your results after the last.")
		return nil
	}
	if o.Report != nil {
		path, err := o.Report(p.ctx, s.Session)
		if err != nil {
			return err
		}
		p.say("The report is in %s", path)
	}
	if in := s.Plan.Study; in == nil || o.HandIn == nil || in.Part < o.Sessions {
		return nil
	}
	if line, err := p.ask("That was your last session. Press enter to write the file to hand in, or type quit:"); err != nil || strings.TrimSpace(line) == "quit" {
		return err
	}
	path, err := o.HandIn(p.ctx)
	if err != nil {
		return err
	}
	p.say("To hand in, send this file to the study's owner: %s", path)
	return nil
}
