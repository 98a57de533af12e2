package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

var look80 = Look{Width: 80, Dark: true, Color: true}

// page is a text of about n bytes, prose and code by turns.
func page(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nThis paragraph says in a few **words** why the function below does what it does, and `f%d` how.\n\n", i, i)
		fmt.Fprintf(&b, "```python\ndef f%d(n):\n    \"\"\"Twice n,\n    and %d.\"\"\"\n    return 2 * n + %d  # added\n```\n\n", i, i, i)
	}
	return b.String()
}

func plain(rows []string) string { return ansi.Strip(strings.Join(rows, "\n")) }

// However a text is cut into pieces, what is seen of it in the end is the same.
func TestStreamInPieces(t *testing.T) {
	text := page(3000) + "And an open fence:\n\n~~~go\nfunc main() {\n\tprintln(\"wörld\")"
	whole := NewStream()
	whole.Follow()
	whole.Resize(look80, 40)
	whole.Feed(text)
	want := strings.Join(whole.View(), "\n")
	if !strings.Contains(ansi.Strip(want), " ▏ func main() {\n ▏     println(\"wörld\")") {
		t.Fatalf("the end is not seen:\n%s", want)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := NewStream()
		s.Follow()
		s.Resize(look80, 40)
		for at := 0; at < len(text); {
			at = min(len(text), at+rapid.IntRange(1, 400).Draw(t, "piece"))
			s.Feed(text[:at])
			if rows := s.View(); len(rows) > 40 {
				t.Fatalf("%d rows are drawn", len(rows))
			}
		}
		if got := strings.Join(s.View(), "\n"); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// Scrolling up stops following; what is seen stays while the text grows; the end follows
// again.
func TestStreamStays(t *testing.T) {
	s := NewStream()
	s.Resize(look80, 10)
	s.Feed(page(4000))
	if s.Following() || !s.More() || !strings.HasPrefix(plain(s.View()), " Part 0") {
		t.Errorf("it begins with\n%s", plain(s.View()))
	}
	s.Follow()
	s.Scroll(-7)
	before := plain(s.View())
	if s.Following() {
		t.Fatal("it follows after scrolling up")
	}
	s.Feed(page(9000))
	if after := plain(s.View()); after != before {
		t.Errorf("what is seen moved:\n%s\nto\n%s", before, after)
	}
	s.Scroll(3)
	s.Scroll(-3)
	if after := plain(s.View()); after != before {
		t.Error("down and up is not where it was")
	}
	s.Follow()
	if end := plain(s.View()); end == before || !s.Following() {
		t.Error("it does not follow")
	}
	s.Scroll(-1)
	if s.Scroll(1); !s.Following() {
		t.Error("scrolled to the end, it does not follow")
	}
	s.Top()
	if !strings.HasPrefix(plain(s.View()), " Part 0") {
		t.Errorf("the beginning is\n%s", plain(s.View()))
	}
}

// Another width keeps the line at the top, and no row is wider.
func TestStreamResized(t *testing.T) {
	s := NewStream()
	s.Resize(look80, 12)
	s.Feed(page(6000) + strings.Repeat("x", 9000) + "\n```python\n" + strings.Repeat("é", 3000))
	s.Follow()
	s.Scroll(-150)
	for _, width := range []int{40, 120, 57} {
		s.Resize(Look{Width: width, Dark: true, Color: true}, 12)
		for _, row := range s.View() {
			if w := ansi.StringWidth(row); w > width {
				t.Errorf("%d columns of %d: %q", w, width, row)
			}
		}
	}
	s.Follow()
	for _, row := range s.View() {
		if w := ansi.StringWidth(row); w > 57 {
			t.Errorf("%d columns of 57: %q", w, row)
		}
	}
}

// A string of several lines has its colour in each of them while it streams.
func TestStreamColours(t *testing.T) {
	s := NewStream()
	s.Resize(look80, 10)
	s.Feed("```python\ntext = \"\"\"one\ndef two():\n\"\"\"\ndef three():\n")
	rows := s.View()
	sgr := func(row, word string) string {
		head, _, _ := strings.Cut(row, word)
		return head[strings.LastIndex(head, "\x1b["):]
	}
	if sgr(rows[2], "def") == sgr(rows[4], "def") {
		t.Errorf("a keyword in a string looks like one outside:\n%q\n%q", rows[2], rows[4])
	}
	s = NewStream()
	s.Resize(Look{Width: 80}, 10)
	s.Feed("```python\ndef two():\n")
	if row := strings.Join(s.View(), ""); sgrColour.MatchString(row) {
		t.Errorf("colours without colour: %q", row)
	}
}

// What is in a text cannot reach the terminal.
func TestStreamIsClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("(\x1b\\[2J|\x1b]0;x\x07|\u009b31m|```\n|~~~py\n|a b|é|\r|\n|\t)*").Draw(t, "text")
		s := NewStream()
		s.Resize(Look{Width: 40}, 30)
		s.Feed(text)
		for _, row := range s.View() {
			for _, r := range strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[m", "").Replace(row) {
				if r < 0x20 || r >= 0x7f && r < 0xa0 {
					t.Fatalf("%q has %U", row, r)
				}
			}
		}
	})
}

// The place of a reader in the streamed text is found in the rendered one, and after
// another width.
func TestPlace(t *testing.T) {
	text := page(20_000)
	s := NewStream()
	s.Resize(look80, 20)
	s.Feed(text)
	rendered := Blocks(text, look80).Rows()
	narrow := Blocks(text, Look{Width: 50, Dark: true, Color: true}).Rows()
	for _, part := range []int{3, 40, 77} {
		s.Top()
		for !strings.Contains(plain(s.View()[:1]), fmt.Sprintf("def f%d(n)", part)) {
			s.Scroll(1)
		}
		for name, rows := range map[string][]string{"rendered": rendered, "narrow": narrow} {
			row := s.Place().Row(rows)
			if !strings.Contains(plain(rows[row:row+1]), fmt.Sprintf("def f%d(n)", part)) {
				t.Errorf("%s: part %d is taken to %q", name, part, rows[row])
			}
			if back := PlaceOf(rows, row).Row(rendered); !strings.Contains(rendered[back], fmt.Sprintf("f%d", part)) {
				t.Errorf("%s: part %d goes back to %q", name, part, rendered[back])
			}
		}
	}
	s.Top()
	if row := s.Place().Row(rendered); row != 0 {
		t.Errorf("the beginning is row %d", row)
	}
}

// Prose goes to the renderer of Markdown once, code never.
func TestGiven(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		most int
	}{
		"mixed":     {page(40_000), 40_000},
		"one fence": {"Here:\n\n```python\n" + strings.Repeat("x = 1  # one\n", 3000) + "```\n", 100},
		"links":     {"See [a].\n\n```\nx\n```\n\nAnd [b].\n\n[a]: http://a\n[b]: http://b\n", 200},
		"too long":  {strings.Repeat("words and words\n\n", 10_000), MaxRendered},
	} {
		if got := Blocks(tc.text, look80).Given; got > tc.most {
			t.Errorf("%s: %d bytes of %d", name, got, len(tc.text))
		}
	}
	if got := Render("See [a].\n\n```\nx\n```\n\nAnd [b].\n\n[a]: http://a\n[b]: http://b\n", Look{Width: 80}); !strings.Contains(got, "http://a") || !strings.Contains(got, "http://b") {
		t.Errorf("a link leads nowhere:\n%s", got)
	}
}

// Fences are found as CommonMark has them, and prose is taken apart only where what follows
// cannot change it.
func TestSplit(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"one", "a\n```py\nb\n```\nc\n", "a\n|py:b\n|c\n"},
		{"open", "```\nb\n", ":b\n"},
		{"longer", "````md\n```\nx\n```\n````\n", "md:```\nx\n```\n"},
		{"tildes", "~~~\n```\n~~~\n", ":```\n"},
		{"in a list", "- a\n  ```\n  b\n\n  ```\n- c\n", "- a\n  ```\n  b\n\n  ```\n- c\n"},
		{"in a line", "a ``` b\n```x```\n", "a ``` b\n```x```\n"},
		{"empty", "```\n```\n", ":"},
		{"paragraphs", "a\nb\n\nc\n", "a\nb\n|c\n"},
		{"loose list", "- a\n\n  b\n\n- c\n\nd\n", "- a\n\n  b\n\n- c\n|d\n"},
		{"a list in a paragraph", "a:\n- b\n\n- c\n", "a:\n- b\n\n- c\n"},
	} {
		var parts []string
		for _, p := range split(tc.text) {
			if p.code {
				p.text = p.info + ":" + p.text
			}
			parts = append(parts, p.text)
		}
		if got := strings.Join(parts, "|"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// What a redraw of a streaming answer costs does not depend on its length.
func BenchmarkStreamRedraw(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%d KB", size>>10), func(b *testing.B) {
			text := page(size + 2<<20)
			s := NewStream()
			s.Resize(Look{Width: 120, Dark: true, Color: true}, 40)
			s.Feed(text[:size])
			at := size
			for b.Loop() {
				if at += 130; at >= len(text) { // what a thousand tokens a second bring in a thirtieth of it
					b.StopTimer()
					s = NewStream()
					s.Resize(Look{Width: 120, Dark: true, Color: true}, 40)
					s.Feed(text[:size])
					at = size
					b.StartTimer()
				}
				s.Feed(text[:at])
				s.View()
			}
		})
	}
}

// Nor does what another width costs.
func BenchmarkStreamResize(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%d KB", size>>10), func(b *testing.B) {
			s := NewStream()
			s.Resize(Look{Width: 80, Dark: true, Color: true}, 40)
			s.Feed(page(size))
			for i := 0; b.Loop(); i++ {
				s.Resize(Look{Width: 80 + i%40, Dark: true, Color: true}, 40)
				s.View()
			}
		})
	}
}
