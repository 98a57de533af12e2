package judge

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/benchmark/sandbox"
)

// shelf is a directory of what is made once for many samples: never of a sample's text, so
// that no sample can have a hand in what another is compiled with. Boxes see it read-only.
// Each thing is a directory named by the hash of all that it depends on. It is made under
// another name and renamed when it is whole, so that nothing half-written is ever used.
type shelf struct {
	dir  string
	mu   sync.Mutex
	uses map[string]int // how often a thing was wanted; -1: it is there
	made int            // things that this process has made
	kept time.Time      // when keep last wrote that
}

const (
	maxShelf       = 1 << 30        // bytes; what was not used for longest goes first
	mostMade       = 32             // things that one process makes: samples choose which are wanted
	mostWanted     = 10_000         // things that are counted
	unfinished     = ".making-"     // the names of what is not whole
	inUse          = time.Hour      // after it was last used a thing may go, and one that was begun is given up
	shelfOfProcess = "assay-shelf-" // of one process, where boxes cannot see the user's cache
)

// openShelf finds a place that boxes can see: below the user's cache directory, or else one
// of this process alone. That is so for root, and where nothing keeps samples from writing.
func openShelf(box sandbox.Box) (s *shelf, remove func(), err error) {
	cache, err := os.UserCacheDir()
	if err == nil && !strings.HasPrefix(cache, "/tmp/") && box.Name() != "none" {
		dir := filepath.Join(cache, "assay", "compilers")
		if err := os.MkdirAll(dir, 0o755); err == nil && reachable(dir) == nil {
			s := &shelf{dir: dir, uses: map[string]int{}}
			s.tidy()
			return s, func() {}, nil
		}
	}
	// Not below /tmp, where every box has a file system of its own.
	const place = "/var/tmp"
	sandbox.RemoveLeftBehind(filepath.Join(place, shelfOfProcess))
	dir, err := os.MkdirTemp(place, fmt.Sprintf("%s%d-", shelfOfProcess, os.Getpid()))
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		return nil, nil, err
	}
	return &shelf{dir: dir, uses: map[string]int{}}, func() { os.RemoveAll(dir) }, nil
}

// shelfKey is the name of a thing that depends on the parts.
func shelfKey(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%q ", part)
	}
	return hex.EncodeToString(hash.Sum(nil))[:32]
}

// want returns the directory of a thing. If it is not there yet, make writes it for the
// caller who wants it for the n-th time: what is used once is not worth it. Others get "",
// as does everybody where it cannot be made.
func (s *shelf) want(key string, n int, valid func(dir string) bool, make func(dir string) error) string {
	dir := filepath.Join(s.dir, key)
	s.mu.Lock()
	uses := s.uses[key]
	if uses >= 0 && (uses > 0 || len(s.uses) < mostWanted) {
		s.uses[key]++
	}
	mayMake := uses+1 == n && s.made < mostMade
	if mayMake {
		s.made++
	}
	s.mu.Unlock()
	switch {
	case uses < 0: // it was looked at already
		return dir
	case uses == 0 && valid(dir):
		now := time.Now()
		os.Chtimes(dir, now, now)
	case !mayMake || s.put(dir, valid, make) != nil:
		return ""
	}
	s.mu.Lock()
	s.uses[key] = -1
	s.mu.Unlock()
	return dir
}

func (s *shelf) put(dir string, valid func(dir string) bool, make func(dir string) error) error {
	making, err := os.MkdirTemp(s.dir, unfinished)
	if err != nil {
		return err
	}
	defer os.RemoveAll(making)
	if err := make(making); err != nil {
		return err
	}
	if err := os.Chmod(making, 0o755); err != nil {
		return err
	}
	if err = os.Rename(making, dir); err != nil && !valid(dir) { // else another process was first
		old := making + "-old"
		os.Rename(dir, old)
		os.RemoveAll(old)
		err = os.Rename(making, dir)
	} else {
		err = nil
	}
	s.tidy()
	return err
}

// keep notes that a thing is in use.
func (s *shelf) keep(dir string) {
	now := time.Now()
	s.mu.Lock()
	due := now.Sub(s.kept) > inUse/4
	if due {
		s.kept = now
	}
	s.mu.Unlock()
	if due {
		os.Chtimes(dir, now, now)
	}
}

// tidy removes what a killed process left, and what was not used for longest.
func (s *shelf) tidy() {
	type thing struct {
		path string
		size int64
		used time.Time
	}
	var all []thing
	total := int64(0)
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(s.dir, e.Name())
		if strings.HasPrefix(e.Name(), unfinished) {
			if time.Since(info.ModTime()) > inUse {
				os.RemoveAll(path)
			}
			continue
		}
		size := int64(0)
		filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					size += info.Size()
				}
			}
			return nil
		})
		all, total = append(all, thing{path, size, info.ModTime()}), total+size
	}
	slices.SortFunc(all, func(a, b thing) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path)) })
	for _, t := range all {
		if total <= maxShelf || time.Since(t.used) < inUse {
			return
		}
		os.RemoveAll(t.path)
		total -= t.size
	}
}
