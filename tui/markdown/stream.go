package markdown

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// mostLine is the size in bytes from which on a line is not waited for: what is there
// of it is laid out for good, so that a text without line breaks costs no more than
// another.
const mostLine = 2 << 10

// Stream lays out a text that grows, without rendering Markdown, whose look could still
// change with the next letter: prose wrapped, code in its colours. Each line is read
// once and wrapped only when it is seen, so that neither a new word nor another width
// costs more the longer the text is.
type Stream struct {
	look   Look
	height int
	text   string
	read   int // bytes of the text that are in lines
	lines  []line
	tail   line // the last line, as far as it is there
	fence  fence
	painter

	at     spot // what is seen first
	follow bool // the end is kept in view
}

// line is a line of the text. Its rows are those of the width that they were made for.
type line struct {
	text  string // without anything a terminal would interpret
	spans []span // of code
	code  bool
	head  bool // a heading
	rows  []string
	width int
}

// spot is a row of a line.
type spot struct{ line, row int }

// NewStream begins a text, with its end kept in view.
func NewStream() *Stream { return &Stream{follow: true, height: 1} }

// Resize says what the text is laid out for.
func (s *Stream) Resize(look Look, height int) {
	colours := s.look
	if colours.Width = look.Width; colours != look {
		s.forget()
		defer func() { s.Feed(s.text) }()
	}
	if look.Width != s.look.Width {
		s.at.row = 0
	}
	s.look, s.height = look, max(1, height)
}

func (s *Stream) forget() {
	s.read, s.lines, s.tail, s.fence, s.painter = 0, nil, line{}, fence{}, painter{}
}

// Feed takes the text as it is now: what it was, and more. A shorter one is another.
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
			s.read += i + 1
			continue
		}
		if len(rest) < mostLine {
			break
		}
		cut := strings.LastIndexByte(rest[:mostLine], ' ') + 1
		if cut == 0 {
			cut = mostLine
			for cut > mostLine-4 && rest[cut]&0xC0 == 0x80 { // not within a letter
				cut--
			}
		}
		s.add(rest[:cut])
		s.read += cut
	}
	s.tail = line{text: frame.Plain(text[s.read:]), code: s.fence.open}
	if begun := s.fence; len(s.tail.text) < 64 {
		if opens, closes := begun.step(s.tail.text); opens || closes {
			s.tail = line{} // a fence is not drawn
		}
	}
	if s.tail.code {
		peek := s.painter // what the unfinished line seems to leave open is not kept
		peek.open = append([]string(nil), s.open...)
		s.tail.spans = peek.next(s.tail.text)
	}
}

// add takes a finished line.
func (s *Stream) add(raw string) {
	text := frame.Plain(raw)
	opens, closes := s.fence.step(text)
	switch {
	case opens:
		s.painter = *newPainter(s.fence.info, s.look)
		s.blank()
	case closes:
		s.blank()
	case s.fence.open:
		s.lines = append(s.lines, line{text: text, spans: s.next(text), code: true})
	case strings.TrimSpace(text) == "":
		s.blank()
	default:
		s.lines = append(s.lines, line{text: text, head: isHeading(text)})
	}
}

func isHeading(text string) bool {
	n := len(text) - len(strings.TrimLeft(text, "#"))
	return n > 0 && n < 7 && strings.HasPrefix(text[n:], " ")
}

// blank keeps one empty line between paragraphs, as the rendered text has it.
func (s *Stream) blank() {
	if n := len(s.lines); n > 0 && s.lines[n-1].text != "" {
		s.lines = append(s.lines, line{})
	}
}

// count is how many lines there are; the unfinished one counts when it has something.
func (s *Stream) count() int {
	if strings.TrimSpace(s.tail.text) == "" {
		return len(s.lines)
	}
	return len(s.lines) + 1
}

// rows are those of a line at the present width.
func (s *Stream) rows(i int) []string {
	l := &s.tail
	if i < len(s.lines) {
		l = &s.lines[i]
	}
	if l.width == s.look.Width && l.rows != nil {
		return l.rows
	}
	l.width = s.look.Width
	switch {
	case l.code:
		l.rows = codeRows(l.spans, s.look.Width)
	case l.head:
		l.rows = strings.Split(ansi.Wordwrap(l.text, s.look.Width-2, ""), "\n")
		for i, r := range l.rows {
			l.rows[i] = " \x1b[1m" + r + "\x1b[m"
		}
	default:
		l.rows = strings.Split(frame.Indent(frame.Wrap(l.text, s.look.Width-2), " "), "\n")
	}
	return l.rows
}

// View is what is seen, at most as many rows as the height.
func (s *Stream) View() []string {
	if s.follow {
		s.at = s.last()
	}
	var out []string
	for i, skip := s.at.line, s.at.row; i < s.count() && len(out) < s.height; i, skip = i+1, 0 {
		rows := s.rows(i)
		out = append(out, rows[min(skip, len(rows)):]...)
	}
	return out[:min(len(out), s.height)]
}

// last is the spot from which on the end fills the height.
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

// Scroll moves the view by so many rows. At the end it follows the text again.
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
func (s *Stream) Top() { s.at, s.follow = spot{}, s.last() == spot{} }

// Follow keeps the end in view.
func (s *Stream) Follow() { s.follow = true }

// Following says whether the end is kept in view.
func (s *Stream) Following() bool { return s.follow }

// Place says where in the text the view begins, for PlaceIn.
func (s *Stream) Place() Place {
	if s.follow {
		s.at = s.last()
	}
	var p Place
	for i := range min(s.at.line, s.count()) {
		if i < len(s.lines) {
			p.before += letters(s.lines[i].text)
		}
	}
	for i, from := s.at.line, s.at.row; i < s.count() && len(p.text) < placeLetters; i, from = i+1, 0 {
		for j, row := range s.rows(i) {
			if j < from {
				p.before += letters(ansi.Strip(row))
			} else {
				p.text += onlyLetters(ansi.Strip(row))
			}
		}
	}
	p.text = p.text[:min(len(p.text), placeLetters)]
	return p
}

// Place is a point of a text that can be found again when the text is laid out in
// another way: by what is written there and how much is written before it. Only
// letters and digits count, since all else may go when Markdown is rendered.
type Place struct {
	before int
	text   string
}

// placeLetters is how many bytes of letters name a place.
const placeLetters = 48

// PlaceOf is the place of a row.
func PlaceOf(rows []string, row int) Place {
	var p Place
	for i, r := range rows {
		if i < row {
			p.before += letters(ansi.Strip(r))
		} else if len(p.text) < placeLetters {
			p.text += onlyLetters(ansi.Strip(r))
		} else {
			break
		}
	}
	p.text = p.text[:min(len(p.text), placeLetters)]
	return p
}

// Row finds a place in rows: of the rows that have its text, the one with nearest to as
// much before it, or where as much is before it.
func (p Place) Row(rows []string) int {
	if p.before == 0 {
		return 0
	}
	var all strings.Builder
	starts := make([]int, len(rows)+1)
	counts := make([]int, len(rows)+1)
	for i, r := range rows {
		text := onlyLetters(ansi.Strip(r))
		all.WriteString(text)
		starts[i+1], counts[i+1] = all.Len(), counts[i]+letters(text)
	}
	guess := 0
	for guess < len(rows)-1 && counts[guess+1] <= p.before {
		guess++
	}
	if len(p.text) < 8 {
		return guess
	}
	best, found := guess, false
	text, row := all.String(), 0
	for from := 0; ; {
		i := strings.Index(text[from:], p.text)
		if i < 0 {
			break
		}
		for row < len(rows)-1 && starts[row+1] <= from+i {
			row++
		}
		if !found || distance(counts[row], p.before) < distance(counts[best], p.before) {
			best, found = row, true
		}
		from += i + 1
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// letters counts what of a text is the same however it is laid out.
func letters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func onlyLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
