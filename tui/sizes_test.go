package tui_test

import (
	"strings"
	"testing"

	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/tuitest"
)

// A screen of 80 columns and 23 rows, which tmux leaves of 24, has the words that one of 24
// rows has: a row less shortens no line.
func TestARowLess(t *testing.T) {
	t.Parallel()
	for name, screen := range map[string]struct {
		reach func(t *testing.T) *tuitest.Driver
		words []string
	}{
		"home": {func(t *testing.T) *tuitest.Driver {
			return tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 80, 24)
		}, []string{"open: continue, results, name, delete"}},
		"form": {func(t *testing.T) *tuitest.Driver {
			return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("n")
		}, []string{"prompts you may send for a task", "same seed, same order"}},
		"tests": {func(t *testing.T) *tuitest.Driver { return tuitest.Reviewing(t, tuitest.WrongAnswer) }, []string{"1 answer  2 tests ✗ 2/3  3 changes"}},
	} {
		d := screen.reach(t).Sees(screen.words...)
		for _, height := range []int{23, 20} {
			d.Look(frame.Size{Width: 80, Height: height}, true, true)
			for _, words := range screen.words {
				if !strings.Contains(d.Screen(), words) {
					t.Errorf("%s at 80×%d lacks %q:\n%s", name, height, words, d.Screen())
				}
			}
		}
	}
}
