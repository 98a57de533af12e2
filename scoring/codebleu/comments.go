package codebleu

import (
	"strings"
	"unicode"
)

// withoutComments removes comments, docstrings and empty lines from a Python program, as the reference
// implementation does with Python's tokenizer: a string is a docstring if a line or block starts with it. A
// program that cannot be tokenized, because a string or bracket is not closed or the indentation is
// inconsistent, is returned unchanged.
func withoutComments(source string) string {
	s := &stripper{text: []rune(source), before: indent, indents: []int{0}}
	if !s.run() {
		return source
	}
	var lines []string
	for line := range strings.SplitSeq(s.out.String(), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// token is the kind of the token before a string.
type token int

const (
	other token = iota
	indent
	newline
)

type stripper struct {
	text    []rune
	at      int
	column  int
	out     strings.Builder
	before  token
	depth   int // of brackets
	indents []int
}

// run copies the program; it returns false if the program cannot be tokenized.
func (s *stripper) run() bool {
	for s.at < len(s.text) {
		if s.depth == 0 && !s.indentation() {
			return false
		}
		if !s.line() {
			return false
		}
	}
	return s.depth == 0 // Python treats a surplus closing bracket like an open one
}

// indentation reads the start of a logical line.
func (s *stripper) indentation() bool {
	s.column = 0
	start := s.at
	width := 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ':
			width++
		case '\t':
			width = (width/8 + 1) * 8
		case '\f':
			width = 0
		default:
			goto text
		}
		s.at++
		s.column++
	}
text:
	s.out.WriteString(strings.Repeat(" ", s.at-start))
	if s.at == len(s.text) || s.text[s.at] == '#' || s.text[s.at] == '\n' || s.text[s.at] == '\r' {
		return true // an empty line has no indentation
	}
	if width > s.indents[len(s.indents)-1] {
		s.indents = append(s.indents, width)
		s.before = indent
	}
	for width < s.indents[len(s.indents)-1] {
		s.indents = s.indents[:len(s.indents)-1]
		if width > s.indents[len(s.indents)-1] {
			return false
		}
		s.before = other
	}
	return true
}

// line reads to the end of a line, or of a string that extends beyond it.
func (s *stripper) line() bool {
	said := false // anything but comments
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == '\n':
			s.out.WriteByte('\n')
			s.at++
			s.column = 0
			if s.before = other; said && s.depth <= 0 {
				s.before = newline
			}
			return true
		case c == '\\' && s.next(1) == '\n':
			s.at += 2
			s.column = 0
			said = true
			continue
		case c == '#':
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
				s.column++
			}
			s.before = other
			continue
		case unicode.IsSpace(c):
			s.out.WriteByte(' ')
			s.at++
			s.column++
			continue
		}
		said = true
		if ok, isString := s.str(); !ok {
			return false
		} else if isString {
			continue
		}
		s.plain()
	}
	return true
}

func (s *stripper) next(n int) rune {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

// plain copies a token other than a string.
func (s *stripper) plain() {
	c := s.text[s.at]
	n := 1
	switch {
	case strings.ContainsRune("([{", c):
		s.depth++
	case strings.ContainsRune(")]}", c):
		s.depth--
	case c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
		for next := s.next(n); next == '_' || unicode.IsLetter(next) || unicode.IsDigit(next); next = s.next(n) {
			n++
		}
	}
	s.copy(n)
	s.before = other
}

func (s *stripper) copy(n int) {
	s.out.WriteString(string(s.text[s.at : s.at+n]))
	s.at += n
	s.column += n
}

// str reads a string, if there is one, and copies it unless it is a docstring. ok is false if the string
// never ends.
func (s *stripper) str() (ok, isString bool) {
	n := 0
	for n < 3 && strings.ContainsRune("bBrRuUfF", s.next(n)) && s.next(n) != 0 {
		n++
	}
	if n > 2 || !prefix(string(s.text[s.at:s.at+n])) {
		return true, false
	}
	quote := s.next(n)
	if quote != '"' && quote != '\'' {
		return true, false
	}
	end, triple := s.at+n+1, s.next(n+1) == quote && s.next(n+2) == quote
	if triple {
		end += 2
	}
	for {
		switch {
		case end >= len(s.text) && triple:
			return false, false
		case end >= len(s.text) || !triple && s.text[end] == '\n':
			return true, false // the quote alone is an error token
		case s.text[end] == '\\':
			end += 2
			continue
		case s.text[end] != quote:
			end++
			continue
		case !triple:
			end++
		case end+2 < len(s.text) && s.text[end+1] == quote && s.text[end+2] == quote:
			end += 3
		default:
			end++
			continue
		}
		break
	}
	if s.before == other && s.column > 0 {
		s.out.WriteString(string(s.text[s.at:end]))
	}
	for ; s.at < end; s.at++ {
		if s.column++; s.text[s.at] == '\n' {
			s.column = 0
		}
	}
	s.before = other
	return true, true
}

// prefix reports whether the letters before a quote belong to the string.
func prefix(letters string) bool {
	switch strings.ToLower(letters) {
	case "", "b", "r", "u", "f", "br", "rb", "fr", "rf":
		return true
	}
	return false
}
