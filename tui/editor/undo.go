package editor

import "strings"

// kind is the kind of an edit for undo: runs of the first three form one step.
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
	spans    []span // inserted ranges of removed
	inserted string
	what     string // origin of inserted
}

// step is what one undo reverts.
type step struct {
	kind          kind
	edit          edit
	before, after caret
}

// caret is the cursor and the selection.
type caret struct {
	at        pos
	anchor    pos // the other end of the selection
	selecting bool
}

// history has the steps that can be undone and redone.
type history struct {
	done, undone []step
	open         bool // the last step may be extended
	bytes        int  // of texts in done
}

// mostUndo bounds the text kept for undo, in bytes.
const mostUndo = 64 << 20

// add records an edit, as part of the last step if it continues that.
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

// goOn merges next into s, if it continues the same edit.
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

// undo reverts the last step.
func (e *Editor) undo() bool {
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

// redo repeats the step that was undone last.
func (e *Editor) redo() bool {
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

// restore restores cursor and selection.
func (e *Editor) restore(c caret) {
	e.caret, e.marked = c, false
	e.moved()
}

// put replaces a part of the text and records its origin, but not the undo step.
func (e *Editor) put(from, to pos, insert, what string) pos {
	if from == to && insert == "" {
		return from
	}
	end := e.text.offset(to)
	at := e.text.offset(from)
	e.origin.note(at, end-at, len(insert), what, e.text.value)
	return e.text.replace(from, to, insert)
}

// change replaces a part of the text in an undoable step, and moves the cursor after it.
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
