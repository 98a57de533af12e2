package plain

import (
	"strings"

	"assay/session/engine"
)

// command is a command that can be typed at some point.
type command struct {
	usage string // its name and arguments
	does  string
	run   func(words string) error
}

func (c command) name() string {
	name, _, _ := strings.Cut(c.usage, " ")
	return name
}

// dot precedes a command where lines are text.
const dot = "."

// choose reads a line and runs the command of its first word, which may be abbreviated if
// unambiguous.
func (p *talk) choose(prompt string, commands []command) error {
	commands = append(commands, p.aside()...)
	line, err := p.ask(prompt)
	if err != nil {
		return err
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	return p.do("", word, strings.TrimSpace(rest), commands)
}

// do runs the command that a word names, or lists all as they are typed here: mark precedes each.
func (p *talk) do(mark, word, rest string, commands []command) error {
	word = strings.ToLower(word)
	var found []command
	for _, c := range commands {
		if c.name() == word {
			return c.run(rest)
		}
		if word != "" && strings.HasPrefix(c.name(), word) {
			found = append(found, c)
		}
	}
	switch {
	case len(found) == 1:
		return found[0].run(rest)
	case word != "" && word != "?" && word != "help":
		p.say("%q is unknown or ambiguous here.", mark+word)
	}
	p.say("You can type:")
	for _, c := range commands {
		p.say("  %s%s: %s", mark, c.usage, c.does)
	}
	return nil
}

// aside returns the commands that are available everywhere.
func (p *talk) aside() []command {
	return []command{
		{"note TEXT", "a note on this task", func(text string) error {
			if text == "" {
				p.say("Say what to note: note TEXT.")
				return nil
			}
			p.trouble(p.eng.Note(p.ctx, text))
			return nil
		}},
		{"flag TEXT", "tell the study's owner that something is wrong", func(text string) error {
			err := p.eng.Flag(p.ctx, text)
			if p.trouble(err); err == nil {
				p.say("It has been recorded.")
			}
			return nil
		}},
		{"pause", "stop the clock", func(string) error { p.trouble(p.eng.Pause(p.ctx, engine.PauseByTester)); return nil }},
		{"quit", "leave; everything is saved", func(string) error { return errLeft }},
	}
}
