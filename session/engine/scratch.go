package engine

import (
	"context"
	"errors"

	"assay/benchmark/assemble"
	"assay/session"
)

// Scratch runs the code under review with a call or an input of the tester's own, in the background. What it prints is
// recorded if the answer is still under review then; it is no verdict.
func (e *Engine) Scratch(ctx context.Context, text string) error {
	s := e.State()
	a := s.Attempt()
	switch {
	case s.Phase != session.Review || a == nil || a.Extracted == nil || a.Extracted.Code == "":
		return errors.New("there is no code under review")
	case e.cfg.Judge == nil:
		return errors.New(e.cfg.NoJudge)
	}
	code, err := e.Text(a.Extracted.Code)
	if err != nil {
		return err
	}
	task, program, err := assemble.Scratch(e.tasks[s.Current], code, text)
	if err != nil {
		return err
	}
	e.job(func() {
		result, err := e.cfg.Judge.Judge(e.background(), task, program)
		printed := result.Printed()
		if err != nil {
			printed = err.Error()
		}
		texts := map[session.Ref][]byte{}
		// A refusal means that the answer was judged meanwhile.
		_ = e.do(e.background(), texts, session.ScratchRun{Attempt: a.N, Input: keep(texts, text), Output: keep(texts, printed)})
	})
	return nil
}
