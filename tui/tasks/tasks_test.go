package tasks_test

import (
	"context"
	"errors"
	"fmt"
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
	"assay/tui/frame"
	"assay/tui/tasks"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// What is typed is matched as it is typed; a wrong filter keeps the last result.
func TestBrowserFilter(t *testing.T) {
	d := tuitest.Browse(t, 80, 24)
	d.Press("/").Sees("difficulty:", "… 11 more")
	d.Press("diff").Sees("easy, medium or hard", "45 of 45 tasks")
	d.Press("esc").Sees("0 of 45 tasks", "No task matches") // a word like any other, when no field is wanted
	d.Press("i").Sees("45 of 45 tasks", "easy, medium or hard").Press("backspace")
	d.Press("tab").Sees("▸ difficulty:").Press("enter").Sees("filter difficulty:", "medium", "15", "a value is missing")
	d.Press("down").Sees("▸ easy").Press("down").Sees("▸ hard").Press("enter").Sees("filter difficulty:hard", "15 of 45 tasks", "task-03")
	d.Press(" colour:red").Sees(`no field "colour"`, "15 of 45 tasks", "task-03")
	for range len(" colour:red") {
		d.Press("backspace")
	}
	d.Press(" type:vis").Sees("visualization", "0 of 45 tasks").Press("tab", "enter").Sees("type:visualization", "4 of 45 tasks")
	d.Press("enter").Sees("enter open").Press("down").Sees("▸ task-18")
	d.Press("o").Sees("by id").Press("o").Sees("by difficulty").Press("o").Sees("latest first", "▸ task-18")
	d.Press("/").Sees("close").Press(" x", "esc", "esc").Sees("enter open", "filter difficulty:hard type:visualization x")
}

// However fast it is typed, what stays beside a wrong filter is what the last good one
// chooses.
func TestBrowserKeepsLastGood(t *testing.T) {
	d := tuitest.Browse(t, 80, 24)
	d.Press("/", `difficulty:hard "two wor`).Sees("unclosed quotation mark", "15 of 45 tasks")
	d.Press("enter", "w").Sees("the filter has an error")
}

func TestBrowserPaste(t *testing.T) {
	d := tuitest.Browse(t, 80, 24).Press("/").Sees("difficulty:")
	d.Send(tea.PasteMsg{Content: "difficulty:easy\n\x1b[31mtype:numerical"})
	d.Until("no escape sequence", func(screen string) bool { return !strings.Contains(d.App.View().Content, "\x1b[31m") })
}

func TestBrowserTask(t *testing.T) {
	d := tuitest.Browse(t, 80, 24)
	d.Press("enter").Sees("Walk graph number 1", "task 1 of 45", "Visit the", "the graph is connected")
	d.Press("2").Sees("`walk(1)` → `[1]`", "another")
	d.Press("3").Sees("difficulty       easy", "source           Walks, volume 1 (2020)")
	d.Press("4").Sees("Context level 2", "Do it depth first.")
	d.Press("5").Sees("r shows the reference solution")
	d.Press("r").Sees("return [start]")
	d.Press("right").Sees("Walk graph number 2", "task 2 of 45", "r shows the reference solution")
	d.Press("4").Sees("no context levels")
	d.Press("b").Sees("5 of 5 tasks", "Tasks · tiny", "double-1")
	d.Press("r").Sees("return 2 * n").Press("esc").Sees("enter open")
}

// From 100 columns the task stands beside the list and follows the choice.
func TestBrowserBeside(t *testing.T) {
	d := tuitest.Browse(t, 120, 40).Sees("▸ task-01", "1 statement", "Visit the 1 nodes")
	d.Press("down", "down").Sees("▸ task-03", "Visit the 3 nodes")
	d.Press("end").Sees("▸ task-45", "Visit the 45 nodes").Press("home", "2").Sees("walk(2)")
	d.Press("enter").Sees("other task").Press("right").Sees("▸ task-02").Press("esc", "esc").Ends()
}

func TestBrowserStatistics(t *testing.T) {
	d := tuitest.Browse(t, 80, 24)
	d.Press("s").Sees("type × difficulty", "structural           4        4        4       12", "total", "15       15       45")
	d.Press("right").Sees("source × type").Press("right").Sees("source × difficulty", "Walks, volume 3").Press("right", "right").Sees("language × difficulty", "python")
	d.Press("right").Sees("type × difficulty").Press("esc").Sees("enter open")
}

// While a session over a benchmark is open its reference solutions are shown nowhere in the browser, and why is said.
func TestReferencesAreHiddenDuringASession(t *testing.T) {
	for _, width := range []int{80, 120} {
		d := tuitest.Browse(t, width, 24, func(o *tasks.Options) {
			o.HideReference = func(name string) bool { return name == o.Benchmarks[0].Name }
		})
		d.Press("r").Sees("not now: a session over this benchmark is open").Press("5").Sees("The reference solution is not shown: a session").Press("r").Sees("not now").Lacks("return")
		if width < 100 { // beside the list esc leaves the browser
			d.Press("esc")
		}
		d.Press("b").Sees("5 of 5 tasks", "double-1").Press("r").Sees("return 2 * n")
	}
}

func TestBrowserSaves(t *testing.T) {
	keeps := &tuitest.Kept{Saved: map[string]string{"plots": "type:visualization"}}
	d := tuitest.Browse(t, 80, 24, func(o *tasks.Options) { o.SavedFilters = keeps })
	d.Press("w").Sees("there is no filter to save")
	d.Press("l").Sees("saved filters", "▸ plots").Press("enter").Sees("filter type:visualization", "11 of 45 tasks")
	d.Press("/", " difficulty:hard").Sees("4 of 45 tasks").Press("enter", "w").Sees("save as")
	d.Press("plots").Sees("enter replaces the filter of that name: type:visualization").Press(" hard").Sees("enter saves the filter")
	d.Press("enter").Sees("saved in scenarios.toml")
	if got := keeps.Saved["plots hard"]; got != "type:visualization difficulty:hard" {
		t.Fatalf("saved %q", got)
	}
	keeps.Fail(errors.New("scenarios.toml:3: no such field"))
	d.Press("l").Sees("scenarios.toml:3: no such field", "enter open")
}

// From the home screen a session begins with what is on the screen.
func TestBrowserBegins(t *testing.T) {
	d := tuitest.Drive(t, tuitest.FullHome(t), 80, 24).Sees("search, filter")
	d.Press("t").Sees("45 of 45 tasks").Press("b").Sees("5 of 5 tasks")
	d.Press("/", "difficulty:hard").Sees("1 of 5 tasks").Press("enter", "n").Sees("New session", "‹ tiny ›", "difficulty:hard", "1 task in one set")
	d.Press("esc").Sees("Tasks · tiny", "filter difficulty:hard").Press("esc").Sees("Continue")
	d = tuitest.Browse(t, 80, 24)
	d.Press("n").Sees("start sessions from the home screen")
}

// Escape sequences in a task never reach the terminal, in any part of it.
func TestBrowserCleans(t *testing.T) {
	evil := "evil\x1b]0;owned\x07\x1b[2J\u009b31m\r\nname"
	b := &benchmark.Benchmark{Name: "b" + evil, Tasks: []benchmark.Task{{
		ID: evil, Title: evil, Language: evil, Description: evil, EntryPoint: evil, Difficulty: "hard", Type: evil, Category: evil, Topics: []string{evil},
		Source: benchmark.Source{Title: evil, URL: evil}, Reference: evil, ContextLevels: []string{evil}, Constraints: []string{evil},
		Tests: benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{evil}},
	}}}
	for _, width := range []int{60, 80, 120} {
		d := tuitest.Drive(t, tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{b}}), width, 24).Sees("1 of 1 task")
		check := func() {
			t.Helper()
			d.Until("a settled screen", func(string) bool { return d.App.Settled() })
			if text := d.App.View().Content; strings.ContainsAny(text, "\x07\r\u009b") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x1b]") {
				t.Errorf("at %d columns the screen has escape sequences of the task:\n%q", width, text)
			}
			tuitest.CheckFits(t, fmt.Sprint(width), d.Screen(), frame.Size{Width: width, Height: 24})
		}
		check()
		for _, key := range []string{"enter", "2", "3", "4", "r", "s", "right", "right", "right", "right", "esc", "/", "t", "y", "p", "e", ":", "tab", "enter", "enter", "s"} {
			d.Press(key)
			check()
		}
	}
}

// No sequence of keys panics or draws outside the terminal.
func TestAnyKeysInBrowser(t *testing.T) {
	names := slices.Sorted(maps.Keys(tuitest.NamedKeys))
	rapid.Check(t, func(rt *rapid.T) {
		rig, err := enginetest.New(1)
		fatal.If(rt, err)
		d := tuitest.Drive(t, tasks.New(tasks.Options{
			Benchmarks:   []*benchmark.Benchmark{tuitest.Library(), {Name: "empty"}, enginetest.Benchmark(2)},
			SavedFilters: &tuitest.Kept{Saved: map[string]string{"plots": "type:visualization"}},
			Begin: func(context.Context, session.Choice) (frame.Screen, error) {
				return work.New(rig.Engine, work.Options{}), nil
			},
		}), 80, 24)
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 8).Draw(rt, "kind") {
			case 0, 1, 2:
				d.Press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 3, 4:
				d.Press(rapid.SampledFrom([]string{"/", "s", "b", "o", "w", "l", "n", "r", "1", "2", "3", "4", "5", "enter", "esc", "j", "k"}).Draw(rt, "command"))
			case 5:
				size := rapid.SampledFrom(tuitest.Sizes).Draw(rt, "size")
				d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 6:
				d.Send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.Press(rapid.SampledFrom([]string{"difficulty:", "hard", " ", "type:", "-", "\"", "zz", "publ"}).Draw(rt, "text"))
			}
			d.Idle()
			if d.Quit {
				break
			}
			tuitest.CheckDrawn(rt, d)
		}
	})
}

// What the person waits for at a key: Update and View, with 100,000 tasks. Searches and
// the like run beside it, as in the program.
func BenchmarkBrowserKey(b *testing.B) {
	all := tuitest.Large(100_000)
	for _, size := range []frame.Size{{Width: 80, Height: 24}, {Width: 120, Height: 40}} {
		for _, keys := range []struct {
			name  string
			first []string
			press []string
		}{
			{"typing", []string{"/"}, []string{"n", "u", "m", "backspace", "backspace", "backspace"}},
			{"moving", nil, []string{"down"}},
			{"ends", nil, []string{"end", "home"}},
		} {
			b.Run(fmt.Sprintf("%s-%dx%d", keys.name, size.Width, size.Height), func(b *testing.B) {
				app := tui.New(tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{all}}), true)
				d := tuitest.New(b, app)
				defer close(d.End)
				d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
				d.Run(app.Init())
				for !strings.Contains(d.Screen(), "100000 of 100000 tasks") {
					d.Send(<-d.Msgs)
				}
				d.Press(keys.first...)
				var slowest time.Duration
				b.ResetTimer()
				for i := range b.N {
					b.StopTimer()
					d.Idle()
					b.StartTimer()
					began := time.Now()
					d.Press(keys.press[i%len(keys.press)])
					_ = app.View()
					slowest = max(slowest, time.Since(began))
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/key")
				b.ReportMetric(float64(slowest.Microseconds())/1000, "ms-slowest")
			})
		}
	}
}

// From the last letter of a filter to its tasks on the screen, with 100,000 tasks.
func BenchmarkBrowserSearch(b *testing.B) {
	all := tuitest.Large(100_000)
	for _, text := range []string{"difficulty:hard", "number", "zzz"} {
		b.Run(text, func(b *testing.B) {
			app := tui.New(tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{all}}), true)
			d := tuitest.New(b, app)
			defer close(d.End)
			d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
			d.Run(app.Init())
			for b.Loop() {
				d.Press("/", text)
				for !app.Settled() {
					d.Send(<-d.Msgs)
				}
				_ = app.View()
				b.StopTimer()
				d.Press("enter")
				for range len(text) {
					d.Press("/", "backspace", "esc")
				}
				for !app.Settled() {
					d.Send(<-d.Msgs)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/search")
		})
	}
}
