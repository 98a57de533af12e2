package servetest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Screen is what stands on a terminal: enough of one for what assay draws on a vt100.
type Screen struct {
	width, height int
	cells         [][]string // "" behind a wide character
	x, y          int
	top, bottom   int    // the rows that scroll, from top to before bottom
	inserts       bool   // what is written moves the rest of its line
	pending       []byte // of a sequence or a character that is not complete
}

// NewScreen makes an empty one.
func NewScreen(width, height int) *Screen {
	s := &Screen{width: width, height: height, bottom: height}
	s.clear()
	return s
}

func (s *Screen) clear() {
	s.cells = make([][]string, s.height)
	for y := range s.cells {
		s.cells[y] = make([]string, s.width)
		s.erase(y, 0, s.width)
	}
}

func (s *Screen) erase(y, from, to int) {
	for x := max(from, 0); x < min(to, s.width); x++ {
		s.cells[y][x] = " "
	}
}

// String returns the text on the screen.
func (s *Screen) String() string {
	lines := make([]string, s.height)
	for y, row := range s.cells {
		lines[y] = strings.TrimRight(strings.Join(row, ""), " ")
	}
	return strings.Join(lines, "\n")
}

// Write implements io.Writer.
func (s *Screen) Write(data []byte) (int, error) {
	rest := append(s.pending, data...)
	for len(rest) > 0 {
		n := s.next(rest)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	s.pending = append([]byte(nil), rest...)
	return len(data), nil
}

// next takes one character or sequence, and returns its length; 0: it is not complete.
func (s *Screen) next(data []byte) int {
	switch b := data[0]; {
	case b == 0x1b:
		return s.sequence(data)
	case b == '\r':
		s.x = 0
	case b == '\n':
		s.down()
	case b == '\b':
		s.x = max(0, s.x-1)
	case b == '\t':
		s.x = min(s.width-1, s.x/8*8+8)
	case b < ' ':
	default:
		if !utf8.FullRune(data) {
			return 0
		}
		r, n := utf8.DecodeRune(data)
		s.put(string(r))
		return n
	}
	return 1
}

func (s *Screen) down() {
	if s.y != s.bottom-1 {
		s.y = min(s.height-1, s.y+1)
		return
	}
	first := s.cells[s.top]
	copy(s.cells[s.top:s.bottom], s.cells[s.top+1:s.bottom])
	s.cells[s.bottom-1] = first
	s.erase(s.bottom-1, 0, s.width)
}

func (s *Screen) up() {
	if s.y != s.top {
		s.y = max(0, s.y-1)
		return
	}
	last := s.cells[s.bottom-1]
	copy(s.cells[s.top+1:s.bottom], s.cells[s.top:s.bottom-1])
	s.cells[s.top] = last
	s.erase(s.top, 0, s.width)
}

// scrolls sets the rows that scroll, counted from 1; all of them where that means none.
func (s *Screen) scrolls(top, bottom int) {
	s.top, s.bottom = max(top, 1)-1, min(bottom, s.height)
	if s.bottom <= s.top+1 {
		s.top, s.bottom = 0, s.height
	}
	s.x, s.y = 0, 0
}

func (s *Screen) put(character string) {
	width := ansi.StringWidth(character)
	if width == 0 {
		if s.x > 0 {
			s.cells[s.y][s.x-1] += character
		}
		return
	}
	if s.x+width > s.width {
		s.x = 0
		s.down()
	}
	if s.inserts {
		s.shift(width)
	}
	s.cells[s.y][s.x] = character
	for i := 1; i < width; i++ {
		s.cells[s.y][s.x+i] = ""
	}
	s.x += width
}

// shift moves the rest of the line to the right.
func (s *Screen) shift(n int) {
	row := s.cells[s.y]
	at := min(s.x, s.width)
	n = min(n, s.width-at)
	copy(row[at+n:], row[at:])
	s.erase(s.y, at, at+n)
}

// sequence takes an escape sequence.
func (s *Screen) sequence(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '[':
		for i := 2; i < len(data); i++ {
			if data[i] >= '@' && data[i] <= '~' {
				s.control(string(data[2:i]), data[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(data); i++ {
			if data[i] == 7 {
				return i + 1
			}
			if data[i] == '\\' && data[i-1] == 0x1b {
				return i + 1
			}
		}
		return 0
	case 'M':
		s.up()
	case '(', ')':
		return min(3, len(data)) / 3 * 3
	}
	return 2
}

func (s *Screen) control(parameters string, final byte) {
	if parameters != "" && strings.ContainsRune("?<=>", rune(parameters[0])) {
		if final == 'h' && strings.Contains(parameters, "1049") {
			s.clear()
		}
		return
	}
	var p [2]int
	for i, text := range strings.SplitN(parameters, ";", 2) {
		p[i], _ = strconv.Atoi(text)
	}
	one := max(p[0], 1)
	switch final {
	case 'A':
		s.y = max(0, s.y-one)
	case 'B':
		s.y = min(s.height-1, s.y+one)
	case 'C':
		s.x = min(s.width-1, s.x+one)
	case 'D':
		s.x = max(0, min(s.x, s.width)-one)
	case 'G', '`':
		s.x = min(s.width, one) - 1
	case 'd':
		s.y = min(s.height, one) - 1
	case 'H', 'f':
		s.y, s.x = min(s.height, one)-1, min(s.width, max(p[1], 1))-1
	case 'r':
		s.scrolls(p[0], p[1])
	case 'X':
		s.erase(s.y, s.x, s.x+one)
	case '@':
		s.shift(one)
	case 'P':
		row := append(s.cells[s.y][:min(s.x, s.width):min(s.x, s.width)], s.cells[s.y][min(s.x+one, s.width):]...)
		for len(row) < s.width {
			row = append(row, " ")
		}
		s.cells[s.y] = row
	case 'h', 'l':
		if p[0] == 4 {
			s.inserts = final == 'h'
		}
	case 'K':
		from, to := s.x, s.width
		if p[0] > 0 {
			from = 0
		}
		if p[0] == 1 {
			to = s.x + 1
		}
		s.erase(s.y, from, to)
	case 'J':
		s.below(p[0])
	}
}

// below erases parts of the screen.
func (s *Screen) below(what int) {
	from, to := s.y+1, s.height
	switch what {
	case 0:
		s.erase(s.y, s.x, s.width)
	case 1:
		from, to = 0, s.y
		s.erase(s.y, 0, s.x+1)
	default:
		from = 0
	}
	for y := from; y < to; y++ {
		s.erase(y, 0, s.width)
	}
}
