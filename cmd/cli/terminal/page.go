package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"

	"assay/cmd/cli/console"
	"assay/session/report/document"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// widestPage is the maximum width of pages of text in columns.
const widestPage = 100

// Look returns how pages of text are drawn on this terminal, and its height in rows.
func Look(io *console.IO, theme frame.ThemeName) (look markdown.Look, height int) {
	width := widestPage
	if w, h, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		width, height = min(w, widestPage), h
	}
	return markdown.LookOf(theme.Theme(lipgloss.HasDarkBackground(os.Stdin, os.Stdout), colored(io)), width), height
}

// Page prints a report's Markdown: drawn on a terminal, as it is elsewhere.
func Page(io *console.IO, g *console.Globals, write func(io.Writer) error) error {
	if !console.IsTerminal(io.Out) {
		return write(io.Out)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	set, err := Settings(io, g)
	if err != nil {
		return err
	}
	look, _ := Look(io, set.Theme)
	_, err = fmt.Fprintln(console.Raw(io.Out), markdown.Page(document.Untagged(text.String()), look))
	return err
}
