package frame

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Theme is the set of styles of one terminal. Colour only ever repeats what a
// word or a glyph says already.
type Theme struct {
	Dark  bool
	Color bool

	Text   lipgloss.Style // ordinary text
	Dim    lipgloss.Style // what can be ignored
	Strong lipgloss.Style // the one thing to look at
	Accent lipgloss.Style // where I am, and keys
	Good   lipgloss.Style
	Bad    lipgloss.Style
	Warn   lipgloss.Style
	Code   lipgloss.Style
	Chosen lipgloss.Style // the line or value that is chosen
}

// NewTheme makes the theme for a dark or a light background. Without colour
// only bold, dim and reverse are left.
func NewTheme(dark, colored bool) Theme {
	t := Theme{
		Dark: dark, Color: colored,
		Dim: lipgloss.NewStyle().Faint(true), Strong: lipgloss.NewStyle().Bold(true),
		Accent: lipgloss.NewStyle().Bold(true), Chosen: lipgloss.NewStyle().Reverse(true),
	}
	if !colored {
		return t
	}
	pick := func(light, night string) color.Color {
		return lipgloss.LightDark(dark)(lipgloss.Color(light), lipgloss.Color(night))
	}
	// The pairs keep a contrast of at least 4.5 to 1 on white and on black, and
	// good and bad differ in lightness as well as in hue.
	t.Dim = lipgloss.NewStyle().Foreground(pick("#6b6b6b", "#8f8f8f"))
	t.Accent = lipgloss.NewStyle().Bold(true).Foreground(pick("#0b5cad", "#6cb6ff"))
	t.Good = lipgloss.NewStyle().Foreground(pick("#1a6e2e", "#7ee08a"))
	t.Bad = lipgloss.NewStyle().Foreground(pick("#b3261e", "#ff7b72"))
	t.Warn = lipgloss.NewStyle().Foreground(pick("#7a5200", "#e3b341"))
	t.Code = lipgloss.NewStyle().Foreground(pick("#4a3a8c", "#c9b8ff"))
	t.Chosen = lipgloss.NewStyle().Bold(true).Foreground(pick("#ffffff", "#000000")).Background(pick("#0b5cad", "#6cb6ff"))
	return t
}
