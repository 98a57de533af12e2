package markdown

import (
	"strings"

	"assay/tui/frame"
)

// mostLine is the length in bytes above which an unfinished line is laid out for good, so that a
// text without line breaks costs no more than another.
const mostLine = 2 << 10

// mostPart is the size in bytes up to which a part of prose grows while it streams: each new word
// renders it again.
const mostPart = 8 << 10

// Stream lays out a growing text as [Blocks] lays out the complete one. It renders prose part by
// part, see reader, and code line by line, and only what is visible: so neither a new word nor
// another width costs more the longer the text is.
type Stream struct {
	look   Look
	height int
	text   string
	read   int    // bytes of the text already in lines
	lines  []line // parts of prose, lines of code, and blank lines
	tail   line   // the last part or line, including the unfinished line
	joins  bool   // the tail replaces the last part
	gap    string // blank lines that belong to the last part if it continues
	reader reader
	number int  // complete lines read
	within bool // the last line goes on
	painter

	at     spot // the first visible row
	follow bool // keep the end in view
}

// line is a part of prose or a line of code. Its rows belong to the look that they were made for.
type line struct {
	text  string // without anything a terminal would interpret
	spans []span // of code
	code  bool
	head  bool // what a fence says of its code
	plain bool // shown as it was written
	// number is the line's in the text; 0: it goes on from the line before
	number int
	rows   []string
	look   Look
}

// spot is a row of a line.
type spot struct{ line, row int }

// NewStream starts a text, with its beginning in view.
func NewStream() *Stream { return &Stream{height: 1} }

// Resize sets the look and height of the layout.
func (s *Stream) Resize(look Look, height int) {
	again := look.colours() != s.look.colours()
	if look.Width != s.look.Width {
		s.at.row = 0
	}
	s.look, s.height = look, max(1, height)
	if again {
		s.forget()
		s.Feed(s.text)
	}
}

func (s *Stream) forget() {
	s.read, s.lines, s.gap, s.reader, s.number, s.within, s.painter = 0, nil, "", reader{}, 0, false, painter{}
}

// Feed sets the current text: the previous one and more. A shorter one is a new text.
func (s *Stream) Feed(text string) {
	if len(text) < s.read {
		s.forget()
	}
	s.text = text
	for s.read < len(text) {
		rest := text[s.read:]
		i := strings.IndexByte(rest[:min(len(rest), mostLine)], '\n')
		if i >= 0 {
			s.add(rest[:i])
			s.read, s.within = s.read+i+1, false
			continue
		}
		if len(rest) < mostLine {
			break
		}
		cut := strings.LastIndexByte(rest[:mostLine], ' ') + 1
		if cut == 0 {
			cut = mostLine
			for cut > mostLine-4 && rest[cut]&0xC0 == 0x80 { // not within a character
				cut--
			}
		}
		s.add(rest[:cut])
		s.read, s.within = s.read+cut, true
	}
	s.peek(frame.Clean(text[s.read:]))
}

// peek lays out the unfinished line as it is so far.
func (s *Stream) peek(text string) {
	s.tail, s.joins = line{}, false
	if strings.TrimSpace(text) == "" {
		return
	}
	if s.look.Verbatim {
		s.tail = s.asWritten(text)
		return
	}
	reader := s.reader
	switch reader.step(text) {
	case fenceOpens:
		s.tail = line{text: reader.fence.info, head: true}
	case codeLine:
		painter := s.painter // a copy: an unfinished line must not open a comment for good
		painter.open = append([]string(nil), s.open...)
		text = plainTabs(text)
		s.tail = line{text: text, code: true, spans: painter.next(text)}
	case proseLine:
		if last := s.lines[len(s.lines)-1].text; len(last) < mostPart {
			s.tail, s.joins = line{text: last + s.gap + text}, true
			return
		}
		fallthrough
	case proseBegin:
		s.tail = line{text: text}
	}
}

// plainTabs shows tabs in code as [frame.Plain] does.
func plainTabs(text string) string { return strings.ReplaceAll(text, "\t", "    ") }

// asWritten returns a line that is not rendered.
func (s *Stream) asWritten(text string) line {
	l := line{text: plainTabs(strings.TrimRight(text, "\r")), plain: true}
	if !s.within {
		l.number = s.number + 1
	}
	return l
}

// add adds a finished line.
func (s *Stream) add(raw string) {
	text := frame.Clean(raw)
	if s.look.Verbatim {
		l := s.asWritten(text)
		s.lines, s.number = append(s.lines, l), max(s.number, l.number)
		return
	}
	switch s.reader.step(text) {
	case fenceOpens:
		s.painter = *newPainter(s.reader.fence.info, s.look)
		s.blank()
		if info := s.reader.fence.info; info != "" {
			s.lines = append(s.lines, line{text: info, head: true})
		}
	case fenceCloses:
		for n := len(s.lines); n > 0 && s.lines[n-1].code && strings.TrimSpace(s.lines[n-1].text) == ""; n-- {
			s.lines = s.lines[:n-1]
		}
	case codeLine:
		text = plainTabs(text)
		s.lines = append(s.lines, line{text: text, spans: s.next(text), code: true})
	case blankLine:
		s.gap += "\n"
		return
	case proseLine:
		if last := &s.lines[len(s.lines)-1]; len(last.text) < mostPart {
			*last = line{text: last.text + s.gap + text + "\n"}
			break
		}
		fallthrough
	case proseBegin:
		s.blank()
		s.lines = append(s.lines, line{text: text + "\n"})
	}
	s.gap = ""
}

// blank keeps one empty row between parts, as the rendered text has it.
func (s *Stream) blank() {
	if n := len(s.lines); n > 0 && s.lines[n-1].text != "" {
		s.lines = append(s.lines, line{})
	}
}

// count returns the number of lines, including a non-empty tail.
func (s *Stream) count() int {
	switch {
	case s.tail.text == "" || s.joins:
		return len(s.lines)
	case s.spaced():
		return len(s.lines) + 2
	}
	return len(s.lines) + 1
}

// spaced reports whether an empty row separates the last line from the tail.
func (s *Stream) spaced() bool {
	return !s.tail.code && !s.tail.plain && len(s.lines) > 0 && s.lines[len(s.lines)-1].text != ""
}

// line returns the line at an index.
func (s *Stream) line(i int) *line {
	switch {
	case i == len(s.lines)-1 && s.joins:
		return &s.tail
	case i < len(s.lines):
		return &s.lines[i]
	case i == len(s.lines) && s.spaced():
		return &line{}
	}
	return &s.tail
}

// rows returns the rows of a line in the current look.
func (s *Stream) rows(i int) []string {
	l := s.line(i)
	if l.look == s.look && l.rows != nil {
		return l.rows
	}
	l.look = s.look
	switch {
	case l.code:
		l.rows = codeRows(l.spans, s.look)
	case l.plain:
		l.rows = numbered(l.text, l.number, s.look)
	case l.text == "":
		l.rows = []string{""}
	case l.head:
		l.rows = fenceRows(l.text, s.look)
	default:
		l.rows = rendered(l.text, s.look)
	}
	return l.rows
}

// View returns the visible rows, at most the height.
func (s *Stream) View() []string {
	if s.follow {
		s.at = s.last()
	}
	var out []string
	for i, skip := s.at.line, s.at.row; i < s.count() && len(out) < s.height; i, skip = i+1, 0 {
		rows := s.rows(i)
		out = append(out, rows[min(skip, len(rows)):]...)
	}
	for i := len(out) - 1; i >= 0 && out[i] == blankCode(s.look); i-- { // blank lines may be the end of the code
		out[i] = ""
	}
	return out[:min(len(out), s.height)]
}

// last returns the first row from which the end fills the height.
func (s *Stream) last() spot {
	left := s.height
	for i := s.count() - 1; i >= 0; i-- {
		n := len(s.rows(i))
		if n >= left {
			return spot{i, n - left}
		}
		left -= n
	}
	return spot{}
}

// Scroll moves the view by a number of rows. At the end it follows the text.
func (s *Stream) Scroll(rows int) {
	end := s.last()
	if s.follow {
		s.at = end
	}
	s.follow = false
	for ; rows < 0; rows++ {
		if s.at.row > 0 {
			s.at.row--
		} else if s.at.line > 0 {
			s.at.line--
			s.at.row = len(s.rows(s.at.line)) - 1
		} else {
			return
		}
	}
	for ; rows > 0 && s.at.before(end); rows-- {
		if s.at.row++; s.at.row >= len(s.rows(s.at.line)) {
			s.at = spot{s.at.line + 1, 0}
		}
	}
	s.follow = !s.at.before(end)
}

func (a spot) before(b spot) bool { return a.line < b.line || a.line == b.line && a.row < b.row }

// Top shows the beginning, which stays in view.
func (s *Stream) Top() { s.at, s.follow = spot{}, false }

// Follow keeps the end in view.
func (s *Stream) Follow() { s.follow = true }

// Long reports whether not all of the text is in view.
func (s *Stream) Long() bool { return s.last() != spot{} }

// Following reports whether the end is kept in view.
func (s *Stream) Following() bool { return s.follow }

// Empty reports whether nothing has arrived.
func (s *Stream) Empty() bool { return s.text == "" }

// More reports whether the text goes on below the visible rows.
func (s *Stream) More() bool { return !s.follow && s.at.before(s.last()) }
