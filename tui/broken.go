package tui

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Guarded returns a command that tells broke of a panic in it, or in the commands that it answers with, and answers
// with what broke does. broke is called on the goroutine that panicked.
func Guarded(cmd tea.Cmd, broke func(why any) tea.Msg) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if why := recover(); why != nil {
				msg = broke(why)
			}
		}()
		return guardedAll(cmd(), broke)
	}
}

// guardedAll guards the commands that a message consists of: of a batch, or of a sequence, whose type Bubble Tea keeps
// to itself.
func guardedAll(msg tea.Msg, broke func(why any) tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	safe := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		if cmd, ok := v.Index(i).Interface().(tea.Cmd); ok {
			safe.Index(i).Set(reflect.ValueOf(Guarded(cmd, broke)))
		}
	}
	return safe.Interface()
}

// PanicText describes a panic without what was typed: only the runtime's own words are in it.
func PanicText(why any) string {
	if known, ok := why.(runtime.Error); ok {
		return known.Error()
	}
	return fmt.Sprintf("a panic of type %T", why)
}

// brokeMsg reports a panic in a command of a screen.
type brokeMsg struct {
	screen frame.Screen
	report string
}

// reportOf is to be called on the goroutine that panicked.
func reportOf(why any) string { return PanicText(why) + "\n\n" + string(debug.Stack()) }

// guarded guards a command of the top screen.
func (a *App) guarded(cmd tea.Cmd) tea.Cmd {
	if a.broke == nil {
		return cmd
	}
	screen, broke := a.top(), a.broke
	return Guarded(cmd, func(why any) tea.Msg { broke(why); return brokeMsg{screen, reportOf(why)} })
}

// recovered puts a page with what to report in the place of the top screen after a panic. It is to be deferred.
func (a *App) recovered() {
	if a.broke == nil {
		return
	}
	if why := recover(); why != nil {
		if _, again := a.top().(*broken); again {
			panic(why)
		}
		a.broke(why)
		a.breaks(brokeMsg{a.top(), reportOf(why)})
	}
}

// breaks closes a screen that has failed, wherever it is.
func (a *App) breaks(msg brokeMsg) {
	for i, s := range a.stack {
		if s == msg.screen {
			a.stack[i] = &broken{failed: s, report: msg.report, rescue: a.rescue, last: i == 0}
			a.commands = nil
		}
	}
}

// drawn draws the terminal, again if the top screen fails.
func (a *App) drawn() (text, title string, at *tea.Cursor) {
	failed := true
	func() {
		defer a.recovered()
		text, title, at = a.draw()
		failed = false
	}()
	if failed {
		return a.draw()
	}
	return text, title, at
}

// closeWithin is how long a screen that has failed may take to be left.
const closeWithin = 3 * time.Second

// broken stands in the place of a screen that has failed.
type broken struct {
	failed frame.Screen
	report string                                           // what went wrong, and where
	rescue func(name, text string) (path string, err error) // nil: the report is elsewhere
	last   bool
	put    string // where the report was written, or why it was not
}

type reportedMsg struct{ put string }

// Init implements frame.Screen.
func (b *broken) Init() tea.Cmd { return nil }

// Typing implements frame.Screen.
func (b *broken) Typing() bool { return false }

// Update implements frame.Screen.
func (b *broken) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case reportedMsg:
		b.put = msg.put
	case tea.KeyPressMsg:
		switch msg.String() {
		case "w":
			if b.rescue == nil {
				return nil
			}
			return func() tea.Msg {
				path, err := b.rescue("failure", b.report)
				if err != nil {
					return reportedMsg{"✗ " + frame.OneLine(err.Error())}
				}
				return reportedMsg{"✓ The report was written to " + path}
			}
		case "esc", "enter", "q":
			return func() tea.Msg { return frame.BackMsg{} }
		}
	}
	return nil
}

// Page implements frame.Screen.
func (b *broken) Page(size frame.Size, theme frame.Theme) frame.Page {
	body := size.Body()
	paragraph := func(text string) string {
		return frame.Indent(frame.Wrap(text, min(body.Width, 100)-6), "   ") + "\n\n"
	}
	what, _, _ := strings.Cut(b.report, "\n")
	text := "\n" + paragraph(theme.Bad.Render("✗ This screen has failed."))
	text += paragraph("Everything that was saved is kept. Closing this screen leads back; what it was doing can be opened again.")
	if b.put != "" {
		text += paragraph(b.put)
	}
	does := "close this screen"
	if b.last {
		does = "leave assay"
	}
	keys := []frame.Key{{Press: "esc", Does: does}}
	if b.rescue == nil {
		text += paragraph("This is an error in assay. Please tell whoever invited you what you did: the places are in the server's log.")
	} else {
		text += paragraph("This is an error in assay. Please report it with the version (assay version), what you did, and these places, in which there is nothing that was typed:")
		text += paragraph(what) + frame.Indent(strings.Join(b.places(), "\n"), "   ") + "\n"
		keys = append(keys, frame.Key{Press: "w", Does: "write the report to a file"})
	}
	return frame.Page{Scope: frame.ScopeEverywhere, Title: "Failed", Body: text, Keys: keys}
}

// places returns the first places of the report that are assay's own.
func (b *broken) places() (all []string) {
	for line := range strings.Lines(b.report) {
		called := strings.LastIndex(line, "(")
		if called > 0 && len(all) < 3 && strings.HasPrefix(line, "assay/") && !strings.HasPrefix(line, "assay/tui.") {
			all = append(all, line[:called])
		}
	}
	return all
}

// Departure implements frame.Departer: work of the screen that was not saved is still offered.
func (b *broken) Departure() (d frame.Departure) {
	defer func() {
		if recover() != nil {
			d = frame.Departure{}
		}
	}()
	if failed, ok := b.failed.(frame.Departer); ok {
		d = failed.Departure()
		d.Saving = false // nothing saves it any more
	}
	return d
}

// Leave implements frame.Leaver: the screen is left as far as it still can be.
func (b *broken) Leave() tea.Cmd {
	l, ok := b.failed.(frame.Leaver)
	if !ok {
		return nil
	}
	return func() tea.Msg {
		done := make(chan tea.Msg, 1)
		go func() {
			done <- Guarded(func() tea.Msg {
				if cmd := l.Leave(); cmd != nil {
					return cmd()
				}
				return nil
			}, func(any) tea.Msg { return nil })()
		}()
		select {
		case msg := <-done:
			return msg
		case <-time.After(closeWithin):
			return nil
		}
	}
}
