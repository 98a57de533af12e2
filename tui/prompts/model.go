package prompts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session/prompts"
	"assay/tui/editor"
	"assay/tui/frame"
	"assay/tui/saver"
)

// Options are the inputs of the screen.
type Options struct {
	Set      *prompts.Set
	Tasks    []*benchmark.Task
	Reviewer string
	Now      func() time.Time
	// Another requests another candidate for a place; nil if there is no model to ask, for the
	// reason in NoWriter.
	Another          func(ctx context.Context, t *benchmark.Task, level, wording int) error
	Writer, NoWriter string

	// Subject is what the texts are, if they are no wordings of known tasks.
	Subject *Subject
}

// Subject is what texts under review are, if there is one for each task and the task is as new as its text.
type Subject struct {
	Title, Noun string                                 // "Harder tasks · starter", "task"
	Texts       func(t *benchmark.Task) []Text         // to compare with, the first at once
	Doubts      func(t *benchmark.Task) []prompts.Flag // none decides anything
	About       func(t *benchmark.Task) string         // a line
}

// Text is a text to compare with.
type Text struct {
	Name, Text string
	Apart      bool // it is of another kind: differences are not marked
}

// mode is what keys currently act on.
type mode int

const (
	reading mode = iota
	listing      // the list of prompts covers the single one
	editing
	reasoning // the line in which a rejection is explained
)

// item is a prompt under review.
type item struct {
	task  *benchmark.Task
	entry prompts.Entry
	flags []prompts.Flag
	known bool // flags are computed
}

// Screen is the review of a file of prompts.
type Screen struct {
	opts    Options
	items   []item
	shown   frame.List[int] // indexes of the items that pass the filter
	filter  filter
	mode    mode
	against int          // index of the text compared with the candidate
	texts   frame.Window // of the texts

	areaX, areaY int // position of the editor

	toAccept int  // so many are to be accepted at once, if the key is pressed again
	settling bool // the next decision settles a disagreement
	area     editor.Editor
	reason   textinput.Model
	undos    []undo
	notice   string
	bad      bool // the notice is an error

	// open is the prompt of an open reason or edit, as it was when the key was pressed.
	open    prompts.Entry
	saver   saver.Saver
	asking  *asked      // a running request for another candidate
	arrived *writtenMsg // its result, to be shown when nothing is open
	differ  frame.Latest[diffKey, drawn]
	size    frame.Size
	theme   frame.Theme
}

// undo is a step that can be undone.
type undo struct {
	index  int
	number int
	wrote  bool // a candidate was written, not a decision made
}

// asked is a request for another candidate.
type asked struct {
	index int
	stop  context.CancelFunc
}

type (
	writtenMsg struct {
		of     *asked
		number int
		err    error
	}
	flagsMsg struct{ flags map[int][]prompts.Flag }
)

// draftEvery is the shortest time between two drafts of a wording: each is a whole line in a file
// that people share.
const draftEvery = 5 * time.Second

// New returns the screen.
func New(opts Options) *Screen {
	s := &Screen{opts: opts, area: editor.New(), reason: frame.NewLine(300)}
	s.saver = saver.Saver{Pressed: s.pressed, Draft: s.draft, Pause: draftEvery, Failed: func(err error) {
		s.notice, s.bad = strings.TrimSpace("Not saved: "+err.Error()+" "+s.notice), true
	}}
	for _, t := range opts.Tasks {
		for _, e := range opts.Set.Entries(t, opts.Reviewer) {
			if !e.Stale {
				s.items = append(s.items, item{task: t, entry: e})
			}
		}
	}
	s.shown.Same, s.shown.Chose = func(a, b int) bool { return a == b }, s.chose
	s.sift()
	s.shown.Pick(s.undecided)
	return s
}

// Init computes the doubts about the prompts.
func (s *Screen) Init() tea.Cmd { return s.check(func(item) bool { return true }) }

// Typing reports whether printable keys are text.
func (s *Screen) Typing() bool { return s.mode == editing || s.mode == reasoning }

// Settled reports whether nothing is being computed or written.
func (s *Screen) Settled() bool {
	if s.saver.Writing() || s.asking != nil && s.arrived == nil {
		return false
	}
	for _, it := range s.items {
		if !it.known {
			return false
		}
	}
	return s.differ.Settled()
}

// Leave stops a running request, and saves the open editor's text.
func (s *Screen) Leave() tea.Cmd {
	if s.asking != nil {
		s.asking.stop()
	}
	s.differ.Stop()
	return s.saver.Leave()
}

// draft returns how to save the edited text; nil if nothing is edited, or the text is unchanged.
func (s *Screen) draft() func() error {
	if s.mode != editing || !s.edited() {
		return nil
	}
	return s.keepDraft(s.area.Value())
}

// Departure returns what is not saved.
func (s *Screen) Departure() frame.Departure {
	if s.mode == editing {
		return s.saver.Departure(frame.Loss{What: "your wording", Text: s.area.Value()})
	}
	return s.saver.Departure(frame.Loss{What: "your last decision"})
}

// check computes the flags of some prompts in the background.
func (s *Screen) check(of func(item) bool) tea.Cmd {
	type job struct {
		at     int
		task   *benchmark.Task
		prompt prompts.Prompt
		others []prompts.Prompt
	}
	byTask := map[*benchmark.Task][]prompts.Prompt{}
	for _, it := range s.items {
		byTask[it.task] = append(byTask[it.task], it.entry.Prompt)
	}
	var jobs []job
	for i, it := range s.items {
		if of(it) {
			jobs = append(jobs, job{i, it.task, it.entry.Prompt, byTask[it.task]})
		}
	}
	subject := s.opts.Subject
	return func() tea.Msg {
		flags := map[int][]prompts.Flag{}
		var checker *prompts.Checker
		for i, j := range jobs {
			if subject != nil {
				flags[j.at] = subject.Doubts(j.task)
				continue
			}
			if i == 0 || j.task != jobs[i-1].task {
				checker = prompts.NewChecker(j.task)
			}
			flags[j.at] = checker.Check(j.prompt, j.others)
		}
		return flagsMsg{flags}
	}
}

// Update handles keys, and results of background work.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := s.differ.Take(msg); taken {
		return cmd
	}
	if cmd, taken := s.saver.Update(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case frame.LookMsg:
		s.size, s.theme = msg.Size, msg.Theme
	case frame.ShownMsg:
		return s.differ.Resume()
	case flagsMsg:
		for i, flags := range msg.flags {
			s.items[i].flags, s.items[i].known = flags, true
		}
		return nil
	case writtenMsg:
		return s.written(msg)
	case tea.PasteMsg:
		return tea.Batch(s.pasted(msg), s.compare())
	}
	return s.compare()
}

// pressed handles a key.
func (s *Screen) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad = "", false
	return tea.Batch(s.key(msg), s.arrive(), s.compare())
}

func (s *Screen) pasted(msg tea.PasteMsg) tea.Cmd {
	switch s.mode {
	case editing:
		s.area.Insert(msg.Content, "paste")
		return s.saver.Typed()
	case reasoning:
		s.reason, _ = s.reason.Update(msg)
	}
	return nil
}

// at returns the shown prompt; nil if no prompt passes the filter.
func (s *Screen) at() *item {
	if i := s.index(); i >= 0 {
		return &s.items[i]
	}
	return nil
}

// noun returns what one of the texts is called.
func (s *Screen) noun() string {
	if s.opts.Subject != nil {
		return s.opts.Subject.Noun
	}
	return "prompt"
}

// name returns the name of a text, which the task's id goes before; "" if the task has one only.
func (s *Screen) name(e prompts.Entry) string {
	if s.opts.Subject != nil {
		return ""
	}
	return e.Name
}

func (s *Screen) index() int {
	if i, ok := s.shown.Chosen(); ok {
		return i
	}
	return -1
}

// save writes to the file, and shows the result. Keys are held until then.
func (s *Screen) save(index int, said string, what *undo, stay bool, write func() error) tea.Cmd {
	return s.saver.WriteHolding(write, func(err error) tea.Cmd {
		if err != nil {
			return tea.Batch(s.arrive(), s.compare())
		}
		return s.saved(index, said, what, stay)
	})
}

// saved shows the result of a written decision, and the next prompt.
func (s *Screen) saved(index int, said string, what *undo, stay bool) tea.Cmd {
	before := s.items[index].entry.Candidate.Number
	s.refresh(index)
	if s.items[index].entry.Candidate.Number > before {
		s.saver.Forget() // they may be meant for a candidate that is not on the screen
	}
	s.settling = false
	if what != nil {
		s.undos = append(s.undos, *what)
	}
	s.notice = said
	if stay {
		s.show(index)
	} else {
		s.next(true)
	}
	task := s.items[index].task
	checked := s.check(func(it item) bool { return it.task == task })
	if s.saver.Waiting() { // those keys come first
		return tea.Batch(checked, s.compare())
	}
	return tea.Batch(checked, s.arrive(), s.compare())
}

// refresh reads a prompt from the set again.
func (s *Screen) refresh(index int) {
	it := &s.items[index]
	for _, e := range s.opts.Set.Entries(it.task, s.opts.Reviewer) {
		if e.Name == it.entry.Name {
			it.entry = e
		}
	}
}

// show shows a prompt, whatever the filter.
func (s *Screen) show(index int) {
	is := func(i int) bool { return i == index }
	if !s.shown.Pick(is) {
		s.filter = all
		s.sift()
		s.shown.Pick(is)
	}
}

// chose shows another prompt, from its beginning.
func (s *Screen) chose() {
	s.against, s.settling = 0, false
	s.texts.To(0)
}

// undecided reports whether the reviewer has not decided on a prompt.
func (s *Screen) undecided(i int) bool { return s.items[i].entry.Review == prompts.Unreviewed }

// next goes to the next prompt that the reviewer has not decided on, continuing from the first
// after the last.
func (s *Screen) next(quiet bool) {
	if s.shown.Next(s.undecided) {
		return
	}
	if quiet && s.filter == all && s.decided() == len(s.items) {
		s.notice += " All are decided on."
	} else {
		s.notice = strings.TrimSpace(s.notice + " No " + s.noun() + " here is left to decide on.")
	}
}

// decided counts the prompts that the reviewer has decided on.
func (s *Screen) decided() int {
	return frame.CountIf(s.items, func(it *item) bool { return it.entry.Review != prompts.Unreviewed })
}

// ask requests another candidate; keys keep working meanwhile.
func (s *Screen) ask() tea.Cmd {
	index := s.index()
	it := s.items[index]
	ctx, stop := context.WithCancel(context.Background())
	job := &asked{index, stop}
	s.asking = job
	another, level, wording, number := s.opts.Another, it.entry.Level, it.entry.Wording, it.entry.Candidate.Number
	return func() tea.Msg {
		defer stop()
		return writtenMsg{job, number, another(ctx, it.task, level, wording)}
	}
}

// written handles the result of a request for another candidate.
func (s *Screen) written(msg writtenMsg) tea.Cmd {
	if s.asking != msg.of {
		return nil
	}
	s.arrived = &msg
	if s.Typing() || s.saver.Writing() {
		return nil // what is open belongs to the shown candidate
	}
	s.notice, s.bad = "", false
	return s.arrive()
}

// arrive shows the requested candidate, unless something is open or being saved.
func (s *Screen) arrive() tea.Cmd {
	if s.arrived == nil || s.Typing() || s.saver.Writing() {
		return nil
	}
	index, err := s.arrived.of.index, s.arrived.err
	s.asking, s.arrived = nil, nil
	it := &s.items[index]
	name := strings.TrimSpace(it.task.ID + " " + s.name(it.entry))
	say := func(text string) { s.notice = strings.TrimSpace(s.notice + " " + text) }
	if errors.Is(err, context.Canceled) {
		say("Stopped: the wording of " + name + " is unchanged.")
		return nil
	}
	if err != nil {
		say(fmt.Sprintf("There is no other wording of %s: %v", name, err))
		s.bad = true
		return nil
	}
	s.refresh(index)
	it.known = false
	s.undos = append(s.undos, undo{index, it.entry.Candidate.Number, true})
	say("Another wording of " + name + " has arrived, to decide on.")
	if index == s.index() {
		s.against = 0
		s.texts.To(0)
	}
	task := it.task
	return tea.Batch(s.check(func(it item) bool { return it.task == task }), s.compare())
}
