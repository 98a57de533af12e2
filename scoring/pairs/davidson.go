package pairs

import (
	"errors"
	"fmt"
	"math"

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
		x, s, tie := f.design(j), 0.0, math.Inf(-1)
		for i, v := range x {
			s += v * beta[i]
		}
		if f.ties {
			tie = beta[n]
		}
		top := max(math.Abs(s)/2, tie)
		a, b, t := math.Exp(s/2-top), math.Exp(-s/2-top), math.Exp(tie-top)
		sum := a + b + t
		a, b, t = a/sum, b/sum, t/sum
		first, second := -(a-b)/2, -t // of s and log ν
		switch j.Outcome {
		case A:
			first, logLik = first+0.5, logLik+s/2-top-math.Log(sum)
		case B:
			first, logLik = first-0.5, logLik-s/2-top-math.Log(sum)
		default:
			second, logLik = second+1, logLik+tie-top-math.Log(sum)
		}
		score := make([]float64, len(beta))
		ss, st := (a+b-(a-b)*(a-b))/4, -(a-b)*t/2
		for i, v := range x {
			score[i] = v * first
			for k := i; k < n; k++ {
				information.SetSym(i, k, information.At(i, k)+v*x[k]*ss)
			}
			if f.ties {
				information.SetSym(i, n, information.At(i, n)+v*st)
			}
		}
		if f.ties {
			score[n] = second
			information.SetSym(n, n, information.At(n, n)+t*(1-t))
		}
		scores = append(scores, score)
	}
	return logLik, scores, information
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

func (f *fit) scale(confidence float64) (*Scale, error) {
	s := &Scale{LogLik: f.logLik, models: f.models, parts: make([][]float64, f.models)}
	if f.ties {
		s.Tie = math.Exp(f.beta[len(f.beta)-1])
	}
	s.ways, s.signs = clusterings(f.list)
	mean := 0.0
	for _, v := range f.beta[:f.models-1] {
		mean += v / float64(f.models)
	}
	raw := make([][]float64, len(f.beta)) // parts of the parameters, by judgement
	for p := range raw {
		raw[p] = make([]float64, len(f.list))
		for i, score := range f.scores {
			for k, v := range score {
				raw[p][i] += f.inverse.At(p, k) * v
			}
		}
	}
	for m := range f.models {
		value := -mean
		s.parts[m] = make([]float64, len(f.list))
		for i := range f.list {
			for k := range f.models - 1 {
				s.parts[m][i] -= raw[k][i] / float64(f.models)
			}
			if m < f.models-1 {
				s.parts[m][i] += raw[m][i]
			}
		}
		if m < f.models-1 {
			value += f.beta[m]
		}
		c, err := contrast(value, s.parts[m], s.ways, s.signs)
		if err != nil {
			return nil, err
		}
		s.Strength = append(s.Strength, c)
	}
	for e := range f.effects {
		c, err := contrast(f.beta[f.models-1+e], raw[f.models-1+e], s.ways, s.signs)
		if err != nil {
			return nil, err
		}
		s.Effects = append(s.Effects, c)
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
