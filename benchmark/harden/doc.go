// Package harden makes other tasks of tasks with reference solutions, by changing the solution first: the
// syntax tree has what can be changed without a model ([Mechanical]), a caller may bring solutions of a
// model. [Checker.Test] derives test cases and examples from what the new solution does, and removes what is
// weak: too few results, tests that the old solution passes, faults of `tasks check --strength`.
//
// Tasks are in Python, with tests of style "calls". session/harden asks models, measures how hard the new
// tasks are, and keeps everything in a file.
package harden
