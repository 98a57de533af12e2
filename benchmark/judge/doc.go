// Package judge owns the verdict on a piece of code: it runs the code against
// a task's tests and says, case by case, what passed.
//
// The verdict cannot be forged, because three processes share the work. The
// checker is trusted; it holds the tests and the expected values and decides
// each case. The sample runs the untrusted code; it is sent arguments and
// returns plain values. This package stands between them, measures each call,
// enforces the limits and draws the verdict. The sample's exit status and
// output are never believed.
//
// Both processes run in boxes of benchmark/sandbox, the sample in a fresh one.
// All calls of a sample usually travel in one message: batch.go. What differs
// from language to language is in one file for each: python.go, with its two
// small programs in python/.
//
// Callers are session/engine and session/batch.
package judge
