// Package repository judges answers to repository tasks: it applies an answer to the repository's tree, runs the
// tests in a box, and reads from their report how far the task is solved.
//
// [Runner] does so. runner.go has the order of the steps, box.go a run in a box, guard.go what an answer may not
// change, sentinel.go the planted tests, kinds.go how they are written, altered.go more runs of an answer with tests
// that expect other values, expected.go where these stand in the texts of tests, copies.go
// how they are changed, audit.go what a person has to look at, toolchain.go where interpreters and
// compilers are, python/sitecustomize.py what keeps modules of an answer from the runner,
// prepare.go what is done once for a tree, directory.go and skeleton.go the task directories of other tools,
// python/standin.py what stands there for programs that fetch packages. [LoadTable] reads the bundled table of environments and a user's own rows;
// [Table.Environment] returns what a task's tests need, with the task's own fields first. agent.go starts
// programs that change a tree by themselves, changed.go reads what they changed. The parts that know nothing of
// tasks lie below: checkout, patch and testlog.
//
// Callers are benchmark/judge and, through it, everything that judges. DECISIONS.md explains the design.
package repository
