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

// List is the chosen row of a list, and the first one on the screen.
type List struct{ Row, Top int }

// Choose moves the choice to a row of so many, or to the nearest one that there is, in a list
// of which height rows are seen.
func (l *List) Choose(row, rows, height int) {
	l.Row = max(0, min(row, rows-1))
	l.Top = max(0, min(Scroll(l.Top, l.Row, height), rows-height))
}
