package repository

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/data/program"
)

// mostChanged is the size of all files that an agent may have changed.
const mostChanged = 64 << 20

var errTooMuch = errors.New("the program changed too much")

// ownFiles are what tools leave behind, as patterns of git, beside what the repository ignores itself.
const ownFiles = `.go-cache/
__pycache__/
*.py[co]
.pytest_cache/
.mypy_cache/
.ruff_cache/
node_modules/
.aider*
`

// changed returns what an agent changed of the tree: what `git add --all` would record with the .gitignore files
// of the repository as it was. It reads the changed files alone, however large the tree is.
func (j *job) changed(ctx context.Context, left sandbox.Left, mask func(string) string) (patch.Changes, []string, error) {
	if left.Err != nil {
		return nil, nil, left.Err
	}
	changes, problems, err := j.collect(ctx, left, mask)
	if err != nil && err != errTooMuch {
		err = fmt.Errorf("what the program changed cannot be read: %w", err)
	}
	return changes, problems, err
}

func (j *job) collect(ctx context.Context, left sandbox.Left, mask func(string) string) (patch.Changes, []string, error) {
	tree := patch.FromFS(left.Dir)
	c := collector{base: j.base, left: left, deleted: map[string]bool{}, written: map[string]bool{}}
	if left.Whole {
		all, err := patch.Compare(j.base, tree)
		for name, file := range all {
			if file == nil {
				c.deleted[name] = true
			} else {
				c.written[name] = true
			}
		}
		if err != nil {
			return nil, nil, err
		}
	} else {
		c.walk(".")
	}
	if j.directory == nil {
		if err := c.leaveOutIgnored(ctx, j.commit); err != nil {
			return nil, nil, err
		}
	}
	if mask == nil {
		mask = func(text string) string { return text }
	}
	for i, problem := range c.problems {
		c.problems[i] = mask(problem)
	}
	changes := patch.Changes{}
	for name := range c.deleted {
		changes[name] = nil
	}
	room := int64(mostChanged)
	for _, name := range slices.Sorted(maps.Keys(c.written)) {
		if info, err := left.Dir.Lstat(name); err == nil {
			room -= info.Size()
		}
		if room < 0 {
			return nil, nil, errTooMuch
		}
		file, err := tree.File(name)
		if err != nil {
			c.problems = append(c.problems, mask(name)+": it cannot be read")
			continue
		}
		if j.directory != nil && file.Mode == patch.Link {
			file.Data = belowRoot(name, file.Data)
		}
		file.Data = []byte(mask(string(file.Data)))
		if old, err := j.base.File(name); err == nil && old.Equal(file) {
			delete(changes, name) // replaced by itself
			continue
		}
		changes[mask(name)] = file
	}
	return changes, c.problems, nil
}

// collector finds the names of changed files.
type collector struct {
	base     patch.Tree
	left     sandbox.Left
	deleted  map[string]bool // files of the base
	written  map[string]bool
	problems []string
}

// walk reads a directory of an overlay's upper directory, see [sandbox.Left].
func (c *collector) walk(dir string) {
	entries, err := fs.ReadDir(c.left.Dir, dir)
	if err != nil {
		c.problems = append(c.problems, dir+": it cannot be read")
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch mode := entry.Type(); {
		case strings.EqualFold(entry.Name(), ".git"):
		case mode.IsDir():
			if !c.isDir(name) || c.left.Opaque(name) {
				c.remove(name)
			}
			c.walk(name)
		case mode&fs.ModeCharDevice != 0:
			c.remove(name)
		case mode.IsRegular() || mode&fs.ModeSymlink != 0:
			c.remove(name)
			c.written[name] = true
			delete(c.deleted, name)
		}
	}
}

// isDir reports whether the base has a directory of that name.
func (c *collector) isDir(name string) bool {
	_, err := c.base.Names(name)
	return err == nil
}

// remove records that a file of the base, or all files below a directory of it, are hidden.
func (c *collector) remove(name string) {
	if _, err := c.base.File(name); err == nil {
		c.deleted[name] = true
		return
	}
	names, err := c.base.Names(name)
	if err != nil {
		return
	}
	for _, below := range names {
		if !strings.EqualFold(below, ".git") {
			c.remove(path.Join(name, below))
		}
	}
}

// leaveOutIgnored removes files that the repository at its commit, whose directory is given, does not have and
// ignores. git decides, without configuration of anyone.
func (c *collector) leaveOutIgnored(ctx context.Context, commit string) error {
	var candidates bytes.Buffer
	for _, names := range []map[string]bool{c.deleted, c.written} {
		for name := range names {
			if _, err := os.Lstat(filepath.Join(commit, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
				candidates.WriteString(name + "\x00")
			}
		}
	}
	if candidates.Len() == 0 {
		return nil
	}
	own, err := os.MkdirTemp("", "assay-git-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	git := func(in io.Reader, args ...string) (string, error) {
		cmd := program.Command(ctx, program.Tool, "git", append([]string{"--git-dir", own}, args...)...)
		cmd.Dir, cmd.Stdin = commit, in
		cmd.Env = append(cmd.Env, "HOME="+own, "XDG_CONFIG_HOME="+own, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C")
		out, err := cmd.Output()
		return string(out), err
	}
	_, err = git(nil, "init", "--quiet", "--bare")
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git decides which files a repository ignores: install it (Debian, Ubuntu: apt-get install git)")
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(own, "info", "exclude"), []byte(ownFiles), 0o644)
	}
	if err != nil {
		return err
	}
	ignored, err := git(&candidates, "--work-tree", commit, "check-ignore", "--no-index", "--stdin", "-z")
	const none = 1
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() != none { // a file in place of a link
		c.problems = append(c.problems, "git could not decide about all files: some may be here that the repository ignores")
	}
	for name := range strings.SplitSeq(ignored, "\x00") {
		delete(c.deleted, name)
		delete(c.written, name)
	}
	return ctx.Err()
}
