package engine

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
	"assay/session"
)

// Trees opens the files that answers to repository tasks start from.
type Trees interface {
	Tree(ctx context.Context, task *benchmark.Task) (tree patch.Tree, closes func() error, err error)
}

// errNoTrees is why files of a repository are not shown.
var errNoTrees = errors.New("repositories cannot be read without a sandbox")

// tree opens the repository of a task.
func (e *Engine) tree(ctx context.Context, task int) (base patch.Tree, closes func() error, err error) {
	if e.cfg.Trees == nil {
		return nil, nil, errNoTrees
	}
	return e.cfg.Trees.Tree(ctx, e.tasks[task])
}

// mostText is the size in bytes of the largest file of a repository that is shown or kept.
const mostText = 1 << 20

// Paths lists the files of a task's repository: as it was given while a prompt is written, and then as the
// answer leaves it.
func (e *Engine) Paths(ctx context.Context, task int) ([]string, error) {
	return reading(e, ctx, task, patch.AllPaths)
}

// ReadFile reads a file of the tree that Paths lists, with edits by hand. It is an error if it is not text.
func (e *Engine) ReadFile(ctx context.Context, task int, path string) (string, error) {
	return reading(e, ctx, task, func(tree patch.Tree) (string, error) { return readText(tree, path) })
}

// reading calls read for the current tree of a task.
func reading[V any](e *Engine, ctx context.Context, task int, read func(patch.Tree) (V, error)) (none V, err error) {
	s := e.State()
	m, err := e.mended(ctx, s, task, len(s.Tasks[task].Mends))
	if err != nil {
		return none, err
	}
	defer func() { _ = m.release() }()
	return read(m.edits.Over(m.tree()))
}

func readText(tree patch.Tree, path string) (string, error) {
	file, err := tree.File(path)
	switch {
	case err != nil:
		return "", err
	case file.Mode == patch.Link:
		return "", fmt.Errorf("%s is a symbolic link to %s", path, file.Data)
	case !isText(file):
		return "", fmt.Errorf("%s is not text, or larger than %d KB (%d bytes)", path, mostText>>10, len(file.Data))
	}
	return string(file.Data), nil
}

func isText(f *patch.File) bool {
	return len(f.Data) <= mostText && utf8.Valid(f.Data) && !patch.FileChange{New: f}.Binary()
}

// changeTree records what an answer to a repository task changes. If the repository cannot be read, nothing
// is recorded, and the verdict has the reason.
func (e *Engine) changeTree(of replyID, answer string) {
	if e.tasks[of.task].Repository == nil || answer == "" {
		return
	}
	texts := map[session.Ref][]byte{}
	var changed session.TreeChanged
	var err error
	if !e.survives(func() { changed, err = e.changesOf(of.task, answer, texts) }) || err != nil {
		return
	}
	changed.Task, changed.Attempt, changed.Side = of.task, of.attempt, of.side
	if e.background().Err() == nil {
		e.insist(texts, changed)
	}
}

// changesOf applies an answer to the repository.
func (e *Engine) changesOf(task int, text string, texts map[session.Ref][]byte) (session.TreeChanged, error) {
	base, closes, err := e.tree(e.background(), task)
	if err != nil {
		return session.TreeChanged{}, err
	}
	defer func() { _ = closes() }()
	answer, err := patch.Read(text)
	var changes patch.Changes
	if err == nil {
		changes, err = e.Task(task).Repository.Changes(answer, base)
	}
	var failed *patch.Failure
	if errors.As(err, &failed) {
		f := &session.PatchFailure{Path: failed.Path, Hunk: failed.Hunk, Line: failed.Line, Text: failed.Text, Also: failed.Also}
		if answer != nil {
			f.Part = keep(texts, answer.Part(failed))
		}
		return session.TreeChanged{Failed: f}, nil
	}
	if err != nil {
		return session.TreeChanged{}, err
	}
	files, err := changedFiles(base, changes, texts)
	return session.TreeChanged{Files: files}, err
}

// changedFiles describes the changes of a tree, and adds the files' contents to texts.
func changedFiles(base patch.Tree, changes patch.Changes, texts map[session.Ref][]byte) ([]session.ChangedFile, error) {
	list, err := patch.FileChanges(base, changes)
	files := make([]session.ChangedFile, len(list))
	for i, c := range list {
		f := session.ChangedFile{Path: c.Path, From: c.From, Change: session.FileChanged, Binary: c.Binary(), Added: c.Added, Deleted: c.Deleted}
		switch {
		case c.From != "":
			f.Change = session.FileRenamed
		case c.Old == nil:
			f.Change = session.FileNew
		case c.New == nil:
			f.Change, f.Bytes = session.FileDeleted, len(c.Old.Data)
		}
		if c.Old != nil && c.New != nil && c.Old.Mode != c.New.Mode {
			f.Mode = fmt.Sprintf("%o → %o", c.Old.Mode, c.New.Mode)
		}
		if c.New != nil {
			f.Bytes = len(c.New.Data)
		}
		if (c.Old == nil || isText(c.Old)) && (c.New == nil || isText(c.New)) {
			if c.Old != nil {
				f.Before = keep(texts, string(c.Old.Data))
			}
			if c.New != nil {
				f.After = keep(texts, string(c.New.Data))
			}
		}
		files[i] = f
	}
	return files, err
}
