// Package cli is the command line: one file a verb, with its flags, its wiring
// and its exit codes. What a verb does lives in the package that owns it.
package cli
