package frame_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/tui/frame"
)

// press is the press of a key by name.
func press(t fatal.Test, name string) (own func(frame.Keymap, frame.Scope, bool) string) {
	msg, err := frame.KeyNamed(name)
	fatal.If(t, err)
	if msg.String() != name {
		t.Fatal(name, "is pressed as", msg.String())
	}
	return func(k frame.Keymap, scope frame.Scope, typing bool) string { return k.Own(scope, typing, msg).String() }
}

// Keys change places, also in chains, and only where it was wished.
func TestKeymap(t *testing.T) {
	k, err := frame.NewKeymap([]frame.Remap{
		{Scope: frame.ScopeReview, Own: "y", Wanted: "s"},
		{Scope: frame.ScopeReview, Own: "r", Wanted: "y"},
		{Scope: frame.ScopeEverywhere, Own: "ctrl+p", Wanted: "f9"},
		{Scope: frame.ScopeRating, Own: "ctrl+p", Wanted: "f8"},
		{Scope: frame.ScopeTasks, Own: "esc", Wanted: "x"},
	})
	fatal.If(t, err)
	for _, c := range []struct {
		scope     frame.Scope
		typing    bool
		key, does string
	}{
		{frame.ScopeReview, false, "s", "y"}, {frame.ScopeReview, false, "y", "r"}, {frame.ScopeReview, false, "r", "s"},
		{frame.ScopeReview, false, "f9", "ctrl+p"}, {frame.ScopeReview, false, "ctrl+p", "f9"}, {frame.ScopeReview, false, "g", "g"},
		{frame.ScopeReview, true, "s", "s"}, {frame.ScopeReview, true, "y", "y"}, {frame.ScopeReview, true, "f9", "ctrl+p"},
		{frame.ScopeHome, false, "s", "s"}, {frame.ScopeHome, false, "f9", "ctrl+p"},
		{frame.ScopeRating, false, "f8", "ctrl+p"}, {frame.ScopeRating, false, "f9", "f9"},
		{frame.ScopeTasks, false, "x", "esc"}, {frame.ScopeTasks, true, "x", "x"}, {frame.ScopeTasks, true, "esc", "esc"},
		{"", false, "f9", "ctrl+p"},
	} {
		if got := press(t, c.key)(k, c.scope, c.typing); got != c.does {
			t.Errorf("%s in %q, typing %v, is %s, want %s", c.key, c.scope, c.typing, got, c.does)
		}
	}
	var none frame.Keymap
	if got := press(t, "y")(none, frame.ScopeReview, false); got != "y" || !none.IsZero() {
		t.Errorf("the empty map moves y to %s", got)
	}
}

// What cannot be is refused with the reason.
func TestKeymapRefuses(t *testing.T) {
	for _, c := range []struct {
		wishes []frame.Remap
		why    string
	}{
		{[]frame.Remap{{frame.ScopeReview, "y", "s"}, {frame.ScopeReview, "r", "s"}}, "wants the same key for \"y\""},
		{[]frame.Remap{{frame.ScopeReview, "y", "f9"}, {frame.ScopeEverywhere, "ctrl+p", "f9"}}, "[keys.review] wants the same key"},
		{[]frame.Remap{{frame.ScopeReview, "y", "hyper"}}, "the name of no key"},
		{[]frame.Remap{{frame.ScopeReview, "y", "shift+s"}}, `such as "S"`},
		{[]frame.Remap{{frame.ScopeReview, "y", "ctrl+S"}}, `called "ctrl+s"`},
		{[]frame.Remap{{frame.ScopeReview, "y", "ctrl+i"}}, "as tab"},
		{[]frame.Remap{{frame.ScopeReview, "y", "ctrl+c"}}, "leaves assay in any case"},
		{[]frame.Remap{{frame.ScopeCompose, "ctrl+s", "s"}}, "text is typed here"},
		{[]frame.Remap{{frame.ScopeEverywhere, "ctrl+p", "p"}}, "text is typed here"},
	} {
		_, err := frame.NewKeymap(c.wishes)
		var wrong *frame.RemapError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v: %v, want %q", c.wishes, err, c.why)
		}
	}
	if _, err := frame.NewKeymap([]frame.Remap{{frame.ScopeEverywhere, "?", "h"}}); err != nil {
		t.Error(err)
	}
}

// Whatever is wished for, in each scope every key leads to one of assay's and every one
// of assay's has a key: nothing gets out of reach, also while text is typed.
func TestKeymapLosesNothing(t *testing.T) {
	names := []string{"a", "b", "c", "d", "enter", "esc", "f1", "f2", "ctrl+s", "ctrl+k", "space", "up"}
	scopes := []frame.Scope{frame.ScopeReview, frame.ScopeTasks, frame.ScopeEverywhere}
	rapid.Check(t, func(rt *rapid.T) {
		wish := rapid.Custom(func(rt *rapid.T) frame.Remap {
			return frame.Remap{
				Scope: rapid.SampledFrom(scopes).Draw(rt, "scope"),
				Own:   rapid.SampledFrom(names).Draw(rt, "own"), Wanted: rapid.SampledFrom(names).Draw(rt, "wanted"),
			}
		})
		wishes := rapid.SliceOfNDistinct(wish, 0, 6, func(r frame.Remap) string { return string(r.Scope) + r.Own }).Draw(rt, "wishes")
		k, err := frame.NewKeymap(wishes)
		if err != nil {
			return
		}
		for _, scope := range frame.Scopes() {
			for _, typing := range []bool{false, true} {
				reached := map[string]string{}
				for _, name := range names {
					own := press(rt, name)(k, scope, typing)
					if other, twice := reached[own]; twice {
						rt.Fatalf("in %s %s and %s are both %s", scope, other, name, own)
					}
					reached[own] = name
					if back := k.Wanted(scope, typing, own); back != name {
						rt.Fatalf("in %s the legend says %s for %s, which %s does", scope, back, own, name)
					}
					if typing && frame.Printable(name) && own != name {
						rt.Fatalf("%s types %s", name, own)
					}
				}
			}
		}
	})
}

// Entries of legends are taken apart and written with other keys.
func TestLegend(t *testing.T) {
	for entry, want := range map[string][]string{
		"↑↓": {"up", "down"}, "1-5": {"1", "2", "3", "4", "5"}, "y n": {"y", "n"}, "any key": nil, "+-": {"+", "-"}, "[ ]": {"[", "]"},
		"↑↓ pgup pgdn home end": {"up", "down", "pgup", "pgdown", "home", "end"}, "tab ↓ ↑": {"tab", "down", "up"},
		"ctrl+s": {"ctrl+s"}, "?": {"?"}, "f4 f5": {"f4", "f5"}, "space": {"space"}, "/": {"/"},
	} {
		if got := frame.Presses(entry); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", entry, got, want)
		}
	}
	k, err := frame.NewKeymap([]frame.Remap{
		{frame.ScopeReview, "y", "s"}, {frame.ScopeReview, "up", "K"}, {frame.ScopeReview, "3", "pgdown"}, {frame.ScopeReview, "left", "("},
	})
	fatal.If(t, err)
	for entry, want := range map[string]string{
		"↑↓": "K↓", "1-5": "1 2 pgdn 4 5", "1-2": "1-2", "y n": "s n", "any key": "any key", "←→": "(→", "s": "y", "↑↓ pgdn": "K ↓ 3",
	} {
		if got := k.Legend(frame.ScopeReview, false, entry); got != want {
			t.Errorf("%q becomes %q, want %q", entry, got, want)
		}
	}
}
