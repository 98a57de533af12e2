package pairs

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-8*max(1, math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// TestDavidson: values of R's glm and of BradleyTerry2; testdata/davidson.R says how they were made.
func TestDavidson(t *testing.T) {
	var want struct {
		A, B, Outcome, Task        []int
		Len, Strength, SE, Effects []float64
		Tie                        float64
		EffectSE                   []float64 `json:"effect_se"`
		Plain                      []float64 `json:"plain_strength"`
		PlainSE                    []float64 `json:"plain_se"`
		NoTies                     []float64 `json:"no_ties"`
	}
	fatal.If(t, json.Unmarshal(fatal.Read(t, "testdata/davidson.json"), &want))
	var list, plain, decided []Judgement
	for i := range want.A {
		j := Judgement{A: want.A[i] - 1, B: want.B[i] - 1, Outcome: []Outcome{A, B, Equal}[want.Outcome[i]-1], Task: want.Task[i]}
		plain = append(plain, j)
		if j.Outcome != Equal {
			decided = append(decided, j)
		}
		j.Style = []float64{1, want.Len[i]}
		list = append(list, j)
	}
	compare := func(name string, list []Judgement, strength, se []float64) *Scale {
		s, err := Fit(5, list, 0.95)
		fatal.If(t, err)
		for m, v := range strength {
			near(t, name+": strength", s.Strength[m].Value, v)
			if se != nil {
				near(t, name+": standard error", s.Strength[m].SE, se[m])
			}
		}
		return s
	}
	s := compare("with covariates", list, want.Strength, want.SE)
	near(t, "ν", s.Tie, want.Tie)
	for e := range want.Effects {
		near(t, "effect", s.Effects[e].Value, want.Effects[e])
		near(t, "its standard error", s.Effects[e].SE, want.EffectSE[e])
	}
	compare("without", plain, want.Plain, want.PlainSE)
	if compare("without ties", decided, want.NoTies, nil).Tie != 0 {
		t.Error("ties where there are none")
	}
}

// draw draws judgements of models of given strengths by raters of tasks, each of which favours some models.
func draw(r *rand.Rand, strength []float64, n, tasks, raters int) []Judgement {
	spread := []float64{0.4, 0.4}
	if raters == 1 {
		spread[1] = 0
	}
	favours, tastes := make([][]float64, tasks), make([][]float64, raters)
	for k, list := range [][][]float64{favours, tastes} {
		for i := range list {
			for range strength {
				list[i] = append(list[i], spread[k]*r.NormFloat64())
			}
		}
	}
	var list []Judgement
	for i := range n {
		j := Judgement{A: r.IntN(len(strength)), Task: i % tasks, Rater: (i + i/tasks) % raters}
		j.B = (j.A + 1 + r.IntN(len(strength)-1)) % len(strength)
		total := func(m int) float64 { return strength[m] + favours[j.Task][m] + tastes[j.Rater][m] }
		s := total(j.A) - total(j.B)
		a, b, tie := math.Exp(s/2), math.Exp(-s/2), 0.5
		switch u := r.Float64() * (a + b + tie); {
		case u < a:
			j.Outcome = A
		case u < a+b:
			j.Outcome = B
		default:
			j.Outcome = Equal
		}
		list = append(list, j)
	}
	return list
}

// TestProperties: sides, the order of judgements and the names of models do not matter.
func TestProperties(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		list := draw(r, []float64{0.5, 0, -0.5}, 120, 20, 6)
		s, err := Fit(3, list, 0.95)
		fatal.If(t, err)
		other := slices.Clone(list)
		for i, j := range other {
			other[i].A, other[i].B = 2-j.A, 2-j.B
			if r.IntN(2) == 0 {
				other[i].A, other[i].B, other[i].Outcome = other[i].B, other[i].A, j.Outcome.Swapped()
			}
		}
		r.Shuffle(len(other), func(a, b int) { other[a], other[b] = other[b], other[a] })
		o, err := Fit(3, other, 0.95)
		fatal.If(t, err)
		sum := 0.0
		for m := range 3 {
			near(t, "strength", o.Strength[2-m].Value, s.Strength[m].Value)
			near(t, "error", o.Strength[2-m].SE, s.Strength[m].SE)
			if o.Ranks[2-m] != s.Ranks[m] {
				t.Errorf("ranks are %v and %v", o.Ranks[2-m], s.Ranks[m])
			}
			sum += s.Strength[m].Value
			a, err := WinRate(list, m, -1, 0.95)
			fatal.If(t, err)
			b, err := WinRate(other, 2-m, -1, 0.95)
			fatal.If(t, err)
			near(t, "win rate", b.Rate, a.Rate)
			if a.Judgements != a.Wins+a.Losses+a.Ties+a.Neither || !a.Interval.Holds(a.Rate) {
				t.Errorf("%+v", a)
			}
		}
		near(t, "sum of strengths", sum, 0)
	}
}

func TestTriads(t *testing.T) {
	circle := []Judgement{{A: 0, B: 1, Outcome: A}, {A: 1, B: 2, Outcome: A}, {A: 0, B: 2, Outcome: B}}
	line := []Judgement{{A: 0, B: 1, Outcome: A, Task: 1}, {A: 2, B: 1, Outcome: B, Task: 1}, {A: 0, B: 2, Outcome: A, Task: 1}}
	tie := []Judgement{{A: 0, B: 1, Outcome: A, Task: 2}, {A: 1, B: 2, Outcome: Equal, Task: 2}, {A: 0, B: 2, Outcome: B, Task: 2}}
	if got := CountTriads(slices.Concat(circle, line, tie)); got != (Triads{2, 1}) {
		t.Errorf("%+v", got)
	}
}

func TestNoScale(t *testing.T) {
	wins := func(n int, a, b int) (list []Judgement) {
		for i := range n {
			list = append(list, Judgement{A: a, B: b, Outcome: A, Task: i})
		}
		return list
	}
	mixed := slices.Concat(wins(5, 0, 1), wins(5, 1, 0))
	style := slices.Clone(mixed)
	for i, j := range style { // the longer answer always wins
		style[i].Style = []float64{float64(i+1) * (j.Outcome.Score() - 0.25)}
	}
	for name, c := range map[string]struct {
		models int
		list   []Judgement
		want   error
	}{
		"none": {2, nil, stats.ErrTooFew}, "only wins": {2, wins(9, 0, 1), ErrUnordered}, "not compared": {4, slices.Concat(mixed, wins(5, 2, 3), wins(5, 3, 2)), ErrUnordered},
		"covariate tells": {2, style, stats.ErrNoVariation}, "no model": {2, slices.Concat(mixed, wins(1, 2, 0)), stats.ErrShape}, "itself": {2, slices.Concat(mixed, wins(1, 1, 1)), stats.ErrShape},
	} {
		if _, err := Fit(c.models, c.list, 0.95); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Fit(2, append(mixed, Judgement{A: 0, B: 1, Outcome: "x"}), 0.95); err == nil {
		t.Error("an unknown outcome is accepted")
	}
}

// TestJudgementsNeeded: without ties and clusters the number is that of a one-sample test of a proportion (Fleiss, Statistical
// Methods for Rates and Proportions, section 2.3), and simulated power is as planned.
func TestJudgementsNeeded(t *testing.T) {
	p := Plan{WinRate: 0.6, PerTask: 1, Alpha: 0.05, Power: 0.8}
	n, err := p.Judgements()
	fatal.If(t, err)
	if n != 194 {
		t.Errorf("%d judgements, want 194", n)
	}
	p.Ties, p.PerTask, p.Alike = 0.3, 4, 0.1
	fewer, err := p.Judgements()
	fatal.If(t, err)
	r, found, times := rand.New(rand.NewPCG(5, 5)), 0, 2000
	for range times {
		sum, squares := 0.0, 0.0
		for range (fewer + 3) / 4 * 10 / 13 { // tasks of 4 judgements with the design effect 1.3 are as many independent ones
			for range 4 {
				score := 0.5
				if u := r.Float64(); u < 0.45 {
					score = 1
				} else if u < 0.7 {
					score = 0
				}
				sum, squares = sum+score-0.5, squares+(score-0.5)*(score-0.5)
			}
		}
		if math.Abs(sum)/math.Sqrt(squares) > 1.959964 {
			found++
		}
	}
	if power := float64(found) / float64(times); power < 0.77 || power > 0.83 {
		t.Errorf("the power of %d judgements is %v", fewer, power)
	}
	for _, bad := range []Plan{{}, {WinRate: 0.5, PerTask: 1, Alpha: 0.05, Power: 0.8}, {WinRate: 0.9, Ties: 0.5, PerTask: 1, Alpha: 0.05, Power: 0.8},
		{WinRate: 0.6, PerTask: 0, Alpha: 0.05, Power: 0.8}, {WinRate: 0.6, PerTask: 1, Alike: 1, Alpha: 0.05, Power: 0.8}, {WinRate: 0.6, PerTask: 1, Alpha: 0, Power: 0.8}} {
		if _, err := bad.Judgements(); err == nil {
			t.Errorf("%+v has no error", bad)
		}
	}
}

// Claims about six equal models, and differences of two that are not.
func TestCalibratePairs(t *testing.T) {
	for _, size := range []struct{ n, tasks, raters int }{{300, 60, 3}, {600, 100, 8}} {
		setting := map[int]string{3: "300 judgements of 60 tasks by 3 raters", 8: "600 judgements of 100 tasks by 8 raters"}[size.raters]
		false1 := calibrate.Rate{What: "Bradley-Terry with ties, any claim about six equal models", Setting: setting, Nominal: 0.05, High: 0.05, Few: 40}
		equal := make([]float64, 6)
		false1.Check(t, func(r *rand.Rand) calibrate.Outcome {
			s, err := Fit(6, drawFor(r, equal, size.n, size.tasks, size.raters), 0.95)
			if err != nil {
				return calibrate.Withheld
			}
			for _, rank := range s.Ranks {
				if rank.Low > 1 || rank.High < 6 {
					return calibrate.Hit
				}
			}
			return calibrate.Miss
		})
		rate := calibrate.Coverage("Win rate of two equal models", setting, 60)
		rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
			w, err := WinRate(drawFor(r, equal[:2], size.n/5, size.tasks, size.raters), 0, 1, 0.95)
			if err != nil || w.Interval == nil {
				return calibrate.Withheld
			}
			if w.Interval.Holds(0.5) {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}

// drawFor draws judgements by raters without tastes of their own where they are too few to be clusters: numbers then speak of
// these raters only.
func drawFor(r *rand.Rand, strength []float64, n, tasks, raters int) []Judgement {
	if raters >= leastRaters {
		return draw(r, strength, n, tasks, raters)
	}
	list := draw(r, strength, n, tasks, 1)
	for i := range list {
		list[i].Rater = (i + i/tasks) % raters
	}
	return list
}

// TestBootstrap: errors of strengths are those of drawing whole tasks with replacement.
func TestBootstrap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	list := draw(r, []float64{0.6, 0, -0.3, -0.3}, 600, 60, 1)
	s, err := Fit(4, list, 0.95)
	fatal.If(t, err)
	tasks := make([][]Judgement, 60)
	for _, j := range list {
		tasks[j.Task] = append(tasks[j.Task], j)
	}
	drawn := make([][]float64, 4)
	for range 300 {
		var again []Judgement
		for i := range tasks {
			for _, j := range tasks[r.IntN(len(tasks))] {
				j.Task = i
				again = append(again, j)
			}
		}
		b, err := Fit(4, again, 0.95)
		fatal.If(t, err)
		for m := range drawn {
			drawn[m] = append(drawn[m], b.Strength[m].Value)
		}
	}
	for m := range drawn {
		if ratio := stats.SD(drawn[m]) / s.Strength[m].SE; ratio < 0.85 || ratio > 1.15 { // the Monte Carlo error is 4 %
			t.Errorf("model %d: bootstrap error %.2f of the sandwich's", m, ratio)
		}
	}
}

// TestHowMuch: the mean of signed steps, with ties as 0, whichever side the model is at.
func TestHowMuch(t *testing.T) {
	var list []Judgement
	for task := range 8 {
		list = append(list, Judgement{A: 0, B: 1, Outcome: A, Much: 3, Task: task}, Judgement{A: 1, B: 0, Outcome: A, Much: 1, Task: task},
			Judgement{A: 0, B: 1, Outcome: Equal, Task: task}, Judgement{A: 0, B: 1, Outcome: B, Task: task}) // the last one does not say how much
	}
	for model, want := range []float64{2.0 / 3, -2.0 / 3} {
		g, err := HowMuch(list, model, -1, 0.95)
		if err != nil || math.Abs(g.Mean-want) > 1e-12 || g.Judgements != 24 || g.Interval == nil || g.Interval.Low < -3 || g.Interval.High > 3 {
			t.Errorf("model %d: %+v, %v; want %v", model, g, err, want)
		}
	}
	if g, err := HowMuch(list[:0], 0, 1, 0.95); err != nil || g.Judgements != 0 {
		t.Errorf("%+v, %v", g, err)
	}
	if err := check(2, []Judgement{{A: 0, B: 1, Outcome: A, Much: 4}}); err == nil {
		t.Error("4 steps")
	}
}
