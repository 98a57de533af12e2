// Package importer brings another program's study into assay: a [Study] becomes the events of one session,
// which folds, reports and exports like any other. It is read from a table of tasks, one of attempts and one
// of ratings, or from a log of Inspect (package inspectlog).
//
// What is not known stays unknown. There is one duration for each attempt, so event times are derived from
// durations and all time is in one phase; the origin of every event is session.Imported, so that reports
// leave out phases and the time waiting for the model.
//
// Tables are checked against each other before anything is created: errors name file, line, column and
// remedy.
package importer
