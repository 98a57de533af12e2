package editor

import "slices"

// Change is one change of the text at one place, for a log that separates typed from inserted
// text.
type Change struct {
	Text string // the whole text after the change
	What string // origin of the inserted text; "" for typing and deleting
}

// Undone names the origin of inserted text that undo restored.
const Undone = "undo"

// span is a stretch of text, in bytes.
type span struct{ from, to int }

// origin tracks what was typed and what was inserted, and the changes since the last call of
// Changes.
type origin struct {
	inserted []span // sorted, disjoint, not empty, in bytes of the whole text

	changes []Change // complete
	open    bool     // a change is in progress
	what    string   // its origin
	from    int      // its range in the current text
	to      int
}

// note records a change that is about to be made: at a byte of the whole text, removed bytes are
// replaced by inserted bytes. before returns the text before it.
func (o *origin) note(at, removed, inserted int, what string, before func() string) {
	if o.open && o.what == what && at <= o.to && at+removed >= o.from {
		o.from, o.to = min(o.from, at), max(o.to, at+removed)+inserted-removed
	} else {
		o.close(before)
		o.open, o.what, o.from, o.to = true, what, at, at+inserted
	}
	if len(o.inserted) > 0 || what != "" {
		o.shift(at, removed, inserted, what != "")
	}
}

// close ends the change in progress; now returns the text after it.
func (o *origin) close(now func() string) {
	if o.open {
		o.changes = append(o.changes, Change{now(), o.what})
		o.open = false
	}
}

// shift moves the ranges of inserted text.
func (o *origin) shift(at, removed, inserted int, foreign bool) {
	end, by := at+removed, inserted-removed
	spans := make([]span, 0, len(o.inserted)+2)
	add := func(from, to int) {
		switch n := len(spans); {
		case from >= to:
		case n > 0 && spans[n-1].to == from:
			spans[n-1].to = to
		default:
			spans = append(spans, span{from, to})
		}
	}
	i := 0
	for ; i < len(o.inserted) && o.inserted[i].from < at; i++ {
		add(o.inserted[i].from, min(o.inserted[i].to, at))
	}
	if foreign {
		add(at, at+inserted)
	}
	for i = max(0, i-1); i < len(o.inserted); i++ {
		add(max(o.inserted[i].from, end)+by, o.inserted[i].to+by)
	}
	o.inserted = spans
}

// within returns the inserted ranges between two bytes, relative to the first of them.
func (o *origin) within(from, to int) []span {
	var spans []span
	for _, s := range o.inserted {
		if a, z := max(s.from, from), min(s.to, to); a < z {
			spans = append(spans, span{a - from, z - from})
		}
	}
	return spans
}

// behind appends the ranges of a following text to those of a text of n bytes.
func behind(spans []span, n int, after []span) []span {
	spans = slices.Clone(spans)
	for _, s := range after {
		if last := len(spans) - 1; last >= 0 && spans[last].to == s.from+n {
			spans[last].to = s.to + n
			continue
		}
		spans = append(spans, span{s.from + n, s.to + n})
	}
	return spans
}

// Changes returns the changes since the last call, in order: each is at one place, and either
// typed or inserted. Applied in order they lead from the text at that time to the current text.
func (e *Editor) Changes() []Change {
	e.origin.close(e.text.value)
	changes := e.origin.changes
	e.origin.changes = nil
	return changes
}

// piece is a part of a removed text, typed or not.
type piece struct {
	text     string
	inserted bool
}

// pieces splits a text by origin. A text of very many parts counts as inserted as a whole:
// restoring each part is a change of its own.
func pieces(text string, inserted []span) []piece {
	const most = 32
	if len(inserted) > most {
		return []piece{{text, true}}
	}
	var list []piece
	at := 0
	for _, s := range inserted {
		if s.from > at {
			list = append(list, piece{text[at:s.from], false})
		}
		list = append(list, piece{text[s.from:s.to], true})
		at = s.to
	}
	if at < len(text) {
		list = append(list, piece{text[at:], false})
	}
	return slices.Clip(list)
}
