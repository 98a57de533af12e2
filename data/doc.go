// Package data holds assay's built-in data: its benchmarks with the recorded answers that the rehearsal
// model plays, the templates for prompt models, the table of environments of repositories, and the JSON Schema
// of the benchmark format. All of it was written for assay; the table's facts are SWE-bench's.
//
// The files are plain text and meant to be read and edited; README.md describes their layout. Tests here
// and in cmd/cli run every reference solution and every recording.
//
// The package is a leaf: it imports nothing of assay and interprets nothing. The command line passes its
// folders to the packages that read them.
package data
