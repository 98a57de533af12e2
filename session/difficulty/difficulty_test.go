package difficulty

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/scoring/irt"
)

func row(task string, sample int, v verdicts.Verdict, passed, total int) batch.Row {
	return batch.Row{TaskID: task, Sample: sample, Verdict: v, PassedTests: passed, TotalTests: total}
}

func TestFromRuns(t *testing.T) {
	runs := []Run{
		{"m", "level-1", []batch.Row{row("a", 0, verdicts.Accepted, 4, 4), row("a", 1, verdicts.WrongAnswer, 2, 4), row("b", 0, verdicts.SandboxError, 0, 0), row("b", 1, verdicts.Accepted, 1, 1)}},
		{"m", "level-2", []batch.Row{row("a", 0, verdicts.Accepted, 4, 4), row("c", 0, verdicts.NotJudged, 0, 0)}},
		{"n", "level-1", []batch.Row{row("a", 0, verdicts.RuntimeError, 0, 4), row("b", 0, verdicts.WrongAnswer, 1, 2)}},
	}
	for _, tt := range []struct {
		by    By
		score Score
		want  string
	}{
		{ByModel, Correct, "[m n] [a b] [[0.6666666666666666 NaN] [0 0]] [[3 NaN] [1 1]]"},
		{ByModel, PassRatio, "[m n] [a b] [[0.75 NaN] [0 0.25]] []"},
		{ByModel, PassRate, "[m n] [a b] [[0.8333333333333334 NaN] [0 0.5]] []"},
		{ByPrompt, Correct, "[m, level-1 m, level-2 n, level-1] [a b] [[0.5 NaN] [1 NaN] [0 0]] [[2 NaN] [1 NaN] [1 1]]"},
	} {
		r, err := FromRuns(runs, tt.by, tt.score)
		fatal.If(t, err)
		if got := fmt.Sprint(r.Respondents, r.Items, r.Scores, r.Trials); got != tt.want {
			t.Errorf("%s, %s: got %s, want %s", tt.by, tt.score, got, tt.want)
		}
	}
}

func TestReadCSV(t *testing.T) {
	for text, want := range map[string]string{
		"task,respondent,score,n\na,m,0.5,4\na,n,1,2\nb,m,,\nb,n,0,3\n": "[m n] [a b] [[0.5 NaN] [1 0]] [[4 NaN] [2 3]]",
		"score,task,respondent\n0.5,a,m\n1,a,n\n":                       "[m n] [a] [[0.5] [1]] []",
		"Task;m;n\r\na;0,5;1\r\n":                                       "[m n] [a] [[0.5] [1]] []",
		"\ufefftask,m,n\na,0.5,1\nb,,0.25\nc,,\n":                       "[m n] [a b] [[0.5 NaN] [1 0.25]] []",
	} {
		r, err := ReadCSV("f.csv", strings.NewReader(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := fmt.Sprint(r.Respondents, r.Items, r.Scores, r.Trials); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                                      "f.csv is empty: its first line must name the columns task",
		"a,b\n1,2\n":                            "f.csv:1: there is no column task",
		"task,m\na,2\n":                         `f.csv:2: column m: "2" is not a number from 0 to 1`,
		"task,m\na,x\n":                         `f.csv:2: column m: "x" is not a number`,
		"task,m\n,1\n":                          "f.csv:2: column m: the task or the respondent has no name",
		"task,m\na,1,2\n":                       "f.csv",
		"task,respondent,score\na,m,1\na,m,0\n": "f.csv:3: column score: m has a score for the task a already",
		"task,respondent,score,n\na,m,1,0\n":    `f.csv:2: column n: "0" is not a number of at least 1`,
		"task,respondent,score,n\na,m,1,5\na,n,1,\n":     "1 of 2 scores have no n",
		"task,respondent,score\na,m,1\nb,m,NaN\n":        "f.csv:3",
		"task,respondent,score,n\na,m,0.5,4\nb,m,1,+Inf": "f.csv:3",
	} {
		if _, err := ReadCSV("f.csv", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// simulated are responses of a β3 model with known parameters.
func simulated(respondents, items, trials int) (irt.Responses, []float64) {
	random := rand.New(rand.NewPCG(11, 7))
	r := irt.Responses{}
	var hard, slope []float64
	for j := range items {
		r.Items = append(r.Items, fmt.Sprintf("t%d", j))
		hard, slope = append(hard, 0.1+0.8*random.Float64()), append(slope, 0.8+random.Float64())
	}
	slope[3] = -1.2
	hard[3] = 0.3
	for i := range respondents {
		ability := 0.1 + 0.8*float64(i)/float64(respondents-1)
		r.Respondents = append(r.Respondents, fmt.Sprintf("r%d", i))
		var scores, n []float64
		for j := range items {
			p := 1 / (1 + math.Pow(hard[j]/(1-hard[j]), slope[j])*math.Pow(ability/(1-ability), -slope[j]))
			hits := 0
			for range trials {
				if random.Float64() < p {
					hits++
				}
			}
			scores, n = append(scores, float64(hits)/float64(trials)), append(n, float64(trials))
		}
		r.Scores, r.Trials = append(r.Scores, scores), append(r.Trials, n)
	}
	return r, hard
}

func TestAnalyse(t *testing.T) {
	r, hard := simulated(20, 40, 30)
	b := &benchmark.Benchmark{Name: "b"}
	for j := range r.Items {
		words := []string{"bracket nested balanced depth", "prime factor divisor modulo", "vowel letter palindrome word"}[j%3]
		b.Tasks = append(b.Tasks, benchmark.Task{ID: r.Items[j], Title: "Task", Description: fmt.Sprintf("%s %s number%d", words, words, j%5)})
	}
	a, err := Analyse(r, Options{Tasks: b, Topics: true, Subset: 8, Seed: 1})
	fatal.If(t, err)
	inside := 0
	for _, x := range a.Tasks {
		var j int
		fmt.Sscanf(x.ID, "t%d", &j)
		if iv := x.Difficulty.Interval; iv == nil {
			t.Fatalf("%s has no interval", x.ID)
		} else if iv.Low <= hard[j] && hard[j] <= iv.High {
			inside++
		}
		if (x.Kind == Suspect) != (j == 3) {
			t.Errorf("%s is %q: %+v", x.ID, x.Kind, x)
		}
	}
	if inside < 32 {
		t.Errorf("%d of 40 difficulties are within their intervals", inside)
	}
	if !slices.IsSortedFunc(a.Tasks, func(x, y Task) int { return compare(y.Difficulty.Value, x.Difficulty.Value) }) {
		t.Error("the hardest are not first")
	}
	if !slices.IsSortedFunc(a.Respondents, func(x, y Respondent) int { return compare(y.Ability.Value, x.Ability.Value) }) {
		t.Error("the ablest are not first")
	}
	if len(a.Topics) < 3 || len(a.Topics[0].Mean) != 20 {
		t.Errorf("topics: %+v", a.Topics)
	}
	if s := a.Subset; len(s.IDs) != 8 || len(s.ChosenBy) != 20 || s.CrossFit == nil || s.CrossFit.Splits != 8 {
		t.Errorf("the subset is %+v", a.Subset)
	}
	if _, err := json.Marshal(a); err != nil {
		t.Errorf("it is no JSON: %v", err)
	}
}

func TestOtherMethods(t *testing.T) {
	r, _ := simulated(6, 15, 20)
	for _, m := range []Method{MAP, TaskEval} {
		a, err := Analyse(r, Options{Method: m, Subset: 4})
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		if (m == TaskEval) != (a.Tasks[0].Difficulty.Interval == nil) {
			t.Errorf("%s: %+v, %v", m, a.Tasks[0], a.Notes)
		}
		if len(a.Warnings) == 0 || a.Subset.Note == "" {
			t.Errorf("%s: six respondents give no warning: %+v", m, a.Warnings)
		}
	}
	for i := range r.Scores {
		for j := range r.Scores[i] {
			r.Scores[i][j] = math.Round(r.Scores[i][j])
		}
	}
	r.Trials = nil
	for _, m := range []Method{OnePL, TwoPL} {
		if _, err := Analyse(r, Options{Method: m}); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	if _, err := Analyse(r, Options{Method: "3pl"}); err == nil || !strings.Contains(err.Error(), "3pl") {
		t.Errorf("an unknown method: %v", err)
	}
	if _, err := Analyse(irt.Responses{Respondents: []string{"one"}, Items: []string{"a", "b"}, Scores: [][]float64{{0, 1}}}, Options{}); err == nil {
		t.Error("one respondent: no error")
	}
	if _, err := Analyse(r, Options{Topics: true}); err == nil || !strings.Contains(err.Error(), "statements") {
		t.Errorf("topics without tasks: %v", err)
	}
}

// Tasks that nobody or everybody solves do not discriminate, and come last.
func TestConstantTasksAreChosenLast(t *testing.T) {
	r, _ := simulated(9, 12, 20)
	for i := range r.Scores {
		r.Scores[i][0], r.Scores[i][5] = 0, 1
	}
	a, err := Analyse(r, Options{Subset: 11, Seed: 2})
	fatal.If(t, err)
	if at := slices.IndexFunc(a.Subset.IDs, func(id string) bool { return id == "t0" || id == "t5" }); at != 10 {
		t.Errorf("a constant task is number %d of %v", at, a.Subset.IDs)
	}
}

// samplesOf returns programs in which, for one model, the number of conditions rises with difficulty; for
// the other it is constant.
func samplesOf(a *Analysis, wrong map[string]bool) func(func(Code) error) error {
	return func(each func(Code) error) error {
		for _, t := range a.Tasks {
			ifs := int(10 * t.Difficulty.Value)
			for _, c := range []Code{
				{"branchy", t.ID, "def f(x):\n" + strings.Repeat("    if x:\n        x = x + 1\n", ifs) + strings.Repeat("    x = x * 2\n", 20-2*ifs) + "    return x\n", !wrong[t.ID]},
				{"plain", t.ID, "def f(x):\n    return x + 1\n", !wrong[t.ID]},
			} {
				if err := each(c); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func TestConstructs(t *testing.T) {
	r, _ := simulated(10, 30, 30)
	a, err := Analyse(r, Options{Seed: 1})
	fatal.If(t, err)
	b := &benchmark.Benchmark{Name: "b"}
	for j, id := range r.Items {
		task := benchmark.Task{ID: id, Language: "python", Description: "d", Reference: "class Unlike:\n    def __init__(self):\n        raise ValueError('nothing alike', [1, 2, 3])\n"}
		if j == 4 {
			task.Reference = ""
		}
		b.Tasks = append(b.Tasks, task)
	}
	wrong := map[string]bool{"t1": true, "t2": true} // and not like the reference
	c, err := CountConstructs(a, b, samplesOf(a, wrong), Similar())
	fatal.If(t, err)
	if c.Tasks != 27 || c.LeftOut != 2 || c.NoReference != 1 || c.Samples != 54 {
		t.Errorf("%+v", c)
	}
	for _, row := range c.Difficulty {
		if row.Model == "plain" {
			t.Errorf("a construct that is the same everywhere: %+v", row)
		}
		if row.Construct == "If" && (row.Tau < 0.7 || row.P > 0.001 || row.ADP > 0.01 || row.Holm < row.P || row.N != 27) {
			t.Errorf("conditions: %+v", row)
		}
	}
	if !slices.ContainsFunc(c.Difficulty, func(r ConstructRow) bool { return r.Model == "branchy" && r.Construct == "If" }) {
		t.Error("conditions are not there")
	}
	stranger := func(yield func(Code) error) error { return yield(Code{Task: "stranger"}) }
	if _, err := CountConstructs(a, b, stranger, Similar()); err == nil || !strings.Contains(err.Error(), "stranger") {
		t.Errorf("a sample of a task that the benchmark lacks: %v", err)
	}
	for _, t2 := range r.Items {
		wrong[t2] = true
	}
	if _, err := CountConstructs(a, b, samplesOf(a, wrong), Similar()); err == nil || !strings.Contains(err.Error(), "too few") {
		t.Errorf("nothing is similar: %v", err)
	}
	if got := Stars(0.005) + Stars(0.03) + Stars(0.07) + Stars(0.5); got != "******-" {
		t.Errorf("stars: %s", got)
	}
}
