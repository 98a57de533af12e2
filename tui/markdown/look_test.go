package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// looks are those of all themes on both backgrounds, each with the luminance of the page
// and the contrast that WCAG wants: 7 to 1 in the themes of high contrast, else 4.5.
func looks(t *testing.T, do func(name string, look Look, page, least float64)) {
	t.Helper()
	for _, name := range frame.ThemeNames() {
		for _, dark := range []bool{true, false} {
			theme := name.Theme(dark, true)
			page, least := 1.0, 4.5
			if theme.Dark {
				page = 0
			}
			if theme.Paper != nil {
				least = 7
			}
			do(fmt.Sprintf("%s, dark %v", name, theme.Dark), LookOf(theme, 80), page, least)
		}
	}
}

// Every colour of code can be read on its own background, or else on the page; those of prose are the theme's.
func TestContrastOfCode(t *testing.T) {
	looks(t, func(name string, look Look, page, least float64) {
		for kind := range chroma.StandardTypes {
			if kind < 0 { // a part of a page of HTML
				continue
			}
			entry := codeStyle(look).Get(kind)
			if !entry.Colour.IsSet() && !entry.Background.IsSet() {
				continue
			}
			front, back := 1-page, page // what the terminal has
			if entry.Colour.IsSet() {
				front = luminance(entry.Colour)
			}
			if entry.Background.IsSet() {
				back = luminance(entry.Background)
			}
			if got := contrast(front, back); got < least {
				t.Errorf("%s: %s has %.2f : 1, below %.1f", name, kind, got, least)
			}
		}
	})
}

// With 16 colours on a dark ground no code is blue, which many terminals draw too dark to read.
func TestFewColoursOfCode(t *testing.T) {
	for _, name := range frame.ThemeNames() {
		look := LookOf(name.Theme(true, true).FewColors(), 80)
		for kind := range chroma.StandardTypes {
			switch c := codeStyle(look).Get(kind).Colour; {
			case !look.Dark || !c.IsSet():
			case slices.Contains([]ansi.BasicColor{ansi.Black, ansi.Blue, ansi.BrightBlue}, ansi.Convert16(lipgloss.Color(c.String()))):
				t.Errorf("%s: %s is %s", name, kind, c)
			}
		}
	}
}

const rich = "# One `code`\n\nText with `code`, *words*, **words** and [a link](http://x).\n\n> quoted\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n" +
	"1. in a list\n\n   ```python\n   def f(): return \"x\"  # of a list\n   ```\n\n---\n\n" +
	"```python\nimport math\n\n@cache\ndef area(r: float) -> str:  # of a circle\n    \"\"\"The area.\"\"\"\n" +
	"    if r is None or not 0 < r <= 1e9:\n        raise ValueError(f\"wrong: {r}\")\n    return str(math.pi * r ** 2)\n```\n"

var sgrColour = regexp.MustCompile(`[34]8;[25];[\d;]+`)

// What is drawn has no colours but those.
func TestContrastOfWhatIsDrawn(t *testing.T) {
	looks(t, func(name string, look Look, page, least float64) {
		found := map[string]bool{}
		for _, c := range sgrColour.FindAllString(Render(rich, look), -1) {
			found[c] = true
			var r, g, b uint8
			if n, _ := fmt.Sscanf(c, "38;2;%d;%d;%d", &r, &g, &b); n != 3 {
				t.Errorf("%s: %q is a background, or a colour of the terminal's palette", name, c)
			} else if got := contrast(luminance(chroma.NewColour(r, g, b)), page); got < least {
				t.Errorf("%s: %q has %.2f : 1", name, c, got)
			}
		}
		if len(found) < 6 {
			t.Errorf("%s: %d colours are drawn", name, len(found))
		}
	})
	if text := Render(rich, Look{Width: 80}); sgrColour.MatchString(text) {
		t.Errorf("colours where there are none:\n%q", text)
	}
}

// The languages of tasks and of answers about them are coloured.
func TestLanguages(t *testing.T) {
	for _, name := range []string{"python", "go", "r", "java", "c++", "javascript", "typescript", "rust", "html", "mysql", "common-lisp"} {
		if lexers.Get(name) == nil {
			t.Errorf("%s is not known", name)
		}
	}
}
