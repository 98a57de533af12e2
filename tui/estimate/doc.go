// Package estimate is the screen on which a person estimates how difficult tasks are: the
// phrasings of a task, a one-line summary, a time, a difficulty and the reason; from the second
// round on beside earlier estimates of others.
//
// Nothing is preset. Typed text is written to the file after a moment (see saver.Every),
// everything else at once. session/estimate has the rules and keeps the file.
package estimate
