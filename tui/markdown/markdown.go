package markdown

import (
	"regexp"
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"

	"assay/tui/frame"
)

// MaxRendered is the size in bytes up to which a text is rendered as Markdown.
// Beyond it the text is shown as it came: rendering a megabyte takes seconds and
// nobody reads its headings.
const MaxRendered = 64 << 10

// Look is what a rendering depends on besides the text.
type Look struct {
	Width       int
	Dark, Color bool
	Contrast    bool // only code has colours, of high contrast
}

// LookOf is how texts are rendered in a theme.
func LookOf(theme frame.Theme, width int) Look {
	return Look{Width: width, Dark: theme.Dark, Color: theme.Color, Contrast: theme.Paper != nil}
}

// AsItCame is a text without any rendering, wrapped to width.
func AsItCame(text string, width int) string {
	return frame.Indent(frame.Wrap(frame.Plain(text), width-2), " ")
}

// Render renders a text for the screen, or only wraps a long one. It takes
// milliseconds, so it belongs into a command.
func Render(text string, look Look) string {
	if len(text) > MaxRendered {
		return AsItCame(text, look.Width)
	}
	return rendered(text, look)
}

// trailing is the padding that glamour fills lines with, and the styles of it.
var trailing = regexp.MustCompile(`(?:\x1b\[[0-9;]*m| )+$`)

// rendered renders a text for the screen. On any error the text comes
// back as it is.
func rendered(text string, look Look) string {
	text = frame.Clean(text)
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(plainStyle(look)),
		glamour.WithWordWrap(look.Width-2),
		// The formatter of 256 colours picks at random between equally near ones.
		glamour.WithChromaFormatter("terminal16m"),
	)
	if err != nil {
		return frame.Wrap(text, look.Width)
	}
	out, err := renderer.Render(text)
	if err != nil {
		return frame.Wrap(text, look.Width)
	}
	lines := strings.Split(strings.Trim(out, "\n"), "\n")
	for i, l := range lines {
		lines[i] = " " + trailing.ReplaceAllString(l, "")
		if strings.Contains(lines[i], "\x1b[") {
			lines[i] += "\x1b[m"
		}
	}
	return strings.Join(lines, "\n")
}

// plainStyle is glamour's standard style without its margins and padding, so
// that text can be selected as it stands.
func plainStyle(look Look) ansi.StyleConfig {
	style := styles.NoTTYStyleConfig
	switch colored, dark := look.Color, look.Dark; {
	case colored && look.Contrast && dark:
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, "modus-vivendi"
	case colored && look.Contrast:
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, "modus-operandi"
	case colored && dark:
		style = styles.DarkStyleConfig
		// By name, because glamour keeps its own code colours in one place for
		// the whole process: the first background would win.
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, "github-dark"
	case colored:
		style = styles.LightStyleConfig
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, "modus-operandi" // of chroma's light styles the one that can be read
	}
	none, two := uint(0), uint(2)
	style.Document.Margin = &none
	style.Document.BlockPrefix, style.Document.BlockSuffix = "", ""
	style.CodeBlock.Margin = &two
	if look.Color && !look.Contrast {
		style.Code.Prefix, style.Code.Suffix = "", "" // padding would be selected with the text
	}
	return style
}
