package viewer

import (
	"strings"

	"assay/benchmark"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// Statement returns the task as the tester reads it, where there are rows enough with signature, constraints and examples
// apart.
func Statement(t *benchmark.Task, size frame.Size, theme frame.Theme) string {
	var b strings.Builder
	width, apart := size.Width, size.Height > frame.FullHeight
	look := markdown.LookOf(theme, width)
	look.Breaks = t.Program() // of docstrings; other descriptions are Markdown: an issue, or code to trace
	first, _, _ := strings.Cut(strings.TrimLeft(t.Description, "# \n"), "\n")
	if strings.TrimSpace(first) != strings.TrimSpace(t.Title) {
		b.WriteString(" " + theme.Strong.Render(frame.Plain(t.Title)) + "\n")
	}
	b.WriteString(markdown.Render(t.Description, look) + "\n")
	if sig := t.SignatureText(); sig != "" {
		b.WriteString("\n" + frame.Indent(theme.Code.Render(code(sig, width)), markdown.CodeBar(theme)) + "\n")
	}
	if (apart || t.Repository != nil) && len(t.Constraints)+len(t.Examples) > 0 {
		b.WriteString("\n")
	}
	look.Width -= 2
	for _, c := range t.Constraints {
		b.WriteString(" • " + strings.TrimLeft(frame.Indent(markdown.Render(c, look), "  "), " ") + "\n")
	}
	if apart && len(t.Constraints) > 0 && len(t.Examples) > 0 {
		b.WriteString("\n")
	}
	for _, e := range t.Examples {
		b.WriteString(frame.Indent(code(e.Text(), width), markdown.CodeBar(theme)) + "\n")
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
