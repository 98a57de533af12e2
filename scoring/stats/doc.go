// Package stats owns estimators and their intervals: what turns the numbers of
// a study into statements that say how sure they are.
//
// Every function names its formula, its source, its domain and what it does
// outside of it. A statistic that is not defined for the data given (the mean
// of nothing, the standard deviation of one value) is NaN, never 0; arguments
// that make no sense are errors. Functions neither sort nor keep the slices
// they are given. Randomness is handed in.
//
// The package reads no clock, does no I/O and imports nothing of assay.
package stats
