package irt

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Constants of TaskEval's use of birt-gd.
const (
	faithfulClip   = 0.001
	faithfulFrozen = 3_000 // epochs in which discriminations are held fixed
	faithfulEpochs = 20_000
	faithfulStop   = 1e-7
	faithfulRate   = 1.0
	kerasEpsilon   = 1e-7 // probabilities keep this distance from 0 and 1
	mostCorrelated = 0.9999
	faithfulStart  = "TaskEval"
)

// Faithful is TaskEval's procedure (Tambon et al. 2025, section 4.4) as its code runs it, on the library
// birt-gd (Ferreira-Junior et al. 2023): gradient descent on the binary cross-entropy
//
//	-1/N Σ yᵢⱼ log pᵢⱼ + (1-yᵢⱼ) log(1-pᵢⱼ)
//
// over the logits of abilities and difficulties and over discriminations, with rate 1 and no priors. Scores
// are clipped to [0.001, 0.999]. Abilities start at the respondents' means, difficulties at 1 minus the
// items' means, discriminations at the inverse hyperbolic tangent of the Pearson correlation between the
// item's scores and the respondents' means (0 for a constant item). Discriminations are held fixed for
// 3,000 epochs; the descent ends when the loss changes by less than 1e-7, after 20,000 epochs at most.
//
// The paper's prose differs in two initial values: difficulties at the items' means, and discriminations at
// the correlation itself. Its published parameters come from the code.
//
// Correlations are kept within ±0.9999, whereas the original gets infinite discriminations (two respondents
// always correlate perfectly). Like the original it computes in 32 bits: the loss then moves in steps of
// 3e-8, and its rounding, not its slope, decides which of some thousand epochs is the last (in 64 bits
// TaskEval's own responses take 3,000 epochs more, and predictions differ from the published ones by up to
// 0.024).
//
// The result depends on where the descent stopped, and nothing identifies the location, scale and direction
// of the abilities: use Faithful to reproduce published numbers, and Fit otherwise. It has no intervals.
// Objective is the loss. Missing cells are an error, since the procedure does not support them; other
// errors are those of Responses.Check.
func Faithful(r Responses) (*Estimates, error) {
	const statistic = "TaskEval's procedure"
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", statistic, err)
	}
	r.Trials = nil
	for i, row := range r.Scores {
		for j, y := range row {
			if math.IsNaN(y) {
				return nil, fmt.Errorf("%s: the score of %q on %q is missing, which it does not know: %w", statistic, r.Respondents[i], r.Items[j], stats.ErrTooFew)
			}
		}
	}
	p := newProblem(r, Binomial, faithfulClip)
	s := p.faithfulPlace()
	loss, epochs, converged := s.run()
	x := point{widen(s.t), widen(s.d), widen(s.a)}
	e := newEstimates(r, p, x)
	e.Method = "TaskEval's gradient descent"
	e.Clip, e.Objective, e.Start, e.Starts, e.Iterations, e.Converged = faithfulClip, float64(loss), faithfulStart, 1, epochs, converged
	return e.finish(float64(len(x.t) + 2*len(x.d)))
}

// descent32 is the state of the descent, in 32 bits like the original's. Every product is rounded before it
// is added, which rules out fused multiply-add.
type descent32 struct {
	respondents int
	y           []float32 // item by item
	t, d, a     []float32
	gt, gd, ga  []float32
}

// faithfulPlace returns the initial values of TaskEval's code.
func (p *problem) faithfulPlace() *descent32 {
	s := &descent32{
		respondents: p.respondents, y: narrow(p.y), t: make([]float32, p.respondents), d: make([]float32, p.items), a: make([]float32, p.items),
		gt: make([]float32, p.respondents), gd: make([]float32, p.items), ga: make([]float32, p.items),
	}
	means := make([]float64, p.respondents)
	for i := range means {
		for at := i; at < len(p.y); at += p.respondents {
			means[i] += p.y[at]
		}
		means[i] /= float64(p.items)
		s.t[i] = float32(logit(means[i]))
	}
	for j := range s.d {
		row := p.y[j*p.respondents : (j+1)*p.respondents]
		s.d[j] = float32(logit(1 - stats.Mean(row)))
		r := correlation(means, row)
		s.a[j] = float32(math.Atanh(min(mostCorrelated, max(-mostCorrelated, r))))
	}
	return s
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

func widen(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// correlation is Pearson's, 0 if one side is constant.
func correlation(x, y []float64) float64 {
	mx, my := stats.Mean(x), stats.Mean(y)
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	if !(xx > 1e-30 && yy > 1e-30) {
		return 0
	}
	return xy / math.Sqrt(xx) / math.Sqrt(yy)
}

// run runs the epochs.
func (s *descent32) run() (loss float32, epochs int, converged bool) {
	for epochs < faithfulEpochs {
		before := loss
		loss = s.loss()
		if math.Abs(float64(before-loss)) < faithfulStop {
			return loss, epochs, true
		}
		for i, g := range s.gt {
			s.t[i] -= float32(faithfulRate * g)
		}
		for j, g := range s.gd {
			s.d[j] -= float32(faithfulRate * g)
			if epochs >= faithfulFrozen {
				s.a[j] -= float32(faithfulRate * s.ga[j])
			}
		}
		epochs++
	}
	return loss, epochs, false
}

// loss returns the mean over items of the mean over respondents, with its gradient. Where Keras clips a
// probability, the gradient is 0.
func (s *descent32) loss() float32 {
	clear(s.gt)
	size, rest := float32(len(s.y)), float32(0)
	var lanes [16]float32 // parallel sums, in the order of vector instructions
	whole := len(s.d) / len(lanes) * len(lanes)
	for j, d := range s.d {
		a, slope, place, sum := s.a[j], float32(0), float32(0), float32(0)
		row := s.y[j*s.respondents : (j+1)*s.respondents]
		for i, y := range row {
			gap := s.t[i] - d
			eta := float32(a * gap)
			p := float32(logistic(float64(eta)))
			cut := min(1-kerasEpsilon, max(kerasEpsilon, p))
			hit := float32(math.Log(float64(cut + kerasEpsilon)))
			miss := float32(math.Log(float64(1 - cut + kerasEpsilon)))
			sum -= float32(y*hit) + float32((1-y)*miss)
			if cut != p {
				continue
			}
			e := (p - y) / size
			s.gt[i] += float32(e * a)
			place -= float32(e * a)
			slope += float32(e * gap)
		}
		s.gd[j], s.ga[j] = place, slope
		if mean := sum / float32(s.respondents); j < whole {
			lanes[j%len(lanes)] += mean
		} else {
			rest += mean
		}
	}
	for n := len(lanes) / 2; n > 0; n /= 2 {
		for k := range n {
			lanes[k] += lanes[k+n]
		}
	}
	return (lanes[0] + rest) / float32(len(s.d))
}
