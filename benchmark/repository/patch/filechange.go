package patch

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
)

// FileChange is the change of one file, for people to read.
type FileChange struct {
	Path    string
	From    string // where a renamed file was; otherwise empty
	Old     *File  // nil: the file is new
	New     *File  // nil: the file is deleted
	Added   int    // lines; 0 for a binary file
	Deleted int
}

// Binary reports whether git would show no lines of the change.
func (c FileChange) Binary() bool {
	return c.Old != nil && isBinary(c.Old.Data) || c.New != nil && isBinary(c.New.Data)
}

// FileChanges lists changes of a tree by path. A new file with most lines of a deleted one is that file,
// renamed.
func FileChanges(base Tree, changes Changes) ([]FileChange, error) {
	var list []FileChange
	for _, name := range changes.Paths() {
		old, err := base.File(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		c := FileChange{Path: name, Old: old, New: changes[name]}
		if c.Old == nil && c.New == nil || c.Old != nil && c.New != nil && c.Old.Equal(c.New) {
			continue
		}
		list = append(list, c)
	}
	list = renamed(list)
	for i := range list {
		list[i].count()
	}
	return list, nil
}

// count counts the lines that differ.
func (c *FileChange) count() {
	if c.Binary() {
		return
	}
	var before, after []byte
	if c.Old != nil {
		before = c.Old.Data
	}
	if c.New != nil {
		after = c.New.Data
	}
	if bytes.Equal(before, after) {
		return
	}
	for _, e := range compareLines(newImage(before).lines, newImage(after).lines) {
		c.Deleted, c.Added = c.Deleted+e.gone, c.Added+e.came
	}
}

// renamed joins a deleted file with a new one that has more than half of its lines.
func renamed(list []FileChange) []FileChange {
	for i := 0; i < len(list); i++ {
		if list[i].Old != nil || list[i].New == nil {
			continue
		}
		best, most := -1, 0.5
		for j, other := range list {
			if other.New == nil && other.Old.Mode == list[i].New.Mode {
				if share := alike(other.Old.Data, list[i].New.Data); share > most {
					best, most = j, share
				}
			}
		}
		if best < 0 {
			continue
		}
		list[i].From, list[i].Old = list[best].Path, list[best].Old
		list = slices.Delete(list, best, best+1)
		if best < i {
			i--
		}
	}
	return list
}

// alike returns the share of equal lines in the longer of two contents.
func alike(a, b []byte) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if bytes.Equal(a, b) {
		return 1
	}
	if isBinary(a) || isBinary(b) {
		return 0
	}
	lines := map[string]int{}
	old, new := newImage(a).lines, newImage(b).lines
	for _, line := range old {
		lines[string(line)]++
	}
	same := 0
	for _, line := range new {
		if lines[string(line)] > 0 {
			lines[string(line)]--
			same++
		}
	}
	return float64(same) / float64(max(len(old), len(new)))
}

// AllPaths lists the files of a tree in order, without those in directories called .git.
func AllPaths(t Tree) ([]string, error) {
	names := map[string]bool{}
	if err := walk(t, ".", names); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// Part returns the hunk or block that a failure of the answer is about, "" if it is about none.
func (a *Answer) Part(f *Failure) string {
	switch a.Kind {
	case Blocks:
		for _, b := range a.blocks {
			if b.line == f.Line && b.path == f.Path {
				return "<<<<<<< SEARCH\n" + string(b.search) + "=======\n" + string(b.replace) + ">>>>>>> REPLACE\n"
			}
		}
	case UnifiedDiff:
		lines := bytes.SplitAfter(a.diff, []byte("\n"))
		if f.Line < 1 || f.Line > len(lines) {
			return ""
		}
		from := f.Line - 1
		for f.Hunk > 0 && from > 0 && !bytes.HasPrefix(lines[from], []byte("@@")) {
			from--
		}
		const most = 60 // lines
		to := from + 1
		for to < min(len(lines), from+most) && !beginsPart(lines, to, f.Hunk > 0) {
			to++
		}
		return string(bytes.Join(lines[from:to], nil))
	}
	return ""
}

// beginsPart reports whether a file of a diff begins with a line, or a hunk.
func beginsPart(lines [][]byte, at int, hunks bool) bool {
	begins := func(i int, prefix string) bool { return i < len(lines) && bytes.HasPrefix(lines[i], []byte(prefix)) }
	return begins(at, "diff --git ") || begins(at, "--- ") && begins(at+1, "+++ ") && !begins(at-1, "index ") || hunks && begins(at, "@@")
}
