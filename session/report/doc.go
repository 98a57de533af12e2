// Package report turns a session's log into what a reader of the study sees: a
// report in Markdown, the same in JSON, and tidy tables in CSV with a codebook
// that is made from the columns themselves.
//
// [Build] folds the events; the writers only lay out what it found. Everything
// that is averaged says over how many tasks, and how sure it is; what could not
// be measured is absent, never 0; what was left out is counted.
//
// Reports of other things, such as session/report/evaluations, use its statistics,
// tables, checks and folder: [Estimate], [Table], [Check], [WriteFiles], [CheckWritten].
//
// The estimators are scoring/stats, the fold of a log is package session. The
// package reads no store: its caller hands it the events.
package report
