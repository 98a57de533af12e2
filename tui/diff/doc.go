// Package diff compares two texts by lines and changed lines by words. It knows nothing of
// screens: tui/work draws the result.
package diff
