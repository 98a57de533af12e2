package tui_test

import (
	"regexp"
	"strings"
	"testing"

	"assay/tui/frame"
	"assay/tui/tuitest"
)

// The list of commands is drawn in the theme that is chosen in it; leaving the list brings back the theme that is set,
// which only enter changes.
func TestThemesPreview(t *testing.T) {
	d := tuitest.Reviewing(t, tuitest.WrongAnswer)
	d.Look(frame.Size{Width: 80, Height: 24}, true, true)
	before := d.App.View().Content
	shows := func(theme frame.ThemeName) {
		t.Helper()
		if mark := theme.Theme(true, true).Accent.Render("▸"); !strings.Contains(d.App.View().Content, mark) {
			t.Errorf("the list is not in %s", theme)
		}
	}
	d.Press("ctrl+p", "theme").Sees("theme: auto")
	for _, theme := range frame.ThemeNames() {
		row := regexp.MustCompile("▸ +theme: " + strings.ReplaceAll(string(theme), "-", " ") + "  ")
		for range frame.ThemeNames() {
			if row.MatchString(d.Screen()) {
				break
			}
			d.Press("down")
		}
		shows(theme)
		d.Press("home")
		for range frame.ThemeNames() {
			d.Press("up")
		}
	}
	d.Press("esc")
	if d.App.View().Content != before {
		t.Error("the theme is not as it was")
	}
	d.Press("ctrl+p", "theme: high contrast light", "enter").Sees("theme = high-contrast-light")
	if d.App.View().Content == before {
		t.Error("the theme was not set")
	}
}
