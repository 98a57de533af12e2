package estimate

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session/estimate"
	"assay/tui/editor"
	"assay/tui/frame"
)

// Options are what the screen works with.
type Options struct {
	File      *estimate.File
	Estimator string
	Now       func() time.Time
}

// saveEvery is the time between a key and the saving of what was typed.
const saveEvery = 500 * time.Millisecond

// mode is what keys are for.
type mode int

const (
	choosing mode = iota // rows of the form, and what is read
	writing              // in a row of text
	asking               // whether to hand in
	leaving              // it is handed in
)

// Screen is the round of one estimator.
type Screen struct {
	opts   Options
	header estimate.Header
	items  []estimate.Entry
	at     int // of items
	mode   mode
	row    estimate.Field
	view   int // of the phrasings, and after them what others said
	top    int // first row of the text
	below  int // rows of it that do not find room
	page   int // rows of it that do

	area         editor.Editor
	areaX, areaY int           // where the editor begins
	before       estimate.Form // as the form was when the row was opened
	undos        []undo
	notice       string
	bad          bool // the notice is about trouble

	since  time.Time // the task is on the screen
	dirty  bool      // something that was typed is not written
	ticked bool      // a saveMsg is on its way
	queue  []*job
	flight *job              // it is being written
	saving bool              // keys are held until it is done
	held   []tea.KeyPressMsg // keys that were pressed meanwhile
	failed error             // why the last job was not written; nil where it was

	rows  map[int]wrapped // of the task that is shown, by view
	size  frame.Size
	theme frame.Theme
}

// undo is something that can be taken back: a change of a form, or an estimate that was kept.
type undo struct {
	index int
	form  estimate.Form
	kept  bool
}

// job is something to be written, once: beside the keys, or by who leaves before that.
type job struct {
	event estimate.Event
	done  func() // after it was written
	once  sync.Once
	err   error
}

func (j *job) write(f *estimate.File) error {
	j.once.Do(func() { j.err = f.Add(j.event) })
	return j.err
}

type (
	saveMsg    struct{}
	writtenMsg struct {
		of  *Screen
		job *job
		err error
	}
)

// New makes the screen. It begins where the estimator was, or, if that task has its estimate,
// with the next one that has none.
func New(opts Options) *Screen {
	s := &Screen{opts: opts, header: opts.File.Header(), items: opts.File.For(opts.Estimator), area: editor.New()}
	last := opts.File.Last(opts.Estimator)
	at := max(0, slices.IndexFunc(s.items, func(it estimate.Entry) bool { return it.Task == last }))
	for step := range s.items {
		if i := (at + step) % len(s.items); s.items[i].Given == nil || step == 0 && s.items[i].Changed() {
			at = i
			break
		}
	}
	s.show(at)
	return s
}

// Init writes down that the estimator is here.
func (s *Screen) Init() tea.Cmd {
	s.saving = true
	return s.write(estimate.Event{Opened: &estimate.Opened{Estimator: s.opts.Estimator, At: s.now()}}, func() {})
}

func (s *Screen) now() time.Time { return s.opts.Now().UTC() }

// Typing reports whether printable keys are text.
func (s *Screen) Typing() bool { return s.mode == writing }

// Settled reports whether all is written.
func (s *Screen) Settled() bool { return !s.dirty && s.flight == nil && len(s.queue) == 0 }

// Leave writes what is not written yet.
func (s *Screen) Leave() tea.Cmd {
	if s.mode == leaving {
		return nil
	}
	if s.mode == writing {
		s.take()
	}
	s.pass()
	var jobs []*job
	if s.flight != nil {
		jobs = append(jobs, s.flight)
	}
	jobs = append(jobs, s.queue...)
	if s.worthKeeping() {
		jobs = append(jobs, &job{event: s.draft()})
	}
	s.queue, s.dirty = nil, false
	file := s.opts.File
	return func() tea.Msg {
		for _, j := range jobs {
			if err := j.write(file); err != nil {
				return writtenMsg{s, j, err}
			}
		}
		return nil
	}
}

// Departure tells what is not saved.
func (s *Screen) Departure() frame.Departure {
	d := frame.Departure{Saving: s.flight != nil || len(s.queue) > 0 || s.dirty && s.ticked}
	if s.failed != nil {
		f := &s.item().Form
		d.Why = s.failed.Error()
		d.Lost = []frame.Loss{{What: "your estimate of " + s.item().Task, Text: strings.TrimSpace(f.Summary + "\n\n" + f.Reason)}}
	}
	return d
}

// item is the task that is shown.
func (s *Screen) item() *estimate.Entry { return &s.items[s.at] }

// pass adds the time that the task was on the screen since it was last added.
func (s *Screen) pass() {
	now := s.opts.Now()
	s.item().Form.MS += max(0, now.Sub(s.since).Milliseconds())
	s.since = now
}

// show goes to a task, and to the first row that is not filled in.
func (s *Screen) show(index int) {
	s.at, s.view, s.top, s.rows = index, 0, 0, map[int]wrapped{}
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
		cmd = s.saveDraft(s.draft())
	}
	s.show(index)
	return cmd
}

// worthKeeping reports whether the form holds what the file has no word of: a change, or the
// time for a task that has no estimate.
func (s *Screen) worthKeeping() bool { return s.item().Given == nil || s.item().Changed() || s.dirty }

// draft is the form of the task that is shown, as it stands.
func (s *Screen) draft() estimate.Event {
	s.pass()
	it := s.item()
	return estimate.Event{Draft: &estimate.Estimate{Estimator: s.opts.Estimator, Task: it.Task, Form: it.Form, At: s.now()}}
}

func (s *Screen) saveDraft(ev estimate.Event) tea.Cmd {
	s.dirty = false
	return s.write(ev, func() {})
}

// write has an event written after those that wait already.
func (s *Screen) write(ev estimate.Event, done func()) tea.Cmd {
	s.queue = append(s.queue, &job{event: ev, done: done})
	return s.next()
}

func (s *Screen) next() tea.Cmd {
	if s.flight != nil || len(s.queue) == 0 {
		return nil
	}
	j := s.queue[0]
	s.flight, s.queue = j, s.queue[1:]
	file := s.opts.File
	return func() tea.Msg { return writtenMsg{s, j, j.write(file)} }
}

// written goes on after something was written, or says why it was not.
func (s *Screen) written(msg writtenMsg) tea.Cmd {
	s.flight = nil
	if s.failed = msg.err; msg.err != nil {
		s.notice, s.bad = "It is not kept: "+msg.err.Error(), true
		s.saving, s.held, s.queue = false, nil, nil
		if msg.job.event.Draft != nil {
			s.dirty = false // it is tried again with the next key
		}
		return nil
	}
	msg.job.done()
	if len(s.queue) > 0 {
		return s.next()
	}
	s.saving = false
	var cmds []tea.Cmd
	for len(s.held) > 0 && !s.saving {
		press := s.held[0]
		s.held = s.held[1:]
		cmds = append(cmds, s.pressed(press))
	}
	return tea.Batch(cmds...)
}

// Update handles keys, and what was written meanwhile.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		s.size, s.theme = msg.Size, msg.Theme
	case writtenMsg:
		if msg.of == s {
			return s.written(msg)
		}
	case frame.SaveMsg:
		if s.dirty || s.failed != nil {
			return s.saveDraft(s.draft())
		}
	case saveMsg:
		s.ticked = false
		if s.dirty && s.mode != leaving {
			return s.saveDraft(s.draft())
		}
	case tea.PasteMsg:
		if s.mode == writing && !s.saving {
			return s.edit(func() { s.area.Insert(msg.Content, "paste") })
		}
	case tea.KeyPressMsg:
		if s.saving {
			s.held = append(s.held, msg)
			return nil
		}
		return s.pressed(msg)
	}
	return nil
}

func (s *Screen) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad = "", false
	return s.key(msg)
}

// change alters the form by something that is one step to undo, and writes it.
func (s *Screen) change(alter func(*estimate.Form)) tea.Cmd {
	before := s.item().Form
	alter(&s.item().Form)
	if s.item().Form.Equal(before) {
		return nil
	}
	s.undos = append(s.undos, undo{index: s.at, form: before})
	return s.saveDraft(s.draft())
}

// edit changes the text of the row that is open, and has it written soon.
func (s *Screen) edit(alter func()) tea.Cmd {
	version := s.area.Version()
	alter()
	if s.area.Version() == version {
		return nil
	}
	s.take()
	s.dirty = true
	if s.ticked {
		return nil
	}
	s.ticked = true
	return tea.Tick(saveEvery, func(time.Time) tea.Msg { return saveMsg{} })
}

// take puts what is typed into the form.
func (s *Screen) take() {
	text := s.area.Value()
	if s.row == estimate.FieldSummary {
		s.item().Form.Summary = strings.ReplaceAll(text, "\n", " ")
		return
	}
	s.item().Form.Reason = text
}

// open begins to write in the row.
func (s *Screen) open() {
	s.before = s.item().Form
	text := s.before.Reason
	if s.row == estimate.FieldSummary {
		text = s.before.Summary
	}
	s.area.Reset(text, true)
	s.mode = writing
}

// shut ends the writing in a row.
func (s *Screen) shut() tea.Cmd {
	s.take()
	s.mode = choosing
	if s.item().Form.Equal(s.before) {
		if s.dirty { // it was changed, and changed back
			return s.saveDraft(s.draft())
		}
		return nil
	}
	s.undos = append(s.undos, undo{index: s.at, form: s.before})
	return s.saveDraft(s.draft())
}

// goOn goes to the next row that is not filled in, else to the next one.
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

// keep makes the form an estimate, and goes on to the next task without one.
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
	s.saving, s.dirty = true, false
	return s.write(ev, func() {
		s.refresh(index)
		s.undos = append(s.undos, undo{index: index, kept: true})
		s.notice = "The estimate of " + s.items[index].Task + " is kept."
		s.forward()
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

// forward goes to the next task without an estimate, from the top again after the last.
func (s *Screen) forward() tea.Cmd {
	for step := 1; step <= len(s.items); step++ {
		index := (s.at + step) % len(s.items)
		if s.items[index].Given == nil {
			if index == s.at {
				s.notice = strings.TrimSpace(s.notice + " This is the only task left.")
				return nil
			}
			return s.goTo(index)
		}
	}
	s.notice = strings.TrimSpace(fmt.Sprintf("%s All are estimated: %s hands in.", s.notice, s.theme.Press(frame.ScopeEstimate, "h")))
	return nil
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
		s.saving = true
		ev := estimate.Event{TakenBack: &estimate.TakenBack{Estimator: s.opts.Estimator, Task: it.Task, At: s.now()}}
		return tea.Batch(cmd, s.write(ev, func() {
			s.refresh(last.index)
			s.show(last.index)
			s.notice = "The estimate is not kept any more; what you filled in stands."
		}))
	}
	spent, now := it.Form.MS, it.Form
	it.Form = last.form
	it.Form.MS = spent
	s.row = changed(now, last.form)
	s.notice = "The last change is taken back."
	return tea.Batch(cmd, s.saveDraft(s.draft()))
}

// changed is the first row in which two forms differ.
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
	s.saving = true
	ev := estimate.Event{Submitted: &estimate.Submitted{Estimator: s.opts.Estimator, At: s.now()}}
	return s.write(ev, func() { s.mode = leaving })
}

// kept counts the tasks that have an estimate.
func (s *Screen) kept() int {
	n := 0
	for _, it := range s.items {
		if it.Given != nil {
			n++
		}
	}
	return n
}

// unkept counts the tasks whose estimate is kept, but not what was changed of it since.
func (s *Screen) unkept() int {
	n := 0
	for _, it := range s.items {
		if it.Changed() {
			n++
		}
	}
	return n
}

// others reports whether somebody estimated the task in a round before.
func (s *Screen) others() bool { return len(s.item().Before) > 0 }

// views is how many texts there are to read: the phrasings, and what others said.
func (s *Screen) views() int {
	n := len(s.item().Phrasings)
	if s.others() {
		n++
	}
	return n
}

// textRow reports whether a row is filled in with words.
func textRow(f estimate.Field) bool {
	return slices.Contains([]estimate.Field{estimate.FieldSummary, estimate.FieldReason}, f)
}
