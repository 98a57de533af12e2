// Package importer brings the tables of another study into assay: a table of
// tasks, one of attempts and one of ratings become the events of one session,
// which folds, reports and exports like any other.
//
// What the tables do not tell stays unknown. They give one duration for each
// attempt, so that the events' times are made up from the durations and all
// time lies in one phase; the origin of every event is session.Imported, by
// which the report knows not to speak of phases or of waiting for the model.
//
// The tables are checked against each other before anything is made: an error
// names the file, the line, the column and what to do.
package importer
