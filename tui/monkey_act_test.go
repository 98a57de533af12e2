package tui_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/tuitest"
)

// act does one thing.
func (m *monkey) act() {
	select {
	case m.world.beat <- struct{}{}:
	default:
	}
	p := m.process
	switch kind := m.r.IntN(100); {
	case kind < 25:
		m.offered()
	case kind < 32:
		m.key(oneOf(m.r, keyNames))
	case kind < 35:
		k := oneOf(m.r, terminalKeys)
		m.did["keys of terminals"]++
		m.note(k.String())
		m.Send(k)
	case kind < 70:
		m.further()
	case kind < 77:
		m.key(oneOf(m.r, []string{"a", "0", "?", "é", "한", "🙂", "א", " ", "two words", "difficulty:", "\"", "-", "/", "x y z"}))
	case kind < 80:
		m.resize()
	case kind < 83:
		m.paste()
	case kind < 86:
		m.mouse()
	case kind < 87:
		m.did["focus"]++
		m.Send(oneOf(m.r, []tea.Msg{tea.BlurMsg{}, tea.FocusMsg{}}))
	case kind < 89:
		p.world.rig.Clock.Advance(m.r.Int64N(3000))
		select {
		case p.ticks <- tuitest.Noon():
		default:
		}
	case kind < 90:
		p.world.rig.Clock.Sleep(m.r.Int64N(10_000))
	case kind < 92:
		m.fault()
	case kind < 93:
		m.aside()
	default:
		m.breathe()
	}
}

// keyNames are all keys but those that start another program and that end this one.
var keyNames = slices.DeleteFunc(slices.Sorted(maps.Keys(tuitest.NamedKeys)), func(n string) bool { return n == "ctrl+o" || n == "ctrl+c" })

// further does what leads on.
func (m *monkey) further() {
	if m.size.TooSmall() {
		if m.r.IntN(3) == 0 {
			m.resize()
		}
		return
	}
	page := m.App.Page()
	switch {
	case strings.Contains(m.shown, listOfCommands):
		m.key("esc")
		return
	case m.offers("no"):
		m.key(oneOf(m.r, []string{"enter", "y", "esc"}))
		return
	}
	switch page.Scope {
	case frame.ScopeHome:
		m.key(oneOf(m.r, []string{"enter", "enter", "n", "up", "down", "r"}))
	case frame.ScopeCompose:
		m.key(oneOf(m.r, []string{"double it", "ctrl+s", "f8"})) // f8 where it has been given the meaning of ctrl+s
	case frame.ScopeWaiting:
		if m.offers("hand in") && m.r.IntN(3) > 0 {
			m.note("hand in")
			m.Send(tea.PasteMsg{Content: oneOf(m.r, []string{fixedAnswer, tuitest.WrongAnswer})})
			m.key("ctrl+s")
			return
		}
		m.breathe()
	case frame.ScopeReview:
		m.key(oneOf(m.r, []string{"y", "r", "s", "1", "2", "3", "4"}))
	case frame.ScopeRating:
		if m.r.IntN(8) == 0 {
			m.rate(page.Keys)
			return
		}
		m.key(oneOf(m.r, []string{"1", "2", "3", "4", "5", "5", "y", "n", "c", "o", "enter"}))
	default:
		m.key(oneOf(m.r, []string{"enter", "enter", "enter", "enter", "y", "space", "b", "esc"}))
	}
}

// listOfCommands is in the legend while the list lies over the page.
const listOfCommands = "do it  esc close"

// rate fills the form in and hands it in.
func (m *monkey) rate(keys []frame.Key) {
	for range 10 {
		m.key("2")
	}
	for _, k := range keys {
		if strings.Contains(k.Does, ": ") { // a value of a label
			m.key(k.Press)
		}
	}
	m.key("enter")
}

// offers reports whether the page has a key that does this.
func (m *monkey) offers(does string) bool {
	return slices.ContainsFunc(m.App.Page().Keys, func(k frame.Key) bool { return k.Does == does })
}

// offered presses a key of the legend.
func (m *monkey) offered() {
	if m.size.TooSmall() {
		return
	}
	keys := m.App.Page().Keys
	if len(keys) == 0 {
		return
	}
	names := strings.Fields(oneOf(m.r, keys).Press)
	if len(names) == 0 {
		return
	}
	name := oneOf(m.r, names)
	switch from, to, is := strings.Cut(name, "-"); {
	case is && len(from) == 1 && len(to) == 1:
		name = string(rune(from[0]) + m.r.Int32N(int32(to[0])-int32(from[0])+1))
	case name == "↑↓":
		name = oneOf(m.r, []string{"up", "down"})
	case name == "←→":
		name = oneOf(m.r, []string{"left", "right"})
	case name == "pgdn":
		name = "pgdown"
	}
	if name == "ctrl+o" {
		return
	}
	m.key(name)
}

// key presses a key, or types a text.
func (m *monkey) key(name string) {
	if (name == "q" || name == "esc") && m.r.IntN(6) > 0 && !m.size.TooSmall() && m.App.Page().Scope == frame.ScopeHome {
		return // it would go back too often to get anywhere
	}
	m.did["keys"]++
	m.note(name)
	if press, err := frame.KeyNamed(name); err == nil {
		m.Send(press)
		return
	}
	m.Press(name)
}

// note remembers what was done.
func (m *monkey) note(what string) {
	if len(m.last) > 60 {
		m.last = m.last[1:]
	}
	m.last = append(m.last, what)
}

func (m *monkey) resize() {
	m.did["resizes"]++
	m.size = oneOf(m.r, []frame.Size{
		{Width: 80, Height: 24}, {Width: 80, Height: 23}, {Width: 60, Height: 20}, {Width: 120, Height: 40}, {Width: 300, Height: 100},
		{Width: 20 + m.r.IntN(60), Height: 5 + m.r.IntN(20)}, {Width: 60 + m.r.IntN(150), Height: 20 + m.r.IntN(50)}, {Width: 60 + m.r.IntN(50), Height: 20 + m.r.IntN(10)},
	})
	m.note(fmt.Sprintf("%d×%d", m.size.Width, m.size.Height))
	m.Send(tea.WindowSizeMsg{Width: m.size.Width, Height: m.size.Height})
}

func (m *monkey) paste() {
	m.did["pastes"]++
	text := oneOf(m.r, []string{
		"", "pasted", "a\nb\r\nc\td", "\x1b[2J\x1b]0;x\x07\x1b]52;c;aGk=\x07", "שלום (123) abc", "👩‍👩‍👧 e\u0301 \u200b\u202e", "\xff\xfe", strings.Repeat("long ", 300),
		"```python\ndef double(n):\n    return 2 * n\n```", strings.Repeat("x", 1+m.r.IntN(3000)),
	})
	if m.r.IntN(60) == 0 {
		text = strings.Repeat("a line of a long paste\n", 4500) // 100 KB
	}
	m.note("paste " + strconv.Quote(text[:min(len(text), 20)]))
	m.Send(tea.PasteMsg{Content: text})
}

func (m *monkey) mouse() {
	m.did["mouse"]++
	x, y := m.r.IntN(m.size.Width+10), m.r.IntN(m.size.Height+10)
	m.note(fmt.Sprintf("mouse %d,%d", x, y))
	switch button := oneOf(m.r, []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseRight, tea.MouseWheelUp, tea.MouseWheelDown}); button {
	case tea.MouseLeft, tea.MouseRight:
		m.Send(tea.MouseClickMsg{X: x, Y: y, Button: button})
		m.Send(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
	default:
		m.Send(tea.MouseWheelMsg{X: x, Y: y, Button: button})
	}
}

// fault makes the next answers what models are like, or puts the disk into trouble.
func (m *monkey) fault() {
	m.did["faults"]++
	client := m.world.rig.Client
	switch m.r.IntN(10) {
	case 9:
		client.Answer(tuitest.Agent(m.r.IntN(40)))
	case 0, 1:
		m.fullDisk()
	case 2:
		client.Fail(&llm.Error{Class: llm.Unreachable, Message: "refused\x1b[2J", Advice: "is it running?"})
	case 3:
		client.Fail(&llm.Error{Class: llm.CutOff, Message: "cut off", Partial: "half an ans"})
	case 4:
		client.Fail(&llm.Error{Class: llm.RateLimited, Message: strings.Repeat("slow down ", 50)})
	case 5:
		client.Say(strings.Repeat("```python\ndef double(n):\n    return n # \x1b[31mwrong\n```\n\n# Head\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 1+m.r.IntN(40)))
	case 6:
		client.Answer(llm.Answer{Text: oneOf(m.r, []string{"", "Half an answ", tuitest.WrongAnswer}), FinishReason: oneOf(m.r, []string{"length", "content_filter", "refusal"})})
	case 7:
		client.Say(oneOf(m.r, []string{
			"", "no code", "```", tuitest.PlottingAnswer, "\xff", strings.Repeat("word ", 20_000), "אבג **fett** 한국어\n\n- 1\n  - 2\n", " \n\n \n",
			"```rust\nfn double(n: i32) -> i32 { 2 * n }\n```\n", "<!-- nothing to see -->", "[link]: http://localhost", "***", "\x1b[2J", "\u200b\u200b",
		}))
	case 8:
		if f, ok := m.world.disk.(*files); ok {
			what, err := f.lose(m.r)
			if err != nil {
				m.fail("%s: %v", what, err)
			}
			if what != "" {
				m.did[what]++
				m.note(what)
			}
		}
	}
}

// fullDisk refuses what is saved during some inputs, all of it or now and then.
func (m *monkey) fullDisk() {
	m.did["full disks"]++
	m.note("full disk")
	m.world.full = true
	defer func() {
		m.world.full = false
		m.world.disk.Fail(nil)
		m.note("room again")
	}()
	flickers := m.r.IntN(3) == 0
	for range 3 + m.r.IntN(8) {
		m.world.disk.Fail(errors.New("no space left on device"))
		if flickers && m.r.IntN(2) == 0 {
			m.world.disk.Fail(nil)
		}
		switch m.r.IntN(4) {
		case 0:
			m.offered()
		case 1:
			m.aside()
		default:
			m.further()
		}
		if m.Idle(); m.Quit {
			return
		}
		m.look()
	}
}

// aside is what comes between: a pause, a note, a question, the wish to leave, a signal, a
// suspension.
func (m *monkey) aside() {
	switch m.r.IntN(8) {
	case 0:
		m.note("suspend")
		m.Send(frame.SuspendMsg{})
	case 1:
		if m.r.IntN(4) > 0 {
			return
		}
		m.signal()
	case 2:
		m.key("f2")
	case 3, 4:
		m.key(oneOf(m.r, []string{"f12", "f10", "f3", "x"}))
		m.key("some words")
	default:
		m.key("ctrl+c")
		m.breathe()
		m.look()
		m.key(oneOf(m.r, []string{"esc", "esc", "r", "w", "y", "enter", "ctrl+c"}))
	}
}

// signal ends the program as SIGTERM does. What is not saved then is put into a file, or is
// the error that the program ends with.
func (m *monkey) signal() {
	m.did["signals"]++
	m.note("signal")
	kept, writing := m.written()
	live := m.process.opened()
	m.Send(tui.LeaveMsg{})
	if !m.wait(tuitest.Patience, func() bool { return m.Quit }) {
		m.fail("a signal does not end the program:\n%s", m.Screen())
	}
	if writing && m.App.Unsaved() == nil {
		m.compare(kept, m.log(live.State().Session), "the program ended as if all were saved")
	}
}

// breathe lets what is under way go on for a moment.
func (m *monkey) breathe() {
	for range 3 {
		m.world.rig.Client.Say(oneOf(m.r, []string{tuitest.RightAnswer, tuitest.RightAnswer, tuitest.WrongAnswer, tuitest.PlottingAnswer, "no code", enginetest.ResolvingDiff, enginetest.BreakingFiles, enginetest.UnfittingDiff}))
	}
	pause := time.NewTimer(3 * time.Millisecond)
	defer pause.Stop()
	for {
		select {
		case msg := <-m.Msgs:
			m.Send(msg)
		case m.world.beat <- struct{}{}:
		case <-pause.C:
			return
		}
	}
}
