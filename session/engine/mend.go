package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
	"assay/benchmark/verdicts"
	"assay/session"
)

// MergeJudged records the answer to "Would you merge this?" as far as it is given.
func (e *Engine) MergeJudged(ctx context.Context, p session.MergeJudged) error {
	p.Text = valid(p.Text)
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		return nil, append(drafted(s, session.WordsMerge, ""), p), nil
	})
}

// mended is the tree of a final answer with edits by hand.
type mended struct {
	base    patch.Tree
	answer  patch.Changes // of the model
	edits   patch.Changes // by hand, compared with the answer's tree
	release func() error
}

// mended opens the tree of a task's final answer with the edits of mend n, 0 for none.
func (e *Engine) mended(ctx context.Context, s *session.State, task, n int) (*mended, error) {
	base, closes, err := e.tree(ctx, task)
	if err != nil {
		return nil, err
	}
	m := &mended{base: base, answer: patch.Changes{}, edits: patch.Changes{}, release: closes}
	if err := e.fillMended(m, e.Task(task).Repository, &s.Tasks[task], n); err != nil {
		return nil, errors.Join(err, closes())
	}
	return m, nil
}

func (e *Engine) fillMended(m *mended, repository *benchmark.Repository, t *session.Task, n int) error {
	if len(t.Attempts) == 0 {
		return nil
	}
	a := t.Attempts[len(t.Attempts)-1]
	if a.Tree != nil && a.Tree.Failed == nil {
		code, err := e.Text(a.Extracted.Code)
		if err != nil {
			return err
		}
		answer, err := patch.Read(code)
		if err != nil {
			return err
		}
		if m.answer, err = repository.Changes(answer, m.base); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	for _, f := range t.Mends[n-1].Files {
		text, err := e.Text(f.After)
		if err != nil {
			return err
		}
		m.edit(f.Path, text)
	}
	return nil
}

// tree returns the answer's tree without the edits.
func (m *mended) tree() patch.Tree { return m.answer.Over(m.base) }

// edit replaces the text of a file.
func (m *mended) edit(path, text string) {
	mode := patch.Regular
	if is, err := m.tree().Mode(path); err == nil {
		mode = is
	}
	m.edits[path] = &patch.File{Data: []byte(text), Mode: mode}
}

// diff returns the changes of answer and edits together, as a diff of the repository.
func (m *mended) diff() ([]byte, error) {
	all := patch.Changes{}
	for _, changes := range []patch.Changes{m.answer, m.edits} {
		maps.Copy(all, changes)
	}
	return patch.Diff(m.base, all)
}

// Mend records an edit of a file of the final answer by hand, which took ms milliseconds, and runs the tests
// on the result in the background.
func (e *Engine) Mend(ctx context.Context, path, text string, ms int64) error {
	s := e.State()
	if why := s.MayMend(); why != "" {
		return errors.New(why)
	}
	if text = valid(text); !isText(&patch.File{Data: []byte(text)}) {
		return fmt.Errorf("%s was not kept: it is no text, or larger than %d KB", path, mostText>>10)
	}
	task, n := s.Current, len(s.Task().Mends)
	m, err := e.mended(ctx, s, task, n)
	if err != nil {
		return err
	}
	defer func() { _ = m.release() }()
	m.edit(path, text)
	texts := map[session.Ref][]byte{}
	files, err := changedFiles(m.tree(), m.edits, texts)
	if err != nil {
		return err
	}
	diff, err := m.diff()
	if err != nil {
		return err
	}
	if err := e.do(ctx, texts, session.AnswerMended{Number: n + 1, Files: files, Diff: keep(texts, string(diff)), MS: ms}); err != nil {
		return err
	}
	e.job(func() { e.judgeMend(task, n+1) })
	return nil
}

// judgeMend runs the tests on a final answer as edited by hand.
func (e *Engine) judgeMend(task, n int) {
	ctx := e.background()
	var result verdicts.Result
	diff, err := e.Text(e.State().Tasks[task].Mends[n-1].Diff)
	switch {
	case err != nil:
		result = verdicts.Result{Verdict: verdicts.NotJudged, Message: err.Error()}
	case diff == "":
		result = verdicts.Result{Verdict: verdicts.NotJudged, Message: "the edited answer changes nothing in the repository"}
	case !e.survives(func() { result = e.verdict(ctx, e.tasks[task], diff) }):
		result = verdicts.Result{Verdict: verdicts.SandboxError, Message: judgingBroke}
	}
	if ctx.Err() != nil {
		return // Reopen judges again
	}
	if known := e.State().Tasks[task].Mends[n-1].Verdict; known != nil && known.Verdict == string(result.Verdict) {
		return // as recorded
	}
	texts := map[session.Ref][]byte{}
	detail, err := json.Marshal(result)
	if err != nil {
		detail = nil
	}
	record := verdictOn(result)
	record.Task, record.Attempt, record.Detail = task, len(e.State().Tasks[task].Attempts), keep(texts, string(detail))
	e.insist(texts, session.MendJudged{Number: n, VerdictRecorded: record})
}

// resumeMending runs the tests again on edits by hand whose verdict is missing.
func (e *Engine) resumeMending() {
	for i, t := range e.State().Tasks {
		for n, m := range t.Mends {
			if m.Verdict == nil || verdicts.Verdict(m.Verdict.Verdict) == verdicts.NotJudged && e.cfg.Judge != nil {
				e.job(func() { e.judgeMend(i, n+1) })
			}
		}
	}
}
