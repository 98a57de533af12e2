package engine_test

import (
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
)

// TestStraightLiningIsFlagged: the same score for all attributes in three consecutive tasks sets a flag,
// without any other effect.
func TestStraightLiningIsFlagged(t *testing.T) {
	rig, err := enginetest.New(5)
	fatal.If(t, err)
	defer rig.Engine.Close(t.Context())
	for task := range 5 {
		must := func(err error) {
			t.Helper()
			fatal.If(t, err)
		}
		rig.Client.Say("```python\ndef f():\n    return 1\n```\n")
		must(rig.Engine.OpenTask(t.Context()))
		must(rig.Engine.Edit(t.Context(), "write it"))
		must(rig.Engine.Send(t.Context(), "write it"))
		fatal.If(t, rig.Until(t.Context(), func(s *session.State) bool { return s.Phase == session.Review }))
		must(rig.Engine.Judge(t.Context(), session.DecideSatisfied, false))
		for i, a := range rig.Engine.State().Plan.Attributes {
			score := 4
			if task == 0 && i == 3 {
				score = 2 // the first task is rated with thought
			}
			must(rig.Engine.Rate(t.Context(), a.ID, score))
		}
		for _, l := range rig.Engine.State().Plan.LabelsFor(session.Satisfied) {
			must(rig.Engine.Label(t.Context(), l.ID, l.Values[0]))
		}
		must(rig.Engine.Commit(t.Context()))
		if got := len(rig.Engine.State().Flags); got != map[bool]int{true: 1}[task >= 3] {
			t.Errorf("after task %d: %d flags", task, got)
		}
	}
}
