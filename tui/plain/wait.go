package plain

import (
	"fmt"
	"strings"
	"time"

	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/tui/frame"
)

// wait waits until the answer has arrived, or was stopped, or was pasted.
func (p *talk) wait() error {
	s := p.state()
	if s.Plan.Model.Provider == "paste" {
		return p.fetch()
	}
	who := frame.OneLine(s.Plan.ModelShown()) + " is answering"
	if s.Plan.Arena != nil {
		who = "Two models are answering"
	}
	p.say("%s. Type stop to stop it, task or prompt to read those, how to read how long it takes; anything else is used when the answer is complete.", who)
	lines := p.lines
	again := time.NewTicker(tellEvery)
	defer again.Stop()
	tried, told := map[session.Side]int{"": 1, session.SideA: 1, session.SideB: 1}, ""
	for p.state().Phase == session.Wait {
		if trouble := p.eng.Trouble(); trouble != told {
			if told = trouble; told != "" {
				p.say("The answer cannot be saved: %s. Saving is repeated every second.", frame.OneLine(told))
			}
		}
		if told != "" && lines == nil { // the input has ended, so nobody can fix it
			for _, side := range p.state().Awaited() {
				p.read("The answer, which is not saved", p.allowed(p.eng.Streamed(side)))
			}
			return fmt.Errorf("the answer is not saved: %s", told)
		}
		select {
		case <-p.eng.Changes():
			for _, side := range p.state().Awaited() {
				if w := p.eng.Waiting(side); w.Stage == llm.Retrying && w.Try != tried[side] {
					tried[side] = w.Try
					p.say("%s", p.progress())
				}
			}
		case <-again.C:
			p.say("%s", p.progress())
		case line, ok := <-lines:
			if !ok {
				lines = nil // commands typed before are still run
			} else {
				p.meanwhile(line)
			}
		case <-p.ctx.Done():
			return errLeft
		}
	}
	return nil
}

// untilKnown waits until something is known of the attempt.
func (p *talk) untilKnown(known func(*session.Attempt) bool) error {
	for !known(p.state().Attempt()) {
		select {
		case <-p.eng.Changes():
		case <-p.ctx.Done():
			return errLeft
		}
	}
	return nil
}

// tellEvery is the time between two lines about a wait.
const tellEvery = 30 * time.Second

// meanwhile handles a line typed while the model answers.
func (p *talk) meanwhile(line string) {
	word := strings.ToLower(strings.TrimSpace(line))
	switch {
	case word == "stop":
		p.eng.Stop()
	case len(p.ahead) > 0:
		p.ahead = append(p.ahead, line) // in the order of typing
	case word == "task":
		p.statement(p.eng.Task(p.state().Current))
	case word == "prompt":
		text, err := p.eng.Text(p.state().Attempt().Sent.Asked())
		p.trouble(err)
		p.read("What was sent", text)
	case word == "how":
		p.say("%s", p.progress())
	default:
		p.ahead = append(p.ahead, line)
	}
}

// howItGoes describes the progress of an answer in a sentence.
func howItGoes(w engine.Waiting, text string) string {
	seconds := func(d time.Duration) string { return frame.Count(int(d.Round(time.Second)/time.Second), "second") }
	switch {
	case w.Stage == llm.Retrying && w.Asked:
		return fmt.Sprintf("%s. The server asked to wait %s; try %d of %d follows in %s.", w.Why, seconds(w.Wait), w.Try, w.Tries, seconds(w.Next))
	case w.Stage == llm.Retrying:
		return fmt.Sprintf("%s. Try %d of %d follows in %s.", w.Why, w.Try, w.Tries, seconds(w.Next))
	case w.Stage == llm.Queued:
		return seconds(w.Elapsed) + " passed: the request waits for its turn."
	case w.Stage == llm.Preparing:
		return seconds(w.Elapsed) + " passed: the repository and its box are being prepared."
	}
	said := fmt.Sprintf("%s passed, %s arrived.", seconds(w.Elapsed), frame.Count(len(text), "character"))
	if w.Silent >= tellEvery/3 {
		said += " Nothing for " + seconds(w.Silent)
		if w.GivenUp > 0 {
			said += ", given up at " + seconds(w.GivenUp)
		}
		said += "."
	}
	return said
}

// fetch asks for an answer that the tester copies from a chat page.
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
