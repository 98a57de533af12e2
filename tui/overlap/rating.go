package overlap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/work"
)

// RatingOptions are what the screen of a rater works with.
type RatingOptions struct {
	File  *overlap.File
	Rater string
	Now   func() time.Time
	Work  work.Options
}

// Rating is the screen of one rater.
type Rating struct {
	writer
	answer
	opts   RatingOptions
	header overlap.Header
	items  []overlap.Entry
	keysOf []work.LabelKey
	at     int      // of items
	row    int      // of attributes, then labels
	top    int      // first row of the form that is seen
	lines  []string // of the form as it was drawn last
	rows   []int    // the row that each of them belongs to
	steps  int      // that can be taken back
	fresh  bool
	noting bool
	draft  *overlap.Noted // the note that was being typed before; nil once it is shown
	line   textinput.Model
	notice string
	bad    bool // the notice is about trouble
}

// NewRating makes the screen. It begins with the item of which something was changed last, or,
// if that is rated whole, with the next one that is not.
func NewRating(opts RatingOptions) *Rating {
	s := &Rating{writer: writer{file: opts.File}, answer: answer{opts: opts.Work}, opts: opts, line: newLine()}
	last := ""
	opts.File.Look(func(set *overlap.Set) {
		s.header, s.items, s.steps, last = set.Header, set.For(opts.Rater), set.Steps(opts.Rater), set.Last(opts.Rater)
	})
	opts.File.Look(func(set *overlap.Set) { s.draft = set.NoteDraft(opts.Rater) })
	s.keysOf = work.LabelKeys(s.header.Labels)
	s.at = max(0, slices.IndexFunc(s.items, func(e overlap.Entry) bool { return e.ID == last }))
	if to := s.unrated(0); to >= 0 {
		s.at = to
	}
	if s.draft != nil {
		s.at = max(0, slices.IndexFunc(s.items, func(e overlap.Entry) bool { return e.ID == s.draft.Item }))
	}
	return s
}

// newLine is a line that is typed in below the form.
func newLine() textinput.Model {
	line := textinput.New()
	line.SetVirtualCursor(false)
	line.Prompt = ""
	return line
}

// Init writes down that the rater is here, and shows the item.
func (s *Rating) Init() tea.Cmd {
	s.saving = true
	opened := s.write(overlap.Event{Opened: &overlap.Opened{Rater: s.opts.Rater, At: s.now()}}, nothing)
	shown := s.goTo(s.at)
	if s.draft == nil {
		return tea.Batch(opened, shown)
	}
	s.open, s.fresh, s.drafted = false, false, true
	s.notice = "You were writing this when it ended."
	typing := s.note(s.draft.Text)
	s.draft = nil
	return tea.Batch(opened, shown, typing)
}

func (s *Rating) now() time.Time { return s.opts.Now().UTC() }

// Typing reports whether printable keys are text.
func (s *Rating) Typing() bool { return s.noting || s.open && s.past.Typing() }

// Settled reports whether all is written, and drawn as it is wanted.
func (s *Rating) Settled() bool { return s.idle() && s.past.Settled() }

// Leave writes what is not written yet, with what was typed.
func (s *Rating) Leave() tea.Cmd { return s.leave(s.noteDraft) }

// Departure tells what is not saved.
func (s *Rating) Departure() frame.Departure { return s.departure(s.noting, s.line.Value()) }

// item is the one that is shown.
func (s *Rating) item() *overlap.Entry { return &s.items[s.at] }

// goTo shows an item: what is to be rated first, and the form where something is filled in.
func (s *Rating) goTo(index int) tea.Cmd {
	s.at, s.top, s.fresh = index, 0, true
	s.row = max(0, s.missing(0))
	s.open = s.item().Form.Filled() == 0 && !s.size.Wide()
	return s.show(&s.header, &s.item().Item)
}

// whole reports whether an item is rated whole.
func (s *Rating) whole(e *overlap.Entry) bool { return e.Form.Filled() == s.header.Rows() }

// done counts the items that are rated whole.
func (s *Rating) done() int {
	n := 0
	for i := range s.items {
		if s.whole(&s.items[i]) {
			n++
		}
	}
	return n
}

// unrated is the next item that is not rated whole, from so many after this one, and from the
// top again after the last; -1 where there is none.
func (s *Rating) unrated(from int) int {
	for step := range s.items {
		if i := (s.at + from + step) % len(s.items); !s.whole(&s.items[i]) {
			return i
		}
	}
	return -1
}

// missing is the first row from one on that is not filled in, from the top again after the
// last; -1 where there is none.
func (s *Rating) missing(from int) int {
	n := s.header.Rows()
	for step := range n {
		if row := (from + step) % n; s.value(row) == "" {
			return row
		}
	}
	return -1
}

// label is that of a row; nil for an attribute.
func (s *Rating) label(row int) *session.Label {
	if row < len(s.header.Attributes) {
		return nil
	}
	return &s.header.Labels[row-len(s.header.Attributes)]
}

// value is what a row is set to, "" while it is not.
func (s *Rating) value(row int) string {
	f := &s.item().Form
	if l := s.label(row); l != nil {
		return f.Labels[l.ID]
	}
	if score := f.Scores[s.header.Attributes[row].ID]; score > 0 {
		return fmt.Sprint(score)
	}
	return ""
}

// Update handles keys, and what was written meanwhile.
func (s *Rating) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		if s.fresh && msg.Size.Wide() {
			s.open = false // there is room for both
		}
		return s.look(msg.Size, msg.Theme)
	case writtenMsg:
		if msg.of != &s.writer {
			return nil
		}
		if msg.err != nil {
			s.notice, s.bad = "It is not kept: "+msg.err.Error(), true
			s.refresh()
			if n := msg.job.event.Noted; n != nil && !s.noting && n.Item == s.item().ID {
				s.dirty = true
				return tea.Batch(s.note(n.Text), s.written(msg, s.pressed))
			}
			s.dirty = s.noting
		}
		return s.written(msg, s.pressed)
	case frame.SaveMsg:
		return s.saveNow(s.noteDraft)
	case saveMsg:
		if msg.of == &s.writer {
			return s.saveTime(s.noteDraft)
		}
		return nil
	case tea.PasteMsg:
		if s.noting {
			return s.edit(&s.line, msg)
		}
	case tea.KeyPressMsg:
		if s.hold(msg) {
			return nil
		}
		return s.pressed(msg)
	}
	return s.past.Update(msg)
}

func (s *Rating) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad, s.fresh = "", false, false
	switch {
	case s.noting:
		return s.noteKey(msg)
	case s.open:
		return s.answer.key(msg)
	}
	return s.key(msg.String())
}

// key handles the keys of the form.
func (s *Rating) key(press string) tea.Cmd {
	if why := frame.Refused(s.keys(), press); why != "" {
		s.notice = why
		return nil
	}
	rows := s.header.Rows()
	switch press {
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return s.rate(int(press[0] - '0'))
	case "up", "k", "shift+tab":
		s.row = (s.row + rows - 1) % rows
	case "down", "j", "tab":
		s.row = (s.row + 1) % rows
	case "right", "]":
		return s.step(1)
	case "left", "[":
		return s.step(-1)
	case "v":
		s.open = true
	case "f12":
		return s.note(s.item().Form.Note)
	case "u":
		return s.takeBack()
	case "enter":
		return s.forward()
	case "q", "esc":
		return frame.Back
	default:
		for _, k := range s.keysOf {
			if k.Press == press {
				return s.answerLabel(k)
			}
		}
	}
	return nil
}

// step goes to the item before or to the next one.
func (s *Rating) step(by int) tea.Cmd {
	switch to := s.at + by; {
	case to < 0:
		s.notice = "This is the first one."
	case to >= len(s.items):
		s.notice = "This is the last one."
	default:
		return s.goTo(to)
	}
	return nil
}

// forward goes to the next item that is not rated whole, once this one is.
func (s *Rating) forward() tea.Cmd {
	if row := s.missing(0); row >= 0 {
		s.row = row
		s.notice = fmt.Sprintf("%d still to go: nothing is rated for you.", s.header.Rows()-s.item().Form.Filled())
		return nil
	}
	to := s.unrated(1)
	if to < 0 {
		s.notice = "All are rated. You can change them until the ratings are closed; " + s.theme.Press(frame.ScopeOverlap, "q") + " leaves."
		return nil
	}
	return s.goTo(to)
}

// change alters the form, has the event written, and goes on to the next row that is missing.
func (s *Rating) change(ev overlap.Event, alter func(*overlap.Form)) tea.Cmd {
	alter(&s.item().Form)
	s.steps++
	if ev.Noted == nil {
		if row := s.missing(s.row + 1); row >= 0 {
			s.row = row
		}
	}
	return s.write(ev, nothing)
}

// rate sets the score of the chosen row.
func (s *Rating) rate(score int) tea.Cmd {
	if l := s.label(s.row); l != nil {
		s.notice = "This row is no rating: " + s.letters(l) + " answers it."
		return nil
	}
	a := s.header.Attributes[s.row]
	if score > a.Max() {
		s.notice = fmt.Sprintf("The scale ends at %d.", a.Max())
		return nil
	}
	ev := overlap.Event{Rated: &overlap.Rated{Rater: s.opts.Rater, Item: s.item().ID, Attribute: a.ID, Score: score, At: s.now()}}
	return s.change(ev, func(f *overlap.Form) { f.Scores[a.ID] = score })
}

// answerLabel sets a label, whichever row is chosen.
func (s *Rating) answerLabel(k work.LabelKey) tea.Cmd {
	ev := overlap.Event{Labelled: &overlap.Labelled{Rater: s.opts.Rater, Item: s.item().ID, Label: k.Label, Value: k.Value, At: s.now()}}
	return s.change(ev, func(f *overlap.Form) { f.Labels[k.Label] = k.Value })
}

// letters are the keys of a label's values, as "y or n".
func (s *Rating) letters(l *session.Label) string {
	var keys []string
	for _, k := range s.keysOf {
		if k.Label == l.ID {
			keys = append(keys, s.theme.Press(frame.ScopeOverlap, k.Press))
		}
	}
	return strings.Join(keys, " or ")
}

// note begins to write the note, from a text.
func (s *Rating) note(text string) tea.Cmd {
	s.noting = true
	s.line.SetValue(text)
	s.line.CursorEnd()
	return s.line.Focus()
}

// noteDraft is the note as it stands in the line.
func (s *Rating) noteDraft() overlap.Event {
	return overlap.Event{NoteDraft: &overlap.Noted{Rater: s.opts.Rater, Item: s.item().ID, Text: s.line.Value(), At: s.now()}}
}

// asItWas leaves the note as it was, and takes back the draft of another one.
func (s *Rating) asItWas() tea.Cmd {
	s.noting = false
	if !s.typedOut() {
		return nil
	}
	return s.write(overlap.Event{NoteDraft: &overlap.Noted{Rater: s.opts.Rater, Item: s.item().ID, Text: s.item().Form.Note, At: s.now()}}, nothing)
}

// noteKey handles the keys of the line in which the note is written.
func (s *Rating) noteKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		return s.asItWas()
	case "enter":
		text := strings.TrimSpace(s.line.Value())
		if text == s.item().Form.Note {
			return s.asItWas()
		}
		s.noting = false
		s.typedOut()
		ev := overlap.Event{Noted: &overlap.Noted{Rater: s.opts.Rater, Item: s.item().ID, Text: text, At: s.now()}}
		return s.change(ev, func(f *overlap.Form) { f.Note = text })
	}
	return s.edit(&s.line, msg)
}

// takeBack undoes the last step, whichever item it was at.
func (s *Rating) takeBack() tea.Cmd {
	s.saving = true
	return s.write(overlap.Event{TakenBack: &overlap.TakenBack{Rater: s.opts.Rater, At: s.now()}}, func() tea.Cmd {
		last := s.refresh()
		var cmd tea.Cmd
		s.notice = "The last step is taken back."
		if i := slices.IndexFunc(s.items, func(e overlap.Entry) bool { return e.ID == last }); i >= 0 && i != s.at {
			s.at = i
			s.held = nil // they were meant for another item
			cmd = s.show(&s.header, &s.item().Item)
			s.notice = "The last step, at this one, is taken back."
		}
		s.row, s.open = max(0, s.missing(0)), false
		return cmd
	})
}

// refresh reads the forms again from the file, and says of which item something was changed
// last.
func (s *Rating) refresh() (last string) {
	s.file.Look(func(set *overlap.Set) {
		s.items, s.steps, last = set.For(s.opts.Rater), set.Steps(s.opts.Rater), set.Last(s.opts.Rater)
	})
	return last
}

// Mouse looks at the answer, and fills in the form: a click on a cell gives its score or
// value, one elsewhere in a row chooses the row.
func (s *Rating) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	w := left(s.size)
	click, clicked := msg.(tea.MouseClickMsg)
	if w > 0 && x < w || w == 0 && s.open {
		return s.mouse(msg, x, y)
	}
	if w > 0 {
		x -= w + 1
	}
	at := s.top + y - formHead
	if !clicked || click.Button != tea.MouseLeft || s.noting || s.saving || y < formHead || at >= len(s.rows) {
		return nil
	}
	s.notice, s.bad, s.fresh, s.open = "", false, false, false
	s.row = s.rows[at]
	if l := s.label(s.row); l != nil {
		return s.clickLabel(l, s.lines[at], x)
	}
	const first, cell = 3 + nameWidth, 3
	own := at == 0 || s.rows[at-1] != s.row
	if score := (x - first) / cell; own && x >= first && score < s.header.Attributes[s.row].Max() {
		return s.rate(score + session.MinScore)
	}
	return nil
}

// clickLabel gives a label the value that stands in a column of its line.
func (s *Rating) clickLabel(l *session.Label, line string, x int) tea.Cmd {
	var keys []work.LabelKey
	var texts []string
	for _, k := range s.keysOf {
		if k.Label == l.ID {
			keys, texts = append(keys, k), append(texts, s.theme.Press(frame.ScopeOverlap, k.Press)+" "+frame.OneLine(k.Value))
		}
	}
	if i := frame.TextAt(line, x, texts); i >= 0 {
		return s.answerLabel(keys[i])
	}
	return nil
}
