package tui_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/tasks"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// kept keeps filters in memory.
type kept struct {
	mu    sync.Mutex
	saved map[string]string
	err   error
}

func (k *kept) Scenarios() ([]tasks.Scenario, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []tasks.Scenario
	for _, name := range slices.Sorted(maps.Keys(k.saved)) {
		list = append(list, tasks.Scenario{Name: name, Filter: k.saved[name]})
	}
	return list, k.err
}

func (k *kept) SaveScenario(name, filter string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.saved == nil {
		k.saved = map[string]string{}
	}
	k.saved[name] = filter
	return "scenarios.toml", k.err
}

// library is a benchmark with some of everything.
func library() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Version: 1, Name: "library"}
	b.Tasks = append(b.Tasks, benchmark.Task{ID: "warm-up", Title: "Warm-up", Language: "python", Practice: true})
	types := []string{"structural", "visualization", "exploratory", "numerical"}
	for i := range 45 {
		t := benchmark.Task{
			ID: fmt.Sprintf("task-%02d", i+1), Title: fmt.Sprintf("Walk graph number %d", i+1), Language: []string{"python", "r"}[i%2],
			Description: fmt.Sprintf("Visit the **%d nodes** of a graph.\n\n- Begin at `start`.\n- Visit each once.\n", i+1),
			EntryPoint:  "walk", Constraints: []string{"the graph is connected"},
			Examples:   []benchmark.Example{{Input: "walk(1)", Output: "[1]"}},
			Difficulty: benchmark.Difficulties[i%3], Type: types[i%4], Category: []string{"graphs", "trees"}[i%2], Topics: []string{"search"},
			Published: benchmark.Date(fmt.Sprintf("20%02d-03", 18+i%6)), Source: benchmark.Source{Title: "Walks, volume " + fmt.Sprint(i%3+1), Year: 2020},
			Reference: "def walk(start):\n    return [start]\n",
			Tests:     benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: raw("1"), Expected: []byte("[1]")}, {Args: raw("2"), Expected: []byte("[2]"), Name: "another"}}},
		}
		if i == 0 {
			t.ContextLevels = []string{"Given a node, list the nodes in the order of a walk.", "Do it depth first."}
		}
		b.Tasks = append(b.Tasks, t)
	}
	return b
}

func raw(value string) []json.RawMessage { return []json.RawMessage{[]byte(value)} }

func fullHome(t *testing.T) frame.Screen { return home.New(fullShelf(t), noon) }

// browse opens the browser by itself.
func browse(t testing.TB, width, height int, adjust ...func(*tasks.Options)) *driver {
	t.Helper()
	opts := tasks.Options{
		Benchmarks: []*benchmark.Benchmark{library(), enginetest.Benchmark(5)}, Scenarios: &kept{}, Reference: true,
	}
	for _, f := range adjust {
		f(&opts)
	}
	return drive(t, tasks.New(opts), width, height).sees("45 of 45 tasks", "task-01")
}

// What is typed is matched as it is typed; a wrong filter keeps the last result.
func TestBrowserFilter(t *testing.T) {
	d := browse(t, 80, 24)
	d.press("/").sees("difficulty:", "… 11 more")
	d.press("diff").sees("easy, medium or hard", "45 of 45 tasks")
	d.press("esc").sees("0 of 45 tasks", "No task matches") // a word like any other, when no field is wanted
	d.press("i").sees("45 of 45 tasks", "easy, medium or hard").press("backspace")
	d.press("tab").sees("▸ difficulty:").press("enter").sees("filter difficulty:", "medium", "15", "a value is missing")
	d.press("down").sees("▸ easy").press("down").sees("▸ hard").press("enter").sees("filter difficulty:hard", "15 of 45 tasks", "task-03")
	d.press(" colour:red").sees(`no field "colour"`, "15 of 45 tasks", "task-03")
	for range len(" colour:red") {
		d.press("backspace")
	}
	d.press(" type:vis").sees("visualization", "0 of 45 tasks").press("tab", "enter").sees("type:visualization", "4 of 45 tasks")
	d.press("enter").sees("enter open").press("down").sees("▸ task-18")
	d.press("o").sees("by id").press("o").sees("by difficulty").press("o").sees("latest first", "▸ task-18")
	d.press("/").sees("close").press(" x", "esc", "esc").sees("enter open", "filter difficulty:hard type:visualization x")
}

// However fast it is typed, what stays beside a wrong filter is what the last good one
// chooses.
func TestBrowserKeepsLastGood(t *testing.T) {
	d := browse(t, 80, 24)
	d.press("/", `difficulty:hard "two wor`).sees("unclosed quotation mark", "15 of 45 tasks")
	d.press("enter", "w").sees("something is wrong with the filter")
}

func TestBrowserPaste(t *testing.T) {
	d := browse(t, 80, 24).press("/").sees("difficulty:")
	d.send(tea.PasteMsg{Content: "difficulty:easy\n\x1b[31mtype:numerical"})
	d.until("no escape sequence", func(screen string) bool { return !strings.Contains(d.App.View().Content, "\x1b[31m") })
}

func TestBrowserTask(t *testing.T) {
	d := browse(t, 80, 24)
	d.press("enter").sees("Walk graph number 1", "task 1 of 45", "Visit the", "the graph is connected")
	d.press("2").sees("`walk(1)` → `[1]`", "another")
	d.press("3").sees("difficulty       easy", "source           Walks, volume 1 (2020)")
	d.press("4").sees("Context level 2", "Do it depth first.")
	d.press("5").sees("r shows the reference solution")
	d.press("r").sees("return [start]")
	d.press("right").sees("Walk graph number 2", "task 2 of 45", "r shows the reference solution")
	d.press("4").sees("no context levels")
	d.press("b").sees("5 of 5 tasks", "Tasks · tiny", "double-1")
	d.press("r").sees("return 2 * n").press("esc").sees("enter open")
}

// From 100 columns the task stands beside the list and follows the choice.
func TestBrowserBeside(t *testing.T) {
	d := browse(t, 120, 40).sees("▸ task-01", "1 statement", "Visit the 1 nodes")
	d.press("down", "down").sees("▸ task-03", "Visit the 3 nodes")
	d.press("end").sees("▸ task-45", "Visit the 45 nodes").press("home", "2").sees("walk(2)")
	d.press("enter").sees("other task").press("right").sees("▸ task-02").press("esc", "esc").ends()
}

func TestBrowserStatistics(t *testing.T) {
	d := browse(t, 80, 24)
	d.press("s").sees("type × difficulty", "structural           4        4        4       12", "total", "15       15       45")
	d.press("right").sees("source × type").press("right").sees("source × difficulty", "Walks, volume 3").press("right", "right").sees("language × difficulty", "python")
	d.press("right").sees("type × difficulty").press("esc").sees("enter open")
}

func TestBrowserSaves(t *testing.T) {
	keeps := &kept{saved: map[string]string{"plots": "type:visualization"}}
	d := browse(t, 80, 24, func(o *tasks.Options) { o.Scenarios = keeps })
	d.press("w").sees("there is no filter to save")
	d.press("l").sees("saved filters", "▸ plots").press("enter").sees("filter type:visualization", "11 of 45 tasks")
	d.press("/", " difficulty:hard").sees("4 of 45 tasks").press("enter", "w").sees("save as")
	d.press("plots").sees("enter replaces the filter of that name: type:visualization").press(" hard").sees("enter saves the filter")
	d.press("enter").sees("saved in scenarios.toml")
	if got := keeps.saved["plots hard"]; got != "type:visualization difficulty:hard" {
		t.Fatalf("saved %q", got)
	}
	keeps.err = errors.New("scenarios.toml:3: no such field")
	d.press("l").sees("scenarios.toml:3: no such field", "enter open")
}

// From the home screen a session begins with what is on the screen.
func TestBrowserBegins(t *testing.T) {
	d := drive(t, fullHome(t), 80, 24).sees("search, filter")
	d.press("t").sees("45 of 45 tasks").press("b").sees("5 of 5 tasks")
	d.press("/", "difficulty:hard").sees("1 of 5 tasks").press("enter", "n").sees("New session", "‹ tiny ›", "difficulty:hard", "1 task in one set")
	d.press("esc").sees("Tasks · tiny", "filter difficulty:hard").press("esc").sees("Continue")
	d = browse(t, 80, 24)
	d.press("n").sees("assay without a verb begins sessions")
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
		d := drive(t, tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{b}, Reference: true}), width, 24).sees("1 of 1 task")
		check := func() {
			t.Helper()
			d.until("a settled screen", func(string) bool { return d.App.Settled() })
			if text := d.App.View().Content; strings.ContainsAny(text, "\x07\r\u009b") || strings.Contains(text, "\x1b[2J") || strings.Contains(text, "\x1b]") {
				t.Errorf("at %d columns the screen has escape sequences of the task:\n%q", width, text)
			}
			checkFits(t, fmt.Sprint(width), d.screen(), frame.Size{Width: width, Height: 24})
		}
		check()
		for _, key := range []string{"enter", "2", "3", "4", "r", "s", "right", "right", "right", "right", "esc", "/", "t", "y", "p", "e", ":", "tab", "enter", "enter", "s"} {
			d.press(key)
			check()
		}
	}
}

// No sequence of keys panics or draws outside the terminal.
func TestAnyKeysInBrowser(t *testing.T) {
	names := slices.Sorted(maps.Keys(tuitest.NamedKeys))
	rapid.Check(t, func(rt *rapid.T) {
		rig, err := enginetest.New(1)
		if err != nil {
			rt.Fatal(err)
		}
		d := drive(t, tasks.New(tasks.Options{
			Benchmarks: []*benchmark.Benchmark{library(), {Name: "empty"}, enginetest.Benchmark(2)},
			Scenarios:  &kept{saved: map[string]string{"plots": "type:visualization"}}, Reference: true,
			Begin: func(context.Context, session.Choice) (frame.Screen, error) {
				return work.New(rig.Engine, work.Options{}), nil
			},
		}), 80, 24)
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 8).Draw(rt, "kind") {
			case 0, 1, 2:
				d.press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 3, 4:
				d.press(rapid.SampledFrom([]string{"/", "s", "b", "o", "w", "l", "n", "r", "1", "2", "3", "4", "5", "enter", "esc", "j", "k"}).Draw(rt, "command"))
			case 5:
				size := rapid.SampledFrom(sizes).Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			case 6:
				d.send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.press(rapid.SampledFrom([]string{"difficulty:", "hard", " ", "type:", "-", "\"", "zz", "publ"}).Draw(rt, "text"))
			}
			d.idle()
			if d.Quit {
				break
			}
			checkDrawn(rt, d)
		}
	})
}

// large is a benchmark of n tasks with statements of half a kilobyte.
func large(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "large", Tasks: make([]benchmark.Task, n)}
	small := library().Tasks[1:]
	for i := range b.Tasks {
		t := small[i%len(small)]
		t.ID, t.Title = fmt.Sprintf("task-%06d", i), fmt.Sprintf("Task number %d", i)
		t.Description = strings.Repeat("A sentence of the statement, which is long. ", 11) + fmt.Sprint(i)
		b.Tasks[i] = t
	}
	return b
}

// What the person waits for at a key: Update and View, with 100,000 tasks. Searches and
// the like run beside it, as in the program.
func BenchmarkBrowserKey(b *testing.B) {
	all := large(100_000)
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
				d := &driver{tuitest.New(b, app)}
				defer close(d.End)
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
				d.run(app.Init())
				for !strings.Contains(d.screen(), "100000 of 100000 tasks") {
					d.send(<-d.Msgs)
				}
				d.press(keys.first...)
				var slowest time.Duration
				b.ResetTimer()
				for i := range b.N {
					b.StopTimer()
					d.idle()
					b.StartTimer()
					began := time.Now()
					d.press(keys.press[i%len(keys.press)])
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
	all := large(100_000)
	for _, text := range []string{"difficulty:hard", "number", "zzz"} {
		b.Run(text, func(b *testing.B) {
			app := tui.New(tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{all}}), true)
			d := &driver{tuitest.New(b, app)}
			defer close(d.End)
			d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			d.run(app.Init())
			for b.Loop() {
				d.press("/", text)
				for !app.Settled() {
					d.send(<-d.Msgs)
				}
				_ = app.View()
				b.StopTimer()
				d.press("enter")
				for range len(text) {
					d.press("/", "backspace", "esc")
				}
				for !app.Settled() {
					d.send(<-d.Msgs)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/search")
		})
	}
}
