package store

import (
	"os"
	"path/filepath"
	"slices"
)

// canonical returns the one path by which a store is known, whatever links lead to it: the files made from a store are
// named after it. A path without links stays as it was given.
func canonical(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	real, err := filepath.EvalSymlinks(whole)
	if err != nil { // there is no such file yet
		dir, err := filepath.EvalSymlinks(filepath.Dir(whole))
		if err != nil {
			return path
		}
		real = filepath.Join(dir, filepath.Base(whole))
	}
	if real == whole {
		return path
	}
	return real
}

// namesOf returns the canonical path of a store, and the symbolic links to it that lie beside it or beside one of the
// given paths: earlier versions named copies after the link by which they opened it.
func namesOf(path string, given ...string) []string {
	var names []string
	add := func(name string) {
		if whole, err := filepath.Abs(name); err == nil && !slices.Contains(names, whole) {
			names = append(names, whole)
		}
	}
	for _, place := range append([]string{path}, given...) {
		add(place)
		entries, err := os.ReadDir(filepath.Dir(place))
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if entry.Type()&os.ModeSymlink == 0 {
				continue
			}
			if link := filepath.Join(filepath.Dir(place), entry.Name()); canonical(link) == canonical(path) {
				add(link)
			}
		}
	}
	return names
}
