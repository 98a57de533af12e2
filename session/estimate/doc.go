// Package estimate owns rounds in which people estimate how hard tasks are, in the manner of planning
// poker: TaskEval's (Tambon et al., RQ4), after Alhamed & Storer (2021).
//
// A [Header] defines a round: tasks with their phrasings, the scale of times, the number of estimators for
// each task, and the agreement at which a task is settled. A [Round] folds the events: who opened it,
// drafts, estimates, submissions, and estimates that its owner refused. A [Study] combines the rounds of a
// benchmark, from several machines if necessary: for each task it tells whether the estimates agree and
// what is still missing. [Study.Next] is the header of the next round, with the tasks without agreement.
// None of these does I/O or reads a clock.
//
// The statistic of agreement is van der Eijk's A (stats.OrderedAgreement). TaskEval states the threshold
// 0.6, taken from Alhamed & Storer, but no statistic; this choice is ours.
//
// A [File] stores a round: the header, then a line for each [Event]; it is append-only. FORMAT.md describes
// it. The screen is in tui/estimate.
package estimate
