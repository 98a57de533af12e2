// Package plain is a session line by line: for screen readers, for terminals without cursor
// control, and for pipes. Everything is expressed in words, answers are printed once as a whole,
// and nothing is overwritten. Engine, events and rules are those of the screens; the log records
// this mode.
package plain
