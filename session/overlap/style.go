package overlap

import (
	"math"
	"slices"
	"strings"

	"assay/scoring/pairs"
)

// Shape is what may make an answer look better than it is.
type Shape struct {
	Bytes int   // its length
	Marks int   // see [Marks]
	MS    int64 // from the prompt to its end, where people watched it arrive; otherwise 0
}

// Style returns the covariates of a comparison, A minus B: the side, which is 1, and the logs of the ratios of lengths, of
// marks (each plus 1), and of times. Lengths and times count as at least 1.
func Style(a, b Shape) []float64 {
	ratio := func(x, y float64) float64 { return math.Log(x / y) }
	return []float64{1, ratio(float64(max(1, a.Bytes)), float64(max(1, b.Bytes))), ratio(float64(1+a.Marks), float64(1+b.Marks)), ratio(float64(max(1, a.MS)), float64(max(1, b.MS)))}
}

// covariate is one of them: its name, and what is equal at the value 0.
type covariate struct{ name, equal string }

func covariates() []covariate {
	return []covariate{{"left side", "side"}, {"log of length", "length"}, {"log of format", "format"}, {"log of time", "speed"}}
}

// Marks counts what Markdown sets off in an answer outside its blocks of code: headings, entries of lists, rows of tables,
// and bold passages.
func Marks(text string) (n int) {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if mark := strings.TrimLeft(line, "`~"); len(line)-len(mark) >= 3 {
			switch of := line[:3]; {
			case fence == "":
				fence = of
			case of == fence && mark == "":
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case rest == "":
		case strings.Trim(first, "#") == "" && len(first) <= 6, first == "-" || first == "*" || first == "+", strings.HasPrefix(line, "|"),
			len(first) > 1 && strings.Trim(first[:len(first)-1], "0123456789") == "" && strings.HasSuffix(first, "."):
			n++
		}
		n += strings.Count(line, "**") / 2
	}
	return n
}

// varying returns which covariates differ among judgements: the others have no effect that could be told from the side's,
// which is always among them.
func varying(list []pairs.Judgement) (kept []int) {
	for c := range covariates() {
		if c == 0 || slices.ContainsFunc(list, func(j pairs.Judgement) bool { return c < len(j.Style) && j.Style[c] != list[0].Style[c] }) {
			kept = append(kept, c)
		}
	}
	return kept
}

// styled returns judgements with some of their covariates only.
func styled(list []pairs.Judgement, kept []int) []pairs.Judgement {
	list = slices.Clone(list)
	for i := range list {
		var style []float64
		for _, c := range kept {
			style = append(style, list[i].Style[c])
		}
		list[i].Style = style
	}
	return list
}

// alike names what is equal where the kept covariates are 0, as in "side and length".
func alike(kept []int) string {
	var names []string
	for _, c := range kept {
		names = append(names, covariates()[c].equal)
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
