package tui_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/setup"
)

// own is a library that reads benchmarks of files, and has many models.
type own struct {
	begun
	files  map[*benchmark.Benchmark]string
	recent []string
	all    []*benchmark.Benchmark
}

func (o *own) Choices(ctx context.Context) (setup.Choices, error) {
	c, err := o.shelf.Choices(ctx)
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
	o.files[b], o.recent = path, []string{path}
	return b, nil
}

func ownForm(t *testing.T) (*driver, *own) {
	t.Helper()
	rig, err := enginetest.New(2)
	if err != nil {
		t.Fatal(err)
	}
	o := &own{begun: begun{shelf: shelf{rig: rig}}}
	return drive(t, home.New(o, noon), 80, 24).press("n").sees("New session", "5 tasks in one set"), o
}

// A benchmark of one's own is found by the path of its file, with completion, is used, and
// is offered again.
func TestSetupOwnFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub", "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/tasks one.jsonl", "sub/notes.txt", "sub/.hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, o := ownForm(t)
	d.send(tea.PasteMsg{Content: filepath.Join(dir, "su")})
	d.sees("▸", "folder", "take it").press("enter").sees("inner", "notes.txt", "tasks one.jsonl").lacks(".hidden")
	d.press("n").sees("▸").until("one file", func(s string) bool { return !strings.Contains(s, "one.jsonl") }).press("enter").sees("✗", "has no tasks in any")
	for range len("n") {
		d.press("backspace")
	}
	d.press("t", "tab").sees("one.jsonl").press("enter").sees("mine", "3 tasks in one set", "--tasks-file")
	d.press("enter").sees("enter open the task")
	if o.choice.Benchmark.Name != "mine" {
		t.Errorf("began %+v", o.choice)
	}
	o.all, o.files = o.all[1:], map[*benchmark.Benchmark]string{} // the program was started again
	d.press("esc").sees("Begin").press("n").sees("5 tasks in one set").press("one").sees("used before").press("esc").sees("5 tasks in one set").press("one").sees("used before").press("enter").sees("3 tasks in one set")
	d.press("zzz").sees("nothing fits").press("esc").sees("3 tasks in one set").press("esc").sees("Begin").press("n").sees("mine", "3 tasks in one set")
}

// A model is chosen by typing a part of its name.
func TestSetupModelByTyping(t *testing.T) {
	d, o := ownForm(t)
	d.press("down", "down", "down", "down", "down").press("LLAMA").sees("▸ llama-00", "configured, not asked yet").press("-1").sees("llama-16", "… 3 more").lacks("llama-00")
	d.press("down", "down", "enter").sees("llama-12").press("q7").sees("nothing fits").press("enter").sees("✗ there is no model").press("esc", "07").sees("has answered before").press("tab").sees("llama-07")
	d.press("enter", "enter").sees("enter open the task")
	if o.choice.Model.Name != "llama-07" {
		t.Errorf("began with %+v", o.choice.Model)
	}
}

// With the mouse rows are chosen, values turned, and offers taken.
func TestSetupMouse(t *testing.T) {
	for _, size := range sizes {
		d, _ := ownForm(t)
		d.use("mouse = true")
		d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		d.click("prompt level").sees("▸ prompt level", "‹ 0 ›").click("prompt level").sees("‹ 3 ›").click("‹").sees("‹ 2 ›").click("›").sees("‹ 3 ›")
		d.click("practice first").click("›").sees("‹ yes ›").click("attempts").press("4").sees("▸ attempts (k)     4")
		d.click("model").press("llama-1").sees("▸ llama-10").click("llama-13").sees("‹ llama-13 ›").wheel(tea.MouseWheelDown).sees("▸ attempts")
	}
}

// Practice is named, and part of no count: in the form, in the session, and in what is left
// of it.
func TestPracticeIsNamed(t *testing.T) {
	d, rig := begin(t, 2, func(c *session.Choice) { c.Practice = true })
	d.sees("practice, not counted")
	if p := rig.Engine.State().Progress(); p.Tasks != 2 || p.Practice != 1 {
		t.Errorf("%+v", p)
	}
	d.press("x").sees("Leave this task out").press("later", "enter").sees("task 1 of 2", "0 of 2 tasks done")
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
