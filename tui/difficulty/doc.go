// Package difficulty is the browser of tasks by how hard they are: a list with difficulty,
// discrimination and their intervals, filtered and in several orders; the topics, which can
// be given names and put together; and each task with its statement, its characteristic
// curve, what every respondent made of it, and their answers. What is shown was analysed by
// session/difficulty; the only thing that is changed is the file of topics. The caller is
// cmd/cli.
package difficulty
