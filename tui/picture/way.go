package picture

import (
	"cmp"
	"strings"
)

// Way is a method by which a terminal shows pictures.
type Way int

// The methods. Half blocks need only colours.
const (
	Blocks    Way = iota
	Kitty         // sent once, and shown at placeholder characters
	ITerm2        // drawn over the screen
	Sixel         // also drawn over the screen
	KittyTmux     // Kitty through tmux
)

// Placeholders reports whether pictures appear at placeholder characters.
func (w Way) Placeholders() bool { return w == Kitty || w == KittyTmux }

// Overlays reports whether pictures are drawn over the screen, which must be suspended for them,
// see Shown.
func (w Way) Overlays() bool { return w == ITerm2 || w == Sixel }

// Detect returns the method of the terminal, from the environment. ASSAY_PICTURES (blocks, kitty,
// iterm2 or sixel) has precedence, then the tester's setting with the same values; any other
// setting is ignored. Within tmux or screen, which pass pictures on only if configured (tmux: set
// -g allow-passthrough on), it returns half blocks unless one of these is set; also for terminals
// of which only newer releases support sixel, since the environment does not have the release.
func Detect(getenv func(string) string, wish string) Way {
	switch strings.ToLower(cmp.Or(getenv("ASSAY_PICTURES"), wish)) {
	case "blocks":
		return Blocks
	case "kitty":
		if getenv("TMUX") != "" {
			return KittyTmux
		}
		return Kitty
	case "iterm2":
		return ITerm2
	case "sixel":
		return Sixel
	}
	term, program := getenv("TERM"), getenv("TERM_PROGRAM")
	switch {
	case getenv("TMUX") != "" || getenv("STY") != "" || strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "screen"):
		return Blocks
	case getenv("KITTY_WINDOW_ID") != "" || term == "xterm-kitty" || term == "xterm-ghostty" || program == "ghostty":
		return Kitty
	case program == "iTerm.app" || program == "WezTerm" || getenv("LC_TERMINAL") == "iTerm2":
		return ITerm2
	case term == "foot" || strings.HasPrefix(term, "foot-") || term == "mlterm" || term == "contour" || term == "yaft-256color":
		return Sixel
	}
	return Blocks
}
