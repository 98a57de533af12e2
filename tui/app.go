package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// App is the root model: a stack of screens and what lies over the top one.
type App struct {
	size  frame.Size
	theme frame.Theme
	stack []frame.Screen

	help    bool // the help page lies over the screen
	leaving bool // the question whether to leave lies over the screen
	ending  bool // the screens are being left for good: nothing is typed any more
}

// New makes the program with its first screen. Without colour the theme uses
// only bold, dim and reverse.
func New(first frame.Screen, colored bool) *App {
	return &App{
		size:  frame.Size{Width: frame.FullWidth, Height: frame.FullHeight},
		theme: frame.NewTheme(true, colored), stack: []frame.Screen{first},
	}
}

// SetColor chooses between colour and bold, dim and reverse alone.
func (a *App) SetColor(colored bool) { a.theme = frame.NewTheme(a.theme.Dark, colored) }

// Settled says whether nothing is being rendered for the top screen.
func (a *App) Settled() bool {
	s, ok := a.top().(interface{ Settled() bool })
	return !ok || s.Settled()
}

// Push puts a screen on top before the program starts.
func (a *App) Push(s frame.Screen) { a.stack = append(a.stack, s) }

// Init starts the first screen and asks the terminal for its background.
func (a *App) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, a.top().Init()) }

func (a *App) top() frame.Screen { return a.stack[len(a.stack)-1] }

// Update handles what concerns the whole program and gives the rest to the top
// screen.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.ending {
		switch msg.(type) {
		case tea.KeyPressMsg, tea.PasteMsg, tea.FocusMsg, tea.BlurMsg:
			return a, nil
		}
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.size = frame.Size{Width: msg.Width, Height: msg.Height}
		return a, a.look()
	case tea.BackgroundColorMsg:
		a.theme = frame.NewTheme(msg.IsDark(), a.theme.Color)
		return a, a.look()
	case frame.OpenMsg:
		a.stack = append(a.stack, msg.Screen)
		return a, tea.Batch(msg.Screen.Init(), a.look())
	case frame.ReplaceMsg:
		a.stack[len(a.stack)-1] = msg.Screen
		return a, tea.Batch(msg.Screen.Init(), a.look())
	case frame.BackMsg:
		return a, a.back()
	case tea.KeyPressMsg:
		if cmd, taken := a.key(msg); taken {
			return a, cmd
		}
	case tea.InterruptMsg:
		a.leaving = true
		return a, nil
	}
	return a, a.top().Update(msg)
}

// look tells the top screen what it will be drawn with.
func (a *App) look() tea.Cmd { return a.top().Update(frame.LookMsg{Size: a.size, Theme: a.theme}) }

// key handles the keys that are the same everywhere.
func (a *App) key(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	press := msg.String()
	switch {
	case a.leaving:
		a.leaving = false
		if press == "y" || press == "ctrl+c" || press == "enter" {
			return a.leave(), true
		}
		return nil, true
	case press == "ctrl+c":
		a.leaving, a.help = true, false
		return nil, true
	case a.help:
		a.help = false
		return nil, true
	case press == "f1", press == "?" && !a.top().Typing():
		a.help = true
		return nil, true
	case a.size.TooSmall():
		return nil, true // nothing is seen, so nothing is pressed by mistake
	}
	return nil, false
}

// back takes the top screen away.
func (a *App) back() tea.Cmd {
	if len(a.stack) == 1 {
		return a.leave()
	}
	var cmd tea.Cmd
	if l, ok := a.top().(frame.Leaver); ok {
		cmd = l.Leave()
	}
	a.stack = a.stack[:len(a.stack)-1]
	shown := func() tea.Msg { return frame.ShownMsg{} }
	return tea.Sequence(cmd, shown)
}

// leave ends the program after every screen has done what it must.
func (a *App) leave() tea.Cmd {
	a.ending = true
	var cmds []tea.Cmd
	for i := len(a.stack) - 1; i >= 0; i-- {
		if l, ok := a.stack[i].(frame.Leaver); ok {
			cmds = append(cmds, l.Leave())
		}
	}
	return tea.Sequence(append(cmds, tea.Quit)...)
}

// View draws the top screen in its frame.
func (a *App) View() tea.View {
	text, cursor := a.draw()
	v := tea.NewView(text)
	v.AltScreen, v.ReportFocus, v.WindowTitle, v.Cursor = true, true, "assay", cursor
	return v
}

// draw is the text of the whole terminal, and where its cursor is.
func (a *App) draw() (string, *tea.Cursor) {
	if a.size.TooSmall() {
		return fmt.Sprintf("assay needs %d columns and %d rows.\nThis terminal has %d and %d.\nEverything is kept: make it larger.",
			frame.MinWidth, frame.MinHeight, a.size.Width, a.size.Height), nil
	}
	p := a.top().Page(a.size, a.theme)
	switch {
	case a.leaving:
		p.Body = "\n\n   " + a.theme.Strong.Render("Leave assay?") +
			"\n\n   Everything is saved. The session is paused and can be continued later.\n\n   " +
			a.theme.Accent.Render("y") + " leave    " + a.theme.Accent.Render("any other key") + " stay\n"
		p.Keys, p.Status, p.Cursor = []frame.Key{{Press: "y", Does: "leave"}, {Press: "esc", Does: "stay"}}, "", nil
	case a.help:
		p.Body = frame.HelpPage(p, a.size.Body(), a.theme)
		p.Keys, p.Status, p.Cursor = []frame.Key{{Press: "any key", Does: "closes this"}}, "", nil
	}
	if p.Cursor != nil {
		moved := *p.Cursor
		moved.Y += 2 // header and rule
		p.Cursor = &moved
	}
	return frame.Draw(p, a.size, a.theme), p.Cursor
}
