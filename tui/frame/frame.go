package frame

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Size is the room a screen may fill.
type Size struct{ Width, Height int }

// The sizes at which the layout changes, in columns and rows.
const (
	MinWidth, MinHeight   = 60, 20 // below, the program says what it needs
	FullWidth, FullHeight = 80, 24 // below, labels are shorter, or blank rows left out
	ProseWidth            = 104    // lines of prose are no longer
	WideWidth             = 110    // from here, statement and work stand side by side
)

// chromeHeight is what header, footer and the two rules take.
const chromeHeight = 4

// Body is the room between header and footer.
func (s Size) Body() Size { return Size{s.Width, max(1, s.Height-chromeHeight)} }

// TooSmall reports whether nothing useful can be drawn.
func (s Size) TooSmall() bool { return s.Width < MinWidth || s.Height < MinHeight }

// Narrow reports whether labels are shortened for lack of columns.
func (s Size) Narrow() bool { return s.Width < FullWidth }

// Low reports whether blank rows are left out for lack of rows.
func (s Size) Low() bool { return s.Height < FullHeight }

// Wide reports whether two columns fit.
func (s Size) Wide() bool { return s.Width >= WideWidth }

// Page is what a screen shows: the frame draws it.
type Page struct {
	Scope  Scope  // what its keys belong to
	Title  string // where I am
	Place  string // where that is in the whole, at the right of the header
	Window string // what the title of the window says, in short
	Body   string // at most Size.Body
	Day    string // how far the day's work is; the upper rule bears it
	Seen   string // the part of the body's text that is in view, from Position; the lower rule bears it
	Keys   []Key
	Status string      // where I stand, at the right of the footer
	Cursor *tea.Cursor // relative to the body

	NoClock bool // no clock is shown here, whatever the tester's settings say
}

// Screen is one page of the program. It is drawn by the frame and changed only
// by Update.
type Screen interface {
	Init() tea.Cmd
	Update(msg tea.Msg) tea.Cmd
	Page(size Size, theme Theme) Page
	// Typing reports whether printable keys are text now, so that "?" and the like
	// belong to the screen.
	Typing() bool
}

// Leaver is a screen that has something to do before it is left for good.
type Leaver interface{ Leave() tea.Cmd }

// Pointer is a screen that the mouse can be used on. The place is that in the body,
// from 0 at its top left.
type Pointer interface {
	Mouse(msg tea.MouseMsg, x, y int) tea.Cmd
}

// Holder is a screen that may be on its way to another view, for which it holds the
// keys that are pressed meanwhile. It is then handed keys as they were pressed, and
// translates them itself, by its theme's keymap, when it knows what they are for.
type Holder interface{ Holding() bool }

// Navigation.
type (
	// OpenMsg puts a screen on top. Held, where it is not nil, returns the keys that were
	// pressed before the screen was there: they are meant for it.
	// OverHome takes away all screens but the first one before, so that leaving this one
	// leads home.
	OpenMsg struct {
		Screen   Screen
		Held     func() []tea.KeyPressMsg
		OverHome bool
	}
	// BackMsg takes the top screen away; the last one ends the program.
	BackMsg struct{}
	// SidewaysMsg lets long lines of code run on beyond the screen, or breaks them again:
	// the theme of all screens changes.
	SidewaysMsg struct{}
	// NotifyMsg tells a tester who looks at another window what has arrived, in words of
	// assay's own.
	NotifyMsg struct{ What string }
	// HelpMsg opens the help page.
	HelpMsg struct{}
	// ShownMsg tells a screen that it is on top again.
	ShownMsg struct{}
	// LookMsg tells the top screen the size and theme it will be drawn with.
	LookMsg struct {
		Size  Size
		Theme Theme
	}
)

// Open is the command for OpenMsg.
func Open(s Screen) tea.Cmd { return func() tea.Msg { return OpenMsg{Screen: s} } }

// OpenOverHome opens a screen that leads home when it is left.
func OpenOverHome(s Screen) tea.Cmd {
	return func() tea.Msg { return OpenMsg{Screen: s, OverHome: true} }
}

// Sideways is the command for SidewaysMsg.
func Sideways() tea.Msg { return SidewaysMsg{} }

// Back is the command for BackMsg.
func Back() tea.Msg { return BackMsg{} }

// Draw lays a page out: header, rule, body, rule, footer, exactly as high as
// size.
func Draw(p Page, size Size, theme Theme) string {
	lines := make([]string, 0, size.Height)
	lines = append(lines, header(p, size.Width, theme), Rule(p.Day, size.Width, theme))
	lines = append(lines, Fit(p.Body, size.Body())...)
	lines = append(lines, Rule(p.Seen, size.Width, theme), footer(p, size.Width, theme))
	return strings.Join(lines, "\n")
}

// Fit cuts and fills text to exactly the rows of size, no row wider than it.
func Fit(text string, size Size) []string {
	lines := strings.Split(text, "\n")
	if len(lines) > size.Height {
		lines = lines[:size.Height]
	}
	for i, l := range lines {
		if ansi.StringWidth(l) > size.Width {
			lines[i] = ansi.Truncate(l, size.Width, "…")
		}
	}
	for len(lines) < size.Height {
		lines = append(lines, "")
	}
	return lines
}

func header(p Page, width int, theme Theme) string {
	place := padded(p.Place)
	title := ansi.Truncate(" "+p.Title, max(0, width-ansi.StringWidth(place)), "…")
	return Spread(theme.Strong.Render(title), theme.Dim.Render(place), width)
}

func footer(p Page, width int, theme Theme) string {
	return Spread(keyLine(p.Keys, legendWidth(p, width), theme), padded(p.Status), width)
}

// legendWidth is the room for keys beside the status.
func legendWidth(p Page, width int) int { return max(0, width-ansi.StringWidth(padded(p.Status))) }

// padded is a text with a space on both sides, if there is one.
func padded(text string) string {
	if text == "" {
		return ""
	}
	return " " + text + " "
}

// Spread puts left and right at the two ends of a line.
func Spread(left, right string, width int) string {
	gap := width - ansi.StringWidth(left) - ansi.StringWidth(right)
	if gap < 0 {
		return ansi.Truncate(left+" "+right, width, "…")
	}
	return left + strings.Repeat(" ", gap) + right
}

// Columns sets two blocks side by side with a thin line between them, each row
// of left filled to leftWidth.
func Columns(left, right string, leftWidth, rightWidth, height int, theme Theme) string {
	l := Fit(left, Size{leftWidth, height})
	r := Fit(right, Size{rightWidth, height})
	bar := theme.Dim.Render("│")
	rows := make([]string, height)
	for i := range rows {
		rows[i] = l[i] + strings.Repeat(" ", max(0, leftWidth-ansi.StringWidth(l[i]))) + bar + r[i]
	}
	return strings.Join(rows, "\n")
}

// Width is how many columns text takes on a terminal, styles not counted.
func Width(text string) int { return ansi.StringWidth(text) }

// Wrap breaks text to width at spaces, and inside words that are longer.
func Wrap(text string, width int) string {
	return lipgloss.Wrap(text, max(1, width), "")
}

// Indent puts prefix before every line of text.
func Indent(text, prefix string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}

// Position writes which rows of a text or list are in view, "12-34 of 80": height of them
// from index first on. It is empty where all of them are.
func Position(first, height, rows int) string {
	if first <= 0 && height >= rows || rows == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d of %d", first+1, min(first+height, rows), rows)
}

// Rule is a thin line that ends with a note, such as a [Position].
func Rule(note string, width int, theme Theme) string {
	if note != "" {
		note = " " + note + " ──"
	}
	return theme.Dim.Render(Spread(strings.Repeat("─", max(0, width-ansi.StringWidth(note))), note, width))
}

// Section is a thin heading: a rule with a title in it.
func Section(title, right string, width int, theme Theme) string {
	left := "── "
	if title == "" {
		left = "──"
	}
	tail := "──"
	if right != "" {
		right = " " + right + " "
	}
	fill := width - ansi.StringWidth(left) - ansi.StringWidth(title) - ansi.StringWidth(right) - ansi.StringWidth(tail) - 1
	if fill < 1 {
		return theme.Dim.Render(ansi.Truncate(left+title, width, "…"))
	}
	return theme.Dim.Render(left) + theme.Strong.Render(title) + theme.Dim.Render(" "+strings.Repeat("─", fill)+right+tail)
}

// Cell is a text in exactly width columns of one line, cut or filled with spaces.
func Cell(text string, width int) string {
	text = ansi.Truncate(text, max(0, width), "…")
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// Move is the row that a key leads to from another, in a list of so many rows of which
// page are seen at a time; it may lie outside. Moved is false for a key that does not
// move.
func Move(key string, row, page, rows int) (to int, moved bool) {
	page = max(1, page)
	switch key {
	case "up", "k":
		return row - 1, true
	case "down", "j":
		return row + 1, true
	case "pgup":
		return row - page, true
	case "pgdown", "space":
		return row + page, true
	case "ctrl+u":
		return row - (page+1)/2, true
	case "ctrl+d":
		return row + (page+1)/2, true
	case "home", "g":
		return 0, true
	case "end", "G":
		return rows - 1, true
	}
	return row, false
}

// Scroll is the first of height rows to show, so that row is among them and as few as
// possible move: first is what was the first one until now.
func Scroll(first, row, height int) int {
	return max(0, min(max(first, row-height+1), row))
}
