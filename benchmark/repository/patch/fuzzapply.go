package patch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// maxFuzz is how many lines of context at each end of a hunk may differ.
const maxFuzz = 5

// applyFuzzy applies a diff by the rules of `patch --batch --forward --fuzz=5 -p1`.
func applyFuzzy(base Tree, text []byte, b *budget) (Changes, error) {
	return applyAll(base, text, b, false)
}

// applyEitherWay applies a diff by the rules of `patch --batch --fuzz=5 -p1`, which reverses changes that look reversed
// or applied already.
func applyEitherWay(base Tree, text []byte, b *budget) (Changes, error) {
	return applyAll(base, text, b, true)
}

func applyAll(base Tree, text []byte, b *budget, reverses bool) (Changes, error) {
	p := fuzzParser{cursor: cursor{text: text, line: 1}}
	results := Changes{}
	tree := results.Over(base).(*overlay)
	for n := 0; ; n++ {
		c, err := p.next()
		if err != nil {
			return nil, err
		}
		if c == nil {
			if n == 0 {
				return nil, &Failure{Reason: Empty, Text: "there is no diff in the text"}
			}
			return finish(base, results)
		}
		if n >= maxFiles {
			return nil, &Failure{Reason: TooLarge, Line: p.line, Text: "the diff changes more than 10,000 files"}
		}
		c.reverses = reverses
		if err := c.apply(base, tree, b); err != nil {
			return nil, err
		}
	}
}

// choose returns the file to be patched: the best name of an existing file; or, for a change that creates
// a file, the best name.
func (c *fuzzChange) choose(tree Tree) (string, error) {
	var existing, named []string
	for _, name := range c.names {
		if name == "" {
			continue
		}
		if err := guard(tree, name); err != nil {
			return "", at(err, c.line)
		}
		named = append(named, name)
		if mode, err := tree.Mode(name); err == nil && mode != directory {
			existing = append(existing, name)
		}
	}
	creates := c.nullOld || c.emptyOld
	switch {
	case c.git && (c.renames || c.copies) && c.old != "" && c.new != "":
		return c.old, nil
	case len(existing) > 0:
		return best(existing), nil
	case len(named) == 0:
		return "", &Failure{Reason: Malformed, Line: c.line, Text: "the header names no file, or a name has too few directories: one is removed from it"}
	case creates:
		return best(named), nil
	case c.reverses && c.missing[1] > 0: // the file was deleted already
		return named[len(named)-1], nil
	}
	return "", &Failure{Reason: NoFile, Path: c.path(), Line: c.line, Text: "there is no such file"}
}

// best returns the name with the fewest directories, then the shortest last part, then the shortest.
func best(names []string) string {
	least := names[0]
	for _, name := range names[1:] {
		a := [3]int{strings.Count(name, "/"), len(path.Base(name)), len(name)}
		b := [3]int{strings.Count(least, "/"), len(path.Base(least)), len(least)}
		if a[0] < b[0] || a[0] == b[0] && (a[1] < b[1] || a[1] == b[1] && a[2] < b[2]) {
			least = name
		}
	}
	return least
}

// apply changes the file in the tree.
func (c *fuzzChange) apply(base Tree, tree *overlay, b *budget) error {
	name, err := c.choose(tree)
	if err != nil {
		return err
	}
	source := Tree(tree)
	if c.git && (c.renames || c.copies) {
		source = base
	}
	old, err := source.File(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if c.looksReversed(old) {
		if !c.reverses {
			return &Failure{Reason: NoFile, Path: name, Line: c.line, Text: "the file is as the diff leaves it already, or the diff is reversed"}
		}
		c.reverses = false
		c.reverse()
	}
	mode, content := Regular, []byte(nil)
	switch {
	case old == nil && (c.renames || c.copies):
		return &Failure{Reason: NoFile, Path: name, Line: c.line, Text: "there is no such file"}
	case old != nil && old.Mode == Link:
		return &Failure{Reason: NoFile, Path: name, Line: c.line, Text: "the file is a symbolic link, which patch does not change"}
	case old != nil:
		mode, content = old.Mode, old.Data
		if c.creates && len(content) > 0 {
			return &Failure{Reason: NoFile, Path: name, Line: c.line, Text: "the file exists already"}
		}
	}
	if c.newMode == Link {
		return &Failure{Reason: NoFile, Path: name, Line: c.line, Text: "patch does not create symbolic links"}
	}
	result, err := c.patched(name, content, b)
	if err != nil {
		return err
	}
	if c.newMode != 0 { // of the side that was applied
		mode = c.newMode
	}
	if err := b.keep(name, len(result)); err != nil {
		return err
	}
	to := name
	if c.renames || c.copies {
		to = c.new
		if _, err := tree.Mode(to); err == nil && to != name {
			return &Failure{Reason: NoFile, Path: to, Line: c.line, Text: "the file exists already"}
		}
	}
	switch {
	case c.nullNew && len(result) > 0:
		return &Failure{Reason: NoMatch, Path: name, Line: c.line, Text: "the diff deletes the file, but the file has more content than the diff"}
	case c.nullNew:
		tree.set(name, nil)
		return nil
	case c.renames && to != name:
		tree.set(name, nil)
	}
	tree.set(to, &File{Data: result, Mode: mode})
	return nil
}

// looksReversed reports whether a change is reversed because of the file alone: it creates a file that exists, or
// deletes or empties one that does not exist or is empty.
func (c *fuzzChange) looksReversed(old *File) bool {
	switch {
	case c.renames || c.copies:
		return false
	case old != nil && len(old.Data) > 0:
		return c.missing[0] == 2
	case old != nil && c.missing == [2]int{1, 2}, old == nil && c.missing == [2]int{2, 1}:
		return false // an empty file is deleted or created
	}
	return c.missing[1] > 0
}

// patched returns the content after the hunks.
func (c *fuzzChange) patched(name string, content []byte, b *budget) ([]byte, error) {
	f := fuzzy{lines: newImage(content).lines, budget: b, reverses: c.reverses}
	for i := range c.hunks {
		h := &c.hunks[i]
		fail := func(reason Reason, text string) error {
			return &Failure{Reason: reason, Path: name, Hunk: i + 1, Line: h.line, Text: text}
		}
		place := f.locate(h, i == 0)
		if f.reversed && c.reverses && !c.renames && !c.copies {
			f.reversed = false
			c.reverse()
		}
		switch {
		case b.work < 0:
			return nil, fail(TooLarge, errWork.Error())
		case f.reversed:
			return nil, fail(NoMatch, "does not apply: the file has the hunk's new lines already, or the diff is reversed")
		case place == 0 || place == 1 && c.nullOld && len(content) > 0:
			return nil, fail(NoMatch, mismatch(f.lines, h.side('-'), h.oldStart))
		case !f.apply(h, place):
			return nil, fail(NoMatch, "does not apply: it overlaps the hunk before")
		}
	}
	f.copyUntil(len(f.lines) + 1)
	return f.out.Bytes(), nil
}

// fuzzy applies hunks to a file. Lines are numbered from 1, as in GNU patch.
type fuzzy struct {
	lines  [][]byte
	budget *budget
	offset int // how far hunks were from where they should be, so far
	frozen int // the last line that was written
	out    bytes.Buffer

	reverses bool // a first hunk that fits the other way round is applied so
	reversed bool // the first hunk fits the other way round
}

// locate returns the line at which a hunk applies, with as little fuzz as possible; 0: nowhere.
func (f *fuzzy) locate(h *hunk, isFirst bool) int {
	pattern, after := h.side('-'), h.side('+')
	context := max(h.prefix, h.suffix)
	for fuzz := 0; fuzz <= min(maxFuzz, context); fuzz++ {
		place := f.locateWith(h, pattern, first(h.oldStart, h.oldLines), fuzz, context)
		if place != 0 || f.budget.work < 0 {
			return place
		}
		// A first hunk that fits the other way round was applied already, or is reversed.
		before := f.offset
		if !isFirst {
			continue
		}
		if place = f.locateWith(h, after, first(h.newStart, h.newLines), fuzz, context); place != 0 {
			if f.reversed = true; !f.reverses {
				f.offset, place = before, 0
			}
			return place
		}
	}
	return 0
}

// first is the line at which a hunk is expected. Where nothing is replaced, the header names the line before.
func first(start, count int) int {
	if count == 0 {
		return start + 1
	}
	return start
}

func (f *fuzzy) locateWith(h *hunk, pattern [][]byte, start, fuzz, context int) int {
	n, size := len(f.lines), len(pattern)
	guess := start + f.offset
	prefix, suffix := fuzz+h.prefix-context, fuzz+h.suffix-context
	if size == 0 {
		return guess // fits anywhere
	}
	last := n - (size - suffix) + 1
	forward, backward := last-guess, guess-(f.frozen+1)
	most := max(forward, backward)
	if guess <= backward {
		backward = guess - 1
	}
	found := func(offset, prefix, suffix int) int {
		if !f.match(pattern, guess+offset, prefix, suffix) {
			return 0
		}
		f.offset += offset
		return guess + offset
	}
	if prefix < 0 && start <= 1 { // must be at the start
		offset := 1 - guess
		if suffix < 0 && (size != n || h.prefix < f.frozen) || f.frozen > h.prefix || offset > forward {
			return 0
		}
		return found(offset, 0, suffix)
	}
	prefix = max(prefix, 0)
	if suffix < 0 { // must be at the end
		offset := guess - (n - size + 1)
		if offset > backward {
			return 0
		}
		return found(-offset, prefix, 0)
	}
	least := 0
	if forward < 0 {
		least = guess - last
	} else if backward < 0 {
		least = f.frozen + 1 - guess
	}
	for offset := least; offset <= most && f.budget.work >= 0; offset++ {
		if offset <= forward {
			if place := found(offset, prefix, suffix); place != 0 {
				return place
			}
		}
		if 0 < offset && offset <= backward {
			if place := found(-offset, prefix, suffix); place != 0 {
				return place
			}
		}
	}
	return 0
}

// match compares a hunk's lines without the fuzz at both ends.
func (f *fuzzy) match(pattern [][]byte, place, prefix, suffix int) bool {
	f.budget.spend(1)
	suffix = max(suffix, 0)
	for i := prefix; i < len(pattern)-suffix; i++ {
		at := place + i
		if at < 1 || at > len(f.lines) || i > prefix && !f.budget.spend(1) || !bytes.Equal(f.lines[at-1], pattern[i]) {
			return false
		}
	}
	return true
}

// apply writes the file up to the end of a hunk's last change. Context comes from the file.
func (f *fuzzy) apply(h *hunk, place int) bool {
	line := place // of the next old line
	for _, p := range h.body {
		switch p.op {
		case ' ':
			line++
			continue
		case '-':
			if !f.copyUntil(line) {
				return false
			}
			f.frozen++
			line++
		case '+':
			if !f.copyUntil(line) {
				return false
			}
			f.write(p.text)
		}
	}
	return true
}

// copyUntil copies the lines before a line that were not yet written.
func (f *fuzzy) copyUntil(line int) bool {
	if f.frozen > line-1 {
		return false
	}
	for f.frozen < line-1 && f.frozen < len(f.lines) {
		f.write(f.lines[f.frozen])
		f.frozen++
	}
	return true
}

// write appends a line, after ending the one before.
func (f *fuzzy) write(line []byte) {
	if text := f.out.Bytes(); len(text) > 0 && text[len(text)-1] != '\n' && len(line) > 0 {
		f.out.WriteByte('\n')
	}
	f.out.Write(line)
}

// describe names the ways in which a diff was tried.
func describe(git, fuzzy error) error {
	var f, g *Failure
	if !errors.As(git, &f) || !errors.As(fuzzy, &g) {
		return fmt.Errorf("applying the answer: %w", errors.Join(git, fuzzy))
	}
	switch {
	case f.Reason == Forbidden:
		return f
	case g.Reason == Forbidden || f.Reason == Empty:
		return g
	case f.Path == g.Path && f.Hunk == g.Hunk && f.Reason == g.Reason:
		return f
	}
	both := *f
	both.Also = g.Error()
	return &both
}
