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

// MaxColored is the size in bytes up to which code is coloured, for the same reason.
const MaxColored = 256 << 10

// Block is a stretch of a text: prose, or the code of one fence.
type Block struct {
	Code bool
	Rows []string
}

// Rendering is a text laid out in rows.
type Rendering struct {
	Blocks []Block // an empty row is between two of them
	Given  int     // bytes that were given to the renderer of Markdown
}

// Rows are those of all blocks.
func (r Rendering) Rows() []string {
	var rows []string
	for i, b := range r.Blocks {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, b.Rows...)
	}
	return rows
}

// Render renders a text for the screen. It takes milliseconds, so it belongs into a
// command.
func Render(text string, look Look) string { return strings.Join(Blocks(text, look).Rows(), "\n") }

// Blocks renders a text for the screen: its prose as Markdown, its code in colours.
// Beyond MaxRendered and MaxColored prose is only wrapped and code has no colours.
func Blocks(text string, look Look) Rendering {
	var r Rendering
	segments := split(frame.Clean(text))
	links := linksOf(segments, len(text))
	colored := 0
	for _, s := range segments {
		var rows []string
		switch {
		case s.code:
			language := s.info
			if colored += len(s.text); colored > MaxColored {
				language = ""
			}
			rows = Code(s.text, language, look)
		case r.Given+len(s.text) > MaxRendered:
			rows = strings.Split(AsItCame(strings.Trim(s.text, "\n"), look.Width), "\n")
		default:
			given := s.text
			if links != "" && !strings.Contains(given, links) {
				given += "\n\n" + links
			}
			r.Given += len(given)
			rows = strings.Split(rendered(given, look), "\n")
		}
		if len(rows) > 1 || len(rows) == 1 && strings.TrimSpace(rows[0]) != "" {
			r.Blocks = append(r.Blocks, Block{s.code, rows})
		}
	}
	return r
}

// link is a line that says where a link by reference leads.
var link = regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:[ \t]*\S.*$`)

// linksOf are the links by reference of all prose, which any of it may refer to; ""
// where there are so many that repeating them costs more than the text.
func linksOf(segments []segment, size int) string {
	var found []string
	prose := 0
	for _, s := range segments {
		if !s.code {
			prose++
			found = append(found, link.FindAllString(s.text, -1)...)
		}
	}
	links := strings.Join(found, "\n")
	if prose < 2 || len(links)*prose > size {
		return ""
	}
	return links
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
	switch {
	case !look.Color:
		bold := true
		style.Strong = ansi.StylePrimitive{Bold: &bold} // bold is no colour
	case look.Contrast: // words keep the terminal's colours
	case look.Dark:
		style = styles.DarkStyleConfig
	default:
		style = styles.LightStyleConfig
	}
	if look.Color {
		// By name, because glamour keeps its own code colours in one place for
		// the whole process: the first background would win.
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, codeStyle(look)
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
