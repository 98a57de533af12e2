package irt

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// drawBeta draws from a beta distribution. Shapes that are too large or too
// small for that give the mean.
func drawBeta(random *rand.Rand, alpha, beta float64) float64 {
	mean := alpha / (alpha + beta)
	if !(alpha > 1e-300 && beta > 1e-300 && alpha+beta < 1e12) {
		if math.IsNaN(mean) {
			return 0.5
		}
		return mean
	}
	y := distuv.Beta{Alpha: alpha, Beta: beta, Src: random}.Rand()
	if math.IsNaN(y) {
		return mean
	}
	return y
}
