package overlap

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"assay/session/engine"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// answer shows the item in the tabs of the review: instead of the form, or at its left if there
// is room.
type answer struct {
	opts  viewer.Options
	past  *viewer.Past
	open  bool // it receives the keys
	size  frame.Size
	theme frame.Theme
}

// show shows an item, starting with its final attempt.
func (a *answer) show(h *overlap.Header, it *overlap.Item) tea.Cmd {
	state := h.State(it)
	a.past = viewer.NewBlind(engine.NewRecord(it, state.Plan), state, len(it.Attempts)-1, a.opts)
	return tea.Batch(a.past.Init(), a.look(a.size, a.theme))
}

// left returns the width of the answer beside the form, 0 if it does not fit.
func left(size frame.Size) int {
	if !size.Wide() {
		return 0
	}
	return size.Width * 55 / 100
}

// room returns the size of the answer.
func (a *answer) room() frame.Size {
	if w := left(a.size); w > 0 {
		return frame.Size{Width: w, Height: a.size.Height - 1}
	}
	return a.size
}

// look sets size and theme of the answer.
func (a *answer) look(size frame.Size, theme frame.Theme) tea.Cmd {
	a.size, a.theme = size, theme
	if size.Width == 0 || a.past == nil {
		return nil
	}
	return a.past.Update(frame.LookMsg{Size: a.room(), Theme: theme})
}

// key passes a key to the answer, or closes it.
func (a *answer) key(msg tea.KeyPressMsg) tea.Cmd {
	if press := msg.String(); a.past.Leaves(press) || press == "v" && !a.past.Typing() {
		a.open = false
		return nil
	}
	return a.past.Update(msg)
}

// page draws the answer while it receives keys; beside is drawn at its right.
func (a *answer) page(p frame.Page, beside string) frame.Page {
	shown := a.past.Page(a.room(), a.theme)
	p.Scope, p.Keys, p.Cursor = shown.Scope, shown.Keys, shown.Cursor
	if !a.past.Typing() {
		form, keys := frame.Key{Press: "v", Does: "form"}, frame.Now(p.Keys)
		p.Keys = slices.DeleteFunc(keys, func(k frame.Key) bool {
			leaves := a.past.Leaves(k.Press)
			if leaves {
				form.Also += k.Press + " "
			}
			return leaves
		})
		p.Keys = append([]frame.Key{form}, p.Keys...)
	}
	p.Body, p.Seen = a.beside(shown.Body, beside), shown.Seen
	return p
}

// body draws the answer at the left of beside, or only beside, and reports what is visible.
func (a *answer) body(beside, seen string) (body, inView string) {
	if left(a.size) == 0 {
		return beside, seen
	}
	shown := a.past.Page(a.room(), a.theme)
	return a.beside(shown.Body, beside), shown.Seen
}

func (a *answer) beside(text, right string) string {
	w := left(a.size)
	if w == 0 {
		return text
	}
	return frame.Columns(text, right, w, a.size.Width-w-1, a.size.Body().Height-1, a.theme)
}

// width returns the width of the form.
func (a *answer) width() int {
	if w := left(a.size); w > 0 {
		return a.size.Width - w - 1
	}
	return a.size.Width
}

// mouse passes the mouse to the answer if it is there.
func (a *answer) mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if w := left(a.size); w > 0 && x < w || w == 0 && a.open {
		return a.past.Mouse(msg, x, y)
	}
	return nil
}
