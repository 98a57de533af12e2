package markdown

import (
	"regexp"
	"slices"
	"strings"

	"charm.land/glamour/v2"

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
}

// Rows returns the rows of all blocks.
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
	parts := split(frame.Clean(text), apart...)
	links := linksOf(parts, len(text))
	colored := 0
	for _, p := range parts {
		var rows []string
		switch {
		case p.code:
			language := p.info
			if colored += len(p.text); colored > maxColored {
				language = ""
			}
			rows = Code(p.text, language, look)
		case r.Given+len(p.text) > MaxRendered:
			rows = strings.Split(AsItCame(strings.Trim(p.text, "\n"), look.Width), "\n")
		default:
			given := p.text
			if refers(p.text) && !strings.Contains(given, links) {
				given += "\n\n" + links
			}
			r.Given += len(given)
			rows = rendered(given, look)
		}
		if len(rows) == 1 && strings.TrimSpace(rows[0]) == "" {
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

// refers reports whether prose may contain a reference link.
func refers(prose string) bool { return strings.Contains(prose, "]") }

// link matches the definition of a reference link.
var link = regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:[ \t]*\S.*$`)

// linksOf returns the definitions of reference links in all prose, which any part of it may use;
// "" if they are so many that repeating them costs more than the text.
func linksOf(parts []part, size int) string {
	var found []string
	prose := 0
	for _, p := range parts {
		if !p.code && refers(p.text) {
			prose++
			found = append(found, link.FindAllString(p.text, -1)...)
		}
	}
	links := strings.Join(found, "\n")
	if prose < 2 || len(links)*prose > size+512 {
		return ""
	}
	return links
}

// trailing matches the padding at the end of glamour's lines, and its styles.
var trailing = regexp.MustCompile(`(?:\x1b\[[0-9;]*m| )+$`)

// rendered renders prose in rows. On an error it returns the text unchanged.
func rendered(text string, look Look) []string {
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(proseStyle(look)),
		glamour.WithWordWrap(look.Width-2),
		// The formatter of 256 colours picks at random between equally near ones.
		glamour.WithChromaFormatter("terminal16m"),
	)
	if err != nil {
		return strings.Split(frame.Wrap(text, look.Width), "\n")
	}
	out, err := renderer.Render(wrapListCode(text, look.Width))
	if err != nil {
		return strings.Split(frame.Wrap(text, look.Width), "\n")
	}
	rows := strings.Split(out, "\n")
	for i, l := range rows {
		rows[i] = strings.TrimRight(" "+strings.ReplaceAll(trailing.ReplaceAllString(l, ""), "\t", "    "), " ")
		if strings.Contains(rows[i], "\x1b[") {
			rows[i] += "\x1b[m"
		}
	}
	blank := func(row string) bool { return row == "" }
	from := max(0, slices.IndexFunc(rows, func(row string) bool { return !blank(row) }))
	to := len(rows)
	for to > from+1 && blank(rows[to-1]) {
		to--
	}
	return rows[from:to]
}

// wrapListCode breaks long lines of code in lists: the renderer would break them without a mark.
func wrapListCode(text string, width int) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	var f fence
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		inside := f.open
		if _, closes := f.step(l); inside && !closes {
			const margins = 8 // of the list, the code and the page, at most
			lines[i] = strings.Join(frame.WrapCode(plainTabs(l), width-margins), "\n")
		}
	}
	return strings.Join(lines, "\n")
}
