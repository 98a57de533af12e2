package plain

import (
	"fmt"
	"strconv"
	"strings"

	"assay/session"
	"assay/tui/frame"
)

// rate asks for the missing values of the open task's form, one at a time, and commits the form
// when it is complete.
func (p *talk) rate() error {
	s := p.state()
	missing := s.Missing()
	if p.rating != p.id() {
		p.rating = p.id()
		p.say("\nRate the final answer. Nothing is preset; undo takes the last rating back, even the judgement.")
	}
	if len(missing) == 0 {
		return p.choose("Everything is rated. Type commit, undo or note TEXT:", []command{
			{"commit", "close the task", func(string) error { p.trouble(p.eng.Commit(p.ctx)); return nil }}, p.undo(),
		})
	}
	id := missing[0]
	prompt, answer := p.question(id)
	line, err := p.ask(prompt)
	if err != nil {
		return err
	}
	line = strings.TrimSpace(line)
	if answer(line) {
		return nil
	}
	word, rest, _ := strings.Cut(line, " ")
	return p.do("", word, strings.TrimSpace(rest), append([]command{p.undo()}, append(p.looking(), p.aside()...)...))
}

func (p *talk) undo() command {
	return command{"undo", "take the last rating, label or judgement back", func(string) error { p.trouble(p.eng.Undo(p.ctx)); return nil }}
}

// question returns the prompt for a missing rating or label, and a function that records an
// answer, or returns false if it is not valid.
func (p *talk) question(id string) (prompt string, answer func(string) bool) {
	s := p.state()
	score := func(most int) func(string) bool {
		return func(line string) bool {
			n, err := strconv.Atoi(line)
			if err != nil {
				return false
			}
			if n < session.MinScore || n > most {
				p.say("Type a number from %d to %d.", session.MinScore, most)
				return true
			}
			p.trouble(p.eng.Rate(p.ctx, id, n))
			return true
		}
	}
	if id == session.CheckID {
		return frame.OneLine(s.Task().Check.Text) + ":", score(s.Plan.Attributes[0].Max()) // a check stands among attributes
	}
	for _, a := range s.Plan.Attributes {
		if a.ID == id {
			low, high := a.Anchors()
			return fmt.Sprintf("%s, %s, 1 %s to %d %s:", frame.OneLine(a.Name), frame.OneLine(a.Meaning),
				frame.OneLine(low), a.Max(), frame.OneLine(high)), score(a.Max())
		}
	}
	if id == session.MergeID {
		return "Would you merge this? yes, changes (with small changes) or no; after changes or no say why, in the same line:", p.merge
	}
	for _, l := range s.Plan.AskedLabels() {
		if l.ID != id {
			continue
		}
		return fmt.Sprintf("%s, %s:", frame.OneLine(l.Name), frame.OneLine(strings.Join(l.Values, " or "))), func(line string) bool {
			switch found := meant(l.Values, line); len(found) {
			case 0:
				return false
			case 1:
				p.trouble(p.eng.Label(p.ctx, id, found[0]))
			default:
				p.say("That could be %s: type more of it.", strings.Join(found, " or "))
			}
			return true
		}
	}
	return id + ":", func(string) bool { return false }
}

// merge takes the answer to "Would you merge this?".
func (p *talk) merge(line string) bool {
	word, why, _ := strings.Cut(line, " ")
	found := meant([]string{"yes", "changes", "no"}, word)
	if len(found) != 1 {
		return false
	}
	answer := session.MergeJudged{Answer: session.MergeAnswer(strings.Replace(found[0], "changes", string(session.MergeChanges), 1)), Text: strings.TrimSpace(why)}
	if !answer.Complete() {
		p.say("Say why, in the same line: %s it is hard to read.", found[0])
		return true
	}
	p.trouble(p.eng.MergeJudged(p.ctx, answer))
	return true
}

// meant returns the values that a line may mean: the exact match, else those with that prefix.
func meant(values []string, line string) []string {
	line = strings.ToLower(line)
	var found []string
	for _, v := range values {
		if strings.ToLower(v) == line {
			return []string{v}
		}
		if line != "" && strings.HasPrefix(strings.ToLower(v), line) {
			found = append(found, v)
		}
	}
	return found
}
