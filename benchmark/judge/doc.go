// Package judge owns the verdict on a piece of code: it runs the code against a task's tests and
// reports, case by case, what passed.
//
// The verdict cannot be forged, because three processes share the work. The
// checker is trusted; it holds the tests and the expected values and decides
// each case. The sample runs the untrusted code; it is sent arguments and
// returns plain values. This package stands between them, measures each call,
// enforces the limits and draws the verdict. The sample's exit status and
// output are never believed.
//
// Both processes run in boxes of benchmark/sandbox, the sample in a fresh one.
// All calls of a sample usually travel in one message: batch.go.
//
// A return value that cannot be sent stays in its process, and tests reach it by handle
// (python/proxy.py lists what they may ask, and why no more). Tests that cannot be split run
// beside the code only where the task has "in_process", and the result is labelled so.
//
// Whole programs (program.go) need no checker: their output for an input is compared here. A
// script contains its tests and proves that it reached their end (proof.go). A program could copy
// the proof, so scripts are labelled "in_process", too.
//
// What a language is stands in the table of data/language. What is no data is attached to it by name,
// see language.go: golang.go, java.go, native.go (C, C++), node.go, python_program.go and typescript.go
// for whole programs; python.go, javascript.go, r.go, ruby.go, php.go and, for Go, Java and C++, calls.go for
// functions, with small programs in the directories of these names.
//
// Compilers and programs are started in ways that are faster than the plain commands: become.go,
// resident.go (javac, tsc), headers.go (what is compiled ahead), javascript/server.js
// (Node), python/program.py. None of them changes a verdict, see shortcuts_test.go and same_verdicts_test.go.
//
// Callers are session/engine and benchmark/batch.
package judge
