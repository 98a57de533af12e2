package tui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"assay/tui/frame"
	"assay/tui/settings"
)

// App is the root model: a stack of screens with the overlays of the top one. It translates keys,
// passes on the mouse, and draws everything by the tester's settings.
type App struct {
	size    frame.Size
	theme   frame.Theme
	dark    bool // the terminal's background is dark
	asked   bool // the terminal has reported its background
	colored bool
	few     bool // the terminal has 16 colours at most
	stack   []frame.Screen

	settings settings.Settings
	now      func() time.Time
	ticking  bool // a clockMsg is on its way
	terminal terminal
	sideways bool     // long lines of code are not broken
	verbatim bool     // answers are shown as they were written
	keeping  bool     // a setting is being written
	unkept   []change // settings that are to be written after it
	notice   string   // the result of a change of settings, until the next key
	trouble  string   // why a setting was not written

	commands *commands // the list of keys and commands, over the screen; nil if closed
	leaving  *leaving  // the question whether to leave, over the screen; nil if it is not asked
	ending   bool      // the program is ending: keys are ignored
	forced   bool      // end even if work cannot be saved: after a signal, or if the user said so
	unsaved  error     // the work that could not be saved at the end

	rescue  func(name, text string) (path string, err error)
	suspend tea.Cmd
	broke   func(why any) // told that a screen has failed; nil: whoever runs the program guards it
}

// New makes the program with its first screen. Without colour the theme uses
// only bold, dim and reverse.
func New(first frame.Screen, colored bool) *App {
	a := &App{
		size: frame.Size{Width: frame.FullWidth, Height: frame.FullHeight},
		dark: true, colored: colored, stack: []frame.Screen{first}, settings: settings.Default(), now: time.Now,
	}
	a.restyle()
	return a
}

// Use applies settings before the program starts; now is the time for the clock.
func (a *App) Use(s settings.Settings, now func() time.Time) {
	a.settings, a.now = s, now
	a.restyle()
}

// Own enables what only a program of the user's own process can do: write unsaved work and reports of failures to a
// file, go on after a screen has failed, and be suspended.
func (a *App) Own(rescue func(name, text string) (path string, err error), suspend tea.Cmd) {
	a.rescue, a.suspend = rescue, suspend
	a.Guard(func(any) {})
}

// Guard has a screen that fails closed alone, and broke called on the goroutine that it failed on.
func (a *App) Guard(broke func(why any)) { a.broke = broke }

// SetColor chooses between colour and bold, dim and reverse alone.
func (a *App) SetColor(colored bool) {
	a.colored = colored
	a.restyle()
}

// restyle rebuilds the theme.
func (a *App) restyle() {
	a.theme = cmp.Or(a.commands.preview(), a.settings.Theme).Theme(a.dark, a.colored)
	if a.few {
		a.theme = a.theme.FewColors()
	}
	a.theme.Keys, a.theme.Sideways, a.theme.Verbatim = a.settings.Keys, a.sideways, a.verbatim
}

// Settled reports whether nothing is being rendered for the top screen.
func (a *App) Settled() bool {
	s, ok := a.top().(interface{ Settled() bool })
	return !ok || s.Settled()
}

// Push puts a screen on top before the program starts.
func (a *App) Push(s frame.Screen) { a.stack = append(a.stack, s) }

// Init starts the first screen and asks the terminal for its background.
func (a *App) Init() tea.Cmd {
	return a.guarded(tea.Batch(tea.RequestBackgroundColor, a.direct(), a.tick(), a.top().Init()))
}

func (a *App) top() frame.Screen { return a.stack[len(a.stack)-1] }

// Update handles messages for the whole program and passes the others to the top screen.
func (a *App) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = a // if the screen fails
	defer a.recovered()
	cmd = a.guarded(a.update(msg))
	if leave := a.leaveWhenSaved(); leave != nil {
		cmd = tea.Batch(cmd, leave)
	}
	return next, cmd
}

func (a *App) update(msg tea.Msg) tea.Cmd {
	if a.ending {
		switch msg.(type) {
		case tea.KeyPressMsg, tea.PasteMsg, tea.FocusMsg, tea.BlurMsg, tea.MouseMsg:
			return nil
		}
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.size = frame.Size{Width: msg.Width, Height: msg.Height}
		return a.look()
	case tea.BackgroundColorMsg:
		a.dark, a.asked = msg.IsDark(), true
		a.restyle()
		return a.look()
	case tea.ColorProfileMsg:
		a.few = msg.Profile <= colorprofile.ANSI
		a.restyle()
		return a.look()
	case frame.OpenMsg:
		return a.open(msg)
	case frame.BackMsg:
		return a.back()
	case frame.SidewaysMsg:
		a.sideways = !a.sideways
		a.restyle()
		return a.look()
	case frame.VerbatimMsg:
		a.verbatim = !a.verbatim
		a.restyle()
		return a.look()
	case frame.NotifyMsg:
		return a.notify(msg)
	case tea.EnvMsg:
		a.terminal.learn(msg.Getenv)
		return nil
	case tea.FocusMsg:
		a.terminal.blurred, a.terminal.news = false, ""
	case tea.BlurMsg:
		a.terminal.blurred = true
	case frame.HelpMsg:
		return a.openCommands()
	case tea.KeyPressMsg:
		return a.pressed(msg)
	case tea.MouseMsg:
		return a.pointed(msg)
	case tea.PasteMsg:
		if a.commands != nil {
			return a.commands.typed(msg)
		}
	case writtenMsg:
		return a.written(msg)
	case clockMsg:
		a.ticking = false
		return a.tick()
	case LeaveMsg:
		if a.leaving != nil && a.leaving.put == "" {
			a.leaving = nil // so that unsaved work is written to a file
		}
		if a.forced = true; a.ending { // leaving was answered a moment ago, and must not ask again
			return nil
		}
		return a.leave()
	case leftMsg:
		return a.left()
	case rescuedMsg:
		return a.rescued(msg)
	case NoticeMsg:
		a.notice = msg.Text
		return nil
	case brokeMsg:
		a.breaks(msg)
		return nil
	}
	return a.top().Update(msg)
}

// open puts a screen on top and passes it the keys that were held for it.
func (a *App) open(msg frame.OpenMsg) tea.Cmd {
	var held []tea.KeyPressMsg
	if msg.Held != nil {
		held = msg.Held()
	}
	var cmds []tea.Cmd
	for msg.OverHome && len(a.stack) > 1 {
		cmds = append(cmds, a.pop())
	}
	a.stack = append(a.stack, msg.Screen)
	cmds = append(cmds, msg.Screen.Init(), a.look())
	for _, key := range held {
		cmds = append(cmds, a.pressed(key))
	}
	return tea.Batch(cmds...)
}

// look tells the top screen what it will be drawn with.
func (a *App) look() tea.Cmd { return a.top().Update(frame.LookMsg{Size: a.size, Theme: a.theme}) }

// pressed translates a key into assay's own and handles it.
func (a *App) pressed(msg tea.KeyPressMsg) tea.Cmd {
	a.notice, a.trouble = "", ""
	scope, typing := a.scope()
	own := a.theme.Keys.Own(scope, typing, msg)
	if cmd, taken := a.key(own); taken {
		return cmd
	}
	if h, ok := a.top().(frame.Holder); ok && h.Holding() {
		own = msg
	}
	return a.top().Update(own)
}

// hand passes one of assay's keys to the top screen, for a command or a click.
func (a *App) hand(own string) tea.Cmd {
	if h, ok := a.top().(frame.Holder); ok && h.Holding() {
		own = a.theme.Keys.Wanted(a.Page().Scope, a.top().Typing(), own) // it will be translated
	}
	press, err := frame.KeyNamed(own)
	if err != nil {
		return nil
	}
	return a.top().Update(press)
}

// scope returns the current scope of keys, and whether text is being typed.
func (a *App) scope() (frame.Scope, bool) {
	switch h, holds := a.top().(frame.Holder); {
	case a.leaving != nil || a.size.TooSmall():
		return frame.ScopeEverywhere, false
	case a.commands != nil:
		return frame.ScopeEverywhere, true
	case holds && h.Holding():
		return frame.ScopeEverywhere, true
	case a.theme.Keys.IsZero():
		return frame.ScopeEverywhere, a.top().Typing()
	}
	return a.top().Page(a.size, a.theme).Scope, a.top().Typing()
}

// key handles the keys that are the same everywhere.
func (a *App) key(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	press := msg.String()
	switch {
	case a.leaving != nil:
		return a.leavingKey(press), true
	case press == "ctrl+c":
		return a.askToLeave(), true
	case press == "ctrl+z" && a.suspend != nil && !a.top().Typing():
		return tea.Sequence(a.top().Update(frame.SuspendMsg{}), a.suspend), true
	case a.size.TooSmall():
		return nil, true // the user sees nothing that a key could be for
	case a.commands != nil:
		return a.commandKey(msg), true
	case press == "ctrl+p", press == frame.HelpKey.Press, press == "?" && !a.top().Typing():
		return a.openCommands(), true
	}
	return nil, false
}

// back removes the top screen.
func (a *App) back() tea.Cmd {
	if len(a.stack) == 1 {
		return a.leave()
	}
	if d, ok := a.top().(frame.Departer); ok && len(d.Departure().Lost) > 0 {
		return a.askToLeave()
	}
	cmd := a.pop()
	look := a.look()
	shown := func() tea.Msg { return frame.ShownMsg{} }
	return tea.Batch(look, tea.Sequence(cmd, shown))
}

// pop removes the top screen after its Leave.
func (a *App) pop() tea.Cmd {
	var cmd tea.Cmd
	if l, ok := a.top().(frame.Leaver); ok {
		cmd = l.Leave()
	}
	a.stack = a.stack[:len(a.stack)-1]
	return cmd
}

// View draws the top screen in its frame.
func (a *App) View() tea.View {
	text, title, cursor := a.drawn()
	if a.ascii() {
		text = frame.ASCII(text)
	}
	v := tea.NewView(text)
	v.AltScreen, v.ReportFocus, v.WindowTitle, v.Cursor = true, true, title, cursor
	if a.asked { // earlier, the terminal would report the theme's colour as its own
		v.BackgroundColor, v.ForegroundColor = a.theme.Paper, a.theme.Ink
	}
	if a.settings.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// Page returns the page of the top screen, with assay's own keys.
func (a *App) Page() frame.Page {
	p := a.top().Page(a.size, a.theme)
	p.Keys = frame.Now(p.Keys)
	return p
}

// shown returns the page on the screen, with overlays and the tester's keys.
func (a *App) shown() frame.Page {
	p, typing := a.Page(), a.top().Typing()
	if a.settings.Clock && !p.NoClock {
		p.Place = strings.TrimPrefix(p.Place+" · "+a.now().Format("15:04"), " · ")
	}
	if !a.settings.Progress {
		p.Day = ""
	}
	switch body := a.size.Body(); {
	case a.leaving != nil:
		p, typing = a.leavingPage(p), false
	case a.commands != nil:
		p, typing = a.commands.cover(p, body, a.theme), true
	}
	p.Keys = a.theme.Keys.Keys(p, typing)
	return p
}

// draw draws the whole terminal, with the title of its window and the cursor.
func (a *App) draw() (text, title string, at *tea.Cursor) {
	if a.size.TooSmall() {
		return a.tooSmall(), a.windowTitle(frame.Page{}), nil
	}
	p := a.shown()
	if rows := a.message(); len(rows) > 0 {
		p.Body = frame.Under(p.Body, rows, a.size.Body())
	}
	if p.Cursor != nil {
		moved := *p.Cursor
		moved.Y += frame.BodyTop
		p.Cursor = &moved
	}
	text, at = a.ordered(frame.Draw(p, a.size, a.theme), p.Cursor)
	return text, a.windowTitle(p), at
}

// tooSmall is shown if the terminal is too small for a page. The only thing that keys do there is
// to leave, so it also asks whether to leave.
func (a *App) tooSmall() string {
	text := fmt.Sprintf("assay needs %d columns and %d rows.\nThis terminal has %d and %d.\nEverything is kept: make it larger.",
		frame.MinWidth, frame.MinHeight, a.size.Width, a.size.Height)
	if a.leaving != nil || a.ending {
		text = "Leave assay? y leaves, esc stays.\n" + a.leavingState(a.departure())
	}
	return strings.Join(frame.Fit(frame.Wrap(text, a.size.Width), a.size), "\n")
}
