// Package prompts owns the wordings in which a task is put to a model when no tester
// formulates it.
//
// [Levels] are the three of Yeo et al., made from the task alone; they need no review.
// [Context] are the three context levels that a task may bring along. TaskEval's 3 × 6
// wordings (Tambon et al., section 3.2) are written by a prompt model: a [Writer] asks
// it, with templates that are handed in, and keeps each answer in a [Set] at once. A Set
// is a file of events that is only ever appended to: candidates, and what reviewers
// decided about them. [Set.For] gives the prompts that may be used.
//
// What can be checked of a candidate by itself is checked by a [Checker]: an example that is
// still there, a name of the reference solution where none belongs, two wordings that
// are nearly one. The identifiers come from the syntax tree.
//
// The package neither draws nor retries: screens are in tui/prompts, and the client that
// is handed in waits and retries as its caller wants.
package prompts
