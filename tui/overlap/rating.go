package overlap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session/overlap"
	"assay/tui/form"
	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// RatingOptions are the inputs of a rater's screen.
type RatingOptions struct {
	File  *overlap.File
	Rater string
	Now   func() time.Time
	Work  viewer.Options
}

// Rating is the screen of one rater.
type Rating struct {
	shared
	opts  RatingOptions
	items []overlap.Entry
	form  form.Form
	steps int            // steps that can be undone
	fresh bool           // no key was pressed since the item was shown
	begun *overlap.Noted // a note left unfinished before; nil after it is shown

	pair
}

// NewRating returns the screen. It starts with the item changed last, or, if that is completely
// rated, with the next one that is not.
func NewRating(opts RatingOptions) *Rating {
	s := &Rating{shared: shared{answer: answer{opts: opts.Work}, file: opts.File, line: frame.NewLine(0)}, opts: opts, form: form.Form{Scope: frame.ScopeOverlap}}
	s.saver.Pressed, s.saver.Draft = s.pressed, func() func() error { return s.draft(s.noteDraft) }
	s.saver.Failed = func(err error) { s.failed(err); s.refresh(); s.ask() }
	last := s.refresh()
	opts.File.Look(func(set *overlap.Set) { s.header, s.begun = set.Header, set.NoteDraft(opts.Rater) })
	s.labels = form.Keys(s.header.Labels)
	s.at = max(0, s.index(last))
	if to := s.unrated(0); to >= 0 {
		s.at = to
	}
	if s.begun != nil {
		s.at = max(0, s.index(s.begun.Item))
	}
	return s
}

// index returns the index of an item, or -1.
func (s *Rating) index(id string) int {
	return slices.IndexFunc(s.items, func(e overlap.Entry) bool { return e.Unit() == id })
}

// Init records that the rater has opened the screen, and shows the item.
func (s *Rating) Init() tea.Cmd {
	opened := s.saver.WriteHolding(s.add(overlap.Event{Opened: &overlap.Opened{Rater: s.opts.Rater, At: s.now()}}), nil)
	shown := s.goTo(s.at)
	if s.begun == nil {
		return tea.Batch(opened, shown)
	}
	s.open, s.fresh = false, false
	s.saver.BeginTyping(true)
	s.notice = "You were writing this when the program ended."
	typing := s.write(s.begun.Text)
	s.begun = nil
	return tea.Batch(opened, shown, typing)
}

func (s *Rating) now() time.Time { return s.opts.Now().UTC() }

// item returns the shown item.
func (s *Rating) item() *overlap.Entry { return &s.items[s.at] }

// rows returns the rows of the form.
func (s *Rating) rows() []form.Row {
	f := &s.item().Form
	return form.Rows(s.header.Attributes, f.Scores, s.header.Labels, f.Labels, s.labels)
}

// goTo shows an item: first the answer, or the form if something is filled in.
func (s *Rating) goTo(index int) tea.Cmd {
	s.at, s.form.Window, s.fresh = index, frame.Window{}, true
	if s.pairs() {
		return s.showPair()
	}
	s.form.Row = max(0, form.Missing(s.rows(), 0))
	s.open = s.item().Form.Filled() == 0 && !s.size.Wide()
	return s.show(&s.header, &s.item().Item)
}

// share returns how many items, or pairs, the rater has.
func (s *Rating) share() int { return s.header.Share(s.opts.Rater) }

// whole reports whether an item is completely rated.
func (s *Rating) whole(e *overlap.Entry) bool { return s.header.Whole(e.Form) }

// unrated returns the next item that is not completely rated, starting from an offset to this
// one; or -1.
func (s *Rating) unrated(from int) int {
	return frame.Next(len(s.items), s.at+from, func(i int) bool { return !s.whole(&s.items[i]) })
}

// Update handles keys, and results of writing.
func (s *Rating) Update(msg tea.Msg) tea.Cmd {
	if s.pairs() {
		return s.updatePair(msg)
	}
	if look, is := msg.(frame.LookMsg); is && s.fresh && look.Size.Wide() {
		s.open = false // there is room for both
	}
	return s.update(msg)
}

func (s *Rating) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.fresh = false
	if s.pairs() && !s.writing {
		return s.pressPair(msg)
	}
	return s.press(msg, s.keys())
}

// keys returns the keys with their actions, or why they have none now.
func (s *Rating) keys() []frame.Key {
	if s.writing {
		return lineKeys(s.keepNote, s.asItWas)
	}
	if s.pairs() {
		return s.pairKeys()
	}
	keys := s.formKeys()
	for i, l := range s.header.Labels {
		for _, k := range form.Of(s.labels, l.ID) {
			keys = append(keys, frame.Key{Press: k.Press, Does: frame.OneLine(s.header.Labels[i].Name + ": " + k.Value), More: true, Do: func() tea.Cmd { return s.label(k) }})
		}
	}
	return keys
}

// formKeys returns the keys of the form that do not depend on its labels.
func (s *Rating) formKeys() []frame.Key {
	move := func(press string) tea.Cmd { s.form.Move(press, s.header.Rows()); return nil }
	return append([]frame.Key{
		{Press: "1-9", Does: "rate, go on", Run: func(press string) tea.Cmd { return s.rate(int(press[0] - '0')) }, Fit: s.fitScale},
		s.answerKey(), {Press: "enter", Does: "next", Do: s.forward}, s.undoKey(), s.noteKey(), frame.HelpKey,
		{Press: "↑↓", Also: "k j shift+tab tab", Does: "row", Run: move}, {Press: "←→", Also: "[ ]", Does: "other answer", Run: s.step},
	}, s.otherKeys()...)
}

func (s *Rating) undoKey() frame.Key {
	return frame.Key{Press: "u", Does: "undo", Do: s.takeBack, Not: func() string {
		if s.steps == 0 {
			return "you have rated nothing yet"
		}
		return ""
	}}
}

func (s *Rating) noteKey() frame.Key {
	return frame.Key{Press: "f12", Does: "note", Do: func() tea.Cmd { return s.write(s.item().Form.Note) }}
}

// fitScale sets the digits of the scale, or why digits have no action in this row.
func (s *Rating) fitScale(k *frame.Key) {
	k.Press = fmt.Sprintf("1-%d", s.header.Attributes[0].Max())
	if row := s.rows()[s.form.Row]; row.Label() {
		k.Why = "this row is answered with " + s.form.Letters(row)
	}
}

// step goes to the previous or next item.
func (s *Rating) step(press string) tea.Cmd {
	to, why := frame.Step(s.at, press == "right" || press == "]", len(s.items))
	if s.notice = why; why != "" {
		return nil
	}
	return s.goTo(to)
}

// forward goes to the next item that is not completely rated, once this one is.
func (s *Rating) forward() tea.Cmd {
	if s.pairs() && !s.whole(s.item()) {
		s.notice = "A question is left: nothing is chosen for you."
		if s.item().Form.Outcome == "" {
			s.notice = s.theme.Keyed(frame.ScopeOverlap, false, "Which is better? {a}, {b}, {=} or {0}: nothing is chosen for you.")
		}
		s.ask()
		return nil
	}
	if row := form.Missing(s.rows(), 0); row >= 0 {
		s.form.Row = row
		s.notice = fmt.Sprintf("%d still to go: nothing is rated for you.", s.header.Rows()-s.item().Form.Filled())
		return nil
	}
	to := s.unrated(1)
	if to < 0 && len(s.items) < s.share() { // the next pair is chosen by what is judged
		s.refresh()
		to = s.unrated(1)
	}
	if to < 0 {
		s.notice = s.theme.Keyed(frame.ScopeOverlap, false, "All are rated. You can change them until the ratings are closed; {q} leaves.")
		return nil
	}
	return s.goTo(to)
}

// change alters the form and writes the event.
func (s *Rating) change(ev overlap.Event, alter func(*overlap.Form), failed func(error) tea.Cmd) tea.Cmd {
	alter(&s.item().Form)
	s.steps++
	if s.header.Next != nil { // the next pair is chosen by it
		return s.saver.WriteHolding(s.add(ev), failed)
	}
	return s.saver.Write(s.add(ev), failed)
}

// goOn chooses the next row that is missing.
func (s *Rating) goOn() {
	if row := form.Missing(s.rows(), s.form.Row+1); row >= 0 {
		s.form.Row = row
	}
}

// rate sets the score of the chosen row.
func (s *Rating) rate(score int) tea.Cmd {
	row := s.rows()[s.form.Row]
	if score > row.Points {
		s.notice = scaleEnds(row.Points)
		return nil
	}
	cmd := s.change(overlap.Event{Rated: &overlap.Rated{Rater: s.opts.Rater, Item: s.item().ID, Attribute: row.ID, Score: score, At: s.now(), Verbatim: s.answer.past.Verbatim()}},
		func(f *overlap.Form) { f.Scores[row.ID] = score }, nil)
	s.goOn()
	return cmd
}

// label sets a label, whichever row is chosen.
func (s *Rating) label(k form.Key) tea.Cmd {
	cmd := s.change(overlap.Event{Labelled: &overlap.Labelled{Rater: s.opts.Rater, Item: s.item().ID, Label: k.Label, Value: k.Value, At: s.now()}},
		func(f *overlap.Form) { f.Labels[k.Label] = k.Value }, nil)
	s.goOn()
	return cmd
}

// noted returns an event's note on the item.
func (s *Rating) noted(text string) *overlap.Noted {
	return &overlap.Noted{Rater: s.opts.Rater, Item: s.item().Unit(), Text: text, At: s.now()}
}

// noteDraft returns the event with the note typed so far.
func (s *Rating) noteDraft() overlap.Event { return overlap.Event{NoteDraft: s.noted(s.line.Value())} }

// asItWas keeps the earlier note, and removes the draft of a new one.
func (s *Rating) asItWas() tea.Cmd {
	s.writing = false
	if !s.saver.TypedOut() {
		return nil
	}
	return s.saver.Write(s.add(overlap.Event{NoteDraft: s.noted(s.item().Form.Note)}), nil)
}

// keepNote saves the typed note. If writing fails it returns to the line.
func (s *Rating) keepNote() tea.Cmd {
	text := strings.TrimSpace(s.line.Value())
	if text == s.item().Form.Note {
		return s.asItWas()
	}
	s.writing = false
	s.saver.TypedOut()
	item := s.item().Unit()
	return s.change(overlap.Event{Noted: s.noted(text)}, func(f *overlap.Form) { f.Note = text }, func(err error) tea.Cmd {
		if err == nil || s.writing || s.item().Unit() != item {
			return nil
		}
		return s.write(text)
	})
}

// takeBack undoes the last step, on any item.
func (s *Rating) takeBack() tea.Cmd {
	back := overlap.Event{TakenBack: &overlap.TakenBack{Rater: s.opts.Rater, At: s.now()}}
	return s.saver.WriteHolding(s.add(back), func(err error) (cmd tea.Cmd) {
		if err != nil {
			return nil
		}
		last := s.refresh()
		s.notice = "The last step is taken back."
		if i := s.index(last); i >= 0 && i != s.at {
			s.at = i
			s.saver.Forget() // the keys were meant for another item
			cmd = s.goTo(i)
			s.notice = "The last step, on this answer, is taken back."
			if s.pairs() {
				s.notice = "The last step, on this pair, is taken back."
			}
		}
		s.form.Row, s.open = max(0, form.Missing(s.rows(), 0)), false
		s.ask()
		return cmd
	})
}

// refresh reads the forms from the file, and returns the item changed last.
func (s *Rating) refresh() (last string) {
	s.file.Look(func(set *overlap.Set) {
		s.items, s.steps, last = set.For(s.opts.Rater), set.Steps(s.opts.Rater), set.Last(s.opts.Rater)
	})
	return last
}

// Page draws the answer, and the form beside or instead of it.
func (s *Rating) Page(size frame.Size, theme frame.Theme) frame.Page {
	s.size, s.theme = size, theme
	if s.pairs() {
		return s.pairPage()
	}
	s.form.Theme, s.form.Width = theme, s.width()
	rows, state := s.rows(), "✓ rated"
	if n := s.header.Rows() - s.item().Form.Filled(); n > 0 {
		state = fmt.Sprintf("· %d to go", n)
	}
	head := frame.Section("your rating of the final answer", state, s.width(), theme)
	text, seen := s.form.Draw(rows, head, s.item().Form.Note, size.Body().Height-1)
	return s.drawn(frame.Page{
		Scope: frame.ScopeOverlap, Title: "Rate · " + frame.OneLine(s.header.Name+" · "+s.item().Title()), Place: fmt.Sprintf("%d of %d", s.at+1, s.share()),
		Keys: s.keys(), Status: fmt.Sprintf("%d of %d rated", frame.CountIf(s.items, s.whole), s.share()),
	}, text, seen, " note: ")
}

// Mouse passes the mouse to the answer, and fills in the form: a click on a cell sets its score
// or value, one elsewhere in a row chooses the row.
func (s *Rating) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if s.pairs() {
		return s.mousePair(msg, x, y)
	}
	w := left(s.size)
	if w > 0 && x < w || w == 0 && s.open {
		return s.mouse(msg, x, y)
	}
	if w > 0 {
		x -= w + 1
	}
	if s.writing || s.saver.Holding() {
		return nil
	}
	set, ok := s.form.Click(s.rows(), msg, x, y)
	if !ok {
		return nil
	}
	s.notice, s.bad, s.fresh, s.open = "", false, false, false
	switch {
	case set.Value != nil:
		return s.label(*set.Value)
	case set.Score > 0:
		return s.rate(set.Score)
	}
	return nil
}
