package work

import (
	"context"
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/tui/work/live"
)

// outcomesOf runs a command and what it is made of, and returns the outcomes of intents.
func outcomesOf(cmd tea.Cmd) (all []live.DoneMsg) {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if done, is := msg.(live.DoneMsg); is {
		return []live.DoneMsg{done}
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			all = append(all, outcomesOf(v.Index(i).Interface().(tea.Cmd))...)
		}
	}
	return all
}

// A key that is pressed after a step is for the view that the step led to, whatever the
// order in which the outcomes of the step and of the key before it arrive.
func TestOutcomesInAnyOrder(t *testing.T) {
	m, rig := composing(t, "")
	ctx := context.Background()
	rig.Client.Say("Here:\n\n```python\ndef double(n):\n    return 2 * n\n```\n")
	fatal.If(t, m.Eng.Send(ctx, "x"))
	fatal.If(t, rig.Until(ctx, func(s *session.State) bool { return s.Phase == session.Review }))
	fatal.If(t, m.Eng.Judge(ctx, session.DecideSatisfied, true))
	s := m.Eng.State()
	for _, a := range s.Plan.Attributes {
		fatal.If(t, m.Eng.Rate(ctx, a.ID, 5))
	}
	for _, l := range s.Plan.LabelsFor(s.Task().Decided(s.Plan.K)) {
		fatal.If(t, m.Eng.Label(ctx, l.ID, l.Values[0]))
	}
	m.follow()
	m.rating.form.Row = 0
	key := func(press rune) tea.Cmd { return m.Update(tea.KeyPressMsg{Code: press, Text: string(press)}) }
	rated := key('2')
	commit := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	for _, done := range append(outcomesOf(commit), outcomesOf(rated)...) {
		m.Update(done)
		if m.State.Phase == session.Rate && !m.Holding() {
			t.Error("the form that was committed still takes keys")
		}
	}
	if m.State.Phase == session.Rate || m.Holding() || m.Predicted != 0 {
		t.Errorf("at the end: %v, holding %v, %d predicted", m.State.Phase, m.Holding(), m.Predicted)
	}
}
