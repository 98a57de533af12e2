package work

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"assay/session"
	"assay/tui/frame"
)

// changesText is the code of an attempt against the code of the one before.
func (m *viewer) changesText(a *session.Attempt, width int) string {
	code := m.codeOf(a)
	before := m.previous()
	switch {
	case a.Extracted != nil && a.Extracted.Code == "":
		return "\n " + m.theme.Dim.Render("There is no code in this answer.")
	case before == nil:
		return "\n " + m.theme.Dim.Render("This is the first attempt: there is nothing to compare with. The code is:") + "\n\n" +
			frame.Indent(frame.Plain(code), "   ")
	}
	old := m.codeOf(before)
	if old == code {
		return "\n " + m.theme.Warn.Render(fmt.Sprintf("The code is the same as in attempt %d.", before.N))
	}
	head := fmt.Sprintf("attempt %d → attempt %d", before.N, a.N)
	return "\n " + m.theme.Dim.Render(head) + "\n\n" + diffText(old, code, m.theme)
}

// codeOf is the code that was taken from an attempt's answer.
func (m *viewer) codeOf(a *session.Attempt) string {
	if a.Extracted == nil {
		return ""
	}
	return m.text(a.Extracted.Code)
}

// promptText is what was sent, with the difference to the prompt before.
func (m *viewer) promptText(a *session.Attempt, width int) string {
	prompt := m.text(a.Sent.Prompt)
	facts := fmt.Sprintf("%d bytes, %d of them inserted · %s sent · %s", a.Sent.Bytes, a.Sent.Inserted,
		count(len(a.Sent.Messages), "message"), frame.OneLine(string(m.state.Plan.Context)))
	text := "\n " + m.theme.Dim.Render(facts) + "\n\n" + frame.Indent(frame.Wrap(frame.Plain(prompt), width-4), "   ")
	if before := m.previous(); before != nil && before.Sent != nil {
		text += "\n\n " + m.theme.Dim.Render("against the prompt before") + "\n\n" + diffText(m.text(before.Sent.Prompt), prompt, m.theme)
	}
	return text
}

// diffText marks the lines that went and came: "-" and "+" in the first
// column, the rest unchanged.
func diffText(before, after string, theme frame.Theme) string {
	engine := diffmatchpatch.New()
	a, b, lines := engine.DiffLinesToChars(ensureNewline(before), ensureNewline(after))
	diffs := engine.DiffCharsToLines(engine.DiffMain(a, b, false), lines)
	var out strings.Builder
	for _, d := range diffs {
		for line := range strings.Lines(d.Text) {
			line = frame.Plain(strings.TrimSuffix(line, "\n"))
			switch d.Type {
			case diffmatchpatch.DiffDelete:
				out.WriteString(theme.Bad.Render(" - "+line) + "\n")
			case diffmatchpatch.DiffInsert:
				out.WriteString(theme.Good.Render(" + "+line) + "\n")
			default:
				out.WriteString("   " + line + "\n")
			}
		}
	}
	return out.String()
}

func ensureNewline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
