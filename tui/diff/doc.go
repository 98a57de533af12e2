// Package diff compares two texts by lines and, where a line was changed, by words. It
// knows nothing of screens: tui/work draws what it finds.
package diff
