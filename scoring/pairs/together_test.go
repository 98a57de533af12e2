package pairs

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// TestLogisticOracle compares the fit without ties, which is a logistic regression, with ppi_py (4b4879a) where it leaves
// judgements out: coefficients and intervals of independent ratings.
func TestLogisticOracle(t *testing.T) {
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	file, err := os.Open(filepath.Join(dir, "oracles", "ppi", "cases.jsonl.gz"))
	if err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	fatal.If(t, err)
	in := bufio.NewScanner(unzipped)
	in.Buffer(nil, 16<<20)
	compared := 0
	for line := 1; in.Scan(); line++ {
		var c struct {
			What     string
			Lam      any
			Human    []float64
			X        [][]float64 `json:"X_labelled"`
			Alpha    float64
			Expected struct{ Estimate, Lower, Upper any }
		}
		fatal.If(t, json.Unmarshal(in.Bytes(), &c))
		if lambda, is := c.Lam.(float64); c.What != "logistic" || !is || lambda != 0 {
			continue
		}
		var list []Judgement
		for i, y := range c.Human {
			list = append(list, Judgement{A: 0, B: 1, Outcome: map[float64]Outcome{1: A, 0: B}[y], Style: c.X[i][1:], Task: i})
		}
		s, err := Fit(2, list, 0.95)
		fatal.If(t, err)
		first, err := s.Difference(0, 1)
		fatal.If(t, err)
		for i, got := range append([]stats.Contrast{first}, s.Effects...) {
			half := stats.NormalQuantile(1-c.Alpha/2) * got.SE
			for what, x := range map[string][2]float64{
				"estimate": {got.Value, c.Expected.Estimate.([]any)[i].(float64)}, "lower": {got.Value - half, c.Expected.Lower.([]any)[i].(float64)},
				"upper": {got.Value + half, c.Expected.Upper.([]any)[i].(float64)},
			} {
				if math.Abs(x[0]-x[1]) > 1e-8*max(1, math.Abs(x[1])) {
					t.Errorf("case %d, coefficient %d: %s is %.12g, want %.12g", line, i, what, x[0], x[1])
				}
			}
		}
		compared++
	}
	fatal.If(t, in.Err())
	if compared == 0 {
		t.Error("there are no logistic regressions without judgements")
	}
}

// sided is a population of comparisons of models of different strength with an effect of the left side.
type sided struct {
	strengths []float64
	side      float64
	quality   float64 // how often the judge says what a person without a preference of a side would say
	bias      float64 // how often else it says A; otherwise B
	scatter   float64 // standard deviation of raters' preference of a side, and of tasks' of the better model
}

func (p sided) draw(r *rand.Rand, task, rater int, byTask, byRater []float64) (Judgement, Shares) {
	a := r.IntN(len(p.strengths))
	b := (a + 1 + r.IntN(len(p.strengths)-1)) % len(p.strengths)
	length := r.NormFloat64()
	s := p.strengths[a] - p.strengths[b] + p.side + 0.3*length
	if s += byTask[task]; p.strengths[a] < p.strengths[b] {
		s -= 2 * byTask[task]
	}
	u := r.Float64()
	say := func(s float64) Outcome {
		x, y, tie := math.Exp(s/2), math.Exp(-s/2), 0.5
		switch u := u * (x + y + tie); {
		case u < x:
			return A
		case u < x+tie:
			return Equal
		}
		return B
	}
	j := Judgement{A: a, B: b, Outcome: say(s + byRater[rater]), Style: []float64{1, length}, Task: task, Rater: rater}
	switch {
	case r.Float64() < p.quality:
		return j, sharesOf(say(s))
	case r.Float64() < p.bias:
		return j, Shares{A: 1}
	}
	return j, Shares{B: 1}
}

// sample draws comparisons that people and the judge judged, and others.
func (p sided) sample(r *rand.Rand, rated, others, tasks, raters int) (list []Judgement, judged []Shares, more []Judgement, moreJudged []Shares) {
	effects := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = p.scatter * r.NormFloat64()
		}
		return list
	}
	byTask, byRater := effects(tasks), effects(raters)
	for i := range rated + others {
		j, s := p.draw(r, i%tasks, i%raters, byTask, byRater)
		if i < rated {
			list, judged = append(list, j), append(judged, s)
		} else {
			more, moreJudged = append(more, j), append(moreJudged, s)
		}
	}
	return list, judged, more, moreJudged
}

// The estimate alone is that of the scale, with its interval; judgements that agree with people's make each estimate
// surer; and what has another shape is refused.
func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 58))
	p := sided{strengths: []float64{0.5, 0, -0.5}, side: 0.2, quality: 0.95, bias: 0.5}
	list, judged, more, moreJudged := p.sample(r, 120, 1500, 60, 6)
	s, err := Fit(3, list, 0.95)
	fatal.If(t, err)
	strengths, effects, err := s.Together(judged, more, moreJudged, 0.95)
	fatal.If(t, err)
	if len(strengths) != 3 || len(effects) != 2 {
		t.Fatalf("%d strengths, %d effects", len(strengths), len(effects))
	}
	sum := 0.0
	for i, both := range append(strengths[:3:3], effects...) {
		want := append(s.Strength[:3:3], s.Effects...)[i]
		interval, err := want.Interval(0.95)
		fatal.If(t, err)
		if got := both.Alone; math.Abs(got.Value-want.Value) > 1e-10 || math.Abs(got.Interval.Low-interval.Low) > 1e-10 || math.Abs(got.Interval.High-interval.High) > 1e-10 || !both.ByRater {
			t.Errorf("coefficient %d: %+v, the scale has %+v, %v", i, got, want, interval)
		}
		if both.Effective < 1.5*float64(both.Rated) {
			t.Errorf("coefficient %d: %v effective of %d", i, both.Effective, both.Rated)
		}
		if i < 3 {
			sum += both.Alone.Value
		}
	}
	if math.Abs(sum) > 1e-10 {
		t.Errorf("the strengths sum to %v", sum)
	}
	if _, _, err := s.Together(judged[:5], more, moreJudged, 0.95); !errors.Is(err, stats.ErrShape) {
		t.Errorf("judgements of fewer comparisons: %v", err)
	}
	if _, _, err := s.Together(judged, more, moreJudged, 1); err == nil {
		t.Error("the confidence 1 was accepted")
	}
}

// Strengths and effects from people's and a judge's judgements, from useless and biased to nearly perfect ones.
func TestCalibrateTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	many, _, _, _ := sided{strengths: []float64{0.4, -0.4}, side: 0.2, scatter: 0.7}.sample(r, 40_000, 0, 4001, 3999)
	limit, err := Fit(2, many, 0.95) // what estimates tend to: raters and tasks scatter
	fatal.If(t, err)
	for _, design := range []struct{ rated, tasks, raters int }{{100, 51, 8}, {200, 61, 12}} {
		for _, judge := range []struct{ quality, bias float64 }{{0, 0.5}, {0.5, 0.9}, {0.95, 0.5}} {
			p := sided{strengths: []float64{0.4, -0.4}, side: 0.2, quality: judge.quality, bias: judge.bias, scatter: 0.7}
			setting := fmt.Sprintf("%d judgements of %d tasks by %d raters, 800 of a judge that agrees in %g %%, else says A in %g %%", design.rated, design.tasks, design.raters, 100*judge.quality, 100*judge.bias)
			for c, name := range []string{"strength", "side"} {
				rate := calibrate.Coverage("PPI++ at tasks and raters, "+name, setting, 60)
				rate.High = 1 // Student's quantile of 7 or 11 degrees of freedom, and the largest of three variances
				wider, n := 0.0, 0.0
				rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
					list, judged, more, moreJudged := p.sample(r, design.rated, 800, design.tasks, design.raters)
					s, err := Fit(2, list, 0.95)
					if err != nil {
						return calibrate.Withheld
					}
					strengths, effects, err := s.Together(judged, more, moreJudged, 0.95)
					if err != nil {
						return calibrate.Withheld
					}
					both, truth := strengths[0], limit.Strength[0].Value
					if c == 1 {
						both, truth = effects[0], limit.Effects[0].Value
					}
					wider, n = wider+(both.Interval.High-both.Interval.Low)/(both.Alone.Interval.High-both.Alone.Interval.Low), n+1
					if both.Interval.Holds(truth) {
						return calibrate.Hit
					}
					return calibrate.Miss
				})
				if wider/n > 1.05 || judge.quality > 0.9 && wider/n > 0.9 {
					t.Errorf("%s, %s: %.3f times as wide as without the judge", name, setting, wider/n)
				}
			}
		}
	}
}
