// Package benchmark owns what a tester is asked to do: tasks with their
// metadata and test cases, benchmarks made of tasks, scenarios chosen from a
// benchmark by metadata, test sets drawn from a scenario, and the prompt that a
// task yields at each level of detail.
//
// It reads and checks assay's own benchmark format (a JSON file described by
// benchmark.schema.json). Other tools' formats are benchmark/format; running
// code against a task's tests is benchmark/judge.
//
// Nothing here does more than read the file it is given: it starts no process,
// opens no store and reads no clock.
package benchmark
