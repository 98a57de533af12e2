// Package difficulty estimates how hard tasks are for models and how well they separate them, by item
// response theory over stored results (TaskEval, Tambon et al. 2025).
//
// Responses are scores by task and respondent: from evaluations (FromRuns), from a table (ReadCSV), or from
// testers' sessions (FromTesters), which can share a scale with models (Together). Analyse fits them and
// returns every parameter with its interval. Topics are found by words or by an embedding model, whose
// vectors an EmbeddingsFile caches, or are edited by people in a TopicsFile. Models are in scoring/irt,
// clustering is in scoring/topics; the callers are cmd/cli and tui/difficulty.
package difficulty
