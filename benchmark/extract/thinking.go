package extract

import (
	"regexp"
	"strings"
)

// Models that think aloud mark that part of an answer, which is no part of the program: closed, cut off by the end,
// or without its beginning, which some servers remove.

// thinkingWords are names of the sections in <…> tags.
const thinkingWords = `think|thinking|thoughts?|reasoning|reason|reflection|scratchpad|analysis|inner_monologue|chain_of_thought|cot|seed:think`

// thinkingMarks are the beginnings and ends of these sections, in the order in which they are tried. A % in an end
// stands for the word that the beginning matched.
var thinkingMarks = []struct{ begin, end *regexp.Regexp }{
	{regexp.MustCompile(`(?i)<(?:` + thinkingWords + `)(?:\s[^<>\n]*)?>`), regexp.MustCompile(`(?i)</(?:` + thinkingWords + `)\s*>`)},
	{regexp.MustCompile(`(?i)\[(?:think|thinking|reasoning)\]`), regexp.MustCompile(`(?i)\[/(?:think|thinking|reasoning)\]`)},
	{regexp.MustCompile(`<\|(?:begin_of_thought|START_THINKING|thinking|think)\|>`), regexp.MustCompile(`<\|(?:end_of_thought|END_THINKING|/thinking|/think)\|>`)},
	{regexp.MustCompile(`◁think▷`), regexp.MustCompile(`◁/think▷`)},
	{regexp.MustCompile(`<unused94>`), regexp.MustCompile(`<unused95>`)},
	{regexp.MustCompile(`<\|channel\|>\s*(?:analysis|commentary)[^<\n]*<\|message\|>`), regexp.MustCompile(`<\|(?:end|return|call)\|>|<\|start\|>\s*assistant`)},
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// thinking returns the parts of an answer that are thinking, in order.
func thinking(text string) (spans []span) {
	from := 0
	for {
		next, found := thinkingAt(text, from)
		if !found {
			break
		}
		spans, from = append(spans, next), next.end
	}
	if end := endOfThinking(text, spans); end > 0 {
		rest := []span{{0, end}}
		for _, s := range spans {
			if s.start >= end {
				rest = append(rest, s)
			}
		}
		return rest
	}
	return spans
}

// thinkingAt returns the next section at or after a position. One that no end follows goes to the end of the text.
func thinkingAt(text string, from int) (next span, found bool) {
	next.start = len(text)
	for _, marks := range thinkingMarks {
		for _, at := range marks.begin.FindAllStringIndex(text[from:], -1) {
			start, end := from+at[0], from+at[1]
			if start >= next.start {
				break
			}
			if quoted(text, start, end) || fencedAt(text[from:], at[0]) {
				continue
			}
			close := marks.end.FindStringIndex(text[end:])
			switch {
			case close != nil:
				next, found = span{start, end + close[1]}, true
			case atLineStart(text, start):
				next, found = span{start, len(text)}, true
			}
			break
		}
	}
	return next, found
}

// endOfThinking returns where thinking ends whose beginning is missing, or 0. Such an end within a block of code is
// one only if it has its line to itself and a block follows.
func endOfThinking(text string, known []span) int {
	end := 0
	for _, marks := range thinkingMarks[:len(thinkingMarks)-1] { // <|end|> also ends answers
		for _, at := range marks.end.FindAllStringIndex(text, -1) {
			if quoted(text, at[0], at[1]) || at[1] <= end || within(known, at[0]) {
				continue
			}
			if !fencedAt(text, at[0]) || atLineStart(text, at[0]) && strings.Contains(text[at[1]:], "```") {
				end = at[1]
			}
		}
	}
	return end
}

func within(spans []span, at int) bool {
	for _, s := range spans {
		if s.start <= at && at < s.end {
			return true
		}
	}
	return false
}

// atLineStart reports whether only blanks and special tokens precede a position in its line.
func atLineStart(text string, at int) bool {
	return strings.TrimSpace(anyToken.ReplaceAllString(text[strings.LastIndexByte(text[:at], '\n')+1:at], "")) == ""
}

// quoted reports whether a mark stands within a string of a program or within `…` in prose.
func quoted(text string, start, end int) bool {
	line := text[strings.LastIndexByte(text[:start], '\n')+1 : start]
	after, _, _ := strings.Cut(text[end:], "\n")
	for _, quote := range []string{"`", `"`, "'"} {
		if strings.Count(line, quote)%2 == 1 && strings.Contains(after, quote) {
			return true
		}
	}
	return false
}

// fencedAt reports whether a position is within a fenced block.
func fencedAt(text string, at int) bool {
	var open fence
	for line := range strings.Lines(text[:at]) {
		if f, ok := readFence(strings.TrimRight(line, "\r\n")); !ok {
			continue
		} else if open.n == 0 {
			open = f
		} else if open.closedBy(f) {
			open = fence{}
		}
	}
	return open.n > 0
}
