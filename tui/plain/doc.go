// Package plain is a session line by line: for screen readers, for terminals that
// cannot draw, and for pipes. Everything is said in words, whole answers are printed
// once, and nothing is ever drawn over. The engine, its events and its rules are those
// of the screens; the log says that the session was worked on like this.
package plain
