// Package bundle packs sessions into one file with everything that a reviewer
// needs to check them a year later, on another machine: the event logs, every
// text that they refer to (tasks with their tests, prompts, answers, code,
// outputs), the report, and what wrote it. FORMAT.md describes the file.
//
// [Pack] makes a bundle from a store, [Read] reads one and accepts it only if it
// is whole: every byte of the file is accounted for. [Bundle.Verify] then judges
// every stored answer again and makes the report anew.
//
// A bundle comes from strangers. It is read in memory, within limits, and nothing
// in it names a place on the disk. Its code runs only where the caller's [Judge]
// runs it. The caller is cmd/cli.
package bundle
