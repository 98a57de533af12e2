package sessions

import (
	"io/fs"

	"assay/session/report"
)

// Kind is that of reports of sessions.
var SessionsKind = report.Kind{Key: "assay_report", Version: FormatVersion, Command: "assay report SESSION"}

// CheckFiles checks a report as it lies in a folder.
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, SessionsKind, func(*Report) error { return nil }, func(r *Report, dir fs.FS) ([]report.Check, error) {
		tables, err := report.ReadTables(dir, "sessions", "tasks", "attempts", "ratings")
		if err != nil {
			return nil, err
		}
		return checkAgainst(r, tables), nil
	})
}
