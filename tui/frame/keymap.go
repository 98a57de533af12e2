package frame

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Scope is the part of the program in which keys mean the same.
type Scope string

// The scopes. What is moved everywhere is moved in each of the others, too.
const (
	ScopeHome       Scope = "home"
	ScopeSetup      Scope = "setup"
	ScopeTasks      Scope = "tasks"
	ScopeCompose    Scope = "compose"
	ScopeWaiting    Scope = "waiting"
	ScopeReview     Scope = "review"
	ScopeRating     Scope = "rating"
	ScopeBetween    Scope = "between"
	ScopeSummary    Scope = "summary"
	ScopeResults    Scope = "results"
	ScopeReplay     Scope = "replay"
	ScopeModels     Scope = "models"
	ScopePrompts    Scope = "prompts"
	ScopeEstimate   Scope = "estimate"
	ScopeOverlap    Scope = "overlap"
	ScopeDifficulty Scope = "difficulty"
	ScopeEverywhere Scope = "everywhere"
)

// Scopes lists the scopes, the one for all of them last.
func Scopes() []Scope {
	return []Scope{
		ScopeHome, ScopeSetup, ScopeTasks, ScopeCompose, ScopeWaiting, ScopeReview, ScopeRating, ScopeBetween, ScopeSummary,
		ScopeResults, ScopeReplay, ScopeModels, ScopePrompts, ScopeEstimate, ScopeOverlap, ScopeDifficulty, ScopeEverywhere,
	}
}

// typed reports whether text is typed in a scope most of the time.
func (s Scope) typed() bool {
	return s == ScopeCompose || s == ScopeSetup || s == ScopeEverywhere
}

// Remap is a wish of the tester: in a scope, another key for one of assay's own.
type Remap struct {
	Scope  Scope
	Own    string // assay's key
	Wanted string // the key to press for it
}

// RemapError says why a wish cannot be fulfilled.
type RemapError struct {
	Remap
	Why string
}

func (e *RemapError) Error() string {
	return fmt.Sprintf("[keys.%s] %q = %q: %s", e.Scope, e.Own, e.Wanted, e.Why)
}

// Keymap stands between the tester's keys and assay's own, by which screens are
// written. In each scope it is a permutation: a key that something is moved to goes to
// where that was, so that everything can be reached. The zero Keymap moves nothing.
type Keymap struct{ scopes map[Scope]permutations }

// permutations are those of a scope. While text is typed only keys that type nothing
// are moved, and only to such.
type permutations struct{ commands, typing permutation }

// permutation has the tester's key for each of assay's that is moved, and back.
type permutation struct{ wanted, own map[string]string }

// NewKeymap fulfils wishes, or says which one cannot be.
func NewKeymap(wishes []Remap) (Keymap, error) {
	for _, w := range wishes {
		if why := w.refused(); why != "" {
			return Keymap{}, &RemapError{w, why}
		}
	}
	if len(wishes) == 0 {
		return Keymap{}, nil
	}
	k := Keymap{map[Scope]permutations{}}
	for _, scope := range Scopes() {
		here := inScope(wishes, scope)
		var quiet []Remap
		for i, w := range here {
			for _, other := range here[:i] {
				if other.Wanted == w.Wanted {
					return Keymap{}, &RemapError{w, fmt.Sprintf("[keys.%s] wants the same key for %q: give one of them another", other.Scope, other.Own)}
				}
			}
			if !Printable(w.Own) && !Printable(w.Wanted) {
				quiet = append(quiet, w)
			}
		}
		k.scopes[scope] = permutations{permute(here), permute(quiet)}
	}
	return k, nil
}

// refused says why a wish cannot be fulfilled whatever the others are.
func (w Remap) refused() string {
	for _, name := range [...]string{w.Own, w.Wanted} {
		if _, err := KeyNamed(name); err != nil {
			return err.Error()
		}
		if name == "ctrl+c" {
			return "ctrl+c leaves assay in any case: choose another key"
		}
	}
	if w.Scope.typed() && Printable(w.Wanted) && !Printable(w.Own) {
		return fmt.Sprintf("text is typed here, and %q would be part of it: choose a key such as f9 or ctrl+k", w.Wanted)
	}
	return ""
}

// inScope are the wishes that hold in a scope; its own come before those for everywhere.
func inScope(wishes []Remap, scope Scope) []Remap {
	var here []Remap
	has := map[string]bool{}
	for _, w := range wishes {
		if w.Scope == scope {
			here, has[w.Own] = append(here, w), true
		}
	}
	for _, w := range wishes {
		if w.Scope == ScopeEverywhere && scope != ScopeEverywhere && !has[w.Own] {
			here = append(here, w)
		}
	}
	return here
}

// permute moves keys as they are wanted, no two to the same one. A key that is moved to
// without being moved itself goes to where the moves that end in it began.
func permute(wishes []Remap) permutation {
	p := permutation{map[string]string{}, map[string]string{}}
	for _, w := range wishes {
		p.wanted[w.Own], p.own[w.Wanted] = w.Wanted, w.Own
	}
	for _, w := range wishes {
		if _, moved := p.wanted[w.Wanted]; moved {
			continue
		}
		first := w.Own
		for before, ok := p.own[first]; ok; before, ok = p.own[first] {
			first = before
		}
		p.wanted[w.Wanted], p.own[first] = first, w.Wanted
	}
	return p
}

func (k Keymap) at(scope Scope, typing bool) permutation {
	s, ok := k.scopes[scope]
	if !ok {
		s = k.scopes[ScopeEverywhere] // a screen that names no scope
	}
	if typing {
		return s.typing
	}
	return s.commands
}

// IsZero reports whether no key is moved.
func (k Keymap) IsZero() bool { return len(k.scopes) == 0 }

// Own is the press of assay's key that a press stands for. Typing reports whether text is
// typed.
func (k Keymap) Own(scope Scope, typing bool, msg tea.KeyPressMsg) tea.KeyPressMsg {
	name, moved := k.at(scope, typing).own[msg.String()]
	if !moved {
		return msg
	}
	own, err := KeyNamed(name)
	if err != nil {
		return msg
	}
	return own
}

// Wanted is the name of the key to press for one of assay's.
func (k Keymap) Wanted(scope Scope, typing bool, own string) string {
	if wanted, moved := k.at(scope, typing).wanted[own]; moved {
		return wanted
	}
	return own
}

// Legend is an entry of a legend with the tester's keys in the place of assay's.
func (k Keymap) Legend(scope Scope, typing bool, entry string) string {
	var shown []string
	moved, wide := false, false
	for _, own := range Presses(entry) {
		wanted := k.Wanted(scope, typing, own)
		moved = moved || wanted != own
		text := ShownKey(wanted)
		wide = wide || Width(text) > 1
		shown = append(shown, text)
	}
	switch {
	case !moved:
		return entry
	case wide || strings.Contains(entry, " ") || strings.Contains(entry, "-"):
		return strings.Join(shown, " ")
	}
	return strings.Join(shown, "")
}

// Keys are the keys of a page as the tester presses them.
func (k Keymap) Keys(p Page, typing bool) []Key {
	keys := make([]Key, len(p.Keys))
	for i, key := range p.Keys {
		key.Press = k.Legend(p.Scope, typing, key.Press)
		keys[i] = key
	}
	return keys
}
