package work

import (
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/tui/frame"
)

// statement is the task as the tester reads it.
func statement(t *benchmark.Task, width int, theme frame.Theme) string {
	var b strings.Builder
	b.WriteString(" " + theme.Strong.Render(frame.Plain(t.Title)) + "\n")
	b.WriteString(frame.Indent(frame.Wrap(frame.Plain(strings.TrimSpace(t.Description)), width-2), " ") + "\n")
	if sig := t.SignatureText(); sig != "" {
		b.WriteString("\n" + frame.Indent(theme.Code.Render(frame.Wrap(frame.Plain(sig), width-5)), "   ") + "\n")
	}
	for _, c := range t.Constraints {
		b.WriteString(frame.Indent(frame.Wrap(frame.Plain(c), width-5), "   ") + "\n")
	}
	for _, e := range t.Examples {
		line := fmt.Sprintf("%s → %s", e.Input, e.Output)
		if e.Explanation != "" {
			line += "   (" + e.Explanation + ")"
		}
		b.WriteString(frame.Indent(frame.Wrap(frame.Plain(line), width-5), "   ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
