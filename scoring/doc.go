// Package scoring owns the metrics that turn verdicts and measurements into
// numbers: pass@k, pass-ratio@n and what follows them. It works on plain
// numbers, does no I/O and reads no clock.
//
// Each function names its paper and formula. How sure a number is (intervals,
// tests, agreement) is scoring/stats. Callers are session/batch and
// session/report.
package scoring
