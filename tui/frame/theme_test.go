package frame_test

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

type rgb [3]float64 // linear light

// linear undoes the gamma of sRGB (WCAG 2.2, "relative luminance").
func linear(c color.Color) rgb {
	r, g, b, _ := c.RGBA()
	var out rgb
	for i, v := range [3]uint32{r, g, b} {
		s := float64(v) / 0xffff
		if out[i] = s / 12.92; s > 0.04045 {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

func (c rgb) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// contrast is WCAG's ratio of two colours.
func contrast(a, b color.Color) float64 {
	x, y := linear(a).luminance(), linear(b).luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// deficiencies are full dichromacies as matrices over linear light (Machado, Oliveira and
// Fernandes 2009, severity 1).
var deficiencies = map[string][3]rgb{
	"none":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func (c rgb) seen(m [3]rgb) rgb {
	var out rgb
	for i := range out {
		out[i] = min(1, max(0, m[i][0]*c[0]+m[i][1]*c[1]+m[i][2]*c[2]))
	}
	return out
}

// lab is CIELAB under D65.
func (c rgb) lab() rgb {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(c.luminance())
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return rgb{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// distance is CIE76's colour difference.
func distance(a, b rgb) float64 {
	x, y := a.lab(), b.lab()
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

// Every style of every theme can be read on the background that it is for.
func TestContrast(t *testing.T) {
	// Black against white is 21 to 1, and #767676 the lightest grey of 4.54 on white.
	if got := contrast(color.White, color.Black); math.Abs(got-21) > 1e-9 {
		t.Fatalf("black on white is %v", got)
	}
	if got := contrast(color.White, lipgloss.Color("#767676")); math.Abs(got-4.54) > 0.005 {
		t.Fatalf("#767676 on white is %v", got)
	}
	for _, name := range frame.ThemeNames() {
		for _, dark := range []bool{true, false} {
			theme := name.Theme(dark, true)
			paper := color.Color(color.White)
			if theme.Dark {
				paper = color.Black
			}
			least := 4.5
			if theme.Paper != nil {
				if least = 7; contrast(theme.Paper, paper) > 1.0001 || contrast(theme.Ink, paper) < 20.9 {
					t.Errorf("%s: paper %v, ink %v", name, theme.Paper, theme.Ink)
				}
			}
			for what, style := range map[string]lipgloss.Style{
				"dim": theme.Dim, "accent": theme.Accent, "good": theme.Good, "bad": theme.Bad, "warn": theme.Warn, "code": theme.Code, "chosen": theme.Chosen,
			} {
				on := paper
				if bg := style.GetBackground(); bg != (lipgloss.NoColor{}) {
					on = bg
				}
				grounds := []color.Color{on}
				if on == paper { // it stands on the chosen row, and on changed lines, too
					grounds = append(grounds, theme.Row.GetBackground(), theme.Came.GetBackground(), theme.Gone.GetBackground())
				}
				for _, on := range grounds {
					if got := contrast(style.GetForeground(), on); got < least {
						t.Errorf("%s, dark %v: %s has a contrast of %.2f on %v, below %.1f", name, theme.Dark, what, got, on, least)
					}
				}
			}
		}
	}
}

// Good and bad are told apart, in the colour-blind themes by everybody, and by lightness
// as well as by hue.
func TestGoodAndBad(t *testing.T) {
	for _, name := range frame.ThemeNames() {
		forAll := strings.HasPrefix(string(name), string(frame.ThemeColourBlind))
		for _, dark := range []bool{true, false} {
			theme := name.Theme(dark, true)
			good, bad := linear(theme.Good.GetForeground()), linear(theme.Bad.GetForeground())
			for deficiency, m := range deficiencies {
				seen := distance(good.seen(m), bad.seen(m))
				if (forAll || deficiency == "none") && seen < 40 {
					t.Errorf("%s, dark %v: with %s good and bad are %.1f apart, below 40", name, theme.Dark, deficiency, seen)
				}
			}
			light := math.Abs(good.lab()[0] - bad.lab()[0])
			if forAll && light < 15 {
				t.Errorf("%s, dark %v: good and bad differ by %.1f in lightness", name, theme.Dark, light)
			}
		}
	}
}

// With 16 colours on a dark ground nothing is blue, which many terminals draw too dark to read, and signs and what is chosen
// have colours of their own.
func TestFewColours(t *testing.T) {
	for _, name := range frame.ThemeNames() {
		theme := name.Theme(true, true).FewColors()
		if !theme.Dark {
			continue
		}
		seen := map[color.Color]string{}
		for what, style := range map[string]lipgloss.Style{"dim": theme.Dim, "accent": theme.Accent, "good": theme.Good, "bad": theme.Bad, "warn": theme.Warn, "code": theme.Code} {
			near := ansi.Convert16(style.GetForeground())
			if other, taken := seen[near]; taken || near == ansi.Blue || near == ansi.BrightBlue || contrast(near, color.Black) < 4.5 {
				t.Errorf("%s: %s is %d, as %q", name, what, near, other)
			}
			seen[near] = what
		}
	}
}

// Without colour nothing has any.
func TestNoColour(t *testing.T) {
	for _, name := range frame.ThemeNames() {
		theme := name.Theme(true, false)
		for _, style := range []lipgloss.Style{theme.Text, theme.Dim, theme.Strong, theme.Accent, theme.Good, theme.Bad, theme.Warn, theme.Code, theme.Chosen} {
			if style.GetForeground() != (lipgloss.NoColor{}) || style.GetBackground() != (lipgloss.NoColor{}) {
				t.Errorf("%s has colour", name)
			}
		}
		if theme.Paper != nil || theme.Ink != nil {
			t.Errorf("%s colours the terminal", name)
		}
	}
}

// A chip has a ground in the colour of its sign, which nothing else has; without colours its sign and its weight remain.
func TestChips(t *testing.T) {
	for _, name := range frame.ThemeNames() {
		for _, dark := range []bool{true, false} {
			theme := name.Theme(dark, true)
			for verdict, style := range map[string]lipgloss.Style{"✓ accepted 6/6": theme.Good, "✗ wrong answer 2/3": theme.Bad, "! sandbox error": theme.Warn} {
				if got, want := theme.Chip(verdict), theme.Chosen.Background(style.GetForeground()).Render(" "+verdict+" "); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
				if got := theme.Signed(verdict); got != style.Render(verdict) {
					t.Errorf("%s: %q", name, got)
				}
			}
			if got := theme.Chip("– none"); got != theme.Dim.Render(" – none ") {
				t.Errorf("%s: %q", name, got)
			}
			if got := name.Theme(dark, false).Chip("✓ 6/6"); got != "\x1b[1;7m ✓ 6/6 \x1b[m" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// Panes fill their room exactly, with a title each, and the focused one's stands out.
func TestPanes(t *testing.T) {
	theme := frame.NewTheme(true, true)
	for _, texts := range [][]string{{"a"}, {"a\nb", strings.Repeat("long ", 20)}, {"", "界界", strings.Repeat("x\n", 30)}} {
		var panes []frame.Pane
		width := len(texts) - 1
		for i, text := range texts {
			panes = append(panes, frame.Pane{Title: fmt.Sprint("pane", i), Text: text, Width: 20 + i, Focused: i == 0})
			width += 20 + i
		}
		drawn := frame.Panes(6, theme, panes...)
		rows := strings.Split(drawn, "\n")
		if len(rows) != 7 {
			t.Errorf("%d rows", len(rows))
		}
		for _, row := range rows {
			if w := frame.Width(row); w > width || len(texts) > 1 && strings.Count(row, "│")+strings.Count(row, "┬") != len(texts)-1 {
				t.Errorf("%d columns of %d: %q", w, width, row)
			}
		}
		if len(texts) > 1 && (!strings.HasPrefix(drawn, theme.Accent.Render("── ")+theme.Accent.Render("pane0")) || !strings.Contains(drawn, theme.Dim.Render("pane1"))) {
			t.Errorf("the titles are %q", rows[0])
		}
	}
}

// The chosen row is as wide as the list, and its cells keep their colours but where there are too few.
func TestGround(t *testing.T) {
	theme := frame.NewTheme(true, true)
	row := theme.Good.Render("✓") + " done"
	if got := theme.Ground(row, 10); ansi.Strip(got) != "✓ done    " || !strings.Contains(got, theme.Good.Render("✓")) {
		t.Errorf("%q", got)
	}
	for _, few := range []frame.Theme{theme.FewColors(), frame.NewTheme(true, false)} {
		if got := few.Ground(row, 10); got != few.Chosen.Render("✓ done    ") {
			t.Errorf("%q", got)
		}
	}
}
