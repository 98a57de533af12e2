package work

import (
	"context"
	"sync"

	"assay/session"
	"assay/session/engine"
	"assay/tui/editor"
)

// unsaved holds the changes of a draft that the log does not have yet, in order. The screen adds
// changes, the queue of intents saves them; a change that cannot be saved stays, with its origin.
type unsaved struct {
	mu      sync.Mutex
	saved   string // the draft in the log
	changes []editor.Change
}

func (u *unsaved) add(changes ...editor.Change) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes = append(u.changes, changes...)
}

func (u *unsaved) none() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.changes) == 0
}

// lost reports whether the log lacks the text in the editor. Changes that were undone are no
// loss.
func (u *unsaved) lost(text string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.changes) > 0 && u.saved != text
}

// next returns the first change, with the draft before it.
func (u *unsaved) next() (before string, c editor.Change, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.changes) == 0 {
		return "", editor.Change{}, false
	}
	return u.saved, u.changes[0], true
}

// done drops the first change: the log has it.
func (u *unsaved) done() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.saved, u.changes = u.changes[0].Text, u.changes[1:]
}

// save writes the changes to the log one by one: those of a prompt with their origin, those of a
// pasted answer without.
func (u *unsaved) save(ctx context.Context, eng *engine.Engine, of draftOf) error {
	for {
		before, c, ok := u.next()
		if !ok {
			return nil
		}
		var err error
		if of.answer {
			err = eng.Draft(ctx, session.WordsAnswer, c.Text)
		} else if c.What == "" {
			err = eng.Edit(ctx, c.Text)
		} else {
			err = eng.Insert(ctx, c.What, before, c.Text)
		}
		if err != nil {
			return err
		}
		u.done()
	}
}
