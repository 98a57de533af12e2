package extract

import (
	"regexp"
	"strings"

	"assay/data/language"
)

// fence is a line that opens or closes a block of code.
type fence struct {
	mark   byte   // of which it consists: a backtick, a tilde or a quote
	n      int    // how many; 0: no fence
	info   string // the text after the marks
	indent string // what precedes it
}

// closedBy reports whether another fence closes the block that f opens.
func (f fence) closedBy(other fence) bool {
	return other.mark == f.mark && other.n >= f.n && other.info == ""
}

// listMark matches the marks of quotes and list items, which may precede a fence.
var listMark = regexp.MustCompile(`^(?:\s*(?:>|[-*+]\s|\d{1,3}[.)]\s))*\s*`)

// readFence parses a line as a fence of Markdown: three or more backticks or tildes, or three quotes with the name of
// a language.
func readFence(text string) (f fence, ok bool) {
	f.indent = listMark.FindString(text)
	rest := text[len(f.indent):]
	if len(rest) < 3 || !strings.ContainsRune("`~'\"", rune(rest[0])) {
		return fence{}, false
	}
	f.mark = rest[0]
	for f.n < len(rest) && rest[f.n] == f.mark {
		f.n++
	}
	f.info = strings.TrimSpace(rest[f.n:])
	switch {
	case f.n < 3, f.mark == '`' && strings.Contains(f.info, "`"):
		return fence{}, false // code within a line of prose
	case f.mark == '\'' || f.mark == '"':
		return f, f.n == 3 && f.info != "" && language.Named(f.info) != ""
	}
	return f, true
}

// tagged matches a line that begins with a tag in which models wrap programs: <code>, [PYTHON], [BEGIN].
var tagged = regexp.MustCompile(`^\s*(?:<(code|answer|solution|program|python|javascript|java|cpp|go)>|\[(PYTHON|CODE|SOLUTION|BEGIN|ANSWER)\])`)

// readTag parses a line as the beginning of a wrapped program; rest is its text after the tag.
func readTag(text string) (end *regexp.Regexp, rest string, ok bool) {
	m := tagged.FindStringSubmatch(text)
	switch {
	case m == nil:
		return nil, "", false
	case m[1] != "":
		return regexp.MustCompile(`</` + m[1] + `>`), text[len(m[0]):], true
	case m[2] == "BEGIN":
		return regexp.MustCompile(`\[(?:DONE|END)\]`), text[len(m[0]):], true
	}
	return regexp.MustCompile(`\[/` + m[2] + `\]`), text[len(m[0]):], true
}

// languageOf returns the language in the info string after a fence: "python", "{.python}", "python title=…",
// "language-python".
func languageOf(info string) string {
	word := strings.Trim(info, "{}. ")
	if i := strings.IndexAny(word, " \t,{:"); i >= 0 {
		word = word[:i]
	}
	return strings.TrimPrefix(strings.ToLower(word), "language-")
}

// block is a part of an answer that may be code.
type block struct {
	language string // the first word after the fence, in lower case
	lines    []line
	unclosed bool // the answer ends within it
	method   string
}

// blocks finds the fenced and tagged blocks of an answer, and the lines outside of them. A fence may be indented
// deeper than in CommonMark, as in lists.
func (c *chooser) blocks(all []line) (found []block, outside [][]line) {
	from := 0
	if end := c.prefilled(all); end > 0 {
		found = append(found, block{lines: all[:end], method: MethodFence})
		from = end + 1
	}
	free := from
	for i := from; i < len(all); {
		b, next, ok := c.block(all, i)
		if !ok {
			i++
			continue
		}
		outside = append(outside, all[free:i])
		if !blank(b.lines) || !b.unclosed {
			found = append(found, b)
		}
		i, free = next, next
	}
	return found, append(outside, all[min(free, len(all)):])
}

// prefilled returns the number of lines of a program whose fence stands in the prompt, so that the answer begins
// within it: the first fence closes it.
func (c *chooser) prefilled(all []line) int {
	for i, l := range all {
		f, ok := readFence(l.text)
		_, _, isTag := readTag(l.text)
		if !ok && !isTag {
			continue
		}
		if isTag || f.info != "" || blank(all[:i]) {
			return 0
		}
		b := block{lines: all[:i]}
		if facts := c.look(&b); !facts.code || c.entry != "" && !facts.defines || !facts.valid && !c.form(joined(b.lines)) {
			return 0
		}
		return i
	}
	return 0
}

// block reads the block that begins in a line, and returns the line after it.
func (c *chooser) block(all []line, i int) (b block, next int, ok bool) {
	if end, rest, ok := readTag(all[i].text); ok {
		return c.taggedBlock(all, i, end, rest)
	}
	open, ok := readFence(all[i].text)
	if !ok {
		return block{}, 0, false
	}
	b = block{language: languageOf(open.info), method: MethodFence}
	end, next, body := c.endOf(all, i, open, b.language)
	if b.lines = body; end < 0 {
		next, b.unclosed, b.method = len(all), true, MethodUnclosed
		b.lines = inside(all[i+1:], open)
	}
	if len(b.lines) > 0 && b.language == "" && language.Named(b.lines[0].text) != "" { // its label is a line too low
		b.language, b.lines = language.Named(b.lines[0].text), b.lines[1:]
	}
	return b, next, true
}

// mostEnds bounds the possible ends of a block that are tried.
const mostEnds = 20

// endOf returns the line that closes a block, the line after it, and the lines within; end is -1 if nothing closes it.
// A fence may also stand in a text of the program, and its own be forgotten before the next block or on the last line
// of the program. So of the possible ends the first counts up to which the program parses, else the first, be it the
// beginning of another block.
func (c *chooser) endOf(all []line, i int, open fence, label string) (end, next int, body []line) {
	end = -1
	judged := language.Named(label)
	if label == "" {
		judged = c.language
	}
	for j, tries := i+1, 0; j < len(all) && tries < mostEnds; j++ {
		f, isFence := readFence(all[j].text)
		closes := isFence && open.closedBy(f) || open.mark == '\'' && strings.TrimSpace(all[j].text) == "'''" || open.mark == '"' && strings.TrimSpace(all[j].text) == `"""`
		last, trailing := strings.CutSuffix(strings.TrimRight(all[j].text, " \t"), strings.Repeat(string(open.mark), open.n))
		trailing = trailing && strings.TrimSpace(last) != ""
		if !closes && !isFence && !trailing {
			continue
		}
		opens := isFence && !closes && f.indent == open.indent && f.mark == open.mark && f.n >= open.n
		if opens && end >= 0 && c.stands(all, j) {
			break // the block up to the first end was a draft
		}
		tries++
		lines, after := inside(all[i+1:j], open), j+1
		switch {
		case trailing && !closes:
			lines = append(lines, inside([]line{{last, all[j].start}}, open)...)
		case !closes:
			after = j
		}
		if (closes || opens) && end < 0 {
			end, next, body = j, after, lines
		}
		if valid, known := c.parses(judged, joined(lines)); !known && (closes || opens) || valid && !blank(lines) {
			return j, after, lines
		}
	}
	return end, next, body
}

// stands reports whether the block that begins in a line is a program on its own.
func (c *chooser) stands(all []line, i int) bool {
	if c.nested {
		return false
	}
	c.nested = true
	b, _, ok := c.block(all, i)
	c.nested = false
	f := c.look(&b)
	return ok && f.valid && f.code && (c.entry == "" || f.defines)
}

// inside returns the lines of a block without the indentation of its fence.
func inside(all []line, open fence) []line {
	lines := make([]line, len(all))
	for i, l := range all {
		cut := 0
		if mark := strings.TrimSpace(open.indent); strings.HasPrefix(mark, ">") {
			cut = len(quoteMark.FindString(l.text))
		} else {
			for cut < len(l.text) && cut < len(open.indent) && (l.text[cut] == ' ' || l.text[cut] == '\t') {
				cut++
			}
		}
		lines[i] = line{l.text[cut:], l.start + cut}
	}
	return lines
}

var quoteMark = regexp.MustCompile(`^\s*> ?`)

// taggedBlock reads a program wrapped in tags. Fences within are blocks of their own.
func (c *chooser) taggedBlock(all []line, i int, end *regexp.Regexp, rest string) (b block, next int, ok bool) {
	b.method, b.unclosed = MethodTagged, true
	next = len(all)
	for j := i; j < len(all) && b.unclosed; j++ {
		l := all[j]
		if j == i {
			l = line{rest, all[i].end() - len(rest)}
		}
		if _, isFence := readFence(l.text); isFence {
			return block{}, 0, false
		}
		if at := end.FindStringIndex(l.text); at != nil {
			l.text, b.unclosed, next = l.text[:at[0]], false, j+1
		}
		if j > i && b.unclosed || strings.TrimSpace(l.text) != "" {
			b.lines = append(b.lines, l)
		}
	}
	return b, next, !blank(b.lines)
}
