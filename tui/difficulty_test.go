package tui_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/scoring/irt"
	"assay/session/difficulty"
	screen "assay/tui/difficulty"
)

func init() { screens = append(screens, difficultyScreens...) }

// themed is a benchmark of three topics and some tasks of none.
func themed() *benchmark.Benchmark {
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

// scored are responses of ten models to all of its tasks: the abler solve more, but for one
// task that only the worst solve, and one that only the best does not.
func scored(b *benchmark.Benchmark) irt.Responses {
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

// hardness is the analysis that hard shows: the same each time, and a second's work.
var hardness struct {
	sync.Once
	*difficulty.Analysis
}

// hard shows the browser over the themes.
func hard(t *testing.T, change ...func(*screen.Options)) *driver {
	t.Helper()
	b := themed()
	topicsPath := filepath.Join(t.TempDir(), "topics.toml")
	g, err := difficulty.FindTopics(t.Context(), b, scored(b).Items, nil, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.Topics {
		g.Topics[i].Tasks = slices.DeleteFunc(g.Topics[i].Tasks, func(id string) bool { return id == "clock" })
	}
	g.Noise.Tasks = []string{"clock"}
	file, err := difficulty.CreateTopicsFile(topicsPath, b, g)
	if err != nil {
		t.Fatal(err)
	}
	hardness.Do(func() {
		hardness.Analysis, err = difficulty.Analyse(scored(b), difficulty.Options{Tasks: b, Topics: true, Grouping: &file.Grouping, Subset: 5, Seed: 1})
	})
	if err != nil {
		t.Fatal(err)
	}
	a := *hardness.Analysis
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
	d := drive(t, screen.New(o), 80, 24).sees("Difficulty · themes")
	if o.Drawn == nil {
		d.settled()
	}
	return d
}

// difficultyScreens are those of the browser of difficulty.
var difficultyScreens = []goldenScreen{
	{"difficulty", func(t *testing.T) *driver { return hard(t).sees("16 tasks") }},
	{"difficulty-suspect", func(t *testing.T) *driver { return hard(t).press("s", "enter").sees("matrix/2", "may be wrong") }},
	{"difficulty-curve", func(t *testing.T) *driver { return hard(t).press("down", "2").sees("Score expected by ability") }},
	{"difficulty-respondents", func(t *testing.T) *driver { return hard(t).press("s", "3").sees("model-j", "± partly") }},
	{"difficulty-answers", func(t *testing.T) *driver { return hard(t).press("s", "4").sees("answer 1 of 2", "return 1") }},
	{"difficulty-answers-trouble", func(t *testing.T) *driver { return hard(t).press("/", "clock", "enter", "4").sees("the disk is gone") }},
	{"difficulty-filter", func(t *testing.T) *driver { return hard(t).press("/", "kind:").sees("write kind:suspect") }},
	{"difficulty-nothing", func(t *testing.T) *driver {
		return hard(t).press("/", "score>0.99", "enter").sees("No task matches")
	}},
	{"difficulty-topics", func(t *testing.T) *driver { return hard(t).press("t").sees("no topic", "r rename") }},
	{"difficulty-topic", func(t *testing.T) *driver { return hard(t).press("t", "enter").sees("the topic", "5 of 16") }},
	{"difficulty-rename", func(t *testing.T) *driver { return hard(t).press("t", "r").sees("enter rename").press("!").sees("!") }},
	{"difficulty-merge", func(t *testing.T) *driver {
		return hard(t).press("t", "m", "down").sees("into the topic that is chosen")
	}},
	{"difficulty-merged", func(t *testing.T) *driver {
		d := hard(t).press("t", "m", "down", "enter").sees("is part of", "2 topics", "u undo")
		d.settled()
		return d
	}},
	{"difficulty-bare", func(t *testing.T) *driver {
		return hard(t, func(o *screen.Options) { o.Tasks, o.Answers, o.Topics = nil, nil, nil }).press("enter").sees("Statements are not at hand")
	}},
}

// tasks are the ids of the tasks on the screen, in their order.
func (d *driver) tasks() (ids []string) {
	for _, line := range strings.Split(d.screen(), "\n")[4:] {
		for _, word := range strings.Fields(line) {
			if strings.Contains(word, "/") && len(word) > 2 || word == "clock" {
				ids = append(ids, word)
				break
			}
		}
	}
	return ids
}

func TestDifficultyOrders(t *testing.T) {
	d := hard(t)
	first := d.tasks()
	if len(first) != 16 {
		t.Fatalf("%d tasks are listed: %v", len(first), first)
	}
	d.press("o").sees("easiest first")
	for i, id := range d.tasks()[1:] { // ties keep their order, so that the list is not simply turned
		if id == first[0] && i < 12 {
			t.Errorf("the hardest is number %d of the easiest", i)
		}
	}
	d.press("o").sees("least discriminating first")
	if got := d.tasks()[0]; got != "matrix/2" {
		t.Errorf("the task that only the worst solve is not the first but %s", got)
	}
	d.press("o", "o", "o").sees("by name")
	if got := d.tasks(); got[0] != "brackets/0" || got[5] != "clock" {
		t.Errorf("by name: %v", got)
	}
	if d.press("o").sees("hardest first"); strings.Join(d.tasks(), " ") != strings.Join(first, " ") {
		t.Errorf("the order is another one: %v", d.tasks())
	}
}

func TestDifficultyFilter(t *testing.T) {
	for filter, want := range map[string]string{
		"kind:suspect": "matrix/2", "primes/4": "primes/4", "topic:none": "clock", "WHAT time": "clock", "discrimination<0 kind:suspect": "matrix/2",
		"topic:bracket /3": "brackets/3",
	} {
		d := hard(t).press("/").press(filter, "enter").sees("1 of 16 tasks")
		if got := d.tasks(); len(got) != 1 || got[0] != want {
			t.Errorf("%s lists %v", filter, got)
		}
		if d.press("/", "esc").sees("16 tasks"); len(d.tasks()) != 16 {
			t.Errorf("%s is not cleared", filter)
		}
	}
	for filter, want := range map[string]string{"kind:x": "write kind:suspect", "subset:x": "write subset:yes", "size>1": "cannot be compared", "difficulty>x": "no number"} {
		if d := hard(t).press("/").press(filter).sees(want); len(d.tasks()) != 16 {
			t.Errorf("%s lists %v", filter, d.tasks())
		}
	}
	// What was chosen stays so where the filter leaves it, whatever was typed on the way.
	hard(t).press("/", "kind", "enter").sees("No task matches").press("/", "esc").sees("▸ matrix/4").press("down", "down", "/", "primes/4 ", "enter").sees("▸ primes/4").press("/", "esc").sees("▸ primes/4", "16 tasks")
	hard(t).press("/", "subset:yes", "enter").sees("5 of 16 tasks").press("enter").sees("of the subset of 5")
}

// Names and topics that are put together are in the file at once, and undone there.
func TestTopicsOnTheScreen(t *testing.T) {
	topicsPath := ""
	d := hard(t, func(o *screen.Options) { topicsPath = o.Topics.Path })
	before, err := os.ReadFile(topicsPath)
	if err != nil {
		t.Fatal(err)
	}
	d.press("t").sees("3 topics").press("r").sees("enter rename")
	for range 60 {
		d.press("backspace")
	}
	d.press("Pairs that match", "enter").sees("is now “Pairs that match”", "▸ Pairs that match")
	if text, _ := os.ReadFile(topicsPath); !strings.Contains(string(text), `name = "Pairs that match"`) {
		t.Errorf("the file has\n%s", text)
	}
	d.press("r").sees("enter rename")
	for range 60 {
		d.press("backspace")
	}
	d.press("enter").sees("a topic needs a name")
	d.press("m", "enter").sees("choose another topic").press("esc", "m", "down", "down", "down", "enter").sees("tasks of no topic").press("up", "enter").sees("2 topics", "is part of")
	if text, _ := os.ReadFile(topicsPath); strings.Count(string(text), "\n[[topic]]") != 2 || strings.Contains(string(text), "Pairs") {
		t.Errorf("the file has\n%s", text)
	}
	d.press("u").sees("3 topics", "Pairs that match").press("u").sees("the last change is undone")
	if text, _ := os.ReadFile(topicsPath); string(text) != string(before) {
		t.Errorf("undone, the file has\n%s", text)
	}
	if d.press("u").sees("nothing was changed here"); strings.Contains(d.screen(), "Pairs") {
		t.Error("the name is still there")
	}
	// Who else writes the file is not overwritten.
	if err := os.WriteFile(topicsPath, append(before, "# mine\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	d.press("m", "down", "enter").sees("changed meanwhile")
	if text, _ := os.ReadFile(topicsPath); !strings.HasSuffix(string(text), "# mine\n") {
		t.Error("the other's line is gone")
	}
}

// What cannot be done says why.
func TestDifficultyRefusals(t *testing.T) {
	d := hard(t, func(o *screen.Options) { o.Answers, o.Topics = nil, nil })
	d.press("n").sees("the answers are not at hand").press("t", "r").sees("topics are kept in no file").press("m").sees("--topics-file").press("u").sees("no file")
	hard(t).press("n").sees("4 shows them").press("t", "down", "down", "down", "r").sees("belong to no topic")
	a, err := difficulty.Analyse(scored(themed()), difficulty.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	bare := drive(t, screen.New(screen.Options{Name: "bare", Analysis: a}), 60, 20).sees("Difficulty")
	bare.press("t").sees("--topics finds them").press("enter", "4").sees("The answers are not at hand").press("1").sees("--tasks FILE").press("esc", "esc").ends()
	d = hard(t).press("s", "4").sees("answer 1 of 2").press("n").sees("answer 2 of 2", "accepted, 7 of 7").press("n").sees("answer 1 of 2").press("N").sees("answer 2 of 2")
	d.press("left").sees("task 15 of 16").press("esc", "/", "kind:noise", "enter", "s").sees("leave")
}

// The screen is there before the intervals that take long, which come without moving
// anything, and leave topics as they were changed meanwhile.
func TestIntervalsComeLate(t *testing.T) {
	var quick, full *difficulty.Analysis
	come := make(chan error)
	d := func() *driver {
		return hard(t, func(o *screen.Options) {
			full = o.Analysis
			var err error
			if quick, err = difficulty.Analyse(scored(themed()), difficulty.Options{Tasks: themed(), Topics: true, Grouping: &o.Topics.Grouping, Quick: true, Subset: 5, Seed: 1}); err != nil {
				t.Fatal(err)
			}
			if quick.Fit.Intervals == full.Fit.Intervals {
				t.Fatalf("both are by %s", full.Fit.Intervals)
			}
			o.Analysis = quick
			o.Drawn = func() (*difficulty.Analysis, error) {
				if err := <-come; err != nil {
					return nil, err
				}
				return full, nil
			}
		})
	}
	first := d().press("down", "down", "enter").sees("… intervals", "task 3 of 16")
	before := first.screen()
	first.press("esc", "t", "m", "down", "enter").sees("2 topics").press("t", "enter").sees("task 3 of 16")
	come <- nil
	first.until("other intervals", func(s string) bool { return !strings.Contains(s, "… intervals") }).sees("task 3 of 16")
	if strings.Split(first.screen(), "\n")[3] == strings.Split(before, "\n")[3] {
		t.Errorf("the intervals are the same:\n%s", before)
	}
	first.press("esc", "t").sees("2 topics")
	second := d()
	come <- errors.New("they cannot be drawn")
	second.sees("they cannot be drawn")
}

// A task's topic's tasks are listed, and one goes back to the topics.
func TestTasksOfATopic(t *testing.T) {
	d := hard(t).press("t", "end", "enter").sees("tasks of no topic", "1 of 16")
	d.press("esc").sees("3 topics").press("t").sees("16 tasks").press("esc").ends()
}

// The screen is there at once for thousands of tasks, and a key costs a frame at most.
func BenchmarkDifficultyScreen(b *testing.B) {
	r := irt.Responses{}
	random := rand.New(rand.NewPCG(1, 1))
	for j := range 2000 {
		r.Items = append(r.Items, fmt.Sprintf("task/%d", j))
	}
	for i := range 50 {
		r.Respondents = append(r.Respondents, fmt.Sprintf("model-%d", i))
		var scores []float64
		for j := range r.Items {
			score := 0.0
			if random.Float64() < float64(i+1)/51*float64(j+1)/2001*1.6 {
				score = 1
			}
			scores = append(scores, score)
		}
		r.Scores = append(r.Scores, scores)
	}
	a, err := difficulty.Analyse(r, difficulty.Options{Method: difficulty.MAP, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	d := drive(b, screen.New(screen.Options{Name: "many", Analysis: a}), 120, 40).sees("2000 tasks")
	for b.Loop() {
		d.press("o", "down", "pgdown")
		_ = d.screen()
	}
}
