package repository

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/benchmark"
	"assay/benchmark/repository/checkout"
	"assay/benchmark/repository/patch"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

// Tree returns the tree that answers to a task start from: no history, and no tests that decide. The caller
// closes it.
func (r *Runner) Tree(ctx context.Context, task *benchmark.Task) (tree patch.Tree, closes func() error, err error) {
	if task.Repository.Directory != nil { // whose source has the tests
		j, err := r.openDirectory(ctx, task)
		if err != nil {
			return nil, nil, err
		}
		return j.base, j.root.Close, nil
	}
	dir, err := r.directory(ctx, task.Repository)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	return patch.FromFS(root.FS().(fs.ReadLinkFS)), root.Close, nil
}

// directory returns the directory of a repository's tree.
func (r *Runner) directory(ctx context.Context, repository *benchmark.Repository) (string, error) {
	source, err := r.source(repository)
	if err != nil {
		return "", err
	}
	return r.tree(ctx, checkout.Source{Path: source, Commit: repository.BaseCommit})
}

// tree returns the directory of a source's tree. It reads the repository once, however many answers there
// are: a plain directory is hashed for that.
func (r *Runner) tree(ctx context.Context, source checkout.Source) (string, error) {
	if dir, known := r.trees.Load(source); known {
		r.Shelf.Keep(dir.(string))
		return dir.(string), nil
	}
	dir, err := checkout.Open(ctx, r.Shelf, source)
	if err == nil {
		r.trees.Store(source, dir)
	}
	return dir, err
}

// source returns the path of the repository.
func (r *Runner) source(repository *benchmark.Repository) (string, error) {
	if r.Bundled != nil && repository.Source != "" && !filepath.IsAbs(repository.Source) {
		return r.unbundled(repository.Source)
	}
	if repository.Source != "" {
		return repository.Source, nil
	}
	if r.Repositories != "" {
		for _, name := range []string{repository.Name, strings.ReplaceAll(repository.Name, "/", "__")} {
			for _, end := range []string{"", ".git", ".bundle"} {
				path := filepath.Join(r.Repositories, filepath.FromSlash(name)+end)
				if _, err := os.Stat(path); err == nil {
					return path, nil
				}
			}
		}
	}
	return "", fmt.Errorf("the repository %s is not on this machine: clone it (git clone --bare) to OWNER/NAME in a directory, and name that directory in ASSAY_REPOSITORIES; "+
		"or write where it is as \"source\"", repository.Name)
}

// unbundled returns the path of a file of the bundled benchmark, which git can read.
func (r *Runner) unbundled(name string) (string, error) {
	text, err := fs.ReadFile(r.Bundled, name)
	if err != nil {
		return "", fmt.Errorf("the bundled repository %s cannot be read: %w", name, err)
	}
	dir, err := r.Shelf.Get(shelf.Key("bundled 1", name, disk.Sum(text)), disk.IsDir, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
	return filepath.Join(dir, name), err
}
