package statement

import (
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
)

// Shapes recognises the forms in which examples of a task are written.
type Shapes struct {
	call   *regexp.Regexp // a call of the entry point with its result
	again  *regexp.Regexp // a call with a variable whose result is another call: "f(n) -> f(n-1) + 1"
	starts *regexp.Regexp // the beginning of a call of the entry point, up to its bracket
}

// New returns the shapes for a task with an entry point, or for any function if it is empty.
func New(entry string) Shapes {
	name := `[A-Za-z_][\w.]*`
	if entry != "" {
		name = anyCase(entry)
	}
	return Shapes{
		call:   regexp.MustCompile(`^(assert\s+|for\s+)?` + name + `\s*\(.*(\)\s*(==+>?|=>|->|➞|→|# =>|returns\b|should return\b)|["'].*\)\s*=\s*\S)`),
		starts: regexp.MustCompile(`^(?:(?:assert|for)\s+)?` + name + `\s*\(`),
		again:  regexp.MustCompile(`^` + name + `\s*\([a-z]\w*\).*\W` + name + `\s*\(`),
	}
}

// anyCase returns a pattern of a name in any style: statements that were translated into another language may call
// theEnds the_ends.
func anyCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r != '_' {
			b.WriteString(regexp.QuoteMeta(string(r)) + "_?")
		}
	}
	return "(?i:_*" + b.String() + ")"
}

var (
	// A line that starts examples: "Example 2:", "For example:"
	headingLine = regexp.MustCompile(`(?i)^(for\s+|some\s+|here\s+are\s+some\s+)?(\[?input/output\]?\s+|sample\s+|usage\s+)?(examples?|samples?|test\s+cases?)\s*(\d+|[ivx]+)?\s*:?\s*$`)
	// A line that starts something else: "Constraints:", "Note: …"
	sectionLine = regexp.MustCompile(`^(Notes?|Constraints?|Variables?|Requirements?|Returns?|Parameters?|Args?|Arguments?|Raises|Assumptions?|Hints?|Follow[- ]?[Uu]ps?)\b[^.]*(:|$)|^Note\b`)
	// Any other line that looks like a heading
	titledLine = regexp.MustCompile(`^[A-Z][\w /-]{2,40}:$`)
	// "…. Here are some examples:"
	announcedLine = regexp.MustCompile(`(?i)([.!?])\s+[^.!?]*\bexamples?\s*:$`)
	// "Input:", "Output: …" and "Explanation:" of examples
	partsLine = regexp.MustCompile(`(?i)^(input|output|explanation|result)s?\s*:`)
	// A line that states a result
	resultLine = regexp.MustCompile(`=|->|➞|→|>>>|\breturns?\b|\bshould be\b|\bbecomes\b`)
	// A line that starts a sentence
	proseLine = regexp.MustCompile(`^[A-Z][a-z']*,?(\s+[\w'(),.*/-]+){3,}`)
	// A line that starts a sentence about the task, which may state a result
	taskLine = regexp.MustCompile(`^(?:You (?:are|have|need|must|should|will|can)|Your (?:task|job|goal|function|program|code)|(?:The|This|Your) (?:function|program|method) (?:should|must|takes|returns)|(?:Write|Implement) (?:a|an|the))\s`)
	// A sentence or clause that starts an example
	inlineExample = regexp.MustCompile(`(?i)(\(\s*)?\b(for example\b|for instance\b|e\.g\.|example,)\s*[,:]?\s*`)
)

// bare returns a line without list and Markdown markers.
func bare(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line), "#*-•> ")
	return strings.TrimSpace(strings.TrimRight(strings.Trim(line, "*_`"), "-"))
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// Without removes the examples from a statement.
func (s Shapes) Without(text string, examples []benchmark.Example) string {
	text, _ = s.blocks(text, examples)
	text, _ = withoutSentences(text)
	return tidied(text)
}

// blocks removes the examples on lines of their own and returns the lines of each place where there were some.
func (s Shapes) blocks(text string, examples []benchmark.Example) (rest string, removed [][]string) {
	outside, removed := outsideBlocks(strings.Split(strings.NewReplacer("\r\n", "\n", "\u00a0", " ").Replace(text), "\n"))
	var lines, calls []string // calls follow one another
	for i, line := range append(outside, "") {
		if i < len(outside) && (s.call.MatchString(bare(line)) || hasExample(line, examples)) {
			calls = append(calls, line)
			continue
		}
		if slices.ContainsFunc(calls, s.recursive) { // a definition
			lines = append(lines, calls...)
		} else if len(calls) > 0 {
			removed = append(removed, calls)
		}
		lines, calls = append(lines, line), nil
	}
	return strings.Join(lines, "\n"), removed
}

func tidied(text string) string { return strings.TrimSpace(blankLines.ReplaceAllString(text, "\n\n")) }

// recursive reports whether a line states a result by calling the entry point again, with a variable.
func (s Shapes) recursive(line string) bool { return s.again.MatchString(bare(line)) }

var blankLines = regexp.MustCompile(`\n([ \t]*\n){2,}`)

// hasExample reports whether a line states one of the examples.
func hasExample(line string, examples []benchmark.Example) bool {
	for _, e := range examples {
		in, out := strings.TrimSpace(e.Input), strings.TrimSpace(e.Output)
		if in == "" || out == "" {
			continue
		}
		if _, after, found := strings.Cut(line, in); found && strings.Contains(after, out) {
			return true
		}
	}
	return false
}

// outsideBlocks removes doctests, and example sections up to the next heading or sentence. It returns the lines
// of each without their heading.
func outsideBlocks(lines []string) (statement []string, blocks [][]string) {
	const (
		outside = iota
		doctest
		block
		explanation // the part of an example whose sentences belong to it
	)
	where, indent := outside, 0
	seen, parts := false, false // whether the block has text, and parts such as "Input:"
	deeper := false             // whether its text is indented more than its heading
	begin := func(state int) {
		where, seen, parts, deeper = state, false, false, false
		blocks = append(blocks, nil)
	}
	for i, line := range lines {
		plain := bare(line)
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), ">>>"):
			if where == outside {
				begin(doctest)
			} else if !parts {
				where = doctest
			}
		case headingLine.MatchString(plain):
			begin(block)
			indent = indentOf(line)
			continue
		case announcedLine.MatchString(plain):
			statement = append(statement, announcedLine.ReplaceAllString(strings.TrimRight(line, " *_"), "$1"))
			begin(block)
			indent = indentOf(line)
			continue
		case where == outside:
			statement = append(statement, line)
			continue
		case plain == "":
			if where == doctest {
				where = outside
				statement = append(statement, line)
				continue
			} else if where == explanation {
				where = block
			}
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], "")
			continue
		case partsLine.MatchString(plain):
			if parts = true; where == block && strings.HasPrefix(strings.ToLower(plain), "explanation") {
				where = explanation
			}
		case constraints.MatchString(plain), deeper && parts && indentOf(line) <= indent, sectionLine.MatchString(plain) && !(parts && constraintsFollow(lines[i+1:])),
			!parts && where != explanation && endsBlock(line, plain, indent, seen, where == doctest):
			where = outside
			statement = append(statement, line)
			continue
		}
		deeper = deeper || !seen && indentOf(line) > indent
		seen = true
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
	}
	return statement, blocks
}

// constraintsFollow reports whether examples with parts go on up to a heading of constraints or another example, as
// in LeetCode's statements: "Note that …" is then a part of the explanation.
func constraintsFollow(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return constraints.MatchString(bare(line)) || headingLine.MatchString(bare(line))
	})
}

// endsBlock reports whether a line after examples is not one: a heading, or a sentence that is not indented
// more than they are.
func endsBlock(line, plain string, indent int, seen, doctest bool) bool {
	if titledLine.MatchString(plain) {
		return !announcedLine.MatchString(". " + plain)
	}
	return seen && (doctest || indentOf(line) <= indent) && (taskLine.MatchString(plain) || proseLine.MatchString(plain) && !resultLine.MatchString(plain))
}

// withoutSentences removes "For example, …" up to the end of its sentence, and text in brackets that starts
// with "e.g.". It returns both.
func withoutSentences(text string) (rest string, sentences []string) {
	for from := 0; ; {
		at := inlineExample.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return text, sentences
		}
		start, end := from+at[0], from+at[1]
		head := strings.TrimRight(text[:start], " \t")
		if at[2] >= 0 { // in brackets
			inside, after, found := inBrackets(text[start:])
			if !found {
				from = end
				continue
			}
			sentences = append(sentences, inside)
			text, from = head+after, len(head)
			continue
		}
		if before := lastRune(head); !strings.ContainsRune(".:;,!?\n", before) && before != 0 {
			from = end // in the middle of a clause: "the example, …"
			continue
		}
		until := sentenceEnd(text, end)
		for next := goesOn.FindStringIndex(text[until:]); next != nil; next = goesOn.FindStringIndex(text[until:]) {
			until = sentenceEnd(text, until+next[1])
		}
		sentences = append(sentences, text[start:until])
		rest := strings.TrimPrefix(text[until:], ".")
		trimmed := strings.TrimRight(head, " \t\n")
		if strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, ",") || strings.HasSuffix(trimmed, ";") {
			head = strings.TrimRight(trimmed[:len(trimmed)-1], ".") + "."
		}
		text, from = head+rest, len(head)
	}
}

// goesOn matches the beginning of a sentence about the example before it.
var goesOn = regexp.MustCompile(`^[ \t]*\n?[ \t]*(?:While|Whereas|But|However|Similarly|Likewise|In contrast|Conversely|In this case|In that case)\b`)

func lastRune(text string) rune {
	last := rune(0)
	for _, r := range text[max(0, len(text)-4):] {
		last = r
	}
	return last
}

// inBrackets splits a text that starts with a bracket after the matching one.
func inBrackets(text string) (inside, after string, ok bool) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// sentenceEnd returns the end of the sentence that contains a place: after a full stop before a capital letter,
// or at the end of the paragraph.
func sentenceEnd(text string, from int) int {
	for i := from; i < len(text); i++ {
		switch rest := text[i+1:]; {
		case text[i] == '\n' && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "\n"):
			return i
		case text[i] == '.' && rest == "":
			return i + 1
		case text[i] == '.' && strings.ContainsAny(rest[:1], " \n\t"):
			next := strings.TrimLeft(rest, " \n\t*-•")
			if next == "" || next[0] >= 'A' && next[0] <= 'Z' {
				return i + 1
			}
		}
	}
	return len(text)
}
