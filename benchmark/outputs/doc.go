// Package outputs writes the output files of programs to where people can open them: `assay eval` beside
// its results, a session beside its store.
//
// The files' contents come from untrusted code: nothing here parses them, and no program is started to show
// them. Names come from tasks. Below the directory that the user chose, links are neither followed nor
// overwritten, and only the user can read the files. What may be copied out of a box is up to
// benchmark/sandbox, and benchmark/judge determines file types.
package outputs
