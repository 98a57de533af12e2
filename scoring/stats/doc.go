// Package stats owns estimators, their confidence intervals, tests and agreement statistics.
//
// Every function names its formula, its source, its domain and what it does outside of it. A test, a
// correlation or an agreement that is undefined for the given data is an error that wraps one of the
// sentinels of errors.go; its result never contains a NaN. The plain descriptions (Mean, SD, Median,
// Quantile, ECDF) and the Kaplan-Meier curve return NaN if undefined, never 0. Results name the method, the
// weighting and the zero method they used. Functions neither sort nor keep the slices they are given.
// Randomness is handed in.
//
// The package reads no clock, does no I/O and imports nothing of assay.
package stats
