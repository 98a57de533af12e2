package prompts

import (
	"regexp"
	"strings"

	"assay/benchmark"
)

// Original returns the statement that a task's prompts are written from: its description without examples, and
// its constraints. TaskEval removes examples first, since their quality would affect how hard a task seems.
func Original(t *benchmark.Task) string {
	text := newShapes(t.EntryPoint).without(t.Description, t.Examples)
	if text == "" {
		text = strings.TrimSpace(t.Description) // it consists only of examples
	}
	if len(t.Constraints) > 0 {
		text += "\n\nConstraints:\n- " + strings.Join(t.Constraints, "\n- ")
	}
	return text
}

// shapes recognises the forms in which examples are written.
type shapes struct {
	heading   *regexp.Regexp // a line that starts examples: "Example 2:", "For example:"
	section   *regexp.Regexp // a line that starts something else: "Constraints:", "Note: …"
	titled    *regexp.Regexp // any other line that looks like a heading
	announced *regexp.Regexp // "…. Here are some examples:"
	parts     *regexp.Regexp // "Input:", "Output: …" and "Explanation:" of examples
	result    *regexp.Regexp // a line that states a result
	call      *regexp.Regexp // a call of the entry point with its result
	prose     *regexp.Regexp // a line that starts a sentence
	inline    *regexp.Regexp // a sentence or clause that starts an example
}

func newShapes(entry string) shapes {
	name := `[A-Za-z_][\w.]*`
	if entry != "" {
		name = regexp.QuoteMeta(entry)
	}
	return shapes{
		heading:   regexp.MustCompile(`(?i)^(for\s+|some\s+|here\s+are\s+some\s+)?(\[?input/output\]?\s+|sample\s+|usage\s+)?(examples?|samples?|test\s+cases?)\s*(\d+|[ivx]+)?\s*:?\s*$`),
		section:   regexp.MustCompile(`^(Notes?|Constraints?|Variables?|Requirements?|Returns?|Parameters?|Args?|Arguments?|Raises|Assumptions?|Hints?|Follow[- ]?[Uu]ps?)\b[^.]*(:|$)|^Note\b`),
		titled:    regexp.MustCompile(`^[A-Z][\w /-]{2,40}:$`),
		announced: regexp.MustCompile(`(?i)([.!?])\s+[^.!?]*\bexamples?\s*:$`),
		parts:     regexp.MustCompile(`(?i)^(input|output|explanation|result)s?\s*:`),
		result:    regexp.MustCompile(`=|->|➞|→|>>>|\breturns?\b|\bshould be\b|\bbecomes\b`),
		call:      regexp.MustCompile(`^(assert\s+|for\s+)?` + name + `\s*\(.*(\)\s*(==+>?|=>|->|➞|→|# =>|returns\b|should return\b)|["'].*\)\s*=\s*\S)`),
		prose:     regexp.MustCompile(`^[A-Z][a-z']*,?(\s+[\w'(),.*/-]+){3,}`),
		inline:    regexp.MustCompile(`(?i)(\(\s*)?\b(for example\b|for instance\b|e\.g\.|example,)\s*[,:]?\s*`),
	}
}

// bare returns a line without list and Markdown markers.
func bare(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimLeft(line, "#*-•> ")
	return strings.TrimSpace(strings.Trim(line, "*_`"))
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// without removes the examples from a statement.
func (s shapes) without(text string, examples []benchmark.Example) string {
	var lines []string
	for _, line := range s.outsideBlocks(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")) {
		if s.call.MatchString(bare(line)) || hasExample(line, examples) {
			continue
		}
		lines = append(lines, line)
	}
	text = s.withoutSentences(strings.Join(lines, "\n"))
	return strings.TrimSpace(regexp.MustCompile(`\n([ \t]*\n){2,}`).ReplaceAllString(text, "\n\n"))
}

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

// outsideBlocks removes doctests, and example sections up to the next heading or sentence.
func (s shapes) outsideBlocks(lines []string) []string {
	const (
		outside = iota
		doctest
		block
		explanation // the part of an example whose sentences belong to it
	)
	var statement []string
	where, indent := outside, 0
	seen, parts := false, false // whether the block has text, and parts such as "Input:"
	for _, line := range lines {
		plain := bare(line)
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), ">>>"):
			if where == outside {
				where = doctest
			}
			seen = true
			continue
		case s.heading.MatchString(plain):
			where, indent, seen, parts = block, indentOf(line), false, false
			continue
		case s.announced.MatchString(plain):
			statement = append(statement, s.announced.ReplaceAllString(strings.TrimRight(line, " *_"), "$1"))
			where, indent, seen, parts = block, indentOf(line), false, false
			continue
		case where == outside:
			statement = append(statement, line)
			continue
		case plain == "":
			if where == doctest {
				where = outside
				statement = append(statement, line)
			} else if where == explanation {
				where = block
			}
			continue
		case s.parts.MatchString(plain):
			if seen, parts = true, true; where == block && strings.HasPrefix(strings.ToLower(plain), "explanation") {
				where = explanation
			}
			continue
		case s.section.MatchString(plain), !parts && where != explanation && s.endsBlock(line, plain, indent, seen, where == doctest):
			where = outside
			statement = append(statement, line)
			continue
		}
		seen = true
	}
	return statement
}

// endsBlock reports whether a line after examples is not one: a heading, or a sentence that is not indented
// more than they are.
func (s shapes) endsBlock(line, plain string, indent int, seen, doctest bool) bool {
	if s.titled.MatchString(plain) {
		return !s.announced.MatchString(". " + plain)
	}
	return seen && (doctest || indentOf(line) <= indent) && s.prose.MatchString(plain) && !s.result.MatchString(plain)
}

// withoutSentences removes "For example, …" up to the end of its sentence, and text in brackets that starts
// with "e.g.".
func (s shapes) withoutSentences(text string) string {
	for from := 0; ; {
		at := s.inline.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return text
		}
		start, end := from+at[0], from+at[1]
		head := strings.TrimRight(text[:start], " \t")
		if at[2] >= 0 { // in brackets
			_, after, found := inBrackets(text[start:])
			if !found {
				from = end
				continue
			}
			text, from = head+after, len(head)
			continue
		}
		if before := lastRune(head); !strings.ContainsRune(".:;,!?\n", before) && before != 0 {
			from = end // in the middle of a clause: "the example, …"
			continue
		}
		rest := strings.TrimPrefix(text[sentenceEnd(text, end):], ".")
		trimmed := strings.TrimRight(head, " \t\n")
		if strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, ",") || strings.HasSuffix(trimmed, ";") {
			head = strings.TrimRight(trimmed[:len(trimmed)-1], ".") + "."
		}
		text, from = head+rest, len(head)
	}
}

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
