// Package repository judges answers to repository tasks: it applies an answer to the repository's tree, runs the
// tests in a box, and reads from their report how far the task is solved.
//
// [Runner] does so; runner.go is the order of the steps, guard.go what an answer may not change, sentinel.go the
// planted tests, toolchain.go where interpreters and compilers are, prepare.go what is done once for a tree.
// [LoadTable] reads the bundled table and a user's own rows; [Table.Environment] is what a task's tests need,
// with the task's own fields first. [TestCommand] is the command with the tests that the test patch changes.
// The parts that know nothing of tasks lie below: repository/patch applies answers to trees, and
// repository/testlog reads and grades the output of test runners.
//
// Callers are benchmark/judge and, through it, everything that judges. DECISIONS.md explains the design.
package repository
