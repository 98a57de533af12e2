// Package saver writes the actions of a person on a screen one by one in the background. It holds
// keys that depend on an action that is not written yet, saves text that is being typed, and knows
// what leaving would lose.
package saver

import (
	"cmp"
	"sync"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Every is the minimum time between two saves of text that is being typed; the first key after a
// pause is saved at once. No more typing than this is lost when the machine dies. Each save is an
// event in a log: half of this time would double the logs of fast typists.
const Every = 250 * time.Millisecond

// Saver belongs to one screen, which sets the functions before the first key.
type Saver struct {
	// Draft returns a function that saves the text being typed; nil if none is.
	Draft func() func() error
	// Pressed handles a key.
	Pressed func(tea.KeyPressMsg) tea.Cmd
	// Pause is the minimum time between two saves of typed text; 0 stands for [Every].
	Pause time.Duration
	// Failed is called with the error of a failed write, after the write's own function.
	Failed func(err error)

	queue   []*job
	flight  *job              // the job being written
	holding bool              // keys are held until all is written
	held    []tea.KeyPressMsg // keys that were pressed meanwhile

	dirty   bool // typed text is not written
	ticked  bool // a saveMsg is on its way
	drafted bool // a draft of the text was written

	err error // of the last job
}

// job is written once: in the background, or when the screen is left.
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
	saveMsg    struct{ of *Saver } // it is time to save typed text
	writtenMsg struct {
		of  *Saver
		job *job
		err error
	}
)

// Write queues a job. Done, which may be nil, is called with the result on the update path.
func (s *Saver) Write(do func() error, done func(error) tea.Cmd) tea.Cmd {
	s.queue = append(s.queue, &job{do: do, done: done})
	return s.next()
}

// WriteHolding is Write for a job that the next keys depend on: they are held until all jobs are
// written.
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

// Update handles keys and the messages of saving.
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

// written handles the end of a job and releases held keys. A failed job drops all jobs behind it.
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
	s.holding = s.flight != nil && s.holding // done may have started another job
	for len(s.held) > 0 && !s.holding {
		press := s.held[0]
		s.held = s.held[1:]
		cmds = append(cmds, s.Pressed(press))
	}
	return tea.Batch(cmds...)
}

// Forget drops the keys that are held: they were meant for something else.
func (s *Saver) Forget() { s.held = nil }

// Typed saves typed text: at once after a rest, then once in each Pause.
func (s *Saver) Typed() tea.Cmd {
	s.dirty = true
	if s.ticked {
		return nil
	}
	s.ticked = true
	return tea.Batch(s.SaveNow(), tea.Tick(cmp.Or(s.Pause, Every), func(time.Time) tea.Msg { return saveMsg{s} }))
}

// Edit passes a key or a paste to a line and saves the line if it changed.
func (s *Saver) Edit(line *textinput.Model, msg tea.Msg) tea.Cmd {
	before := line.Value()
	var cmd tea.Cmd
	if *line, cmd = line.Update(msg); line.Value() == before {
		return cmd
	}
	return tea.Batch(cmd, s.Typed())
}

// save writes typed text that is not written yet.
func (s *Saver) save() tea.Cmd {
	if !s.dirty && s.err == nil {
		return nil
	}
	return s.SaveNow()
}

// SaveNow writes the text being typed.
func (s *Saver) SaveNow() tea.Cmd {
	s.dirty = false
	draft := s.Draft()
	if draft == nil {
		return nil
	}
	s.drafted = true
	return s.Write(draft, nil)
}

// Touch marks the text as not written, without saving it.
func (s *Saver) Touch() { s.dirty = true }

// BeginTyping starts a text; drafted tells whether a draft of it is written already.
func (s *Saver) BeginTyping(drafted bool) { s.drafted = drafted }

// TypedOut ends the typing without saving. It reports whether a draft was written.
func (s *Saver) TypedOut() (drafted bool) {
	drafted = s.drafted
	s.dirty, s.drafted = false, false
	return drafted
}

// Dirty reports whether typed text is not written.
func (s *Saver) Dirty() bool { return s.dirty }

// Waiting reports whether there are held keys.
func (s *Saver) Waiting() bool { return len(s.held) > 0 }

// Holding reports whether keys are held.
func (s *Saver) Holding() bool { return s.holding }

// Idle reports whether everything is written.
func (s *Saver) Idle() bool { return !s.dirty && !s.Writing() }

// Writing reports whether something is being written.
func (s *Saver) Writing() bool { return s.flight != nil || len(s.queue) > 0 }

// Departure reports what leaving would lose if the last write failed.
func (s *Saver) Departure(lost frame.Loss) frame.Departure {
	d := frame.Departure{Saving: s.Writing() || s.dirty && s.ticked}
	if s.err != nil {
		d.Why, d.Lost = s.err.Error(), []frame.Loss{lost}
	}
	return d
}

// Leave writes everything that is not written yet.
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
