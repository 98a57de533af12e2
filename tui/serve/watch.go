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

// mostFlags are those that are shown of a session.
const mostFlags = 4

// Page draws a line for each session, and what is to be said of the chosen one.
func (w *watcher) Page(size frame.Size, theme frame.Theme) frame.Page {
	body := size.Body()
	w.height = max(1, body.Height-4-mostFlags)
	w.first = frame.Scroll(w.first, w.row, w.height)
	wide := !size.Compact()
	lines := []string{"", theme.Dim.Render("    " + columns(wide, "tester · session", "status", "done", "last", "pace", "breaks", "flags"))}
	done, all := 0, 0
	for _, p := range w.rows {
		done, all = done+p.Done, all+p.Tasks
	}
	for i := w.first; i < min(len(w.rows), w.first+w.height); i++ {
		text := line(w.rows[i], wide)
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
		flags := w.rows[w.row].Flags
		for _, f := range flags[:min(len(flags), mostFlags)] {
			lines = append(lines, "  "+theme.Warn.Render("! ")+frame.OneLine(f))
		}
		if more := len(flags) - mostFlags; more > 0 {
			lines[len(lines)-1] = fmt.Sprintf("  … and %d more: assay watch prints all", more+1)
		}
	}
	place := fmt.Sprintf("%d of %d tasks", done, all)
	if len(w.rows) > w.height {
		place = fmt.Sprintf("%d–%d of %d · %s", w.first+1, min(len(w.rows), w.first+w.height), len(w.rows), place)
	}
	return frame.Page{
		Title: "How testers get on", Place: place, Body: strings.Join(lines, "\n"),
		Keys:   []frame.Key{{Press: "↑↓", Does: "choose"}, frame.HelpKey, {Press: "q", Does: "leave"}},
		Status: fmt.Sprintf("%d here now", w.counts.Open.Load()),
	}
}

// line is what stands of a session; on a narrow terminal without pace and breaks.
func line(p study.Progress, wide bool) string {
	pace := "–"
	if p.Pace > 0 {
		pace = frame.Duration(p.Pace.Seconds())
	}
	name := fmt.Sprintf("%s · %d", cmp.Or(frame.OneLine(p.Tester), "(none)"), p.Part)
	return columns(wide, name, frame.OneLine(cmp.Or(p.Status, "open")), fmt.Sprintf("%d of %d", p.Done, p.Tasks),
		p.Last.Format("01-02 15:04"), pace, fmt.Sprint(p.Breaks), fmt.Sprint(len(p.Flags)))
}

// columns sets the cells of a line side by side, numbers to the right.
func columns(wide bool, name, status, done, last, pace, breaks, flags string) string {
	text := frame.Cell(name, 18) + " " + frame.Cell(status, 9) + fmt.Sprintf(" %8s  %-11s", done, last)
	if wide {
		text += fmt.Sprintf(" %10s %6s", pace, breaks)
	}
	return text + fmt.Sprintf(" %5s", flags)
}
