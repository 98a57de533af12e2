package stats

import (
	"fmt"
)

// OrderedAgreement is van der Eijk's agreement A in an ordered scale, from the count of each category, in
// the scale's order. It is 1 if all ratings are in one category, 0 if they are spread evenly, and -1 if one
// half is in the first and the other in the last. The counts are decomposed into layers, each with the same
// number of ratings in some of the categories; A is the mean of the layers' agreements, weighted by their
// ratings:
//
//	A = Σ wₗ Aₗ,  Aₗ = Uₗ (1 - (Sₗ-1)/(K-1)),  U = ((K-2) TU - (K-1) TDU) / ((K-2) (TU+TDU))
//
// with K categories, S of them in the layer. Of all ordered triples of categories, TU have their first two
// or last two in the layer, and TDU their outer two. A layer of one category has agreement 1, a layer of
// all has 0. (Van der Eijk, Measuring agreement in ordered rating scales, Quality & Quantity 35, 2001; the
// values of R's agrmt::agreement.) Unlike kappa it describes one item and does not correct for chance.
// Errors wrap ErrTooFew (fewer than three categories, no ratings); a negative count is an error.
func OrderedAgreement(counts []int) (float64, error) {
	const statistic = "van der Eijk's agreement"
	if len(counts) < 3 {
		return 0, fmt.Errorf("%s in %d categories: at least three are needed: %w", statistic, len(counts), ErrTooFew)
	}
	rest, n := make([]int, len(counts)), 0
	for i, c := range counts {
		if c < 0 {
			return 0, fmt.Errorf("%s: the count of category %d is %d", statistic, i, c)
		}
		rest[i], n = c, n+c
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: there are no ratings: %w", statistic, ErrTooFew)
	}
	a := 0.0
	for {
		layer, least, size := make([]bool, len(rest)), 0, 0
		for i, c := range rest {
			if c > 0 {
				layer[i], size = true, size+1
				if least == 0 || c < least {
					least = c
				}
			}
		}
		if size == 0 {
			return min(1, max(-1, a)), nil
		}
		a += float64(size*least) / float64(n) * layerAgreement(layer, size)
		for i := range rest {
			if layer[i] {
				rest[i] -= least
			}
		}
	}
}

// layerAgreement returns the agreement of ratings spread evenly over the size categories of the layer.
func layerAgreement(layer []bool, size int) float64 {
	if size == 1 {
		return 1
	}
	one, two := 0, 0 // triples with one summit and with two
	for i := range layer {
		for j := i + 1; j < len(layer); j++ {
			for m := j + 1; m < len(layer); m++ {
				switch {
				case layer[i] && !layer[j] && layer[m]:
					two++
				case layer[j] && layer[i] != layer[m]:
					one++
				}
			}
		}
	}
	if one+two == 0 {
		return 0
	}
	k := float64(len(layer))
	u := ((k-2)*float64(one) - (k-1)*float64(two)) / ((k - 2) * float64(one+two))
	return u * (1 - float64(size-1)/(k-1))
}
