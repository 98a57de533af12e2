package overlap

import (
	tea "charm.land/bubbletea/v2"

	"assay/session/engine"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/work"
)

// answer is the item that is looked at, in the tabs of the review: in the place of the form,
// or at its left where there is room.
type answer struct {
	opts  work.Options
	past  *work.Past
	open  bool // keys are for it
	size  frame.Size
	theme frame.Theme
}

// show looks at an item. It begins with its final attempt.
func (a *answer) show(h *overlap.Header, it *overlap.Item) tea.Cmd {
	state := h.State(it)
	a.past = work.NewBlind(engine.NewRecord(it, state.Plan), state, len(it.Attempts)-1, a.opts)
	return tea.Batch(a.past.Init(), a.look(a.size, a.theme))
}

// left is how wide the answer is beside the form, 0 where it has no room there.
func left(size frame.Size) int {
	if !size.Wide() {
		return 0
	}
	return size.Width * 55 / 100
}

// room is the size in which the answer is drawn.
func (a *answer) room() frame.Size {
	if w := left(a.size); w > 0 {
		return frame.Size{Width: w, Height: a.size.Height - 1}
	}
	return a.size
}

// look tells the answer what it is drawn with.
func (a *answer) look(size frame.Size, theme frame.Theme) tea.Cmd {
	a.size, a.theme = size, theme
	if size.Width == 0 || a.past == nil {
		return nil
	}
	return a.past.Update(frame.LookMsg{Size: a.room(), Theme: theme})
}

// key hands a key to the answer, or closes it.
func (a *answer) key(msg tea.KeyPressMsg) tea.Cmd {
	if press := msg.String(); a.past.Leaves(press) || press == "v" && !a.past.Typing() {
		a.open = false
		return nil
	}
	return a.past.Update(msg)
}

// page is the answer while keys are for it; beside is what stands at its right.
func (a *answer) page(p frame.Page, beside string) frame.Page {
	shown := a.past.Page(a.room(), a.theme)
	p.Scope, p.Keys, p.Cursor = shown.Scope, shown.Keys, shown.Cursor
	if !a.past.Typing() {
		p.Keys = append([]frame.Key{{Press: "v", Does: "form"}}, p.Keys...)
		for i, k := range p.Keys {
			if k.Press == "esc" && k.Does == "back" {
				p.Keys[i].Does, p.Keys[i].More = "form", true
			}
		}
	}
	p.Body, p.Seen = a.beside(shown.Body, beside), shown.Seen
	return p
}

// body is the answer at the left of something, or that alone, and what of it is in view.
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

// width is that of the form.
func (a *answer) width() int {
	if w := left(a.size); w > 0 {
		return a.size.Width - w - 1
	}
	return a.size.Width
}

// mouse hands the mouse to the answer where it is.
func (a *answer) mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if w := left(a.size); w > 0 && x < w || w == 0 && a.open {
		return a.past.Mouse(msg, x, y)
	}
	return nil
}
