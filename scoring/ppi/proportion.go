package ppi

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Method is a way to estimate a proportion from ratings and judgements that are 0 or 1.
type Method string

// The estimators of Chen et al. (arXiv 2601.05420), as their program computes them.
const (
	RoganGladen Method = "Rogan-Gladen"   // corrected by the judge's sensitivity and specificity
	Joint       Method = "joint estimate" // by maximum likelihood of ratings and judgements together
)

// Proportion estimates the share of ones among all ratings that people would give. The interval is the normal one of
// the logit, inside [0, 1]. The error wraps stats.ErrNoVariation where the method is undefined: the judge said
// the same of every rated item, or is no better than chance.
func Proportion(s Sample, method Method, confidence float64) (Estimate, error) {
	if err := s.check(); err != nil {
		return Estimate{}, err
	}
	if err := checkConfidence(confidence); err != nil {
		return Estimate{}, err
	}
	for _, list := range [][]float64{s.Human, s.Judged, s.Others} {
		for i, v := range list {
			if v != 0 && v != 1 {
				return Estimate{}, fmt.Errorf("a proportion is of zeros and ones, but value %d is %v", i, v)
			}
		}
	}
	c := s.counts()
	var e Estimate
	var err error
	switch method {
	case Joint:
		if float64(c.n11)*float64(c.n00) <= float64(c.n10)*float64(c.n01) { // sensitivity + specificity ≤ 1
			return Estimate{}, errChance
		}
		total := float64(c.n11 + c.n10 + c.n01 + c.n00 + c.t0 + c.t1)
		e, err = c.postStratified(float64(c.n11+c.n01+c.t1)/total, total)
	case RoganGladen:
		e, err = c.roganGladen(stats.NormalQuantile((1 + confidence) / 2))
	default:
		return Estimate{}, fmt.Errorf("there is no estimator of proportions %q", method)
	}
	if err != nil {
		return Estimate{}, err
	}
	e.Interval = Logit(e.Value, e.SE, confidence)
	e.Value = min(max(e.Value, 0), 1)
	return checked(e, e.Value, e.SE)
}

// counts are the cells of ratings and judgements: n10 items were rated 1 by people and 0 by the judge.
type counts struct{ n11, n10, n01, n00, t1, t0 int }

func (s Sample) counts() counts {
	var c counts
	for i, y := range s.Human {
		switch f := s.Judged[i]; {
		case y == 1 && f == 1:
			c.n11++
		case y == 1:
			c.n10++
		case f == 1:
			c.n01++
		default:
			c.n00++
		}
	}
	for _, f := range s.Others {
		if f == 1 {
			c.t1++
		} else {
			c.t0++
		}
	}
	return c
}

// postStratified weights people's proportions μ of the items judged 0 and 1 by the share p of ones among n
// judgements. With p over all judgements it is the joint maximum likelihood estimate of prevalence,
// sensitivity and specificity: the likelihood is a product of three binomials in p, μ0 and μ1.
func (c counts) postStratified(p, n float64) (Estimate, error) {
	m1, m0 := float64(c.n11+c.n01), float64(c.n10+c.n00)
	if m1 == 0 || m0 == 0 {
		return Estimate{}, fmt.Errorf("the judge said the same of all rated items: %w", stats.ErrNoVariation)
	}
	mu1, mu0 := float64(c.n11)/m1, float64(c.n10)/m0
	variance := (mu1-mu0)*(mu1-mu0)*p*(1-p)/n + (1-p)*(1-p)*mu0*(1-mu0)/m0 + p*p*mu1*(1-mu1)/m1
	return Estimate{Value: (1-p)*mu0 + p*mu1, SE: math.Sqrt(variance), Lambda: mu1 - mu0}, nil
}

var errChance = fmt.Errorf("the judge is no better than chance on the rated items: %w", stats.ErrNoVariation)

// leastJ is the least sum of sensitivity and specificity above 1 that a correction can divide by.
const leastJ = 1e-4

// roganGladen corrects the judge's share of ones p by its specificity q0 and sensitivity q1 among rated items, each with
// pseudo-counts (Lang & Reiczigel, Preventive Veterinary Medicine 113, 2014): θ = (p + q0 - 1) / (q0 + q1 - 1).
func (c counts) roganGladen(z float64) (Estimate, error) {
	m1, m0, n := float64(c.n11+c.n10), float64(c.n01+c.n00), float64(c.t1+c.t0)
	if m1 == 0 || m0 == 0 {
		return Estimate{}, fmt.Errorf("people gave all rated items the same: %w", stats.ErrNoVariation)
	}
	p := (float64(c.t1) + z*z/2) / (n + z*z)
	q0, q1 := (float64(c.n00)+1)/(m0+2), (float64(c.n11)+1)/(m1+2)
	j := q0 + q1 - 1
	if math.Abs(j) < leastJ {
		return Estimate{}, errChance
	}
	theta := min(max((p+q0-1)/j, 0), 1)
	variance := (p*(1-p)/(n+z*z) + (1-theta)*(1-theta)*q0*(1-q0)/(m0+2) + theta*theta*q1*(1-q1)/(m1+2)) / (j * j)
	return Estimate{Value: theta, SE: math.Sqrt(variance), Lambda: 1 / j}, nil
}

// Logit is the interval of a proportion that is normal for its logit, with values kept 10⁻⁶ away from 0 and 1.
func Logit(value, se, confidence float64) stats.Interval {
	p := min(max(value, 1e-6), 1-1e-6)
	centre, half := math.Log(p/(1-p)), stats.NormalQuantile((1+confidence)/2)*se/(p*(1-p))
	return stats.Interval{Low: 1 / (1 + math.Exp(half-centre)), High: 1 / (1 + math.Exp(-half-centre))}
}
