package viewer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/diff"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// answered shows the first answer of a session, which is under review.
func answered(t *testing.T, answer string) (Viewer, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	ctx := context.Background()
	t.Cleanup(func() { _ = rig.Engine.Close(ctx) })
	rig.Client.Say(answer)
	for _, step := range []func() error{
		func() error { return rig.Engine.OpenTask(ctx) },
		func() error { return rig.Engine.Send(ctx, "x") },
		func() error {
			return rig.Until(ctx, func(s *session.State) bool { return s.Phase == session.Review })
		},
	} {
		fatal.If(t, step())
	}
	m := New(rig.Engine, rig.Engine.State(), Options{})
	m.Size = frame.Size{Width: 80, Height: 24}
	return m, rig
}

// The renderer of Markdown gets little more than the prose of an answer, once for each
// width: nothing while it streams, and no code.
func TestGivenToMarkdown(t *testing.T) {
	var mixed strings.Builder
	for i := range 400 {
		fmt.Fprintf(&mixed, "Some **words** about part %d.\n\n```python\nx_%d = 1\n```\n\n", i, i)
	}
	for name, tc := range map[string]struct {
		text  string
		times int
	}{
		"mixed":     {mixed.String(), 8},
		"one fence": {"```python\n" + strings.Repeat("x = 1\n", 5000) + "```\n", 3},
	} {
		m, _ := answered(t, tc.text)
		m.stream = markdown.NewStream()
		for i := 0; i < len(tc.text); i += 500 {
			m.stream.Resize(m.AnswerLook(80), 20)
			m.stream.Feed(tc.text[:i])
			m.stream.View()
		}
		m.stream = markdown.NewStream()
		m.stream.Feed(tc.text)
		given := 0
		for _, width := range []int{80, 120} {
			m.Size.Width, m.answers = width, frame.Latest[renderKey, audited]{}
			m.Take(m.renderAnswer()())
			_, made, ok := m.answers.Last()
			if !ok || m.stream != nil {
				t.Fatalf("%s: the answer is not rendered", name)
			}
			given += made.Given
		}
		if given > tc.times*len(tc.text) {
			t.Errorf("%s: %d bytes for %d", name, given, len(tc.text))
		}
		t.Logf("%s: %d bytes given for an answer of %d", name, given, len(tc.text))
	}
}

// A rendering that comes when the next answer is awaited already changes nothing there.
func TestLateRendering(t *testing.T) {
	m, rig := answered(t, "Some *words*.")
	m.answers = frame.Latest[renderKey, audited]{}
	late := m.renderAnswer()()
	ctx := context.Background()
	fatal.If(t, rig.Engine.Judge(ctx, session.DecideRefine, false))
	fatal.If(t, rig.Engine.Send(ctx, "again"))
	m.State = rig.Engine.State()
	m.Await()
	m.Take(late)
	m.ReviewBody(m.Size.Body())
	if m.stream == nil || !m.Settled() {
		t.Error("the late rendering was taken for the next answer")
	}
}

// Every hit is where the text stands in the rows, and every row's text is found.
func TestSearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[ab界é ]{0,12}`)
		s := &sheet{rows: rapid.SliceOfN(line, 1, 12).Draw(t, "rows")}
		needle := rapid.StringMatching(`[aB界é]{1,2}`).Draw(t, "needle")
		f := Finder{Needle: needle}
		f.Search(s, s.rows)
		want := 0
		for _, r := range s.rows {
			want += strings.Count(strings.ToLower(r), strings.ToLower(needle))
		}
		if len(f.hits) != want {
			t.Fatalf("%d hits, want %d", len(f.hits), want)
		}
		for _, h := range f.hits {
			for _, p := range h.parts {
				if got := ansi.Cut(s.rows[p.row], p.from, p.to); !strings.EqualFold(got, needle) {
					t.Fatalf("row %d, %d to %d is %q", p.row, p.from, p.to, got)
				}
			}
		}
	})
}

// A phrase is found over the end of a row, and colours are no text.
func TestSearchOverRows(t *testing.T) {
	s := &sheet{rows: []string{" the \x1b[38;2;1;2;3mlast\x1b[m", " word of 38", "   it"}}
	f := Finder{Needle: "Last WORD"}
	f.Search(s, s.rows)
	if len(f.hits) != 1 || fmt.Sprint(f.hits[0].parts) != "[{0 5 9} {1 1 5}]" {
		t.Errorf("%v", f.hits)
	}
	f = Finder{Needle: "38"}
	if f.Search(s, s.rows); len(f.hits) != 1 {
		t.Errorf("%v", f.hits)
	}
	if got := marked(s.rows[0], hitPart{0, 5, 9}, ansi.NewStyle(ansi.AttrReverse)); ansi.Strip(got) != " the last" || !strings.Contains(got, "\x1b[7mlast") {
		t.Errorf("%q", got)
	}
}

// Long values are shown around the place where they differ, with their length.
func TestLongValues(t *testing.T) {
	m := &reading{Theme: frame.NewTheme(true, false)}
	a := strings.Repeat("é", 50_000) + "A" + strings.Repeat("z", 50_000)
	b := strings.Repeat("é", 50_000) + "B" + strings.Repeat("z", 50_000)
	at := differ(a, b)
	short, long := m.value(a, at, false, m.Theme.Bad), m.value(a, at, true, m.Theme.Bad)
	for _, want := range []string{"…é", "é\x1b[7mA\x1b[mzzz", "(100,001 characters, enter shows)"} {
		if !strings.Contains(short, want) {
			t.Errorf("%q has no %q", short, want)
		}
	}
	if w := frame.Width(short); w > 300 {
		t.Errorf("%d columns in short", w)
	}
	if ansi.Strip(long) != a {
		t.Error("not all of it is shown")
	}
	if got := m.differenceText(a, b, at); !strings.Contains(got, "differs from character 50,001 on; 100,001 characters expected, 100,001 came") {
		t.Error(got)
	}
	for _, tc := range []struct{ a, b string }{{"abc", "abcd"}, {"é", "è"}, {"", "x"}, {"a\nb", "a"}} {
		at := differ(tc.a, tc.b)
		for _, v := range []string{tc.a, tc.b} {
			if got := strings.NewReplacer("⏎", "").Replace(ansi.Strip(m.value(v, at, false, m.Theme.Bad))); strings.TrimSuffix(got, "end") != v {
				t.Errorf("%q is shown as %q", v, got)
			}
		}
	}
}

// Either way a comparison is drawn, its rows fit, and no text of it is lost; the colours of code change nothing but colours.
func TestChangesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(rapid.SliceOfN(rapid.StringMatching(`(ab|界|é| |x|"|#|def |return |1){0,40}`), 0, 30), func(l []string) string { return strings.Join(l, "\n") })
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		width := rapid.IntRange(30, 130).Draw(t, "width")
		color := rapid.Bool().Draw(t, "color")
		m := &reading{Theme: frame.NewTheme(true, color), review: newReviewer()}
		rows := diff.Lines(before, after)
		for _, beside := range []bool{false, true} {
			s, plain := &sheet{}, &sheet{}
			d, key := drawing{theme: m.Theme, old: before, new: after}, drawKey{width: width, beside: beside}
			m.addChanges(plain, d.changes(rows, key), 0)
			key.language = "python"
			m.addChanges(s, d.changes(rows, key), 0)
			text := strings.Join(s.rows, "\n")
			if ansi.Strip(text) != ansi.Strip(strings.Join(plain.rows, "\n")) {
				t.Fatalf("in colour:\n%s\nwithout:\n%s", text, strings.Join(plain.rows, "\n"))
			}
			if color && strings.Contains(ansi.Strip(text), "return 1") && !strings.Contains(text, "38;2;") {
				t.Fatalf("code has no colour:\n%s", text)
			}
			drawn := 0
			for _, r := range s.rows {
				if w := frame.Width(r); w > width {
					t.Fatalf("%d columns of %d: %q", w, width, r)
				}
				drawn += strings.Count(r, "x")
			}
			folded := strings.Contains(text, "lines the same")
			if want := strings.Count(after, "x"); !folded && drawn < want {
				t.Fatalf("%d of %d letters are drawn", drawn, want)
			}
		}
	})
}

// A page that scrolls a long answer costs what is seen, not what there is.
func BenchmarkScroll(b *testing.B) {
	for _, lines := range []int{100, 20_000} {
		m := New(nil, session.New(), Options{})
		m.Size = frame.Size{Width: 80, Height: 24}
		m.review.tab = tabTask
		s := &sheet{}
		for i := range lines {
			s.rows = append(s.rows, fmt.Sprintf(" line %d of the text", i))
		}
		size := m.textSize()
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			for b.Loop() {
				m.cached(tabTask, size, func() *sheet { return s })
				m.Scroll("j")
				m.view(size)
			}
		})
	}
}
