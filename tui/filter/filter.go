package filter

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/tui/frame"
)

// maxLength bounds a filter, in characters.
const maxLength = 2000

// Order is how the tasks that are found are sorted.
type Order int

// The orders. Equal tasks stay as the file has them.
const (
	asInFile Order = iota
	byID
	byDifficulty // easy first, what has none last
	byPublished  // the latest first, what has none last
	orders
)

func (o Order) String() string {
	return [...]string{"as in the file", "by id", "by difficulty", "by date, latest first"}[o]
}

// Next returns the order after o.
func (o Order) Next() Order { return (o + 1) % orders }

// Found are the tasks that a filter chooses.
type Found struct {
	Filter benchmark.Filter
	Tasks  []*benchmark.Task
	Total  int // tasks in the benchmark, practice tasks not counted
}

// Line is the line. It must not be copied.
type Line struct {
	input     textinput.Model
	benchmark *benchmark.Benchmark
	order     Order
	err       error  // what is wrong with the text as it stands
	good      string // the last text that nothing was wrong with
	matches   frame.Latest[wanted, Found]
	found     Found
	searched  bool // found is there

	menu   bool // completions are offered
	offers frame.Latest[beginning, []benchmark.Completion]
	chosen int // in the menu, or -1
}

// wanted is what the tasks that are found depend on.
type wanted struct {
	benchmark *benchmark.Benchmark
	text      string
	order     Order
}

// beginning is what the completions depend on.
type beginning struct {
	benchmark *benchmark.Benchmark
	text      string
}

// New makes a line that holds a filter. Until it is given a benchmark it finds
// nothing.
func New(text string) *Line {
	l := &Line{input: frame.NewLine(maxLength), chosen: -1}
	l.input.SetValue(text)
	l.input.CursorEnd()
	return l
}

// Text returns the filter as it stands.
func (l *Line) Text() string { return l.input.Value() }

// SetText replaces the filter.
func (l *Line) SetText(text string) tea.Cmd {
	l.input.SetValue(text)
	l.input.CursorEnd()
	l.menu = false
	return l.search()
}

// SetBenchmark says where to look for tasks.
func (l *Line) SetBenchmark(b *benchmark.Benchmark) tea.Cmd {
	if b != l.benchmark {
		l.benchmark, l.searched, l.found = b, false, Found{}
	}
	return l.search()
}

// SetOrder says how to sort the tasks that are found.
func (l *Line) SetOrder(o Order) tea.Cmd {
	l.order = o
	return l.search()
}

// Order returns how the tasks are sorted.
func (l *Line) Order() Order { return l.order }

// Err returns what is wrong with the filter as it stands.
func (l *Line) Err() error { return l.err }

// Found returns the tasks that the filter chooses; ok is false before the first search.
// While something is wrong with the text they are those of the last good one.
func (l *Line) Found() (found Found, ok bool) { return l.found, l.searched }

// Settled reports whether Found and the menu are those of the text as it stands.
func (l *Line) Settled() bool { return l.matches.Settled() && l.offers.Settled() }

// Resume goes on after another screen was on top.
func (l *Line) Resume() tea.Cmd { return tea.Batch(l.matches.Resume(), l.offers.Resume()) }

// Stop gives up the searches under way.
func (l *Line) Stop() {
	l.matches.Stop()
	l.offers.Stop()
}

// Focus begins typing. With offers the menu is opened at once.
func (l *Line) Focus(offers bool) tea.Cmd {
	l.menu, l.chosen = offers, -1
	l.input.CursorEnd()
	return tea.Batch(l.input.Focus(), l.search())
}

// Blur ends typing.
func (l *Line) Blur() tea.Cmd {
	l.input.Blur()
	l.menu, l.chosen = false, -1
	return l.search()
}

// Update takes a key, a paste, or the end of a search. Taken is false for what the
// line has no use for: keys that move elsewhere, and other messages.
func (l *Line) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	if cmd, ok := l.matches.Take(msg); ok {
		l.keep()
		return cmd, true
	}
	if cmd, ok := l.offers.Take(msg); ok {
		l.chosen = min(l.chosen, len(l.Offers())-1)
		return cmd, true
	}
	if !l.input.Focused() {
		return nil, false
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return l.typed(msg), true
	case tea.KeyPressMsg:
		return l.key(msg)
	}
	return nil, false
}

// keep keeps the tasks that were found.
func (l *Line) keep() {
	if key, found, ok := l.matches.Last(); ok && key.benchmark == l.benchmark {
		l.found, l.searched = found, true
	}
}

func (l *Line) key(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	offers := l.Offers()
	open := len(offers) > 0
	coming := l.menu && !l.offers.Settled()
	switch press := msg.String(); {
	case (press == "down" || press == "tab") && coming:
		l.chosen = 0 // it is meant for the menu that is about to open
		return nil, true
	case (press == "down" || press == "tab") && open:
		l.chosen = (l.chosen + 1) % len(offers)
		return nil, true
	case (press == "up" || press == "shift+tab") && open && l.chosen >= 0:
		l.chosen--
		return nil, true
	case press == "enter" && open && l.chosen >= 0:
		return l.accept(offers[l.chosen]), true
	case press == "esc" && open:
		l.menu, l.chosen = false, -1
		return l.search(), true
	case press == "up" || press == "down" || press == "tab" || press == "shift+tab" || press == "enter" || press == "esc" || press == "ctrl+s":
		return nil, false
	}
	return l.typed(msg), true
}

// accept puts a completion into the filter.
func (l *Line) accept(c benchmark.Completion) tea.Cmd {
	l.input.SetValue(c.Filter)
	l.input.CursorEnd()
	l.chosen = -1
	return l.search()
}

// typed edits the text.
func (l *Line) typed(msg tea.Msg) tea.Cmd {
	was := l.input.Value()
	var cmd tea.Cmd
	l.input, cmd = l.input.Update(msg)
	if l.input.Value() != was {
		l.menu, l.chosen = true, -1
	}
	return tea.Batch(cmd, l.search())
}

// Offers returns the ways to go on with the filter that the menu shows.
func (l *Line) Offers() []benchmark.Completion {
	key, offers, ok := l.offers.Last()
	if !ok || !l.menu || !l.input.Focused() || key != (beginning{l.benchmark, l.Text()}) || l.input.Position() < len([]rune(l.Text())) {
		return nil
	}
	return offers
}

// search begins to look for the tasks of the text as it stands, or of the last good
// one, and for ways to go on with it.
func (l *Line) search() tea.Cmd {
	text := l.Text()
	if _, l.err = benchmark.ParseFilter(text); l.err == nil {
		l.good = text[:len(text)-len(l.beginsField())]
	}
	if l.benchmark == nil {
		return nil
	}
	w := wanted{l.benchmark, l.good, l.order}
	cmd := l.matches.Ask(w, w.search)
	if !l.menu {
		return cmd
	}
	b := beginning{l.benchmark, text}
	return tea.Batch(cmd, l.offers.Ask(b, b.complete))
}

// beginsField returns the last word of the text where it may become the name of a field: while
// it is typed the word is not looked for, or the list would lose its tasks at each term.
func (l *Line) beginsField() string {
	text := l.Text()
	word := text[strings.LastIndexAny(text, " \t")+1:]
	name := strings.ToLower(strings.TrimPrefix(word, "-"))
	if !l.menu || name == "" || !slices.ContainsFunc(benchmark.FilterFields(), func(f string) bool { return strings.HasPrefix(f, name) }) {
		return ""
	}
	return word
}

// complete lists the ways to go on.
func (b beginning) complete(context.Context) []benchmark.Completion {
	all, _ := benchmark.Filter{}.Select(b.benchmark)
	return slices.DeleteFunc(benchmark.Complete(b.text, all), func(c benchmark.Completion) bool { return c.Filter == b.text })
}

// search finds and sorts the tasks. It gives up when ctx is done.
func (w wanted) search(ctx context.Context) Found {
	all, _ := benchmark.Filter{}.Select(w.benchmark)
	filter, _ := benchmark.ParseFilter(w.text) // nothing is wrong with it
	found := Found{Filter: filter, Total: len(all), Tasks: matching(ctx, filter, all)}
	if ctx.Err() == nil {
		w.order.sort(found.Tasks)
	}
	return found
}

// matching lists the tasks that a filter chooses.
func matching(ctx context.Context, s benchmark.Filter, tasks []*benchmark.Task) []*benchmark.Task {
	if s.String() == "" {
		return tasks
	}
	var list []*benchmark.Task
	for i, t := range tasks {
		if i%256 == 0 && ctx.Err() != nil {
			return nil
		}
		if s.Match(t) {
			list = append(list, t)
		}
	}
	return list
}

func (o Order) sort(tasks []*benchmark.Task) {
	switch o {
	case byID:
		slices.SortStableFunc(tasks, func(a, b *benchmark.Task) int { return cmp.Compare(a.ID, b.ID) })
	case byDifficulty:
		slices.SortStableFunc(tasks, func(a, b *benchmark.Task) int { return cmp.Compare(rank(a.Difficulty), rank(b.Difficulty)) })
	case byPublished:
		slices.SortStableFunc(tasks, func(a, b *benchmark.Task) int { return strings.Compare(string(b.Published), string(a.Published)) })
	}
}

func rank(d benchmark.Difficulty) int {
	if i := slices.Index(benchmark.Difficulties[:], d); i >= 0 {
		return i
	}
	return len(benchmark.Difficulties)
}
