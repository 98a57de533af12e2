package overlap

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/session/overlap"
	"assay/tui/form"
	"assay/tui/frame"
	"assay/tui/saver"
	"assay/tui/work"
)

// shared is the common part of both screens: an answer, ratings beside or instead of it, and a
// line for a short text.
type shared struct {
	answer
	saver   saver.Saver
	file    *overlap.File
	header  overlap.Header
	labels  []form.Key
	at      int  // index of the shown item or disagreement
	writing bool // the line receives the keys
	line    textinput.Model
	notice  string
	bad     bool // the notice is an error
}

// Typing reports whether printable keys are text.
func (s *shared) Typing() bool { return s.writing || s.open && s.past.Typing() }

// Settled reports whether everything is written and drawn.
func (s *shared) Settled() bool { return s.saver.Idle() && s.past.Settled() }

// Leave writes what is not written yet, including typed text.
func (s *shared) Leave() tea.Cmd { return s.saver.Leave() }

// Departure returns what is not saved.
func (s *shared) Departure() frame.Departure {
	if s.writing {
		return s.saver.Departure(frame.Loss{What: "what you are writing", Text: s.line.Value()})
	}
	return s.saver.Departure(frame.Loss{What: "the last step"})
}

// failed reports that something was not written.
func (s *shared) failed(err error) { s.notice, s.bad = "Not saved: "+err.Error(), true }

// draft returns how to write typed text as a draft; nil if nothing is typed.
func (s *shared) draft(event func() overlap.Event) func() error {
	if !s.writing {
		return nil
	}
	return s.add(event())
}

// add returns how to write an event.
func (s *shared) add(e overlap.Event) func() error { return func() error { return s.file.Add(e) } }

// update handles what both screens have in common; the saver gets a key first.
func (s *shared) update(msg tea.Msg) tea.Cmd {
	if look, is := msg.(frame.LookMsg); is {
		return s.look(look.Size, look.Theme)
	}
	if cmd, taken := s.saver.Update(msg); taken {
		return cmd
	}
	if _, pasted := msg.(tea.PasteMsg); pasted && s.writing {
		return s.saver.Edit(&s.line, msg)
	}
	return s.past.Update(msg)
}

// press passes a key to the open line, to the open answer, or to a table.
func (s *shared) press(msg tea.KeyPressMsg, table []frame.Key) tea.Cmd {
	s.notice, s.bad = "", false
	if s.open && !s.writing {
		return s.answer.key(msg)
	}
	cmd, why, taken := frame.Pressed(table, msg.String())
	if s.writing && !taken {
		return s.saver.Edit(&s.line, msg)
	}
	s.notice += why
	return cmd
}

// write opens the line with a text.
func (s *shared) write(text string) tea.Cmd {
	s.writing = true
	s.line.SetValue(text)
	s.line.CursorEnd()
	return s.line.Focus()
}

// lineKeys returns the keys of the line.
func lineKeys(keep, leave func() tea.Cmd) []frame.Key {
	return []frame.Key{{Press: "enter", Does: "keep", Do: keep}, {Press: "esc", Does: "leave as it was", Do: leave}}
}

// otherKeys returns the keys that leave, and show the answer.
func (s *shared) otherKeys() []frame.Key {
	return []frame.Key{
		{Press: "esc", Also: "q", Does: "leave; you can continue later", More: true, Do: frame.GoBack},
	}
}

// answerKey shows the answer instead of the form.
func (s *shared) answerKey() frame.Key {
	return frame.Key{Press: "v", Does: "answer", Do: frame.Only(func() { s.open = true })}
}

// drawn draws the ratings beside or instead of the answer, and below them the notice or the line.
func (s *shared) drawn(p frame.Page, text, seen, label string) frame.Page {
	if s.open {
		p = s.page(p, text)
		if s.notice == "" {
			return p
		}
	} else {
		p.Body, p.Seen = s.body(text, seen)
	}
	return s.foot(p, label)
}

// foot puts the notice or the line under the body.
func (s *shared) foot(p frame.Page, label string) frame.Page {
	body := s.size.Body()
	var last []string
	if s.writing {
		row, cursor := frame.Field(label, &s.line, true, body.Height-1, body.Width, s.theme)
		last, p.Cursor = []string{row}, cursor
		if s.notice != "" {
			p.Status = s.theme.Warn.Render("! " + frame.OneLine(s.notice))
		}
	} else if s.bad {
		last = frame.Notice("✗ "+s.notice, s.theme.Bad, body.Width, 3)
	} else {
		last = frame.Notice(s.notice, s.theme.Dim, body.Width, 3)
	}
	p.Body = frame.Under(p.Body, last, body)
	return p
}

// letters names the keys of a label with their values, as "c code or d understanding".
func (s *shared) letters(label string) string {
	var keys []string
	for _, k := range form.Of(s.labels, label) {
		keys = append(keys, s.theme.Press(frame.ScopeOverlap, k.Press)+" "+frame.OneLine(k.Value))
	}
	return strings.Join(keys, " or ")
}

// scaleEnds returns the message for a digit beyond a scale.
func scaleEnds(points int) string { return fmt.Sprintf("The scale ends at %d.", points) }

// Keys returns all keys of both screens, for the settings.
func Keys() []frame.Key {
	r, a := &Rating{}, &Adjudication{}
	return frame.Merged(r.formKeys(), r.pairKeys(), []frame.Key{r.howMuchKey(), {Press: form.Letters, Does: "the answers of labels"}}, a.tableKeys(), lineKeys(nil, nil), work.Keys(frame.ScopeOverlap))
}
