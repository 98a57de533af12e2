package markdown

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Place returns where in the text the view begins, for PlaceIn.
func (s *Stream) Place() Place {
	if s.follow {
		s.at = s.last()
	}
	var p Place
	for i := range min(s.at.line, s.count()) {
		p.before += letters(s.line(i).text)
	}
	for i, from := s.at.line, s.at.row; i < s.count() && len(p.text) < placeLetters; i, from = i+1, 0 {
		for j, row := range s.rows(i) {
			if j < from {
				p.before += letters(bare(row))
			} else {
				p.text += onlyLetters(bare(row))
			}
		}
	}
	p.text = p.text[:min(len(p.text), placeLetters)]
	return p
}

// Place is a position in a text that can be found again in another layout: by what is written
// there and how much is written before it. Only letters and digits count, since rendering
// Markdown may remove anything else.
type Place struct {
	before int
	text   string
}

// placeLetters is the number of bytes of letters that identify a place.
const placeLetters = 48

// PlaceOf returns the place of a row.
func PlaceOf(rows []string, row int) Place {
	var p Place
	for i, r := range rows {
		if i < row {
			p.before += letters(bare(r))
		} else if len(p.text) < placeLetters {
			p.text += onlyLetters(bare(r))
		} else {
			break
		}
	}
	p.text = p.text[:min(len(p.text), placeLetters)]
	return p
}

// Row finds a place in rows: of the rows with its text, the one closest to the same amount of
// text before it; otherwise the row with the same amount before it.
func (p Place) Row(rows []string) int {
	if p.before == 0 {
		return 0
	}
	var all strings.Builder
	starts := make([]int, len(rows)+1)
	counts := make([]int, len(rows)+1)
	for i, r := range rows {
		text := onlyLetters(bare(r))
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

// bare returns a row without styles and the number of its line.
func bare(row string) string {
	row = ansi.Strip(row)
	return row[len(numberOf.FindString(row)):]
}

// letters counts the bytes of letters and digits, which are the same in every layout.
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
