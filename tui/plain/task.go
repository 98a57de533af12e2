package plain

import (
	"errors"
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/session"
	"assay/tui/frame"
)

// statement reads a task out.
func (p *talk) statement(t *benchmark.Task) {
	p.say("\n%s\n%s", frame.OneLine(t.Title), frame.Plain(strings.TrimSpace(t.Description)))
	if sig := t.SignatureText(); sig != "" {
		p.say("Signature: %s", frame.Plain(sig))
	}
	for _, c := range t.Constraints {
		p.say("Constraint: %s", frame.Plain(c))
	}
	for _, e := range t.Examples {
		p.say("Example: %s gives %s %s", frame.OneLine(e.Input), frame.OneLine(e.Output), frame.OneLine(e.Explanation))
	}
}

// compose takes a prompt line by line. Each line is saved when it is typed.
func (p *talk) compose() error {
	s := p.state()
	task, a := s.Task(), s.Attempt()
	full := p.eng.Task(s.Current)
	if a.N == 1 && a.Tries == 0 {
		p.statement(full)
	}
	switch {
	case a.Failed != nil:
		p.say("The model did not answer. This cost no attempt; send the prompt again with a dot.%s", arrivedHint(a))
		if s.Plan.ModelShown() == s.Plan.Model.Name { // what a provider says names the model
			p.say("%s: %s", frame.OneLine(a.Failed.Message), frame.OneLine(a.Failed.Advice))
		}
	case a.Broken != nil:
		p.say("The answer was cut off. This cost no attempt; send the prompt again with a dot.%s", arrivedHint(a))
	}
	p.say("\nAttempt %d of %d. Write your prompt: only that is sent, and not the task. A line with only a dot sends it; .help lists what else a dot begins.", a.N, s.Plan.K)
	if s.Plan.Suffix != "" {
		p.say("What is appended when it is sent: %s", frame.OneLine(s.Plan.Suffix))
	}
	draft := task.Draft()
	if draft != "" {
		p.say("Your prompt so far:\n%s", frame.Plain(draft))
	}
	for {
		line, err := p.line()
		if err != nil {
			return err
		}
		switch {
		case line == ".":
			p.trouble(p.eng.Send(p.ctx, draft))
			return nil
		case strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".."):
			word, rest, _ := strings.Cut(strings.TrimPrefix(line, "."), " ")
			if err := p.do(word, strings.TrimSpace(rest), append(p.drafting(&draft, full), p.aside()...)); err != nil {
				return err
			}
			if now := p.state(); now.Paused != "" || now.Attempt() == nil || now.Current != s.Current || now.Phase != session.Read && now.Phase != session.Compose {
				return nil
			}
		default:
			line = strings.TrimPrefix(line, ".") // two dots are one that is meant
			if draft != "" {
				draft += "\n"
			}
			draft += line
			p.trouble(p.eng.Edit(p.ctx, draft))
		}
	}
}

func arrivedHint(a *session.Attempt) string {
	if a.Arrived() == "" {
		return ""
	}
	return " Type .arrived to hear what had arrived of it."
}

// arrived reads out what had come of an answer that was cut off.
func (p *talk) arrived() error {
	text, err := p.eng.Text(p.state().Attempt().Arrived())
	if err != nil || text == "" {
		p.say("Nothing had arrived.")
		return err
	}
	p.say("What had arrived:\n%s\nEnd of what had arrived.", frame.Plain(text))
	return nil
}

// drafting are the commands while a prompt is written.
func (p *talk) drafting(draft *string, t *benchmark.Task) []command {
	set := func(text string) error {
		*draft = text
		p.trouble(p.eng.Edit(p.ctx, text))
		return nil
	}
	return []command{
		{"arrived", "read out what had arrived of an answer that was cut off", func(string) error { return p.arrived() }},
		{"show", "read your prompt out", func(string) error { p.say("%s", frame.Plain(*draft)); return nil }},
		{"task", "read the task out again", func(string) error { p.statement(t); return nil }},
		{"insert", "WHAT: append 1, 2 or 3 (the statement at that level), prompt, answer or failing", func(what string) error {
			return p.insert(draft, t, what)
		}},
		{"back", "take the last line of your prompt back", func(string) error {
			return set((*draft)[:max(0, strings.LastIndexByte(*draft, '\n'))])
		}},
		{"clear", "begin your prompt anew", func(string) error { return set("") }},
		{"undo", "take the judgement before back; what you wrote is dropped", func(sure string) error {
			if *draft != "" && sure != "sure" {
				p.say("This would drop what you wrote: type .undo sure to do it.")
				return nil
			}
			p.trouble(p.eng.Undo(p.ctx))
			return nil
		}},
		p.skip(),
	}
}

// insert appends a text that was not typed.
func (p *talk) insert(draft *string, t *benchmark.Task, what string) error {
	text, kind := "", what
	attempts := p.state().Task().Attempts
	var before *session.Attempt
	if n := len(attempts); n > 1 {
		before = &attempts[n-2]
	}
	switch {
	case what == "1" || what == "2" || what == "3":
		text, kind = t.PromptText(benchmark.PromptLevel(what[0]-'0')), "level"+what
	case before == nil && (what == "prompt" || what == "answer" || what == "failing"):
		p.say("This is the first attempt.")
		return nil
	case what == "prompt":
		text, _ = p.eng.Text(before.Sent.Prompt)
	case what == "answer":
		text, _ = p.eng.Text(before.Answer.Answer)
	case what == "failing":
		text, kind = p.failing(before), "failing_test"
	}
	if text == "" {
		p.say("There is nothing to insert: type .insert with 1, 2, 3, prompt, answer or failing.")
		return nil
	}
	after := *draft
	if after != "" {
		after += "\n"
	}
	after += text
	if err := p.eng.Insert(p.ctx, kind, *draft, after); err != nil {
		p.trouble(err)
		return nil
	}
	*draft = after
	p.say("Inserted:\n%s", frame.Plain(text))
	return nil
}

// failing puts the first failing test of an attempt into words.
func (p *talk) failing(a *session.Attempt) string {
	if a.Verdict == nil || p.state().Plan.Sees(a) != session.SeeTests {
		return ""
	}
	result, err := p.eng.Verdict(a.Verdict)
	if err != nil {
		return ""
	}
	if c := result.FirstFailing(); c != nil {
		return c.Words()
	}
	return ""
}

// wait is until the answer has come, or was stopped, or was pasted.
func (p *talk) wait() error {
	s := p.state()
	if s.Plan.Model.Provider == "paste" {
		return p.fetch()
	}
	p.say("%s is answering. Type stop to stop it; whatever else you type is taken when the answer is there.", frame.OneLine(s.Plan.ModelShown()))
	lines := p.lines
	for p.state().Phase == session.Wait {
		select {
		case <-p.eng.Changes():
		case line, ok := <-lines:
			switch {
			case !ok:
				lines = nil // what was typed before is carried out still
			case strings.TrimSpace(line) == "stop":
				p.eng.Stop()
			default:
				p.ahead = append(p.ahead, line)
			}
		case <-p.ctx.Done():
			return errLeft
		}
	}
	return nil
}

// fetch asks for the answer that the tester takes from a chat page.
func (p *talk) fetch() error {
	text, err := p.eng.Text(p.state().Attempt().Sent.Asked())
	if err != nil {
		return err
	}
	p.say("Give this prompt to your chat page:\n%s\nEnd of the prompt. Paste the whole answer here, then a line with only a dot. A line .stop goes back to the prompt.", frame.Plain(text))
	var answer []string
	for {
		line, err := p.line()
		if err != nil {
			return err
		}
		switch line {
		case ".stop":
			p.eng.Stop()
			return p.until(session.Wait)
		case ".":
			if err := p.eng.Pasted(strings.Join(answer, "\n")); err != nil {
				p.trouble(err)
				return nil
			}
			return p.until(session.Wait)
		}
		if strings.HasPrefix(line, "..") {
			line = line[1:]
		}
		answer = append(answer, line)
	}
}

// until waits for the end of a phase.
func (p *talk) until(phase session.Phase) error {
	for p.state().Phase == phase {
		select {
		case <-p.eng.Changes():
		case <-p.ctx.Done():
			return errLeft
		}
	}
	return nil
}

// id is the answer under review.
func (p *talk) id() answerID {
	a := p.state().Attempt()
	return answerID{p.state().Current, p.state().Task().Repeats, a.N, a.Tries}
}

// review reads the answer out, tells the tests when they have run, and asks for the
// judgement.
func (p *talk) review() error {
	if p.told != p.id() {
		p.told = p.id()
		if err := p.answer(); err != nil {
			return err
		}
		p.say("You can judge it now: satisfied, refine or give up. Enter alone waits for the tests, help lists the rest.")
	}
	commands := []command{
		{"satisfied", "you are satisfied with this answer", func(string) error { return p.judged(session.DecideSatisfied) }},
		{"refine", "write another prompt", func(string) error { return p.judged(session.DecideRefine) }},
		{"give", "give up: this task is not solved", func(string) error { return p.judged(session.DecideGiveUp) }},
	}
	line, err := p.ask("satisfied, refine or give up?")
	if err != nil {
		return err
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if word == "" {
		return p.tests()
	}
	return p.do(word, strings.TrimSpace(rest), append(append(commands, p.looking()...), p.aside()...))
}

// answer reads the answer out.
func (p *talk) answer() error {
	text, err := p.eng.Text(p.state().Attempt().Answer.Answer)
	if err != nil {
		return err
	}
	if cut := p.state().Attempt().Answer.Truncated(); cut != "" {
		p.say("\nCareful: %s", cut)
	}
	p.say("\nThe answer:\n%s\nEnd of the answer.", text)
	p.shown("answer")
	return nil
}

// shown tells the log what was read out.
func (p *talk) shown(tab string) { p.trouble(p.eng.ShowTab(p.ctx, tab)) }

// looking are the commands that read something of an answer out.
func (p *talk) looking() []command {
	return []command{
		{"answer", "read the answer out again", func(string) error { return p.answer() }},
		{"tests", "what the tests say", func(string) error { return p.tests() }},
		{"code", "the code that was taken from the answer", func(string) error {
			a := p.state().Attempt()
			if a.Extracted == nil || a.Extracted.Code == "" {
				return p.noCode()
			}
			text, err := p.eng.Text(a.Extracted.Code)
			p.say("%s", frame.Plain(text))
			return err
		}},
		{"measures", "what was measured in the code", func(string) error { p.measures(); return nil }},
		{"prompt", "what was sent", func(string) error {
			text, err := p.eng.Text(p.state().Attempt().Sent.Asked())
			p.say("%s", frame.Plain(text))
			p.shown("prompt")
			return err
		}},
		{"task", "read the task out again", func(string) error {
			p.statement(p.eng.Task(p.state().Current))
			p.shown("task")
			return nil
		}},
		{"solution", "the reference solution", func(string) error {
			t := p.eng.Task(p.state().Current)
			if t.Reference == "" || !p.state().Plan.Reference {
				p.say("There is none to see.")
				return nil
			}
			p.say("%s", frame.Plain(t.Reference))
			p.shown("solution")
			return nil
		}},
	}
}

// noCode tells why no code was taken from the answer.
func (p *talk) noCode() error {
	why := "The answer has not been searched for code yet."
	if found := p.state().Attempt().Extracted; found != nil {
		why = frame.OneLine(found.Note)
	}
	p.say("There is no code to run. %s", why)
	return nil
}

// tests waits for the tests and says what became of them, as far as the study lets them
// be seen.
func (p *talk) tests() error {
	if p.state().Plan.Sees(p.state().Attempt()) == session.SeeNothing {
		p.say("The study hides the tests until you have judged the answer.")
		return nil
	}
	for p.state().Attempt().Verdict == nil {
		select {
		case <-p.eng.Changes():
		case <-p.ctx.Done():
			return errLeft
		}
	}
	a := p.state().Attempt()
	p.heard = p.id()
	p.shown("tests")
	v := a.Verdict
	p.say("Tests: %s, %d of %d passed, %d milliseconds of processor time.", strings.ReplaceAll(v.Verdict, "_", " "), v.Passed, v.Total, v.CPUMS)
	if p.state().Plan.Sees(a) != session.SeeTests {
		p.say("The single tests are told when you have judged the answer.")
		return nil
	}
	result, err := p.eng.Verdict(v)
	if err != nil {
		return fmt.Errorf("the single results cannot be read: %w", err)
	}
	if result.Message != "" {
		p.say("%s", frame.Plain(result.Message))
	}
	for _, c := range result.Cases {
		if c.Got == "" && c.Status == judge.Status(judge.WrongAnswer) && p.eng.Task(p.state().Current).Tests.Style == benchmark.Stdin {
			c.Got = "nothing: it printed nothing"
		}
		if c.Status != judge.Passed {
			p.say("Test %d: %s", c.Index, frame.OneLine(c.Words()))
		}
	}
	return nil
}

func (p *talk) measures() {
	m := p.state().Attempt().Measured
	switch {
	case m == nil:
		p.say("The code is still being measured.")
	case m.Problem != "":
		p.say("Nothing was measured: %s", frame.OneLine(m.Problem))
	default:
		p.say("Cyclomatic complexity %d, cognitive complexity %d, %d lines of code, %d of comment. Findings: %d. Reliability %s, security %s.",
			m.Cyclomatic, m.Cognitive, m.CodeLines, m.CommentLines, m.Findings, orNone(m.Reliability), orNone(m.Security))
		p.shown("measures")
	}
}

func orNone(rating string) string {
	if rating == "" {
		return "not rated"
	}
	return rating
}

// judged records a decision; the verdict was seen if it was told.
func (p *talk) judged(d session.Decision) error {
	err := p.eng.Judge(p.ctx, d, p.heard == p.id())
	if errors.Is(err, session.ErrNotNow) && d == session.DecideRefine {
		p.say("That was the last attempt: you can be satisfied, or give up.")
		return nil
	}
	p.trouble(err)
	return nil
}
