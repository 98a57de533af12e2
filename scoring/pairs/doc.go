// Package pairs owns the analysis of judgements of which of two answers is better: win rates, the scale of
// Bradley and Terry with Davidson's ties, ranks that claim no more than the data say, transitivity, and the
// number of judgements that a difference needs.
//
// Standard errors are at clusters, since judgements of one task, or of one rater, are not independent. Everything
// is pure: no I/O, no clock, no randomness. Errors wrap the sentinels of scoring/stats, and no result holds a NaN.
package pairs
