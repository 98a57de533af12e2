// Package strength checks how far the tests of a task can be trusted: whether its reference solution is
// accepted every time, whether its examples are true, whether known wrong answers are rejected, and how
// many small faults in the reference solution (mutants) the tests notice.
//
// It runs no code itself: the caller passes a judge. The caller is `assay tasks check`.
package strength
