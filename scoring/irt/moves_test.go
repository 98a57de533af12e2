package irt

import (
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/stats"
)

// fromPrior is a chain whose population, abilities and items are drawn from their priors.
func fromPrior(model Model, random *rand.Rand) *chain {
	c := &chain{model: model, p: &problem{}, random: random, widthPlace: 0.8, widthScale: 0.8}
	slope := 0.0
	if model == Beta3 {
		c.mean, c.logSD = logit(random.Float64()), math.Log(spreadScale*math.Abs(random.NormFloat64()))
	} else {
		c.meanSlope, c.meanIntercept = meanSlopeSD*random.NormFloat64(), interceptSD*random.NormFloat64()
		slope = math.Exp(meanSlopeSD * random.NormFloat64()) // that of 1PL
	}
	for range 3 {
		c.x.t = append(c.x.t, c.mean+math.Exp(c.logSD)*random.NormFloat64())
	}
	for j := range 5 {
		d, a := c.fromPrior(j, slope)
		c.x.d, c.x.a = append(c.x.d, d), append(c.x.a, a)
	}
	return c
}

// Moves that do not affect the likelihood leave draws from the prior as they are: each quantity has the
// same distribution afterwards (Geweke, JASA 99, 2004).
func TestMovesKeepThePrior(t *testing.T) {
	quantities := map[string]func(*chain) float64{
		"mean ability": func(c *chain) float64 { return math.Tanh(c.mean) },
		"spread":       func(c *chain) float64 { return math.Tanh(c.logSD) },
		"mean discrimination": func(c *chain) float64 {
			if c.model != Logistic2 {
				return 0 // there is none
			}
			return math.Abs(math.Tanh(c.meanSlope / meanSlopeSD))
		},
		"an ability":       func(c *chain) float64 { return math.Abs(math.Tanh(c.x.t[0])) },
		"a difficulty":     func(c *chain) float64 { return math.Abs(math.Tanh(c.x.d[0])) },
		"a discrimination": func(c *chain) float64 { return math.Tanh(math.Log(math.Abs(c.x.a[0])) / meanSlopeSD) },
		"its size":         func(c *chain) float64 { return math.Abs(math.Tanh(math.Log(math.Abs(c.x.a[0])) / meanSlopeSD)) },
	}
	for _, model := range []Model{Beta3, Logistic1, Logistic2} {
		random := rand.New(rand.NewPCG(31, uint64(model)))
		changes := map[string][]float64{}
		for range 20_000 {
			c := fromPrior(model, random)
			before := map[string]float64{}
			for name, of := range quantities {
				before[name] = of(c)
			}
			for range 8 {
				c.moveScale(0)
				c.movePlace(0)
			}
			for name, of := range quantities {
				changes[name] = append(changes[name], of(c)-before[name])
			}
		}
		for name, list := range changes {
			if z := stats.Mean(list) / (stats.SD(list) / math.Sqrt(float64(len(list)))); math.Abs(z) > 4 {
				t.Errorf("%s: %s changes by %.4f, %.1f standard errors", model, name, stats.Mean(list), z)
			}
		}
	}
}
