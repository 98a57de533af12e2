package markdown

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// pieces of Markdown that models write.
var pieces = []string{
	"# One\n\n", "## Two\nwith text\n\n", "### Three\n\n", "#### Four\n\n", "##### Five\n\n", "###### Six\n\n", "Setext\n======\n\n", "Setext two\n---\n\n",
	"Some **bold** and `code_with(a, name)` and *slanted* words, which go on until they have to be wrapped somewhere.\n\n",
	"- one\n- two\n  - nested\n    - deeper\n- three\n\n", "1. first\n2. second\n\n   with a paragraph\n\n3. third\n\n", "* loose\n\n* list\n\n",
	"1. Code:\n\n   ```python\n   x = 1\n\n   y = 2\n   ```\n\n2. After it.\n\n",
	"| a | b |\n|---|--:|\n| 1 | 2 |\n| `x` | long words in a cell |\n\n", "> quoted\n> text\n\n", "---\n\n", "- [x] done\n- [ ] to do\n\n",
	"```python\ndef f(a):\n    \"\"\"Two\n    lines.\"\"\"\n    return a  # done\n```\n\n", "```\nplain\n\n\n```\n\n", "~~~go\nfunc main() {\n\tprintln(\"wörld\")\n}\n~~~\n",
	"```python\nresult = some_function(argument_number_one, argument_number_two, argument_number_three, four)\n```\n", "\n\n", "    indented = code\n\n",
	"Ends without a blank line\n", "See [here](http://example.org) and https://example.org.\n\n", "<b>html</b>\n\n",
}

// An answer looks the same while it streams as when it is whole: at every piece, what is
// there of it; and in the end every row, with its styles.
func TestStreamLooksLikeTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "text"), "")
		look := Look{Width: rapid.SampledFrom([]int{40, 80, 110}).Draw(t, "width"), Dark: true, Color: rapid.Bool().Draw(t, "colour"), Sideways: rapid.Bool().Draw(t, "sideways"), Verbatim: rapid.Bool().Draw(t, "verbatim")}
		s := NewStream()
		s.Resize(look, 10_000)
		for at := 0; at < len(text); {
			at = min(len(text), at+rapid.IntRange(1, 300).Draw(t, "piece"))
			s.Feed(text[:at])
			if shown := s.View(); strings.HasSuffix(text[:at], "\n") {
				same(t, text[:at], shown, look)
			}
		}
		same(t, text, s.View(), look)
	})
}

func same(t *rapid.T, text string, shown []string, look Look) {
	got, want := strings.TrimRight(strings.Join(shown, "\n"), "\n"), strings.Join(Blocks(text, look).Rows(), "\n")
	if got != want {
		t.Fatalf("%q streams as\n%s\nand is\n%s", text, got, want)
	}
}

// All headings are drawn as headings, without the signs that make them.
func TestHeadings(t *testing.T) {
	for _, look := range []Look{{Width: 60}, {Width: 60, Dark: true, Color: true}} {
		drawn := Render("# A1\n\n## A2\n\n### A3\n\n#### A4\n\n##### A5\n\n###### A6\n\nS1\n===\n\nS2\n---\n", look)
		if plain := ansi.Strip(drawn); plain != " A1\n\n A2\n\n A3\n\n A4\n\n A5\n\n A6\n\n S1\n\n S2" {
			t.Errorf("%v: the headings are\n%s", look, plain)
		}
		for _, row := range strings.Split(drawn, "\n") {
			if row != "" && !strings.Contains(row, "\x1b[1") && !strings.Contains(row, ";1") {
				t.Errorf("%v: %q is not bold", look, row)
			}
		}
	}
}

// Every construct of Markdown arrives in the form that readers know.
func TestConstructs(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"nested list", "- one\n  - two\n    - three\n- four\n", " • one\n   • two\n     • three\n"},
		{"numbers go on after a gap", "3. three\n\n4. four\n", " 3. three\n 4. four"},
		{"quote", "> said\n> so\n", " │ said so"},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |\n", "│"},
		{"code in a list", "- do:\n\n  ```\n  x = 1\n  ```\n", "x = 1"},
		{"inline code", "Use `x`.\n", " Use `x`."},
		{"task", "- [x] done\n- [ ] open\n", " • [x] done\n • [ ] open"},
		{"long line", "```\nf(aaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbb)\n```\n", " ▏ f(aaaaaaaaaaaaaaaaaa,\n ▏ ↳ bbbbbbbbbbbbbbbbbbbb)"},
		{"long line in a list", "- x\n\n  ```\n  f(aaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbb)\n  ```\n", " ▏ f(aaaaaaaaaaaaaaaaaaaaa,\n    ▏ ↳ bbbbbbbbbbbbbbbbbbbb)"},
		{"paragraphs in a list", "1. Strip it.\n\n   Then go.\n2. End.\n", " 1. Strip it.\n\n    Then go.\n\n 2. End."},
		{"a list's own numbers", "2. a\n2. b\n", " 2. a\n 2. b"},
		{"hard break", "one  \ntwo\\\nthree\nfour\n", " one\n two\n three four"},
		{"generics", "vector<int>, Map<String, List<Integer>>, foo<T>() and &lt;\n", " vector<int>, Map<String,\n List<Integer>>, foo<T>() and\n &lt;"},
		{"html", "a<br>b\n\n<div class=\"x\">\nc\n</div>\n", " a<br>b\n\n <div class=\"x\">\n c\n </div>"},
		{"footnotes", "One[^1] two[^b].\n\n[^1]: First.\n[^b]: Second.\n", " One[^1] two[^b].\n\n [^1]: First.\n [^b]: Second."},
		{"links", "[a](http://x \"T\") and [b][r]\n\n[r]: http://y\n", " a (http://x \"T\") and [b][r]\n\n [r]: http://y"},
		{"tabs in a quote", ">    ```\n>a = 1\n>\tb = 2\n", "│  ▏ a = 1\n │  ▏ b = 2"},
		{"powers", "2**n and 3**n, a*b*c\n", "2**n and 3**n, a*b*c"},
		{"doctest", "Twice.\n>>> f(2)\n4\n>>> f(3)\n6\n", " Twice.\n >>> f(2)\n 4\n >>> f(3)\n 6"},
		{"quote in a quote", "> a\n> > b\n", " │ a\n │\n │ │ b"},
		{"language", "```python\nx\n```\n", " ▏ python\n ▏ x"},
		{"wide table", "| a | b |\n|---|---|\n| long words in one cell | and in the other |\n", " a │ b\n ────────\n long words in one cell │ and\n   in the other"},
		{"cells without a head", "| a |\n|---|\n| 1 | 2 |\n", " a\n ──┼──\n 1 │ 2"},
		{"arrow", "words words words words words a->b\n", " words words words words words\n a->b"},
	} {
		if got := ansi.Strip(Render(tc.text, Look{Width: 32})); !strings.Contains(got, tc.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}
