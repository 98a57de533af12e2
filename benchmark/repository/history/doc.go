// Package history proposes repository tasks from a repository's own commits.
//
// It owns which commits can be tasks, how a commit becomes a task (its message is the statement, its changes of tests
// the test patch, its other changes the reference), and the git bundle that goes with a benchmark of them.
// Whether the tests of a proposed task fail before and pass after its change is for package repository to measure.
package history
