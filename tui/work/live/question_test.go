package live

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
)

// Words that were not saved are asked for again in their own question, whichever outcome arrives first.
func TestRefusedWordsOvertakeSavedOnes(t *testing.T) {
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	ctx := context.Background()
	t.Cleanup(func() { _ = rig.Engine.Close(ctx) })
	fatal.If(t, rig.Engine.OpenTask(ctx))
	m := New(rig.Engine, Options{})
	m.State = rig.Engine.State()
	m.Save, m.IsTyping = func() tea.Cmd { return nil }, func() bool { return false }
	enter := func(words string) tea.Cmd {
		m.ask.words.SetValue(words)
		cmd, _, _ := frame.Pressed(m.AskedKeys(), "enter")
		return cmd
	}
	m.AskNote()
	noted := enter("kept")
	noted()
	m.AskFlag()
	rig.Store.Fail(errors.New("no space left on device"))
	for _, outcome := range []tea.Cmd{enter("refused"), noted} {
		outcome()
		m.Done()
	}
	if m.ask == nil || m.ask.draft != session.WordsFlag || m.ask.words.Value() != "refused" {
		t.Errorf("asked again: %+v", m.ask)
	}
}
