// Package ppi owns prediction-powered inference: estimates from a few human ratings and many judgements of a
// model, whose intervals stay valid whatever the judge's faults, if the rated items are a random sample of all.
//
// [Clustered] is PPI++ (Angelopoulos, Duchi & Zrnic, arXiv 2311.01453) at clusters, with cross-fitted tuning and
// Student's quantile, since the published intervals assume many independent ratings. [Proportion] has estimators of
// Chen et al. (arXiv 2601.05420).
//
// Everything is pure: no I/O, no clock, no randomness. Errors wrap the sentinels of scoring/stats, and no result
// holds a NaN.
package ppi
