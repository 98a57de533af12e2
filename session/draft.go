package session

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Splice is one change to a text: at byte offset At, Insert replaces Remove bytes.
type Splice struct {
	At     int    `json:"at"`
	Remove int    `json:"remove,omitempty"`
	Insert string `json:"insert,omitempty"`
}

// SpliceBetween returns the shortest single splice that turns before into after,
// cut at character boundaries.
func SpliceBetween(before, after string) Splice {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	for start > 0 && !(boundary(before, start) && boundary(after, start)) {
		start--
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	for end > 0 && !(boundary(before, len(before)-end) && boundary(after, len(after)-end)) {
		end--
	}
	return Splice{At: start, Remove: len(before) - end - start, Insert: after[start : len(after)-end]}
}

// boundary reports whether offset i is between two characters of text.
func boundary(text string, i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }

// IsZero reports whether the splice changes nothing.
func (s Splice) IsZero() bool { return s.Remove == 0 && s.Insert == "" }

// origin is where text of a draft comes from.
type origin int

const (
	originTyped origin = iota
	originInserted
	originEditor // written in the tester's own editor, where typing and pasting look the same
)

// originOf returns the origin of text that was inserted from a source.
func originOf(what string) origin {
	if what == FromEditor {
		return originEditor
	}
	return originInserted
}

// span is a range of a draft that was not typed.
type span struct {
	from, to int
	origin
}

// draft is the text of a prompt being written, with the parts of it that were not typed.
type draft struct {
	text  string
	spans []span // sorted, disjoint, not empty
}

// apply makes the change. It tracks text that was not typed until that is deleted or typed over.
func (d *draft) apply(s Splice, from origin) error {
	if s.At < 0 || s.Remove < 0 || s.At+s.Remove > len(d.text) {
		return fmt.Errorf("a change at %d removing %d bytes does not fit a draft of %d bytes", s.At, s.Remove, len(d.text))
	}
	d.text = d.text[:s.At] + s.Insert + d.text[s.At+s.Remove:]
	end, shift := s.At+s.Remove, len(s.Insert)-s.Remove
	var spans []span
	add := func(from, to int, of origin) {
		if from < to {
			spans = append(spans, span{from, to, of})
		}
	}
	for _, sp := range d.spans {
		add(sp.from, min(sp.to, s.At), sp.origin)
		add(max(sp.from, end)+shift, sp.to+shift, sp.origin)
	}
	if from != originTyped {
		add(s.At, s.At+len(s.Insert), from)
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	d.spans = spans
	return nil
}

// bytes counts the bytes of an origin other than typing.
func (d *draft) bytes(of origin) int {
	n := 0
	for _, sp := range d.spans {
		if sp.origin == of {
			n += sp.to - sp.from
		}
	}
	return n
}

// draftWords folds a change to words that are not submitted yet.
func (s *State) draftWords(p WordsDrafted) error {
	switch {
	case s.Phase == Ended:
		return notNow(p.Kind(), "the session is over")
	case !slices.Contains([]Words{WordsAnswer, WordsNote, WordsFlag, WordsReason, WordsMerge, WordsCall}, p.For):
		return fmt.Errorf("%s: there is no %q", p.Kind(), p.For)
	case p.For == WordsAnswer && s.Phase != Wait && p.Insert != "":
		return notNow(p.Kind(), "no answer is awaited")
	case p.For == WordsNote && s.Current < 0:
		return notNow(p.Kind(), "no task is open")
	}
	d := draft{text: s.Words[p.For]}
	if err := d.apply(p.Splice, originTyped); err != nil {
		return fmt.Errorf("%s: %w", p.Kind(), err)
	}
	if s.forgetWords(p.For); d.text != "" {
		if s.Words == nil {
			s.Words = map[Words]string{}
		}
		s.Words[p.For] = d.text
	}
	return nil
}

// forgetWords discards drafts of words.
func (s *State) forgetWords(which ...Words) {
	for _, w := range which {
		delete(s.Words, w)
	}
}
