package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// place is the position of a line.
type place struct {
	path string
	at   int64
}

// reuse copies answers to cells of this run from other runs. An answer fits a cell if all its inputs are
// the same, that is, its key.
func (r *Run) reuse() error {
	if len(r.o.Reuse) == 0 {
		return nil
	}
	known := map[string]place{}
	for _, dir := range r.o.Reuse {
		if _, err := os.Stat(filepath.Join(dir, manifestName)); err != nil {
			return fmt.Errorf("%s holds no run with answers to reuse: %w", dir, err)
		}
		files, err := fs.Glob(os.DirFS(dir), answersName+"/*/*.jsonl")
		if err != nil {
			return fmt.Errorf("looking for the answers of %s: %w", dir, err)
		}
		for _, name := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := readLines(path, func(a Answer, at int64) { known[a.Key] = place{path, at} }); err != nil {
				return err
			}
		}
	}
	for _, a := range r.models {
		var failed error
		r.cells.each(func(x cell) bool {
			if a.stored.has(r.cells.number(x)) {
				return true
			}
			if from, ok := known[r.cells.key(a.definition, x)]; ok {
				failed = r.takeFrom(a, x, from)
			}
			return failed == nil
		})
		if failed != nil {
			return failed
		}
		a.before, a.usedBefore = a.count, a.usage.out
	}
	return nil
}

// takeFrom copies an answer from another run.
func (r *Run) takeFrom(a *asked, x cell, from place) error {
	f, err := os.Open(from.path)
	if err != nil {
		return fmt.Errorf("reusing an answer of another run: %w", err)
	}
	defer f.Close()
	var line Answer
	if err := json.NewDecoder(io.NewSectionReader(f, from.at, 1<<62)).Decode(&line); err != nil {
		return fmt.Errorf("reusing an answer from %s: %w", from.path, err)
	}
	line.Model, line.Prompt, line.From = a.model.Name, r.cells.prompts[x.task][x.prompt].Name, filepath.Dir(filepath.Dir(filepath.Dir(from.path)))
	r.taken++
	if r.o.Dry {
		r.note(a, r.cells.number(x), "", line)
		return nil
	}
	return r.store(a, x, line)
}

// Each calls do with every answer of a model to a wording in the run's directory. Another process may be
// appending to it.
func Each(dir, model, prompt string, do func(Answer) error) error {
	var failed error
	err := readLines(answersPath(dir, model, prompt), func(a Answer, _ int64) {
		if failed == nil {
			failed = do(a)
		}
	})
	return errors.Join(failed, err)
}

// readLines reads a file of answers that another process may be writing.
func readLines(path string, each func(a Answer, at int64)) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading answers of another run: %w", err)
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	for {
		at := dec.InputOffset()
		var a Answer
		switch err := dec.Decode(&a); {
		case err == io.EOF || err == io.ErrUnexpectedEOF: // a line being written
			return nil
		case err != nil:
			return fmt.Errorf("reading the answers of another run in %s: %w", path, err)
		}
		if a.Key != "" {
			each(a, at)
		}
	}
}
