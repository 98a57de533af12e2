package markdown

import (
	"fmt"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"assay/data/language"
	"assay/tui/frame"
)

// codeMargin is the width of CodeBar.
const codeMargin = 3

// CodeBar returns what precedes every row of code.
func CodeBar(theme frame.Theme) string { return " " + theme.Dim.Render("▏") + " " }

// span is a part of a line of code in one style; sgr is empty for plain text.
type span struct{ text, sgr string }

// painter colours the code of one language.
type painter struct {
	lexer chroma.Lexer
	style *chroma.Style
	open  []string // earlier lines, from the beginning of a comment or string that is still open
}

// newPainter returns the painter for a fence's info string; without colour, or for an unknown
// language, it leaves everything plain.
func newPainter(info string, look Look) *painter {
	name, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	if !look.Color || name == "" {
		return &painter{}
	}
	prepareChroma()
	lexer := lexers.Get(language.Lexer(strings.Trim(strings.ToLower(name), "{}.")))
	if lexer == nil {
		return &painter{}
	}
	return &painter{lexer: chroma.Coalesce(lexer), style: codeStyle(look)}
}

// all colours a whole source, line by line.
func (p *painter) all(code string) [][]span {
	lines := strings.Split(code, "\n")
	out := make([][]span, len(lines))
	if p.lexer != nil {
		if tokens, err := chroma.Tokenise(p.lexer, nil, code); err == nil {
			painted := chroma.SplitTokensIntoLines(tokens)
			for i := range lines {
				if i < len(painted) {
					out[i] = p.spans(painted[i], lines[i])
				}
			}
		}
	}
	for i, l := range lines {
		if out[i] == nil {
			out[i] = []span{{text: l}}
		}
	}
	return out
}

// mostOpen is how many lines of an open comment or string are highlighted again for the next
// line.
const mostOpen = 40

// sentinel is a word that can only be part of a comment or a string if the line before it left
// one open.
const sentinel = "assay0"

// next colours the next line of code. Earlier lines are highlighted again only while a comment or
// a string of several lines is open.
func (p *painter) next(line string) []span {
	if p.lexer == nil || len(line) > mostLine {
		return []span{{text: line}}
	}
	code := strings.Join(append(p.open, line), "\n") + "\n"
	tokens, err := chroma.Tokenise(p.lexer, nil, code+sentinel)
	if err != nil {
		return []span{{text: line}}
	}
	painted := chroma.SplitTokensIntoLines(tokens)
	at := len(p.open)
	if last := lastWord(tokens); last.InCategory(chroma.Comment) || last.InSubCategory(chroma.String) {
		p.open = append(p.open, line)
		if len(p.open) > mostOpen {
			p.open = nil
		}
	} else {
		p.open = nil
	}
	if at >= len(painted) {
		return []span{{text: line}}
	}
	return p.spans(painted[at], line)
}

// lastWord returns the kind of the last token that is not blank.
func lastWord(tokens []chroma.Token) chroma.TokenType {
	for i := len(tokens) - 1; i >= 0; i-- {
		if strings.TrimSpace(tokens[i].Value) != "" {
			return tokens[i].Type
		}
	}
	return chroma.Text
}

// spans converts a line's tokens to spans, or returns nil if they do not add up to the line.
func (p *painter) spans(tokens []chroma.Token, line string) []span {
	list := []span{}
	rest := line
	for _, t := range tokens {
		text := strings.TrimSuffix(t.Value, "\n")
		if text == "" {
			continue
		}
		if !strings.HasPrefix(rest, text) {
			return nil
		}
		rest = rest[len(text):]
		list = append(list, span{text, p.sgr(t.Type)})
	}
	if rest != "" {
		return nil
	}
	return list
}

func (p *painter) sgr(kind chroma.TokenType) string {
	entry := p.style.Get(kind)
	var parts []string
	if entry.Bold == chroma.Yes {
		parts = append(parts, "1")
	}
	if entry.Italic == chroma.Yes {
		parts = append(parts, "3")
	}
	if entry.Underline == chroma.Yes {
		parts = append(parts, "4")
	}
	if c := entry.Colour; c.IsSet() {
		parts = append(parts, fmt.Sprintf("38;2;%d;%d;%d", c.Red(), c.Green(), c.Blue()))
	}
	if len(parts) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(parts, ";") + "m"
}

// MostColumns is the width up to which an unbroken line is laid out: more costs time, and nobody
// scrolls that far.
const MostColumns = 4000

// codeRows lays out a line of code in rows of the look's width.
func codeRows(spans []span, look Look) []string {
	room, bar := max(8, look.Width-codeMargin), CodeBar(look.theme())
	if look.Sideways {
		room = MostColumns
	}
	rows := frame.WrapCode(codeRow(spans), room)
	for i, r := range rows {
		rows[i] = strings.TrimRight(bar+r, " ")
	}
	return rows
}

// blankCode returns the row of an empty line of code.
func blankCode(look Look) string { return strings.TrimRight(CodeBar(look.theme()), " ") }

func codeRow(spans []span) string { return strings.TrimRight(stylesOf(spans), " ") }

func stylesOf(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.sgr == "" {
			b.WriteString(s.text)
			continue
		}
		b.WriteString(s.sgr + s.text + "\x1b[m")
	}
	return b.String()
}

// Painted is code in colours, line by line.
type Painted [][]span

// Paint colours a source without laying it out. Language may be the extension of a file's name; without colour, or for a
// language that is not known, it returns nil.
func Paint(code, language string, look Look) Painted {
	painter := newPainter(language, look)
	if painter.lexer == nil || len(code) > maxColored {
		return nil
	}
	return painter.all(code)
}

// Stretch draws a text that begins at a byte of a line, counted from 1; ok is false if the line does not have it there.
func (p Painted) Stretch(line, from int, text string) (drawn string, ok bool) {
	if line < 1 || line > len(p) {
		return "", false
	}
	var spans []span
	for _, s := range p[line-1] {
		switch at := min(from, len(s.text)); {
		case text == "":
		case at < len(s.text):
			s.text = s.text[at:min(len(s.text), at+len(text))]
			if !strings.HasPrefix(text, s.text) {
				return "", false
			}
			spans, text, from = append(spans, s), text[len(s.text):], 0
		default:
			from -= at
		}
	}
	return stylesOf(spans), text == ""
}

// Numbered colours a source and lays it out in rows, each line with its number. Language may be the extension
// of a file's name.
func Numbered(code, language string, look Look) []string {
	lines := codeLines(code, language, look)
	digits := len(fmt.Sprint(len(lines)))
	look.Width -= digits
	dim := look.theme().Dim
	var rows []string
	for n, spans := range lines {
		number := fmt.Sprintf(" %*d", digits, n+1)
		for i, row := range codeRows(spans, look) {
			if i > 0 {
				number = strings.Repeat(" ", digits+1)
			}
			rows = append(rows, dim.Render(number)+strings.TrimPrefix(row, " "))
		}
	}
	return rows
}

// Code colours a source and lays it out in rows.
func Code(code, language string, look Look) []string {
	var rows []string
	for _, spans := range codeLines(code, language, look) {
		rows = append(rows, codeRows(spans, look)...)
	}
	return rows
}

// codeLines colours a source that may have escape sequences, line by line.
func codeLines(code, language string, look Look) Painted {
	code = strings.TrimRight(frame.Plain(code), "\n")
	if painted := Paint(code, language, look); painted != nil {
		return painted
	}
	return (&painter{}).all(code)
}
