package stats

import (
	"fmt"
)

// OrderedAgreement is van der Eijk's agreement A in an ordered scale, from how often each
// category was chosen, in the scale's order. It is 1 where all chose one category, 0 where
// all categories were chosen alike, and -1 where one half chose the first and the other the
// last. The counts are taken apart into layers, each of as many ratings in some of the
// categories; A is the mean of the layers' agreements, weighted by their ratings:
//
//	A = Σ wₗ Aₗ,  Aₗ = Uₗ (1 - (Sₗ-1)/(K-1)),  U = ((K-2) TU - (K-1) TDU) / ((K-2) (TU+TDU))
//
// with K categories, S of which are in the layer, and of all triples of categories in order
// TU of which the layer has the first two or the last two, and TDU of which it has the outer
// two; a layer of one category agrees (1), one of all does not (0).
// (Van der Eijk, Measuring agreement in ordered rating scales, Quality & Quantity 35, 2001;
// the values of R's agrmt::agreement.) Unlike kappa it is about one item, and does not
// correct for chance. Errors wrap ErrTooFew (fewer than three categories, no ratings); a
// negative count is an error.
func OrderedAgreement(counts []int) (float64, error) {
	const what = "van der Eijk's agreement"
	if len(counts) < 3 {
		return 0, fmt.Errorf("%s in %d categories: at least three are needed: %w", what, len(counts), ErrTooFew)
	}
	rest, n := make([]int, len(counts)), 0
	for i, c := range counts {
		if c < 0 {
			return 0, fmt.Errorf("%s: the count of category %d is %d", what, i, c)
		}
		rest[i], n = c, n+c
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: there are no ratings: %w", what, ErrTooFew)
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

// layerAgreement is the agreement of ratings that are spread evenly over size of the
// categories.
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
