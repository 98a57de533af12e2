package frame

import (
	"image/color"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Theme is the set of styles of one terminal, and the names of the tester's keys. Colour
// only ever repeats what a word or a glyph says already.
type Theme struct {
	Dark  bool
	Color bool
	Name  ThemeName
	Keys  Keymap

	Sideways bool // long lines of code are not broken: the screen scrolls sideways

	Verbatim bool // answers are shown as they were written

	Text   lipgloss.Style // ordinary text
	Dim    lipgloss.Style // what can be ignored
	Strong lipgloss.Style // the one thing to look at
	Accent lipgloss.Style // where I am, and keys
	Good   lipgloss.Style
	Bad    lipgloss.Style
	Warn   lipgloss.Style
	Code   lipgloss.Style
	Chosen lipgloss.Style // the tab or value that is chosen
	Line   lipgloss.Style // rules and the edges of panes
	Row    lipgloss.Style // the chosen row of a list, whose cells keep their colours; see Ground
	Came   lipgloss.Style // the ground of a new or changed line
	Gone   lipgloss.Style // and of what it was before
	Few    bool           // there are too few colours for Row: the chosen row is drawn as Chosen

	// Paper and Ink are the colours of the terminal itself, where the theme sets them.
	Paper, Ink color.Color
}

// ThemeName is a choice of colours. Those that end in -dark and -light say which
// background the terminal has; the others ask it.
type ThemeName string

// The themes.
const (
	ThemeAuto              ThemeName = "auto"
	ThemeDark              ThemeName = "dark"
	ThemeLight             ThemeName = "light"
	ThemeHighContrast      ThemeName = "high-contrast"
	ThemeHighContrastDark  ThemeName = "high-contrast-dark"
	ThemeHighContrastLight ThemeName = "high-contrast-light"
	ThemeColourBlind       ThemeName = "colour-blind"
	ThemeColourBlindDark   ThemeName = "colour-blind-dark"
	ThemeColourBlindLight  ThemeName = "colour-blind-light"
)

// ThemeNames lists the themes.
func ThemeNames() []ThemeName {
	return []ThemeName{
		ThemeAuto, ThemeDark, ThemeLight, ThemeHighContrast, ThemeHighContrastDark, ThemeHighContrastLight,
		ThemeColourBlind, ThemeColourBlindDark, ThemeColourBlindLight,
	}
}

// dark reports whether a theme is for a dark background; asked is what the terminal said.
func (n ThemeName) dark(asked bool) bool {
	switch {
	case strings.HasSuffix(string(n), string(ThemeDark)):
		return true
	case strings.HasSuffix(string(n), string(ThemeLight)):
		return false
	}
	return asked
}

// tones are the colours of a theme on one background.
type tones struct{ dim, accent, good, bad, warn, code, onAccent, ground, line, came, gone string }

// tonesOf returns the colours of a theme. The contrast to white or black, and to the grounds of the
// chosen row and of changed lines, is at least 4.5 to 1, in those of high contrast 7 to 1; good and bad differ in
// lightness as well as in hue, and in the colour-blind ones they are blue and orange, which nobody
// confuses. Lines are quieter than any text, but in high contrast.
func tonesOf(n ThemeName, dark bool) tones {
	switch {
	case strings.HasPrefix(string(n), string(ThemeHighContrast)) && dark:
		return tones{"#c8c8c8", "#8fd0ff", "#a6ffb0", "#ff9c94", "#ffd866", "#dcd0ff", "#000000", "#12294a", "#c8c8c8", "#00240c", "#2e0000"}
	case strings.HasPrefix(string(n), string(ThemeHighContrast)):
		return tones{"#3d3d3d", "#003c80", "#004d14", "#8c0000", "#5c3d00", "#35206e", "#ffffff", "#dbe8f8", "#3d3d3d", "#e0f4e4", "#fbe4e2"}
	case strings.HasPrefix(string(n), string(ThemeColourBlind)) && dark:
		return tones{"#9a9a9a", "#f0e442", "#a3dcff", "#e07b00", "#e6a0c4", "#d6ccf5", "#000000", "#2e2a00", "#4b5059", "#06202f", "#2c1800"}
	case strings.HasPrefix(string(n), string(ThemeColourBlind)):
		return tones{"#5f5f5f", "#5b2a86", "#00417a", "#a34f00", "#8c2f62", "#3f3f3f", "#ffffff", "#efe3f8", "#b4b8bf", "#dfecf9", "#fbe8d8"}
	case dark:
		return tones{"#9a9a9a", "#6cb6ff", "#7ee08a", "#ff7b72", "#e3b341", "#c9b8ff", "#000000", "#1a2e55", "#4b5059", "#0d2416", "#2b1214"}
	}
	return tones{"#5f5f5f", "#0b5cad", "#1a6e2e", "#b3261e", "#7a5200", "#4a3a8c", "#ffffff", "#cfe0f5", "#b4b8bf", "#e0f4e4", "#fbe4e2"}
}

// NewTheme makes the theme for a dark or a light background. Without colour
// only bold, dim and reverse are left.
func NewTheme(dark, colored bool) Theme { return ThemeAuto.Theme(dark, colored) }

// Theme makes the styles of a theme. Dark is what the terminal said of its background.
func (n ThemeName) Theme(dark, colored bool) Theme {
	dark = n.dark(dark)
	t := Theme{
		Dark: dark, Color: colored, Name: n,
		Dim: lipgloss.NewStyle().Faint(true), Strong: lipgloss.NewStyle().Bold(true),
		Accent: lipgloss.NewStyle().Bold(true), Chosen: lipgloss.NewStyle().Reverse(true),
		Line: lipgloss.NewStyle().Faint(true), Few: true,
	}
	if !colored {
		return t
	}
	c := tonesOf(n, dark)
	t.inks(c)
	t.Came, t.Gone = lipgloss.NewStyle().Background(lipgloss.Color(c.came)), lipgloss.NewStyle().Background(lipgloss.Color(c.gone))
	t.Line, t.Row, t.Few = lipgloss.NewStyle().Foreground(lipgloss.Color(c.line)), lipgloss.NewStyle().Bold(true).Background(lipgloss.Color(c.ground)), false
	if strings.HasPrefix(string(n), string(ThemeHighContrast)) {
		t.Paper, t.Ink = lipgloss.Color("#ffffff"), lipgloss.Color("#000000")
		if dark {
			t.Paper, t.Ink = t.Ink, t.Paper
		}
	}
	return t
}

// inks sets the colours of texts, and of the chosen value.
func (t *Theme) inks(c tones) {
	ink := func(tone string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(tone)) }
	t.Dim, t.Good, t.Bad, t.Warn, t.Code = ink(c.dim), ink(c.good), ink(c.bad), ink(c.warn), ink(c.code)
	t.Accent = ink(c.accent).Bold(true)
	t.Chosen = ink(c.onAccent).Bold(true).Background(lipgloss.Color(c.accent))
}

// FewColors returns the theme for a terminal of 16 colours, which has none for a quiet ground or line. On a dark one the
// colours are chosen from the bright ones, of which blue is the one that cannot be read everywhere.
func (t Theme) FewColors() Theme {
	switch {
	case !t.Color || !t.Dark:
	case strings.HasPrefix(string(t.Name), string(ThemeColourBlind)):
		t.inks(tones{dim: "7", accent: "11", good: "14", bad: "9", warn: "13", code: "15", onAccent: "0"})
	default:
		t.inks(tones{dim: "7", accent: "14", good: "10", bad: "9", warn: "11", code: "13", onAccent: "0"})
	}
	t.Line, t.Few, t.Came, t.Gone = t.Dim, true, lipgloss.NewStyle(), lipgloss.NewStyle()
	return t
}

// Ground draws the chosen row of a list in width columns. Its cells keep their colours on a quiet ground, but where the
// terminal has too few.
func (t Theme) Ground(row string, width int) string {
	if t.Few {
		return t.Chosen.Render(ansi.Strip(row) + strings.Repeat(" ", max(0, width-Width(row))))
	}
	return On(t.Row, row, width)
}

// On draws a row in width columns on the ground of a style; its cells keep their colours.
func On(style lipgloss.Style, row string, width int) string {
	row += strings.Repeat(" ", max(0, width-Width(row)))
	begin, _, _ := strings.Cut(style.Render("x"), "x")
	if begin == "" {
		return row
	}
	return begin + strings.ReplaceAll(row, ansi.ResetStyle, ansi.ResetStyle+begin) + ansi.ResetStyle
}

// Item draws a row of a list in width columns, the chosen one behind a mark on its ground.
func (t Theme) Item(row string, chosen bool, width int) string {
	if !chosen {
		return "   " + row
	}
	return t.Ground(" "+t.Accent.Render("▸")+" "+row, width)
}

// Tab draws the name of a tab, the chosen one underlined.
func (t Theme) Tab(name string, chosen bool) string {
	if chosen {
		name = t.Accent.Underline(true).Render(name)
	}
	return " " + name + " "
}

// Given draws a value that is chosen among others, between brackets.
func (t Theme) Given(value string) string { return t.Accent.Render("[" + value + "]") }

// SignStyle returns the style of a text that begins with a sign of its state.
func (t Theme) SignStyle(text string) lipgloss.Style {
	switch r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " ")); r {
	case '✓':
		return t.Good
	case '✗':
		return t.Bad
	case '!', '‖':
		return t.Warn
	}
	return t.Dim
}

// Signed draws a text in the colour of the sign that it begins with: ✓, ✗, ! or ‖.
func (t Theme) Signed(text string) string { return t.SignStyle(text).Render(text) }

// Chip draws a verdict, such as "✗ wrong answer 2/3", on a ground of its colour; what is not judged has none.
func (t Theme) Chip(verdict string) string {
	style := t.SignStyle(verdict)
	if strings.ContainsAny(verdict[:min(len(verdict), 3)], "✓✗!") {
		if style = style.Bold(true).Reverse(true); t.Color { // reversed, its text would take the ground of a chosen row
			style = t.Chosen.Background(style.GetForeground())
		}
	}
	return style.Render(" " + verdict + " ")
}

// Press returns the name of the key to press for one of assay's own, for sentences.
func (t Theme) Press(scope Scope, own string) string {
	return ShownKey(t.Keys.Wanted(scope, false, own))
}

// Keyed names keys in a sentence as the tester has them: assay's own stand in braces, as in
// "{u} takes it back".
func (t Theme) Keyed(scope Scope, typing bool, sentence string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(sentence, "{")
		own, after, closed := strings.Cut(rest, "}")
		b.WriteString(before)
		if !found || !closed {
			return b.String()
		}
		b.WriteString(ShownKey(t.Keys.Wanted(scope, typing, own)))
		sentence = after
	}
}
