package picture

import (
	"cmp"
	"strings"
)

// Way is how a terminal shows pictures.
type Way int

// The ways. Half blocks need nothing but colours.
const (
	Blocks    Way = iota
	Kitty         // sent once, and shown where placeholder characters stand
	ITerm2        // drawn over the screen
	Sixel         // drawn over the screen, too
	KittyTmux     // as Kitty, through a tmux that passes it on
)

// Name is how a way is called on the screen.
func (w Way) Name() string {
	return [...]string{"half blocks", "kitty's graphics", "iTerm2's pictures", "sixel", "kitty's graphics through tmux"}[w]
}

// Placeholders reports whether pictures stand where placeholder characters do.
func (w Way) Placeholders() bool { return w == Kitty || w == KittyTmux }

// Overlays reports whether pictures are drawn over the screen, which must be put aside
// for them, see Shown.
func (w Way) Overlays() bool { return w == ITerm2 || w == Sixel }

// Detect tells from the environment how the terminal shows pictures. ASSAY_PICTURES
// (blocks, kitty, iterm2 or sixel) decides where it is set, then the tester's wish, which
// may be the same words, or anything else. Within tmux or screen, which
// pass pictures on only where they are told to (tmux: set -g allow-passthrough on), half
// blocks are used unless one of these says otherwise. So they are in
// terminals whose newer releases only know sixel, since the environment does not tell
// the release.
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
