package patch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// gitApplier applies the changes of a diff by the rules of `git apply`: no fuzz, a hunk without context at
// an end must be at that end of the file, and lines that a hunk has touched are not touched again.
type gitApplier struct {
	base    Tree
	budget  *budget
	results map[string]*File // by path; nil: deleted, or renamed away
	leaves  map[string]bool  // the paths that the diff deletes or renames
	partly  bool             // what does not apply is left out, as with --reject
}

func applyGit(base Tree, text []byte, b *budget) (Changes, error) {
	return (&gitApplier{base: base, budget: b}).apply(text)
}

// applyPartly applies what applies of a diff, as `git apply --reject` does; nothing where the diff is malformed.
func applyPartly(base Tree, text []byte, b *budget) Changes {
	changes, err := (&gitApplier{base: base, budget: b, partly: true}).apply(text)
	if err != nil {
		return Changes{}
	}
	return changes
}

func (a *gitApplier) apply(text []byte) (Changes, error) {
	changes, err := parseGit(text)
	if err != nil {
		return nil, err
	}
	a.results, a.leaves = map[string]*File{}, map[string]bool{}
	for _, c := range changes {
		if c.deletes || c.renames {
			a.leaves[c.old] = true
		}
	}
	for _, c := range changes {
		if err := a.change(c); err != nil && !a.partly {
			return nil, err
		}
	}
	return finish(a.base, a.results)
}

// finish checks that the results can stand beside each other and the tree, and that links stay inside.
func finish(base Tree, results Changes) (Changes, error) {
	// Deletions come first: a file may take the place of a directory that became empty.
	tree := Changes{}.Over(base).(*overlay)
	for name, file := range results {
		if file == nil {
			tree.set(name, nil)
		}
	}
	for _, name := range results.Paths() {
		file := results[name]
		if file == nil {
			continue
		}
		if err := guard(tree, name); err != nil {
			return nil, err
		}
		if file.Mode == Link {
			if err := guardLink(name, string(file.Data)); err != nil {
				return nil, err
			}
		}
		if mode, err := tree.Mode(name); err == nil && mode == directory {
			return nil, &Failure{Reason: NoFile, Path: name, Text: "there is a directory at this path"}
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if mode, err := tree.Mode(dir); err == nil && mode != directory {
				return nil, &Failure{Reason: NoFile, Path: name, Text: fmt.Sprintf("%s is a file and not a directory", dir)}
			}
		}
		tree.set(name, file)
	}
	for name, file := range results {
		if file == nil {
			if _, err := base.Mode(name); errors.Is(err, fs.ErrNotExist) {
				delete(results, name) // created and deleted again
			}
		}
	}
	return results, nil
}

// before returns the content that a change starts from; nil if there is no such file.
func (a *gitApplier) before(c *change) (*File, error) {
	if result, ok := a.results[c.old]; ok && !c.renames && !c.copies {
		if result == nil {
			return nil, &Failure{Reason: NoFile, Path: c.old, Line: c.line, Text: "the diff has deleted or renamed this file before"}
		}
		return result, nil
	}
	file, err := a.base.File(c.old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

func (a *gitApplier) change(c *change) error {
	for _, name := range []string{c.old, c.new} {
		if name == "" {
			continue
		}
		if err := guard(a.base, name); err != nil {
			return at(err, c.line)
		}
	}
	var old *File
	if !c.creates {
		var err error
		if old, err = a.before(c); err != nil {
			return err
		}
		if old == nil && c.maybeNew {
			c.creates, c.old = true, ""
		} else if old == nil {
			return &Failure{Reason: NoFile, Path: c.old, Line: c.line, Text: "there is no such file"}
		}
	}
	if err := a.free(c); err != nil {
		return err
	}
	mode := Regular
	content := []byte(nil)
	if old != nil {
		mode, content = old.Mode, old.Data
		if c.oldMode != 0 && (c.oldMode == Link) != (mode == Link) {
			return &Failure{Reason: NoFile, Path: c.old, Line: c.line, Text: "the file is a link and the diff is for a regular file, or the other way round"}
		}
	}
	if c.newMode != 0 {
		mode = c.newMode
	}
	if mode != Regular && mode != Executable && mode != Link {
		return &Failure{Reason: Forbidden, Path: c.path(), Line: c.line, Text: fmt.Sprintf("files of mode %o, such as submodules, are not supported", mode)}
	}
	result, err := a.content(c, content)
	if err != nil {
		return err
	}
	if err := a.budget.keep(c.path(), len(result)); err != nil {
		return err
	}
	if c.deletes || c.renames {
		if c.deletes && len(result) > 0 {
			return &Failure{Reason: NoMatch, Path: c.old, Line: c.line, Text: "the diff deletes the file, but the file has more content than the diff"}
		}
		if a.results[c.old] == nil || c.deletes { // or else another file was renamed to this path
			a.results[c.old] = nil
		}
	}
	if !c.deletes {
		a.results[c.new] = &File{Data: result, Mode: mode}
	}
	return nil
}

// at adds the line to a Failure.
func at(err error, line int) error {
	var f *Failure
	if errors.As(err, &f) {
		f.Line = line
	}
	return err
}

// free returns a Failure if a change creates a file that exists already.
func (a *gitApplier) free(c *change) error {
	if !c.creates && !c.renames && !c.copies || c.new == c.old || c.deletes {
		return nil
	}
	taken := &Failure{Reason: NoFile, Path: c.new, Line: c.line, Text: "the file exists already"}
	if result, ok := a.results[c.new]; ok {
		if result != nil {
			return taken
		}
		return nil
	}
	if mode, err := a.base.Mode(c.new); err == nil && mode != directory && !a.leaves[c.new] {
		return taken
	}
	return nil
}

// content applies the hunks or the binary patch.
func (a *gitApplier) content(c *change, old []byte) ([]byte, error) {
	if c.binary != nil {
		return c.applyBinary(old)
	}
	if len(c.hunks) == 0 {
		return old, nil
	}
	img := newImage(old)
	for i := range c.hunks {
		h := &c.hunks[i]
		if err := a.hunk(&img, h); err != nil && !(a.partly && !errors.Is(err, errWork)) {
			f := &Failure{Reason: NoMatch, Path: c.path(), Hunk: i + 1, Line: h.line, Text: err.Error()}
			if errors.Is(err, errWork) {
				f.Reason = TooLarge
			}
			return nil, f
		}
	}
	return img.bytes(), nil
}

func (c *change) applyBinary(old []byte) ([]byte, error) {
	fail := func(text string) error {
		return &Failure{Reason: Binary, Path: c.path(), Line: c.line, Text: text}
	}
	const full = 40
	if len(c.oldID) != full || len(c.newID) != full {
		return nil, fail("a binary patch needs the full ids of both contents: write it with git diff --binary")
	}
	if !c.creates && blobID(old) != c.oldID {
		return nil, fail("the binary patch is for another content than the file has")
	}
	if c.deletes {
		return nil, nil
	}
	result, err := c.binary.apply(old)
	if err != nil {
		return nil, fail(err.Error())
	}
	if blobID(result) != c.newID {
		return nil, fail("the binary patch does not lead to the content that its header names")
	}
	return result, nil
}

// image is a file as lines with their line ends.
type image struct {
	lines   [][]byte
	patched []bool
}

func newImage(text []byte) image {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return image{lines: lines, patched: make([]bool, len(lines))}
}

func (m *image) bytes() []byte { return bytes.Join(m.lines, nil) }

// hunk finds the place of a hunk and applies it.
func (a *gitApplier) hunk(m *image, h *hunk) error {
	pre, post := h.side('-'), h.side('+')
	// A hunk at line 1 or without context at the end must be at that end of the file.
	begin := h.oldStart <= 1
	end := h.suffix == 0
	place, ok := a.find(m, pre, max(h.newStart-1, 0), begin, end)
	if a.budget.work < 0 {
		return errWork
	}
	if !ok {
		return errors.New(mismatch(m.lines, pre, h.oldStart))
	}
	if !a.budget.spend(len(m.lines)/8 + len(post)) {
		return errWork
	}
	lines := make([][]byte, 0, len(m.lines)-len(pre)+len(post))
	lines = append(append(append(lines, m.lines[:place]...), post...), m.lines[place+len(pre):]...)
	patched := make([]bool, len(lines))
	copy(patched, m.patched[:place])
	for i := range post {
		patched[place+i] = true
	}
	copy(patched[place+len(post):], m.patched[place+len(pre):])
	m.lines, m.patched = lines, patched
	return nil
}

// find returns the line, from 0, at which the lines of a hunk are, the nearest to the expected one.
func (a *gitApplier) find(m *image, pre [][]byte, expected int, begin, end bool) (int, bool) {
	n := len(m.lines)
	switch {
	case begin:
		expected = 0
	case end:
		expected = n - len(pre)
	}
	if expected < 0 || expected > n {
		expected = n
	}
	back, forth, current := expected, expected, expected
	for i := 0; ; i++ {
		if a.match(m, pre, current, begin, end) {
			return current, true
		}
		if a.budget.work < 0 || begin || end || back == 0 && forth == n {
			return 0, false
		}
		if i&1 == 1 && back == 0 || i&1 == 0 && forth == n {
			i++
		}
		if i&1 == 1 {
			back--
			current = back
		} else {
			forth++
			current = forth
		}
	}
}

// match compares a hunk's old lines with those of the file from a line on.
func (a *gitApplier) match(m *image, pre [][]byte, from int, begin, end bool) bool {
	a.budget.spend(1)
	n := len(m.lines)
	if from+len(pre) > n || end && from+len(pre) != n || begin && from != 0 {
		return false
	}
	for i, want := range pre {
		if i > 0 && !a.budget.spend(1) || m.patched[from+i] {
			return false
		}
		if have := m.lines[from+i]; !bytes.Equal(have, want) {
			// A last line without line end also matches a line with one, except at the end of the file.
			last := i == len(pre)-1 && !end && bytes.HasPrefix(have, want) && len(bytes.TrimSpace(have[len(want):])) == 0
			if !last {
				return false
			}
		}
	}
	return true
}

// mismatch describes where a hunk differs from the file at its expected place.
func mismatch(lines, pre [][]byte, start int) string {
	for i, want := range pre {
		n := max(start-1, 0) + i
		if n >= len(lines) {
			return fmt.Sprintf("does not apply: the file has only %d lines, and line %d is expected to be %q", len(lines), n+1, shown(want))
		}
		if have := lines[n]; !bytes.Equal(have, want) {
			return fmt.Sprintf("does not apply: line %d is %q and not %q, nor are the hunk's lines elsewhere", n+1, shown(have), shown(want))
		}
	}
	return "does not apply: its lines are in the file, but not at the start or the end, where the hunk without context there must be"
}

// shown is a line for messages; a missing line end or a carriage return is visible.
func shown(line []byte) string { return clip(string(bytes.TrimSuffix(line, []byte("\n")))) }
