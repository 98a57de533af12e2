// Package shelf keeps what is made once for many samples: precompiled code, repositories' trees.
//
// It owns cache directories that boxes can see, and how entries appear in them, are found again and
// are removed. Entries are made from trusted input only, so no sample can influence what another
// one finds. Package judge keeps what compilers need, package repository its trees.
package shelf

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/benchmark/sandbox"
)

// Shelf is a cache directory. Each entry is a directory named by the hash of everything it depends
// on. It is made under another name and renamed when complete, so that no incomplete entry is ever
// used. A Shelf is safe for concurrent use.
type Shelf struct {
	Dir string
	Options
	mu   sync.Mutex
	uses map[string]int // requests for each entry; -1: it exists
	made int            // entries that Want has made
	kept time.Time      // when Keep last updated a time
}

// Options limit a shelf.
type Options struct {
	MaxBytes int64 // the least recently used entries go first
	MostMade int   // entries that Want makes, since samples decide which are requested
}

// Unfinished is the prefix of incomplete entries.
const Unfinished = ".making-"

// sizes is the directory with a file for each entry that holds its size in bytes, which is counted once: a shelf of
// repositories' trees has a million files.
const sizes = ".sizes"

const (
	mostWanted = 10_000         // entries whose requests are counted
	inUse      = time.Hour      // entries used within it stay; incomplete ones older than it are removed
	ofProcess  = "assay-shelf-" // prefix of a process's own directory, where boxes cannot see the user's cache
)

// Open opens the shelf of a name in a directory that boxes can see: in the user's cache directory,
// or root's, or else one of this process alone, which remove removes. The last is also for boxes
// that do not keep samples from writing.
func Open(box sandbox.Box, name string, o Options) (s *Shelf, remove func(), err error) {
	for _, cache := range caches() {
		dir := filepath.Join(cache, "assay", name)
		if strings.HasPrefix(dir, "/tmp/") || box.Name() == "none" {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err == nil && Reachable(dir) == nil {
			s := At(dir, o)
			s.tidy()
			return s, func() {}, nil
		}
	}
	// Not in /tmp, which is a file system of its own in every box.
	const place = "/var/tmp"
	sandbox.RemoveLeftBehind(filepath.Join(place, ofProcess))
	dir, err := os.MkdirTemp(place, fmt.Sprintf("%s%d-", ofProcess, os.Getpid()))
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		return nil, nil, err
	}
	return At(dir, o), func() { os.RemoveAll(dir) }, nil
}

// At returns the shelf in a directory.
func At(dir string, o Options) *Shelf { return &Shelf{Dir: dir, Options: o, uses: map[string]int{}} }

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

// Reachable returns why a box could not see a directory: if root runs assay, boxes run as another
// user.
func Reachable(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return err
		}
		if info.Mode()&1 == 0 {
			return fmt.Errorf("only its owner can enter %s, and root's sandbox runs as another user; "+
				"make it readable (chmod o+rx), or run assay as yourself", at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// Key names an entry that depends on the parts.
func Key(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%q ", part)
	}
	return hex.EncodeToString(hash.Sum(nil))[:32]
}

// Want returns the directory of an entry. If it does not exist, make writes it on the n-th
// request: what is used once is not worth the time. Other requests return "", as do all if it
// cannot be made.
func (s *Shelf) Want(key string, n int, valid func(dir string) bool, make func(dir string) error) string {
	dir := filepath.Join(s.Dir, key)
	s.mu.Lock()
	uses := s.uses[key]
	if uses >= 0 && (uses > 0 || len(s.uses) < mostWanted) {
		s.uses[key]++
	}
	mayMake := uses+1 == n && s.made < s.MostMade
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

// Get returns the directory of an entry. If it does not exist, make writes it.
func (s *Shelf) Get(key string, valid func(dir string) bool, make func(dir string) error) (string, error) {
	dir := filepath.Join(s.Dir, key)
	if valid(dir) {
		now := time.Now()
		os.Chtimes(dir, now, now)
		return dir, nil
	}
	return dir, s.put(dir, valid, make)
}

func (s *Shelf) put(dir string, valid func(dir string) bool, make func(dir string) error) error {
	making, err := os.MkdirTemp(s.Dir, Unfinished)
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
	os.Remove(s.sizeFile(filepath.Base(dir)))
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

// Keep records that an entry is in use.
func (s *Shelf) Keep(dir string) {
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

// tidy removes what killed processes left, and the least recently used entries beyond MaxBytes.
func (s *Shelf) tidy() {
	type thing struct {
		path string
		size int64
		used time.Time
	}
	var all []thing
	total := int64(0)
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(s.Dir, e.Name())
		if e.Name() == sizes {
			continue
		}
		if strings.HasPrefix(e.Name(), Unfinished) {
			if time.Since(info.ModTime()) > inUse {
				os.RemoveAll(path)
			}
			continue
		}
		size := s.size(e.Name())
		all, total = append(all, thing{path, size, info.ModTime()}), total+size
	}
	slices.SortFunc(all, func(a, b thing) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path)) })
	for _, t := range all {
		if total <= s.MaxBytes || time.Since(t.used) < inUse {
			return
		}
		os.RemoveAll(t.path)
		os.Remove(s.sizeFile(filepath.Base(t.path)))
		total -= t.size
	}
}

func (s *Shelf) sizeFile(key string) string { return filepath.Join(s.Dir, sizes, key) }

// size returns the size of an entry in bytes, counted when it is asked for first.
func (s *Shelf) size(key string) int64 {
	file := s.sizeFile(key)
	if text, err := os.ReadFile(file); err == nil {
		if size, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return size
		}
	}
	size := int64(0)
	filepath.WalkDir(filepath.Join(s.Dir, key), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		os.WriteFile(file, strconv.AppendInt(nil, size, 10), 0o644)
	}
	return size
}
