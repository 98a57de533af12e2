package extract

import (
	"regexp"
	"slices"
	"strings"
)

// Models that think aloud mark that part of an answer, which is no part of the program: closed, cut off by the end,
// or without its beginning, which some servers remove.

// thinkingWords are names of the sections in <…> tags.
const thinkingWords = `think|thinking|thoughts?|reasoning|reason|reflection|scratchpad|analysis|inner_monologue|chain_of_thought|cot|seed:think`

// thinkingMarks are the beginnings and ends of these sections.
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

// mark is the beginning of a section that thinkingMarks[kind] describes.
type mark struct {
	span
	kind int
}

// Thinking returns the parts of an answer that are thinking, as pairs of bytes: from the first of them to the one behind.
func Thinking(text string) (parts [][2]int) {
	for _, s := range thinking(text) {
		parts = append(parts, [2]int{s.start, s.end})
	}
	return parts
}

// WithoutThinking returns an answer with each part that is thinking replaced.
func WithoutThinking(text, by string) string {
	for _, s := range slices.Backward(thinking(text)) {
		text = text[:s.start] + by + text[s.end:]
	}
	return text
}

// thinking returns the parts of an answer that are thinking, in order. One that no end follows goes to the end of the
// text. Its cost grows with the text's length, however many marks a runaway answer has.
func thinking(text string) (spans []span) {
	var begins []mark
	for kind, marks := range thinkingMarks {
		for _, at := range marks.begin.FindAllStringIndex(text, -1) {
			begins = append(begins, mark{span{at[0], at[1]}, kind})
		}
	}
	slices.SortFunc(begins, func(a, b mark) int { return a.start - b.start })
	unended := map[int]bool{} // kinds of which no end follows
	fences, from := fenceWalk{text: text}, 0
	for _, b := range begins {
		if b.start < from || quoted(text, b.start, b.end) || fences.at(b.start) {
			continue
		}
		section := span{b.start, len(text)}
		var end []int
		if !unended[b.kind] {
			end = thinkingMarks[b.kind].end.FindStringIndex(text[b.end:])
		}
		if unended[b.kind] = end == nil; end != nil {
			section.end = b.end + end[1]
		} else if !atLineStart(text, b.start) {
			continue
		}
		spans, from = append(spans, section), section.end
		fences.restart(from)
	}
	if end := endOfThinking(text, spans); end > 0 {
		spans = slices.DeleteFunc(spans, func(s span) bool { return s.start < end })
		return append([]span{{0, end}}, spans...)
	}
	return spans
}

// endOfThinking returns where thinking ends whose beginning is missing, or 0. Such an end within a block of code is
// one only if it has its line to itself and a block follows.
func endOfThinking(text string, known []span) int {
	end, lastFence := 0, strings.LastIndex(text, "```")
	for _, marks := range thinkingMarks[:len(thinkingMarks)-1] { // <|end|> also ends answers
		fences, k := fenceWalk{text: text}, 0
		for _, at := range marks.end.FindAllStringIndex(text, -1) {
			for k < len(known) && known[k].end <= at[0] {
				k++
			}
			if k < len(known) && known[k].start <= at[0] || quoted(text, at[0], at[1]) {
				continue
			}
			if !fences.at(at[0]) || atLineStart(text, at[0]) && lastFence >= at[1] {
				end = max(end, at[1])
			}
		}
	}
	return end
}

// nearby is how many bytes of a line are looked at before and behind a mark.
const nearby = 400

// lineAround returns the text of a line before and behind a mark in it.
func lineAround(text string, start, end int) (before, after string) {
	from := max(start-nearby, strings.LastIndexByte(text[max(start-nearby, 0):start], '\n')+1+max(start-nearby, 0))
	after, _, _ = strings.Cut(text[end:min(end+nearby, len(text))], "\n")
	return text[from:start], after
}

// atLineStart reports whether only blanks and special tokens precede a position in its line.
func atLineStart(text string, at int) bool {
	before, _ := lineAround(text, at, at)
	return strings.TrimSpace(anyToken.ReplaceAllString(before, "")) == ""
}

// quoted reports whether a mark stands within a string of a program or within `…` in prose.
func quoted(text string, start, end int) bool {
	before, after := lineAround(text, start, end)
	for _, quote := range []string{"`", `"`, "'"} {
		if strings.Count(before, quote)%2 == 1 && strings.Contains(after, quote) {
			return true
		}
	}
	return false
}

// fenceWalk tells for ascending positions of a text whether they are within a fenced block.
type fenceWalk struct {
	text string
	read int // up to the beginning of a line
	open fence
}

func (w *fenceWalk) at(position int) bool {
	for w.read < position {
		end := strings.IndexByte(w.text[w.read:position], '\n')
		if end < 0 {
			f, ok := readFence(w.text[w.read:position])
			return w.open.n > 0 && !(ok && w.open.closedBy(f)) || w.open.n == 0 && ok
		}
		if f, ok := readFence(strings.TrimRight(w.text[w.read:w.read+end], "\r")); ok && w.open.n == 0 {
			w.open = f
		} else if ok && w.open.closedBy(f) {
			w.open = fence{}
		}
		w.read += end + 1
	}
	return w.open.n > 0
}

// restart begins anew behind a section of thinking, in which fences need not be closed.
func (w *fenceWalk) restart(position int) { w.read, w.open = position, fence{} }
