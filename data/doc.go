// Package data holds what assay brings along: the benchmark "starter", the
// JSON Schema of the benchmark format, and the recorded answers that the
// rehearsal model plays. All of it was written for assay.
//
// The files are plain and meant to be read and edited: starter.json,
// benchmark.schema.json and rehearsal/TASK/ATTEMPT.md, whose front matter says
// what verdict to expect and why. The tests of this package run every
// reference solution and every recording.
//
// The package is a leaf: it imports nothing of assay and interprets nothing but
// the front matter. The command line hands its contents to those who need them.
package data
