package engine

import (
	"context"
	"errors"
	"slices"

	"assay/benchmark/extract"
	"assay/session"
)

// Judged reports whether a part of an answer is in the code that is judged, as the log says. The parts are the
// candidates of the answer's extraction; logs number those in fences or tags.
func Judged(e *session.CodeExtracted, parts []extract.Candidate, i int) bool {
	number := 0
	for _, p := range parts[:i+1] {
		if p.Method != extract.MethodBare {
			number++
		}
	}
	switch {
	case e == nil || e.Code == "":
		return false
	case e.Candidate > 0 && e.Candidate == i+1:
		return true
	case parts[i].Method == extract.MethodBare || len(e.Chosen) == 0:
		return e.Candidate == 0 && parts[i].Chosen
	}
	return slices.Contains(e.Chosen, number)
}

// Blocks lists the parts of the answer under review that may be the program. Chosen are those that are judged.
func (e *Engine) Blocks() ([]extract.Candidate, error) {
	s := e.State()
	a := s.Attempt()
	if a == nil || a.Answer == nil {
		return nil, errors.New("no answer is under review")
	}
	answer, err := e.Text(a.Answer.Answer)
	if err != nil {
		return nil, err
	}
	parts := extract.Code(answer, e.tasks[s.Current]).Candidates
	judged := slices.Clone(parts)
	for i := range parts {
		judged[i].Chosen = Judged(a.Extracted, parts, i)
	}
	return judged, nil
}

// Take has another part of the answer under review judged and measured, by its number from 1 among the candidates
// of its extraction. The tester's choice is recorded beside what assay chose.
func (e *Engine) Take(ctx context.Context, candidate int) error {
	s := e.State()
	a := s.Attempt()
	if a == nil || a.Answer == nil {
		return errors.New("no answer is under review")
	}
	of := replyID{s.Current, a.N, a.Standing()}
	answer, err := e.Text(a.Answer.Answer)
	if err != nil {
		return err
	}
	var found extract.Extraction
	if !e.survives(func() { found = extract.Take(answer, e.tasks[of.task], candidate-1) }) {
		return errors.New("taking this block out of the answer broke: the details are in the server's log")
	}
	texts := map[session.Ref][]byte{}
	record := extracted(of, found, texts)
	record.Method, record.Candidate = extract.MethodTester, candidate
	if err := e.do(ctx, texts, record); err != nil {
		return err
	}
	e.job(func() { e.inspect(of, found.Code) })
	e.job(func() { e.judge(of, found.Code) })
	return nil
}
