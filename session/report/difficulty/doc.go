// Package difficulty turns session/difficulty's analyses of one or two benchmarks into a report with the figures
// and tables of TaskEval (Tambon et al. 2025) in their layout. It adds what the paper lacks: intervals, warnings
// before all numbers, corrected p-values beside the stars, answers to suspect tasks.
//
// [Build] computes what is shown, [CheckFiles] recomputes it from the tables of a written report. Package
// session/difficulty estimates the parameters, and session/report writes and checks the folder. The caller is
// cmd/cli.
package difficulty
