package markdown

import (
	"fmt"
	"image/color"
	"regexp"
	"strings"
	"unicode"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	escapes "github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
)

// Page renders a page of the manual, section by section: by Glamour, which wraps the cells of wide tables, and where that
// would leave out a letter or digit, as of HTML or of a long cell, as [Render] does.
func Page(text string, look Look) string {
	prepareChroma()
	formatter := "noop"
	if look.Color {
		formatter = "terminal16m" // that of 256 colours picks at random between equally near ones
	}
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(pageStyle(look)),
		glamour.WithWordWrap(look.Width-2),
		glamour.WithChromaFormatter(formatter),
	)
	if err != nil {
		return Render(text, look)
	}
	var sections []string
	for _, section := range sectionsOf(frame.Clean(text)) {
		drawn, err := renderer.Render(section)
		if drawn = frame.Indent(strings.Trim(drawn, "\n"), " "); err != nil || !whole(section, drawn) {
			drawn = Render(section, look)
		}
		sections = append(sections, drawn)
	}
	return strings.Join(sections, "\n\n")
}

// sectionsOf splits a text before its headings of the second level; those in code are none.
func sectionsOf(text string) []string {
	sections := []string{""}
	var f fence
	for line := range strings.Lines(text) {
		if f.step(strings.TrimRight(line, "\r\n")); !f.open && strings.HasPrefix(line, "## ") {
			sections = append(sections, "")
		}
		sections[len(sections)-1] += line
	}
	return sections
}

// whole reports whether all letters and digits of a source are drawn. Those of cells that wrap are in another order.
func whole(source, drawn string) bool {
	missing := map[rune]int{}
	count := func(text string, by int) {
		for _, r := range text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				missing[r] += by
			}
		}
	}
	count(fenceLines.ReplaceAllString(source, ""), 1)
	count(escapes.Strip(drawn), -1)
	for _, n := range missing {
		if n > 0 {
			return false
		}
	}
	return true
}

// fenceLines matches the lines around code, whose language need not be drawn.
var fenceLines = regexp.MustCompile("(?m)^ *```.*$")

// pageStyle returns Glamour's style, with the theme's colours and without margins, so that text can be selected
// unchanged.
func pageStyle(look Look) ansi.StyleConfig {
	theme, yes := look.theme(), true
	none, two, quote := uint(0), uint(2), "│ "
	style := ansi.StyleConfig{
		Document:       ansi.StyleBlock{Margin: &none},
		BlockQuote:     ansi.StyleBlock{Indent: &two, IndentToken: &quote},
		List:           ansi.StyleList{LevelIndent: two},
		Heading:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{BlockSuffix: "\n", Bold: &yes}},
		HorizontalRule: ansi.StylePrimitive{Format: "\n────────\n"},
		Strong:         ansi.StylePrimitive{Bold: &yes},
		Item:           ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration:    ansi.StylePrimitive{BlockPrefix: ". "},
		// By name: Glamour keeps its own colours of code once for the process. Without a theme it takes backslashes from code.
		CodeBlock: ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{Margin: &two}, Theme: codeStyle(look).Name},
	}
	if !look.Color {
		style.Code = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "`", Suffix: "`"}}
		return style
	}
	ink := func(of lipgloss.Style) *string {
		text := hex(of.GetForeground())
		return &text
	}
	style.H1.Underline, style.H1.Color, style.H2.Color = &yes, ink(theme.Accent), ink(theme.Accent)
	style.Emph.Italic, style.Code.Color = &yes, ink(theme.Code)
	style.Link.Color, style.Link.Underline = ink(theme.Accent), &yes
	return style
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
