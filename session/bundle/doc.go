// Package bundle packs sessions into one file with everything that a reviewer needs to check them a year
// later, on another machine: the event logs, every text that they refer to (tasks with their tests,
// prompts, answers, code, outputs), the report, and the versions of the software involved. FORMAT.md
// describes the file.
//
// [Pack] makes a bundle from a store, [Read] reads one and accepts it only if it is complete and every byte
// of the file is accounted for. [Bundle.Verify] then judges every stored answer again and regenerates the
// report.
//
// Bundles are untrusted. They are read in memory, within limits, and nothing in them names a path on disk.
// Their code runs only in the caller's [Judge]. The caller is cmd/cli.
package bundle
