package tui_test

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// The title of the window says which task this is, and what arrived while another window had
// the focus; the bell and a notification say so, too, once.
func TestNotified(t *testing.T) {
	title := func(d *tuitest.Driver, want string) {
		t.Helper()
		d.Until("the window's title "+want, func(string) bool { return d.App.View().WindowTitle == want })
	}
	said := make(chan string)
	d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(context.Context, func(string)) (string, error) { return <-said, nil }), work.Options{})
	title(d, "assay · task 1 of 3 · tiny")
	d.Press("x", "ctrl+s").Sees("waiting for the first words")
	said <- "Evil: \x1b]0;owned\x07\x1b]9;x\x07\n\n" + tuitest.RightAnswer
	d.Sees("tests ✓").Settled()
	if strings.Contains(d.Raw, "\x07") {
		t.Errorf("with the focus the terminal is sent %q", d.Raw)
	}
	d.Press("r").Sees("your next message")
	d.Press("x", "ctrl+s").Sees("waiting for the first words")
	d.Send(tea.BlurMsg{})
	said <- "The text of the model.\n\n" + tuitest.RightAnswer
	d.Sees("tests ✓", "attempt 2 of").Hears("\x1b]9;assay: the answer has arrived\x07\x07")
	if title := d.App.View().WindowTitle; !strings.HasPrefix(title, "✓ assay · task 1 of 3 · tiny · the ") {
		t.Errorf("the window's title is %q", title)
	}
	if strings.Contains(d.Raw, "model") || strings.Count(d.Raw, "the answer has arrived") != 1 {
		t.Errorf("the terminal is sent %q", d.Raw)
	}
	d.Send(tea.FocusMsg{})
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
		d, _ := tuitest.Begin(t, 1)
		d.Use(tc.settings + "\n").Send(tc.env)
		d.Send(tea.BlurMsg{})
		d.Raw = ""
		d.Send(frame.NotifyMsg{What: news})
		if d.Settled(); tc.want != "" {
			d.Hears(tc.want)
		}
		if d.Raw != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, d.Raw, tc.want)
		}
	}
	d, _ := tuitest.Begin(t, 1)
	d.Send(tea.BlurMsg{})
	d.Send(frame.NotifyMsg{What: "a\x1b]0;b\x07;c\u009c✓"})
	d.Hears("\x1b]9;assay: a,c")
	if strings.Count(d.Raw, "\x1b") != 1 || strings.ContainsAny(d.Raw, "✓\u009c") {
		t.Errorf("a notification can be broken out of: %q", d.Raw)
	}
}

// A prompt that comes to nothing while another window has the focus is told of, too.
func TestNotifiedOfFailure(t *testing.T) {
	fail := make(chan struct{})
	d, _ := tuitest.AnsweredBy(t, tuitest.Model(func(context.Context, func(string)) (string, error) {
		<-fail
		return "", &llm.Error{Class: llm.Unreachable, Message: "refused", Advice: "is it running?"}
	}), work.Options{})
	d.Press("x", "ctrl+s").Sees("waiting for the first words")
	d.Send(tea.BlurMsg{})
	close(fail)
	d.Sees("cost no attempt").Hears("no answer came")
}

// Where the locale is not UTF-8, every screen is written in ASCII, and nothing moves.
func TestASCIIScreens(t *testing.T) {
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			d := s.reach(t).Settled()
			rows := strings.Split(d.Screen(), "\n")
			d.Send(tea.EnvMsg{"LANG=de_DE.ISO-8859-1"})
			for i, row := range strings.Split(d.Screen(), "\n") {
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
	d, _ := tuitest.Begin(t, 1)
	d.Send(tea.EnvMsg{"LANG=C"})
	d.Until("ASCII", func(screen string) bool { return frame.ASCII(screen) == screen })
	d.Use("glyphs = \"unicode\"\n").Sees("──")
	d.Send(tea.EnvMsg{"LANG=C.UTF-8"})
	d.Use("glyphs = \"ascii\"\n").Sees("--").Lacks("─")
}
