package sessions

import (
	"bytes"
	"io/fs"
	"path"

	"assay/session/report"
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
		if got, err := fs.ReadFile(dir, f.Name); err != nil || !bytes.Equal(got, want.Bytes()) {
			c.Fault("%s is another (the report says assay %s wrote the logs; this is %s)", f.Name, r.Sessions[0].Assay, version)
		}
	}
	return c, nil
}
