// Package difficulty is the browser of tasks by difficulty: a list with difficulty,
// discrimination and their intervals, filtered and in several orders; the topics, which can be
// renamed and merged; and each task with its statement, its characteristic curve, the score of
// every respondent, and their answers. The analysis comes from session/difficulty; the screen
// changes only the file of topics.
package difficulty
