package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/data/fatal"
	"assay/session/overlap"
	"assay/session/study"
	"assay/tui/frame"
)

func many(n int) []study.Progress {
	list := make([]study.Progress, n)
	for i := range list {
		list[i] = study.Progress{
			Tester: fmt.Sprintf("tester %03d", i), Number: i + 1, Part: 1 + i%2, Status: []string{"open", "finished", "abandoned"}[i%3], Done: i % 20, Tasks: 20,
			Last: time.Date(2026, 11, 22, 9, i%60, 0, 0, time.Local), Pace: time.Duration(i*37%900) * time.Second, Breaks: i % 4,
		}
		for n := range i % 7 {
			list[i].Flags = append(list[i].Flags, fmt.Sprintf("flag %d \x1b[31mof tester %d", n, i))
		}
	}
	return list
}

func TestWatchScreen(t *testing.T) {
	update := os.Getenv("ASSAY_UPDATE") != ""
	var counts Counts
	counts.Open.Store(17)
	w := Watch(Watched{Testers: func(context.Context) ([]study.Progress, error) { return many(200), nil }, Counts: &counts})
	w.Update(w.Init()())
	theme := frame.NewTheme(true, false)
	for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}} {
		w.Page(size, theme)
		for range 34 {
			w.Update(tea.KeyPressMsg{Code: tea.KeyDown})
			w.Page(size, theme)
		}
		text := ansi.Strip(frame.Draw(w.Page(size, theme), size, theme))
		for _, row := range strings.Split(text, "\n") {
			if frame.Width(row) > size.Width {
				t.Errorf("%d columns: %q", size.Width, row)
			}
		}
		path := filepath.Join("testdata", fmt.Sprintf("watch-%dx%d.golden", size.Width, size.Height))
		if update {
			fatal.If(t, errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, []byte(text), 0o644)))
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != text {
			t.Errorf("%s: %v; the screen is\n%s", path, err, text)
		}
	}
	for range 300 {
		w.Update(tea.KeyPressMsg{Code: tea.KeyPgDown})
	}
	size := frame.Size{Width: 80, Height: 24}
	if text := ansi.Strip(frame.Draw(w.Page(size, theme), size, theme)); !strings.Contains(text, "▸ tester 199") || !strings.Contains(text, "-200 of 200 ──") {
		t.Errorf("the end of the list:\n%s", text)
	}
}

func TestWatchWithoutSessions(t *testing.T) {
	var rows []study.Progress
	var broken error
	w := Watch(Watched{Testers: func(context.Context) ([]study.Progress, error) { return rows, broken }, Counts: &Counts{}})
	size, theme := frame.Size{Width: 60, Height: 20}, frame.NewTheme(true, false)
	shows := func(text string) {
		t.Helper()
		if screen := ansi.Strip(frame.Draw(w.Page(size, theme), size, theme)); !strings.Contains(screen, text) {
			t.Errorf("there is no %q in\n%s", text, screen)
		}
	}
	shows("How testers get on")
	w.Update(w.Init()())
	shows("Nobody has begun yet.")
	rows = many(3)
	w.Update(w.Init()())
	w.Update(tea.KeyPressMsg{Code: tea.KeyEnd})
	shows("▸ tester 002")
	rows = many(1)
	w.Update(w.Init()())
	shows("▸ tester 000")
	broken = errors.New("the disk \x1b[31mfails")
	w.Update(w.Init()())
	shows("✗ the disk fails")
	if again := w.Update(lookAgainMsg{}); again == nil {
		t.Error("it does not look again")
	}
}

// When somebody was here last is told in the owner's time, of testers as of raters.
func TestWatchedTimesAreLocal(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.FixedZone("elsewhere", 5*3600+1800))
	want := at.Local().Format("01-02 15:04")
	tester, rater := sessionRow(study.Progress{Tester: "ann", Last: at}), raterRow(overlap.Progress{Rater: "ann", Last: at}, false, true)
	if tester.cells[3] != want || rater.cells[3] != want {
		t.Errorf("a tester was here at %q, a rater at %q, and both at %q", tester.cells[3], rater.cells[3], want)
	}
}

func BenchmarkWatchPage(b *testing.B) {
	w := Watch(Watched{Testers: func(context.Context) ([]study.Progress, error) { return many(200), nil }, Counts: &Counts{}})
	w.Update(w.Init()())
	size, theme := frame.Size{Width: 120, Height: 40}, frame.NewTheme(true, false)
	for b.Loop() {
		w.Page(size, theme)
	}
}
