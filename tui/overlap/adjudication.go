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

// AdjudicationOptions are the inputs of the screen that settles disagreements.
type AdjudicationOptions struct {
	File  *overlap.File
	By    string // who settles
	Apart int    // raters this many points apart disagree
	Now   func() time.Time
	Work  viewer.Options
}

// Adjudication is the screen on which disagreements are settled.
type Adjudication struct {
	shared
	opts    AdjudicationOptions
	all     []overlap.Dispute
	given   []overlap.Given // for the shown item
	settled int             // decisions that can be undone
	text    frame.Window    // of the ratings
	chosen  overlap.Settled // the decision that the reason is for
}

// NewAdjudication returns the screen; it starts with the first disagreement that is not settled.
// The ratings must be closed, and there must be a disagreement.
func NewAdjudication(opts AdjudicationOptions) (*Adjudication, error) {
	s := &Adjudication{shared: shared{answer: answer{opts: opts.Work}, file: opts.File, line: frame.NewLine(0)}, opts: opts}
	s.saver.Pressed, s.saver.Draft = s.pressed, func() func() error { return s.draft(s.reasonDraft) }
	s.saver.Failed = s.failed
	var draft *overlap.Settled
	opts.File.Look(func(set *overlap.Set) { s.header, draft = set.Header, set.ReasonDraft(opts.By) })
	s.labels = form.Keys(s.header.Labels)
	if err := s.refresh(); err != nil {
		return nil, err
	}
	if len(s.all) == 0 {
		return nil, fmt.Errorf("no two raters are %d points apart or give different labels: there is nothing to settle", opts.Apart)
	}
	s.at = max(0, s.unsettled(0))
	if draft != nil {
		s.restore(*draft)
	}
	return s, nil
}

// restore continues with a reason that was being typed before.
func (s *Adjudication) restore(e overlap.Settled) {
	i := s.index(&e)
	if i < 0 {
		return // not a disagreement by this many points
	}
	s.at, s.chosen = i, e
	s.saver.BeginTyping(true)
	s.write(e.Reason)
	s.notice = "You were writing this when the program ended."
}

// index returns the disagreement that a decision is about, or -1.
func (s *Adjudication) index(e *overlap.Settled) int {
	return slices.IndexFunc(s.all, func(d overlap.Dispute) bool { return d.Item.ID == e.Item && asks(&d, e.Attribute, e.Label) })
}

// asks reports whether a disagreement is about an attribute or a label.
func asks(d *overlap.Dispute, attribute, label string) bool {
	return d.Attribute != nil && d.Attribute.ID == attribute || d.Label != nil && d.Label.ID == label
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

// dispute returns the shown disagreement.
func (s *Adjudication) dispute() *overlap.Dispute { return &s.all[s.at] }

// goTo shows a disagreement, and its answer if that is another one.
func (s *Adjudication) goTo(index int) tea.Cmd {
	another := s.past == nil || s.all[index].Item.ID != s.dispute().Item.ID
	s.at, s.text = index, frame.Window{}
	if err := s.refresh(); err != nil {
		s.notice, s.bad = err.Error(), true
	}
	if !another {
		return nil
	}
	return s.show(&s.header, s.dispute().Item)
}

// unsettled returns the next disagreement that is not settled, starting from an offset to this
// one; or -1.
func (s *Adjudication) unsettled(from int) int {
	return frame.Next(len(s.all), s.at+from, func(i int) bool { return s.all[i].Settled == nil })
}

// Update handles keys, and results of writing.
func (s *Adjudication) Update(msg tea.Msg) tea.Cmd { return s.update(msg) }

func (s *Adjudication) pressed(msg tea.KeyPressMsg) tea.Cmd { return s.press(msg, s.keys()) }

// keys returns the keys with their actions, or why they have none now.
func (s *Adjudication) keys() []frame.Key {
	if s.writing {
		return lineKeys(s.keepReason, s.dropReason)
	}
	keys := s.tableKeys()
	if l := s.dispute().Label; l != nil {
		for i, k := range form.Of(s.labels, l.ID) {
			keys = slices.Insert(keys, 1+i, frame.Key{Press: k.Press, Does: frame.OneLine(k.Value), Do: func() tea.Cmd {
				return s.settle(overlap.Settled{Label: l.ID, Value: k.Value})
			}})
		}
	}
	return keys
}

// tableKeys returns the keys that do not depend on the disagreement.
func (s *Adjudication) tableKeys() []frame.Key {
	return append([]frame.Key{
		{Press: "1-9", Does: "settle", Run: func(press string) tea.Cmd { return s.score(int(press[0] - '0')) }, Fit: func(k *frame.Key) {
			if a := s.dispute().Attribute; a != nil {
				k.Press = fmt.Sprintf("1-%d", a.Max())
			} else {
				k.Why = "this is a label: " + s.how(s.dispute()) + " settles it"
			}
		}},
		s.answerKey(), {Press: "enter", Does: "next", Do: s.forward},
		{Press: "u", Does: "undo", Do: s.takeBack, Not: func() string {
			if s.settled == 0 {
				return "nothing is settled yet"
			}
			return ""
		}},
		frame.HelpKey, {Press: "↑↓", Also: "← → [ ] k j shift+tab tab", Does: "other", Run: s.step},
	}, s.otherKeys()...)
}

// step goes to the previous or next disagreement.
func (s *Adjudication) step(press string) tea.Cmd {
	to, why := frame.Step(s.at, slices.Contains([]string{"down", "j", "tab", "right", "]"}, press), len(s.all))
	if s.notice = why; why != "" {
		return nil
	}
	return s.goTo(to)
}

// forward goes to the next disagreement that is not settled.
func (s *Adjudication) forward() tea.Cmd {
	switch to := s.unsettled(1); {
	case to < 0:
		s.notice = s.theme.Keyed(frame.ScopeOverlap, false, "All are settled; {q} leaves.")
	case to == s.at:
		s.notice = "This is the only one left."
	default:
		return s.goTo(to)
	}
	return nil
}

// score starts settling an attribute.
func (s *Adjudication) score(n int) tea.Cmd {
	a := s.dispute().Attribute
	if most := a.Max(); n > most {
		s.notice = scaleEnds(most)
		return nil
	}
	return s.settle(overlap.Settled{Attribute: a.ID, Score: n})
}

// settle asks for the reason.
func (s *Adjudication) settle(e overlap.Settled) tea.Cmd {
	e.By, e.Item = s.opts.By, s.dispute().Item.ID
	s.chosen = e
	if before := s.dispute().Settled; before != nil {
		return s.write(before.Reason)
	}
	return s.write("")
}

// reasoned returns the decision with a reason.
func (s *Adjudication) reasoned(reason string) *overlap.Settled {
	e := s.chosen
	e.Reason, e.At = reason, s.opts.Now().UTC()
	return &e
}

// reasonDraft returns the decision with the reason typed so far.
func (s *Adjudication) reasonDraft() overlap.Event {
	return overlap.Event{ReasonDraft: s.reasoned(s.line.Value())}
}

// dropReason cancels the decision, and removes the draft of the reason.
func (s *Adjudication) dropReason() tea.Cmd {
	s.writing = false
	s.notice = "Nothing is settled."
	if !s.saver.TypedOut() {
		return nil
	}
	s.line.SetValue("")
	return s.saver.Write(s.add(s.reasonDraft()), nil)
}

// keepReason settles the disagreement with the typed reason. If writing fails the reason, which
// is nowhere else, stays in the line.
func (s *Adjudication) keepReason() tea.Cmd {
	reason := strings.TrimSpace(s.line.Value())
	if reason == "" {
		s.notice = "A reason is needed, in a few words."
		return nil
	}
	s.writing = false
	s.saver.TypedOut()
	return s.saver.WriteHolding(s.add(overlap.Event{Settled: s.reasoned(reason)}), func(err error) tea.Cmd {
		if err != nil {
			s.writing = true
			return nil
		}
		s.notice = s.theme.Keyed(frame.ScopeOverlap, false, "Settled, with the reason; {enter} goes on.")
		if err := s.refresh(); err != nil {
			s.notice, s.bad = err.Error(), true
		}
		return nil
	})
}

// takeBack undoes the last decision, on any item.
func (s *Adjudication) takeBack() tea.Cmd {
	var last *overlap.Settled
	s.file.Look(func(set *overlap.Set) { last = set.LastSettled() })
	return s.saver.WriteHolding(s.add(overlap.Event{Unsettled: &overlap.Unsettled{By: s.opts.By, At: s.opts.Now().UTC()}}), func(err error) tea.Cmd {
		if err != nil {
			return nil
		}
		s.notice = "The last decision is taken back."
		return s.goTo(max(s.index(last), 0))
	})
}

// Mouse passes the mouse to the answer.
func (s *Adjudication) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd { return s.mouse(msg, x, y) }
