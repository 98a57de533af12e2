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

// shelf is a cache directory of things made once for many samples, never from a sample's text, so
// that no sample can influence what another is compiled with. Boxes see it read-only. Each entry
// is a directory named by the hash of everything it depends on. It is made under another name and
// renamed when complete, so that no incomplete entry is ever used.
type shelf struct {
	dir  string
	mu   sync.Mutex
	uses map[string]int // requests for each entry; -1: it exists
	made int            // entries that this process has made
	kept time.Time      // when keep last updated a time
}

const (
	maxShelf       = 1 << 30        // bytes; the least recently used goes first
	mostMade       = 32             // entries that one process makes: samples decide which are requested
	mostWanted     = 10_000         // entries whose requests are counted
	unfinished     = ".making-"     // prefix of incomplete entries
	inUse          = time.Hour      // entries used within it stay; incomplete ones older than it are removed
	shelfOfProcess = "assay-shelf-" // prefix of a process's own directory, where boxes cannot see the user's cache
)

// openShelf opens a directory that boxes can see: in the user's cache directory, or root's, or
// else one of this process alone. The last is also for boxes that do not keep samples from
// writing.
func openShelf(box sandbox.Box) (s *shelf, remove func(), err error) {
	for _, cache := range caches() {
		dir := filepath.Join(cache, "assay", "compilers")
		if strings.HasPrefix(dir, "/tmp/") || box.Name() == "none" {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err == nil && reachable(dir) == nil {
			s := &shelf{dir: dir, uses: map[string]int{}}
			s.tidy()
			return s, func() {}, nil
		}
	}
	// Not in /tmp, which is a file system of its own in every box.
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

// caches returns the cache directories. Root's own is often closed to the ordinary user as whom
// root's boxes run.
func caches() (dirs []string) {
	if dir, err := os.UserCacheDir(); err == nil {
		dirs = append(dirs, dir)
	}
	if os.Geteuid() == 0 {
		dirs = append(dirs, "/var/cache")
	}
	return dirs
}

// shelfKey names an entry that depends on the parts.
func shelfKey(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%q ", part)
	}
	return hex.EncodeToString(hash.Sum(nil))[:32]
}

// want returns the directory of an entry. If it does not exist, make writes it on the n-th
// request: what is used once is not worth the time. Other requests return "", as do all if it
// cannot be made.
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
	case uses < 0: // checked before
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
	if err = os.Rename(making, dir); err != nil && !valid(dir) { // otherwise another process was faster
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

// keep records that an entry is in use.
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

// tidy removes what killed processes left, and the least recently used entries beyond maxShelf.
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
