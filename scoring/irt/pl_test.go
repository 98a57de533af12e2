package irt

import (
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// single draws responses of 0 and 1 from the priors of 2PL; a given slope applies to every item.
func single(random *rand.Rand, respondents, items int, slope float64) (Responses, point) {
	x := newPoint(respondents, items)
	for i := range x.t {
		x.t[i] = random.NormFloat64()
	}
	y := make([][]float64, items)
	for j := range y {
		x.d[j], x.a[j] = 2*random.NormFloat64(), math.Exp(slopeSD*random.NormFloat64())
		if slope > 0 {
			x.a[j] = slope
		}
		for i := range respondents {
			y[j] = append(y[j], drawn(random, 1, x.t[i], x.d[j], x.a[j]))
		}
	}
	return fromItems(y, 0), x
}

// The nodes follow the respondents' posteriors, so that a few of them give the results of a fine grid.
func TestMarginalAgainstGrid(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	r, _ := single(random, 30, 40, 0)
	p := newProblem(r, Binomial, 0)
	m := newMarginal(p, Logistic2)
	objective, _, converged := m.run(emStop)
	if !converged {
		t.Error("EM did not come to rest")
	}
	grid := 0.0
	for i := range p.respondents {
		const step = 0.002
		sum := 0.0
		for x := -8.0; x <= 8; x += step {
			log := -x*x/2 - math.Log(2*math.Pi)/2
			for j := range p.items {
				eta := m.x.a[j] * (x - m.x.d[j])
				s, _ := softplus(eta)
				log -= s - p.y[j*p.respondents+i]*eta
			}
			sum += step * math.Exp(log)
		}
		grid -= math.Log(sum)
	}
	for j, d := range m.x.d {
		off := m.slopes[j] - m.meanSlope
		from := m.x.a[j]*d + m.meanIntercept
		grid += from*from/(2*interceptSD*interceptSD) + off*off/(2*slopeSD*slopeSD)
	}
	grid += m.meanSlope*m.meanSlope/(2*meanSlopeSD*meanSlopeSD) + m.meanIntercept*m.meanIntercept/(2*interceptSD*interceptSD)
	if math.Abs(objective-grid) > 1e-3 {
		t.Errorf("objective %v, by a grid %v", objective, grid)
	}
}

// Both models recover the parameters that the responses were drawn from.
func TestSingleResponses(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct {
		fit   func(Responses) (*Estimates, error)
		model Model
		slope float64
	}{{OnePL, Logistic1, 1.3}, {TwoPL, Logistic2, 0}} {
		r, truth := single(random, 40, 50, c.slope)
		e, err := c.fit(r)
		fatal.If(t, err)
		if e.Model != c.model || !e.Converged {
			t.Errorf("%v: converged %v after %d", e.Model, e.Converged, e.Iterations)
		}
		for _, pair := range [][2][]float64{{e.Ability, truth.t}, {e.Difficulty, truth.d}} {
			if s, err := stats.Spearman(pair[0], pair[1]); err != nil || s.Rho < 0.8 {
				t.Errorf("%v: recovery %v, %v", c.model, s.Rho, err)
			}
		}
	}
}

// An extrapolation never takes items to where no node is: of these responses, of twelve respondents who hardly differ, it once
// reached a discrimination of a million.
func TestExtrapolationsStayNear(t *testing.T) {
	c, random := population{12, 20, 1, 0, 0.1}, rand.New(rand.NewPCG(20261122, 0))
	var r Responses
	for range 561 {
		r, _ = c.single(random, 0)
	}
	e, err := OnePL(r)
	fatal.If(t, err)
	if !e.Converged || !(e.Discrimination[0] < 10) {
		t.Errorf("discrimination %v, converged %v", e.Discrimination[0], e.Converged)
	}
	_, err = e.Draw(1, Short(), 0.95)
	fatal.If(t, err)
}
