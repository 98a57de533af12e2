// Package estimate owns rounds in which people estimate how hard tasks are, in the manner of
// planning poker: TaskEval's (Tambon et al., RQ4), after Alhamed & Storer (2021).
//
// A [Header] says what is asked: tasks with their phrasings, the scale of times, how many
// estimators each task wants, from which agreement on a task is settled. A [Round] folds what
// happened since: who opened it, drafts, estimates, what was handed in, and what its owner
// refused. A [Study] is made of the rounds of a benchmark, from several machines if need be:
// it says per task whether the estimates agree, and what is still missing. [Study.Next] is the
// header of the next round, for those that do not. None of these does I/O or reads a clock.
//
// The statistic of agreement is van der Eijk's A (stats.OrderedAgreement). TaskEval names the
// threshold 0.6, which it took from Alhamed & Storer, but no statistic; this one is ours.
//
// A [File] keeps a round: the header, then a line for each [Event], only ever appended to.
// FORMAT.md describes it. The screen is in tui/estimate.
package estimate
