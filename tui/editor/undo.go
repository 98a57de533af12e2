package editor

import "strings"

// kind is what an edit is to undo: runs of the first three are one step.
type kind int

const (
	typing kind = iota
	erasing
	deleting
	single // always a step of its own
)

// edit is one replacement, as undo needs it.
type edit struct {
	at       pos
	removed  string
	spans    []span // of removed: what was inserted
	inserted string
	what     string // where inserted came from
}

// step is what one undo takes back.
type step struct {
	kind          kind
	edit          edit
	before, after caret
}

// caret is the cursor with what is selected.
type caret struct {
	at        pos
	anchor    pos // the other end of the selection
	selecting bool
}

// history are the steps that can be taken back, and those that were.
type history struct {
	done, undone []step
	open         bool // the last step may go on
	bytes        int  // of texts in done
}

// mostUndo bounds what undo keeps, in bytes of text.
const mostUndo = 64 << 20

// add remembers an edit, as part of the last step where it goes on with that.
func (h *history) add(s step) {
	h.undone = nil
	h.bytes += len(s.edit.removed) + len(s.edit.inserted)
	if n := len(h.done); n > 0 && h.open && h.done[n-1].goOn(s) {
		return
	}
	h.done, h.open = append(h.done, s), s.kind != single
	for len(h.done) > 1 && h.bytes > mostUndo {
		h.bytes -= len(h.done[0].edit.removed) + len(h.done[0].edit.inserted)
		h.done = h.done[1:]
	}
}

// goOn makes next a part of s, if it goes on with the same.
func (s *step) goOn(next step) bool {
	old, e := &s.edit, next.edit
	switch {
	case s.kind != next.kind || strings.Contains(e.inserted+e.removed, "\n"):
		return false
	case s.kind == typing && e.removed == "" && e.at == old.at.after(old.inserted):
		old.inserted += e.inserted
	case s.kind == erasing && e.at.after(e.removed) == old.at:
		old.at, old.removed, old.spans = e.at, e.removed+old.removed, behind(e.spans, len(e.removed), old.spans)
	case s.kind == deleting && e.at == old.at:
		old.removed, old.spans = old.removed+e.removed, behind(old.spans, len(old.removed), e.spans)
	default:
		return false
	}
	s.after = next.after
	return true
}

// Undo takes the last step back.
func (e *Editor) Undo() bool {
	h := &e.history
	if len(h.done) == 0 {
		return false
	}
	s := h.done[len(h.done)-1]
	h.done, h.undone, h.open = h.done[:len(h.done)-1], append(h.undone, s), false
	h.bytes -= len(s.edit.removed) + len(s.edit.inserted)
	at := s.edit.at
	e.put(at, at.after(s.edit.inserted), "", "")
	for _, p := range pieces(s.edit.removed, s.edit.spans) {
		what := ""
		if p.inserted {
			what = Undone
		}
		at = e.put(at, at, p.text, what)
	}
	e.restore(s.before)
	return true
}

// Redo makes the step again that was taken back last.
func (e *Editor) Redo() bool {
	h := &e.history
	if len(h.undone) == 0 {
		return false
	}
	s := h.undone[len(h.undone)-1]
	h.undone, h.done, h.open = h.undone[:len(h.undone)-1], append(h.done, s), false
	h.bytes += len(s.edit.removed) + len(s.edit.inserted)
	e.put(s.edit.at, s.edit.at.after(s.edit.removed), s.edit.inserted, s.edit.what)
	e.restore(s.after)
	return true
}

// restore puts cursor and selection where they were.
func (e *Editor) restore(c caret) {
	e.caret, e.marked = c, false
	e.moved()
}

// put replaces a part of the text and tells the origin; undo is not told.
func (e *Editor) put(from, to pos, insert, what string) pos {
	if from == to && insert == "" {
		return from
	}
	end := e.text.offset(to)
	at := e.text.offset(from)
	e.origin.note(at, end-at, len(insert), what, e.text.value)
	return e.text.replace(from, to, insert)
}

// change replaces a part of the text in a step that can be taken back, and puts the
// cursor behind it.
func (e *Editor) change(k kind, from, to pos, insert, what string) {
	if from == to && insert == "" {
		return
	}
	removed := strings.Clone(e.text.slice(from, to))
	at := e.text.offset(from)
	s := step{kind: k, before: e.caret, edit: edit{at: from, removed: removed, spans: e.origin.within(at, at+len(removed)), inserted: insert, what: what}}
	end := e.put(from, to, insert, what)
	e.caret = caret{at: e.text.snap(end)}
	e.marked = false
	s.after = e.caret
	e.history.add(s)
	e.moved()
}
