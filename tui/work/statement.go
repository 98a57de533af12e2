package work

import (
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// statement returns the task as the tester reads it.
func statement(t *benchmark.Task, width int, theme frame.Theme) string {
	var b strings.Builder
	b.WriteString(" " + theme.Strong.Render(frame.Plain(t.Title)) + "\n")
	if !t.Program() { // its description is Markdown: an issue, or code to trace
		b.WriteString(markdown.Render(t.Description, markdown.LookOf(theme, width)) + "\n")
	} else {
		b.WriteString(frame.Indent(markdown.Wrapped(strings.TrimSpace(t.Description), width-2), " ") + "\n")
	}
	if sig := t.SignatureText(); sig != "" {
		b.WriteString("\n" + frame.Indent(theme.Code.Render(code(sig, width)), "   ") + "\n")
	}
	if t.Repository != nil && len(t.Constraints)+len(t.Examples) > 0 {
		b.WriteString("\n")
	}
	for _, c := range t.Constraints {
		b.WriteString(frame.Indent(frame.WrapText(frame.Plain(c), width-5), "   ") + "\n")
	}
	for _, e := range t.Examples {
		line := fmt.Sprintf("%s → %s", e.Input, e.Output)
		if e.Explanation != "" {
			line += "   (" + e.Explanation + ")"
		}
		b.WriteString(frame.Indent(code(line, width), "   ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// code breaks lines of code for the statement of a task.
func code(text string, width int) string {
	var rows []string
	for _, line := range strings.Split(frame.Plain(text), "\n") {
		rows = append(rows, frame.WrapCode(line, width-5)...)
	}
	return strings.Join(rows, "\n")
}
