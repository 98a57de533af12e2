// Package data holds what assay brings along: its benchmarks with the recorded
// answers that the rehearsal model plays, the templates that prompt models are asked
// with, and the JSON Schema of the benchmark format. All of it was written for assay.
//
// The files are plain and meant to be read and edited; README.md says where what
// lies. Tests here and in cmd/cli run every reference solution and every recording.
//
// The package is a leaf: it imports nothing of assay and interprets nothing. The
// command line hands its folders to those who read them.
package data
