package patch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Mode is the kind of a tree's file, with git's numbers.
type Mode uint32

// The modes of files. Git has no others, apart from submodules, which trees do not have.
const (
	Regular    Mode = 0o100644
	Executable Mode = 0o100755
	Link       Mode = 0o120000 // a symbolic link, whose content is its target
)

const directory Mode = 0o040000

// File is the content of a file. It must not be changed after it was put into a tree.
type File struct {
	Data []byte
	Mode Mode
}

// Equal reports whether two files have the same mode and content.
func (f *File) Equal(o *File) bool { return f.Mode == o.Mode && bytes.Equal(f.Data, o.Data) }

// Tree is a read-only tree of files. Paths are relative, slash-separated and clean; "." is the root.
type Tree interface {
	// Mode returns the mode of a file, or the mode of a directory (040000). The error is fs.ErrNotExist if
	// there is nothing at the path, or if a parent is no directory. Links are not followed.
	Mode(path string) (Mode, error)
	// File returns a file, without following links.
	File(path string) (*File, error)
	// Names lists the names in a directory.
	Names(dir string) ([]string, error)
}

// Files is a Tree in memory, by path.
type Files map[string]*File

// Mode implements [Tree].
func (f Files) Mode(name string) (Mode, error) {
	if file := f[name]; file != nil {
		return file.Mode, nil
	}
	for other := range f {
		if name == "." || strings.HasPrefix(other, name+"/") {
			return directory, nil
		}
	}
	return 0, missing(name)
}

// File implements [Tree].
func (f Files) File(name string) (*File, error) {
	if file := f[name]; file != nil {
		return file, nil
	}
	return nil, missing(name)
}

// Names implements [Tree].
func (f Files) Names(dir string) ([]string, error) {
	names := map[string]bool{}
	for name := range f {
		if rest, ok := below(name, dir); ok {
			first, _, _ := strings.Cut(rest, "/")
			names[first] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// below returns the part of a path below a directory.
func below(name, dir string) (string, bool) {
	if dir == "." {
		return name, true
	}
	return strings.CutPrefix(name, dir+"/")
}

func missing(name string) error { return &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist} }

// FromFS returns the tree of a file system, such as os.Root.FS. Other kinds of files than regular files,
// links and directories are absent.
func FromFS(fsys fs.ReadLinkFS) Tree { return tree{fsys} }

type tree struct{ fs.ReadLinkFS }

// Mode implements [Tree].
func (t tree) Mode(name string) (Mode, error) {
	info, err := t.Lstat(name)
	if errors.Is(err, syscall.ENOTDIR) { // a file is in place of a directory above it
		return 0, missing(name)
	}
	if err != nil {
		return 0, err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return directory, nil
	case mode&fs.ModeSymlink != 0:
		return Link, nil
	case mode.IsRegular() && mode&0o100 != 0:
		return Executable, nil
	case mode.IsRegular():
		return Regular, nil
	}
	return 0, missing(name)
}

// File implements [Tree].
func (t tree) File(name string) (*File, error) {
	mode, err := t.Mode(name)
	if err != nil {
		return nil, err
	}
	if mode == directory {
		return nil, missing(name)
	}
	if mode == Link {
		target, err := t.ReadLink(name)
		return &File{Data: []byte(target), Mode: Link}, err
	}
	text, err := fs.ReadFile(t.ReadLinkFS, name)
	return &File{Data: text, Mode: mode}, err
}

// Names implements [Tree].
func (t tree) Names(dir string) ([]string, error) {
	entries, err := fs.ReadDir(t.ReadLinkFS, dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

// Changes are the files in which a tree differs from another, by path; nil means that the file was deleted.
// A directory exists as long as there is a file in it.
type Changes map[string]*File

// Paths lists the changed paths in order.
func (c Changes) Paths() []string { return slices.Sorted(maps.Keys(c)) }

// Over returns the tree with these changes. The changes must not be modified while it is in use.
func (c Changes) Over(base Tree) Tree {
	o := &overlay{base: base, changes: c, dirs: map[string]map[string]bool{}}
	for name, file := range c {
		if file != nil {
			o.record(name)
		}
	}
	return o
}

// overlay is a tree with changes.
type overlay struct {
	base    Tree
	changes Changes
	dirs    map[string]map[string]bool // the names of changed files in directories
}

// record enters a file into the directories above it.
func (o *overlay) record(name string) {
	for name != "." {
		dir := path.Dir(name)
		if o.dirs[dir] == nil {
			o.dirs[dir] = map[string]bool{}
		}
		if o.dirs[dir][path.Base(name)] {
			return
		}
		o.dirs[dir][path.Base(name)] = true
		name = dir
	}
}

// set changes a file.
func (o *overlay) set(name string, file *File) {
	o.changes[name] = file
	if file != nil {
		o.record(name)
	}
}

// Mode implements [Tree].
func (o *overlay) Mode(name string) (Mode, error) {
	if file, changed := o.changes[name]; changed && file != nil {
		return file.Mode, nil
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if o.changes[dir] != nil {
			return 0, missing(name)
		}
	}
	if o.live(name) {
		return directory, nil
	}
	if _, changed := o.changes[name]; changed {
		return 0, missing(name)
	}
	mode, err := o.base.Mode(name)
	if err == nil && mode == directory && o.emptied(name) {
		return 0, missing(name)
	}
	return mode, err
}

// live reports whether there is a changed file below a directory that was not deleted again.
func (o *overlay) live(dir string) bool {
	for name := range o.dirs[dir] {
		at := path.Join(dir, name)
		if o.changes[at] != nil || o.live(at) {
			return true
		}
	}
	return false
}

// emptied reports whether a directory of the base has lost all its files. It had some: trees have no empty
// directories, apart from those of file systems.
func (o *overlay) emptied(dir string) bool {
	some := false
	for name, file := range o.changes {
		if _, ok := below(name, dir); ok && file == nil {
			some = true
			break
		}
	}
	if !some {
		return false
	}
	names, err := o.Names(dir)
	return err == nil && len(names) == 0
}

// File implements [Tree].
func (o *overlay) File(name string) (*File, error) {
	mode, err := o.Mode(name)
	if err != nil {
		return nil, err
	}
	if file := o.changes[name]; file != nil {
		return file, nil
	}
	if mode == directory {
		return nil, missing(name)
	}
	return o.base.File(name)
}

// Names implements [Tree].
func (o *overlay) Names(dir string) ([]string, error) {
	names := map[string]bool{}
	if o.changes[dir] == nil {
		listed, err := o.base.Names(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, name := range listed {
			if _, err := o.Mode(path.Join(dir, name)); err == nil {
				names[name] = true
			}
		}
	}
	for name := range o.dirs[dir] {
		if at := path.Join(dir, name); o.changes[at] != nil || o.live(at) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// Compare returns the changes that turn one tree into another. Directories called .git are left out.
func Compare(from, to Tree) (Changes, error) {
	before, after := map[string]bool{}, map[string]bool{}
	if err := walk(from, ".", before); err != nil {
		return nil, err
	}
	if err := walk(to, ".", after); err != nil {
		return nil, err
	}
	changes := Changes{}
	for name := range before {
		if !after[name] {
			changes[name] = nil
		}
	}
	for name := range after {
		file, err := to.File(name)
		if err != nil {
			return nil, err
		}
		if before[name] {
			old, err := from.File(name)
			if err != nil {
				return nil, err
			}
			if old.Equal(file) {
				continue
			}
		}
		changes[name] = file
	}
	return changes, nil
}

// walk collects the paths of all files.
func walk(t Tree, dir string, into map[string]bool) error {
	names, err := t.Names(dir)
	if err != nil {
		return fmt.Errorf("comparing trees: %w", err)
	}
	for _, name := range names {
		at := path.Join(dir, name)
		mode, err := t.Mode(at)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a socket or the like
		case err != nil:
			return fmt.Errorf("comparing trees: %w", err)
		case mode == directory && isGit(name):
		case mode == directory:
			if err := walk(t, at, into); err != nil {
				return err
			}
		default:
			into[at] = true
		}
	}
	return nil
}

// isGit reports whether a name in a path belongs to git, on any file system.
func isGit(name string) bool {
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}
