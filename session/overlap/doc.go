// Package overlap owns ratings of the same outputs by several people, from which it computes their
// agreement.
//
// A [Pool] collects what can be rated again: the final answers of finished sessions. [Make] draws some of
// them and assigns each to the same number of raters, balanced and by a seed; its [Header] contains
// everything that raters are shown, and nothing that reveals the model or the first tester's opinion. A
// [Set] folds the events: scores, labels and notes, the closing, and what was settled afterwards. It keeps
// raters' answers from each other until the ratings are closed. [Analyse] computes the agreement. None of
// these does I/O or reads a clock.
//
// A [File] stores a set: the header, then a line for each [Event]; it is append-only. FORMAT.md describes
// it. The screens are in tui/overlap.
package overlap
