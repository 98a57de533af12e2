// Package ppi owns prediction-powered inference: estimates from a few human ratings and many judgements of a
// model, whose intervals stay valid whatever the judge's faults, if the rated items are a random sample of all.
//
// [Mean], [OLS] and [Logistic] are PPI++ as published (Angelopoulos, Duchi & Zrnic, arXiv 2311.01453) and as its
// authors' program ppi_py computes it, and [Proportion] has the estimators of Chen et al. (arXiv 2601.05420).
// [Clustered] is what reports print: the same estimator at clusters, with cross-fitted tuning and Student's
// quantile, since the published intervals assume many independent ratings.
//
// Everything is pure: no I/O, no clock, no randomness. Errors wrap the sentinels of scoring/stats, and no result
// holds a NaN.
package ppi
