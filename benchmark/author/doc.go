// Package author helps people to write their own tasks: it reads the signature of a reference solution,
// calls the solution with inputs at the edges of its parameters' types, and proposes as test cases those
// calls that distinguish most mutants from the solution. Accepted cases are written to a folder that a
// person can edit.
//
// The results of the reference solution are only proposals: a person must check every case. The caller is
// `assay tasks new`.
package author
