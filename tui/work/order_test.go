package work

import (
	"context"
	"errors"
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
)

// outcomesOf runs a command and what it is made of, and returns the outcomes of intents.
func outcomesOf(cmd tea.Cmd) (all []doneMsg) {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if done, is := msg.(doneMsg); is {
		return []doneMsg{done}
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
	fatal.If(t, m.eng.Send(ctx, "x"))
	fatal.If(t, rig.Until(ctx, func(s *session.State) bool { return s.Phase == session.Review }))
	fatal.If(t, m.eng.Judge(ctx, session.DecideSatisfied, true))
	s := m.eng.State()
	for _, a := range s.Plan.Attributes {
		fatal.If(t, m.eng.Rate(ctx, a.ID, 5))
	}
	for _, l := range s.Plan.LabelsFor(s.Task().Decided(s.Plan.K)) {
		fatal.If(t, m.eng.Label(ctx, l.ID, l.Values[0]))
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
	if m.State.Phase == session.Rate || m.Holding() || m.predicted != 0 {
		t.Errorf("at the end: %v, holding %v, %d predicted", m.State.Phase, m.Holding(), m.predicted)
	}
}

// Words that were not saved are asked for again in their own question, whichever outcome arrives first.
func TestRefusedWordsOvertakeSavedOnes(t *testing.T) {
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	ctx := context.Background()
	t.Cleanup(func() { _ = rig.Engine.Close(ctx) })
	fatal.If(t, rig.Engine.OpenTask(ctx))
	m := New(rig.Engine, Options{})
	t.Cleanup(m.stop)
	m.askNote()
	m.ask.words.SetValue("kept")
	saved := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	noted := outcomesOf(saved)
	m.askFlag()
	m.ask.words.SetValue("refused")
	rig.Store.Fail(errors.New("no space left on device"))
	for _, done := range append(outcomesOf(m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})), noted...) {
		m.Update(done)
	}
	if m.ask == nil || m.ask.draft != session.WordsFlag || m.ask.words.Value() != "refused" {
		t.Errorf("asked again: %+v", m.ask)
	}
}
