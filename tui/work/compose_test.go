package work

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/tui/frame"
	"assay/tui/work/live"
)

// carryOut runs a command and all that it consists of.
func carryOut(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range batch {
			carryOut(c)
		}
	}
}

// A draft that has to be cleaned, as a statement with carriage returns, is still one that
// was inserted.
func TestCleanedDraft(t *testing.T) {
	m, rig := composing(t, "")
	ctx := context.Background()
	fatal.If(t, rig.Engine.Insert(ctx, "level1", "", "one\r\ntwo \x1b[31mred\x1b[m\r\nthree"))
	m.compose.of = draftOf{} // as if the program began now
	m.at = position{}
	m.follow()
	m.key(tea.KeyPressMsg{Code: '!', Text: "!"})
	carryOut(m.compose.saveDraft())
	if task := rig.Engine.State().Task(); task.Draft() != "one\ntwo red\nthree!" || task.InsertedBytes() < len("\ntwo red\n") || m.Trouble != "" {
		t.Errorf("the draft is %q with %d bytes inserted; %s", task.Draft(), task.InsertedBytes(), m.Trouble)
	}
}

// The first letter after a rest is saved at once, and what follows a moment later.
func TestFirstLetterIsSavedAtOnce(t *testing.T) {
	m, rig := composing(t, "")
	saved := func(want string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := rig.Until(ctx, func(s *session.State) bool { return s.Task().Draft() == want }); err != nil {
			t.Fatalf("the draft is %q, want %q", rig.Engine.State().Task().Draft(), want)
		}
	}
	press := func(letter string) { m.key(tea.KeyPressMsg{Code: rune(letter[0]), Text: letter}) }
	press("a")
	saved("a")
	press("b")
	press("c")
	if !m.Departure().Saving {
		t.Error("nothing is told of letters that are not saved")
	}
	m.Update(live.SaveMsg{})
	saved("abc")
	if m.Update(live.SaveMsg{}); m.Resting {
		t.Error("a timer goes on while nothing is typed")
	}
}

// The list of insertions has no test that a study hides.
func TestInsertionsHideTests(t *testing.T) {
	m, rig := composing(t, "")
	ctx := context.Background()
	rig.Client.Say("```python\ndef double(n):\n    return n  # wrong\n```\n")
	fatal.If(t, rig.Engine.Send(ctx, "Double it."))
	for rig.Engine.State().Attempt().Verdict == nil {
		<-rig.Engine.Changes()
	}
	fatal.If(t, rig.Engine.Judge(ctx, session.DecideRefine, false))
	m.follow()
	failing := func() insertion { list := m.compose.insertions(); return list[len(list)-1] }
	if got := failing(); got.why != "" || !strings.Contains(got.text, "expected 4") {
		t.Fatalf("offered is %+v", got)
	}
	hidden := m.State.Clone()
	hidden.Plan.Tests, hidden.Tasks[0].Attempts[0].Revealed = session.SeeNothing, false
	m.State = hidden
	if got := failing(); got.why != "this study hides the tests" || got.text != "" {
		t.Errorf("offered is %+v", got)
	}
}

func TestAlikeText(t *testing.T) {
	for _, tc := range []struct {
		text        string
		first, last bool
		want        string
	}{
		{"a\nb\nc\nd", false, false, "a\nb\nc\nd"},
		{"a\nb\nc\nd\ne\nf\ng\nh", false, false, "a\nb\n⋮ 4 lines alike\ng\nh"},
		{"a\nb\nc\nd\ne\nf\ng\nh", true, false, "⋮ 6 lines alike\ng\nh"},
		{"a\nb\nc\nd\ne\nf\ng\nh", false, true, "a\nb\n⋮ 6 lines alike"},
	} {
		if got := alikeText(tc.text, tc.first, tc.last); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

// BenchmarkComposeKey is a key on the whole screen, and its drawing, with prompts of
// different lengths.
func BenchmarkComposeKey(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			m, _ := composing(b, strings.Repeat("a line of a long prompt, as people write them\n", size/46))
			look, theme := frame.Size{Width: 80, Height: 24}, frame.NewTheme(true, true)
			m.Page(look, theme)
			keys := []tea.KeyPressMsg{{Code: 'x', Text: "x"}, {Code: tea.KeyBackspace}}
			m.Resting = true // the timer is another's
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				m.key(keys[i%2])
				m.Page(look, theme)
			}
		})
	}
}

// BenchmarkComposePaste is a paste of 100 KB on the whole screen, and its drawing.
func BenchmarkComposePaste(b *testing.B) {
	text := strings.Repeat("a line of a long prompt, as people write them\n", 100<<10/46)
	look, theme := frame.Size{Width: 80, Height: 24}, frame.NewTheme(true, true)
	for range b.N {
		b.StopTimer()
		m, _ := composing(b, "")
		b.StartTimer()
		m.compose.Typed(tea.PasteMsg{Content: text})
		m.Page(look, theme)
	}
}
