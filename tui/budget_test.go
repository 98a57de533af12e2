package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/results"
	"assay/tui/tasks"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// Of 10,000 pieces of an answer in a second the screen is told at most 35 times.
func TestUpdatesOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pieces = 10_000
		d, eng := tuitest.AnsweredBy(t, tuitest.Model(func(_ context.Context, delta func(string)) (string, error) {
			var all strings.Builder
			for i := range pieces {
				piece := fmt.Sprintf("word%d ", i)
				all.WriteString(piece)
				delta(piece)
				time.Sleep(time.Second / pieces)
			}
			return all.String(), nil
		}), work.Options{Interval: work.LookEvery})
		d.Press("x", "ctrl+s").Sees("word")
		d.During(100 * time.Millisecond) // the intent to send has ended
		count := d.During(800 * time.Millisecond)
		if n := len(strings.Fields(eng.Streamed(""))); n < pieces*7/10 {
			t.Fatalf("%d pieces were streamed", n)
		}
		if most := 35 * 8 / 10; count["all"] > most || count["all"] < 10 {
			t.Errorf("in 0.8 s the screen was told %v, more than %d times or hardly ever", count, most)
		}
		d.Sees("y satisfied").Leaves()
	})
}

// A screen that nobody touches is drawn at most once a second, when a break is counted
// down, and once a minute for the clock.
func TestIdle(t *testing.T) {
	say := tuitest.Model(func(context.Context, func(string)) (string, error) { return tuitest.RightAnswer, nil })
	for _, tc := range []struct {
		name  string
		reach func(t *testing.T, opts work.Options) *tuitest.Driver
	}{
		{"home", func(t *testing.T, _ work.Options) *tuitest.Driver {
			return tuitest.Drive(t, home.New(tuitest.FullShelf(t), time.Now), 80, 24).Sees("Continue")
		}},
		{"browser of tasks", func(t *testing.T, _ work.Options) *tuitest.Driver { return tuitest.Browse(t, 80, 24) }},
		{"results", func(t *testing.T, _ work.Options) *tuitest.Driver {
			d := tuitest.Drive(t, results.New(results.Options{Library: tuitest.Study()}), 80, 24).Sees("S1")
			return d.Until("all numbers", func(string) bool { return d.App.Settled() })
		}},
		{"compose", func(t *testing.T, o work.Options) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, say, o)
			return d
		}},
		{"waiting", func(t *testing.T, o work.Options) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(ctx context.Context, delta func(string)) (string, error) {
				delta("the first words")
				<-ctx.Done()
				return "", ctx.Err()
			}), o)
			return d.Press("x", "ctrl+s").Sees("the first words")
		}},
		{"review", func(t *testing.T, o work.Options) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, say, o)
			return d.Press("x", "ctrl+s").Sees("y satisfied", "tests ✓")
		}},
		{"rating", func(t *testing.T, o work.Options) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, say, o)
			return d.Press("x", "ctrl+s").Sees("y satisfied", "tests ✓").Press("y").Sees("9 to go")
		}},
		{"break", func(t *testing.T, o work.Options) *tuitest.Driver {
			d, _ := tuitest.AnsweredBy(t, say, o, func(c *session.Choice) { c.Breaks = &session.Breaks{Tasks: 1, MS: 600_000, Forced: true} })
			d.Press("x", "ctrl+s").Sees("y satisfied", "tests ✓").Press("y").Sees("9 to go")
			return tuitest.Rate(d).Sees("break").Press("b").Sees("‖ Break")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				beat := time.NewTicker(engine.HeartbeatEvery)
				defer beat.Stop()
				d := tc.reach(t, work.Options{Interval: work.LookEvery, Ticks: beat.C}).Use("clock = true\n")
				d.Run(d.App.Init()) // the clock ticks from now on
				d.During(3 * time.Second)
				// A tick at each end of the minute counts, and one of the clock.
				if count := d.During(time.Minute); count["all"] > 61+1 {
					t.Errorf("in an idle minute the screen was told %v", count)
				}
				d.Leaves()
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
	long := strings.Repeat("A sentence about the code, and one more.\n\n```python\ndef helper(n):\n    return n + 1\n```\n\n", 100<<10/90) + tuitest.RightAnswer
	return []transcript{{"1", 1, tuitest.RightAnswer}, {"10", 10, tuitest.RightAnswer}, {"10x100KB", 10, long}}
}

// phase is a screen to draw, with the keys whose cost is measured there, which lead to
// where they began.
type phase struct {
	name  string
	reach func(t testing.TB, of transcript) *tuitest.Driver
	keys  []string
}

// attempted is a session at the review of the last attempt of a transcript.
func attempted(t testing.TB, of transcript) *tuitest.Driver {
	d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(_ context.Context, delta func(string)) (string, error) {
		delta(of.answer)
		return of.answer, nil
	}), work.Options{}, func(c *session.Choice) { c.K = of.attempts + 2 })
	for n := 1; ; n++ {
		d.Press("Double it, please", "ctrl+s").Sees("tests ✓", "y satisfied", fmt.Sprintf("attempt %d of ", n))
		d.Until("the rendered answer", func(string) bool { return d.App.Settled() })
		if n == of.attempts {
			return d
		}
		d.Press("r").Sees("your next message")
	}
}

func phases() []phase {
	onTab := func(tab string) func(testing.TB, transcript) *tuitest.Driver {
		return func(t testing.TB, of transcript) *tuitest.Driver {
			d := attempted(t, of).Press(tab)
			return d.Until("the tab", func(string) bool { return d.App.Settled() })
		}
	}
	list := []phase{
		{"compose", func(t testing.TB, of transcript) *tuitest.Driver {
			return attempted(t, of).Press("r").Sees("your next message")
		}, []string{"a", "backspace"}},
		{"waiting", func(t testing.TB, of transcript) *tuitest.Driver {
			asked := 0
			d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(ctx context.Context, delta func(string)) (string, error) {
				delta(of.answer)
				if asked++; asked <= of.attempts {
					return of.answer, nil
				}
				<-ctx.Done()
				return "", ctx.Err()
			}), work.Options{}, func(c *session.Choice) { c.K = of.attempts + 2 })
			for range of.attempts {
				d.Press("Double it, please", "ctrl+s").Sees("tests ✓", "y satisfied").Press("r").Sees("your next message")
			}
			return d.Press("Again", "ctrl+s").Sees("esc stop").Press("end").Sees("two") // answers stay at their beginning
		}, []string{"up", "end"}},
		{"rating", func(t testing.TB, of transcript) *tuitest.Driver { return attempted(t, of).Press("y").Sees("9 to go") }, []string{"down", "up"}},
	}
	for i, name := range []string{"answer", "tests", "changes", "measures", "prompt", "task"} {
		list = append(list, phase{"review-" + name, onTab(fmt.Sprint(i + 1)), []string{"down", "up"}})
	}
	return append(list,
		phase{"results", func(t testing.TB, of transcript) *tuitest.Driver {
			a := tuitest.Study()
			for i := range of.attempts * len(of.answer) / 1000 {
				s := tuitest.NewScribe()
				s.Begin(fmt.Sprint("X", i), "core-python", 1)
				a.Keep(fmt.Sprint("X", i), s, session.Summary{Status: "open", Benchmark: "core-python", Model: "m"})
			}
			d := tuitest.Drive(t, results.New(results.Options{Library: a}), 80, 24).Sees("session")
			return d.Until("all numbers", func(string) bool { return d.App.Settled() })
		}, []string{"down", "up"}},
		phase{"tasks", func(t testing.TB, of transcript) *tuitest.Driver {
			n := 10 + of.attempts*len(of.answer)/100
			return tuitest.Drive(t, tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{tuitest.Large(n)}}), 80, 24).Sees(fmt.Sprintf("of %d tasks", n))
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
			var drivers []*tuitest.Driver
			list := transcripts()
			for _, of := range list {
				drivers = append(drivers, p.reach(b, of))
			}
			view, update := make([][]float64, len(list)), make([][]float64, len(list))
			for n := 0; b.Loop(); n++ {
				for i, d := range drivers {
					d.Idle()
					key, _ := frame.KeyNamed(p.keys[n%len(p.keys)])
					began := time.Now()
					_, cmd := d.App.Update(key)
					update[i] = append(update[i], micros(began))
					d.Run(cmd)
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
	var drivers []*tuitest.Driver
	for _, size := range sizes {
		pipe := make(chan string)
		d, eng := tuitest.AnsweredBy(b, tuitest.Model(func(ctx context.Context, delta func(string)) (string, error) {
			for {
				select {
				case <-ctx.Done():
					return "", ctx.Err()
				case piece := <-pipe:
					delta(piece)
				}
			}
		}), work.Options{})
		d.Press("x", "ctrl+s").Sees("waiting for the first words")
		text := transcripts()[2].answer
		for len(text) < size {
			text += text
		}
		go func() { pipe <- text[:size] }()
		d.Until("the text", func(string) bool { return len(eng.Streamed("")) == size })
		d.Until("its drawing", func(string) bool { return d.App.Settled() }).Press("end")
		pipes, drivers = append(pipes, pipe), append(drivers, d)
	}
	cost := make([][]float64, len(sizes))
	const piece = "and some more words, as models say them\n"
	for b.Loop() {
		for i, d := range drivers {
			d.Idle()
			pipes[i] <- piece
			msg := <-d.Msgs
			began := time.Now()
			_, cmd := d.App.Update(msg)
			_ = d.App.View()
			cost[i] = append(cost[i], micros(began))
			d.Run(cmd)
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
