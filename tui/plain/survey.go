package plain

import (
	"fmt"
	"strings"

	"assay/tui/frame"
)

// survey asks the open questions of the exit survey in order.
func (p *talk) survey() error {
	s := p.state()
	if p.asked == 0 {
		p.say("\nFinally, some questions. Lines that begin with a dot are commands: .back, .pause, .flag TEXT, .quit.")
		p.asked = len(s.Plan.Survey) + 1
		if open := s.Asked(); len(open) > 0 {
			p.asked = open[0] + 1
		}
	}
	if p.asked > len(s.Plan.Survey) {
		return p.handIn()
	}
	q := s.Plan.Survey[p.asked-1]
	p.say("\nQuestion %d of %d: %s", p.asked, len(s.Plan.Survey), q.Text)
	if answer := s.Answers[q.ID]; answer != "" {
		p.say("Your answer so far: %s. Enter keeps it.", answer)
	}
	for i, c := range q.Choices {
		p.say("  %d  %s", i+1, frame.OneLine(c))
	}
	prompt := "Your answer:"
	if q.Optional {
		prompt = "Your answer, or just enter to leave it out:"
	}
	line, err := p.ask(prompt)
	if err != nil {
		return err
	}
	answer := strings.TrimSpace(line)
	if strings.HasPrefix(answer, ".") {
		word, rest, _ := strings.Cut(answer[1:], " ")
		return p.do(dot, word, strings.TrimSpace(rest), append([]command{p.back()}, p.aside()...))
	}
	if answer == "" && s.Answers[q.ID] != "" {
		p.asked++
		return nil
	}
	if len(q.Choices) > 0 && answer != "" {
		n := 0
		if _, err := fmt.Sscanf(answer, "%d", &n); err != nil || n < 1 || n > len(q.Choices) {
			p.say("Type a number from 1 to %d.", len(q.Choices))
			return nil
		}
		answer = q.Choices[n-1]
	}
	err = p.eng.Answer(p.ctx, q.ID, answer)
	if p.trouble(err); err == nil {
		p.asked++
	}
	return nil
}

// back returns to the previous question.
func (p *talk) back() command {
	return command{"back", "go to the previous question", func(string) error {
		p.asked = max(1, p.asked-1)
		return nil
	}}
}

// handIn submits the survey and ends the session, or goes to a missing answer.
func (p *talk) handIn() error {
	if open := p.state().Asked(); len(open) > 0 {
		p.asked = open[0] + 1
		return nil
	}
	line, err := p.ask("All questions are answered. Press enter to finish, or type .back:")
	if err != nil {
		return err
	}
	if word := strings.TrimPrefix(strings.TrimSpace(line), "."); word != "" {
		return p.do(dot, word, "", append([]command{p.back()}, p.aside()...))
	}
	p.trouble(p.eng.Finish(p.ctx))
	return nil
}
