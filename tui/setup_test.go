package tui_test

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
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui"
	"assay/tui/home"
	"assay/tui/setup"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// begun is a library that remembers what was begun.
type begun struct {
	shelf
	choice session.Choice
}

func (b *begun) Begin(ctx context.Context, c session.Choice) (*engine.Engine, error) {
	b.choice = c
	return b.shelf.Begin(ctx, c)
}

// form opens the form for a new session.
func form(t *testing.T) (*driver, *begun) {
	t.Helper()
	rig, err := enginetest.New(2)
	if err != nil {
		t.Fatal(err)
	}
	b := &begun{shelf: shelf{rig: rig}}
	return drive(t, home.New(b, noon), 80, 24).press("n").sees("New session", "5 tasks in one set"), b
}

// A filter completes and counts while it is typed, and the menu gives its keys back.
func TestSetupFilter(t *testing.T) {
	d, b := form(t)
	d.press("down", "diff").sees("easy, medium or hard", "take it").press("tab", "enter").sees("difficulty:", "Not yet", "medium       2")
	d.press("tab").sees("▸ easy").press("enter").sees("difficulty:easy", "2 of 5 tasks", "2 tasks in one set", "--filter difficulty:easy")
	d.press(" t").sees("the kind of code").press("esc").until("no menu", func(screen string) bool { return !strings.Contains(screen, "the kind of code") })
	d.press("backspace", "backspace").until("its menu", func(string) bool { return d.App.Settled() }).press("down", "backspace", "backspace", "backspace", "9").sees("Not yet", "1 × 9 = 9")
	d.press("enter").sees("✗", "1 × 9 = 9").press("backspace", "1").sees("1 task in one set")
	d.press("enter").sees("enter open the task")
	if b.choice.Scenario != "difficulty:easy" || b.choice.Tasks != 1 {
		t.Errorf("began %+v", b.choice)
	}
}

// Fields to stratify by are checked in place, and are part of the choice and of the
// command that repeats it.
func TestSetupStratify(t *testing.T) {
	d, b := form(t)
	d.press("down", "down", "down").press("backspace", "2", "down").sees("same mix in every set", "5 tasks in 2 sets")
	d.press("colour").sees(`cannot be stratified by "colour"`, "Not yet").press("enter").sees("✗ test sets cannot be stratified")
	for range len("colour") {
		d.press("backspace")
	}
	d.press("Type, difficulty").sees("5 tasks in 2 sets", "type,difficulty --seed 42").press("enter").sees("enter open the task")
	if got := strings.Join(b.choice.Stratify, "|"); got != "type|difficulty" || b.choice.Sets != 2 {
		t.Errorf("began %+v", b.choice)
	}
}

// A filter that is pasted is cleaned.
func TestSetupPaste(t *testing.T) {
	d, _ := form(t)
	d.press("down")
	d.send(tea.PasteMsg{Content: "\x1b[2Jdifficulty:hard\x07"})
	d.sees("difficulty:hard")
	if text := d.App.View().Content; strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x07") {
		t.Errorf("the paste reached the terminal: %q", text)
	}
}

// No sequence of keys panics or draws outside the terminal.
func TestAnyKeysInSetup(t *testing.T) {
	names := slices.Sorted(maps.Keys(tuitest.NamedKeys))
	names = slices.DeleteFunc(names, func(n string) bool { return n == "enter" }) // begins a session; see TestAnyKeys
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, home.New(&begun{}, noon), 80, 24).press("n").sees("New session")
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0, 1, 2:
				d.press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 3:
				size := rapid.SampledFrom(sizes).Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 4:
				d.send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.press(rapid.SampledFrom([]string{"difficulty:", "hard", " ", "type,", "-", "\"", "9"}).Draw(rt, "text"))
			}
			d.idle()
			if d.Quit {
				break
			}
			checkDrawn(rt, d)
		}
	})
}

// What the person waits for at a key of a filter, with 100,000 tasks.
func BenchmarkSetupKey(b *testing.B) {
	screen := setup.New(setup.Choices{
		Benchmarks: []*benchmark.Benchmark{large(100_000)}, Isolation: "isolated (bwrap)", Isolated: true,
		Models: []setup.ModelChoice{{Model: session.Model{Name: "paste", Provider: "paste"}, Ready: true}},
	}, &begun{}, work.Options{}, false)
	app := tui.New(screen, true)
	d := &driver{tuitest.New(b, app)}
	defer close(d.End)
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.run(app.Init())
	d.press("down")
	keys := []string{"n", "u", "m", "backspace", "backspace", "backspace"}
	var slowest time.Duration
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		d.idle()
		b.StartTimer()
		began := time.Now()
		d.press(keys[i%len(keys)])
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
	d.press("down", "down", "3").sees("3 tasks in one set").press("down", "down", "down", "right").sees("Not yet: gpt is not configured", "Choose another")
	d.press("esc").sees("Rehearse").press("m").sees("2 of 3 configured").press("esc").sees("Rehearse").press("n").sees("3    ", "Not yet: gpt is not configured").press("left").sees("3 tasks in one set; answers by qwen2.5-coder:7b;")
	d.press("down", "1", "2").sees("12 ").press("enter").sees("enter open the task")
	if b.choice.Tasks != 3 || b.choice.K != 12 {
		t.Errorf("began %+v", b.choice)
	}
	d.press("esc").sees("Rehearse").press("n").sees("5 tasks in one set")
}

// paced is a library in which a task usually took so long.
type paced struct {
	shelf
	pace  time.Duration
	where string
}

func (p *paced) Choices(ctx context.Context) (setup.Choices, error) {
	c, err := p.shelf.Choices(ctx)
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
		d := drive(t, home.New(&paced{pace: c.pace, where: "localhost"}, noon), 120, 40).press("n").sees("New session")
		d.until(c.says, func(screen string) bool {
			return strings.Contains(strings.Join(strings.Fields(screen), " "), c.says)
		})
	}
}
