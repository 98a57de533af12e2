// Package sessions turns the logs of sessions into a report: a page with figures, the same
// in Markdown and JSON, and tidy tables in CSV with a codebook that is made from the columns
// themselves.
//
// [Build] folds the events; the writers only lay out the result. Every mean has its number of tasks and its
// interval; what could not be measured is absent, never 0; what was left out is counted.
//
// The folder and its checks are package report, the estimators scoring/stats, the fold of a
// log package session. The package reads no store: its caller passes it the events.
package sessions
