// Package outputs writes the files that programs of tasks left to where people can
// open them: `assay eval` beside its results, a session beside its store.
//
// What is in the files comes from untrusted code: nothing here looks into it, and
// nothing is started to show it. Names come from tasks. Below the directory that the
// user chose, no link is followed or overwritten, and only the user can read what
// is written. What may be copied out of a box is the business of
// benchmark/sandbox, and what a file is, of benchmark/judge.
package outputs
