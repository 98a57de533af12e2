package pairs

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"assay/scoring/stats"
)

// Scale is the fit of Davidson's model (JASA 65, 1970): for models of the strengths θ, ties ν, and covariates x of A minus B
// with effects γ,
//
//	s = θ_A - θ_B + γx,  P(A) : P(B) : P(tie) = exp(s/2) : exp(-s/2) : ν
//
// Without ties it is the model of Bradley & Terry (Biometrika 39, 1952). A difference of 1 in θ is a factor e in the
// odds of being better.
type Scale struct {
	Strength []stats.Contrast // of each model, minus the mean of all; logits
	Tie      float64          // ν; 0 if there are no ties
	Effects  []stats.Contrast // of the covariates, in order; logits for one unit
	LogLik   float64
	Ranks    []Rank

	fit    *fit
	parts  [][]float64 // of each judgement: its part of each strength's error
	ways   [][][]int
	signs  []float64
	models int
}

// Rank is the rank of a model with the interval of ranks that the data leave, at the confidence for all models together.
type Rank struct{ Rank, Low, High int }

// ErrUnordered reports that no strengths are estimable: some models only win, or only lose, against all others, or are
// not compared with them.
var ErrUnordered = errors.New("some models only win, or only lose, against the others, or are not compared with them: the scale has no finite estimate")

// Fit fits the model by maximum likelihood. Errors of all estimates are a sandwich at clusters (Huber 1967; clusters as
// in [ByRater]). Ranks are those of all pairs of models that differ at the level 1-confidence after Holm's
// correction, so that the chance of even one false claim is bounded. The error wraps ErrUnordered (Ford, American
// Mathematical Monthly 64, 1957), stats.ErrTooFew, or stats.ErrNoVariation if covariates are collinear.
func Fit(models int, list []Judgement, confidence float64) (*Scale, error) {
	if err := check(models, list); err != nil {
		return nil, err
	}
	if !(confidence > 0 && confidence < 1) {
		return nil, fmt.Errorf("confidence %v: it must lie between 0 and 1, for example 0.95", confidence)
	}
	if models < 2 || len(list) == 0 || len(list) <= models+len(list[0].Style) {
		return nil, fmt.Errorf("a scale of %d models from %d judgements: %w", models, len(list), stats.ErrTooFew)
	}
	if !connected(models, list) {
		return nil, ErrUnordered
	}
	f := fit{models: models, list: list, effects: len(list[0].Style)}
	for _, j := range list {
		f.ties = f.ties || j.Outcome.Score() == 0.5
	}
	if err := f.maximise(); err != nil {
		return nil, err
	}
	return f.scale(confidence)
}

// connected reports whether from each model every other one can be reached by wins and ties.
func connected(models int, list []Judgement) bool {
	for _, forward := range []bool{true, false} {
		reached := make([]bool, models)
		reached[0] = true
		for again := true; again; {
			again = false
			for _, j := range list {
				winner, loser := j.A, j.B
				if j.Outcome == B {
					winner, loser = loser, winner
				}
				if !forward {
					winner, loser = loser, winner
				}
				tie := j.Outcome.Score() == 0.5
				if reached[winner] && !reached[loser] || tie && reached[loser] && !reached[winner] {
					reached[winner], reached[loser], again = true, true, true
				}
			}
		}
		for _, r := range reached {
			if !r {
				return false
			}
		}
	}
	return true
}

// fit holds the parameters: strengths of all models but the last, whose is 0, effects, and log ν if there are ties.
type fit struct {
	models, effects int
	list            []Judgement
	ties            bool

	beta    []float64
	logLik  float64
	inverse *mat.Dense  // of the information
	scores  [][]float64 // of each judgement
}

// design returns the coefficients of s in a judgement.
func (f *fit) design(j Judgement) []float64 {
	x := make([]float64, f.models-1+f.effects)
	if j.A < f.models-1 {
		x[j.A]++
	}
	if j.B < f.models-1 {
		x[j.B]--
	}
	copy(x[f.models-1:], j.Style)
	return x
}

// at computes likelihood, scores and information at the parameters.
func (f *fit) at(beta []float64) (logLik float64, scores [][]float64, information *mat.SymDense) {
	n := f.models - 1 + f.effects
	information = mat.NewSymDense(len(beta), nil)
	for _, j := range f.list {
		x := f.design(j)
		s, tie, top, a, b, t := f.chances(x, beta)
		sum := math.Exp(s/2-top) + math.Exp(-s/2-top) + math.Exp(tie-top)
		switch j.Outcome {
		case A:
			logLik += s/2 - top - math.Log(sum)
		case B:
			logLik += -s/2 - top - math.Log(sum)
		default:
			logLik += tie - top - math.Log(sum)
		}
		ss, st := (a+b-(a-b)*(a-b))/4, -(a-b)*t/2
		for i, v := range x {
			for k := i; k < n; k++ {
				information.SetSym(i, k, information.At(i, k)+v*x[k]*ss)
			}
			if f.ties {
				information.SetSym(i, n, information.At(i, n)+v*st)
			}
		}
		if f.ties {
			information.SetSym(n, n, information.At(n, n)+t*(1-t))
		}
		scores = append(scores, f.score(j, sharesOf(j.Outcome), beta))
	}
	return logLik, scores, information
}

// chances returns s, log ν (-∞ without ties), the larger one of |s|/2 and log ν, and the probabilities of A, B and a tie.
func (f *fit) chances(x, beta []float64) (s, tie, top, a, b, t float64) {
	for i, v := range x {
		s += v * beta[i]
	}
	tie = math.Inf(-1)
	if f.ties {
		tie = beta[len(x)]
	}
	top = max(math.Abs(s)/2, tie)
	a, b, t = math.Exp(s/2-top), math.Exp(-s/2-top), math.Exp(tie-top)
	sum := a + b + t
	return s, tie, top, a / sum, b / sum, t / sum
}

// score returns the derivative of the likelihood of a comparison by the parameters, given the shares of its outcomes.
func (f *fit) score(j Judgement, outcomes Shares, beta []float64) []float64 {
	x, score := f.design(j), make([]float64, len(beta))
	_, _, _, a, b, t := f.chances(x, beta)
	for i, v := range x {
		score[i] = v * ((outcomes.A - a) - (outcomes.B - b)) / 2
	}
	if f.ties {
		score[len(x)] = 1 - outcomes.A - outcomes.B - t
	}
	return score
}

// maximise takes Newton's steps on the concave likelihood, halved where it does not rise.
func (f *fit) maximise() error {
	const most = 200
	n := f.models - 1 + f.effects
	if f.ties {
		n++
	}
	f.beta = make([]float64, n)
	logLik, scores, information := f.at(f.beta)
	last := math.Inf(1)
	for range most {
		gradient := mat.NewVecDense(n, nil)
		for _, score := range scores {
			gradient.AddVec(gradient, mat.NewVecDense(n, score))
		}
		var step mat.VecDense
		if err := step.SolveVec(information, gradient); err != nil {
			return fmt.Errorf("the covariates are collinear, or tell who wins: %w", stats.ErrNoVariation)
		}
		size, next := 1.0, make([]float64, n)
		for {
			for i := range next {
				next[i] = f.beta[i] + size*step.AtVec(i)
			}
			l, s, h := f.at(next)
			if l >= logLik-1e-12*math.Abs(logLik) || size < 1e-6 { // the tolerance is for rounding
				f.beta, logLik, scores, information = next, l, s, h
				break
			}
			size /= 2
		}
		moved := mat.Norm(&step, math.Inf(1))
		if moved < 1e-9*(1+mat.Norm(mat.NewVecDense(n, f.beta), math.Inf(1))) && (moved >= last || moved == 0) { // what is left is rounding
			f.logLik, f.scores, f.inverse = logLik, scores, mat.NewDense(n, n, nil)
			if err := f.inverse.Inverse(information); err != nil {
				break
			}
			return nil
		}
		last = moved
	}
	return fmt.Errorf("the covariates are collinear, or tell who wins: %w", stats.ErrNoVariation)
}

// step returns the inverse of the information times a score, as strengths of all models minus their mean, and as effects.
func (f *fit) step(score []float64) (strengths, effects []float64) {
	v := make([]float64, len(score))
	for p := range v {
		for k, s := range score {
			v[p] += f.inverse.At(p, k) * s
		}
	}
	return f.centred(v)
}

// centred returns the strengths of all models minus their mean, and the effects.
func (f *fit) centred(parameters []float64) (strengths, effects []float64) {
	mean := 0.0
	for _, v := range parameters[:f.models-1] {
		mean += v / float64(f.models)
	}
	strengths = append(slices.Clone(parameters[:f.models-1]), 0)
	for m := range strengths {
		strengths[m] -= mean
	}
	return strengths, parameters[f.models-1 : f.models-1+f.effects]
}

func (f *fit) scale(confidence float64) (*Scale, error) {
	s := &Scale{LogLik: f.logLik, models: f.models, fit: f}
	if f.ties {
		s.Tie = math.Exp(f.beta[len(f.beta)-1])
	}
	s.ways, s.signs = clusterings(f.list)
	strengths, effects := f.centred(f.beta)
	parts := make([][]float64, f.models+f.effects) // by coefficient and judgement
	for _, score := range f.scores {
		a, b := f.step(score)
		for c, v := range slices.Concat(a, b) {
			parts[c] = append(parts[c], v)
		}
	}
	s.parts = parts[:f.models]
	for c, v := range slices.Concat(strengths, effects) {
		estimate, err := contrast(v, parts[c], s.ways, s.signs)
		if err != nil {
			return nil, err
		}
		if c < f.models {
			s.Strength = append(s.Strength, estimate)
		} else {
			s.Effects = append(s.Effects, estimate)
		}
	}
	var err error
	s.Ranks, err = s.ranks(1 - confidence)
	return s, err
}

// Difference returns the strength of model a minus that of model b.
func (s *Scale) Difference(a, b int) (stats.Contrast, error) {
	parts := make([]float64, len(s.parts[a]))
	for i := range parts {
		parts[i] = s.parts[a][i] - s.parts[b][i]
	}
	return contrast(s.Strength[a].Value-s.Strength[b].Value, parts, s.ways, s.signs)
}

// ranks counts for each model those that are better, and those that are worse, than it (Mogstad et al., Review of Economic
// Studies 91, 2024, with Holm's step-down in place of the bootstrap).
func (s *Scale) ranks(level float64) ([]Rank, error) {
	type pair struct{ better, worse int }
	var tested []pair
	var ps []float64
	ranks := make([]Rank, s.models)
	for a := range s.models {
		ranks[a] = Rank{1, 1, s.models}
		for b := range s.models {
			if s.Strength[b].Value > s.Strength[a].Value {
				ranks[a].Rank++
			}
			if a < b {
				d, err := s.Difference(a, b)
				if err != nil {
					return nil, err
				}
				p := 1.0
				if d.SE > 0 {
					if p, err = d.P(); err != nil {
						return nil, err
					}
				}
				if tested, ps = append(tested, pair{a, b}), append(ps, p); d.Value < 0 {
					tested[len(tested)-1] = pair{b, a}
				}
			}
		}
	}
	adjusted, err := stats.Holm(ps)
	if err != nil {
		return nil, err
	}
	for i, p := range adjusted {
		if p < level {
			ranks[tested[i].worse].Low++
			ranks[tested[i].better].High--
		}
	}
	return ranks, nil
}
