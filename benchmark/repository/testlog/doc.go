// Package testlog reads the output of test runners: [Parse] returns the status of each test by its id, and
// the failing tests' output where the format has it. [Grade] compares statuses with the lists of a
// repository task, as SWE-bench's harness does.
//
// A format is one [Parser], by name: machine-readable ones (junit, go-test-json, jest-json, …), and what
// people read (pytest, django, sympy, go-test, …). Those that SWE-bench's harness has for the same output
// produce the same ids and statuses, including its peculiarities, which are named where they are.
//
// A log is untrusted text: the code under test can print anything. Parsers take bounded time and memory and
// never fail; who believes a log must compare it with what else is known, such as the exit status and
// sentinel tests. The package starts no programs and reads no files.
package testlog
