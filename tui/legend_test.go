package tui_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/settings"
	"assay/tui/tuitest"
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
	if k.Does == "continue that session" {
		return false // each of the numbers opens one
	}
	return len(frame.Presses(k.Press)) > 1 || own == "end" || own == "home" || strings.HasPrefix(k.Does, "in tests:")
}

// opposites make room for a key that moves, whether a screen begins at its top or at its end,
// as an answer does that was followed while it arrived.
var opposites = map[string]string{
	"up": "down", "pgup": "pgdown", "home": "end", "ctrl+u": "ctrl+d", "g": "G", "k": "j", "b": "space",
	"down": "up", "pgdown": "pgup", "end": "home", "ctrl+d": "ctrl+u", "G": "home", "j": "k", "space": "b",
	"]": "[", "[": "]", "1": "2",
}

// longer are screens on which there is more to see than on the golden ones.
var longer = []goldenScreen{
	{"a long answer", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer+strings.Repeat("\nAnd more.\n", 60))
	}},
	{"a long answer that is rated", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer+strings.Repeat("\nAnd more.\n", 60)).Press("y").Sees("9 to go").Press("v").Sees("back to the rating")
	}},
	{"long instructions", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.InStudy(t, session.InStudy{Name: "Two models", Instructions: strings.Repeat("- Judge each answer.\n", 60)}, "")
		return d.Sees("go on")
	}},
	{"the tests of an attempt", func(t *testing.T) *tuitest.Driver { return openAttempt(t).Press("2").Sees("1-3    passed") }},
	{"a long attempt", func(t *testing.T) *tuitest.Driver {
		return openAttempt(t).Press("[").Sees("attempt 2 of 3").Press("[").Sees("And more.")
	}},
	{"models that can be added", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("m").Sees("2 of 3").Press("a").Sees("ollama")
	}},
	{"the address of a server", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("m").Sees("2 of 3").Press("a").Sees("ollama").Press("end").Press("enter").Sees("address:")
	}},
	{"steps of an agent", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Shopping(t, nil)
		rig.Client.Answer(tuitest.Agent(30))
		return d.Press("Correct it.", "ctrl+s").Sees("satisfied", "✓ 5/5").Press("6").Sees("30 steps with")
	}},
	{"a pair with reasons", func(t *testing.T) *tuitest.Driver {
		path := tuitest.Paired(t, 2, func(o *overlap.Setup) { o.HowMuch, o.Why = true, []string{"accuracy", "readability"} })
		return tuitest.Comparing(t, path, 80, 24).Press("a").Sees("how much?")
	}},
}

// Every key in the legend of every screen does something that can be seen, or the legend
// says why not. Keys that only move may find nothing to move on one screen, but not on all.
func TestEveryKeyInTheLegend(t *testing.T) {
	tried, moved, never := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, screen := range append(slices.Clone(screens), longer...) {
		if dialogs(screen.name) {
			continue
		}
		page := screen.reach(t).Settled().App.Page()
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
				d := screen.reach(t).Settled()
				if first, err := frame.KeyNamed(opposites[own]); motion && err == nil {
					d.Send(first)
					d.Settled()
				}
				before := d.State()
				press, err := frame.KeyNamed(own)
				fatal.If(t, err)
				d.Send(press)
				if motion {
					d.Settled()
					if moved[name] = d.State() != before; !moved[name] {
						never[name] = screen.name
					} else {
						delete(never, name)
					}
					continue
				}
				d.Until("an effect of "+own+" on "+screen.name+", which is said to do: "+k.Does, func(string) bool { return d.Quit || d.State() != before })
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

// saidAlready are the keys that were pressed on a golden screen, which says what is missing, and would say it again.
var saidAlready = map[string]string{"estimate-missing": "ctrl+s", "repository-merge-reason": "enter"}

// What a legend shows does something now, on each screen on which it is shown, or says why not: of several keys that
// stand together one of them. Of all pairs of a screen and a key a part is tried.
func TestLegendsActNow(t *testing.T) {
	pair := 0
	for _, screen := range slices.Concat(screens, longer) {
		if dialogs(screen.name) {
			continue
		}
		var keys []frame.Key
		for _, k := range screen.reach(t).Settled().App.Page().Keys {
			if pair++; !k.More && k.Why == "" && k.Press != "ctrl+o" && sampled.OneIn(60, pair) { // ctrl+o starts another program
				keys = append(keys, k)
			}
		}
		for _, k := range keys {
			if k.Press == saidAlready[screen.name] {
				continue
			}
			if !slices.ContainsFunc(frame.Presses(k.Press), func(own string) bool { return acts(t, screen, own) }) {
				t.Errorf("%s: %s does nothing, and is said to %s:\n%s", screen.name, k.Press, k.Does, screen.reach(t).Settled().Screen())
			}
		}
	}
}

// acts reports whether a key changes what can be seen of a screen, is heard by the terminal, or leaves.
func acts(t *testing.T, screen goldenScreen, own string) bool {
	t.Helper()
	d := screen.reach(t).Settled()
	before, raw := d.State(), d.Raw
	press, err := frame.KeyNamed(own)
	fatal.If(t, err)
	d.Send(press)
	late := time.After(time.Second)
	for {
		if d.State() != before || d.Raw != raw || d.Quit {
			return true
		}
		select {
		case msg := <-d.Msgs:
			d.Send(msg)
		case <-late:
			return false
		}
	}
}

// The keys are listed behind f1 on every screen, and behind ? where it is not text.
func TestHelpEverywhere(t *testing.T) {
	t.Parallel()
	for _, screen := range screens {
		if dialogs(screen.name) {
			continue
		}
		d := screen.reach(t).Settled()
		if page := d.App.Page(); !slices.ContainsFunc(page.Keys, func(k frame.Key) bool { return k.Help }) && len(page.Keys) > 3 {
			t.Errorf("%s: the legend does not name the key of the help page", screen.name)
		}
		if d.Press("f1"); !strings.Contains(d.Screen(), "type to narrow") {
			t.Errorf("%s: f1 does not list the keys", screen.name)
		}
		d.Press("esc")
		before := d.Screen()
		if d.Press("?"); strings.Contains(d.Screen(), "type to narrow") {
			continue
		}
		if !strings.Contains(d.Screen(), "?") || d.Screen() == before {
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
			for _, own := range frame.Presses(k.Press + " " + k.Also) {
				if !slices.Contains(listed[page.Scope], own) && !slices.Contains(listed[frame.ScopeEverywhere], own) {
					t.Errorf("%s: %s (%s) is not among the keys of %s", screen.name, own, k.Does, page.Scope)
				}
			}
		}
	}
}

// In the table of a screen no key stands twice, and no two rows do the same: one key is shown for it, and the others
// stand behind it on the help page.
func TestOneKeyForOneThing(t *testing.T) {
	for _, screen := range slices.Concat(screens, longer) {
		if dialogs(screen.name) {
			continue
		}
		page := screen.reach(t).Settled().App.Page()
		rows, actions := map[string]frame.Key{}, map[string]frame.Key{}
		for _, k := range page.Keys {
			if k.Also != "" && len(frame.Presses(k.Also)) == 0 {
				t.Errorf("%s: %q names no keys", screen.name, k.Also)
			}
			for _, own := range frame.Presses(k.Press + " " + k.Also) {
				if other, twice := rows[own]; twice {
					t.Errorf("%s: %s is in two rows: %q %s, and %q %s", screen.name, own, other.Press, other.Does, k.Press, k.Does)
				}
				rows[own] = k
			}
			if other, twice := actions[k.Does]; twice {
				t.Errorf("%s: both %s and %s are shown for: %s", screen.name, other.Press, k.Press, k.Does)
			}
			actions[k.Does] = k
		}
	}
}

// Two keys that are shown do different things, and the others of a row what one of its shown keys does: from the same
// screen they lead to the same.
func TestKeysOfOneRow(t *testing.T) {
	tried := map[string]bool{}
	for i, screen := range screens {
		if dialogs(screen.name) || !sampled.OneIn(3, i) {
			continue
		}
		page := screen.reach(t).Settled().App.Page()
		after := map[string]string{}
		press := func(own string) string {
			if state, known := after[own]; known {
				return state
			}
			d := screen.reach(t).Settled()
			named, err := frame.KeyNamed(own)
			fatal.If(t, err)
			d.Send(named)
			after[own] = d.Settled().State() + fmt.Sprint(d.Quit)
			return after[own]
		}
		for _, k := range page.Keys {
			what := fmt.Sprintf("%s: %s %s", page.Scope, k.Does, k.Also)
			if k.Why != "" || k.Also == "" || tried[what] {
				continue
			}
			tried[what] = true
			for _, own := range frame.Presses(k.Also) {
				if !slices.ContainsFunc(frame.Presses(k.Press), func(shown string) bool { return press(shown) == press(own) }) {
					t.Errorf("%s: %s does something else than %s, which is said to %s:\n%s\n%s", screen.name, own, k.Press, k.Does, press(own), press(frame.Presses(k.Press)[0]))
				}
			}
		}
	}
}

// The list of keys is narrowed by what is typed, at every size, with keys, mouse and pastes; it closes with the key that
// opened it, and with enter while nothing in it is chosen.
func TestHelpIsNarrowed(t *testing.T) {
	d := tuitest.Browse(t, 80, 24).Use("mouse = true")
	for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 200, Height: 60}} {
		d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		before := d.State()
		d.Press("?").Sees("type to narrow", "statistics", "This screen", "esc close").Lacks("▸")
		d.Wheel(tea.MouseWheelDown).Sees("▸").Wheel(tea.MouseWheelDown).Wheel(tea.MouseWheelUp)
		d.Press("SAVE").Sees("save filter").Lacks("statistics").Lacks("This screen")
		d.Send(tea.PasteMsg{Content: " zzz"})
		d.Sees("no such command").Press("esc").Press("ctrl+p", "also q").Sees("back").Click("esc close")
		for _, closes := range []string{"?", "f1", "ctrl+p", "enter"} {
			d.Press("?").Sees("type to narrow").Press(closes).Lacks("type to narrow")
		}
		if d.State() != before {
			t.Errorf("the screen is another one:\n%s", d.Screen())
		}
	}
}

// The tester's keys do what assay's own did, the legend and sentences say so, and what
// they did before has moved.
func TestOwnKeys(t *testing.T) {
	const own = "[keys.review]\ny = \"s\"\n\"1\" = \"f6\"\n[keys.rating]\n\"5\" = \"x\"\n[keys.everywhere]\n\"ctrl+p\" = \"f9\"\n\"?\" = \"h\"\n[keys.compose]\n\"ctrl+s\" = \"f8\"\n"
	d, rig := tuitest.Begin(t, 1)
	d.Use(own)
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt", "f8 send").Press("Double yes?", "f8").Sees("s satisfied", "tests ✓")
	d.Press("h").Sees("f6             view: answer").Press("esc").Sees("s satisfied")
	d.Press("f9").Sees("satisfied", "do it").Press("esc")
	d.Press("2", "f6").Sees("It multiplies").Press("f12", "so y").Sees("Your note", "so y").Press("enter").Sees("s satisfied")
	d.Press("s").Sees("9 to go").Press("x").Sees("8 to go", "[5]").Press("4", "4", "4", "4", "4", "4", "4", "y").Sees("complete").Press("enter").Sees("Session finished")
	if s := rig.Engine.State().Tasks[0]; s.Ratings["accuracy"] != 5 || s.Note != "so y" {
		t.Errorf("ratings %v, note %q", s.Ratings, s.Note)
	}
	d = tuitest.Browse(t, 80, 24).Use("[keys.tasks]\n\"/\" = \"f\"\nr = \"R\"\n")
	d.Sees("type f and a filter", "f filter").Press("5").Sees("R shows the reference")
	d.Press("esc", "f", "type:").Sees("structural").Press("esc").Press("esc").Sees("f filter")
}

// Keys that are pressed while a step is under way are those of the view that they are
// meant for, by its own keymap.
func TestOwnKeysHeld(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	d.Use("[keys.rating]\n\"5\" = \"x\"\n[keys.review]\ny = \"x\"\n")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("a", "ctrl+s").Sees("tests ✓")
	d.Press("x", "x", "x").Sees("7 to go", "[5]")
}

// The list of commands holds what the screen offers and what is the same everywhere,
// finds it by what is typed, does it, and leaves the screen as it was.
func TestCommands(t *testing.T) {
	d := tuitest.Reviewing(t, tuitest.RightAnswer)
	before := d.Screen()
	d.Press("ctrl+p").Sees("y              satisfied", "view: answer").Lacks("views").Lacks("▸").Press("down").Sees("▸ y              satisfied").Press("pgdown", "pgdown", "pgdown", "pgdown").Sees("put in order by the terminal").Press("esc")
	if d.Screen() != before {
		t.Errorf("the screen is another one:\n%s\nwas\n%s", d.Screen(), before)
	}
	d.Press("ctrl+p", "copy").Sees("▸ c  copy code").Press("enter").Sees("was sent to the terminal")
	d.Press("ctrl+p", "zzz").Sees("no such command").Press("enter").Sees("no such command").Press("ctrl+c").Sees("Leave assay?").Press("x")
	d.Press("ctrl+p", "leave assay").Sees("▸ ctrl+c  leave assay").Press("enter").Sees("Leave assay?").Press("x")
	d.Press("ctrl+p", "satisfied", "enter").Sees("9 to go")
	tuitest.Browse(t, 80, 24).Press("ctrl+p", "save").Sees("save filter  not now: there").Press("enter").Sees("– not now: there is no filter to save")

	// What is not seen is not done.
	d.Press("ctrl+p")
	d.Send(tea.WindowSizeMsg{Width: 50, Height: 24})
	d.Press("commit").Press("enter")
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.Sees("1-5     rate, go on").Press("esc").Sees("9 to go")

	// While text is typed it is a key like any other, and nothing typed in it is text.
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("abc").Press("ctrl+p", "insert").Sees("▸ ctrl+t  insert").Press("enter").Sees("Insert at the cursor").Press("esc")
	d.Send(tea.PasteMsg{Content: "x"})
	d.Press("ctrl+p")
	d.Send(tea.PasteMsg{Content: "se"})
	d.Sees("▸ ctrl+s      send").Press("esc").Sees("abcx")
	if text := rig.Engine.State(); text == nil {
		t.Fatal("no state")
	}
}

// What is said before the first task scrolls where the screen is too small for it, and says so.
func TestIntroductionScrolls(t *testing.T) {
	d, _ := tuitest.Begin(t, 1, func(c *session.Choice) { c.Criterion = strings.Repeat("Correct in every respect. ", 9) })
	d.Look(frame.Size{Width: 60, Height: 20}, true, true)
	d.Sees("The clock starts", "1-", "↑↓ scroll").Lacks("the end you rate the last")
	d.Press("end").Sees("the end you rate the last").Press("home").Lacks("the end you rate the last")
}

// A setting that is switched holds at once, is kept, and stays where it cannot be.
func TestSwitches(t *testing.T) {
	path := t.TempDir() + "/settings.toml"
	s := settings.Default()
	s.Path = path
	d := tuitest.Browse(t, 80, 24)
	d.App.Use(s, tuitest.Noon)
	d.App.SetColor(true)
	if d.App.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is taken without being asked for")
	}
	d.Press("ctrl+p", "mouse on", "enter").Sees("mouse = true is kept in")
	d.Press("ctrl+p", "clock on", "enter").Sees("clock = true is kept in", "· 12:00")
	d.Press("ctrl+p", "high contrast light", "enter").Sees("theme = high-contrast-light is kept in")
	if v := d.App.View(); v.BackgroundColor != nil {
		t.Error("the terminal's colours are changed before it has said what they are")
	}
	d.Send(tea.BackgroundColorMsg{Color: color.Black})
	v := d.App.View()
	if v.MouseMode != tea.MouseModeCellMotion || v.BackgroundColor == nil || v.ForegroundColor == nil {
		t.Errorf("mouse %v, colours %v on %v", v.MouseMode, v.ForegroundColor, v.BackgroundColor)
	}
	got, err := settings.Load(path)
	if err != nil || !got.Mouse || !got.Clock || got.Theme != frame.ThemeHighContrastLight {
		t.Errorf("%v, %+v", err, got)
	}
	d.Press("ctrl+p", "theme auto").Press("enter").Sees("theme = auto is kept")
	if v := d.App.View(); v.BackgroundColor != nil {
		t.Error("the terminal's colours stay")
	}
	s.Path = t.TempDir() // cannot be written
	d.App.Use(s, tuitest.Noon)
	d.Press("ctrl+p", "clock on", "enter").Sees("✗ clock = true is not kept", "12:00")
}

// With the mouse a click chooses and another one opens, the wheel moves, and keys of the
// last line can be clicked. Without it nothing happens.
func TestMouse(t *testing.T) {
	d := tuitest.Drive(t, tuitest.FullHome(t), 80, 24).Sees("search, filter")
	d.Click("Models").Sees("▸ starter")
	d.Use("mouse = true").Click("Rehearse").Sees("▸ Rehearse").Wheel(tea.MouseWheelDown).Sees("▸ Tasks").Click("Tasks").Sees("45 of 45 tasks")
	d.Wheel(tea.MouseWheelDown).Wheel(tea.MouseWheelDown).Until("the third task", func(s string) bool {
		return strings.Contains(strings.Split(s, "\n")[7], "▸")
	})
	d.Click("s statistics").Sees("total").Wheel(tea.MouseWheelDown).Click("esc back").Sees("all tasks")
	d.Click("f1 keys").Sees("type to narrow").Click("show the reference").Sees("type to narrow").Click("esc close")
	d.Press("esc").Sees("Continue").Click("f1 keys").Sees("do it").Click("rehearse").Sees("▸ p").Click("rehearse").Sees("New session")
	d = tuitest.LookAt(t, tuitest.Study(), 80, 24).Use("mouse = true")
	d.Wheel(tea.MouseWheelDown).Wheel(tea.MouseWheelUp).Press("enter").Sees("Session finished").Press("7").Sees("find")
	d.Wheel(tea.MouseWheelDown).Wheel(tea.MouseWheelDown).Sees("▸")
}
