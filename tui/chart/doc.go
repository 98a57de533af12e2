// Package chart draws the marks of session/report/figure with characters, for a terminal of a
// given width: the numbers of the report's figures, with title, n, axis and units. Values are
// written beside the marks and levels have patterns, so that nothing depends on colour alone.
// Look.ASCII uses only ASCII; Words describes a figure in words and numbers, for reading aloud.
// All functions are pure; no line is wider than the given width.
package chart
