// Package sampled is for tests: those that would take minutes try a part of their rows, always the same, and all of
// them if ASSAY_TESTS is "all", as `make thorough` sets it.
package sampled

import "os"

// All reports whether tests try everything.
var All = os.Getenv("ASSAY_TESTS") == "all"

// OneIn reports whether row i is of the part that tries one row in n.
func OneIn(n, i int) bool { return All || i%n == 0 }

// Of returns how many of all rounds a test makes: few, or all of them.
func Of(few, all int) int {
	if All {
		return all
	}
	return few
}
