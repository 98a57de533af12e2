package serve

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session/overlap"
	"assay/session/study"
	"assay/tui/frame"
)

// lookEvery is how often the owner's screen looks at what testers do.
const lookEvery = 5 * time.Second

// Watched is what an owner sees.
type Watched struct {
	Testers   func(context.Context) ([]study.Progress, error) // nil: there is no study
	Ratings   *Ratings                                        // nil: nothing is rated
	Estimates *Estimates                                      // nil: nothing is estimated
	Counts    *Counts
}

// watcher is an owner's screen: how testers and raters get on, and nothing of what comes
// out.
type watcher struct {
	Watched
	seen  watched
	list  frame.List[watchedRow]
	known bool
	err   string
}

// Watch makes the screen of an owner.
func Watch(w Watched) frame.Screen {
	s := &watcher{Watched: w}
	s.list.Same = func(a, b watchedRow) bool { return a.cells[0] == b.cells[0] }
	return s
}

// watched is how far everybody is.
type watched struct {
	testers []study.Progress
	raters  []overlap.Progress
	closed  bool // the ratings

	estimators []estimated
}

type (
	progressMsg struct {
		watched
		err error
	}
	lookAgainMsg struct{}
)

// Init looks for the first time.
func (w *watcher) Init() tea.Cmd { return w.look() }

// Typing is false: every key is a command here.
func (w *watcher) Typing() bool { return false }

func (w *watcher) look() tea.Cmd {
	of := w.Watched
	return func() tea.Msg {
		var msg progressMsg
		if of.Testers != nil {
			msg.testers, msg.err = of.Testers(context.Background())
		}
		if of.Ratings != nil {
			msg.raters, msg.closed = of.Ratings.progress()
		}
		if of.Estimates != nil {
			msg.estimators = of.Estimates.progress()
		}
		return msg
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
			w.seen, w.known = msg.watched, true
			w.list.Set(w.seen.rows(w.kinds() > 1))
		}
		return tea.Tick(lookEvery, func(time.Time) tea.Msg { return lookAgainMsg{} })
	case lookAgainMsg:
		return w.look()
	case tea.KeyPressMsg:
		if press := msg.String(); press == "q" || press == "esc" {
			return frame.Back
		}
		return w.list.Move(msg.String())
	}
	return nil
}

// Mouse chooses a session.
func (w *watcher) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	return w.list.Mouse(msg, y, func() tea.Cmd { return nil })
}

// mostFlags are those that are shown of a session.
const mostFlags = 4

// Page draws a line for each session, and what is to be said of the chosen one.
func (w *watcher) Page(size frame.Size, theme frame.Theme) frame.Page {
	body := size.Body()
	wide := !size.Narrow()
	title, first := w.heading()
	lines := []string{"", theme.Dim.Render("   " + columns(wide, [...]string{first, "status", "done", "last", "pace", "breaks", "flags"}))}
	lines = append(lines, w.list.Draw(len(lines), body.Height-4-mostFlags, func(row watchedRow, chosen bool) string {
		return theme.Item(columns(wide, row.cells), chosen, body.Width)
	})...)
	switch row, some := w.list.Chosen(); {
	case w.err != "":
		lines = append(lines, "", "  "+theme.Bad.Render("✗ "+frame.OneLine(w.err)))
	case w.known && !some:
		lines = append(lines, "", "  Nobody has begun yet.")
	case w.known:
		lines = append(lines, "")
		flags := row.flags
		for _, f := range flags[:min(len(flags), mostFlags)] {
			lines = append(lines, "  "+theme.Warn.Render("! ")+frame.OneLine(f))
		}
		if more := len(flags) - mostFlags; more > 0 {
			lines[len(lines)-1] = fmt.Sprintf("  … and %d more: assay study watch prints all", more+1)
		}
	}
	return frame.Page{
		Title: title, Place: w.place(), Seen: w.list.Seen(), Body: strings.Join(lines, "\n"),
		Keys:   []frame.Key{{Press: "↑↓", Does: "choose"}, frame.HelpKey, {Press: "q", Does: "leave"}},
		Status: fmt.Sprintf("%d here now", w.Counts.Open.Load()),
	}
}

// kinds counts what is served: sessions, ratings and estimates.
func (w *watcher) kinds() (n int) {
	for _, served := range []bool{w.Testers != nil, w.Ratings != nil, w.Estimates != nil} {
		if served {
			n++
		}
	}
	return n
}

// heading returns what the page and its first column are called.
func (w *watcher) heading() (title, first string) {
	switch {
	case w.kinds() > 1:
		return "How they get on", "who · session"
	case w.Ratings != nil:
		return "How raters get on", "rater"
	case w.Estimates != nil:
		return "How estimators get on", "estimator"
	}
	return "How testers get on", "tester · session"
}

// place returns how far all of them are.
func (w *watcher) place() string {
	var parts []string
	add := func(done, all int, what string) { parts = append(parts, fmt.Sprintf("%d of %d %s", done, all, what)) }
	if done, all := 0, 0; w.Testers != nil {
		for _, p := range w.seen.testers {
			done, all = done+p.Done, all+p.Tasks
		}
		add(done, all, "tasks")
	}
	if done, all := 0, 0; w.Ratings != nil {
		for _, p := range w.seen.raters {
			done, all = done+p.Whole, all+p.Items
		}
		add(done, all, "ratings")
	}
	if done, all := 0, 0; w.Estimates != nil {
		for _, e := range w.seen.estimators {
			done, all = done+e.done, all+e.all
		}
		add(done, all, "estimates")
	}
	return strings.Join(parts, " · ")
}

// watchedRow is a line of the list.
type watchedRow struct {
	cells [7]string
	flags []string
}

// rows has a line for each session, then one for each rater, and for each estimator.
func (w *watched) rows(beside bool) []watchedRow {
	var rows []watchedRow
	for _, p := range w.testers {
		rows = append(rows, sessionRow(p))
	}
	for _, p := range w.raters {
		rows = append(rows, raterRow(p, w.closed, beside))
	}
	for _, e := range w.estimators {
		status := "begun"
		if e.submitted {
			status = "handed in"
		}
		rows = append(rows, formRow(e.name, "estimates", status, e.done, e.all, e.last, beside))
	}
	return rows
}

// sessionRow returns what stands of a session.
func sessionRow(p study.Progress) watchedRow {
	pace := "–"
	if p.Pace > 0 {
		pace = frame.Duration(p.Pace.Seconds())
	}
	name := fmt.Sprintf("%s · %d", cmp.Or(frame.OneLine(p.Tester), "(none)"), p.Part)
	return watchedRow{[...]string{name, frame.OneLine(cmp.Or(p.Status, "open")), fmt.Sprintf("%d of %d", p.Done, p.Tasks),
		p.Last.Local().Format("01-02 15:04"), pace, fmt.Sprint(p.Breaks), fmt.Sprint(len(p.Flags))}, p.Flags}
}

// raterRow returns what stands of a rater, beside others or alone.
func raterRow(p overlap.Progress, closed, beside bool) watchedRow {
	status := "rating"
	switch {
	case closed:
		status = "closed"
	case p.Whole == p.Items:
		status = "all rated"
	case p.Whole+p.Begun == 0:
		status = "not begun"
	}
	return formRow(p.Rater, "rates", status, p.Whole, p.Items, p.Last, beside)
}

// formRow returns what stands of who fills in a form; beside others it says what they do.
func formRow(name, does, status string, done, all int, at time.Time, beside bool) watchedRow {
	name, last := frame.OneLine(name), "–"
	if beside {
		name += " · " + does
	}
	if !at.IsZero() {
		last = at.Local().Format("01-02 15:04")
	}
	return watchedRow{cells: [...]string{name, status, fmt.Sprintf("%d of %d", done, all), last, "–", "–", "–"}}
}

// columns sets the cells of a line side by side, numbers to the right; on a narrow terminal
// without pace and breaks.
func columns(wide bool, cells [7]string) string {
	text := frame.Cell(cells[0], 18) + " " + frame.Cell(cells[1], 9) + fmt.Sprintf(" %8s  %s", cells[2], frame.Cell(cells[3], 11))
	if wide {
		text += fmt.Sprintf(" %10s %6s", cells[4], cells[5])
	}
	return text + fmt.Sprintf(" %5s", cells[6])
}
