// Package prompts owns the wordings of tasks that models get without a tester.
//
// [Levels] are the three of Yeo et al., which follow from the task and need no review. [Context] are the
// three context levels that a task may come with. TaskEval's 3 × 6 wordings (Tambon et al., section 3.2)
// are written by a prompt model: a [Writer] asks it, with the caller's templates, and stores each answer in
// a [Set] at once. A Set is an append-only file of events: candidates and reviewers' decisions. [Set.For]
// returns the prompts that may be used.
//
// A [Checker] flags candidates automatically: an example left in, a misplaced name of the reference
// solution, two nearly equal wordings. Identifiers come from the syntax tree.
//
// Screens are in tui/prompts; waiting and retrying is up to the caller's client.
package prompts
