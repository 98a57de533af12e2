package editor

import "slices"

// Change is one change of the text at one place, as a log that tells typed from inserted
// text wants it.
type Change struct {
	Text string // the whole text after it
	What string // where the text that it put there came from; "" for typing and deleting
}

// Undone is what the origin of inserted text is called that undo brought back.
const Undone = "undo"

// span is a stretch of text, in bytes.
type span struct{ from, to int }

// origin knows what was typed and what was inserted, and what changed since somebody
// asked last.
type origin struct {
	inserted []span // sorted, disjoint, not empty, in bytes of the whole text

	changes []Change // done
	open    bool     // a change goes on
	what    string   // its origin
	from    int      // what it covers in the text as it is now
	to      int
}

// note tells of a change that is about to be made: at a byte of the whole text, so many
// bytes go and so many come. Before is the text until then.
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

// close ends the change that goes on; now is the text after it.
func (o *origin) close(now func() string) {
	if o.open {
		o.changes = append(o.changes, Change{now(), o.what})
		o.open = false
	}
}

// shift moves what is known of inserted text.
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

// within are the inserted stretches of the text between two bytes, counted from the
// first of them.
func (o *origin) within(from, to int) []span {
	var spans []span
	for _, s := range o.inserted {
		if a, z := max(s.from, from), min(s.to, to); a < z {
			spans = append(spans, span{a - from, z - from})
		}
	}
	return spans
}

// behind puts the stretches of a text of n bytes before those of the text after it.
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

// Changes are the changes since it was called last, in order: each is at one place, and
// either typed or inserted. Making them one after the other leads from the text then to
// the text now.
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

// pieces takes a text apart by its origin. Of a text in very many parts all counts as
// inserted: each part that is brought back is a change of its own.
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
