package diff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shown writes rows as a unified difference, what differs within a line in brackets.
func shown(rows []Row) string {
	var b strings.Builder
	line := func(sign string, l Line) {
		b.WriteString(sign)
		for _, p := range l.Parts {
			if p.Differs {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		b.WriteString("\n")
	}
	for _, r := range rows {
		switch r.Kind {
		case Same:
			line(" ", r.Old)
		case Gone:
			line("-", r.Old)
		case New:
			line("+", r.New)
		case Changed:
			line("<", r.Old)
			line(">", r.New)
		}
	}
	return b.String()
}

func TestLines(t *testing.T) {
	for _, tc := range []struct{ name, before, after, want string }{
		{"same", "a\nb\n", "a\nb", " a\n b\n"},
		{"nothing", "", "", ""},
		{"from nothing", "", "a\n", "+a\n"},
		{"a word", "def f(n):\n    return n + 1\n", "def f(n):\n    return n + 2\n", " def f(n):\n<    return n + [1]\n>    return n + [2]\n"},
		{"a line more", "a\nc\n", "a\nb\nc\n", " a\n+b\n c\n"},
		{"nothing in common", "print(x)\n", "import os\n", "-print(x)\n+import os\n"},
		{"moved on", "total = a + b\n", "start = 0\ntotal = a + b + c\n", "+start = 0\n<total = a + b\n>total = a + b[ + c]\n"},
	} {
		if got := shown(Lines(tc.before, tc.after)); got != tc.want {
			t.Errorf("%s: got\n%swant\n%s", tc.name, got, tc.want)
		}
	}
}

// text is the whole line.
func text(l Line) string {
	var b strings.Builder
	for _, p := range l.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Whatever is compared, the old lines are the text before, the new ones the text after,
// both with their numbers, and what is called the same is.
func TestLinesAreBothTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.Map(rapid.SliceOf(rapid.StringMatching(`[ab ]{0,4}(é|x)?`)), func(l []string) string { return strings.Join(l, "\n") })
		before, after := texts.Draw(t, "before"), texts.Draw(t, "after")
		var a, b []string
		for _, r := range Lines(before, after) {
			if r.Kind != New {
				if a = append(a, text(r.Old)); r.Old.Number != len(a) {
					t.Fatalf("line %d is called %d", len(a), r.Old.Number)
				}
			}
			if r.Kind != Gone {
				if b = append(b, text(r.New)); r.New.Number != len(b) {
					t.Fatalf("line %d is called %d", len(b), r.New.Number)
				}
			}
			if (r.Kind == Same) != (r.Kind != New && r.Kind != Gone && text(r.Old) == text(r.New)) {
				t.Fatalf("kind %d for %q and %q", r.Kind, text(r.Old), text(r.New))
			}
		}
		if got := strings.Join(a, "\n"); got != strings.TrimSuffix(before, "\n") {
			t.Fatalf("before is %q, not %q", got, before)
		}
		if got := strings.Join(b, "\n"); got != strings.TrimSuffix(after, "\n") {
			t.Fatalf("after is %q, not %q", got, after)
		}
	})
}

// Texts of a megabyte have more different lines than there are letters below the
// surrogates.
func TestManyLines(t *testing.T) {
	var before, after strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&before, "line %d\n", i)
		if i != 60_000 {
			fmt.Fprintf(&after, "line %d\n", i)
		}
	}
	gone := 0
	for _, r := range Lines(before.String(), after.String()) {
		if r.Kind != Same {
			gone++
			if text(r.Old) != "line 60000" {
				t.Errorf("%q differs", text(r.Old))
			}
		}
	}
	if gone != 1 {
		t.Errorf("%d lines differ", gone)
	}
}

func BenchmarkLines(b *testing.B) {
	for _, lines := range []int{100, 40_000} {
		var before, after strings.Builder
		for i := range lines {
			fmt.Fprintf(&before, "value_%d = compute(%d)\n", i, i*7919%1000)
			fmt.Fprintf(&after, "value_%d = compute(%d)\n", i*(1+i%3), i*7907%1000)
		}
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			for b.Loop() {
				Lines(before.String(), after.String())
			}
		})
	}
}

func TestWords(t *testing.T) {
	for _, tc := range []struct{ before, after, want string }{
		{"the same", "the same", "= the same"},
		{"sort the list", "sort the whole list", "= sort the |+ whole |= list"},
		{"one\ntwo\n", "one\n2\n", "= one\n|- two|+ 2|= \n"},
		{"", "new", "+ new"},
		{"naïve", "naive", "- naïve|+ naive"},
		{"sort it by name", "sort all of them by name", "= sort |- it|+ all of them|=  by name"},
		{"one two three", "eins zwei three", "- one two|+ eins zwei|=  three"},
		{"f(x)", "f(y)", "= f(|- x|+ y|= )"},
	} {
		var got []string
		for _, d := range Words(tc.before, tc.after) {
			got = append(got, string("=-+"[d.Kind])+" "+d.Text)
		}
		if joined := strings.Join(got, "|"); joined != tc.want {
			t.Errorf("%q → %q: %q, want %q", tc.before, tc.after, joined, tc.want)
		}
	}
	// More words than there are characters below the surrogates, all different.
	var long strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&long, "w%d ", i)
	}
	list := Words(long.String(), long.String()+"end")
	if len(list) != 2 || list[0].Text != long.String() || list[1].Text != "end" {
		t.Errorf("%d parts of a long text differ", len(list))
	}
}

// TestWordsKeepTheTexts: both texts can be put together again from the runs.
func TestWordsKeepTheTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-c]{1,3}|[ \t\n(.é])*`)
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		var a, b strings.Builder
		for _, r := range Words(before, after) {
			if r.Kind != New {
				a.WriteString(r.Text)
			}
			if r.Kind != Gone {
				b.WriteString(r.Text)
			}
		}
		if a.String() != before || b.String() != after {
			t.Fatalf("%q and %q became %q and %q", before, after, a.String(), b.String())
		}
	})
}
