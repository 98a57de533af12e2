// Package evaluations turns the results of evaluations without a human, which
// benchmark/batch keeps, into what a reader of a paper sees: the tables and figures of
// Yeo et al. 2024 and Su et al. 2023 in their layouts, pass@k, verdicts, splits by
// metadata, and two or more models or prompts compared task by task.
//
// [Build] computes the numbers, which are exported as JSON; the text, the LaTeX tables
// and the figures only lay them out. Every mean says over how many tasks it is and how
// sure; what the data cannot tell is named instead of left out silently.
//
// Judging is benchmark/batch's, the metrics are scoring's, and how a report lies in a
// folder and is checked there is session/report's. The caller is cmd/cli.
package evaluations
