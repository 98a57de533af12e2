package tui_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/settings"
)

// dialogs are the golden screens on which something lies over the screen whose legend
// is looked at.
func dialogs(name string) bool {
	return strings.Contains(name, "help") || strings.Contains(name, "commands") || name == "leave" || name == "own-keys"
}

// idle are the keys of a legend that may do nothing on one screen: one of several that
// move, where there is nothing further that way, or that choose what is shown already;
// and those of which the legend says in which view they do something.
func idle(k frame.Key, own string) bool {
	return len(frame.Presses(k.Press)) > 1 || own == "end" || own == "home" || strings.HasPrefix(k.Does, "in tests:")
}

// opposites make room for a key that moves, where one begins at the end.
var opposites = map[string]string{"up": "down", "pgup": "pgdown", "home": "end", "ctrl+u": "ctrl+d", "g": "G", "k": "j", "]": "[", "[": "]", "1": "2", "b": "space"}

// longer are screens on which there is more to see than on the golden ones.
var longer = []goldenScreen{
	{"a long answer", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer+strings.Repeat("\nAnd more.\n", 60))
	}},
	{"a long answer that is rated", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer+strings.Repeat("\nAnd more.\n", 60)).press("y").sees("9 to go").press("v").sees("back to the rating")
	}},
	{"long instructions", func(t *testing.T) *driver {
		d, _ := inStudy(t, session.InStudy{Name: "Two models", Instructions: strings.Repeat("- Judge each answer.\n", 60)}, "")
		return d.sees("go on")
	}},
	{"the tests of an attempt", func(t *testing.T) *driver { return openAttempt(t).press("2").sees("1-3    passed") }},
	{"a long attempt", func(t *testing.T) *driver {
		return openAttempt(t).press("[").sees("attempt 2 of 3").press("[").sees("And more.")
	}},
}

// Every key in the legend of every screen does something that can be seen, or the legend
// says why not. Keys that only move may find nothing to move on one screen, but not on all.
func TestEveryKeyInTheLegend(t *testing.T) {
	if testing.Short() {
		t.Skip("every screen is reached once for each of its keys")
	}
	tried, moved, never := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, screen := range append(slices.Clone(screens), longer...) {
		if dialogs(screen.name) {
			continue
		}
		page := screen.reach(t).settled().App.Page()
		for _, k := range page.Keys {
			for _, own := range frame.Presses(k.Press) {
				what := fmt.Sprintf("%s: %q %s %s", page.Scope, k.Press, k.Does, own)
				if k.Why != "" || tried[what] || own == "ctrl+o" { // ctrl+o starts another program
					continue
				}
				motion, name := idle(k, own), fmt.Sprintf("%s: %s", page.Scope, own)
				if motion && moved[name] {
					continue
				}
				tried[what] = !motion
				d := screen.reach(t).settled()
				if first, err := frame.KeyNamed(opposites[own]); motion && err == nil {
					d.send(first)
					d.settled()
				}
				before := d.state()
				press, err := frame.KeyNamed(own)
				if err != nil {
					t.Fatal(err)
				}
				d.send(press)
				if motion {
					d.settled()
					if moved[name] = d.state() != before; !moved[name] {
						never[name] = screen.name
					} else {
						delete(never, name)
					}
					continue
				}
				d.until("an effect of "+own+" on "+screen.name+", which is said to do: "+k.Does, func(string) bool { return d.Quit || d.state() != before })
			}
		}
	}
	for name, screen := range never {
		if strings.HasPrefix(name, string(frame.ScopeWaiting)) {
			continue // the model of the tests answers at once: there is never half an answer to scroll
		}
		t.Errorf("%s never moves anything, last tried on %s", name, screen)
	}
}

// state is what a person sees, with the place of the cursor.
func (d *driver) state() string {
	v := d.App.View()
	if v.Cursor == nil {
		return v.Content
	}
	return fmt.Sprint(v.Content, v.Cursor.X, v.Cursor.Y)
}

// The keys are listed behind f1 on every screen, and behind ? where it is not text.
func TestHelpEverywhere(t *testing.T) {
	t.Parallel()
	for _, screen := range screens {
		if dialogs(screen.name) {
			continue
		}
		d := screen.reach(t).settled()
		if page := d.App.Page(); !slices.ContainsFunc(page.Keys, func(k frame.Key) bool { return k.Help }) && len(page.Keys) > 3 {
			t.Errorf("%s: the legend does not name the key of the help page", screen.name)
		}
		if d.press("f1"); !strings.Contains(d.screen(), "any key closes this") {
			t.Errorf("%s: f1 does not list the keys", screen.name)
		}
		d.press("esc")
		before := d.screen()
		if d.press("?"); strings.Contains(d.screen(), "any key closes this") {
			continue
		}
		if !strings.Contains(d.screen(), "?") || d.screen() == before {
			t.Errorf("%s: ? neither lists the keys nor is typed", screen.name)
		}
	}
}

// Every key that a legend shows is among those that can be given another, in the scope
// of its screen.
func TestKeysAreListed(t *testing.T) {
	listed := map[frame.Scope][]string{}
	for _, scope := range frame.Scopes() {
		for _, k := range settings.Keys(scope) {
			listed[scope] = append(listed[scope], frame.Presses(k.Press)...)
		}
	}
	for _, screen := range screens {
		page := screen.reach(t).App.Page()
		if !slices.Contains(frame.Scopes(), page.Scope) || page.Scope == frame.ScopeEverywhere {
			t.Errorf("%s has the scope %q", screen.name, page.Scope)
		}
		for _, k := range page.Keys {
			for _, own := range frame.Presses(k.Press) {
				if !slices.Contains(listed[page.Scope], own) && !slices.Contains(listed[frame.ScopeEverywhere], own) {
					t.Errorf("%s: %s (%s) is not among the keys of %s", screen.name, own, k.Does, page.Scope)
				}
			}
		}
	}
}

// use works by the text of a settings file.
func (d *driver) use(text string) *driver {
	d.T.Helper()
	s, err := settings.Parse("settings.toml", text)
	if err != nil {
		d.T.Fatal(err)
	}
	s.Path = ""
	d.App.Use(s, noon)
	return d
}

// The tester's keys do what assay's own did, the legend and sentences say so, and what
// they did before has moved.
func TestOwnKeys(t *testing.T) {
	const own = "[keys.review]\ny = \"s\"\n\"1\" = \"f6\"\n[keys.rating]\n\"5\" = \"x\"\n[keys.everywhere]\n\"ctrl+p\" = \"f9\"\n\"?\" = \"h\"\n[keys.compose]\n\"ctrl+s\" = \"f8\"\n"
	d, rig := begin(t, 1)
	d.use(own)
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt", "f8 send").press("Double yes?", "f8").sees("s satisfied", "tests ✓")
	d.press("h").sees("f6 2 3 4 5 6 7", "satisfied").press("esc").sees("s satisfied")
	d.press("f9").sees("satisfied", "do it").press("esc")
	d.press("2", "f6").sees("It multiplies").press("f12", "so y").sees("Your note", "so y").press("enter").sees("s satisfied")
	d.press("s").sees("9 to go").press("x").sees("8 to go", "[5]").press("4", "4", "4", "4", "4", "4", "4", "y").sees("complete").press("enter").sees("Session finished")
	if s := rig.Engine.State().Tasks[0]; s.Ratings["accuracy"] != 5 || s.Note != "so y" {
		t.Errorf("ratings %v, note %q", s.Ratings, s.Note)
	}
	d = browse(t, 80, 24).use("[keys.tasks]\n\"/\" = \"f\"\nr = \"R\"\n")
	d.sees("f types one", "f filter").press("5").sees("R shows the reference")
	d.press("esc", "f", "type:").sees("structural").press("esc").press("esc").sees("f filter")
}

// Keys that are pressed while a step is under way are those of the view that they are
// meant for, by its own keymap.
func TestOwnKeysHeld(t *testing.T) {
	d, rig := begin(t, 1)
	d.use("[keys.rating]\n\"5\" = \"x\"\n[keys.review]\ny = \"x\"\n")
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("a", "ctrl+s").sees("tests ✓")
	d.press("x", "x", "x").sees("7 to go", "[5]")
}

// The list of commands holds what the screen offers and what is the same everywhere,
// finds it by what is typed, does it, and leaves the screen as it was.
func TestCommands(t *testing.T) {
	d := reviewing(t, rightAnswer)
	before := d.screen()
	d.press("ctrl+p").sees("▸ satisfied", "views 7").press("pgdown", "pgdown", "pgdown", "pgdown").sees("leave assay").press("esc")
	if d.screen() != before {
		t.Errorf("the screen is another one:\n%s\nwas\n%s", d.screen(), before)
	}
	d.press("ctrl+p", "copy").sees("▸ copy code").press("enter").sees("was sent to the terminal")
	d.press("ctrl+p", "zzz").sees("no such command").press("enter").sees("no such command").press("ctrl+c").sees("Leave assay?").press("x")
	d.press("ctrl+p", "leave").sees("▸ leave assay").press("enter").sees("Leave assay?").press("x")
	d.press("ctrl+p", "all keys").press("enter").sees("closes this").press("x")
	d.press("ctrl+p", "satisfied", "enter").sees("9 to go")
	browse(t, 80, 24).press("ctrl+p", "save").sees("▸ save filter: not now").press("enter").sees("– not now: there is no filter to save")

	// What is not seen is not done.
	d.press("ctrl+p")
	d.send(tea.WindowSizeMsg{Width: 50, Height: 24})
	d.press("commit").press("enter")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.sees("▸ rate, go on 1").press("esc").sees("9 to go")

	// While text is typed it is a key like any other, and nothing typed in it is text.
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("abc").press("ctrl+p", "insert").sees("▸ insert").press("enter").sees("Insert at the cursor").press("esc")
	d.send(tea.PasteMsg{Content: "x"})
	d.press("ctrl+p")
	d.send(tea.PasteMsg{Content: "se"})
	d.sees("▸ send").press("esc").sees("abcx")
	if text := rig.Engine.State(); text == nil {
		t.Fatal("no state")
	}
}

// A setting that is switched holds at once, is kept, and stays where it cannot be.
func TestSwitches(t *testing.T) {
	path := t.TempDir() + "/settings.toml"
	s := settings.Default()
	s.Path = path
	d := browse(t, 80, 24)
	d.App.Use(s, noon)
	d.App.SetColor(true)
	if d.App.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is taken without being asked for")
	}
	d.press("ctrl+p", "mouse on", "enter").sees("mouse = true is kept in")
	d.press("ctrl+p", "clock on", "enter").sees("clock = true is kept in", "· 12:00")
	d.press("ctrl+p", "high contrast light", "enter").sees("theme = high-contrast-light is kept in")
	if v := d.App.View(); v.BackgroundColor != nil {
		t.Error("the terminal's colours are changed before it has said what they are")
	}
	d.send(tea.BackgroundColorMsg{Color: color.Black})
	v := d.App.View()
	if v.MouseMode != tea.MouseModeCellMotion || v.BackgroundColor == nil || v.ForegroundColor == nil {
		t.Errorf("mouse %v, colours %v on %v", v.MouseMode, v.ForegroundColor, v.BackgroundColor)
	}
	got, err := settings.Load(path)
	if err != nil || !got.Mouse || !got.Clock || got.Theme != frame.ThemeHighContrastLight {
		t.Errorf("%v, %+v", err, got)
	}
	d.press("ctrl+p", "theme auto").press("enter").sees("theme = auto is kept")
	if v := d.App.View(); v.BackgroundColor != nil {
		t.Error("the terminal's colours stay")
	}
	s.Path = t.TempDir() // cannot be written
	d.App.Use(s, noon)
	d.press("ctrl+p", "clock on", "enter").sees("✗ clock = true is not kept", "12:00")
}

// click and wheel are what the mouse does in a column and row of the terminal.
func (d *driver) click(text string) *driver {
	d.T.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			d.send(tea.MouseClickMsg{X: frame.Width(before), Y: y, Button: tea.MouseLeft})
			d.send(tea.MouseReleaseMsg{X: frame.Width(before), Y: y, Button: tea.MouseLeft})
			return d
		}
	}
	d.T.Fatalf("%q is not on the screen:\n%s", text, d.screen())
	return d
}

func (d *driver) wheel(button tea.MouseButton) *driver {
	d.send(tea.MouseWheelMsg{X: 3, Y: 8, Button: button})
	return d
}

// With the mouse a click chooses and another one opens, the wheel moves, and keys of the
// last line can be clicked. Without it nothing happens.
func TestMouse(t *testing.T) {
	d := drive(t, fullHome(t), 80, 24).sees("search, filter")
	d.click("Models").sees("▸ starter")
	d.use("mouse = true").click("Rehearse").sees("▸ Rehearse").wheel(tea.MouseWheelDown).sees("▸ Tasks").click("Tasks").sees("45 of 45 tasks")
	d.wheel(tea.MouseWheelDown).wheel(tea.MouseWheelDown).until("the third task", func(s string) bool {
		return strings.Contains(strings.Split(s, "\n")[7], "▸")
	})
	d.click("s statistics").sees("total").wheel(tea.MouseWheelDown).click("esc back").sees("every task")
	d.click("? keys").sees("closes this").click("show the reference").sees("closes this").press("x")
	d.press("esc").sees("Continue").click("ctrl+p commands").sees("do it").click("rehearse").sees("▸ rehearse").click("rehearse").sees("New session")
	d = lookAt(t, study(), 80, 24).use("mouse = true")
	d.wheel(tea.MouseWheelDown).wheel(tea.MouseWheelUp).press("enter").sees("Session finished").press("7").sees("find")
	d.wheel(tea.MouseWheelDown).wheel(tea.MouseWheelDown).sees("▸")
}
