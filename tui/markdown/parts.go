package markdown

import (
	"regexp"
	"slices"
	"strings"

	"assay/tui/frame"
)

// fence is the position of a Markdown reader: inside a code fence, or outside.
type fence struct {
	open   bool
	top    bool // a top-level block, not part of a list item
	char   byte
	length int
	info   string
}

// step reads the next line and reports whether it opens or closes a fence.
func (f *fence) step(line string) (opens, closes bool) {
	trimmed := strings.TrimLeft(line, " \t")
	n := 0
	for n < len(trimmed) && n < 64 && (trimmed[n] == '`' || trimmed[n] == '~') && trimmed[n] == trimmed[0] {
		n++
	}
	rest := trimmed[n:]
	if f.open {
		if n >= f.length && trimmed[0] == f.char && strings.TrimSpace(rest) == "" {
			f.open = false
			return false, true
		}
		return false, false
	}
	if n < 3 || trimmed[0] == '`' && strings.Contains(rest, "`") {
		return false, false
	}
	*f = fence{open: true, top: len(trimmed) == len(line), char: trimmed[0], length: n, info: strings.TrimSpace(rest)}
	return true, false
}

// role is the role of a line in a text.
type role int

const (
	fenceOpens role = iota
	fenceCloses
	codeLine
	blankLine  // outside of code
	proseBegin // the first line of a paragraph, list or table: prose that is rendered separately
	proseLine  // a further one
)

// reader splits a text line by line, whether it is complete or still streaming: into the code of
// fences, and parts of prose that look the same whatever follows them. Fences in lists belong to
// the list.
type reader struct {
	fence fence
	prose bool // a part of prose is open
	list  bool // it contains a list
	blank bool // the previous line was blank
}

// marker matches the beginning of a list item.
var marker = regexp.MustCompile(`^ {0,3}([-*+]|\d{1,9}[.)])([ \t]|$)`)

// step reads the next line.
func (r *reader) step(line string) role {
	top, inside := r.fence.top, r.fence.open
	opens, closes := r.fence.step(line)
	switch {
	case opens && r.fence.top:
		r.prose = false
		return fenceOpens
	case closes && top:
		return fenceCloses
	case inside && top:
		return codeLine
	case strings.TrimSpace(line) == "" && !inside:
		r.blank = true
		return blankLine
	}
	item := !inside && marker.MatchString(line)
	goesOn := r.prose && (inside || !r.blank || r.list && (item || line[0] == ' ' || line[0] == '\t'))
	r.list = item || goesOn && r.list
	r.prose, r.blank = true, false
	if goesOn {
		return proseLine
	}
	return proseBegin
}

// Part is a part of a text that is told apart from the rest. Outside of fences it is shown as code, or as it was
// written if it is prose.
type Part struct {
	Start, End int // in bytes
	Language   string
	Prose      bool
}

// in returns the part in a text without what is not drawn.
func (p Part) in(text string) Part {
	p.Start, p.End = len(frame.Clean(text[:p.Start])), len(frame.Clean(text[:p.End]))
	return p
}

// part is the code of a fence, or prose that is rendered separately.
type part struct {
	code bool
	info string
	text string
	said bool // the text has the info, at the fence
	of   int  // the number of the Part that it belongs to, from 1; 0: none
}

// split splits a complete text.
func split(text string, parts ...Part) []part {
	var list []part
	var r reader
	from, at := 0, 0 // start of the last part, and of the line
	for line := range strings.Lines(text) {
		end := at + len(line)
		of := 1 + slices.IndexFunc(parts, func(p Part) bool { return p.Start < end && p.End > at })
		last := len(list) - 1
		switch outside := of > 0 && !r.fence.open; {
		case outside && last >= 0 && list[last].code && list[last].of == of:
			list[last].text = text[from:end]
		case outside:
			list, from, r = append(list, part{code: true, info: parts[of-1].Language, text: line, of: of}), at, reader{}
		default:
			switch r.step(strings.TrimRight(line, "\r\n")) {
			case fenceOpens:
				list, from = append(list, part{code: true, info: r.fence.info, said: true}), end
			case proseBegin:
				list, from = append(list, part{text: line}), at
			case codeLine, proseLine:
				list[last].text = text[from:end] // including the blank lines between
				list[last].of = max(list[last].of, of)
			}
		}
		at = end
	}
	return list
}

// head returns the row above code: what the fence says of it.
func (p part) head(look Look) []string {
	if !p.said || p.info == "" {
		return nil
	}
	return fenceRows(p.info, look)
}

// fenceRows draws what a fence says of its code.
func fenceRows(info string, look Look) []string {
	text := look.theme().Dim.Render(frame.WrapText(plainTabs(info), look.Width-codeMargin))
	return strings.Split(frame.Indent(text, CodeBar(look.theme())), "\n")
}
