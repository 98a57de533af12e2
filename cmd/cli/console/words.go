package console

import (
	"fmt"
	"strings"
)

// FirstFew names at most three of the ids.
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

// Counted writes a number with its noun, whose plural is given.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// OrNone is text, or a sign that there is none.
func OrNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// NonNil is list, which JSON then writes as [] and not as null.
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
