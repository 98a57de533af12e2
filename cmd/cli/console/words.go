package console

import (
	"cmp"
	"fmt"
	"strings"
)

// FirstFew lists at most three of the ids.
func FirstFew(ids []string) string {
	if len(ids) > 3 {
		return strings.Join(ids[:3], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// SayNotes prints notes on standard error.
func SayNotes(io *IO, notes []string) {
	for _, n := range notes {
		fmt.Fprintln(io.Err, "note: "+n)
	}
}

// Counted returns a number with its noun in singular or plural.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// OrNone returns text, or a placeholder if it is empty.
func OrNone(text string) string { return cmp.Or(text, "none") }

// NonNil returns list, but never nil, so that JSON has [] rather than null.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
