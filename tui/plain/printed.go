package plain

import (
	"cmp"
	"strings"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// printed reads out what a program printed, and lists the files that it left.
func (p *talk) printed(r verdicts.Result, files []session.Output) {
	for _, out := range []struct{ what, text string }{{"What it printed", r.Stdout}, {"What it printed as errors", r.Stderr}} {
		if strings.TrimSpace(out.text) != "" {
			p.read(out.what, out.text)
		}
	}
	for _, f := range files {
		switch {
		case f.Problem != "":
			p.say("The file %s: %s.", frame.OneLine(f.Name), frame.OneLine(f.Problem))
		default:
			p.say("It left the file %s: %s, %s.", frame.OneLine(f.Name), frame.OneLine(cmp.Or(f.Kind, "empty")), frame.Count(int(f.Size), "byte"))
		}
	}
}

// scratch runs the code with a call or an input of the tester's own and reads out what comes of it.
func (p *talk) scratch(text string) error {
	a := p.state().Attempt()
	switch {
	case a.Extracted == nil || a.Extracted.Code == "":
		return p.noCode()
	case p.state().Plan.Sees(a) != session.SeeTests:
		p.say("The study does not show the tests.")
		return nil
	case text == "":
		p.say("Say which call: run CALL.")
		return nil
	}
	ran := len(a.Scratch)
	if err := p.eng.Scratch(p.ctx, text); err != nil {
		p.trouble(err)
		return nil
	}
	if err := p.untilKnown(func(a *session.Attempt) bool { return len(a.Scratch) > ran }); err != nil {
		return err
	}
	out, err := p.eng.Text(p.state().Attempt().Scratch[ran].Output)
	if err == nil {
		p.read("What came of it, which is no verdict", out)
	}
	return err
}
