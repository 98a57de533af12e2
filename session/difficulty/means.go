package difficulty

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"assay/scoring/stats"
)

// Confidence is the confidence level of every interval.
const Confidence = 0.95

// fewest is the number of values needed to bound their mean: with five skewed ones, 95 % intervals cover 92
// % (TestCalibrateMeansOfTasks).
const fewest = 6

// scoreInterval bounds the mean score, from 0 to 1, over tasks like these: Wilson's interval with the
// effective number of tasks, at which scores of 0 and 1 would scatter as much, and with Student's t for z
// (Dean & Pagano, Survey Methodology 41, 2015, for proportions in surveys). For scores of 0 and 1 it is
// Wilson's except for t. It is nil for fewer than six scores, and if all are the same and neither 0 nor 1.
func scoreInterval(scores []float64) *stats.Interval {
	n := float64(len(scores))
	if n < fewest {
		return nil
	}
	mean, sd := stats.Mean(scores), stats.SD(scores)
	effective := n
	switch most := mean * (1 - mean); {
	case sd > 0:
		effective = n * most / (sd * sd * (n - 1) / n)
	case most > 0:
		return nil
	}
	t := stats.TQuantile((1+Confidence)/2, n-1)
	z := t * t / effective
	centre := (mean + z/2) / (1 + z)
	half := math.Sqrt(z*mean*(1-mean)+z*z/4) / (1 + z)
	return &stats.Interval{Low: max(0, centre-half), High: min(1, centre+half)}
}

// meanInterval bounds a mean over tasks like these by Student's t; nil for fewer than six values or equal
// ones.
func meanInterval(values []float64) *stats.Interval {
	n, sd := float64(len(values)), stats.SD(values)
	if n < fewest || !(sd > 1e-9) {
		return nil
	}
	half := stats.TQuantile((1+Confidence)/2, n-1) * sd / math.Sqrt(n)
	mean := stats.Mean(values)
	return &stats.Interval{Low: mean - half, High: mean + half}
}

// MedianInterval bounds a median over tasks like these by two order statistics (exact by the binomial
// distribution; David & Nagaraja, Order Statistics, 3rd ed. 2003, section 7.1). It is nil for fewer than
// six values, of which even the extremes do not reach 95 %.
func MedianInterval(sorted []float64) *stats.Interval {
	n := len(sorted)
	tail, chance, at := 0.0, math.Pow(0.5, float64(n)), -1
	for k := range n {
		if tail += chance; tail > (1-Confidence)/2 {
			break
		}
		at, chance = k, chance*float64(n-k)/float64(k+1)
	}
	if at < 0 {
		return nil
	}
	return &stats.Interval{Low: sorted[at], High: sorted[n-1-at]}
}

// DifferenceInterval bounds the second mean minus the first, over tasks like these, by Welch's t for known
// values; nil if one of them has fewer than six values, or if nothing varies.
func DifferenceInterval(first, second []float64) *stats.Interval {
	n, m := float64(len(first)), float64(len(second))
	if n < fewest || m < fewest {
		return nil
	}
	v, w := stats.SD(first)*stats.SD(first)/n, stats.SD(second)*stats.SD(second)/m
	if !(v+w > 0) {
		return nil
	}
	half := stats.TQuantile((1+Confidence)/2, (v+w)*(v+w)/(v*v/(n-1)+w*w/(m-1))) * math.Sqrt(v+w)
	gap := stats.Mean(second) - stats.Mean(first)
	return &stats.Interval{Low: gap - half, High: gap + half}
}

// drawnDifference bounds the second benchmark's mean parameter minus the first's, over tasks like these,
// from draws of the posterior of one fit to both, by task. Each draw gives the means of these tasks, and
// around them the means of tasks like these are drawn from Student's t (Box & Tiao, Bayesian Inference in
// Statistical Analysis, 1973, section 2.5); so the interval includes the uncertainty of the link between
// the scales. Each draw of the second benchmark's parameters is moved by the error of the link, nil for none. The interval is
// nil if one of them has fewer than six tasks.
func drawnDifference(first, second [][]float64, seed uint64, link *linkError) (*stats.Interval, error) {
	if len(first) < fewest || len(second) < fewest {
		return nil, nil
	}
	random := rand.New(rand.NewPCG(seed, 0x676170))
	mean := func(tasks [][]float64, draw int, by float64) float64 {
		n := float64(len(tasks))
		values := make([]float64, len(tasks))
		for j := range tasks {
			values[j] = tasks[j][draw]
			if by != 0 {
				values[j] = link.moved(values[j], by)
			}
		}
		return stats.Mean(values) + stats.SD(values)/math.Sqrt(n)*distuv.StudentsT{Nu: n - 1, Sigma: 1, Src: random}.Rand()
	}
	gaps := make([]float64, len(first[0]))
	for draw := range gaps {
		by := 0.0
		if link != nil {
			by = link.sd * distuv.StudentsT{Nu: link.freedom, Sigma: 1, Src: random}.Rand()
		}
		gaps[draw] = mean(second, draw, by) - mean(first, draw, 0)
	}
	low, err := stats.Quantile(gaps, (1-Confidence)/2, stats.Linear)
	if err != nil {
		return nil, err
	}
	high, err := stats.Quantile(gaps, (1+Confidence)/2, stats.Linear)
	return &stats.Interval{Low: low, High: high}, err
}
