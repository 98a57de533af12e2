package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/data/fatal"
)

func in(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	fatal.If(t, os.WriteFile(path, []byte(text), 0o640))
	return path
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s holds %q (%v), not %q", path, text, err, want)
	}
}

func TestReplace(t *testing.T) {
	path := in(t, "x", "old")
	link := filepath.Join(t.TempDir(), "link")
	fatal.If(t, os.Symlink(path, link))
	fatal.If(t, Replace(link, 0o644, Bytes("new")))
	holds(t, path, "new")
	if to, err := os.Readlink(link); err != nil || to != path {
		t.Errorf("the link is %q (%v) afterwards", to, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v (%v) afterwards", info.Mode(), err)
	}
}

func TestFailedWriteLeavesTheOldFile(t *testing.T) {
	path := in(t, "x", "old")
	broken := errors.New("broken")
	err := Replace(path, 0o644, func(w io.Writer) error {
		_, _ = w.Write([]byte("half"))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	holds(t, path, "old")
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v (%v) lies beside it", entries, err)
	}
}

func TestCreateLeavesWhatIsThere(t *testing.T) {
	path := in(t, "x", "old")
	if err := Create(path, 0o644, Bytes("new")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the error is %v", err)
	}
	holds(t, path, "old")
	// Another program created the file while this one was being written.
	path = filepath.Join(t.TempDir(), "x")
	err := Create(path, 0o644, func(io.Writer) error { return os.WriteFile(path, []byte("theirs"), 0o644) })
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("the error is %v", err)
	}
	holds(t, path, "theirs")
}

func TestOnlyRegularFilesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	dangling, toNull := filepath.Join(dir, "dangling"), filepath.Join(dir, "null")
	for link, to := range map[string]string{dangling: "nowhere", toNull: "/dev/null"} {
		fatal.If(t, os.Symlink(to, link))
	}
	for path, want := range map[string]string{dir: "a directory", pipe: "a pipe", "/dev/null": "a device", toNull: "a device", dangling: "nowhere, which does not exist"} {
		before, _ := os.Lstat(path)
		if err := Replace(path, 0o644, Bytes("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, not %q", path, err, want)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s is %v (%v) afterwards", path, after, err)
		}
	}
}

func TestReadingStopsAtTheLimit(t *testing.T) {
	small, large := in(t, "small", "12345678"), in(t, "large", "123456789")
	if text, err := ReadFile(small, 8); err != nil || string(text) != "12345678" {
		t.Errorf("%q, %v", text, err)
	}
	sparse := in(t, "sparse", "")
	fatal.If(t, os.Truncate(sparse, 1<<40))
	for _, path := range []string{large, sparse, "/dev/zero"} {
		_, err := ReadFile(path, 8)
		var tooLarge *TooLargeError
		if !errors.As(err, &tooLarge) || !strings.Contains(err.Error(), path+" is larger than 8 bytes") {
			t.Errorf("%s: %v", path, err)
		}
	}
	for text, fails := range map[string]bool{"12345678": false, "123456789": true} {
		got, err := io.ReadAll(Limited(bytes.NewBufferString(text), "it", 8))
		if (err != nil) != fails || !fails && string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A pipe without a writer is empty; one with a writer is read to its end.
func TestPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if text, err := ReadFile(pipe, 100); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
	held, err := os.OpenFile(pipe, os.O_RDWR, 0) // a writer before the reader comes
	fatal.If(t, err)
	if _, err := held.WriteString("words"); err != nil {
		t.Fatal(err)
	}
	f, err := Open(pipe)
	fatal.If(t, err)
	defer f.Close()
	held.Close()
	if text, err := ReadAll(f, pipe, 100); err != nil || string(text) != "words" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(path string) error
		want string
	}{
		"nothing": {func(string) error { return nil }, ""},
		"deleted": {os.Remove, "was deleted"},
		"cut off": {func(path string) error { return os.Truncate(path, 2) }, "it has 2 of 5 bytes"},
		"replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+"~", nil, 0o644), os.Rename(path+"~", path))
		}, "was replaced"},
	} {
		path := in(t, "x", "hello")
		f, err := os.Open(path)
		fatal.If(t, err)
		defer f.Close()
		fatal.If(t, c.harm(path))
		if err := Kept(f, path, 5); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
