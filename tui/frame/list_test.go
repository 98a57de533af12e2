package frame_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/tui/frame"
)

var motions = []string{"up", "down", "k", "j", "pgup", "pgdown", "space", "ctrl+u", "ctrl+d", "home", "end", "g", "G"}

// drawn draws a list below head rows, and returns the body.
func drawn(l *frame.List[int], head, height int) []string {
	body := slices.Repeat([]string{""}, head)
	return append(body, l.Draw(head, height, func(row int, chosen bool) string {
		mark := "   "
		if chosen {
			mark = " ▸ "
		}
		return mark + fmt.Sprint(row)
	})...)
}

// In every list, at every size, whatever is pressed, clicked, filtered, sorted and read again: the chosen row is
// visible and no room is left over; what a person chose stays chosen as long as it is listed, and is chosen again when
// it is listed again; a click chooses the row that is drawn there, and a click on the chosen one opens it.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wanted, opened := -1, -1
		l := frame.List[int]{Same: func(a, b int) bool { return a == b }}
		before := -1 // what is chosen, as far as Chose told
		l.Chose = func() {
			row, ok := l.Chosen()
			if !ok {
				row = -1
			}
			if row == before {
				t.Fatalf("%d was chosen before", row)
			}
			before = row
		}
		rows := rapid.Custom(func(t *rapid.T) []int {
			all := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
				for i := range 30 {
					if !yield(i) {
						return
					}
				}
			})).Draw(t, "order")
			return all[:rapid.IntRange(0, 30).Draw(t, "rows")]
		})
		head, height := 2, 5
		person := func() {
			if row, ok := l.Chosen(); ok {
				wanted = row
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			body := drawn(&l, head, height)
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				list := rows.Draw(t, "list")
				stays := wanted
				if row, ok := l.Chosen(); ok && !slices.Contains(list, wanted) {
					stays = row
				}
				if l.Set(list); wanted < 0 {
					person()
				}
				if row, ok := l.Chosen(); ok && slices.Contains(list, stays) && row != stays {
					t.Fatalf("%d is chosen, not %d", row, stays)
				}
			case 1:
				head, height = rapid.IntRange(0, 4).Draw(t, "head"), rapid.IntRange(1, 12).Draw(t, "height")
			case 2:
				l.Move(rapid.SampledFrom(motions).Draw(t, "key"))
				person()
			case 3:
				is := rapid.IntRange(0, 29).Draw(t, "which")
				found := l.Pick(func(row int) bool { return row == is })
				if found != slices.Contains(l.Rows(), is) {
					t.Fatalf("picking %d: %v", is, found)
				}
				if found {
					person()
				}
			case 4:
				l.Mouse(tea.MouseWheelMsg{Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(t, "wheel")}, 0, nil)
				person()
			default:
				y := rapid.IntRange(0, 20).Draw(t, "y")
				was := before
				opened = -1
				l.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, y, func() tea.Cmd { opened = before; return nil })
				switch {
				case y < head || y >= len(body):
					if before != was || opened >= 0 {
						t.Fatalf("a click beside the list, in row %d, chose %d, opened %d", y, before, opened)
					}
				case fmt.Sprint(before) != strings.Trim(body[y], " ▸"):
					t.Fatalf("a click on %q chose %d", body[y], before)
				case (opened >= 0) != strings.HasPrefix(body[y], " ▸ "):
					t.Fatalf("a click on %q opened %d", body[y], opened)
				default:
					person()
				}
			}
			shown := drawn(&l, head, height)[head:]
			chosen := slices.DeleteFunc(slices.Clone(shown), func(row string) bool { return !strings.HasPrefix(row, " ▸ ") })
			row, ok := l.Chosen()
			switch {
			case len(shown) != min(height, l.Len()):
				t.Fatalf("%d of %d rows are visible in %d", len(shown), l.Len(), height)
			case ok != (l.Len() > 0) || ok && (len(chosen) != 1 || chosen[0] != fmt.Sprintf(" ▸ %d", row) || l.Rows()[l.Row()] != row):
				t.Fatalf("%d (%v) is chosen, but drawn is %q", row, ok, shown)
			case ok && row != before:
				t.Fatalf("%d is chosen, but %d was told", row, before)
			case (l.Seen() == "") != (len(shown) == l.Len()):
				t.Fatalf("%d of %d are visible, but the position is %q", len(shown), l.Len(), l.Seen())
			}
		}
	})
}

// A list that cannot tell its rows apart keeps its place.
func TestListByIndex(t *testing.T) {
	var l frame.List[string]
	l.Set([]string{"a", "b", "c"})
	l.Choose(2)
	l.Set([]string{"d", "e"})
	if row, ok := l.Chosen(); row != "e" || !ok {
		t.Errorf("%q is chosen", row)
	}
	l.Set(nil)
	if _, ok := l.Chosen(); ok || l.Next(func(string) bool { return true }) {
		t.Error("something is chosen of nothing")
	}
}

// A text that is read again, and meanwhile short, keeps its position; keys and the wheel go as far as there are lines.
func TestWindow(t *testing.T) {
	var w frame.Window
	text := strings.Split(strings.Repeat("line\n", 99)+"end", "\n")
	visible := func(lines []string, height int) string {
		part := w.Of(lines, height)
		return fmt.Sprintf("%d lines, last %s, %s", len(part), part[len(part)-1], w.Seen())
	}
	for _, step := range []struct {
		press, want string
		lines       []string
	}{
		{"down", "10 lines, last line, 2-11 of 100", text},
		{"pgdown", "10 lines, last line, 11-20 of 100", text},
		{"", "1 lines, last …, ", []string{"…"}},
		{"", "10 lines, last line, 11-20 of 100", text},
		{"end", "10 lines, last end, 91-100 of 100", text},
		{"up", "10 lines, last line, 90-99 of 100", text},
		{"home", "10 lines, last line, 1-10 of 100", text},
		{"up", "10 lines, last line, 1-10 of 100", text},
	} {
		visible(step.lines, 10)
		w.Move(step.press)
		if got := visible(step.lines, 10); got != step.want {
			t.Errorf("after %q: %s, want %s", step.press, got, step.want)
		}
	}
	w.Wheel(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if got := w.Top(); got != 3 {
		t.Errorf("the wheel scrolls to %d", got)
	}
}
