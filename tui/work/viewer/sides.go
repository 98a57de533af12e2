package viewer

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Sides shows two answers: side by side on wide screens, otherwise one at a time. The zero value shows none.
type Sides struct {
	A, B *Past

	onB   bool // B is shown where only one fits, and receives keys that are not for both
	apart bool // the sides scroll apart
	size  frame.Size
	theme frame.Theme
}

// sidesRows are the rows of the page that are no answer's: which side it is, a line under them, and a notice.
const sidesRows = 3

// Shown reports whether there are two answers.
func (s *Sides) Shown() bool { return s.B != nil }

// Show shows two answers, A first.
func (s *Sides) Show(a, b *Past) { s.A, s.B, s.onB = a, b, false }

// Init restarts dropped background work.
func (s *Sides) Init() tea.Cmd { return tea.Batch(s.A.Init(), s.B.Init(), s.look()) }

// Both reports whether the answers stand side by side.
func (s *Sides) Both() bool { return s.size.Wide() }

// panes returns the sizes of both answers, with their frames.
func (s *Sides) panes() (a, b frame.Size) {
	a = frame.Size{Width: s.size.Width, Height: s.size.Height - sidesRows}
	b = a
	if s.Both() {
		a.Width = (s.size.Width - 1) / 2
		b.Width = s.size.Width - 1 - a.Width
	}
	return a, b
}

// Look sets the size of the page and the theme.
func (s *Sides) Look(size frame.Size, theme frame.Theme) tea.Cmd {
	s.size, s.theme = size, theme
	return s.look()
}

func (s *Sides) look() tea.Cmd {
	if s.size.Width == 0 || !s.Shown() {
		return nil
	}
	a, b := s.panes()
	return tea.Batch(s.A.Update(frame.LookMsg{Size: a, Theme: s.theme}), s.B.Update(frame.LookMsg{Size: b, Theme: s.theme}))
}

// Update passes both what is neither a key nor a new size.
func (s *Sides) Update(msg tea.Msg) tea.Cmd { return tea.Batch(s.A.Update(msg), s.B.Update(msg)) }

// Typing reports whether words to search for are typed.
func (s *Sides) Typing() bool { return s.Shown() && (s.A.Typing() || s.B.Typing()) }

// Settled reports whether both are drawn.
func (s *Sides) Settled() bool { return !s.Shown() || s.A.Settled() && s.B.Settled() }

// active returns the answers that receive a key.
func (s *Sides) active() []*Past {
	switch {
	case s.Both() && !s.apart:
		return []*Past{s.A, s.B}
	case s.onB:
		return []*Past{s.B}
	}
	return []*Past{s.A}
}

// Leaves reports whether a key leaves the answers.
func (s *Sides) Leaves(press string) bool { return s.active()[0].Leaves(press) }

// Pass passes a key or a paste to the answers.
func (s *Sides) Pass(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, p := range s.active() {
		cmds = append(cmds, p.Update(msg))
	}
	return tea.Batch(cmds...)
}

// SwapKey shows the other answer, or has it receive the keys.
func (s *Sides) SwapKey() frame.Key {
	return frame.Key{Press: "x", Does: "other answer", Do: frame.Only(func() { s.onB = !s.onB }), Fit: func(k *frame.Key) {
		if s.Both() {
			k.Does = "keys go to the other answer"
		}
		if s.Both() && !s.apart {
			k.Why = "both answers stand here, and scroll together"
		}
	}}
}

// ApartKey has the answers scroll apart, or together.
func (s *Sides) ApartKey() frame.Key {
	return frame.Key{Press: "t", Does: "scroll apart", More: true, Do: frame.Only(func() { s.apart = !s.apart }), Fit: func(k *frame.Key) {
		if s.apart {
			k.Does = "scroll together"
		}
		if !s.Both() {
			k.Why = "one answer stands here at a time"
		}
	}}
}

// Under puts a line about each answer under it, or shows the one of the answer that is shown.
func (s *Sides) Under(size frame.Size, theme frame.Theme, a, b string) string {
	s.size = size
	fit := func(text string, width int) string {
		text = frame.Cut(text, width)
		return theme.Dim.Render(text + strings.Repeat(" ", max(0, width-frame.Width(text))))
	}
	half, _ := s.panes()
	switch {
	case s.Both():
		return fit(a, half.Width+1) + fit(b, half.Width)
	case s.onB:
		return fit(b, size.Width)
	}
	return fit(a, size.Width)
}

// Take handles the results of background work.
func (s *Sides) Take(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	if !s.Shown() {
		return nil, false
	}
	if cmd, taken = s.A.Take(msg); taken {
		return cmd, true
	}
	return s.B.Take(msg)
}

// Draw puts the answers on a page of a size, with a line under them. The first page is drawn before [Sides.Look] has told
// the size.
func (s *Sides) Draw(size frame.Size, theme frame.Theme, p frame.Page, line string) frame.Page {
	s.size, s.theme = size, theme
	a, b := s.panes()
	height, half := s.size.Body().Height-sidesRows, a.Width
	head := func(name string, width int, keys bool) string {
		state := ""
		if keys && s.Both() && s.apart {
			state = "scrolls"
		} else if !s.Both() {
			state = "one of two"
		}
		return frame.Section("answer "+name, state, width, s.theme)
	}
	switch {
	case s.Both():
		left, right := s.A.Page(a, s.theme), s.B.Page(b, s.theme)
		p.Body = frame.Columns(head("A", half, !s.onB)+"\n"+left.Body, head("B", b.Width, s.onB)+"\n"+right.Body, half, b.Width, height+1, s.theme)
		p.Cursor = left.Cursor
	default:
		shown := s.active()[0].Page(a, s.theme)
		p.Body, p.Seen, p.Cursor = head(map[bool]string{false: "A", true: "B"}[s.onB], a.Width, true)+"\n"+shown.Body, shown.Seen, shown.Cursor
	}
	if p.Cursor != nil {
		p.Cursor.Y++ // the heading
	}
	body := s.size.Body()
	p.Body = frame.Under(p.Body, []string{line}, frame.Size{Width: body.Width, Height: body.Height - 1})
	return p
}

// Mouse passes the mouse to the answer under it.
func (s *Sides) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	a, _ := s.panes()
	switch y--; {
	case s.Both() && x > a.Width:
		return s.B.Mouse(msg, x-a.Width-1, y)
	case !s.Both():
		return s.active()[0].Mouse(msg, x, y)
	}
	return s.A.Mouse(msg, x, y)
}
