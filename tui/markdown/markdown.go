package markdown

import (
	"slices"
	"strings"

	"assay/tui/frame"
)

// MaxRendered is the size in bytes up to which a text is rendered as Markdown. Beyond it the text
// is shown unchanged: rendering a megabyte takes seconds and nobody reads its headings.
const MaxRendered = 64 << 10

// AsItCame wraps a text without rendering it.
func AsItCame(text string, width int) string { return frame.Indent(Wrapped(text, width-2), " ") }

// Wrapped wraps an unrendered text: prose between words, code anywhere, with a mark.
func Wrapped(text string, width int) string {
	var r reader
	lines := strings.Split(frame.Plain(text), "\n")
	for i, line := range lines {
		if r.step(line) == codeLine {
			lines[i] = strings.Join(frame.WrapCode(line, width), "\n")
		} else {
			lines[i] = frame.WrapText(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// maxColored is the size in bytes up to which code is coloured, for the same reason.
const maxColored = 256 << 10

// Block is a part of a text: prose, or the code of one fence.
type Block struct {
	Code bool
	Part int // the number of the Part that it shows, from 1; 0: none
	Rows []string
}

// Rendering is a text laid out in rows.
type Rendering struct {
	Blocks []Block // separated by empty rows
	Given  int     // bytes passed to the Markdown renderer
	dense  bool    // no empty rows separate the blocks
}

// Rows returns the rows of all blocks.
func (r Rendering) Rows() []string {
	var rows []string
	for i, b := range r.Blocks {
		rows = append(append(rows, r.Gap(i)...), b.Rows...)
	}
	return rows
}

// Gap returns the rows before a block.
func (r Rendering) Gap(block int) []string {
	if block == 0 || r.dense {
		return nil
	}
	return []string{""}
}

// Render renders a text for the screen. It takes milliseconds, so run it in a command.
func Render(text string, look Look) string { return strings.Join(Blocks(text, look).Rows(), "\n") }

// Blocks renders a text for the screen: prose as Markdown, code in colours. Beyond MaxRendered
// and maxColored prose is only wrapped and code has no colours. Parts of the text are blocks of their own.
func Blocks(text string, look Look, apart ...Part) Rendering {
	var r Rendering
	apart = slices.Clone(apart)
	for i, p := range apart {
		apart[i] = p.in(text)
	}
	if look.Verbatim {
		return verbatim(frame.Clean(text), look, apart)
	}
	parts := split(frame.Clean(text), apart...)
	colored := 0
	for _, p := range parts {
		var rows []string
		switch {
		case p.of > 0 && apart[p.of-1].Prose:
			rows = strings.Split(AsItCame(strings.Trim(p.text, "\n"), look.Width), "\n")
		case p.code:
			language := p.info
			if colored += len(p.text); colored > maxColored {
				language = ""
			}
			if rows = p.head(look); strings.TrimSpace(p.text) != "" {
				rows = append(rows, Code(p.text, language, look)...)
			}
		case r.Given+len(p.text) > MaxRendered:
			rows = strings.Split(AsItCame(strings.Trim(p.text, "\n"), look.Width), "\n")
		default:
			r.Given += len(p.text)
			rows = rendered(p.text, look)
		}
		if len(rows) == 0 || len(rows) == 1 && strings.TrimSpace(rows[0]) == "" {
			continue
		}
		if last := len(r.Blocks) - 1; !p.code && last >= 0 && !r.Blocks[last].Code && r.Blocks[last].Part == p.of {
			r.Blocks[last].Rows = append(append(r.Blocks[last].Rows, ""), rows...)
		} else {
			r.Blocks = append(r.Blocks, Block{p.code, p.of, rows})
		}
	}
	return r
}
