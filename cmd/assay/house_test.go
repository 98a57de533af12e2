package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
)

// pkg is a package as listed by `go list`.
type pkg struct {
	ImportPath, Dir, Doc string
	Imports              []string
	GoFiles, CgoFiles    []string
}

// house lists the packages of the project.
func house(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,Imports,GoFiles,CgoFiles", "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, "assay/")
		list = append(list, p)
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	fatal.If(t, err)
	return dir
}

// within reports whether path is the package or lies below it.
func within(path string, rooms ...string) bool {
	return slices.ContainsFunc(rooms, func(r string) bool { return path == r || strings.HasPrefix(path, r+"/") })
}

// rules list the packages of ours that a package may import, in addition to those below data. The first
// matching rule counts.
var rules = []struct {
	room string // the package, and with "/" what lies below it
	may  func(imported string) bool
}{
	{"data", func(string) bool { return false }},
	{"scoring", func(i string) bool { return within(i, "scoring") }},
	{"benchmark", func(i string) bool { return within(i, "benchmark", "scoring") }},
	{"session/report/figure", func(i string) bool { return i == "scoring/stats" }},
	{"session/", func(i string) bool { return within(i, "session", "benchmark", "scoring") }},
	{"session", func(i string) bool { return i == "benchmark" || within(i, "scoring") }},
	{"store", func(i string) bool { return within(i, "session", "benchmark", "scoring") }},
	{"tui", func(i string) bool { return !within(i, "store", "benchmark/sandbox", "cmd", "data") }},
	{"cmd", func(string) bool { return true }},
}

// Direct imports follow the rules of ARCHITECTURE.md.
func TestImports(t *testing.T) {
	for _, p := range house(t) {
		i := slices.IndexFunc(rules, func(r struct {
			room string
			may  func(string) bool
		}) bool {
			if below, ok := strings.CutSuffix(r.room, "/"); ok {
				return strings.HasPrefix(p.ImportPath, below+"/")
			}
			return within(p.ImportPath, r.room)
		})
		if i < 0 {
			t.Errorf("package %s lies outside the given top-level folders", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			ours, ok := strings.CutPrefix(imported, "assay/")
			if ok && !strings.HasPrefix(ours, "data/") && !rules[i].may(ours) {
				t.Errorf("%s imports %s", p.ImportPath, ours)
			}
			if strings.HasPrefix(imported, "charm.land/") && !within(p.ImportPath, "tui", "cmd") {
				t.Errorf("%s imports %s: only tui and cmd draw", p.ImportPath, imported)
			}
			if strings.HasPrefix(imported, "go.etcd.io/bbolt") && p.ImportPath != "store" {
				t.Errorf("%s imports bbolt: only store does", p.ImportPath)
			}
		}
	}
}

// Screens, reports and readers of results want values: what runs code is not linked into them, also not through others.
func TestValuesApartFromMachinery(t *testing.T) {
	imports := map[string][]string{}
	for _, p := range house(t) {
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, "assay/"); ok {
				imports[p.ImportPath] = append(imports[p.ImportPath], ours)
			}
		}
	}
	machinery := []string{"benchmark/judge", "benchmark/repository", "benchmark/sandbox"}
	for room := range imports {
		if !within(room, "tui", "session/report", "session/overlap", "session/inspectlog", "session/engine", "benchmark/batch") || strings.HasSuffix(room, "test") {
			continue
		}
		seen, way := map[string]bool{}, []string{room}
		var reach func(string)
		reach = func(from string) {
			for _, to := range imports[from] {
				way = append(way, to)
				if slices.Contains(machinery, to) {
					t.Errorf("%s reaches what runs code: %s", room, strings.Join(way, " → "))
				} else if !seen[to] {
					seen[to] = true
					reach(to)
				}
				way = way[:len(way)-1]
			}
		}
		reach(room)
	}
}

// Packages that compute do no I/O, start no processes, and use neither the clock nor random numbers of
// their own.
func TestPurity(t *testing.T) {
	banned := []string{"os", "net", "net/http", "os/exec", "math/rand", "crypto/rand", "syscall"}
	for _, p := range house(t) {
		if p.ImportPath != "session" && !within(p.ImportPath, "scoring", "session/report/figure") || p.ImportPath == "scoring/calibrate" {
			continue // calibrate is for tests alone
		}
		for _, imported := range p.Imports {
			if slices.Contains(banned, imported) {
				t.Errorf("%s imports %s: it must do no I/O and draw no numbers of its own", p.ImportPath, imported)
			}
		}
		for _, file := range p.GoFiles {
			text := fatal.Read(t, filepath.Join(p.Dir, file))
			for _, call := range []string{"time.Now(", "time.Since(", "time.Sleep("} {
				if strings.Contains(string(text), call) {
					t.Errorf("%s/%s calls %s…): times are handed in", p.ImportPath, file, call)
				}
			}
		}
	}
}

// Only two packages use C.
func TestCgo(t *testing.T) {
	for _, p := range house(t) {
		if len(p.CgoFiles) > 0 && !within(p.ImportPath, "scoring/syntax", "benchmark/sandbox") {
			t.Errorf("%s has cgo in %v: all of it is in scoring/syntax and benchmark/sandbox", p.ImportPath, p.CgoFiles)
		}
	}
}

// Every package has a comment that says what it owns.
func TestPackageDocs(t *testing.T) {
	for _, p := range house(t) {
		if len(strings.Fields(p.Doc)) < 5 {
			t.Errorf("package %s has no doc comment worth the name", p.ImportPath)
		}
	}
}

// The map in ARCHITECTURE.md has exactly one line for every package, and it and README.md stay below their
// limits of lines.
func TestMap(t *testing.T) {
	for _, name := range []string{"ARCHITECTURE.md", "README.md"} {
		text := fatal.Read(t, filepath.Join(root(t), name))
		if n := strings.Count(string(text), "\n"); n > 250 {
			t.Errorf("%s has %d lines; more than 250 nobody reads: move what is not for everybody to data/manual or a DECISIONS.md", name, n)
		}
	}
	text := fatal.Read(t, filepath.Join(root(t), "ARCHITECTURE.md"))
	mapped := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "| `"); ok {
			path, _, _ := strings.Cut(rest, "`")
			mapped[path] = true
		}
	}
	for _, p := range house(t) {
		if !mapped[p.ImportPath] {
			t.Errorf("ARCHITECTURE.md does not say what %s owns", p.ImportPath)
		}
		delete(mapped, p.ImportPath)
	}
	for path := range mapped {
		t.Errorf("ARCHITECTURE.md maps %s, which is no package", path)
	}
}
