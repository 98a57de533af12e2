package overlap

import (
	"math"
	"slices"
	"testing"

	"assay/scoring/pairs"
)

// Marks are what stands outside code: headings, entries, rows and bold passages.
func TestMarks(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "plain text, 3 * 4 - 2": 0, "# Title\n\ntext": 1, "- one\n- two\n": 2, "1. first\n12. second": 2, "**bold** and **more**": 2,
		"| a | b |\n|---|---|": 1, "```python\n# a comment\n- x\n```\n- real": 1, "~~~\n# no\n```\n# no\n~~~\n## yes": 1, "#hashtag": 0, "* **both** of them": 2, "-5 is a number": 0, "3.14 is one": 0,
	} {
		if got := Marks(text); got != want {
			t.Errorf("%q has %d marks, want %d", text, got, want)
		}
	}
}

// Covariates that are the same in all judgements are left out, the side's never; what is equal is named.
func TestStyle(t *testing.T) {
	a, b := Shape{Bytes: 200, Marks: 3, MS: 4000}, Shape{Bytes: 100, Marks: 1, MS: 1000}
	style := Style(a, b)
	for i, want := range []float64{1, math.Log(2), math.Log(2), math.Log(4)} {
		if math.Abs(style[i]-want) > 1e-12 {
			t.Errorf("covariate %d is %v, want %v", i, style[i], want)
		}
	}
	if got := Style(Shape{}, Shape{}); !slices.Equal(got, []float64{1, 0, 0, 0}) {
		t.Errorf("nothing is known of either answer: %v", got)
	}
	for _, c := range []struct {
		shapes []Shape
		equal  string
	}{
		{[]Shape{{Bytes: 1}, {Bytes: 1}}, "side"}, {[]Shape{{Bytes: 1}, {Bytes: 2}}, "side and length"},
		{[]Shape{{Bytes: 1, Marks: 1}, {Bytes: 2}}, "side, length and format"}, {[]Shape{{Bytes: 1, MS: 5}, {Bytes: 2, MS: 9}}, "side, length and speed"},
	} {
		var list []pairs.Judgement
		for _, s := range c.shapes {
			list = append(list, pairs.Judgement{Style: Style(s, Shape{})})
		}
		kept := varying(list)
		if alike(kept) != c.equal || len(styled(list, kept)[0].Style) != len(kept) {
			t.Errorf("%+v: %v, %q", c.shapes, kept, alike(kept))
		}
	}
	if alike(nil) != "" {
		t.Error(alike(nil))
	}
}
