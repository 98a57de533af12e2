package markdown_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"assay/tui/frame"
	"assay/tui/markdown"
)

const answer = "Here it is:\n\n```python\nimport math\n\n@cache\ndef area(r: float) -> str:  # of a circle\n    \"\"\"The area.\"\"\"\n" +
	"    if r is None or not 0 < r <= 1e9:\n        raise ValueError(f\"wrong: {r}\")\n    return str(math.pi * r ** 2)\n```\n"

var colours = regexp.MustCompile(`38;2;(\d+);(\d+);(\d+)`)

// Code can be read on the background of the theme, and follows it: by the contrast of
// WCAG at least 7 to 1 in the themes of high contrast, and 4.5 in the others.
func TestCodeContrast(t *testing.T) {
	linear := func(text string) float64 {
		n, _ := strconv.Atoi(text) // digits, by the pattern
		if v := float64(n) / 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return float64(n) / 255 / 12.92
	}
	for _, name := range frame.ThemeNames() {
		for _, dark := range []bool{true, false} {
			theme := name.Theme(dark, true)
			least, paper := 4.5, 1.0
			if theme.Paper != nil {
				least = 7
			}
			if theme.Dark {
				paper = 0
			}
			found := colours.FindAllStringSubmatch(markdown.Render(answer, markdown.LookOf(theme, 80)), -1)
			if len(found) < 5 {
				t.Errorf("%s, dark %v: code has %d colours", name, theme.Dark, len(found))
			}
			worst := map[string]string{}
			for _, c := range found {
				light := 0.2126*linear(c[1]) + 0.7152*linear(c[2]) + 0.0722*linear(c[3])
				if got := (max(light, paper) + 0.05) / (min(light, paper) + 0.05); got < least {
					worst[c[0]] = fmt.Sprintf("%.2f", got)
				}
			}
			if len(worst) > 0 {
				t.Errorf("%s, dark %v: contrasts below %.1f: %v", name, theme.Dark, least, worst)
			}
		}
	}
}
