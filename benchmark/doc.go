// Package benchmark owns what testers work on: tasks with their metadata and test cases, benchmarks of
// tasks, filters selected from a benchmark by metadata, test sets drawn from a filter, and a task's
// prompt at each level of detail.
//
// It reads and checks assay's own benchmark format (a JSON file described by benchmark.schema.json). Other
// tools' formats are in benchmark/format; benchmark/judge runs code against a task's tests.
//
// The package only reads the files it is given: it starts no process, opens no store and reads no clock.
package benchmark
