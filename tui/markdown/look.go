package markdown

import (
	"math"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// Look is everything that a rendering depends on except the text.
type Look struct {
	Width       int
	Theme       frame.ThemeName
	Dark, Color bool
	Few         bool // the terminal has 16 colours at most
	Sideways    bool // long lines of code are not broken
	Breaks      bool // line breaks of prose are kept
	Verbatim    bool // a text is shown as it was written, line by line with numbers
}

// LookOf returns how texts are rendered in a theme.
func LookOf(theme frame.Theme, width int) Look {
	return Look{Width: width, Theme: theme.Name, Dark: theme.Dark, Color: theme.Color, Few: theme.Few, Sideways: theme.Sideways}
}

// colours returns the look without what only changes the layout.
func (l Look) colours() Look {
	l.Width, l.Sideways = 0, false
	return l
}

func (l Look) theme() frame.Theme {
	theme := l.Theme.Theme(l.Dark, l.Color)
	if l.Few {
		return theme.FewColors()
	}
	return theme
}

// Colours of github-dark.
var redKeyword, violet = chroma.MustParseColour("#ff7b72"), chroma.MustParseColour("#d2a8ff")

// The styles of code: chroma's, with colours changed that cannot be read on the page.
const (
	codeDark         = "assay-dark"
	codeDarkContrast = "assay-dark-contrast"
	codeDarkFew      = "assay-dark-few"
	codeLight        = "assay-light"
)

// prepareChroma registers the styles of code with chroma, all at once, since its lists have no lock.
var prepareChroma = sync.OnceFunc(func() {
	for name, from := range map[string]struct {
		base  string
		page  float64 // luminance of the page
		least float64
	}{codeDark: {"github-dark", 0, 6}, codeDarkFew: {"github-dark", 0, 6}, codeDarkContrast: {"modus-vivendi", 0, 7}, codeLight: {"modus-operandi", 1, 7}} {
		base, entries := styles.Registry[from.base], chroma.StyleEntries{}
		for _, kind := range base.Types() {
			e := base.Get(kind)
			e.Background, e.Border = 0, 0 // code has the page's background, or a ground of changed lines
			if from.base == "github-dark" {
				switch { // red is for failures alone
				case kind.InCategory(chroma.Keyword) && e.Colour == redKeyword:
					e.Colour = violet
				case kind.InCategory(chroma.Operator):
					e.Colour, e.Bold = 0, chroma.No
				case e.Colour == violet:
					e.Colour = 0
				}
			}
			for step := 0; step < 20 && e.Colour.IsSet() && contrast(luminance(e.Colour), from.page) < from.least; step++ {
				e.Colour = e.Colour.Brighten(0.1 - 0.2*from.page)
			}
			if name == codeDarkFew {
				e.Colour = fewColour(kind, e.Colour)
			}
			entries[kind] = e.String()
		}
		styles.Register(chroma.MustNewStyle(name, entries))
	}
})

// fewColour returns a colour that the nearest of 16 colours can be read for on black: none of the blues.
func fewColour(kind chroma.TokenType, c chroma.Colour) chroma.Colour {
	switch near := ansi.Convert16(lipgloss.Color(c.String())); {
	case !c.IsSet() || near == ansi.BrightCyan: // of plain text
		return 0
	case near == ansi.BrightBlue && kind.InCategory(chroma.Keyword):
		return chroma.MustParseColour("#ff00ff")
	case near == ansi.BrightBlue:
		return chroma.MustParseColour("#00ffff")
	case near == ansi.Blue:
		return chroma.MustParseColour("#9a9a9a")
	}
	return c
}

// codeStyle returns the style of code for a look.
func codeStyle(look Look) *chroma.Style {
	prepareChroma()
	theme := look.theme()
	switch {
	case theme.Dark && look.Few:
		return styles.Get(codeDarkFew)
	case theme.Dark && theme.Paper != nil:
		return styles.Get(codeDarkContrast)
	case theme.Dark:
		return styles.Get(codeDark)
	}
	return styles.Get(codeLight)
}

// contrast returns the "contrast ratio" of WCAG 2.2 of two luminances: from 1 to 21.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance returns the "relative luminance" of WCAG 2.2 of a colour: from 0 to 1.
func luminance(c chroma.Colour) float64 {
	linear := func(v uint8) float64 {
		if f := float64(v) / 255; f > 0.04045 {
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*linear(c.Red()) + 0.7152*linear(c.Green()) + 0.0722*linear(c.Blue())
}
