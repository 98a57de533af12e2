package serve

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session/study"
	"assay/tui/frame"
)

// lookEvery is how often the owner's screen looks at what testers do.
const lookEvery = 5 * time.Second

// watcher is an owner's screen: how testers get on, and nothing of what comes out.
type watcher struct {
	list   func(context.Context) ([]study.Progress, error)
	counts *Counts
	rows   []study.Progress
	known  bool
	row    int
	first  int
	height int
	err    string
}

// Watch makes the screen of an owner.
func Watch(list func(context.Context) ([]study.Progress, error), counts *Counts) frame.Screen {
	return &watcher{list: list, counts: counts}
}

type (
	progressMsg struct {
		rows []study.Progress
		err  error
	}
	lookAgainMsg struct{}
)

// Init looks for the first time.
func (w *watcher) Init() tea.Cmd { return w.look() }

// Typing is false: every key is a command here.
func (w *watcher) Typing() bool { return false }

func (w *watcher) look() tea.Cmd {
	list := w.list
	return func() tea.Msg {
		rows, err := list(context.Background())
		return progressMsg{rows, err}
	}
}

// Update handles keys and what testers did.
func (w *watcher) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case progressMsg:
		w.err = ""
		if msg.err != nil {
			w.err = msg.err.Error()
		} else {
			w.rows, w.known = msg.rows, true
			w.row = max(0, min(w.row, len(w.rows)-1))
		}
		return tea.Tick(lookEvery, func(time.Time) tea.Msg { return lookAgainMsg{} })
	case lookAgainMsg:
		return w.look()
	case tea.KeyPressMsg:
		press := msg.String()
		if to, moved := frame.Move(press, w.row, w.height, len(w.rows)); moved {
			w.row = max(0, min(to, len(w.rows)-1))
		}
		if press == "q" || press == "esc" {
			return frame.Back
		}
	}
	return nil
}

// Page draws a line for each session, and what is to be said of the chosen one.
func (w *watcher) Page(size frame.Size, theme frame.Theme) frame.Page {
	body := size.Body()
	w.height = max(1, body.Height-8)
	w.first = frame.Scroll(w.first, w.row, w.height)
	head := fmt.Sprintf("    %-18s %-10s %9s  %-16s %8s %6s %5s", "tester", "status", "done", "last", "pace", "breaks", "flags")
	lines := []string{"", theme.Dim.Render(frame.Cell(head, body.Width))}
	done, all := 0, 0
	for _, p := range w.rows {
		done, all = done+p.Done, all+p.Tasks
	}
	for i := w.first; i < min(len(w.rows), w.first+w.height); i++ {
		p := w.rows[i]
		pace := "–"
		if p.Pace > 0 {
			pace = frame.Duration(p.Pace.Seconds())
		}
		text := fmt.Sprintf("%-18s %-10s %4d of %2d  %-16s %8s %6d %5d", frame.Cell(cmp.Or(frame.OneLine(p.Tester), "(none)"), 18), frame.OneLine(cmp.Or(p.Status, "open")), p.Done, p.Tasks,
			p.Last.Format("2006-01-02 15:04"), pace, p.Breaks, len(p.Flags))
		mark := "    "
		if i == w.row {
			mark, text = theme.Accent.Render("  ▸ "), theme.Strong.Render(text)
		}
		lines = append(lines, mark+text)
	}
	switch {
	case w.err != "":
		lines = append(lines, "", "  "+theme.Bad.Render("✗ "+frame.OneLine(w.err)))
	case w.known && len(w.rows) == 0:
		lines = append(lines, "", "  Nobody has begun yet.")
	case w.known:
		lines = append(lines, "")
		for _, f := range w.rows[w.row].Flags {
			lines = append(lines, "  "+theme.Warn.Render("! ")+frame.OneLine(f))
		}
	}
	return frame.Page{
		Title: "How testers get on", Place: fmt.Sprintf("%d of %d tasks", done, all), Body: strings.Join(lines, "\n"),
		Keys:   []frame.Key{{Press: "↑↓", Does: "choose"}, frame.HelpKey, {Press: "q", Does: "leave"}},
		Status: fmt.Sprintf("%d here now", w.counts.Open.Load()),
	}
}
