package setup_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/setup"
	"assay/tui/tuitest"
)

// own is a library that reads benchmarks of files, and has many models.
type own struct {
	tuitest.Begun
	files  map[*benchmark.Benchmark]string
	recent []string
	all    []*benchmark.Benchmark
}

func (o *own) Choices(ctx context.Context) (setup.Choices, error) {
	c, err := o.Shelf.Choices(ctx)
	if o.all == nil {
		o.all, o.files = c.Benchmarks, map[*benchmark.Benchmark]string{}
	}
	c.Benchmarks, c.Files, c.Recent, c.Load = o.all, o.files, o.recent, o.load
	for i := range 20 {
		c.Models = append(c.Models, setup.ModelChoice{Model: session.Model{Name: fmt.Sprintf("llama-%02d", i), Provider: "openai"}, Ready: true, Answered: i == 7})
	}
	return c, err
}

func (o *own) load(_ context.Context, path string) (*benchmark.Benchmark, error) {
	if !strings.HasSuffix(path, ".jsonl") {
		return nil, fmt.Errorf("%s has no tasks in any format that assay reads", path)
	}
	b := enginetest.Benchmark(3)
	b.Name, o.all = "mine", append([]*benchmark.Benchmark{b}, o.all...)
	o.files = maps.Clone(o.files) // the form holds the map of before
	o.files[b], o.recent = path, []string{path}
	return b, nil
}

func ownForm(t *testing.T) (*tuitest.Driver, *own) {
	t.Helper()
	rig, err := enginetest.New(2)
	fatal.If(t, err)
	o := &own{Begun: tuitest.Begun{Shelf: tuitest.Shelf{Rig: rig}}}
	return tuitest.Drive(t, home.New(o, tuitest.Noon), 80, 24).Press("n").Sees("New session", "5 tasks in one set"), o
}

// A benchmark of one's own is found by the path of its file, with completion, is used, and
// is offered again.
func TestSetupOwnFile(t *testing.T) {
	dir := t.TempDir()
	fatal.If(t, os.MkdirAll(filepath.Join(dir, "sub", "inner"), 0o755))
	for _, name := range []string{"sub/tasks one.jsonl", "sub/notes.txt", "sub/.hidden"} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	d, o := ownForm(t)
	d.Send(tea.PasteMsg{Content: filepath.Join(dir, "su")})
	d.Sees("▸", "folder", "take it").Press("enter").Sees("inner", "notes.txt", "tasks one.jsonl").Lacks(".hidden")
	d.Press("n").Sees("▸").Until("one file", func(s string) bool { return !strings.Contains(s, "one.jsonl") }).Press("enter").Sees("✗", "has no tasks in any")
	for range len("n") {
		d.Press("backspace")
	}
	d.Press("t", "tab").Sees("one.jsonl").Press("enter").Sees("mine", "3 tasks in one set", "--tasks-file")
	d.Press("ctrl+s").Sees("enter open the task")
	if o.Choice.Benchmark.Name != "mine" {
		t.Errorf("began %+v", o.Choice)
	}
	o.all, o.files = o.all[1:], map[*benchmark.Benchmark]string{} // the program was started again
	d.Press("esc").Sees("Begin").Press("n").Sees("5 tasks in one set").Press("one").Sees("used before").Press("esc").Sees("5 tasks in one set").Press("one").Sees("used before").Press("enter").Sees("3 tasks in one set")
	d.Press("zzz").Sees("nothing fits").Press("esc").Sees("3 tasks in one set").Press("esc").Sees("Begin").Press("n").Sees("mine", "3 tasks in one set")
}

// A model is chosen by typing a part of its name.
func TestSetupModelByTyping(t *testing.T) {
	d, o := ownForm(t)
	d.Press("down", "down", "down", "down", "down").Press("LLAMA").Sees("▸ llama-00", "configured, not asked yet").Press("-1").Sees("llama-16", "… 3 more").Lacks("llama-00")
	d.Press("down", "down", "enter").Sees("llama-12").Press("q7").Sees("nothing fits").Press("enter").Sees("✗ there is no model").Press("esc", "07").Sees("has answered before").Press("tab").Sees("llama-07")
	d.Press("enter", "ctrl+s").Sees("enter open the task")
	if o.Choice.Model.Name != "llama-07" {
		t.Errorf("began with %+v", o.Choice.Model)
	}
}

// With the mouse rows are chosen, values turned, and offers taken.
func TestSetupMouse(t *testing.T) {
	for _, size := range tuitest.Sizes {
		d, _ := ownForm(t)
		d.Use("mouse = true")
		d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		d.Click("prompt level").Sees("▸ prompt level", "‹ 0 ›").Click("prompt level").Sees("‹ 3 ›").Click("‹").Sees("‹ 2 ›").Click("›").Sees("‹ 3 ›")
		d.Click("practice first").Click("›").Sees("‹ yes ›").Click("attempts").Press("4").Sees("▸ attempts (k)     4")
		d.Click("model").Press("llama-1").Sees("▸ llama-10").Click("llama-13").Sees("‹ llama-13 ›").Wheel(tea.MouseWheelDown).Sees("▸ against")
	}
}

// Practice is named, and part of no count: in the form, in the session, and in what is left
// of it.
func TestPracticeIsNamed(t *testing.T) {
	d, rig := tuitest.Begin(t, 2, func(c *session.Choice) { c.Practice = true })
	d.Sees("practice, not counted")
	if p := rig.Engine.State().Progress(); p.Tasks != 2 || p.Practice != 1 {
		t.Errorf("%+v", p)
	}
	d.Press("x").Sees("Leave this task out").Press("later", "enter").Sees("task 1 of 2", "0 of 2 tasks done")
}

// Nowhere is there one of several.
func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 tasks", 1: "1 task", 2: "2 tasks"} {
		if got := frame.Count(n, "task"); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	for p, want := range map[session.Progress]string{
		{Tasks: 19, Practice: 1}: "practice, not counted", {Tasks: 19, Practice: 2, PracticeDone: 1}: "practice 2 of 2, not counted",
		{Tasks: 19, Done: 1, Practice: 1, PracticeDone: 1}: "task 2 of 19", {Tasks: 2, Done: 1, Skipped: 1}: "2 of 2 tasks done", {Tasks: 1, Done: 1}: "1 of 1 task done",
	} {
		if p.Place() != want {
			t.Errorf("%+v is %q, not %q", p, p.Place(), want)
		}
	}
}

// A second model can answer each prompt, one that is ready and another than the first.
func TestSetupAgainst(t *testing.T) {
	d, b := form(t)
	d.Press("down", "down", "down", "down", "down", "down").Sees("▸ against", "‹ none ›", "one model answers")
	d.Press("left").Sees("‹ gpt ›", "Not yet: gpt is not configured").Press("left").Sees("‹ rehearsal ›", "both answer, you pick the better", "and rehearsal, side by", "--against rehearsal")
	d.Press("up", "left").Sees("Not yet: against: rehearsal cannot be compared with itself").Press("right", "ctrl+s").Sees("enter open the task")
	if b.Choice.Against == nil || b.Choice.Against.Name != "rehearsal" || b.Choice.Model.Name == "rehearsal" {
		t.Errorf("began %+v", b.Choice)
	}
}
