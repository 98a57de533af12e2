package pairs

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// priorSD is the standard deviation of strengths before any judgement, in logits.
const priorSD = 2

// Information returns how much one more judgement of models a and b is expected to tell of the strengths, in [a][b]:
// p(1-p) v, where p is the chance that a is better and v the variance of the difference, in the model of Bradley & Terry
// with a normal prior of standard deviation 2 logits (the first order of the gain in Glickman & Jensen, Journal of
// Statistical Planning and Inference 127, 2005). Ties count one half; two answers of one model count for nothing. It is
// at least 0, and 0 for a model with itself. The judgements' models must be below models.
func Information(models int, list []Judgement) [][]float64 {
	strength, inverse := mat.NewVecDense(models, nil), mat.NewDense(models, models, nil)
	for range 50 { // Newton's steps on a strictly concave function
		gradient, information := mat.NewVecDense(models, nil), mat.NewDense(models, models, nil)
		for m := range models {
			gradient.SetVec(m, -strength.AtVec(m)/(priorSD*priorSD))
			information.Set(m, m, 1.0/(priorSD*priorSD))
		}
		for _, j := range list {
			if j.A == j.B {
				continue // two answers of one model
			}
			p := chance(strength, j.A, j.B)
			gradient.SetVec(j.A, gradient.AtVec(j.A)+j.Outcome.Score()-p)
			gradient.SetVec(j.B, gradient.AtVec(j.B)-j.Outcome.Score()+p)
			for _, x := range []int{j.A, j.B} {
				for _, y := range []int{j.A, j.B} {
					sign := 1.0
					if x != y {
						sign = -1
					}
					information.Set(x, y, information.At(x, y)+sign*p*(1-p))
				}
			}
		}
		if err := inverse.Inverse(information); err != nil {
			break // not reached: the prior makes it positive definite
		}
		var step mat.VecDense
		step.MulVec(inverse, gradient)
		strength.AddVec(strength, &step)
		if mat.Norm(&step, math.Inf(1)) < 1e-10 {
			break
		}
	}
	gain := make([][]float64, models)
	for a := range gain {
		gain[a] = make([]float64, models)
		for b := range gain[a] {
			if a != b {
				p := chance(strength, a, b)
				gain[a][b] = p * (1 - p) * (inverse.At(a, a) + inverse.At(b, b) - 2*inverse.At(a, b))
			}
		}
	}
	return gain
}

// chance returns the probability that model a is better than b.
func chance(strength *mat.VecDense, a, b int) float64 {
	return 1 / (1 + math.Exp(strength.AtVec(b)-strength.AtVec(a)))
}
