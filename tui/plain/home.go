package plain

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/results"
	"assay/tui/setup"
)

// Choice is what the tester wants to do: continue a session, or start one.
type Choice struct {
	Continue string // the id of a session
	Begin    *session.Choice
}

// Choose asks what to do, given the existing sessions and the choices for a new one. The choice
// is nil when the tester leaves.
func Choose(ctx context.Context, lines <-chan string, out io.Writer, sessions []session.Summary, choices setup.Choices) (*Choice, error) {
	p := &talk{ctx: ctx, out: out, lines: lines}
	twins := results.Twins(sessions)
	var open []session.Summary
	for _, s := range sessions {
		if s.Open() && s.Automatic == "" {
			open = append(open, s)
		}
	}
	p.say("assay, line by line. What would you like to do?")
	for i, s := range open {
		begun := ""
		if when, is := twins[s.ID]; is {
			begun = ", begun " + when
		}
		p.say("  %d  continue %s%s: %s", i+1, frame.OneLine(strings.ReplaceAll(s.Title(), " · ", ", ")), begun, s.Place())
	}
	p.say("  n  start a new session\n  r  rehearse with recorded answers, without a model\n  q  leave")
	for {
		line, err := p.ask("Your choice:")
		if err != nil {
			return nil, nil
		}
		switch line = strings.TrimSpace(line); line {
		case "q", "quit":
			return nil, nil
		case "n", "new":
			return p.begin(choices)
		case "r":
			for _, m := range choices.Models {
				if m.Recorded && len(choices.Benchmarks) > 0 {
					return &Choice{Begin: &session.Choice{Benchmark: choices.Benchmarks[0], Practice: true, Tasks: 3, Model: m.Model, Seed: choices.Seed, Reference: true}}, nil
				}
			}
			p.say("There are no recorded answers.")
		default:
			if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(open) {
				return &Choice{Continue: open[n-1].ID}, nil
			}
			p.say("Type a number from the list, n, r or q.")
		}
	}
}

// begin asks for the parameters of a new session; enter accepts the value in brackets.
func (p *talk) begin(from setup.Choices) (*Choice, error) {
	c := &session.Choice{Seed: from.Seed}
	var names, ready []string
	for _, b := range from.Benchmarks {
		names = append(names, fmt.Sprintf("%s with %s", frame.OneLine(b.Name), frame.Count(len(b.Tasks), "task")))
	}
	i, err := p.pick("Benchmark", names)
	if err != nil {
		return nil, nil
	}
	c.Benchmark = from.Benchmarks[i]
	for _, m := range from.Models {
		name := frame.OneLine(m.Name)
		if !m.Ready {
			name += ", not ready: " + frame.OneLine(m.Why)
		}
		ready = append(ready, name)
	}
	if i, err = p.pick("Model", ready); err != nil {
		return nil, nil
	}
	c.Model = from.Models[i].Model
	for _, ask := range []struct {
		what string
		to   *int
		def  int
	}{{"How many tasks, 0 for all", &c.Tasks, 5}, {"Attempts for each task", &c.K, session.DefaultK}} {
		for {
			line, err := p.ask(fmt.Sprintf("%s [%d]:", ask.what, ask.def))
			if err != nil {
				return nil, nil
			}
			if *ask.to = ask.def; strings.TrimSpace(line) == "" {
				break
			}
			n, err := strconv.Atoi(strings.TrimSpace(line))
			if *ask.to = n; err == nil && n >= 0 {
				break
			}
			p.say("Type a number.")
		}
	}
	return &Choice{Begin: c}, nil
}

// pick asks for one of a list; enter alone takes the first.
func (p *talk) pick(what string, names []string) (int, error) {
	for i, n := range names {
		p.say("  %d  %s", i+1, n)
	}
	for {
		line, err := p.ask(what + " [1]:")
		if err != nil {
			return 0, err
		}
		if strings.TrimSpace(line) == "" {
			return 0, nil
		}
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && n >= 1 && n <= len(names) {
			return n - 1, nil
		}
		p.say("Type a number from 1 to %d.", len(names))
	}
}
