package overlap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/work"
)

// AdjudicationOptions are what the screen works with that settles disagreements.
type AdjudicationOptions struct {
	File  *overlap.File
	By    string // who settles
	Apart int    // so many points apart raters disagree
	Now   func() time.Time
	Work  work.Options
}

// Adjudication is the screen on which disagreements are settled.
type Adjudication struct {
	writer
	answer
	opts    AdjudicationOptions
	header  overlap.Header
	all     []overlap.Dispute
	given   []overlap.Given // on the item that is shown
	at      int             // of all
	settled int             // decisions that stand and can be taken back
	top     int             // first row that is seen
	writing bool            // the reason is
	chosen  overlap.Settled // what it is written for
	line    textinput.Model
	notice  string
	bad     bool
}

// NewAdjudication makes the screen; it begins with the first disagreement that is not settled.
// The ratings must be closed, and there must be a disagreement.
func NewAdjudication(opts AdjudicationOptions) (*Adjudication, error) {
	s := &Adjudication{writer: writer{file: opts.File}, answer: answer{opts: opts.Work}, opts: opts, line: newLine()}
	opts.File.Look(func(set *overlap.Set) { s.header = set.Header })
	if err := s.refresh(); err != nil {
		return nil, err
	}
	if len(s.all) == 0 {
		return nil, fmt.Errorf("no two raters lie %d points apart, or label otherwise: there is nothing to settle", opts.Apart)
	}
	s.at = max(0, s.unsettled(0))
	var draft *overlap.Settled
	opts.File.Look(func(set *overlap.Set) { draft = set.ReasonDraft(opts.By) })
	if draft != nil {
		s.restore(*draft)
	}
	return s, nil
}

// restore goes on with a reason that was being typed before.
func (s *Adjudication) restore(e overlap.Settled) {
	i := s.index(&e)
	if i < 0 {
		return // it is no disagreement so many points apart
	}
	s.at, s.chosen, s.writing, s.drafted = i, e, true, true
	s.line.SetValue(e.Reason)
	s.line.CursorEnd()
	s.notice = "You were writing this when it ended."
}

// index is the disagreement that a decision is on, -1 where there is none.
func (s *Adjudication) index(e *overlap.Settled) int {
	return slices.IndexFunc(s.all, func(d overlap.Dispute) bool {
		return d.Item.ID == e.Item && (d.Attribute != nil && d.Attribute.ID == e.Attribute || d.Label != nil && d.Label.ID == e.Label)
	})
}

// refresh reads the disagreements again from the file.
func (s *Adjudication) refresh() (err error) {
	s.file.Look(func(set *overlap.Set) {
		if s.all, err = set.Disputes(s.opts.Apart); err == nil {
			s.settled = len(set.Settlements())
		}
		if err == nil && s.at < len(s.all) {
			s.given, err = set.Given(s.all[s.at].Item.ID)
		}
	})
	return err
}

// Init shows the first disagreement.
func (s *Adjudication) Init() tea.Cmd {
	if s.writing {
		return tea.Batch(s.goTo(s.at), s.line.Focus())
	}
	return s.goTo(s.at)
}

// Typing reports whether printable keys are text.
func (s *Adjudication) Typing() bool { return s.writing || s.open && s.past.Typing() }

// Settled reports whether all is written, and drawn as it is wanted.
func (s *Adjudication) Settled() bool { return s.idle() && s.past.Settled() }

// Leave writes what is not written yet, with what was typed.
func (s *Adjudication) Leave() tea.Cmd { return s.leave(s.reasonDraft) }

// Departure tells what is not saved.
func (s *Adjudication) Departure() frame.Departure { return s.departure(s.writing, s.line.Value()) }

// dispute is the one that is shown.
func (s *Adjudication) dispute() *overlap.Dispute { return &s.all[s.at] }

// goTo shows a disagreement, and its answer anew if it is another.
func (s *Adjudication) goTo(index int) tea.Cmd {
	another := s.past == nil || s.all[index].Item.ID != s.dispute().Item.ID
	s.at, s.top = index, 0
	if err := s.refresh(); err != nil {
		s.notice, s.bad = err.Error(), true
	}
	if !another {
		return nil
	}
	return s.show(&s.header, s.dispute().Item)
}

// unsettled is the next disagreement that is not settled, from so many after this one, and
// from the top again after the last; -1 where there is none.
func (s *Adjudication) unsettled(from int) int {
	for step := range s.all {
		if i := (s.at + from + step) % len(s.all); s.all[i].Settled == nil {
			return i
		}
	}
	return -1
}

// done counts the disagreements that are settled.
func (s *Adjudication) done() int {
	n := 0
	for i := range s.all {
		if s.all[i].Settled != nil {
			n++
		}
	}
	return n
}

// Update handles keys, and what was written meanwhile.
func (s *Adjudication) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		return s.look(msg.Size, msg.Theme)
	case writtenMsg:
		if msg.of != &s.writer {
			return nil
		}
		if msg.err != nil {
			s.notice, s.bad = "It is not kept: "+msg.err.Error(), true
			s.writing = s.writing || msg.job.event.Settled != nil // the reason is nowhere else
			s.dirty = s.writing
		}
		return s.written(msg, s.pressed)
	case frame.SaveMsg:
		return s.saveNow(s.reasonDraft)
	case saveMsg:
		if msg.of == &s.writer {
			return s.saveTime(s.reasonDraft)
		}
		return nil
	case tea.PasteMsg:
		if s.writing {
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

func (s *Adjudication) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.notice, s.bad = "", false
	switch {
	case s.writing:
		return s.reasonKey(msg)
	case s.open:
		return s.answer.key(msg)
	}
	return s.key(msg.String())
}

// key handles the keys of the table.
func (s *Adjudication) key(press string) tea.Cmd {
	if why := frame.Refused(s.keys(), press); why != "" {
		s.notice = why
		return nil
	}
	switch press {
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return s.score(int(press[0] - '0'))
	case "up", "k", "shift+tab", "left", "[":
		return s.step(-1)
	case "down", "j", "tab", "right", "]":
		return s.step(1)
	case "enter":
		return s.forward()
	case "v":
		s.open = true
	case "u":
		return s.takeBack()
	case "q", "esc":
		return frame.Back
	default:
		if l := s.dispute().Label; l != nil {
			for _, k := range work.LabelKeys(s.header.Labels) {
				if k.Press == press && k.Label == l.ID {
					return s.settle(overlap.Settled{Label: l.ID, Value: k.Value})
				}
			}
		}
	}
	return nil
}

// step goes to the disagreement before or to the next one.
func (s *Adjudication) step(by int) tea.Cmd {
	switch to := s.at + by; {
	case to < 0:
		s.notice = "This is the first one."
	case to >= len(s.all):
		s.notice = "This is the last one."
	default:
		return s.goTo(to)
	}
	return nil
}

// forward goes to the next disagreement that is not settled.
func (s *Adjudication) forward() tea.Cmd {
	to := s.unsettled(1)
	if to < 0 {
		s.notice = "All are settled; " + s.theme.Press(frame.ScopeOverlap, "q") + " leaves."
		return nil
	}
	if to == s.at {
		s.notice = "This is the only one left."
		return nil
	}
	return s.goTo(to)
}

// score begins to settle an attribute.
func (s *Adjudication) score(n int) tea.Cmd {
	a := s.dispute().Attribute
	if a == nil {
		s.notice = "This is a label: " + s.how(s.dispute()) + " settles it."
		return nil
	}
	if most := a.Max(); n > most {
		s.notice = fmt.Sprintf("The scale ends at %d.", most)
		return nil
	}
	return s.settle(overlap.Settled{Attribute: a.ID, Score: n})
}

// settle asks for the reason.
func (s *Adjudication) settle(e overlap.Settled) tea.Cmd {
	e.By, e.Item = s.opts.By, s.dispute().Item.ID
	s.chosen, s.writing = e, true
	s.line.SetValue("")
	if before := s.dispute().Settled; before != nil {
		s.line.SetValue(before.Reason)
	}
	s.line.CursorEnd()
	return s.line.Focus()
}

// reasonDraft is the decision with the reason as it stands in the line.
func (s *Adjudication) reasonDraft() overlap.Event {
	e := s.chosen
	e.Reason, e.At = s.line.Value(), s.opts.Now().UTC()
	return overlap.Event{ReasonDraft: &e}
}

// reasonKey handles the keys of the line in which the reason is written.
func (s *Adjudication) reasonKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		s.writing = false
		s.notice = "Nothing is settled."
		if !s.typedOut() {
			return nil
		}
		s.line.SetValue("")
		return s.write(s.reasonDraft(), nothing)
	case "enter":
		e := s.chosen
		e.Reason, e.At = strings.TrimSpace(s.line.Value()), s.opts.Now().UTC()
		if e.Reason == "" {
			s.notice = "It wants a reason, in a few words."
			return nil
		}
		s.writing, s.saving = false, true
		s.typedOut()
		return s.write(overlap.Event{Settled: &e}, func() tea.Cmd {
			s.notice = "Settled, with the reason; " + s.theme.Press(frame.ScopeOverlap, "enter") + " goes on."
			if err := s.refresh(); err != nil {
				s.notice, s.bad = err.Error(), true
			}
			return nil
		})
	}
	return s.edit(&s.line, msg)
}

// takeBack undoes the last decision, wherever it was.
func (s *Adjudication) takeBack() tea.Cmd {
	var last *overlap.Settled
	s.file.Look(func(set *overlap.Set) { last = set.LastSettled() })
	s.saving = true
	return s.write(overlap.Event{Unsettled: &overlap.Unsettled{By: s.opts.By, At: s.opts.Now().UTC()}}, func() tea.Cmd {
		s.notice = "The last decision is taken back."
		return s.goTo(max(s.index(last), 0))
	})
}

// Mouse looks at the answer.
func (s *Adjudication) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd { return s.mouse(msg, x, y) }
