package work

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/sergi/go-diff/diffmatchpatch"

	"assay/tui/frame"
)

// draftVersion names a text of the editor, and the prompt that it is compared with.
type draftVersion struct {
	of      draftOf
	version uint64
}

// difference is a run of text that is in both prompts, or in one of them.
type difference struct {
	kind diffmatchpatch.Operation
	text string
}

// toggleDifference shows what the draft changes of the prompt before, or the task again.
func (m *Model) toggleDifference() tea.Cmd {
	switch {
	case m.previous() == nil:
		m.notice = "This is the first attempt: there is no prompt before."
		return nil
	case m.compose.above == aboveDifference:
		return m.showAbove(aboveStatement)
	}
	return m.showAbove(aboveDifference)
}

// compareDraft works out the difference that is shown, beside the keys.
func (m *Model) compareDraft() tea.Cmd {
	c, before := &m.compose, m.previous()
	if c.above != aboveDifference || before == nil || before.Sent == nil {
		return nil
	}
	old, draft := m.text(before.Sent.Prompt), c.area.Value()
	return c.differ.Ask(draftVersion{c.of, c.area.Version()}, func(context.Context) []difference { return differences(old, draft) })
}

// differences compares two prompts word by word.
func differences(before, after string) []difference {
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 300 * time.Millisecond // then more is called different than is
	words := map[string]rune{}
	var known []string
	write := func(text string) []rune {
		var out []rune
		for _, w := range splitWords(text) {
			r, ok := words[w]
			if !ok {
				r = wordRune(len(known))
				words[w] = r
				known = append(known, w)
			}
			out = append(out, r)
		}
		return out
	}
	a, b := write(before), write(after)
	var list []difference
	for _, d := range engine.DiffMainRunes(a, b, false) {
		var text strings.Builder
		for _, r := range d.Text {
			text.WriteString(known[wordIndex(r)])
		}
		list = append(list, difference{d.Type, text.String()})
	}
	return phrases(list)
}

// phrases makes one change of changes with nothing but spaces between them: words that
// follow each other are read as a phrase.
func phrases(list []difference) []difference {
	var out []difference
	var gone, come strings.Builder
	flush := func() {
		if gone.Len() > 0 {
			out = append(out, difference{diffmatchpatch.DiffDelete, gone.String()})
		}
		if come.Len() > 0 {
			out = append(out, difference{diffmatchpatch.DiffInsert, come.String()})
		}
		gone.Reset()
		come.Reset()
	}
	for i, d := range list {
		between := i+1 < len(list) && gone.Len()+come.Len() > 0 && strings.Trim(d.text, " \t") == ""
		switch {
		case d.kind == diffmatchpatch.DiffDelete:
			gone.WriteString(d.text)
		case d.kind == diffmatchpatch.DiffInsert:
			come.WriteString(d.text)
		case between:
			gone.WriteString(d.text)
			come.WriteString(d.text)
		default:
			flush()
			out = append(out, d)
		}
	}
	flush()
	return out
}

// Words are compared as characters, of which those between the surrogates and those that
// UTF-8 refuses are left out. There are over a million; a prompt has fewer words.
const surrogates, surrogateCount = 0xd800, 0x800

func wordRune(i int) rune {
	if i++; i >= surrogates {
		i += surrogateCount
	}
	return rune(min(i, unicode.MaxRune))
}

func wordIndex(r rune) int {
	if r >= surrogates {
		r -= surrogateCount
	}
	return int(r) - 1
}

// splitWords takes a text apart into words, runs of spaces, line breaks and single other
// characters.
func splitWords(text string) []string {
	kind := func(r rune) int {
		switch {
		case r == '\n':
			return 0
		case unicode.IsSpace(r):
			return 1
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return 2
		}
		return 0
	}
	var words []string
	start, last := 0, -1
	for i, r := range text {
		k := kind(r)
		if last >= 0 && (k != last || k == 0) {
			words = append(words, text[start:i])
			start = i
		}
		last = k
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// differenceText shows what the draft changes of the prompt before: what is gone as
// [-…-], what is new as {+…+}, and long parts that are the same by their ends.
func (m *Model) differenceText(width int) string {
	head := " " + m.theme.Strong.Render("the draft against the prompt before") + "\n"
	key, list, ok := m.compose.differ.Last()
	if !ok || key.of != m.compose.of {
		return head + " " + m.theme.Dim.Render("… comparing")
	}
	changed := false
	var b strings.Builder
	for i, d := range list {
		text := frame.Plain(d.text)
		switch d.kind {
		case diffmatchpatch.DiffDelete:
			b.WriteString(changedText(text, "[-", "-]", m.theme.Bad.Render))
			changed = true
		case diffmatchpatch.DiffInsert:
			b.WriteString(changedText(text, "{+", "+}", m.theme.Good.Render))
			changed = true
		default:
			b.WriteString(alikeText(text, i == 0, i == len(list)-1))
		}
	}
	if !changed {
		return head + " " + m.theme.Dim.Render("Both are the same.")
	}
	return head + frame.Indent(frame.Wrap(b.String(), width-2), " ")
}

// changedText puts a run of text between signs, each line for itself so that styles do not
// run over.
func changedText(text, from, to string, style func(...string) string) string {
	const most = 4000 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… %d more bytes", len(text)-most)
	}
	lines := strings.Split(text, "\n")
	lines[0] = from + lines[0]
	lines[len(lines)-1] += to
	for i, l := range lines {
		if l != "" {
			lines[i] = style(l)
		}
	}
	return strings.Join(lines, "\n")
}

// alikeText leaves out the lines of a text that is the same in both, but for those next to a
// change.
func alikeText(text string, first, last bool) string {
	lines := strings.Split(text, "\n")
	head, tail := 2, 2
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if len(lines) <= head+tail+2 {
		return text
	}
	gone := len(lines) - head - tail
	kept := append([]string{}, lines[:head]...)
	kept = append(kept, fmt.Sprintf("⋮ %d lines alike", gone))
	return strings.Join(append(kept, lines[len(lines)-tail:]...), "\n")
}
