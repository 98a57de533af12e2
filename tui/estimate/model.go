package estimate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session/estimate"
	"assay/tui/editor"
	"assay/tui/frame"
	"assay/tui/saver"
)

// Options are the inputs of the screen.
type Options struct {
	File      *estimate.File
	Estimator string
	Now       func() time.Time
	Shared    bool // the file is not the estimator's: many write it at a time
}

// mode is what keys currently act on.
type mode int

const (
	choosing mode = iota // the rows of the form, and the text
	writing              // an open row of text
	asking               // the question whether to hand in
	leaving              // nothing: the round is handed in
	reading              // the worked examples
)

// Screen is the round of one estimator.
type Screen struct {
	opts   Options
	header estimate.Header
	items  []estimate.Entry
	at     int // index of the shown task
	mode   mode
	row    estimate.Field
	view   int          // index among the phrasings, then others' estimates
	text   frame.Window // of the phrasing, or of a worked example

	example int // index of the shown one

	area         editor.Editor
	areaX, areaY int           // position of the editor
	before       estimate.Form // the form before the row was opened
	undos        []undo
	notice       string
	bad          bool // the notice is an error

	since time.Time // when the task came on the screen
	saver saver.Saver

	rows  map[int]wrapped // of the shown task, by view
	theme frame.Theme
}

// undo is a step that can be undone: a change of a form, or a kept estimate.
type undo struct {
	index int
	form  estimate.Form
	kept  bool
}

// New returns the screen. It starts where the estimator was, or, if that task has an estimate,
// with the next one without; and with the worked examples if the estimator has done nothing yet.
func New(opts Options) *Screen {
	s := &Screen{opts: opts, header: opts.File.Header(), items: opts.File.For(opts.Estimator), area: editor.New()}
	s.saver = saver.Saver{Draft: s.draft, Pressed: s.pressed, Failed: func(err error) { s.notice, s.bad = "Not saved: "+err.Error(), true }}
	last := opts.File.Last(opts.Estimator)
	at := max(0, slices.IndexFunc(s.items, func(it estimate.Entry) bool { return it.Task == last }))
	if to := s.unestimated(at); to >= 0 && !s.items[at].Changed() {
		at = to
	}
	if s.show(at); last == "" && len(s.header.Examples) > 0 {
		s.read()
	}
	return s
}

// Init records that the estimator has opened the screen.
func (s *Screen) Init() tea.Cmd {
	return s.saver.WriteHolding(s.add(estimate.Event{Opened: &estimate.Opened{Estimator: s.opts.Estimator, At: s.now()}}), nil)
}

func (s *Screen) now() time.Time { return s.opts.Now().UTC() }

// Typing reports whether printable keys are text.
func (s *Screen) Typing() bool { return s.mode == writing }

// Settled reports whether everything is written.
func (s *Screen) Settled() bool { return s.saver.Idle() }

// Leave writes what is not written yet.
func (s *Screen) Leave() tea.Cmd {
	if s.mode == leaving {
		return nil
	}
	if s.mode == writing {
		s.fill()
	}
	if s.mode != reading && s.worthKeeping() {
		s.saver.Touch()
	}
	return s.saver.Leave()
}

// Departure returns what is not saved.
func (s *Screen) Departure() frame.Departure {
	f := &s.item().Form
	return s.saver.Departure(frame.Loss{What: "your estimate of " + s.item().Task, Text: strings.TrimSpace(f.Summary + "\n\n" + f.Reason)})
}

// item returns the shown task.
func (s *Screen) item() *estimate.Entry { return &s.items[s.at] }

// pass adds the time that the task was on the screen since the last call.
func (s *Screen) pass() {
	now := s.opts.Now()
	s.item().Form.MS += max(0, now.Sub(s.since).Milliseconds())
	s.since = now
}

// show shows a task, with its first empty row chosen.
func (s *Screen) show(index int) {
	s.at, s.view, s.text, s.rows = index, 0, frame.Window{}, map[int]wrapped{}
	s.since = s.opts.Now()
	s.row = estimate.FieldSummary
	if missing := s.item().Form.Missing(); len(missing) > 0 {
		s.row = missing[0]
	}
}

// goTo leaves a task for another one.
func (s *Screen) goTo(index int) tea.Cmd {
	s.pass()
	var cmd tea.Cmd
	if s.worthKeeping() {
		cmd = s.saver.SaveNow()
	}
	s.show(index)
	return cmd
}

// worthKeeping reports whether the form has something that the file lacks: a change, or the time
// for a task without an estimate.
func (s *Screen) worthKeeping() bool {
	return s.item().Given == nil || s.item().Changed() || s.saver.Dirty()
}

// draft returns how to write the form of the shown task as a draft; nil after the round is handed
// in.
func (s *Screen) draft() func() error {
	if s.mode == leaving || s.mode == reading && !s.saver.Dirty() {
		return nil
	}
	s.pass()
	it := s.item()
	return s.add(estimate.Event{Draft: &estimate.Estimate{Estimator: s.opts.Estimator, Task: it.Task, Form: it.Form, At: s.now()}})
}

// add returns how to write an event.
func (s *Screen) add(e estimate.Event) func() error {
	return func() error { return s.opts.File.Add(e) }
}

// Update handles keys, and results of writing.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		s.theme = msg.Theme
	case tea.PasteMsg:
		if s.mode == writing && !s.saver.Holding() {
			return s.edit(func() { s.area.Insert(msg.Content, "paste") })
		}
	}
	cmd, _ := s.saver.Update(msg)
	return cmd
}

// change alters the form in one undoable step, and writes it.
func (s *Screen) change(alter func(*estimate.Form)) tea.Cmd {
	before := s.item().Form
	alter(&s.item().Form)
	if s.item().Form.Equal(before) {
		return nil
	}
	s.undos = append(s.undos, undo{index: s.at, form: before})
	return s.saver.SaveNow()
}

// edit changes the text of the open row, and schedules its writing.
func (s *Screen) edit(alter func()) tea.Cmd {
	version := s.area.Version()
	alter()
	if s.area.Version() == version {
		return nil
	}
	s.fill()
	return s.saver.Typed()
}

// fill copies the typed text into the form.
func (s *Screen) fill() {
	text := s.area.Value()
	if s.row == estimate.FieldSummary {
		s.item().Form.Summary = strings.ReplaceAll(text, "\n", " ")
		return
	}
	s.item().Form.Reason = text
}

// open opens the row for typing.
func (s *Screen) open() {
	s.before = s.item().Form
	text := s.before.Reason
	if s.row == estimate.FieldSummary {
		text = s.before.Summary
	}
	s.area.Reset(text, true)
	s.mode = writing
}

// shut closes the open row.
func (s *Screen) shut() tea.Cmd {
	s.fill()
	s.mode = choosing
	if s.item().Form.Equal(s.before) {
		if s.saver.Dirty() { // changed, and changed back
			return s.saver.SaveNow()
		}
		return nil
	}
	s.undos = append(s.undos, undo{index: s.at, form: s.before})
	return s.saver.SaveNow()
}

// goOn chooses the next empty row, or else the next row.
func (s *Screen) goOn() {
	missing := s.item().Form.Missing()
	for _, f := range missing {
		if f > s.row {
			s.row = f
			return
		}
	}
	switch {
	case len(missing) > 0:
		s.row = missing[0]
	case s.row < estimate.Fields-1:
		s.row++
	}
}

// keep saves the form as an estimate, and goes to the next task without one.
func (s *Screen) keep() tea.Cmd {
	it := s.item()
	if missing := it.Form.Missing(); len(missing) > 0 {
		s.row = missing[0]
		s.notice = fmt.Sprintf("%d still to go: nothing is estimated for you.", len(missing))
		return nil
	}
	if it.Given != nil && !it.Changed() {
		s.notice = "It is kept as it stands."
		return s.forward()
	}
	s.pass()
	index := s.at
	ev := estimate.Event{Estimate: &estimate.Estimate{Estimator: s.opts.Estimator, Task: it.Task, Form: it.Form, At: s.now()}}
	s.saver.TypedOut()
	return s.saver.WriteHolding(s.add(ev), func(err error) tea.Cmd {
		if err != nil {
			return nil
		}
		s.refresh(index)
		s.undos = append(s.undos, undo{index: index, kept: true})
		s.notice = "The estimate of " + s.items[index].Task + " is kept."
		return s.forward()
	})
}

// refresh reads a task again from the file.
func (s *Screen) refresh(index int) {
	for _, e := range s.opts.File.For(s.opts.Estimator) {
		if e.Task == s.items[index].Task {
			s.items[index] = e
		}
	}
}

// forward goes to the next task without an estimate, continuing from the first after the last.
func (s *Screen) forward() tea.Cmd {
	switch to := s.unestimated(s.at + 1); {
	case to < 0:
		s.notice = strings.TrimSpace(s.notice + s.theme.Keyed(frame.ScopeEstimate, false, " All are estimated: {h} hands in."))
	case to == s.at:
		s.notice = strings.TrimSpace(s.notice + " This is the only task left.")
	default:
		return s.goTo(to)
	}
	return nil
}

// unestimated returns the first task without an estimate, starting at from; -1 if there is none.
func (s *Screen) unestimated(from int) int {
	return frame.Next(len(s.items), from, func(i int) bool { return s.items[i].Given == nil })
}

// takeBack undoes the last step.
func (s *Screen) takeBack() tea.Cmd {
	last := s.undos[len(s.undos)-1]
	s.undos = s.undos[:len(s.undos)-1]
	var cmd tea.Cmd
	if last.index != s.at {
		cmd = s.goTo(last.index)
	}
	it := s.item()
	if last.kept {
		ev := estimate.Event{TakenBack: &estimate.TakenBack{Estimator: s.opts.Estimator, Task: it.Task, At: s.now()}}
		return tea.Batch(cmd, s.saver.WriteHolding(s.add(ev), func(err error) tea.Cmd {
			if err == nil {
				s.refresh(last.index)
				s.show(last.index)
				s.notice = "The estimate is open again; the form is unchanged."
			}
			return nil
		}))
	}
	spent, now := it.Form.MS, it.Form
	it.Form = last.form
	it.Form.MS = spent
	s.row = changed(now, last.form)
	s.notice = "The last change is taken back."
	return tea.Batch(cmd, s.saver.SaveNow())
}

// changed returns the first row in which two forms differ.
func changed(a, b estimate.Form) estimate.Field {
	switch {
	case a.Summary != b.Summary:
		return estimate.FieldSummary
	case a.Difficulty != b.Difficulty:
		return estimate.FieldDifficulty
	case a.Reason != b.Reason:
		return estimate.FieldReason
	}
	return estimate.FieldTime
}

// handIn ends the round for the estimator.
func (s *Screen) handIn() tea.Cmd {
	s.mode = choosing
	return s.saver.WriteHolding(s.add(estimate.Event{Submitted: &estimate.Submitted{Estimator: s.opts.Estimator, At: s.now()}}), func(err error) tea.Cmd {
		if err == nil {
			s.mode = leaving
		}
		return nil
	})
}

// estimated counts the tasks that have an estimate.
func (s *Screen) estimated() int {
	return frame.CountIf(s.items, func(it *estimate.Entry) bool { return it.Given != nil })
}

// changed counts the tasks whose estimate was changed since it was kept.
func (s *Screen) changed() int { return frame.CountIf(s.items, (*estimate.Entry).Changed) }

// others reports whether the task was estimated in an earlier round.
func (s *Screen) others() bool { return len(s.item().Before) > 0 }

// views returns the number of texts to read: the phrasings, and others' estimates.
func (s *Screen) views() int {
	n := len(s.item().Phrasings)
	if s.others() {
		n++
	}
	return n
}

// textRow reports whether a row takes text.
func textRow(f estimate.Field) bool {
	return slices.Contains([]estimate.Field{estimate.FieldSummary, estimate.FieldReason}, f)
}
