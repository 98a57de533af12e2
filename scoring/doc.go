// Package scoring owns the metrics that turn verdicts and measurements into numbers: pass@k, pass-ratio@n,
// average pass rate, strict accuracy, #attempt_k, the six-dimension score; their means over tasks with an
// interval, their difference between two models, and their split by a task's metadata. It works on plain
// numbers, does no I/O and reads no clock.
//
// Each function names its paper and formula. Unknown facts give bounds or an error, never a guess; no
// result contains a NaN. Intervals, tests and agreement statistics are in scoring/stats. Callers are
// benchmark/batch and session/report.
package scoring
