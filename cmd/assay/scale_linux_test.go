package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session/overlap"
	"assay/session/report/reporttest"
	"assay/store"
)

// world is made-up data of one size: a store of sessions, one long session, samples with their results, and runs.
type world struct {
	bin, dir string
	n        int           // sessions; see each
	out      *bytes.Buffer // what the last verb printed
}

func (w world) path(name string) string { return filepath.Join(w.dir, name) }

// fresh is the path of a file or directory that is not there yet.
func (w world) fresh(name string) string {
	return w.path(fmt.Sprint(time.Now().UnixNano(), "-", name))
}

// costs are the verbs that read what grows: by sessions of 20 tasks, tasks of one session, samples, or runs.
var costs = []struct {
	name, of string
	args     func(world) []string
}{
	{"session list", "sessions", func(w world) []string { return []string{"session", "list"} }},
	{"session show", "sessions", func(w world) []string { return []string{"session", "show", "last"} }},
	{"session verify", "sessions", func(w world) []string { return []string{"session", "verify"} }},
	{"session copies", "sessions", func(w world) []string { return []string{"session", "copies"} }},
	{"session rebuild", "sessions", func(w world) []string { return []string{"session", "rebuild"} }},
	{"session export --bundle", "sessions", func(w world) []string {
		return []string{"session", "export", "--force", "--bundle", w.path("all.assay"), "all"}
	}},
	{"session verify BUNDLE", "sessions", func(w world) []string { return []string{"session", "verify", "--no-run", w.path("all.assay")} }},
	{"session salvage", "sessions", func(w world) []string { return []string{"session", "salvage", "--out", w.fresh("salvaged.db")} }},
	{"study collect", "sessions", func(w world) []string {
		return []string{"study", "collect", w.path("all.assay"), "--store", w.fresh("collected.db")}
	}},
	{"study watch", "sessions", func(w world) []string { return []string{"study", "watch"} }},
	{"report all", "sessions", func(w world) []string { return []string{"report", "all", "--out", w.path("report")} }},
	{"report --check", "sessions", func(w world) []string { return []string{"report", "--check", w.path("report")} }},
	{"difficulty --testers", "sessions", func(w world) []string { return []string{"difficulty", "--testers"} }},
	{"rate plan", "sessions", func(w world) []string {
		return []string{"rate", "plan", w.fresh("ratings.jsonl"), "--raters", "3"}
	}},
	{"rate status", "sessions", func(w world) []string { return []string{"rate", "status", w.path("ratings.jsonl")} }},
	{"rate report", "sessions", func(w world) []string { return []string{"rate", "report", w.path("rated.jsonl")} }},
	{"session import", "sessions", func(w world) []string { return w.imports("small") }},
	{"session show", "tasks", func(w world) []string { return []string{"session", "show", "last", "--store", w.path("long.db")} }},
	{"session export --inspect", "tasks", func(w world) []string {
		return []string{"session", "export", "--inspect", "last", "--store", w.path("long.db")}
	}},
	{"session import --inspect", "tasks", func(w world) []string {
		return []string{"session", "import", "--again", "--inspect", w.path("long.json"), "--store", w.path("imports.db")}
	}},
	{"report SESSION", "tasks", func(w world) []string { return []string{"report", "last", "--store", w.path("long.db")} }},
	{"session import", "tasks", func(w world) []string { return append(w.imports("large"), "--store", w.path("imports.db")) }},
	{"eval", "samples", func(w world) []string {
		return []string{"eval", w.path("a.jsonl"), "--tasks", w.path("tasks.jsonl"), "--out", w.fresh("eval")}
	}},
	{"eval, all known", "samples", func(w world) []string {
		return []string{"eval", w.path("a.jsonl"), "--tasks", w.path("tasks.jsonl"), "--out", w.path("a")}
	}},
	{"compare", "samples", func(w world) []string {
		return []string{"compare", w.path("a"), w.path("b"), "--tasks", w.path("tasks.jsonl")}
	}},
	{"difficulty", "samples", func(w world) []string {
		return []string{"difficulty", "a=" + w.path("a"), "b=" + w.path("b"), "--tasks", w.path("tasks.jsonl")}
	}},
	{"difficulty items", "samples", func(w world) []string { return []string{"difficulty", "items", "a=" + w.path("a"), "b=" + w.path("b")} }},
	{"rate plan --pairs", "samples", func(w world) []string {
		return []string{"rate", "plan", w.fresh("pairs.jsonl"), "--pairs", "--raters", "3", "--tasks", w.path("tasks.jsonl"), "--answers", "a=" + w.path("a.jsonl"), "--answers", "b=" + w.path("b.jsonl")}
	}},
	{"report RUN", "samples", func(w world) []string {
		return []string{"report", "--out", w.fresh("run-report"), "--tasks", w.path("tasks.jsonl"), "a=" + w.path("a")}
	}},
	{"eval export", "samples", func(w world) []string {
		return []string{"eval", "export", w.path("a.jsonl"), "--tasks", w.path("tasks.jsonl"), "--to", "bigcode", "--force", "--out", w.path("generations.json")}
	}},
	{"report RUNS", "runs", func(w world) []string {
		args := []string{"report", "--out", w.path("runs-report"), "--tasks", w.path("few.jsonl")}
		for i := range each["runs"] * w.n {
			args = append(args, fmt.Sprintf("m%d=%s", i, w.path(fmt.Sprint("run-", i))))
		}
		return args
	}},
}

// each is how many of what verbs read there are for each session.
var each = map[string]int{"sessions": 1, "tasks": 5, "samples": 20, "runs": 2}

func (w world) imports(name string) []string {
	args := []string{"session", "import", "--again"}
	for _, table := range []string{"tasks", "attempts", "ratings"} {
		args = append(args, "--"+table, w.path(name+"-"+table+".csv"))
	}
	return args
}

// run runs a verb and returns its processor time in seconds, which other work on the machine disturbs less than the time
// of the clock, and its peak memory in MB.
func (w world) run(tb testing.TB, args ...string) (seconds, memory float64) {
	tb.Helper()
	cmd := exec.Command(w.bin, args...)
	cmd.Env = append(os.Environ(), "ASSAY_STORE="+w.path("assay.db"))
	w.out.Reset()
	var trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = w.out, &trouble
	fatal.If(tb, cmd.Start())
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for tick := time.NewTicker(5 * time.Millisecond); ; { // the usage after its end counts what this process has, too
		select {
		case err := <-ended:
			seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			made := strings.Contains(trouble.String(), "is whole but not reproduced") // the code of made-up answers is not in them
			if tick.Stop(); err != nil && !made {
				tb.Fatalf("assay %.200s: %v\n%.800s%.800s", strings.Join(args, " "), err, w.out.Bytes(), trouble.Bytes())
			}
			return seconds, memory
		case <-tick.C:
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)) // it may have ended
			_, peak, _ := strings.Cut(string(text), "VmHWM:")
			var kilobytes float64
			if _, err := fmt.Sscan(peak, &kilobytes); err == nil {
				memory = max(memory, kilobytes/1024)
			}
		}
	}
}

// make writes the data.
func (w world) make(tb testing.TB) {
	tb.Helper()
	fill(tb, w.path("assay.db"), w.n)
	s, err := store.Open(w.path("long.db"), store.Options{})
	fatal.If(tb, err)
	log, texts, err := reporttest.Study{Tasks: each["tasks"] * w.n, K: 5, Seed: 1, Testers: []string{"T"}, Models: []string{"a"}, Types: []string{"strings", "lists"}}.Log(0)
	fatal.If(tb, err)
	_, err = s.Append(context.Background(), fmt.Sprintf("01HZ%022d", 0), log, texts)
	fatal.If(tb, errors.Join(err, s.Close()))
	for name, tasks := range map[string]int{"small": 20, "large": each["tasks"] * w.n} {
		tables := map[string]string{"tasks": "task_id,attempts,satisfied,time_s\n", "attempts": "task_id,attempt,duration_s,satisfied\n", "ratings": "task_id,accuracy\n"}
		for i := range tasks {
			tables["tasks"] += fmt.Sprintf("t%d,2,1,81\n", i)
			tables["attempts"] += fmt.Sprintf("t%d,1,41,0\nt%d,2,40,1\n", i, i)
			tables["ratings"] += fmt.Sprintf("t%d,4\n", i)
		}
		for table, text := range tables {
			fatal.If(tb, os.WriteFile(w.path(name+"-"+table+".csv"), []byte(text), 0o600))
		}
	}
	for i, name := range []string{"b", "a"} {
		w.samples(tb, "tasks.jsonl", name+".jsonl", each["samples"]*w.n/5, 3+i)
		w.run(tb, "eval", w.path(name+".jsonl"), "--tasks", w.path("tasks.jsonl"), "--out", w.path(name))
	}
	w.samples(tb, "few.jsonl", "few-samples.jsonl", 40, 4)
	w.run(tb, "eval", w.path("few-samples.jsonl"), "--tasks", w.path("few.jsonl"), "--out", w.path("run-0"))
	for i := 1; i < each["runs"]*w.n; i++ {
		fatal.If(tb, os.CopyFS(w.path(fmt.Sprint("run-", i)), os.DirFS(w.path("run-0"))))
	}
	w.run(tb, "rate", "plan", w.path("ratings.jsonl"), "--raters", "3")
	w.run(tb, "rate", "plan", w.path("rated.jsonl"), "--raters", "3", "--per-rater", fmt.Sprint(4*w.n))
	w.rate(tb)
	w.run(tb, "session", "export", "--inspect", "last", "--store", w.path("long.db"))
	fatal.If(tb, os.WriteFile(w.path("long.json"), w.out.Bytes(), 0o600))
}

// rate rates everything that is planned, at random.
func (w world) rate(tb testing.TB) {
	tb.Helper()
	f, err := overlap.Change(w.path("rated.jsonl"))
	fatal.If(tb, err)
	var h overlap.Header
	f.Look(func(s *overlap.Set) { h = s.Header })
	random, now := rand.New(rand.NewPCG(1, 0)), time.Now()
	for _, who := range h.Raters {
		events := []overlap.Event{{Opened: &overlap.Opened{Rater: who, At: now}}}
		for _, id := range h.Of(who) {
			for _, a := range h.Attributes {
				events = append(events, overlap.Event{Rated: &overlap.Rated{Rater: who, Item: id, Attribute: a.ID, Score: 1 + random.IntN(5), At: now}})
			}
			for _, l := range h.Labels {
				events = append(events, overlap.Event{Labelled: &overlap.Labelled{Rater: who, Item: id, Label: l.ID, Value: l.Values[random.IntN(len(l.Values))], At: now}})
			}
		}
		fatal.If(tb, f.Add(events...))
	}
	fatal.If(tb, errors.Join(f.Add(overlap.Event{Closed: &overlap.Closed{By: "eve", At: now}}), f.Close()))
}

// samples writes tasks with five samples each, of which fewer than some are wrong.
func (w world) samples(tb testing.TB, tasks, samples string, n, wrong int) {
	tb.Helper()
	var all, answers strings.Builder
	for i := range n {
		line, err := json.Marshal(map[string]string{
			"task_id": fmt.Sprint("T/", i), "entry_point": "f", "prompt": fmt.Sprintf("def f(x):\n    \"\"\"Return x + %d.\"\"\"\n", i),
			"canonical_solution": fmt.Sprintf("    return x + %d\n", i), "test": fmt.Sprintf("def check(candidate):\n    assert candidate(1) == %d\n", i+1),
		})
		fatal.If(tb, err)
		fmt.Fprintf(&all, "%s\n", line)
		for k := range 5 {
			fmt.Fprintf(&answers, "{\"task_id\": \"T/%d\", \"completion\": \"    return x + %d  # %d\\n\"}\n", i, i+max(0, i%wrong-k), k)
		}
	}
	fatal.If(tb, os.WriteFile(w.path(tasks), []byte(all.String()), 0o600))
	fatal.If(tb, os.WriteFile(w.path(samples), []byte(answers.String()), 0o600))
}

// TestScale prints what verbs cost by the size of what they read, for data/manual/speed.md. ASSAY_SCALE is the
// smallest number of sessions; each of the five sizes is twice the one before.
func TestScale(t *testing.T) {
	var first int
	if _, err := fmt.Sscan(os.Getenv("ASSAY_SCALE"), &first); err != nil {
		t.Skip("'make scale' measures for some minutes")
	}
	var worlds []world
	for i := range 5 {
		w := world{builtAssay(t), t.TempDir(), first << i, &bytes.Buffer{}}
		w.make(t)
		worlds = append(worlds, w)
	}
	start := math.Inf(1)
	for range 5 {
		seconds, _ := worlds[0].run(t, "version")
		start = min(start, seconds)
	}
	fmt.Print("| verb | of | 1/16 | 1/8 | 1/4 | 1/2 | all | exponent | peak, MB |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, verb := range costs {
		t.Run(verb.name+" of "+verb.of, func(t *testing.T) {
			var sizes, times []float64
			row, peak := "", 0.0
			for _, w := range worlds {
				least := math.Inf(1)
				for n := 0; n < 3 && (n == 0 || least < 1); n++ {
					seconds, memory := w.run(t, verb.args(w)...)
					least, peak = min(least, seconds), max(peak, memory)
				}
				sizes, times = append(sizes, float64(w.n)), append(times, least-start)
				row += fmt.Sprintf(" %.2f |", least)
			}
			power := exponent(sizes, times)
			fmt.Printf("| `%s` | %d %s |%s %.1f | %.0f |\n", verb.name, first<<4*each[verb.of], verb.of, row, power, peak)
			if power > 1.2 {
				t.Logf("it grows faster than what it reads: by the power of %.2f", power)
			}
		})
	}
}

// exponent fits a power to times by least squares of their logarithms. Times of less than 20 ms count as 20 ms: they
// are mostly noise.
func exponent(sizes, times []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range sizes {
		x, y := math.Log(sizes[i]), math.Log(max(times[i], 0.02))
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	n := float64(len(sizes))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// BenchmarkHuge is what verbs and screens cost with a million attempts in the store, or those of $ASSAY_SESSIONS sessions
// of 66: seconds of a processor and MB of a verb, and milliseconds to the first screen, to the list of sessions on it, and
// from a key to its letter.
func BenchmarkHuge(b *testing.B) {
	sessions := 15_200
	if text := os.Getenv("ASSAY_SESSIONS"); text != "" {
		if _, err := fmt.Sscan(text, &sessions); err != nil {
			b.Fatal(err)
		}
	}
	w := world{builtAssay(b), b.TempDir(), sessions, &bytes.Buffer{}}
	began := time.Now()
	b.ReportMetric(float64(fill(b, w.path("assay.db"), sessions)), "attempts")
	b.ReportMetric(time.Since(began).Seconds(), "s-to-write")
	info, err := os.Stat(w.path("assay.db"))
	fatal.If(b, err)
	b.ReportMetric(float64(info.Size()>>20), "MB")
	study := []string{"report", "--out", w.path("report")}
	for i := range 20 {
		study = append(study, fmt.Sprintf("01HZ%022d", i*sessions/20))
	}
	for name, args := range map[string][]string{"list": {"session", "list"}, "show": {"session", "show", "last"}, "report-of-20": study, "watch": {"study", "watch"}} {
		seconds, memory := w.run(b, args...)
		b.ReportMetric(seconds, "s-"+name)
		b.ReportMetric(memory, "MB-"+name)
	}
	for b.Loop() {
		began := time.Now()
		t := start(b, w.dir, 80, 24, nil, w.bin)
		b.ReportMetric(float64(t.sees("commands", 0).Sub(began).Milliseconds()), "ms-first")
		b.ReportMetric(float64(t.sees("New session", 0).Sub(began).Milliseconds()), "ms-list")
		t.end()
	}
	t := talking(b, w.dir, w.bin, 80, 24, nil, 1000, 20)
	defer t.end()
	ms, lost := t.echo(50)
	b.ReportMetric(quantile(ms, 0.5), "ms-echo-p50")
	b.ReportMetric(quantile(ms, 0.95), "ms-echo-p95")
	b.ReportMetric(float64(lost), "lost")
}
