// Package difficulty is the browser of tasks by how hard they are: a list with difficulty,
// discrimination and their intervals, filtered and in several orders; the topics, which can
// be given names and put together; and each task with its statement, its characteristic
// curve, the score of every respondent, and their answers. The analysis comes from
// session/difficulty; the screen changes only the file of topics.
package difficulty
