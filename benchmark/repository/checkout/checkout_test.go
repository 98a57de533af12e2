package checkout

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/shelf"
	"assay/data/fatal"
)

// git runs git in a directory.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// write writes files; a text that begins with "->" is a link's target.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		mode := fs.FileMode(0o644)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o755
		}
		err := os.WriteFile(path, []byte(text), mode)
		if target, link := strings.CutPrefix(text, "->"); link {
			os.Remove(path)
			err = os.Symlink(target, path)
		}
		fatal.If(t, err)
	}
}

// tree lists a directory: names, modes and contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		fatal.If(t, err)
		name, _ := filepath.Rel(dir, path)
		info, _ := d.Info()
		switch {
		case d.IsDir():
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			fmt.Fprintf(&all, "%s -> %s\n", name, target)
		default:
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&all, "%s %v %q\n", name, info.Mode(), text)
		}
		return nil
	})
	return all.String()
}

// packed makes a tar archive of a directory.
func packed(t *testing.T, path, dir, top string, zip bool) string {
	t.Helper()
	var data bytes.Buffer
	archive := tar.NewWriter(&data)
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		name, _ := filepath.Rel(dir, path)
		info, _ := d.Info()
		target, _ := os.Readlink(path)
		h, _ := tar.FileInfoHeader(info, target)
		h.Name = top + name
		archive.WriteHeader(h)
		if info.Mode().IsRegular() {
			text, _ := os.ReadFile(path)
			archive.Write(text)
		}
		return nil
	})
	archive.Close()
	if zip {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		w.Write(data.Bytes())
		w.Close()
		data = zipped
	}
	fatal.If(t, os.WriteFile(path, data.Bytes(), 0o644))
	return path
}

func shelfOf(t *testing.T) *shelf.Shelf {
	return shelf.At(t.TempDir(), shelf.Options{MaxBytes: 1 << 30})
}

var files = map[string]string{"README": "one\n", "lib/a.py": "a = 1\n", "run.sh": "#!/bin/sh\n", "link": "->lib/a.py", "dir": "->lib"}

// TestOpen: however a repository is stored, the tree is the same, and nothing of its history is
// in it.
func TestOpen(t *testing.T) {
	place := t.TempDir()
	work := filepath.Join(place, "work")
	write(t, work, files)
	git(t, work, "init", "-q", "-b", "main")
	write(t, work, map[string]string{".gitattributes": "README export-ignore\n* text=auto\n"})
	git(t, work, "add", ".")
	git(t, work, "commit", "-q", "-m", "one")
	commit := git(t, work, "rev-parse", "HEAD")
	plain := filepath.Join(place, "plain")
	fatal.If(t, copyTree(work, mkdir(t, plain)))
	want := tree(t, plain)
	if strings.Contains(want, ".git/") || strings.Count(want, "\n") != 6 {
		t.Fatalf("the plain directory has\n%s", want)
	}
	write(t, work, map[string]string{"lib/a.py": "a = 2\n", "later": "later\n"})
	git(t, work, "add", ".")
	git(t, work, "commit", "-q", "-m", "two")
	git(t, place, "clone", "-q", "--bare", work, "bare")
	git(t, work, "bundle", "create", "-q", filepath.Join(place, "all.bundle"), "--all")
	s := shelfOf(t)
	for name, source := range map[string]Source{
		"directory":       {Path: plain},
		"archive":         {Path: packed(t, filepath.Join(place, "a.tar"), plain, "", false)},
		"archive, zipped": {Path: packed(t, filepath.Join(place, "b.tgz"), plain, "project-1.0/", true)},
		"clone":           {work, commit},
		"its .git":        {filepath.Join(work, ".git"), commit[:12]},
		"bare":            {filepath.Join(place, "bare"), commit},
		"bundle":          {filepath.Join(place, "all.bundle"), commit},
	} {
		for range 2 {
			dir, err := Open(t.Context(), s, source)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got := tree(t, dir); got != want {
				t.Errorf("%s:\n%swant\n%s", name, got, want)
			}
		}
	}
}

func mkdir(t *testing.T, dir string) string {
	fatal.If(t, os.MkdirAll(dir, 0o755))
	return dir
}

// TestNothingRuns: no filter or hook of a stranger's repository is run.
func TestNothingRuns(t *testing.T) {
	work, mark := t.TempDir(), filepath.Join(t.TempDir(), "mark")
	git(t, work, "init", "-q")
	write(t, work, map[string]string{"a": "a\n", ".gitattributes": "a filter=x\n"})
	git(t, work, "add", ".")
	git(t, work, "commit", "-q", "-m", "one")
	commit := git(t, work, "rev-parse", "HEAD")
	git(t, work, "config", "filter.x.smudge", "touch "+mark+"; cat")
	git(t, work, "config", "core.fsmonitor", "touch "+mark)
	write(t, work, map[string]string{".git/hooks/post-checkout.sh": "touch " + mark, ".git/hooks/post-index-change": "#!/bin/sh\ntouch " + mark})
	os.Chmod(filepath.Join(work, ".git/hooks/post-index-change"), 0o755)
	if _, err := Open(t.Context(), shelfOf(t), Source{work, commit}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the repository ran a program")
	}
}

// TestErrors: each error names the repository and what to do.
func TestErrors(t *testing.T) {
	place := t.TempDir()
	plain, work := mkdir(t, filepath.Join(place, "plain")), mkdir(t, filepath.Join(place, "work"))
	write(t, plain, files)
	git(t, work, "init", "-q")
	git(t, work, "commit", "-q", "--allow-empty", "-m", "one")
	file := func(name, text string) string {
		write(t, place, map[string]string{name: text})
		return filepath.Join(place, name)
	}
	evil := func(name string, h *tar.Header) string {
		var data bytes.Buffer
		w := tar.NewWriter(&data)
		w.WriteHeader(&tar.Header{Name: "a", Typeflag: tar.TypeReg, Mode: 0o644})
		w.WriteHeader(h)
		w.WriteHeader(&tar.Header{Name: "link/file", Typeflag: tar.TypeReg, Mode: 0o644})
		w.Close()
		return file(name, data.String())
	}
	for name, row := range map[string]struct {
		source Source
		want   string
	}{
		"absent":               {Source{Path: filepath.Join(place, "no")}, "no such file"},
		"no git directory":     {Source{plain, "abc"}, "leave base_commit out"},
		"missing commit":       {Source{work, strings.Repeat("1", 40)}, "it has no commit 1111"},
		"an option":            {Source{work, "--output=x"}, "is no commit"},
		"commit of an archive": {Source{file("a.tar", ""), "abc"}, "leave base_commit out"},
		"bundle, no commit":    {Source{Path: file("a.bundle", "x")}, "name the commit"},
		"damaged bundle":       {Source{file("b.bundle", "x"), "abc"}, "git fetch"},
		"damaged archive":      {Source{Path: file("b.tar", strings.Repeat("x", 2000))}, "not a tar archive"},
		"other file":           {Source{Path: file("a.zip", "x")}, "neither a directory"},
		"parent":               {Source{Path: evil("c.tar", &tar.Header{Name: "../x", Typeflag: tar.TypeReg})}, "outside"},
		"absolute":             {Source{Path: evil("d.tar", &tar.Header{Name: "/x", Typeflag: tar.TypeReg})}, "outside"},
		"device":               {Source{Path: evil("e.tar", &tar.Header{Name: "x", Typeflag: tar.TypeChar})}, "neither a file"},
		"through a link":       {Source{Path: evil("f.tar", &tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: place})}, "escapes"},
	} {
		s := shelfOf(t)
		_, err := Open(t.Context(), s, row.source)
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), row.source.Path) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
		if left, _ := os.ReadDir(s.Dir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
}
