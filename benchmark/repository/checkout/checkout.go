// Package checkout makes the tree of a repository at a commit: a directory without history, made
// once and shared by all samples.
//
// It owns how repositories are stored (a directory, a tar archive, a git directory or a bundle) and
// what of them a model, a tester and tests may see: the files of one commit, and no .git. Package
// repository opens trees and gives them to boxes, which change private copies, see sandbox.Tree.
package checkout

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/disk"
	"assay/data/program"
)

// Source is a repository on this machine.
type Source struct {
	// Path is a directory, a tar archive (.tar, .tar.gz, .tgz), a git directory (bare, or the .git
	// of a clone) or a git bundle (.bundle). A clone is read through its .git if Commit is set, and
	// as a plain directory otherwise.
	Path   string
	Commit string // a commit of a git directory or bundle; "" for the others
}

// Limits of a tree.
const (
	maxFiles = 200_000
	maxBytes = 4 << 30
)

// Open returns the directory of the tree. It makes the tree if the shelf does not have it.
func Open(ctx context.Context, s *shelf.Shelf, source Source) (dir string, err error) {
	kind, path, err := source.kind()
	if err != nil {
		return "", err
	}
	var key string
	var write func(dir string) error
	switch kind {
	case directory:
		key, err = digest(path)
		write = func(dir string) error { return copyTree(path, dir) }
	case archive:
		key, err = fileDigest(path)
		write = func(dir string) error { return unpack(path, dir) }
	default:
		key = source.Commit
		write = func(dir string) error { return checkOut(ctx, kind, path, source.Commit, dir) }
		if path, err = filepath.Abs(path); err == nil {
			key = shelf.Key(path, key)
		}
	}
	if err != nil {
		return "", fmt.Errorf("reading the repository %s: %w", source.Path, err)
	}
	dir, err = s.Get(shelf.Key("tree 1", string(kind), key), disk.IsDir, func(dir string) error {
		return cmp.Or(write(dir), sandbox.OwnTree(dir))
	})
	if err != nil {
		return "", fmt.Errorf("reading the repository %s: %w", source.Path, err)
	}
	return dir, nil
}

// kind is how a repository is stored.
type kind string

const (
	directory kind = "directory"
	archive   kind = "archive"
	gitDir    kind = "git"
	bundle    kind = "bundle"
)

// kind returns how the repository is stored, and the path of what to read.
func (s Source) kind() (kind, string, error) {
	info, err := os.Stat(s.Path)
	if err != nil {
		return "", "", fmt.Errorf("the repository %s cannot be read: %w", s.Path, errors.Unwrap(err))
	}
	path := s.Path
	switch {
	case info.IsDir() && s.Commit != "":
		if disk.IsDir(filepath.Join(path, ".git")) {
			path = filepath.Join(path, ".git")
		}
		if !disk.IsDir(filepath.Join(path, "objects")) {
			return "", "", fmt.Errorf("the repository %s has a base_commit, but is no git directory: leave base_commit out for a plain directory", s.Path)
		}
		return gitDir, path, nil
	case info.IsDir():
		return directory, path, nil
	case strings.HasSuffix(path, ".bundle"):
		if s.Commit == "" {
			return "", "", fmt.Errorf("the repository %s is a git bundle: name the commit as base_commit", s.Path)
		}
		return bundle, path, nil
	case strings.HasSuffix(path, ".tar"), strings.HasSuffix(path, ".tar.gz"), strings.HasSuffix(path, ".tgz"):
		if s.Commit != "" {
			return "", "", fmt.Errorf("the repository %s is an archive, which has no commits: leave base_commit out", s.Path)
		}
		return archive, path, nil
	}
	return "", "", fmt.Errorf("the repository %s is neither a directory, a tar archive (.tar, .tar.gz, .tgz), a git directory nor a git bundle (.bundle)", s.Path)
}

// checkOut writes the files of a commit. It reads objects only, through a repository of its own, so
// that no configuration, filter or hook of a stranger's repository takes effect.
func checkOut(ctx context.Context, k kind, path, commit, dir string) error {
	if strings.HasPrefix(commit, "-") {
		return fmt.Errorf("base_commit %q is no commit", commit)
	}
	own, err := os.MkdirTemp("", "assay-git-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	git := func(args ...string) error {
		cmd := program.Command(ctx, program.Tool, "git", append([]string{"--git-dir", own}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "HOME="+own, "XDG_CONFIG_HOME="+own, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
		var said bytes.Buffer
		cmd.Stderr = &said
		err := cmd.Run()
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("git is needed to read it: install it (Debian, Ubuntu: apt-get install git): %w", err)
		}
		if err != nil {
			return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
		}
		return nil
	}
	if err := git("init", "--quiet", "--bare"); err != nil {
		return err
	}
	if k == bundle {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if err := git("fetch", "--quiet", absolute, "+refs/*:refs/bundled/*"); err != nil {
			return err
		}
	} else {
		absolute, err := filepath.Abs(filepath.Join(path, "objects"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), []byte(absolute+"\n"), 0o644); err != nil {
			return err
		}
	}
	if err := git("cat-file", "-e", commit+"^{commit}"); err != nil {
		return fmt.Errorf("it has no commit %s, which base_commit names", commit)
	}
	if err := git("read-tree", commit); err != nil {
		return err
	}
	return git("--work-tree", dir, "checkout-index", "--all", "--force")
}

// copyTree copies a directory without .git.
func copyTree(from, to string) error {
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	budget := budget{}
	return walk(from, func(name string, info fs.FileInfo) error {
		path := filepath.Join(from, name)
		if info.IsDir() {
			return budget.directory(root, name)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return budget.link(root, name, target)
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return budget.file(root, name, info.Mode(), file)
	})
}

// walk calls do for each directory, regular file and link below a directory, in order of names,
// except for .git.
func walk(dir string, do func(name string, info fs.FileInfo) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() && mode&fs.ModeSymlink == 0 {
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return do(name, info)
	})
}

// digest returns the hash of a directory's names, modes and contents.
func digest(dir string) (string, error) {
	hash := sha256.New()
	err := walk(dir, func(name string, info fs.FileInfo) error {
		path := filepath.Join(dir, name)
		fmt.Fprintf(hash, "%q %v ", name, info.Mode())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(hash, "%q", target)
			return err
		case info.Mode().IsRegular():
			sum, err := fileDigest(path)
			fmt.Fprint(hash, sum)
			return err
		}
		return nil
	})
	return hex.EncodeToString(hash.Sum(nil)), err
}

func fileDigest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// unpack writes the files of a tar archive. If all lie in one directory, as in archives that forges
// offer, the tree begins there.
func unpack(path, dir string) error {
	top, err := topOf(path)
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return extract(file, top, dir)
}

// Unpack writes the files of a tar archive, but for .git, into a directory.
func Unpack(r io.Reader, dir string) error { return extract(r, "", dir) }

// extract writes the files of a tar archive that lie below a directory of it.
func extract(r io.Reader, top, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	budget := budget{}
	return entries(r, func(h *tar.Header, content io.Reader) error {
		name, ok := strings.CutPrefix(filepath.Clean(h.Name), top)
		if !ok || name == "" || name == "." || inGit(name) {
			return nil
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("its entry %q lies outside of it", h.Name)
		}
		switch h.Typeflag {
		case tar.TypeDir:
			return budget.directory(root, name)
		case tar.TypeSymlink:
			return budget.link(root, name, h.Linkname)
		case tar.TypeReg:
			return budget.file(root, name, h.FileInfo().Mode(), content)
		case tar.TypeXGlobalHeader:
			return nil
		}
		return fmt.Errorf("its entry %q is neither a file, a directory nor a symbolic link", h.Name)
	})
}

func inGit(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// topOf returns the directory, with a slash, in which all entries of an archive lie, or "".
func topOf(path string) (top string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	first := true
	err = entries(file, func(h *tar.Header, _ io.Reader) error {
		name := filepath.Clean(h.Name)
		if h.Typeflag == tar.TypeXGlobalHeader || name == "." {
			return nil
		}
		parent, _, below := strings.Cut(name, "/")
		if !below && h.Typeflag != tar.TypeDir || !first && parent+"/" != top || parent == ".." {
			top = ""
			return errSeveral
		}
		top, first = parent+"/", false
		return nil
	})
	if errors.Is(err, errSeveral) {
		return "", nil
	}
	return top, err
}

var errSeveral = errors.New("its entries lie in several directories")

// entries reads a tar archive, which may be compressed by gzip.
func entries(r io.Reader, do func(h *tar.Header, content io.Reader) error) error {
	buffered := bufio.NewReader(r)
	var content io.Reader = buffered
	if magic, err := buffered.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		zipped, err := gzip.NewReader(buffered)
		if err != nil {
			return err
		}
		content = zipped
	}
	archive := tar.NewReader(content)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is not a tar archive, or is damaged: %w", err)
		}
		if err := do(h, archive); err != nil {
			return err
		}
	}
}

// budget counts what was written of a tree. Its methods write below a root, which no name or link
// leads out of.
type budget struct{ files, bytes int64 }

func (b *budget) count(size int64) error {
	b.files++
	b.bytes += size
	if b.files > maxFiles || b.bytes > maxBytes {
		return fmt.Errorf("it has more than %d files or %d GB", maxFiles, maxBytes>>30)
	}
	return nil
}

func (b *budget) directory(root *os.Root, name string) error {
	return cmp.Or(b.count(0), root.MkdirAll(name, 0o755))
}

func (b *budget) link(root *os.Root, name, target string) error {
	return cmp.Or(b.count(0), root.MkdirAll(filepath.Dir(name), 0o755), root.Symlink(target, name))
}

func (b *budget) file(root *os.Root, name string, mode fs.FileMode, content io.Reader) error {
	if err := cmp.Or(b.count(0), root.MkdirAll(filepath.Dir(name), 0o755)); err != nil {
		return err
	}
	permissions := fs.FileMode(0o644)
	if mode&0o100 != 0 {
		permissions = 0o755
	}
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, permissions)
	if err != nil {
		return err
	}
	size, err := io.Copy(file, io.LimitReader(content, maxBytes-b.bytes+1))
	b.files--
	return cmp.Or(err, b.count(size), file.Close())
}
