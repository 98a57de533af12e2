// Package patch reads a model's answer to a repository task and applies it to a tree of files in memory.
//
// [Read] finds what an answer contains: a unified diff (fenced, bare or inside prose), search/replace blocks,
// or whole files named by path. [Answer.Apply] computes the resulting [Changes] of a [Tree]; nothing is
// written, and no program is started. Diffs are placed by the rules of `git apply` and, if these fail, of
// `patch --fuzz=5`, each on the untouched tree. All or nothing is applied: a [Failure] names the file and the
// hunk. Paths outside the tree, in .git or through links, and links that leave the tree, are refused.
//
// [Compare] and [Diff] are the other direction: how one tree differs from another, and that as git writes it.
//
// The package knows neither tasks nor tests. Callers are benchmark/repository and who shows diffs.
package patch
