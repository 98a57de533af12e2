package plain

import (
	"strconv"

	"assay/session"
	"assay/tui/frame"
)

// blocks prints which parts of the answer are code, and which of them is judged.
func (p *talk) blocks() error {
	parts, err := p.eng.Blocks()
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return p.noCode()
	}
	for i, part := range parts {
		is := "is not judged"
		if part.Chosen {
			is = "is judged"
		}
		why := part.Reason
		if extracted := p.state().Attempt().Extracted; part.Chosen && extracted.Candidate > 0 {
			why = extracted.Note
		}
		p.say("Block %d of %d, %s, %s. %s", i+1, len(parts), frame.Count(part.Lines, "line"), is, frame.OneLine(why))
	}
	return nil
}

// take has another block of the answer judged.
func (p *talk) take(number string) error {
	parts, err := p.eng.Blocks()
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(parts) {
		p.say("The answer has %s of code. Type take with the number of one; blocks lists them.", frame.Count(len(parts), "block"))
		return nil
	}
	if err := p.untilKnown(func(a *session.Attempt) bool { return a.Verdict != nil && a.Measured != nil }); err != nil {
		return err
	}
	if err := p.eng.Take(p.ctx, n); err != nil {
		p.trouble(err)
		return nil
	}
	p.say("Block %d is judged instead. Enter waits for the tests.", n)
	return nil
}
