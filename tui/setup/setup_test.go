package setup_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui"
	"assay/tui/home"
	"assay/tui/setup"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// form opens the form for a new session.
func form(t *testing.T) (*tuitest.Driver, *tuitest.Begun) {
	t.Helper()
	rig, err := enginetest.New(2)
	fatal.If(t, err)
	b := &tuitest.Begun{Shelf: tuitest.Shelf{Rig: rig}}
	return tuitest.Drive(t, home.New(b, tuitest.Noon), 80, 24).Press("n").Sees("New session", "5 tasks in one set"), b
}

// A filter completes and counts while it is typed, and the menu gives its keys back.
func TestSetupFilter(t *testing.T) {
	d, b := form(t)
	d.Press("down", "diff").Sees("easy, medium or hard", "take it").Press("tab", "enter").Sees("difficulty:", "Not yet", "medium       2")
	d.Press("tab").Sees("▸ easy").Press("enter").Sees("difficulty:easy", "2 of 5 tasks", "2 tasks in one set", "--filter difficulty:easy")
	d.Press(" t").Sees("the kind of code").Press("esc").Until("no menu", func(screen string) bool { return !strings.Contains(screen, "the kind of code") })
	d.Press("backspace", "backspace").Until("its menu", func(string) bool { return d.App.Settled() }).Press("down", "backspace", "backspace", "backspace", "9").Sees("Not yet", "1 × 9 = 9")
	d.Press("ctrl+s").Sees("✗", "1 × 9 = 9").Press("backspace", "1").Sees("1 task in one set")
	d.Press("ctrl+s").Sees("enter open the task")
	if b.Choice.Filter != "difficulty:easy" || b.Choice.Tasks != 1 {
		t.Errorf("began %+v", b.Choice)
	}
}

// Fields to stratify by are checked in place, and are part of the choice and of the
// command that repeats it.
func TestSetupStratify(t *testing.T) {
	d, b := form(t)
	d.Press("down", "down", "down").Press("backspace", "2", "down").Sees("same mix in every set", "5 tasks in 2 sets")
	d.Press("colour").Sees(`cannot be stratified by "colour"`, "Not yet").Press("ctrl+s").Sees("✗ test sets cannot be stratified")
	for range len("colour") {
		d.Press("backspace")
	}
	d.Press("Type, difficulty").Sees("5 tasks in 2 sets", "type,difficulty --seed 42").Press("ctrl+s").Sees("enter open the task")
	if got := strings.Join(b.Choice.Stratify, "|"); got != "type|difficulty" || b.Choice.Sets != 2 {
		t.Errorf("began %+v", b.Choice)
	}
}

// A session begins by its own key, from every row; enter goes from row to row and begins none.
func TestSetupBeginsByItsOwnKey(t *testing.T) {
	for row := range 13 {
		d, b := form(t)
		for range row {
			d.Press("enter")
		}
		if d.Sees("New session", "▸"); b.Choice.Benchmark != nil {
			t.Fatalf("row %d: enter begins a session", row)
		}
		d.Press("ctrl+s").Sees("enter open the task")
	}
}

// A filter that is pasted is cleaned.
func TestSetupPaste(t *testing.T) {
	d, _ := form(t)
	d.Press("down")
	d.Send(tea.PasteMsg{Content: "\x1b[2Jdifficulty:hard\x07"})
	d.Sees("difficulty:hard")
	if text := d.App.View().Content; strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x07") {
		t.Errorf("the paste reached the terminal: %q", text)
	}
}

// No sequence of keys panics or draws outside the terminal.
func TestAnyKeysInSetup(t *testing.T) {
	names := slices.Sorted(maps.Keys(tuitest.NamedKeys))
	names = slices.DeleteFunc(names, func(n string) bool { return n == "ctrl+s" }) // begins a session; see TestAnyKeys
	rapid.Check(t, func(rt *rapid.T) {
		d := tuitest.Drive(t, home.New(&tuitest.Begun{}, tuitest.Noon), 80, 24).Press("n").Sees("New session")
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0, 1, 2:
				d.Press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 3:
				size := rapid.SampledFrom(tuitest.Sizes).Draw(rt, "size")
				d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 4:
				d.Send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.Press(rapid.SampledFrom([]string{"difficulty:", "hard", " ", "type,", "-", "\"", "9"}).Draw(rt, "text"))
			}
			d.Idle()
			if d.Quit {
				break
			}
			tuitest.CheckDrawn(rt, d)
		}
	})
}

// What the person waits for at a key of a filter, with 100,000 tasks.
func BenchmarkSetupKey(b *testing.B) {
	screen := setup.New(setup.Choices{
		Benchmarks: []*benchmark.Benchmark{tuitest.Large(100_000)}, Isolation: "isolated (bubblewrap)", Isolated: true,
		Models: []setup.ModelChoice{{Model: session.Model{Name: "paste", Provider: "paste"}, Ready: true}},
	}, &tuitest.Begun{}, work.Options{}, false)
	app := tui.New(screen, true)
	d := tuitest.New(b, app)
	defer close(d.End)
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.Run(app.Init())
	d.Press("down")
	keys := []string{"n", "u", "m", "backspace", "backspace", "backspace"}
	var slowest time.Duration
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		d.Idle()
		b.StartTimer()
		began := time.Now()
		d.Press(keys[i%len(keys)])
		_ = app.View()
		slowest = max(slowest, time.Since(began))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/key")
	b.ReportMetric(float64(slowest.Microseconds())/1000, "ms-slowest")
}

// What is typed first into a row with a number takes the number's place, and what was
// set is still there when the form is left and opened again, until it has begun a session.
func TestSetupKeepsWhatWasSet(t *testing.T) {
	d, b := form(t)
	d.Press("down", "down", "3").Sees("3 tasks in one set").Press("down", "down", "down", "right").Sees("Not yet: gpt is not configured", "Choose another")
	d.Press("esc").Sees("Rehearse").Press("m").Sees("2 of 3 configured").Press("esc").Sees("Rehearse").Press("n").Sees("3    ", "Not yet: gpt is not configured").Press("left").Sees("3 tasks in one set; answers by qwen2.5-coder:7b;")
	d.Press("down", "down", "1", "2").Sees("12 ").Press("ctrl+s").Sees("enter open the task")
	if b.Choice.Tasks != 3 || b.Choice.K != 12 {
		t.Errorf("began %+v", b.Choice)
	}
	d.Press("esc").Sees("Rehearse").Press("n").Sees("5 tasks in one set")
}

// paced is a library in which a task usually took so long.
type paced struct {
	tuitest.Shelf
	pace  time.Duration
	where string
}

func (p *paced) Choices(ctx context.Context) (setup.Choices, error) {
	c, err := p.Shelf.Choices(ctx)
	c.Pace = p.pace
	for i := range c.Models {
		c.Models[i].Where = p.where
	}
	return c, err
}

// The form says how long the session takes where that is known, and never otherwise.
func TestSetupPace(t *testing.T) {
	for _, c := range []struct {
		pace time.Duration
		says string
	}{
		{0, "5 tasks in one set; answers by qwen2.5-coder:7b on localhost;"},
		{time.Second, "in one set, about a minute at the usual pace; answers"},
		{5 * time.Minute, "in one set, about 25 minutes at the usual pace; answers"},
		{40 * time.Minute, "in one set, about 3 hours at the usual pace; answers"},
	} {
		d := tuitest.Drive(t, home.New(&paced{pace: c.pace, where: "localhost"}, tuitest.Noon), 120, 40).Press("n").Sees("New session")
		d.Until(c.says, func(screen string) bool {
			return strings.Contains(strings.Join(strings.Fields(screen), " "), c.says)
		})
	}
}
