package frame

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Size is a size in columns and rows.
type Size struct{ Width, Height int }

// The sizes at which the layout changes, in columns and rows.
const (
	MinWidth, MinHeight   = 60, 20 // below, the program says what it needs
	FullWidth, FullHeight = 80, 24 // below, labels are shorter, or blank rows left out
	ProseWidth            = 104    // lines of prose are no longer
	WideWidth             = 110    // from here, statement and work stand side by side
)

// chromeHeight is the height of header, footer and the two rules.
const chromeHeight = 4

// Body returns the size of the body between header and footer.
func (s Size) Body() Size { return Size{s.Width, max(1, s.Height-chromeHeight)} }

// TooSmall reports whether nothing useful can be drawn.
func (s Size) TooSmall() bool { return s.Width < MinWidth || s.Height < MinHeight }

// Narrow reports whether labels are shortened for lack of columns.
func (s Size) Narrow() bool { return s.Width < FullWidth }

// Low reports whether blank rows are left out for lack of rows.
func (s Size) Low() bool { return s.Height < FullHeight }

// Wide reports whether two columns fit.
func (s Size) Wide() bool { return s.Width >= WideWidth }

// Page is the content of a screen, which the frame draws.
type Page struct {
	Scope  Scope  // the scope of its keys
	Title  string // where I am
	Place  string // the position in the whole, at the right of the header
	Window string // the title of the window, in short
	Body   string // at most Size.Body
	Day    string // the day's progress, in the upper rule
	Seen   string // the position in the body's text, from Position, in the lower rule
	Keys   []Key
	Status string      // where I stand, at the right of the footer
	Cursor *tea.Cursor // relative to the body

	NoClock bool // hides the clock, whatever the tester's settings say
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

// Pointer is a screen that handles the mouse. Positions are relative to the top left of the body.
type Pointer interface {
	Mouse(msg tea.MouseMsg, x, y int) tea.Cmd
}

// Holder is a screen that may hold keys while it changes to another view, which they are meant
// for. Meanwhile it gets keys untranslated, and translates them by its theme's keymap when the view
// is there.
type Holder interface{ Holding() bool }

// Navigation.
type (
	// OpenMsg puts a screen on top. Held, if not nil, returns keys that were pressed for it before
	// it was there. OverHome first removes all screens but the first, so that leaving this one leads
	// home.
	OpenMsg struct {
		Screen   Screen
		Held     func() []tea.KeyPressMsg
		OverHome bool
	}
	// BackMsg removes the top screen; removing the last one ends the program.
	BackMsg struct{}
	// SidewaysMsg toggles whether long lines of code run beyond the screen, in all screens.
	SidewaysMsg struct{}
	// VerbatimMsg toggles whether answers are shown verbatim, in all screens.
	VerbatimMsg struct{}
	// NotifyMsg tells a tester in another window what has arrived. What must be assay's own words,
	// never text of a model.
	NotifyMsg struct{ What string }
	// HelpMsg opens the list of keys.
	HelpMsg struct{}
	// ShownMsg tells a screen that it is on top again.
	ShownMsg struct{}
	// LookMsg tells the top screen the size and theme it will be drawn with.
	LookMsg struct {
		Size  Size
		Theme Theme
	}
)

// Open returns the command for OpenMsg.
func Open(s Screen) tea.Cmd { return func() tea.Msg { return OpenMsg{Screen: s} } }

// OpenOverHome opens a screen that leads home when it is left.
func OpenOverHome(s Screen) tea.Cmd {
	return func() tea.Msg { return OpenMsg{Screen: s, OverHome: true} }
}

// sideways returns the command for SidewaysMsg.
func sideways() tea.Msg { return SidewaysMsg{} }

// Verbatim returns the command for VerbatimMsg.
func Verbatim() tea.Msg { return VerbatimMsg{} }

// Back returns the command for BackMsg.
func Back() tea.Msg { return BackMsg{} }

// Draw lays out a page, header, rule, body, rule and footer, in exactly size.
func Draw(p Page, size Size, theme Theme) string {
	lines := make([]string, 0, size.Height)
	lines = append(lines, header(p, size.Width, theme), Rule(p.Day, size.Width, theme))
	lines = append(lines, Fit(p.Body, size.Body())...)
	lines = append(lines, Rule(p.Seen, size.Width, theme), footer(p, size.Width, theme))
	return strings.Join(lines, "\n")
}

// Fit cuts or fills text to exactly the rows of size, none wider than size.
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
	status := padded(p.Status)
	if status != "" && !strings.Contains(status, "\x1b") { // dim, to tell it from the keys
		status = theme.Dim.Render(status)
	}
	return Spread(keyLine(p.Keys, legendWidth(p, width), theme), status, width)
}

// legendWidth returns the width of the keys beside the status.
func legendWidth(p Page, width int) int {
	status := ansi.StringWidth(padded(p.Status))
	return max(0, width-status-min(status, 1)) // the gap is as wide as between two keys
}

// padded returns a text with a space on both sides, if there is one.
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

// Pane is one of the columns that stand side by side, under its title.
type Pane struct {
	Title, Note string // the note stands at the right
	Text        string
	Width       int
	Focused     bool // keys act on it
}

// Panes draws panes side by side: their titles in one row, then height rows of text. A single pane has no title.
func Panes(height int, theme Theme, panes ...Pane) string {
	if len(panes) == 1 {
		return Rule("", panes[0].Width, theme) + "\n" + strings.Join(Fit(panes[0].Text, Size{panes[0].Width, height}), "\n")
	}
	var heads []string
	for _, p := range panes {
		title, line := theme.Dim, theme.Line
		if p.Focused {
			title, line = theme.Accent, theme.Accent
		}
		heads = append(heads, section(p.Title, p.Note, p.Width, title, line, theme))
	}
	return strings.Join(heads, theme.Line.Render("┬")) + "\n" + beside(height, theme, panes...)
}

// Columns draws two blocks side by side, separated by a thin line.
func Columns(left, right string, leftWidth, rightWidth, height int, theme Theme) string {
	return beside(height, theme, Pane{Text: left, Width: leftWidth}, Pane{Text: right, Width: rightWidth})
}

// beside draws the texts of panes, separated by thin lines.
func beside(height int, theme Theme, panes ...Pane) string {
	rows, bar := make([]string, height), theme.Line.Render("│")
	for i, p := range panes {
		for y, row := range Fit(p.Text, Size{p.Width, height}) {
			if rows[y] += row; i < len(panes)-1 {
				rows[y] += strings.Repeat(" ", max(0, p.Width-Width(row))) + bar
			}
		}
	}
	return strings.Join(rows, "\n")
}

// Width returns the width of text on a terminal in columns, without styles.
func Width(text string) int { return ansi.StringWidth(text) }

// Indent puts prefix before every line of text.
func Indent(text, prefix string) string { return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix) }

// Position describes the visible rows of a text or list, height rows from index first on, as
// "12-34 of 80". It is empty if all rows are visible.
func Position(first, height, rows int) string {
	if first <= 0 && height >= rows || rows == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d of %d", first+1, min(first+height, rows), rows)
}

// Rule returns a thin line that ends with a note, such as a [Position].
func Rule(note string, width int, theme Theme) string {
	if note == "" {
		return theme.Line.Render(strings.Repeat("─", width))
	}
	note = theme.Dim.Render(" "+note+" ") + theme.Line.Render("──")
	return Spread(theme.Line.Render(strings.Repeat("─", max(0, width-Width(note)))), note, width)
}

// Section returns a thin heading: a rule with a title in it.
func Section(title, right string, width int, theme Theme) string {
	return section(title, right, width, theme.Strong, theme.Line, theme)
}

// FocusedSection is a Section above the text that keys act on.
func FocusedSection(title, right string, width int, theme Theme) string {
	return section(title, right, width, theme.Accent, theme.Accent, theme)
}

func section(title, right string, width int, style, line lipgloss.Style, theme Theme) string {
	left := "── "
	if title == "" {
		left = "──"
	}
	tail := "──"
	if right != "" && !strings.Contains(right, "\x1b") { // it has no colours of its own
		right = theme.Dim.Render(right)
	}
	room := width - ansi.StringWidth(left) - ansi.StringWidth(title) - ansi.StringWidth(tail) - 4 // two gaps, and a rule between them
	if right = padded(ansi.Truncate(right, max(0, room), "…")); room < 3 {
		right = ""
	}
	fill := width - ansi.StringWidth(left) - ansi.StringWidth(title) - ansi.StringWidth(right) - ansi.StringWidth(tail) - 1
	if fill < 1 {
		return theme.Dim.Render(ansi.Truncate(left+title, width, "…"))
	}
	return line.Render(left) + style.Render(title) + line.Render(" "+strings.Repeat("─", fill)) + right + line.Render(tail)
}

// Cell cuts or fills a text to exactly width columns.
func Cell(text string, width int) string {
	text = ansi.Truncate(text, max(0, width), "…")
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// Move returns the row that a key leads to from row, in a list of which page rows are visible. The
// result may lie outside the list. Moved is false if the key does not move.
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
