// Package estimate is the screen on which a person estimates how hard tasks are: the
// phrasings of a task, one line that says what it is, a time, a difficulty, and the reason;
// from the second round on beside what others estimated before.
//
// Nothing is preset. What is typed is in the file at most half a second later, all else at
// once. It decides nothing itself: session/estimate keeps the file.
package estimate
