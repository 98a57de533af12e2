package frame

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Scope is a part of the program in which a key always means the same.
type Scope string

// The scopes. Keys remapped everywhere are remapped in all other scopes, too.
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

// Scopes lists the scopes; ScopeEverywhere is the last.
func Scopes() []Scope {
	return []Scope{
		ScopeHome, ScopeSetup, ScopeTasks, ScopeCompose, ScopeWaiting, ScopeReview, ScopeRating, ScopeBetween, ScopeSummary,
		ScopeResults, ScopeReplay, ScopeModels, ScopePrompts, ScopeEstimate, ScopeOverlap, ScopeDifficulty, ScopeEverywhere,
	}
}

// typed reports whether a scope is mostly for typing text.
func (s Scope) typed() bool { return s == ScopeCompose || s == ScopeSetup || s == ScopeEverywhere }

// Remap gives one of assay's keys another key in a scope, as the tester's settings ask.
type Remap struct {
	Scope  Scope
	Own    string // assay's key
	Wanted string // the key to press for it
}

// RemapError tells why a key cannot be remapped.
type RemapError struct {
	Remap
	Why string
}

func (e *RemapError) Error() string {
	return fmt.Sprintf("[keys.%s] %q = %q: %s", e.Scope, e.Own, e.Wanted, e.Why)
}

// Keymap translates between the tester's keys and assay's own, which screens use. In each scope
// it is a permutation: a key that takes another's place moves to the place that became free, so
// that every action keeps a key. The zero Keymap remaps nothing.
type Keymap struct{ scopes map[Scope]permutations }

// permutations are the two permutations of a scope: while text is typed, only keys that type
// nothing are remapped, and only to such keys.
type permutations struct{ commands, typing permutation }

// permutation maps assay's remapped keys to the tester's, and back.
type permutation struct{ wanted, own map[string]string }

// NewKeymap makes a keymap; an error is a [RemapError].
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

// refused tells why a key cannot be remapped, whatever the others are.
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

// inScope lists the remaps of a scope; its own precede those for everywhere.
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

// permute completes remaps, no two of them to the same key, to a permutation: a key that is a
// target but not remapped itself moves to the start of the chain that ends in it.
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
		s = k.scopes[ScopeEverywhere] // a screen without a scope
	}
	if typing {
		return s.typing
	}
	return s.commands
}

// IsZero reports whether no key is remapped.
func (k Keymap) IsZero() bool { return len(k.scopes) == 0 }

// Own translates a press of the tester's into one of assay's keys. Typing reports whether text is
// being typed.
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

// Wanted returns the tester's key for one of assay's.
func (k Keymap) Wanted(scope Scope, typing bool, own string) string {
	if wanted, moved := k.at(scope, typing).wanted[own]; moved {
		return wanted
	}
	return own
}

// Legend translates an entry of a legend into the tester's keys.
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

// Keys translates the keys of a page into the tester's.
func (k Keymap) Keys(p Page, typing bool) []Key {
	keys := make([]Key, len(p.Keys))
	for i, key := range p.Keys {
		key.Press, key.Also = k.Legend(p.Scope, typing, key.Press), k.Legend(p.Scope, typing, key.Also)
		keys[i] = key
	}
	return keys
}
