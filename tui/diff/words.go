package diff

import (
	"strings"
	"time"
)

// Run is a stretch of text that is in both texts, or in one of them.
type Run struct {
	Kind Kind // Same, Gone or New
	Text string
}

// Words compares two texts word by word, across lines. Joined, the runs that are not New
// are the text before, and those that are not Gone the text after.
func Words(before, after string) []Run {
	a, b := wordsOf(before), wordsOf(after)
	var runs []Run
	var gone, came strings.Builder
	flush := func() {
		if gone.Len() > 0 {
			runs = append(runs, Run{Gone, gone.String()})
		}
		if came.Len() > 0 {
			runs = append(runs, Run{New, came.String()})
		}
		gone.Reset()
		came.Reset()
	}
	ops := compare(a, b, 300*time.Millisecond)
	for i, op := range ops {
		alike := strings.Join(a[:op.same], "")
		switch {
		case op.same == 0:
			gone.WriteString(strings.Join(a[:op.gone], ""))
			came.WriteString(strings.Join(b[:op.came], ""))
		case i+1 < len(ops) && gone.Len()+came.Len() > 0 && strings.Trim(alike, " \t") == "":
			// Words that follow each other are read as a phrase, and changed as one.
			gone.WriteString(alike)
			came.WriteString(alike)
		default:
			flush()
			runs = append(runs, Run{Same, alike})
		}
		a, b = a[op.same+op.gone:], b[op.same+op.came:]
	}
	flush()
	return runs
}
