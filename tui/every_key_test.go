package tui_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/data/sampled"
	"assay/tui/frame"
	"assay/tui/tuitest"
)

// terminalKeys are the presses that terminals can send: every key that has a name and every character of a keyboard,
// alone and with each combination of modifiers, and letters and marks of other scripts.
var terminalKeys = func() []tea.KeyPressMsg {
	var all []tea.KeyPressMsg
	codes := []rune{tea.KeyEnter, tea.KeyEscape, tea.KeyTab, tea.KeyBackspace, tea.KeySpace, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight,
		tea.KeyHome, tea.KeyEnd, tea.KeyPgUp, tea.KeyPgDown, tea.KeyInsert, tea.KeyDelete, tea.KeyBegin, tea.KeyCapsLock, tea.KeyMenu, tea.KeyPause, tea.KeyKpEnter, tea.KeyMediaPlay}
	for f := range rune(24) {
		codes = append(codes, tea.KeyF1+f)
	}
	for c := rune('!'); c <= '~'; c++ {
		codes = append(codes, c)
		all = append(all, tea.KeyPressMsg{Code: c, Text: string(c)}, tea.KeyPressMsg{Code: c, Text: string(c)}) // twice: text is what people type
	}
	for _, text := range []string{" ", "é", "한", "🙂", "א", "e\u0301", "\u200b", "\u202e", "👩‍👩‍👧", "ß", "٣", "\ufffd"} {
		all = append(all, tea.KeyPressMsg{Code: []rune(text)[0], Text: text})
	}
	for _, code := range codes {
		for _, mod := range []tea.KeyMod{0, tea.ModAlt, tea.ModCtrl, tea.ModShift, tea.ModAlt | tea.ModCtrl, tea.ModAlt | tea.ModShift, tea.ModCtrl | tea.ModShift, tea.ModSuper} {
			k := tea.KeyPressMsg{Code: code, Mod: mod}
			if name := k.String(); name != "ctrl+o" && name != "ctrl+c" { // they start another program and end this one
				all = append(all, k)
			}
		}
	}
	return all
}()

// No key that a terminal can send makes any screen panic, in whatever state others have brought it: some keys of a random
// order on each screen, with ASSAY_MONKEY all of them in many orders. ASSAY_MONKEY_SEED is the seed of the first one.
func TestEveryKeyOfTheTerminal(t *testing.T) {
	if !sampled.All {
		t.Skip("some thousand keys")
	}
	rounds, most, seed := 1, 40, uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("ASSAY_MONKEY_SEED"), 10, 64); err == nil {
		seed = n
	}
	if n, err := strconv.Atoi(os.Getenv("ASSAY_MONKEY")); err == nil {
		rounds, most = max(1, n/100_000), len(terminalKeys)
	}
	for round := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed+round, 1))
		for _, screen := range append(slices.Clone(screens), longer...) {
			keys := slices.Clone(terminalKeys)
			r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			everyKey(t, seed+round, screen, keys[:most])
		}
	}
}

// everyKey presses keys one after the other, on a screen that is reached again when it was left.
func everyKey(t *testing.T, seed uint64, screen goldenScreen, keys []tea.KeyPressMsg) {
	var last []string
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("ASSAY_MONKEY_SEED=%d: %s panicked after %s", seed, screen.name, strings.Join(last, " · "))
			panic(p)
		}
	}()
	var d *tuitest.Driver
	var at frame.Scope
	for i, k := range keys {
		if d == nil || d.Quit || d.App.Page().Scope != at {
			d, last = screen.reach(t), nil
			at = d.App.Page().Scope
		}
		last = append(last, k.String())
		d.Send(k)
		if i%8 == 0 {
			d.Idle()
		}
		_ = d.Screen()
	}
}
