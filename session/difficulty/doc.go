// Package difficulty says what tasks ask of models: how hard each one is and how well it
// separates them, by item response theory over stored results (TaskEval, Tambon et al.
// 2025).
//
// Responses are task × respondent scores: of evaluations (FromRuns) or of a table
// (ReadCSV). Analyse fits them and gives what there is to say, each parameter with its
// interval. The models are scoring/irt's, the groups of tasks scoring/topics'; the caller
// is cmd/cli.
package difficulty
