package ratings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/overlap"
)

var update = flag.Bool("update", false, "write the golden files")

// closed analyses a file of closed ratings with judgements of a model.
func closed(t *testing.T, name string) *overlap.Analysis {
	t.Helper()
	set, err := overlap.Open(filepath.Join("testdata", name+".jsonl"))
	fatal.If(t, err)
	a, err := overlap.Analyse(set, overlap.Apart)
	fatal.If(t, err)
	return a
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"pairs", "scores"} {
		r := Build(closed(t, name), "")
		var got bytes.Buffer
		fatal.If(t, r.Markdown(&got))
		golden := filepath.Join("testdata", name+".md")
		if *update {
			fatal.If(t, os.WriteFile(golden, got.Bytes(), 0o644))
		}
		want, err := os.ReadFile(golden)
		fatal.If(t, err)
		if got.String() != string(want) {
			t.Errorf("%s differs from %s: run with -update and look at the difference", name, golden)
		}
	}
}

// What is written passes its check, which traces each number of the page to report.json; a number that was changed does not.
// Every column and figure that contains judgements of models says so.
func TestWrittenReport(t *testing.T) {
	for _, name := range []string{"pairs", "scores"} {
		dir := filepath.Join(t.TempDir(), "report")
		_, err := Build(closed(t, name), "A title").WriteDir(dir)
		fatal.If(t, err)
		faults := func() (n int) {
			if !IsReport(os.DirFS(dir)) {
				t.Fatal("it is no report of ratings")
			}
			r, checks, err := CheckFiles(os.DirFS(dir))
			fatal.If(t, err)
			if r.Title != "A title" {
				t.Errorf("the title is %q", r.Title)
			}
			for _, c := range checks {
				n += len(c.Faults)
				if c.Compared == 0 {
					t.Errorf("%s compares nothing", c.Name)
				}
			}
			return n
		}
		if n := faults(); n > 0 {
			t.Errorf("%s: %d faults", name, n)
		}
		path := filepath.Join(dir, "report.html")
		page, err := os.ReadFile(path)
		fatal.If(t, err)
		above, below, found := bytes.Cut(page, []byte("What follows contains judgements of models; nothing above does."))
		if !found || bytes.Contains(above, []byte("/judges/")) || !bytes.Contains(below, []byte("together, with judgements of models")) {
			t.Errorf("%s: the page does not part people's numbers from those with judgements", name)
		}
		for _, want := range map[string][]string{"pairs": {"figure-win-rates", "figure-strengths", "table-pace", "table-how-much", "table-why-readability"}, "scores": {"table-alpha", "table-regression-1-"}}[name] {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: the page has no %s", name, want)
			}
		}
		at := bytes.LastIndex(page, []byte("</data>"))
		fatal.If(t, os.WriteFile(path, append(append(page[:at:at], '1'), page[at:]...), 0o644))
		if faults() < 2 {
			t.Errorf("%s: a changed number was not found", name)
		}
	}
}
