package frame

// Next finds the first of n items that a condition holds for: from one on, and from the top
// again after the last. It is -1 where there is none.
func Next(n, from int, is func(int) bool) int {
	for step := range n {
		if i := (from + step) % n; is(i) {
			return i
		}
	}
	return -1
}

// CountIf counts the items of a list that a condition holds for.
func CountIf[T any](list []T, is func(*T) bool) int {
	n := 0
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

// Step goes from one of n items to the one before or after it. Where there is none, why says so.
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

// Choose is the row of so many that is nearest to the one that is wanted, and the first row on
// the screen, which was top, so that it is among the height rows that are seen.
func Choose(wanted, top, rows, height int) (row, first int) {
	row = max(0, min(wanted, rows-1))
	return row, max(0, min(Scroll(top, row, height), rows-height))
}
