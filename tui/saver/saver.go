// Package saver writes what a person does on a screen, one thing after the other and beside
// the keys. It holds the keys that depend on something that is not written yet, saves what is
// being typed, and knows what would be lost by leaving.
package saver

import (
	"cmp"
	"sync"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Every is the least time between two savings of what is being typed, of which the first is
// made at the first key: no more than this is lost when the machine dies. Each saving is an event
// in a log, so that half of it would make logs of fast typists twice as long.
const Every = 250 * time.Millisecond

// Saver belongs to one screen, which sets the functions before the first key.
type Saver struct {
	// Draft returns what saves the text that is being typed, as it stands; nil where none is.
	Draft func() func() error
	// Pressed handles a key.
	Pressed func(tea.KeyPressMsg) tea.Cmd
	// Pause is the least time between two savings of what is being typed; 0 stands for [Every].
	Pause time.Duration
	// Failed is told why something was not written, after its own function was.
	Failed func(err error)

	queue   []*job
	flight  *job              // it is being written
	holding bool              // keys are held until all is written
	held    []tea.KeyPressMsg // keys that were pressed meanwhile

	dirty   bool // something that was typed is not written
	ticked  bool // a saveMsg is on its way
	drafted bool // a draft of what is typed was written

	err error // why the last job was not written; nil where it was
}

// job is something to be written once: beside the keys, or when the screen is left before that.
type job struct {
	do   func() error
	done func(error) tea.Cmd
	once sync.Once
	err  error
}

func (j *job) write() error {
	j.once.Do(func() { j.err = j.do() })
	return j.err
}

type (
	saveMsg    struct{ of *Saver } // it is time to save what was typed
	writtenMsg struct {
		of  *Saver
		job *job
		err error
	}
)

// Write has something written after what waits already. Done, which may be nil, is told on
// the update path what came of it.
func (s *Saver) Write(do func() error, done func(error) tea.Cmd) tea.Cmd {
	s.queue = append(s.queue, &job{do: do, done: done})
	return s.next()
}

// WriteHolding is Write for something that the next keys depend on: they are held until all
// is written.
func (s *Saver) WriteHolding(do func() error, done func(error) tea.Cmd) tea.Cmd {
	s.holding = true
	return s.Write(do, done)
}

func (s *Saver) next() tea.Cmd {
	if s.flight != nil || len(s.queue) == 0 {
		return nil
	}
	j := s.queue[0]
	s.flight, s.queue = j, s.queue[1:]
	return func() tea.Msg { return writtenMsg{s, j, j.write()} }
}

// Update handles keys, and the messages that concern saving.
func (s *Saver) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if s.holding {
			s.held = append(s.held, msg)
			return nil, true
		}
		return s.Pressed(msg), true
	case frame.SaveMsg:
		return s.save(), true
	case saveMsg:
		if msg.of != s {
			return nil, false
		}
		if s.ticked = false; s.dirty {
			return s.Typed(), true
		}
		return nil, true
	case writtenMsg:
		if msg.of != s {
			return nil, false
		}
		return s.written(msg), true
	}
	return nil, false
}

// written goes on after something was written, and hands on the keys that were held. What
// could not be written takes with it all that waits behind it.
func (s *Saver) written(msg writtenMsg) tea.Cmd {
	s.flight = nil
	if s.err = msg.err; msg.err != nil {
		s.holding, s.held, s.queue = false, nil, nil
	}
	var cmds []tea.Cmd
	if msg.job.done != nil {
		cmds = append(cmds, msg.job.done(msg.err))
	}
	if msg.err != nil {
		s.Failed(msg.err)
		return tea.Batch(cmds...)
	}
	if len(s.queue) > 0 {
		return tea.Batch(append(cmds, s.next())...)
	}
	s.holding = s.flight != nil && s.holding // done may have begun to write something else
	for len(s.held) > 0 && !s.holding {
		press := s.held[0]
		s.held = s.held[1:]
		cmds = append(cmds, s.Pressed(press))
	}
	return tea.Batch(cmds...)
}

// Forget drops the keys that are held: they were meant for something else.
func (s *Saver) Forget() { s.held = nil }

// Typed has what was typed saved: at once after a rest, then once in each Pause.
func (s *Saver) Typed() tea.Cmd {
	s.dirty = true
	if s.ticked {
		return nil
	}
	s.ticked = true
	return tea.Batch(s.SaveNow(), tea.Tick(cmp.Or(s.Pause, Every), func(time.Time) tea.Msg { return saveMsg{s} }))
}

// Edit hands a key or a paste to a line, and has it saved soon where that changes it.
func (s *Saver) Edit(line *textinput.Model, msg tea.Msg) tea.Cmd {
	before := line.Value()
	var cmd tea.Cmd
	if *line, cmd = line.Update(msg); line.Value() == before {
		return cmd
	}
	return tea.Batch(cmd, s.Typed())
}

// save writes what was typed and is not written yet.
func (s *Saver) save() tea.Cmd {
	if !s.dirty && s.err == nil {
		return nil
	}
	return s.SaveNow()
}

// SaveNow writes what is being typed as it stands.
func (s *Saver) SaveNow() tea.Cmd {
	s.dirty = false
	draft := s.Draft()
	if draft == nil {
		return nil
	}
	s.drafted = true
	return s.Write(draft, nil)
}

// Touch notes that what stands on the screen is not written, without saving it soon.
func (s *Saver) Touch() { s.dirty = true }

// BeginTyping begins the typing of a text of which a draft is written already, or not.
func (s *Saver) BeginTyping(drafted bool) { s.drafted = drafted }

// TypedOut ends the typing: nothing is to be saved any more. It reports whether a draft was
// written.
func (s *Saver) TypedOut() (drafted bool) {
	drafted = s.drafted
	s.dirty, s.drafted = false, false
	return drafted
}

// Dirty reports whether something that was typed is not written.
func (s *Saver) Dirty() bool { return s.dirty }

// Waiting reports whether keys were pressed that are held.
func (s *Saver) Waiting() bool { return len(s.held) > 0 }

// Holding reports whether keys are held.
func (s *Saver) Holding() bool { return s.holding }

// Idle reports whether all is written.
func (s *Saver) Idle() bool { return !s.dirty && !s.Writing() }

// Writing reports whether something is being written.
func (s *Saver) Writing() bool { return s.flight != nil || len(s.queue) > 0 }

// Departure tells what leaving would lose where something could not be written.
func (s *Saver) Departure(lost frame.Loss) frame.Departure {
	d := frame.Departure{Saving: s.Writing() || s.dirty && s.ticked}
	if s.err != nil {
		d.Why, d.Lost = s.err.Error(), []frame.Loss{lost}
	}
	return d
}

// Leave writes what is not written yet, with what was typed.
func (s *Saver) Leave() tea.Cmd {
	if draft := s.Draft(); (s.dirty || s.err != nil) && draft != nil {
		s.dirty, s.drafted = false, true
		s.queue = append(s.queue, &job{do: draft})
	}
	var jobs []*job
	if s.flight != nil {
		jobs = append(jobs, s.flight)
	}
	jobs, s.queue = append(jobs, s.queue...), nil
	return func() tea.Msg {
		for _, j := range jobs {
			if err := j.write(); err != nil {
				return writtenMsg{s, j, err}
			}
		}
		return nil
	}
}
