// Package importer brings the tables of another study into assay: a table of tasks, one of attempts and one
// of ratings become the events of one session, which folds, reports and exports like any other.
//
// What the tables do not contain stays unknown. They have one duration for each attempt, so event times are
// derived from durations and all time is in one phase; the origin of every event is session.Imported, so
// that reports leave out phases and the time waiting for the model.
//
// The tables are checked against each other before anything is created: errors name file, line, column and
// remedy.
package importer
