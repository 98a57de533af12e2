// Package difficulty turns what session/difficulty says of one benchmark's tasks, or of
// two, into a report with the figures and tables of TaskEval (Tambon et al. 2025) in their
// layout, and with what the paper does not have: intervals, warnings before all numbers,
// p-values corrected beside the stars, what answers to suspects look like.
//
// [Build] works out what is shown, [CheckFiles] works it out again from the tables that lie
// beside a written report. The parameters are session/difficulty's, how a report lies in a
// folder and is checked there is session/report's. The caller is cmd/cli.
package difficulty
