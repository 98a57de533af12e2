package ready

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/work/live"
)

// Welcome shows a study's instructions with its declaration of consent before the first task.
type Welcome struct {
	*live.Session
	read bool // the tester has gone on
	text frame.Window
}

// Wanted reports whether the instructions are shown: until the tester goes on and, where the
// study asks for it, has agreed.
func (m *Welcome) Wanted() bool {
	in := m.State.Plan.Study
	switch {
	case in == nil:
		return false
	case m.State.WantsConsent():
		return true
	}
	return !m.read && !m.State.Begun() && m.State.Consented == ""
}

// Keys lists the keys of the instructions.
func (m *Welcome) Keys() []frame.Key {
	w := m
	keys := []frame.Key{
		{Press: "y", Does: "I agree", Fit: func(k *frame.Key) {
			if !m.State.WantsConsent() {
				k.Press = ""
			} else if !m.welcomeEnd() {
				k.Why = "read it to its end first"
			}
		}, Do: func() tea.Cmd {
			w.read = true
			return m.Intend(live.Step(m.Eng.Consent))
		}},
		{Press: "enter", Does: "go on", Fit: func(k *frame.Key) {
			if k.More = m.State.WantsConsent(); !k.More {
				return
			}
			if k.Does = "read on"; m.welcomeEnd() {
				k.Why = "agreeing has a key of its own"
			}
		}, Do: func() tea.Cmd {
			if m.State.WantsConsent() {
				return w.text.Move("pgdown")
			}
			w.read = true
			return nil
		}},
		{Press: "space", Does: "read on", Run: w.text.Move, Fit: func(k *frame.Key) {
			if m.welcomeEnd() {
				k.Press = ""
			}
		}},
		{Press: "esc", Also: "q", Does: "home", Do: frame.GoBack}, frame.HelpKey, w.text.Key(),
		{Press: "pgup pgdn", Does: "by pages", More: true, Run: w.text.Move},
	}
	return append(keys, frame.Motions(w.text.Move)[1:]...)
}

// welcomeLines wraps instructions and consent.
func (m *Welcome) welcomeLines() []string {
	in := m.State.Plan.Study
	width := min(max(20, m.Size.Body().Width-6), 76)
	var lines []string
	part := func(head, text string) {
		if text == "" {
			return
		}
		lines = append(lines, "", "   "+m.Theme.Strong.Render(head), "")
		for _, paragraph := range strings.Split(reflow(frame.Plain(text)), "\n") {
			for _, line := range strings.Split(frame.Wrap(paragraph, width), "\n") {
				lines = append(lines, strings.TrimRight("   "+line, " "))
			}
		}
	}
	part(frame.OneLine(in.Name), in.Instructions)
	lines = append(lines, m.terminalCheck()...)
	part("What you agree to, version "+frame.OneLine(in.ConsentVersion), in.Consent)
	return lines
}

// reflow joins the lines of each paragraph, which were broken for the study file. A line that
// begins with a space or a list marker stays a line.
func reflow(text string) string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		first, _ := utf8.DecodeRuneInString(line)
		own := strings.TrimSpace(line) == "" || !unicode.IsLetter(first) && !strings.ContainsRune("\"'(“‘«", first)
		if last := len(lines) - 1; last >= 0 && !own && strings.TrimSpace(lines[last]) != "" {
			lines[last] = strings.TrimRight(lines[last], " ") + " " + line
		} else {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// terminalCheck describes the terminal, and asks for what only the tester can see.
func (m *Welcome) terminalCheck() []string {
	lines := []string{"", "   " + m.Theme.Strong.Render("Your terminal"), ""}
	row := func(glyph, text string) {
		for i, line := range strings.Split(frame.Wrap(text, max(20, m.Size.Width-7)), "\n") {
			if i > 0 {
				glyph = " "
			}
			lines = append(lines, "   "+glyph+" "+line)
		}
	}
	size := fmt.Sprintf("%d columns and %d rows", m.Size.Width, m.Size.Height)
	if m.Size.Narrow() {
		row("!", size+": it works, and is better from 80 columns on")
	} else {
		row("✓", size)
	}
	if m.Theme.Color {
		row("✓", "colours: "+m.Theme.Good.Render("green")+" "+m.Theme.Bad.Render("red")+" "+m.Theme.Accent.Render("blue")+"; they only repeat what words say")
	} else {
		row("✓", "no colours: everything is said in words")
	}
	row("?", "do you see a tick ✓, a cross ✗, three dots …, a block █, a wide letter 字?")
	row(" ", "if one is a question mark or a box, another font shows it")
	return lines
}

// welcomeEnd reports whether the last line is shown; before, nobody can agree.
func (m *Welcome) welcomeEnd() bool {
	m.text.Fit(m.Size.Body().Height, len(m.welcomeLines()))
	return m.text.Top() >= m.text.Below()
}

func (m *Welcome) Page() frame.Page {
	shown := m.text.Of(m.welcomeLines(), m.Size.Body().Height)
	return frame.Page{Body: strings.Join(shown, "\n"), Seen: m.text.Seen(), Status: m.State.Plan.ModelShown()}
}
