package source

import "strings"

// lexis says how comments and texts begin and end in a language.
type lexis struct {
	line   []string    // marks of comments to the end of the line
	block  [][2]string // of comments
	texts  [][2]string // of texts, the longest mark first
	escape bool        // a backslash in a text takes the next character
	nested bool        // block comments nest
}

var (
	cComments = [][2]string{{"/*", "*/"}}
	plain     = [][2]string{{`"`, `"`}, {"'", "'"}}
	likeC     = lexis{line: []string{"//"}, block: cComments, texts: plain, escape: true}
	likeShell = lexis{line: []string{"#"}, texts: plain, escape: true}
	likeLisp  = lexis{line: []string{";"}, block: [][2]string{{"#|", "|#"}}, texts: [][2]string{{`"`, `"`}}, escape: true}
	withBlock = lexis{line: []string{"//"}, block: cComments, texts: append([][2]string{{`"""`, `"""`}}, plain...), escape: true}
	likeJS    = lexis{line: []string{"//"}, block: cComments, texts: append([][2]string{{"`", "`"}}, plain...), escape: true}
)

var lexes = map[string]lexis{
	"c": likeC, "cpp": likeC, "go": likeJS, "java": withBlock, "csharp": withBlock, "kotlin": withBlock, "scala": withBlock, "swift": withBlock, "d": likeJS,
	"javascript": likeJS, "typescript": likeJS, "php": {line: []string{"//", "#"}, block: cComments, texts: plain, escape: true},
	"rust":    {line: []string{"//"}, block: cComments, texts: plain, escape: true, nested: true},
	"python":  {line: []string{"#"}, texts: append([][2]string{{`"""`, `"""`}, {"'''", "'''"}}, plain...), escape: true},
	"julia":   {line: []string{"#"}, block: [][2]string{{"#=", "=#"}}, texts: [][2]string{{`"""`, `"""`}, {`"`, `"`}}, escape: true},
	"ruby":    likeShell,
	"perl":    likeShell,
	"r":       likeShell,
	"bash":    likeShell,
	"lua":     {line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, texts: append([][2]string{{"[[", "]]"}}, plain...), escape: true},
	"haskell": {line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, texts: [][2]string{{`"`, `"`}}, escape: true, nested: true},
	"ocaml":   {block: [][2]string{{"(*", "*)"}}, texts: [][2]string{{`"`, `"`}}, escape: true, nested: true},
	"elixir":  {line: []string{"#"}, texts: append([][2]string{{`"""`, `"""`}, {"'''", "'''"}}, plain...), escape: true},
	"racket":  likeLisp, "clojure": likeLisp,
}

// mask returns a program of the same length in which comments and texts are blanks, so that words and braces in it are
// the program's own. Line ends stay.
func mask(language, text string) string {
	l, known := lexes[language]
	if !known {
		return text
	}
	masked := []byte(text)
	for i := 0; i < len(text); {
		end := l.skip(language, text, i)
		if end == i {
			i++
			continue
		}
		for ; i < end; i++ {
			if masked[i] != '\n' {
				masked[i] = ' '
			}
		}
	}
	return string(masked)
}

// skip returns the end of the comment or text that begins at a position, or the position if none does.
func (l *lexis) skip(language, text string, i int) int {
	for _, marks := range l.block {
		if strings.HasPrefix(text[i:], marks[0]) {
			return l.endOfComment(text, i, marks)
		}
	}
	for _, mark := range l.line {
		if strings.HasPrefix(text[i:], mark) && (mark != "#" || i == 0 || !strings.ContainsRune("$\\{&", rune(text[i-1]))) {
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				return i + end
			}
			return len(text)
		}
	}
	for _, marks := range l.texts {
		if strings.HasPrefix(text[i:], marks[0]) {
			if marks[0] == "'" && !quotes(language, text, i) {
				return i
			}
			return l.endOfText(text, i, marks)
		}
	}
	return i
}

func (l *lexis) endOfComment(text string, i int, marks [2]string) int {
	depth := 0
	for i < len(text) {
		switch {
		case strings.HasPrefix(text[i:], marks[0]) && (depth == 0 || l.nested):
			depth++
			i += len(marks[0])
		case strings.HasPrefix(text[i:], marks[1]):
			depth--
			if i += len(marks[1]); depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(text)
}

// endOfText returns the end of a text. One of a single quote ends at the end of its line, at the latest, where it does
// not go on with a backslash: an apostrophe is no text.
func (l *lexis) endOfText(text string, i int, marks [2]string) int {
	for at := i + len(marks[0]); at < len(text); at++ {
		switch {
		case text[at] == '\\' && l.escape && marks[1] != "]]":
			at++
		case strings.HasPrefix(text[at:], marks[1]):
			return at + len(marks[1])
		case text[at] == '\n' && marks[1] == "'":
			return i + 1
		}
	}
	return len(text)
}

// quotes reports whether an apostrophe begins a text: not in a number such as 1'000, before a lifetime of Rust, or
// after a name of Haskell, Scala or Julia.
func quotes(language, text string, i int) bool {
	switch language {
	case "rust":
		return i+2 < len(text) && (text[i+1] == '\\' || text[i+2] == '\'' || text[i+1] >= 0x80)
	case "c", "cpp", "scala", "kotlin", "java", "csharp", "d", "go":
		return i == 0 || !isWord(text[i-1])
	}
	return true
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// braced is a part of a program in braces: from its header to the closing brace.
type braced struct {
	start, open, close int // the first byte of the header, the braces; close is len(text) if it is missing
}

// outermost returns the braced parts of a masked text that are in no others. A header begins behind the statement or
// part before it.
func outermost(masked string) (all []braced) {
	depth, start := 0, 0
	for i := 0; i < len(masked); i++ {
		switch masked[i] {
		case '{':
			if depth == 0 {
				all = append(all, braced{start, i, len(masked)})
			}
			depth++
		case '}':
			if depth--; depth == 0 {
				all[len(all)-1].close, start = i, i+1
			}
			depth = max(depth, 0)
		case ';':
			if depth == 0 {
				start = i + 1
			}
		}
	}
	return all
}

// Unclosed returns how many braces a program opens and does not close; it is negative if it closes more.
func Unclosed(language, text string) int {
	masked := mask(language, text)
	return strings.Count(masked, "{") - strings.Count(masked, "}")
}
