package overlap

import (
	"sync"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session/overlap"
	"assay/tui/frame"
)

// writer has events written one after the other, beside the keys.
type writer struct {
	file   *overlap.File
	queue  []*job
	flight *job              // it is being written
	saving bool              // keys are held until all is written
	held   []tea.KeyPressMsg // keys that were pressed meanwhile

	dirty   bool // something that was typed is not written
	ticked  bool // a saveMsg is on its way
	drafted bool // a draft of what is typed was written

	failed error // why the last job was not written; nil where it was
}

// saveEvery is the time between a key and the saving of what was typed.
const saveEvery = 500 * time.Millisecond

// saveMsg says that it is time to save what was typed.
type saveMsg struct{ of *writer }

// typed has what was typed saved soon.
func (w *writer) typed() tea.Cmd {
	w.dirty = true
	if w.ticked {
		return nil
	}
	w.ticked = true
	return tea.Tick(saveEvery, func(time.Time) tea.Msg { return saveMsg{w} })
}

// edit hands a line what is typed or pasted, and has it saved soon where that changes it.
func (w *writer) edit(line *textinput.Model, msg tea.Msg) tea.Cmd {
	before := line.Value()
	var cmd tea.Cmd
	if *line, cmd = line.Update(msg); line.Value() == before {
		return cmd
	}
	return tea.Batch(cmd, w.typed())
}

// save writes the draft of what was typed.
func (w *writer) save(draft overlap.Event) tea.Cmd {
	w.dirty, w.drafted = false, true
	return w.write(draft, nothing)
}

// saveTime writes the draft when it is time to, if something is not written.
func (w *writer) saveTime(draft func() overlap.Event) tea.Cmd {
	w.ticked = false
	return w.saveNow(draft)
}

// saveNow writes the draft, if something is not written.
func (w *writer) saveNow(draft func() overlap.Event) tea.Cmd {
	if !w.dirty {
		return nil
	}
	return w.save(draft())
}

// typedOut ends the typing: nothing is to be saved any more. It reports whether a draft was
// written.
func (w *writer) typedOut() (drafted bool) {
	drafted = w.drafted
	w.dirty, w.drafted = false, false
	return drafted
}

// job is something to be written, once: beside the keys, or by who leaves before that.
type job struct {
	event overlap.Event
	done  func() tea.Cmd // after it was written
	once  sync.Once
	err   error
}

func (j *job) write(f *overlap.File) error {
	j.once.Do(func() { j.err = f.Add(j.event) })
	return j.err
}

// writtenMsg says what became of a job.
type writtenMsg struct {
	of  *writer
	job *job
	err error
}

// write has an event written after those that wait already.
func (w *writer) write(ev overlap.Event, done func() tea.Cmd) tea.Cmd {
	w.queue = append(w.queue, &job{event: ev, done: done})
	return w.next()
}

func (w *writer) next() tea.Cmd {
	if w.flight != nil || len(w.queue) == 0 {
		return nil
	}
	j := w.queue[0]
	w.flight, w.queue = j, w.queue[1:]
	return func() tea.Msg { return writtenMsg{w, j, j.write(w.file)} }
}

// written goes on after something was written, and hands on the keys that were held. What
// could not be written takes with it all that waits behind it.
func (w *writer) written(msg writtenMsg, pressed func(tea.KeyPressMsg) tea.Cmd) tea.Cmd {
	w.flight = nil
	if w.failed = msg.err; msg.err != nil {
		w.saving, w.held, w.queue = false, nil, nil
		return nil
	}
	cmds := []tea.Cmd{msg.job.done()}
	if len(w.queue) > 0 {
		return tea.Batch(append(cmds, w.next())...)
	}
	w.saving = false
	for len(w.held) > 0 && !w.saving {
		press := w.held[0]
		w.held = w.held[1:]
		cmds = append(cmds, pressed(press))
	}
	return tea.Batch(cmds...)
}

// hold keeps a key while something is written that it may depend on.
func (w *writer) hold(msg tea.KeyPressMsg) bool {
	if w.saving {
		w.held = append(w.held, msg)
	}
	return w.saving
}

// nothing is what is to be done after most things were written.
func nothing() tea.Cmd { return nil }

// idle reports whether all is written.
func (w *writer) idle() bool { return !w.dirty && w.flight == nil && len(w.queue) == 0 }

// departure tells what is not saved: the text of the line that is open, or what was
// pressed last.
func (w *writer) departure(typing bool, text string) frame.Departure {
	d := frame.Departure{Saving: w.flight != nil || len(w.queue) > 0 || w.dirty && w.ticked}
	if w.failed != nil {
		d.Why = w.failed.Error()
		d.Lost = []frame.Loss{{What: "the last step"}}
		if typing {
			d.Lost = []frame.Loss{{What: "what you are writing", Text: text}}
		}
	}
	return d
}

// leave writes what is not written yet, with what was typed.
func (w *writer) leave(draft func() overlap.Event) tea.Cmd {
	if w.dirty {
		w.dirty, w.drafted = false, true
		w.queue = append(w.queue, &job{event: draft(), done: nothing})
	}
	var jobs []*job
	if w.flight != nil {
		jobs = append(jobs, w.flight)
	}
	jobs, w.queue = append(jobs, w.queue...), nil
	return func() tea.Msg {
		for _, j := range jobs {
			if err := j.write(w.file); err != nil {
				return writtenMsg{w, j, err}
			}
		}
		return nil
	}
}
