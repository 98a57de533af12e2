package tui_test

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/work"
)

// hears waits for something to be sent to the terminal beside the screen.
func (d *driver) hears(want string) *driver {
	d.T.Helper()
	return d.until("a terminal that is sent "+want, func(string) bool { return strings.Contains(d.Raw, want) })
}

// The title of the window says which task this is, and what arrived while another window had
// the focus; the bell and a notification say so, too, once.
func TestNotified(t *testing.T) {
	title := func(d *driver, want string) {
		t.Helper()
		d.until("the window's title "+want, func(string) bool { return d.App.View().WindowTitle == want })
	}
	said := make(chan string)
	d, _ := answeredBy(t, model(func(context.Context, func(string)) (string, error) { return <-said, nil }), work.Options{})
	title(d, "assay · task 1 of 3 · tiny")
	d.press("x", "ctrl+s").sees("waiting for the first words")
	said <- "Evil: \x1b]0;owned\x07\x1b]9;x\x07\n\n" + rightAnswer
	d.sees("tests ✓").settled()
	if strings.Contains(d.Raw, "\x07") {
		t.Errorf("with the focus the terminal is sent %q", d.Raw)
	}
	d.press("r").sees("your next message")
	d.press("x", "ctrl+s").sees("waiting for the first words")
	d.send(tea.BlurMsg{})
	said <- "The text of the model.\n\n" + rightAnswer
	d.sees("tests ✓", "attempt 2/").hears("\x1b]9;assay: the answer has arrived\x07\x07")
	if title := d.App.View().WindowTitle; !strings.HasPrefix(title, "✓ assay · task 1 of 3 · tiny · the ") {
		t.Errorf("the window's title is %q", title)
	}
	if strings.Contains(d.Raw, "model") || strings.Count(d.Raw, "the answer has arrived") != 1 {
		t.Errorf("the terminal is sent %q", d.Raw)
	}
	d.send(tea.FocusMsg{})
	title(d, "assay · task 1 of 3 · tiny")
}

// How somebody is told is a setting, and else what the terminal knows, which may be a guest's.
func TestNotifications(t *testing.T) {
	const news = "the answer has arrived"
	for _, tc := range []struct {
		name, settings string
		env            tea.EnvMsg
		want           string
	}{
		{"iTerm's", "", nil, "\x1b]9;assay: " + news + "\x07\x07"},
		{"rxvt's", "", tea.EnvMsg{"TERM=rxvt-unicode-256color"}, "\x1b]777;notify;assay;" + news + "\x07\x07"},
		{"of terminals built on VTE", "", tea.EnvMsg{"TERM=xterm-256color", "VTE_VERSION=7600"}, "\x1b]777;notify;assay;" + news + "\x07\x07"},
		{"chosen", `notify = "osc9"`, tea.EnvMsg{"TERM=rxvt"}, "\x1b]9;assay: " + news + "\x07\x07"},
		{"the bell", `notify = "bell"`, nil, "\x07"},
		{"none", `notify = "off"`, nil, ""},
	} {
		d, _ := begin(t, 1)
		d.use(tc.settings + "\n").send(tc.env)
		d.send(tea.BlurMsg{})
		d.Raw = ""
		d.send(frame.NotifyMsg{What: news})
		if d.settled(); tc.want != "" {
			d.hears(tc.want)
		}
		if d.Raw != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, d.Raw, tc.want)
		}
	}
	d, _ := begin(t, 1)
	d.send(tea.BlurMsg{})
	d.send(frame.NotifyMsg{What: "a\x1b]0;b\x07;c\u009c✓"})
	d.hears("\x1b]9;assay: a,c")
	if strings.Count(d.Raw, "\x1b") != 1 || strings.ContainsAny(d.Raw, "✓\u009c") {
		t.Errorf("a notification can be broken out of: %q", d.Raw)
	}
}

// A prompt that comes to nothing while another window has the focus is told of, too.
func TestNotifiedOfFailure(t *testing.T) {
	fail := make(chan struct{})
	d, _ := answeredBy(t, model(func(context.Context, func(string)) (string, error) {
		<-fail
		return "", &llm.Error{Class: llm.Unreachable, Message: "refused", Advice: "is it running?"}
	}), work.Options{})
	d.press("x", "ctrl+s").sees("waiting for the first words")
	d.send(tea.BlurMsg{})
	close(fail)
	d.sees("cost no attempt").hears("no answer came")
}

// Where the locale is not UTF-8, every screen is written in ASCII, and nothing moves.
func TestASCIIScreens(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			d := s.reach(t).settled()
			rows := strings.Split(d.screen(), "\n")
			d.send(tea.EnvMsg{"LANG=de_DE.ISO-8859-1"})
			for i, row := range strings.Split(d.screen(), "\n") {
				if strings.IndexFunc(row, func(r rune) bool { return r >= 0x80 }) >= 0 {
					t.Errorf("row %d is %q", i, row)
				}
				if frame.Width(row) != frame.Width(rows[i]) {
					t.Errorf("row %d is %q, and was %q", i, row, rows[i])
				}
			}
			if title := d.App.View().WindowTitle; frame.ASCII(title) != title {
				t.Errorf("the window's title is %q", title)
			}
		})
	}
	d, _ := begin(t, 1)
	d.send(tea.EnvMsg{"LANG=C"})
	d.until("ASCII", func(screen string) bool { return frame.ASCII(screen) == screen })
	d.use("glyphs = \"unicode\"\n").sees("──")
	d.send(tea.EnvMsg{"LANG=C.UTF-8"})
	d.use("glyphs = \"ascii\"\n").sees("--").lacks("─")
}
