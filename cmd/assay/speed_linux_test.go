package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"assay/benchmark"
	"assay/data"
	"assay/data/fatal"
	"assay/session"
	"assay/session/report/reporttest"
	"assay/store"
)

// BenchmarkFirstFrame is the time from starting the program to the home screen on the terminal, with 10,000
// attempts in the store, relative to a program that only prints its name. Both are started alternately; the
// budget is a ratio of 1.5.
func BenchmarkFirstFrame(b *testing.B) {
	dir := b.TempDir()
	assay, minimal := builtAssay(b), filepath.Join(dir, "minimal")
	fatal.If(b, build(minimal, "./testdata/minimal"))
	attempts := fill(b, filepath.Join(dir, "assay.db"), 153)
	first := func(name string, texts ...string) (ms []float64) {
		began := time.Now()
		t := start(b, dir, 80, 24, nil, name)
		defer t.end()
		for _, text := range texts {
			ms = append(ms, float64(t.sees(text, 0).Sub(began).Microseconds())/1000)
		}
		return ms
	}
	first(assay, "f1 keys") // both are in the file cache now
	first(minimal, "assay")
	var full, filled, least []float64
	for b.Loop() {
		ms := first(assay, "f1 keys", "New session")
		full, filled, least = append(full, ms[0]), append(filled, ms[1]), append(least, first(minimal, "assay")...)
	}
	b.ReportMetric(float64(attempts), "attempts")
	b.ReportMetric(quantile(full, 0.5), "ms-assay")
	b.ReportMetric(quantile(filled, 0.5), "ms-filled")
	b.ReportMetric(quantile(least, 0.5), "ms-minimal")
	b.ReportMetric(quantile(full, 0.5)/quantile(least, 0.5), "ratio")
}

// fill creates a store of sessions of 20 tasks, several sessions a transaction, and returns the number of attempts.
func fill(tb testing.TB, path string, sessions int) (attempts int) {
	tb.Helper()
	s, err := store.Open(path, store.Options{})
	fatal.If(tb, err)
	study := reporttest.Study{Tasks: 20, K: 5, Seed: 1, Models: []string{"a", "b"}, Types: []string{"strings", "numbers", "lists", "trees"}}
	for i := range sessions {
		study.Testers = append(study.Testers, fmt.Sprintf("T%05d", i/2))
	}
	var next, judged atomic.Int64
	var group errgroup.Group
	for range 4 {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < sessions; i = int(next.Add(1)) - 1 {
				log, texts, err := study.Log(i)
				if err == nil {
					_, err = s.Append(tb.Context(), fmt.Sprintf("01HZ%022d", i), log, texts)
				}
				if err != nil {
					return err
				}
				for _, e := range log {
					if e.Payload.Kind() == session.KindJudged {
						judged.Add(1)
					}
				}
			}
			return nil
		})
	}
	fatal.If(tb, errors.Join(group.Wait(), s.Close()))
	return int(judged.Load())
}

// TestNoFlicker: after its first frame, a session never clears the whole screen, unless the terminal
// changes its size.
func TestNoFlicker(t *testing.T) {
	dir := t.TempDir()
	term := talking(t, dir, builtAssay(t), 80, 24, nil, 300, 1)
	defer term.end()
	from := term.mark()
	term.send()
	term.sees("satisfied", from)
	for _, key := range []string{"2", "3", "4", "5", "6", "1", "?", "\x1b[B", "\x1b"} { // the last one closes the page of keys
		before := term.bytes()
		term.press(key)
		term.until("an answer to "+strconv.Quote(key), func() bool { return term.bytes() > before })
	}
	term.press("x") // which the review does not have, so that there need be no answer
	from = term.mark()
	term.press("r")
	term.sees("your next", from)
	from = term.mark()
	term.press("again Ω")
	term.sees("Ω", from)
	term.send()
	clears := func() int {
		term.mu.Lock()
		defer term.mu.Unlock()
		return strings.Count(string(term.written), "\x1b[2J")
	}
	if n := clears(); n > 1 { // the first is that of the first frame
		t.Errorf("the screen was cleared %d times after the first frame", n-1)
	}
	before := clears()
	fatal.If(t, unix.IoctlSetWinsize(int(term.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 100}))
	term.until("a clear screen for another size, which this test would notice", func() bool { return clears() > before })
}

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// talking starts a session whose model sends a number of tokens a second, up to its first prompt.
func talking(tb testing.TB, dir, bin string, columns, rows int, through *link, tokens, seconds int) *terminal {
	tb.Helper()
	talk, err := filepath.Abs("testdata/talk.py")
	fatal.If(tb, err)
	models := fmt.Sprintf("[[model]]\nname = \"talker\"\nprovider = \"command\"\ncommand = [\"python3\", %q, \"%d\", \"%d\"]\n", talk, tokens, seconds)
	fatal.If(tb, os.WriteFile(filepath.Join(dir, "models.toml"), []byte(models), 0o600))
	t := start(tb, dir, columns, rows, through, bin, "--models", filepath.Join(dir, "models.toml"), "--model", "talker", "--tasks", "1", "--seed", "1", "--benchmark", "starter")
	t.sees("enter", 0)
	t.press("\r")
	from := t.mark()
	t.press("say Ω")
	t.sees("Ω", from)
	return t
}

// send sends the prompt and waits for the first words of the answer.
func (t *terminal) send() {
	from := t.mark()
	t.press("\x13")
	t.sees("☉", from)
}

// letters occur nowhere else in the program's output.
var letters = []rune("αβγδεζηθικλμνξπρστυφχψабвгдежзийклмнпрстуфхцчшщ")

// echo types letters into the command palette, which covers the screen, at random moments, and measures the
// delay until each appears, in milliseconds.
func (t *terminal) echo(keys int) (ms []float64, lost int) {
	from := t.mark()
	t.press("\x10") // ctrl+p
	t.sees("do it", from)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range keys {
		if i > 0 && i%len(letters) == 0 {
			t.press(strings.Repeat("\x7f", len(letters)))
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(time.Duration(20+random.IntN(60)) * time.Millisecond)
		letter := string(letters[(i+i/len(letters))%len(letters)]) // another one than stood there in the round before
		from, began := t.mark(), time.Now()
		t.press(letter)
		at, ok := t.prints(letter, from, 3*time.Second)
		if !ok {
			lost++
			continue
		}
		ms = append(ms, float64(at.Sub(began).Microseconds())/1000)
	}
	t.press("\x1b")
	time.Sleep(300 * time.Millisecond) // else it would begin another key
	return ms, lost
}

// BenchmarkKeyEcho is the time from a key to its letter on the terminal: on an idle machine, and while an
// answer streams at 1,000 tokens a second and two workers judge endless programs. The budget is twice the
// time for 95 of 100 keys, and no key lost.
func BenchmarkKeyEcho(b *testing.B) {
	dir := b.TempDir()
	bin := builtAssay(b)
	keys := max(b.N, 10)
	t := talking(b, dir, bin, 80, 24, nil, 1000, 20+keys/5)
	defer t.end()
	idle, lost := t.echo(keys)
	t.send()
	stop := judging(b, dir, bin)
	defer stop()
	busy, more := t.echo(keys)
	b.ReportMetric(quantile(idle, 0.5), "ms-idle-p50")
	b.ReportMetric(quantile(idle, 0.95), "ms-idle-p95")
	b.ReportMetric(quantile(busy, 0.5), "ms-busy-p50")
	b.ReportMetric(quantile(busy, 0.95), "ms-busy-p95")
	b.ReportMetric(quantile(busy, 0.95)/quantile(idle, 0.95), "ratio-p95")
	b.ReportMetric(float64(lost+more), "lost")
}

// judging keeps two workers busy with endless programs.
func judging(b *testing.B, dir, bin string) (stop func()) {
	b.Helper()
	folder, err := data.Benchmark("starter")
	fatal.If(b, err)
	tasks := filepath.Join(dir, "tasks")
	if err := os.CopyFS(tasks, folder); err != nil && !os.IsExist(err) {
		b.Fatal(err)
	}
	starter, err := benchmark.LoadFolder(folder, "starter")
	fatal.If(b, err)
	var samples strings.Builder
	for range 20 {
		for _, task := range starter.Tasks {
			fmt.Fprintf(&samples, "{\"task_id\": %q, \"solution\": \"while True:\\n    pass\\n\"}\n", task.ID)
		}
	}
	file := filepath.Join(dir, "samples.jsonl")
	fatal.If(b, os.WriteFile(file, []byte(samples.String()), 0o600))
	cmd := exec.Command(bin, "eval", file, "--tasks", tasks, "--workers", "2", "--run-only")
	log, err := os.Create(filepath.Join(dir, "eval.log"))
	fatal.If(b, err)
	cmd.Stdout, cmd.Stderr = log, log
	fatal.If(b, cmd.Start())
	time.Sleep(2 * time.Second) // boxes are made
	return func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
			text, _ := os.ReadFile(log.Name())
			b.Errorf("the workers had ended: %v %s", err, text)
		}
		log.Close()
	}
}

// BenchmarkSlowLink is the number of bytes that the program writes in a second while an answer streams at
// 1,000 tokens a second, on terminals of two sizes, and whether keys are lost, over a line of 10 KB/s with
// a round trip of 200 ms. The budget is 8 KB/s.
func BenchmarkSlowLink(b *testing.B) {
	for _, size := range []struct{ columns, rows int }{{80, 24}, {200, 60}} {
		for _, line := range []struct {
			name string
			*link
		}{{"local", nil}, {"slow", &link{rate: 10 << 10, delay: 100 * time.Millisecond}}} {
			b.Run(fmt.Sprintf("%dx%d/%s", size.columns, size.rows, line.name), func(b *testing.B) {
				dir := b.TempDir()
				seconds := min(max(b.N, 5), 30)
				t := talking(b, dir, builtAssay(b), size.columns, size.rows, line.link, 1000, seconds+20)
				defer t.end()
				t.send()
				time.Sleep(time.Second)
				began, from := time.Now(), t.bytes()
				time.Sleep(time.Duration(seconds) * time.Second)
				b.ReportMetric(float64(t.bytes()-from)/time.Since(began).Seconds()/1024, "KB/s")
				ms, lost := t.echo(20)
				b.ReportMetric(quantile(ms, 0.5), "ms-echo-p50")
				b.ReportMetric(quantile(ms, 0.95), "ms-echo-p95")
				b.ReportMetric(float64(lost), "lost")
			})
		}
	}
}
