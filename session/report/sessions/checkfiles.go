package sessions

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"

	"assay/session/report"
	"assay/session/report/document"
)

// kind is the kind of these reports.
var kind = report.Kind{Key: "assay_report", Version: FormatVersion, Command: "assay report SESSION"}

// CheckFiles checks the report in a folder; see [report.CheckFiles].
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, kind, func(r *Report, dir fs.FS) ([]report.Check, error) {
		names := []string{"sessions", "tasks", "attempts", "ratings", "participants"}
		if len(r.Abilities) > 0 {
			names = append(names, "choices")
		}
		if r.Arena != nil {
			names = append(names, "picks")
		}
		tables, err := report.ReadTables(dir, names...)
		if err != nil {
			return nil, err
		}
		return checkAgainst(r, tables), nil
	})
}

// checkAnew compares the files of a report in a folder with those of now, the report of the same logs by this
// version of assay. It does not compare images, which another release of Go may compress differently.
func (r *Report) checkAnew(dir fs.FS, now *Report, version string) (*report.Check, error) {
	c := report.NewCheck("The report made anew from these logs is the same")
	now.Keep(func(name string) []byte {
		text, _ := fs.ReadFile(dir, name) // a missing one is found below
		return text
	})
	for _, f := range now.Files() {
		if path.Ext(f.Name) == ".png" {
			continue
		}
		var want bytes.Buffer
		if err := f.Write(&want); err != nil {
			return nil, err
		}
		c.Compared++
		got, err := fs.ReadFile(dir, f.Name)
		if err != nil || !SameFile(r.Layout, f.Name, got, want.Bytes()) {
			why := "was changed, or another build of assay wrote it"
			if wrote := r.Sessions[0].Assay; wrote != version {
				why = fmt.Sprintf("was changed, or an earlier version wrote it: assay %s wrote the logs, this is %s", wrote, version)
			}
			c.Fault("%s %s", f.Name, why)
		}
	}
	return c, nil
}

// SameFile compares a file of a report of some layout with the one that is made now. Pages of earlier layouts have the
// style, script and drawings of their build: what they say is compared, and the data of the drawings.
func SameFile(layout int, name string, before, now []byte) bool {
	switch {
	case layout == Layout:
	case drawing(name):
		return true
	case path.Ext(name) == ".html":
		before, now = document.Said(before), document.Said(now)
	case name == report.SumsFile:
		before, now = withoutLooks(before), withoutLooks(now)
	}
	return bytes.Equal(before, now)
}

func drawing(name string) bool { return path.Ext(name) == ".svg" || path.Ext(name) == ".tikz" }

// withoutLooks returns a list of sums without those of pages and drawings.
func withoutLooks(sums []byte) []byte {
	var rest []byte
	for line := range bytes.Lines(sums) {
		if name := string(bytes.TrimSpace(line)); path.Ext(name) != ".html" && !drawing(name) {
			rest = append(rest, line...)
		}
	}
	return rest
}
