package frame

import "fmt"

// Position tells which lines of a longer text are on the screen: "3-12 of 34 lines".
// First counts from 0.
func Position(first, seen, total int) string {
	return fmt.Sprintf("%d-%d of %d lines", first+1, first+seen, total)
}
