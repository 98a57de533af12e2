package plain

import (
	"testing"

	"pgregory.net/rapid"

	"assay/data/markdowntest"
	"assay/tui/frame"
)

// Nothing of an answer is lost where it is read aloud.
func TestNothingIsLost(t *testing.T) {
	markdowntest.Check(t, 300, func(t *rapid.T, source string) {
		if err := markdowntest.Kept(frame.Clean(source), frame.Plain(spoken(source))); err != nil {
			t.Fatal(err)
		}
	})
}
