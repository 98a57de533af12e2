package frame

// Next returns the index of the first of n items with a property, searched from an index on and around
// the end; -1 if there is none.
func Next(n, from int, is func(int) bool) int {
	for step := range n {
		if i := (from + step) % n; is(i) {
			return i
		}
	}
	return -1
}

// CountIf counts the items of a list with a property.
func CountIf[T any](list []T, is func(*T) bool) int {
	n := 0
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

// Step returns the index of the next or previous of n items. If there is none, why says so.
func Step(at int, forward bool, n int) (to int, why string) {
	switch {
	case forward && at+1 >= n:
		return at, "This is the last one."
	case forward:
		return at + 1, ""
	case at == 0:
		return at, "This is the first one."
	}
	return at - 1, ""
}

// Choose returns the row nearest to the wanted one, and the first visible row of a list of which
// height rows are visible; top was the first visible row before.
func Choose(wanted, top, rows, height int) (row, first int) {
	row = max(0, min(wanted, rows-1))
	return row, max(0, min(Scroll(top, row, height), rows-height))
}
