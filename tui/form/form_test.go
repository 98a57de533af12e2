package form_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/session"
	"assay/tui/form"
	"assay/tui/frame"
)

var labels = []session.Label{{ID: "whole", Name: "Explained", Values: []string{"yes", "no"}}, {ID: "cause", Name: "Cause", Values: []string{"code", "understanding", "neither"}}}

// Every value has a key of its own: its first letter that is free and does nothing else.
func TestKeys(t *testing.T) {
	var got []string
	for _, k := range form.Keys(labels) {
		got = append(got, k.Press+"="+k.Value)
	}
	if want := []string{"y=yes", "n=no", "c=code", "d=understanding", "e=neither"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The chosen row says what its scores mean: in the study's words or assay's, and not of other rows.
func TestScoresHaveWords(t *testing.T) {
	own := session.Attribute{ID: "accuracy", Name: "Own", Meaning: "as the study has it", Points: 7, Middle: "so-so"}
	rows := form.Rows(append(session.MiahZhuAttributes(), own), nil, nil, nil, nil)
	for _, width := range []int{50, 60, 120} {
		for i, row := range rows {
			f := form.Form{Scope: frame.ScopeRating, Theme: frame.NewTheme(true, false), Width: width, Row: i}
			text, _ := f.Draw(rows, "head", "", 40)
			text = strings.Join(strings.Fields(ansi.Strip(text)), " ")
			for _, w := range row.Words {
				if !strings.Contains(text, w) {
					t.Errorf("%s at %d lacks %q:\n%s", row.Name, width, w, text)
				}
			}
			if other := rows[(i+1)%len(rows)].Words[1]; strings.Contains(text, other) {
				t.Errorf("%s has the words of another row: %s", row.Name, other)
			}
		}
	}
	if got := strings.Join(rows[len(rows)-1].Words, "|"); got != "1 poorest|4 so-so|7 best" {
		t.Error(got)
	}
}

// The form shows what is set, fits its room at every size, and a click on what it shows sets
// that.
func TestForm(t *testing.T) {
	attributes := session.MiahZhuAttributes()
	rows := form.Rows(attributes, map[string]int{attributes[0].ID: 4}, labels, map[string]string{"whole": "no"}, form.Keys(labels))
	if at := form.Missing(rows, 0); at != 1 {
		t.Errorf("row %d is missing first", at)
	}
	for _, size := range []frame.Size{{Width: 80, Height: 20}, {Width: 80, Height: 19}, {Width: 60, Height: 6}, {Width: 120, Height: 36}} {
		f := form.Form{Scope: frame.ScopeRating, Theme: frame.NewTheme(true, false), Width: size.Width, Row: 2}
		text, seen := f.Draw(rows, "head", "a note", size.Height)
		lines := strings.Split(ansi.Strip(text), "\n")
		if len(lines) > size.Height || seen != "" && len(lines) < size.Height {
			t.Errorf("%v: %d lines, %q in view", size, len(lines), seen)
		}
		for _, l := range lines {
			if frame.Width(l) > size.Width {
				t.Errorf("%v: too wide: %q", size, l)
			}
		}
		for y, l := range lines {
			if x := strings.Index(l, " 3 "); x >= 0 && strings.Contains(l, attributes[1].Name) {
				set, ok := f.Click(rows, tea.MouseClickMsg{Button: tea.MouseLeft}, frame.Width(l[:x])+1, y)
				if !ok || set.Score != 3 || f.Row != 1 {
					t.Errorf("%v: a click on 3 of row 1 set %d in row %d, %v", size, set.Score, f.Row, ok)
				}
			}
			if x := strings.Index(l, "y yes"); x >= 0 {
				set, ok := f.Click(rows, tea.MouseClickMsg{Button: tea.MouseLeft}, frame.Width(l[:x]), y)
				if !ok || set.Value == nil || set.Value.Value != "yes" {
					t.Errorf("%v: a click on yes: %+v, %v", size, set, ok)
				}
			}
		}
		if _, ok := f.Click(rows, tea.MouseClickMsg{Button: tea.MouseLeft}, 3, 0); ok {
			t.Errorf("%v: a click on the heading is one on a row", size)
		}
	}
}
