// Package stats owns estimators and their intervals: what turns the numbers of
// a study into statements that say how sure they are.
//
// Every function names its formula, its source, its domain and what it does
// outside of it. A test, a correlation or an agreement that is not defined for
// the data given is an error that wraps one of the sentinels of errors.go, and
// its result never holds a NaN. Of the plain descriptions (Mean, SD, Median,
// Quantile, ECDF) and the Kaplan-Meier curve what is not defined is NaN, never
// 0. Results name the method, the weighting and the zero method they used.
// Functions neither sort nor keep the slices they are given. Randomness is
// handed in.
//
// The package reads no clock, does no I/O and imports nothing of assay.
package stats
