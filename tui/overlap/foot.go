package overlap

import (
	"strings"

	"charm.land/bubbles/v2/textinput"

	"assay/tui/frame"
)

// footed puts what the last key came to into the last rows of a page, or the line that is
// typed in.
func footed(p frame.Page, size frame.Size, theme frame.Theme, notice string, bad, typing bool, label string, line *textinput.Model) frame.Page {
	body := size.Body()
	rows := frame.Fit(p.Body, body)
	var last []string
	switch {
	case typing:
		line.SetWidth(body.Width - len(label) - 2)
		last = []string{theme.Strong.Render(label) + line.View()}
		if c := line.Cursor(); c != nil {
			c.X += len(label)
			c.Y = body.Height - 1
			p.Cursor = c
		}
	case notice != "":
		style := theme.Dim
		if bad {
			style, notice = theme.Bad, "✗ "+notice
		}
		const most = 3
		last = strings.Split(frame.Wrap(frame.OneLine(notice), body.Width-2), "\n")
		last = last[:min(len(last), most)]
		for i, l := range last {
			last[i] = " " + style.Render(l)
		}
	default:
		last = []string{""}
	}
	p.Body = strings.Join(append(rows[:body.Height-len(last)], last...), "\n")
	return p
}
