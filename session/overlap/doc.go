// Package overlap owns ratings of the same outputs by several people, so that it can be said
// how far people agree on them.
//
// [Collect] finds what can be rated again: the final answers of finished sessions. [Make]
// draws some of them and deals them to raters, each to the same number of people, balanced
// and by a seed; its [Header] holds all that raters are shown, and nothing that tells the
// model or what the first tester thought. A [Set] folds what happened since: digits, labels
// and notes, the closing, and what was settled afterwards. What others rated is not given out
// before the set is closed. [Analyse] is the agreement. None of these does I/O or reads a
// clock.
//
// A [File] keeps a set: the header, then a line for each [Event], only ever appended to.
// FORMAT.md describes it. The screens are in tui/overlap.
package overlap
