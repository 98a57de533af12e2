package outputs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

func TestWrite(t *testing.T) {
	base := filepath.Join(t.TempDir(), "new", "outputs")
	files := []verdicts.OutputFile{{Name: "plot.png", Data: []byte("one")}, {Name: "out/t.csv", Data: []byte("two")}, {Name: "x", Problem: "a link"}}
	for range 2 { // the second time they are there
		dir, err := Write(base, "s/t-1", files)
		if err != nil || dir != filepath.Join(base, "s", "t-1") {
			t.Fatal(dir, err)
		}
	}
	seen := map[string]string{}
	filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		info, _ := d.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		if !d.IsDir() {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(base, path)
			seen[name] = string(text)
		}
		return nil
	})
	if len(seen) != 2 || seen["s/t-1/plot.png"] != "one" || seen["s/t-1/out/t.csv"] != "two" {
		t.Errorf("%v", seen)
	}
	files[0].Data = []byte("three")
	if _, err := Write(base, "s/t-1", files); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(filepath.Join(base, "s/t-1/plot.png")); string(text) != "three" {
		t.Errorf("%s", text)
	}
}

// Nothing outside the folder is written, whatever links are in the way.
func TestWriteFollowsNoLink(t *testing.T) {
	for _, tt := range []struct{ name, link, to, file string }{
		{"the file", "s/t-1/plot.png", "victim", "plot.png"},
		{"the file, to nowhere", "s/t-1/plot.png", "nowhere", "plot.png"},
		{"the directory", "s/t-1", ".", "victim"},
		{"a directory above", "s", ".", "victim"},
		{"a directory inside", "s/t-1/out", ".", "out/victim"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, inside := range []bool{false, true} { // the link leads out of the base, or not
				base, elsewhere := t.TempDir(), t.TempDir()
				if inside {
					elsewhere = filepath.Join(base, "elsewhere")
					os.Mkdir(elsewhere, 0o700)
				}
				victim := filepath.Join(elsewhere, "victim")
				os.WriteFile(victim, []byte("mine"), 0o600)
				link := filepath.Join(base, tt.link)
				os.MkdirAll(filepath.Dir(link), 0o700)
				target, _ := filepath.Rel(filepath.Dir(link), filepath.Join(elsewhere, tt.to))
				fatal.If(t, os.Symlink(target, link))
				_, err := Write(base, "s/t-1", []verdicts.OutputFile{{Name: tt.file, Data: []byte("theirs")}})
				if err == nil || !strings.Contains(err.Error(), "not a regular file or directory; remove it") {
					t.Errorf("inside %t: %v", inside, err)
				}
				if text, _ := os.ReadFile(victim); string(text) != "mine" {
					t.Errorf("inside %t: the file elsewhere is now %q", inside, text)
				}
				if names, _ := os.ReadDir(elsewhere); len(names) != 1 {
					t.Errorf("inside %t: %v", inside, names)
				}
			}
		})
	}
	for _, name := range []string{"../x", "/x", "", ".", "a/../../x"} {
		if _, err := Write(t.TempDir(), "s", []verdicts.OutputFile{{Name: name, Data: []byte("x")}}); err == nil {
			t.Errorf("%q was written", name)
		}
	}
}

func TestSafeName(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"plot-1", "HumanEval/0", "HumanEval_0", "..", ".", "", "../../etc", ".hidden", "a b", "größe", strings.Repeat("x", 300), strings.Repeat("x", 301), "\x1b[2J"} {
		name := SafeName(id)
		if other, twice := seen[name]; twice {
			t.Errorf("%q and %q are both %q", id, other, name)
		}
		seen[name] = id
		if name == "" || len(name) > 100 || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\ \x1b") {
			t.Errorf("%q became %q", id, name)
		}
	}
	if SafeName("plot-1") != "plot-1" || !strings.HasPrefix(SafeName("HumanEval/0"), "HumanEval_0-") {
		t.Error(SafeName("HumanEval/0"))
	}
}
