// Package difficulty says what tasks ask of models: how hard each one is and how well it
// separates them, by item response theory over stored results (TaskEval, Tambon et al.
// 2025).
//
// Responses are task × respondent scores: of evaluations (FromRuns), of a table (ReadCSV),
// or of testers' sessions (FromTesters), which may stand on one scale with models
// (Together). Analyse fits them and gives what there is to say, each parameter with its
// interval. Topics are found by words or by a model for embeddings, whose vectors an
// EmbeddingsFile keeps, and may be people's own, in a TopicsFile. The models are
// scoring/irt's, the groups of tasks scoring/topics'; the callers are cmd/cli and
// tui/difficulty.
package difficulty
