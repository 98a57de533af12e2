// Package evaluations turns the results of evaluations without a human, which
// benchmark/batch keeps, into what a reader of a paper sees: the tables and figures of
// Yeo et al. 2024 and Su et al. 2023 in their layouts, pass@k, verdicts, splits by
// metadata, and comparisons of models or prompts task by task.
//
// [Build] computes the numbers, which are exported as JSON; the text, the LaTeX tables
// and the figures only show them. Every mean has its number of tasks and its uncertainty; what cannot be computed
// is named with the reason.
//
// Package benchmark/batch judges, scoring computes metrics, and session/report writes and checks the folder of a
// report. The caller is cmd/cli.
package evaluations
