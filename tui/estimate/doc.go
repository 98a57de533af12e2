// Package estimate is the screen on which a person estimates how hard tasks are: the
// phrasings of a task, a one-line summary, a time, a difficulty and the reason; from the
// second round on beside the earlier estimates of others.
//
// Nothing is preset. Typed text is in the file after a moment (see saver.Every), everything
// else at once. The rules are not here: session/estimate keeps the file.
package estimate
