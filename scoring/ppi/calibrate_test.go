package ppi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/calibrate"
)

// population is of items with what people would say and what a judge says, in clusters such as tasks.
type population struct {
	rated, judged int
	clusters      int     // 0: each item is its own
	quality       float64 // correlation of judge and people before rounding; 0 is useless, 1 perfect
	bias          float64 // of the judge
	cut           func(float64) float64
	scale         Scale
}

func binary(x float64) float64 {
	if x > 0.3 {
		return 1
	}
	return 0
}

// better is 1 if one side is clearly better, 0 if the other is, and 1/2 for a tie.
func better(x float64) float64 {
	switch {
	case x > 0.3:
		return 1
	case x < -0.3:
		return 0
	}
	return 0.5
}

func likert(x float64) float64 { return min(5, max(1, math.Round(3.4+1.2*x))) }

func (p population) draw(r *rand.Rand) []Rated {
	effects := make([]float64, max(1, p.clusters))
	for i := range effects {
		effects[i] = r.NormFloat64()
	}
	items := make([]Rated, p.rated+p.judged)
	for i := range items {
		x := r.NormFloat64()
		items[i].Cluster = i
		if p.clusters > 0 {
			items[i].Cluster = i % p.clusters
			x = math.Sqrt(0.8)*x + math.Sqrt(0.2)*effects[items[i].Cluster]
		}
		items[i].Human, items[i].Judged = p.cut(x), p.cut(p.quality*x+math.Sqrt(1-p.quality*p.quality)*r.NormFloat64()+p.bias)
		if i >= p.rated {
			items[i].Human = math.NaN()
		}
	}
	return items
}

// truth is the mean of a million ratings.
func (p population) truth() float64 {
	r, sum := rand.New(rand.NewPCG(1, 1)), 0.0
	const many = 1_000_000
	for range many {
		sum += p.cut(r.NormFloat64())
	}
	return sum / many
}

// The intervals that reports print, from 10 to 200 ratings with judges from useless to perfect, and biased ones.
func TestCalibrateMeans(t *testing.T) {
	scales := []population{{cut: binary, scale: Scale{0, 1}}, {cut: likert, scale: Scale{1, 5}}}
	for i, name := range []string{"proportion", "mean of 1 to 5"} {
		for _, design := range []struct{ rated, clusters int }{{10, 0}, {40, 0}, {200, 0}, {60, 10}, {100, 20}} {
			for _, judge := range []struct{ quality, bias float64 }{{0, 0}, {0.5, 0.5}, {0.9, -0.3}, {1, 0}} {
				p := scales[i]
				p.rated, p.judged, p.clusters, p.quality, p.bias = design.rated, 600, design.clusters, judge.quality, judge.bias
				truth := p.truth()
				setting := fmt.Sprintf("%d ratings, 600 judgements, %d clusters, judge's correlation %g, bias %g", p.rated, p.clusters, p.quality, p.bias)
				rate := calibrate.Coverage("PPI++ at clusters, "+name, setting, 25)
				if p.rated <= 60 {
					rate.High = 1 // few ratings cannot show that a judge never errs, nor near the ends of a scale how they vary
				}
				wider, n := 0.0, 0.0
				rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
					e, err := Clustered(p.draw(r), p.scale, 0.95)
					if err != nil {
						return calibrate.Withheld
					}
					wider, n = wider+(e.Interval.High-e.Interval.Low)/(e.Alone.Interval.High-e.Alone.Interval.Low), n+1
					if e.Interval.Holds(truth) {
						return calibrate.Hit
					}
					return calibrate.Miss
				})
				if wider/n > 1.05 {
					t.Errorf("%s, %s: %.3f times as wide as without the judge", name, setting, wider/n)
				}
			}
		}
	}
}

// Differences of two models that answered the same tasks.
func TestCalibrateDifferences(t *testing.T) {
	for _, design := range []struct{ rated, clusters int }{{20, 10}, {60, 20}, {200, 50}} {
		for _, quality := range []float64{0, 0.7} {
			p := population{rated: design.rated, judged: 600, clusters: design.clusters, quality: quality, cut: binary}
			setting := fmt.Sprintf("%d ratings of each, 600 judgements, %d clusters, judge's correlation %g", p.rated, p.clusters, quality)
			rate := calibrate.Coverage("PPI++ at clusters, difference of proportions", setting, 60)
			rate.High = 0.98
			rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
				e, err := Difference(p.draw(r), p.draw(r), 0.95)
				if err != nil {
					return calibrate.Withheld
				}
				if e.Interval.Holds(0) {
					return calibrate.Hit
				}
				return calibrate.Miss
			})
		}
	}
}

// Win rates, of which each judgement of a person counts: raters have tastes, tasks have effects, and ties count one half.
func TestCalibrateWinRates(t *testing.T) {
	for _, design := range []struct{ pairs, raters, tasks int }{{40, 5, 20}, {60, 10, 30}, {120, 20, 40}} {
		for _, quality := range []float64{0, 0.8} {
			setting := fmt.Sprintf("%d pairs of %d tasks rated by 2 of %d raters, 400 judgements, judge's correlation %g", design.pairs, design.tasks, design.raters, quality)
			rate := calibrate.Coverage("PPI++ at tasks and raters, win rate", setting, 40)
			if design.raters < 10 {
				rate.High = 1 // Student's quantile of four degrees of freedom
			}
			wider, n := 0.0, 0.0
			rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
				tastes, tasks := make([]float64, design.raters), make([]float64, design.tasks)
				for _, effects := range [][]float64{tastes, tasks} {
					for i := range effects {
						effects[i] = 0.4 * r.NormFloat64()
					}
				}
				var rows []Rated
				for i := range design.pairs + 400 {
					x := r.NormFloat64() + tasks[i%design.tasks]
					row := Rated{Human: math.NaN(), Judged: better(quality*x + math.Sqrt(1-quality*quality)*r.NormFloat64() + 0.3), Cluster: i % design.tasks}
					if i >= design.pairs {
						rows = append(rows, row)
						continue
					}
					for k := range 2 {
						row.Rater = (i*2 + k) % design.raters
						row.Human = better(x + tastes[row.Rater] + 0.5*r.NormFloat64())
						rows = append(rows, row)
					}
				}
				e, err := Clustered(rows, Scale{0, 1}, 0.95)
				if err != nil || !e.ByRater {
					return calibrate.Withheld
				}
				wider, n = wider+(e.Interval.High-e.Interval.Low)/(e.Alone.Interval.High-e.Alone.Interval.Low), n+1
				if e.Interval.Holds(0.5) {
					return calibrate.Hit
				}
				return calibrate.Miss
			})
			if wider/n > 1.05 {
				t.Errorf("%s: %.3f times as wide as without the judge", setting, wider/n)
			}
		}
	}
}
