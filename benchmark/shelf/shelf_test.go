package shelf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestShelf keeps what is whole, and no more than it may.
func TestShelf(t *testing.T) {
	limits := Options{MaxBytes: 1 << 30, MostMade: 32}
	s := At(t.TempDir(), limits)
	valid := func(dir string) bool { _, err := os.Stat(filepath.Join(dir, "whole")); return err == nil }
	half := func(dir string) error {
		os.WriteFile(filepath.Join(dir, "part"), nil, 0o644)
		return os.ErrDeadlineExceeded
	}
	whole := func(dir string) error {
		half(dir)
		return os.WriteFile(filepath.Join(dir, "whole"), nil, 0o644)
	}
	if dir := s.Want("a", 1, valid, half); dir != "" {
		t.Errorf("what failed is used: %s", dir)
	}
	if dir := s.Want("b", 2, valid, whole); dir != "" {
		t.Errorf("what is wanted once was made: %s", dir)
	}
	dir := s.Want("b", 2, valid, whole)
	if dir == "" || !valid(dir) || s.Want("b", 2, valid, half) != dir {
		t.Errorf("%q was not kept", dir)
	}
	if entries, _ := os.ReadDir(s.Dir); len(entries) != 2 || entries[0].Name() != sizes {
		t.Errorf("left behind: %v", entries)
	}
	// A process that was killed while it made c, and one that wrote d before files were whole.
	killed := filepath.Join(s.Dir, Unfinished+"killed")
	os.MkdirAll(killed, 0o755)
	os.MkdirAll(filepath.Join(s.Dir, "d"), 0o755)
	other := At(s.Dir, limits)
	if dir := other.Want("d", 1, valid, whole); dir == "" || !valid(dir) {
		t.Errorf("what is not whole stayed: %q", dir)
	}
	long := time.Now().Add(-2 * inUse)
	for i := range 3 {
		large := filepath.Join(s.Dir, fmt.Sprint("large", i))
		os.MkdirAll(large, 0o755)
		os.WriteFile(filepath.Join(large, "f"), nil, 0o644)
		os.Truncate(filepath.Join(large, "f"), limits.MaxBytes/2)
		used := long.Add(time.Duration(i) * time.Minute)
		os.Chtimes(large, used, used)
	}
	os.Chtimes(killed, long, long)
	other.tidy()
	var names []string
	entries, _ := os.ReadDir(s.Dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != ".sizes b d large2" && got != ".sizes b d large1 large2" {
		t.Errorf("%s are kept", got)
	}
	if counted, _ := os.ReadDir(filepath.Join(s.Dir, sizes)); len(counted) != len(names)-1 {
		t.Errorf("sizes are kept of %v", counted)
	}
	// What was counted is not counted again, until it is made anew.
	b := filepath.Join(s.Dir, "b")
	os.WriteFile(s.sizeFile("b"), []byte("12"), 0o644)
	if got := s.size("b"); got != 12 {
		t.Errorf("%d bytes were counted again", got)
	}
	os.RemoveAll(b)
	if err := s.put(b, valid, func(dir string) error { return os.WriteFile(filepath.Join(dir, "whole"), []byte("new"), 0o644) }); err != nil || s.size("b") != 3 {
		t.Errorf("%v, %d bytes", err, s.size("b"))
	}
	for i := range 2 * limits.MostMade {
		s.Want(fmt.Sprint("sample", i), 1, valid, whole)
	}
	if s.made > limits.MostMade {
		t.Errorf("samples had %d things made", s.made)
	}
	if dir, err := s.Get("e", valid, half); err != os.ErrDeadlineExceeded || valid(dir) {
		t.Errorf("an entry that could not be made: %q, %v", dir, err)
	}
	for _, make := range []func(string) error{whole, half} {
		if dir, err := s.Get("e", valid, make); err != nil || !valid(dir) {
			t.Errorf("%q, %v", dir, err)
		}
	}
}
