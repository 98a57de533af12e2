package tui_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/work"
)

// No sequence of keys panics, draws outside the terminal, or leaves a log that
// does not replay to what was on the screen; and what stands in the editor is
// there again after the program was killed and started anew.
func TestAnyKeys(t *testing.T) {
	names := slices.Sorted(maps.Keys(namedKeys))
	names = slices.DeleteFunc(names, func(n string) bool { return n == "ctrl+o" }) // starts another program
	rapid.Check(t, func(rt *rapid.T) {
		rig, err := enginetest.New(3, func(c *session.Choice) { c.K = rapid.IntRange(1, 3).Draw(rt, "k") })
		if err != nil {
			rt.Fatal(err)
		}
		for range 8 {
			rig.Client.Say(rapid.SampledFrom([]string{rightAnswer, wrongAnswer, "", "no code"}).Draw(rt, "answer"))
		}
		d := drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
		d.use(rapid.SampledFrom([]string{
			"", "mouse = true\nclock = true\n",
			"[keys.review]\ny = \"s\"\nr = \"y\"\nesc = \"x\"\n[keys.compose]\n\"ctrl+s\" = \"f8\"\n\"ctrl+t\" = \"ctrl+s\"\n[keys.rating]\n\"1\" = \"y\"\nenter = \"r\"\n",
		}).Draw(rt, "settings"))
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0, 1, 2, 3:
				d.press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 4:
				d.press(rapid.SampledFrom([]string{"enter", "ctrl+s", "y", "r"}).Draw(rt, "way on"))
			case 5:
				size := rapid.SampledFrom(sizes).Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 6:
				button := rapid.SampledFrom([]tea.MouseButton{tea.MouseLeft, tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "button")
				x, y := rapid.IntRange(0, 130).Draw(rt, "x"), rapid.IntRange(0, 45).Draw(rt, "y")
				if button == tea.MouseLeft {
					d.send(tea.MouseClickMsg{X: x, Y: y, Button: button})
				} else {
					d.send(tea.MouseWheelMsg{X: x, Y: y, Button: button})
				}
				d.send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.press(rapid.StringMatching(`[a-z0-9?/é ]{1,3}`).Draw(rt, "text"))
			}
			d.idle()
			if d.quit {
				break
			}
			checkDrawn(rt, d)
		}
		if !d.quit {
			d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			d.press("ctrl+c", "ctrl+c", "y").ends()
		}
		events, err := rig.Store.Events(rig.ID, 1)
		if err != nil {
			rt.Fatal(err)
		}
		if err := session.VerifyChain(events); err != nil {
			rt.Fatal(err)
		}
		again, err := session.Replay(events)
		if err != nil {
			rt.Fatal(err)
		}
		if !reflect.DeepEqual(again, rig.Engine.State()) {
			rt.Fatalf("the log replays to another state:\n%s\n%s", jsonOf(again), jsonOf(rig.Engine.State()))
		}
	})
}

// checkDrawn fails when the screen does not fill the terminal exactly.
func checkDrawn(t *rapid.T, d *driver) {
	lines := strings.Split(d.screen(), "\n")
	for _, size := range sizes {
		if len(lines) == size.Height {
			for i, l := range lines {
				if frame.Width(l) > size.Width {
					t.Fatalf("row %d is wider than %d columns: %q", i+1, size.Width, l)
				}
			}
			return
		}
	}
	t.Fatalf("the screen has %d rows", len(lines))
}

// idle handles the messages that are there.
func (d *driver) idle() {
	for {
		select {
		case msg := <-d.msgs:
			d.send(msg)
		default:
			return
		}
	}
}

func jsonOf(v any) string { text, _ := json.Marshal(v); return string(text) }
