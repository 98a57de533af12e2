package tui_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/results"
	"assay/tui/tasks"
	"assay/tui/work"
)

// What drawing and keys may cost, and how often the screen may be drawn. What can be
// counted is a test; what can only be timed is a benchmark, whose ratios tell whether a
// cost grows with the transcript.

// model is a client that answers by a function.
type model func(ctx context.Context, delta func(string)) (string, error)

func (f model) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	text, err := f(ctx, delta)
	return llm.Answer{Text: text, FinishReason: "stop"}, err
}

// answeredBy is a session that the model answers, on the screen of its first prompt.
func answeredBy(t testing.TB, client llm.Client, opts work.Options, adjust ...func(*session.Choice)) (*driver, *engine.Engine) {
	t.Helper()
	rig, err := enginetest.New(3, adjust...)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := rig.Engine.Close(ctx); err != nil {
		t.Fatal(err)
	}
	cfg := rig.Config()
	cfg.Client = client
	eng, err := engine.Reopen(ctx, cfg, rig.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = eng.Close(ctx) })
	return drive(t, work.New(eng, opts), 80, 24).sees("enter open").press("enter").sees("your prompt"), eng
}

// during counts the messages that the program gets in a time, by their types.
func (d *driver) during(span time.Duration) map[string]int {
	count := map[string]int{}
	over := time.NewTimer(span)
	defer over.Stop()
	for {
		select {
		case msg := <-d.Msgs:
			count[reflect.TypeOf(msg).String()]++
			count["all"]++
			d.send(msg)
			_ = d.App.View()
		case <-over.C:
			return count
		}
	}
}

// leaves ends the program, and lets the timers that it set run out in fake time.
func (d *driver) leaves() {
	d.press("ctrl+c", "ctrl+c", "y").ends()
	time.Sleep(2 * time.Minute)
}

// Of 10,000 pieces of an answer in a second the screen is told at most 35 times.
func TestUpdatesOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pieces = 10_000
		d, eng := answeredBy(t, model(func(_ context.Context, delta func(string)) (string, error) {
			var all strings.Builder
			for i := range pieces {
				piece := fmt.Sprintf("word%d ", i)
				all.WriteString(piece)
				delta(piece)
				time.Sleep(time.Second / pieces)
			}
			return all.String(), nil
		}), work.Options{Interval: work.LookEvery})
		d.press("x", "ctrl+s").sees("word")
		d.during(100 * time.Millisecond) // the intent to send has ended
		count := d.during(800 * time.Millisecond)
		if n := len(strings.Fields(eng.Streamed())); n < pieces*7/10 {
			t.Fatalf("%d pieces were streamed", n)
		}
		if most := 35 * 8 / 10; count["all"] > most || count["all"] < 10 {
			t.Errorf("in 0.8 s the screen was told %v, more than %d times or hardly ever", count, most)
		}
		d.sees("y satisfied").leaves()
	})
}

// A screen that nobody touches is drawn at most once a second, when a break is counted
// down, and once a minute for the clock.
func TestIdle(t *testing.T) {
	say := model(func(context.Context, func(string)) (string, error) { return rightAnswer, nil })
	for _, tc := range []struct {
		name  string
		reach func(t *testing.T, opts work.Options) *driver
	}{
		{"home", func(t *testing.T, _ work.Options) *driver {
			return drive(t, home.New(fullShelf(t), time.Now), 80, 24).sees("Continue")
		}},
		{"browser of tasks", func(t *testing.T, _ work.Options) *driver { return browse(t, 80, 24) }},
		{"results", func(t *testing.T, _ work.Options) *driver {
			d := drive(t, results.New(results.Options{Library: study()}), 80, 24).sees("S1")
			return d.until("all numbers", func(string) bool { return d.App.Settled() })
		}},
		{"compose", func(t *testing.T, o work.Options) *driver {
			d, _ := answeredBy(t, say, o)
			return d
		}},
		{"waiting", func(t *testing.T, o work.Options) *driver {
			d, _ := answeredBy(t, model(func(ctx context.Context, delta func(string)) (string, error) {
				delta("the first words")
				<-ctx.Done()
				return "", ctx.Err()
			}), o)
			return d.press("x", "ctrl+s").sees("the first words")
		}},
		{"review", func(t *testing.T, o work.Options) *driver {
			d, _ := answeredBy(t, say, o)
			return d.press("x", "ctrl+s").sees("y satisfied", "tests ✓")
		}},
		{"rating", func(t *testing.T, o work.Options) *driver {
			d, _ := answeredBy(t, say, o)
			return d.press("x", "ctrl+s").sees("y satisfied", "tests ✓").press("y").sees("9 to go")
		}},
		{"break", func(t *testing.T, o work.Options) *driver {
			d, _ := answeredBy(t, say, o, func(c *session.Choice) { c.Breaks = &session.Breaks{Tasks: 1, MS: 600_000, Forced: true} })
			d.press("x", "ctrl+s").sees("y satisfied", "tests ✓").press("y").sees("9 to go")
			return rate(d).sees("break").press("b").sees("‖ Break")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				beat := time.NewTicker(engine.HeartbeatEvery)
				defer beat.Stop()
				d := tc.reach(t, work.Options{Interval: work.LookEvery, Ticks: beat.C}).use("clock = true\n")
				d.run(d.App.Init()) // the clock ticks from now on
				d.during(3 * time.Second)
				if count := d.during(time.Minute); count["all"] > 60+1 {
					t.Errorf("in an idle minute the screen was told %v", count)
				}
				d.leaves()
			})
		})
	}
}

// transcript is a session with attempts of an answer's size behind it.
type transcript struct {
	name     string
	attempts int
	answer   string
}

func transcripts() []transcript {
	long := strings.Repeat("A sentence about the code, and one more.\n\n```python\ndef helper(n):\n    return n + 1\n```\n\n", 100<<10/90) + rightAnswer
	return []transcript{{"1", 1, rightAnswer}, {"10", 10, rightAnswer}, {"10x100KB", 10, long}}
}

// phase is a screen to draw, with the keys whose cost is measured there, which lead to
// where they began.
type phase struct {
	name  string
	reach func(t testing.TB, of transcript) *driver
	keys  []string
}

// attempted is a session at the review of the last attempt of a transcript.
func attempted(t testing.TB, of transcript) *driver {
	d, _ := answeredBy(t, model(func(_ context.Context, delta func(string)) (string, error) {
		delta(of.answer)
		return of.answer, nil
	}), work.Options{}, func(c *session.Choice) { c.K = of.attempts + 2 })
	for n := 1; ; n++ {
		d.press("Double it, please", "ctrl+s").sees("tests ✓", "y satisfied", fmt.Sprintf("attempt %d/", n))
		d.until("the rendered answer", func(string) bool { return d.App.Settled() })
		if n == of.attempts {
			return d
		}
		d.press("r").sees("your next message")
	}
}

func phases() []phase {
	onTab := func(tab string) func(testing.TB, transcript) *driver {
		return func(t testing.TB, of transcript) *driver {
			d := attempted(t, of).press(tab)
			return d.until("the tab", func(string) bool { return d.App.Settled() })
		}
	}
	list := []phase{
		{"compose", func(t testing.TB, of transcript) *driver {
			return attempted(t, of).press("r").sees("your next message")
		}, []string{"a", "backspace"}},
		{"waiting", func(t testing.TB, of transcript) *driver {
			asked := 0
			d, _ := answeredBy(t, model(func(ctx context.Context, delta func(string)) (string, error) {
				delta(of.answer)
				if asked++; asked <= of.attempts {
					return of.answer, nil
				}
				<-ctx.Done()
				return "", ctx.Err()
			}), work.Options{}, func(c *session.Choice) { c.K = of.attempts + 2 })
			for range of.attempts {
				d.press("Double it, please", "ctrl+s").sees("tests ✓", "y satisfied").press("r").sees("your next message")
			}
			return d.press("Again", "ctrl+s").sees("esc stop", "two")
		}, []string{"up", "end"}},
		{"rating", func(t testing.TB, of transcript) *driver { return attempted(t, of).press("y").sees("9 to go") }, []string{"down", "up"}},
	}
	for i, name := range []string{"answer", "tests", "changes", "measures", "prompt", "task"} {
		list = append(list, phase{"review-" + name, onTab(fmt.Sprint(i + 1)), []string{"down", "up"}})
	}
	return append(list,
		phase{"results", func(t testing.TB, of transcript) *driver {
			a := study()
			for i := range of.attempts * len(of.answer) / 1000 {
				s := newScribe()
				s.begin(fmt.Sprint("X", i), "core-python", 1)
				a.keep(fmt.Sprint("X", i), s, session.Summary{Status: "open", Benchmark: "core-python", Model: "m"})
			}
			d := drive(t, results.New(results.Options{Library: a}), 80, 24).sees("session")
			return d.until("all numbers", func(string) bool { return d.App.Settled() })
		}, []string{"down", "up"}},
		phase{"tasks", func(t testing.TB, of transcript) *driver {
			n := 10 + of.attempts*len(of.answer)/100
			return drive(t, tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{large(n)}}), 80, 24).sees(fmt.Sprintf("of %d tasks", n))
		}, []string{"down", "up"}},
	)
}

// BenchmarkPhases is what drawing a screen and handling a key cost in each phase, in
// microseconds, with one short attempt behind it, ten, and ten of 100 KB. Lists are made
// longer in the same measure. The three are measured in turn; a ratio above 2 means that
// a cost grows with the transcript.
func BenchmarkPhases(b *testing.B) {
	for _, p := range phases() {
		b.Run(p.name, func(b *testing.B) {
			var drivers []*driver
			list := transcripts()
			for _, of := range list {
				drivers = append(drivers, p.reach(b, of))
			}
			view, update := make([][]float64, len(list)), make([][]float64, len(list))
			for n := 0; b.Loop(); n++ {
				for i, d := range drivers {
					d.idle()
					key, _ := frame.KeyNamed(p.keys[n%len(p.keys)])
					began := time.Now()
					_, cmd := d.App.Update(key)
					update[i] = append(update[i], micros(began))
					d.run(cmd)
					began = time.Now()
					_ = d.App.View()
					view[i] = append(view[i], micros(began))
				}
			}
			for i, of := range list {
				b.ReportMetric(median(view[i]), "µs-view-"+of.name)
				b.ReportMetric(median(update[i]), "µs-update-"+of.name)
			}
			b.ReportMetric(max(median(view[1]), median(view[2]))/median(view[0]), "ratio-view")
			b.ReportMetric(max(median(update[1]), median(update[2]))/median(update[0]), "ratio-update")
		})
	}
}

// BenchmarkStreamed is what it costs to show the next 40 bytes of an answer, of which so
// much is there already.
func BenchmarkStreamed(b *testing.B) {
	sizes := []int{1 << 10, 100 << 10, 1 << 20}
	var pipes []chan string
	var drivers []*driver
	for _, size := range sizes {
		pipe := make(chan string)
		d, eng := answeredBy(b, model(func(ctx context.Context, delta func(string)) (string, error) {
			for {
				select {
				case <-ctx.Done():
					return "", ctx.Err()
				case piece := <-pipe:
					delta(piece)
				}
			}
		}), work.Options{})
		d.press("x", "ctrl+s").sees("waiting for the first words")
		text := transcripts()[2].answer
		for len(text) < size {
			text += text
		}
		go func() { pipe <- text[:size] }()
		d.until("the text", func(string) bool { return len(eng.Streamed()) == size })
		d.until("its drawing", func(string) bool { return d.App.Settled() })
		pipes, drivers = append(pipes, pipe), append(drivers, d)
	}
	cost := make([][]float64, len(sizes))
	const piece = "and some more words, as models say them\n"
	for b.Loop() {
		for i, d := range drivers {
			d.idle()
			pipes[i] <- piece
			msg := <-d.Msgs
			began := time.Now()
			_, cmd := d.App.Update(msg)
			_ = d.App.View()
			cost[i] = append(cost[i], micros(began))
			d.run(cmd)
		}
	}
	for i, size := range sizes {
		b.ReportMetric(median(cost[i]), fmt.Sprintf("µs-%dKB", size>>10))
	}
	b.ReportMetric(max(median(cost[1]), median(cost[2]))/median(cost[0]), "ratio")
}

func micros(since time.Time) float64 { return float64(time.Since(since).Nanoseconds()) / 1000 }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
