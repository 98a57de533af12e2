package tuitest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/scoring/irt"
	"assay/session/difficulty"
	screen "assay/tui/difficulty"
)

// Themed returns a benchmark of three topics and some tasks of none.
func Themed() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "themes"}
	add := func(id, title, text string) {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: id, Title: title, Description: text, Language: "python"})
	}
	for i := range 5 {
		add(fmt.Sprintf("brackets/%d", i), "Balanced brackets", fmt.Sprintf("Say whether nested brackets and parentheses of a text balance, to the depth %d.", i))
		add(fmt.Sprintf("primes/%d", i), "Prime factors", fmt.Sprintf("Return the prime factors and divisors of an integer, without remainder %d.", i))
		add(fmt.Sprintf("matrix/%d", i), "Rotated matrix", fmt.Sprintf("Rotate the rows and columns of a matrix by %d cells of its diagonal.", i))
	}
	add("clock", "What time is it", "Tell the time.\x1b[2J")
	return b
}

// Scored are responses of ten models to all of its tasks: the abler solve more, but for one
// task that only the worst solve, and one that only the best does not.
func Scored(b *benchmark.Benchmark) irt.Responses {
	r := irt.Responses{}
	random := rand.New(rand.NewPCG(9, 9))
	for i := range b.Tasks {
		r.Items = append(r.Items, b.Tasks[i].ID)
	}
	for who := range 10 {
		r.Respondents = append(r.Respondents, fmt.Sprintf("model-%c", 'a'+who))
		var scores, trials []float64
		for j := range r.Items {
			n := 0
			for range 10 {
				if random.Float64() < 0.05+0.9*float64(who)/9*float64(len(r.Items)-j)/float64(len(r.Items)) {
					n++
				}
			}
			switch {
			case r.Items[j] == "matrix/2" && who < 4:
				n = 6 - who
			case r.Items[j] == "matrix/2":
				n = 0
			case r.Items[j] == "primes/0":
				n = 10 - who/4
			}
			scores, trials = append(scores, float64(n)/10), append(trials, 10)
		}
		r.Scores, r.Trials = append(r.Scores, scores), append(r.Trials, trials)
	}
	return r
}

// Hardness is the analysis that hard shows: the same each time, and a second's work.
var Hardness struct {
	sync.Once
	*difficulty.Analysis
}

// Hard shows the browser over the themes.
func Hard(t *testing.T, change ...func(*screen.Options)) *Driver {
	t.Helper()
	b := Themed()
	topicsPath := filepath.Join(t.TempDir(), "topics.toml")
	g, err := difficulty.FindTopics(t.Context(), b, Scored(b).Items, nil, "")
	fatal.If(t, err)
	for i := range g.Topics {
		g.Topics[i].Tasks = slices.DeleteFunc(g.Topics[i].Tasks, func(id string) bool { return id == "clock" })
	}
	g.Noise.Tasks = []string{"clock"}
	file, err := difficulty.CreateTopicsFile(topicsPath, b, g)
	fatal.If(t, err)
	Hardness.Do(func() {
		Hardness.Analysis, err = difficulty.Analyse(Scored(b), difficulty.Options{Tasks: b, Topics: true, Grouping: &file.Grouping, Subset: 5, Seed: 1})
	})
	fatal.If(t, err)
	a := *Hardness.Analysis
	a.Tasks, a.Topics = slices.Clone(a.Tasks), slices.Clone(a.Topics) // which naming topics changes
	o := screen.Options{Name: "themes", Analysis: &a, Tasks: b, Topics: file}
	o.Answers = func(_ context.Context, task string) ([]screen.Answer, error) {
		if task == "clock" {
			return nil, errors.New("the answers cannot be read: the disk is gone")
		}
		return []screen.Answer{
			{Model: "model-a", Prompt: "level-1", Verdict: "wrong answer", Passed: 2, Total: 7, Text: "Here:\n\n\tdef f():\x1b[31m\n\t\treturn 1\n"},
			{Model: "model-j", Sample: 3, Verdict: "accepted", Accepted: true, Passed: 7, Total: 7, Text: "def f():\n    return 2\n" + strings.Repeat("# more\n", 40)},
		}, nil
	}
	for _, c := range change {
		c(&o)
	}
	d := Drive(t, screen.New(o), 80, 24).Sees("Difficulty · themes")
	if o.Drawn == nil {
		d.Settled()
	}
	return d
}
