// Package chart draws the marks of session/report/figure with characters, for a
// terminal of a given width: the same numbers as in the drawings of the report, with
// their title, n, axis and units. Values are written beside what is drawn and levels
// have patterns of their own, so that nothing is told by colour alone. Look.ASCII draws
// with ASCII alone; Words tells a figure in words and numbers, to be read aloud. All
// functions are pure; no line is wider than asked for.
package chart
