package tuitest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session/estimate"
	screen "assay/tui/estimate"
)

// Guessed are tasks that are estimated: of the first and the third one people will agree.
func Guessed() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Version: 1, Name: "starter"}
	for _, t := range [][2]string{
		{"double", "Return twice the number."},
		{"snake", "Move the snake by one step. It grows where it eats, and it dies where it leaves the board or meets itself."},
		{"median", "Return the median of the numbers. Of an even number of them it is the mean of the two in the middle."},
		{"hex", "Return the number in hexadecimal notation, with capital letters and without leading zeros."},
	} {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: t[0], Title: strings.ToUpper(t[0][:1]) + t[0][1:], Language: "python", EntryPoint: t[0], Description: t[1]})
	}
	return b
}

// Round makes the file of a first round; the first task has two phrasings, the second one that
// is long.
func Round(t testing.TB) string {
	t.Helper()
	b := Guessed()
	var tasks []*benchmark.Task
	for i := range b.Tasks {
		tasks = append(tasks, &b.Tasks[i])
	}
	h, err := estimate.First(b, tasks, estimate.Setup{Estimators: 5, Threshold: 0.6, Rounds: 2, Minutes: estimate.DefaultMinutes()})
	fatal.If(t, err)
	h.Items[0].Phrasings = append(h.Items[0].Phrasings, estimate.Phrasing{Name: "context-1.1", Text: "Given a number, answer with the number added to itself."})
	h.Items[1].Phrasings[0].Text += strings.Repeat("\n- A board has rows and columns.", 40)
	return RoundFile(t, h)
}

// ExplainedRound is the same round with assay's worked examples.
func ExplainedRound(t testing.TB) string {
	t.Helper()
	r, err := estimate.Open(Round(t))
	fatal.If(t, err)
	r.Header.Examples, err = estimate.OwnExamples(r.Header.Minutes)
	fatal.If(t, err)
	return RoundFile(t, r.Header)
}

// RoundFile writes the file of a round.
func RoundFile(t testing.TB, h estimate.Header) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), fmt.Sprintf("round%d.jsonl", h.Round))
	fatal.If(t, estimate.Create(path, h))
	return path
}

// Estimator opens a round's file on the screen. The clock moves by two seconds at each look.
func Estimator(t testing.TB, path, name string) *Driver {
	t.Helper()
	f, err := estimate.Change(path)
	fatal.If(t, err)
	t.Cleanup(func() { _ = f.Close() })
	looks := 0
	now := func() time.Time {
		looks++
		return Noon().Add(time.Duration(looks) * 2 * time.Second)
	}
	d := Drive(t, screen.New(screen.Options{File: f, Estimator: name, Now: now}), 80, 24).Sees("Estimate · starter")
	d.Settled()
	return d
}

// Fill fills in the form of the task that is shown, and keeps it.
func Fill(d *Driver, summary string, time, difficulty int, reason string) *Driver {
	d.T.Helper()
	d.Press("enter", summary, "enter", fmt.Sprint(time), fmt.Sprint(difficulty), "enter", reason).Sees(reason)
	return d.Press("ctrl+s")
}

// Guessers is how five people estimate the four tasks: of two they agree.
var Guessers = []struct {
	Name  string
	times [4]int // keys
}{
	{"ann", [4]int{1, 1, 3, 6}}, {"bob", [4]int{1, 6, 3, 6}}, {"cleo", [4]int{2, 6, 4, 1}}, {"dora", [4]int{1, 1, 3, 1}}, {"emil", [4]int{2, 6, 4, 6}},
}

// FirstRound lets the five estimate on the screen, and returns the file.
func FirstRound(t testing.TB) string {
	t.Helper()
	path := Round(t)
	for _, who := range Guessers {
		f, err := estimate.Change(path)
		fatal.If(t, err)
		d := Drive(t, screen.New(screen.Options{File: f, Estimator: who.Name, Now: Noon}), 80, 24).Sees("Estimate · starter")
		for i, task := range Guessed().Tasks {
			d.Sees(fmt.Sprintf("%d of 4", i+1), task.Title)
			Fill(d, "it is "+task.ID, who.times[i], 1+(who.times[i]-1)*4/5, fmt.Sprintf("because %d minutes seem right for %s", who.times[i]*10, task.ID))
			d.Sees(fmt.Sprintf("%d of 4 kept", i+1))
		}
		d.Sees("All are estimated").Press("h").Sees("Hand in 4 of 4").Press("y").Sees("✓ handed in", "4 of 4 tasks").Press("q").Ends()
		fatal.If(t, f.Close())
	}
	return path
}

// Guesses reads files of estimates as one.
func Guesses(t testing.TB, paths ...string) *estimate.Study {
	t.Helper()
	var rounds []*estimate.Round
	for _, path := range paths {
		r, err := estimate.Open(path)
		fatal.If(t, err)
		rounds = append(rounds, r)
	}
	s, err := estimate.Combine(rounds...)
	fatal.If(t, err)
	return s
}

// SecondRound makes the file of the round after.
func SecondRound(t testing.TB, first string) string {
	t.Helper()
	h, err := Guesses(t, first).Next()
	fatal.If(t, err)
	return RoundFile(t, h)
}
