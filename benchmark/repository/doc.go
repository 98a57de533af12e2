// Package repository owns what a repository task needs apart from the task itself: the table of environments
// by repository and version, and the grading of a log of its tests.
//
// [LoadTable] reads the bundled table and a user's own rows; [Table.Environment] is what a task's tests need,
// with the task's own fields first. [TestCommand] is the command with the tests that the test patch changes.
// The parts that know nothing of tasks lie below: repository/patch applies answers to trees, and
// repository/testlog reads and grades the output of test runners.
//
// The package starts no programs and keeps no trees. Decisions are explained in DECISIONS.md.
package repository
