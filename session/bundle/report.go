package bundle

import (
	"fmt"
	"os"
	"path/filepath"

	"assay/session"
	"assay/session/report"
)

// reportFiles makes the report of sessions and returns its files by name, as
// report.WriteDir lays them out, and what the numbers depend on. It is the only place
// that knows how a report is made. Packing and verifying both call it, so whatever it
// does must follow from the logs and the texts alone.
//
// Several sessions have a folder each, named after the session. The second argument
// reads a text that the logs refer to; the report as it is shows none of them.
func reportFiles(logs []Log, _ func(session.Ref) ([]byte, error)) (map[string][]byte, ReportSettings, error) {
	settings := ReportSettings{Format: report.FormatVersion, Seeds: []uint64{}}
	dir, err := os.MkdirTemp("", "assay-report-*")
	if err != nil {
		return nil, settings, err
	}
	defer os.RemoveAll(dir)
	files := map[string][]byte{}
	for _, l := range logs {
		r, err := report.Build(l.Events)
		if err != nil {
			return nil, settings, fmt.Errorf("session %s cannot be reported: %w", l.ID, err)
		}
		settings.Confidence, settings.Resamples = r.Method.Confidence, r.Method.Resamples
		settings.Seeds = append(settings.Seeds, r.Method.Seed)
		to := dir
		if len(logs) > 1 {
			to = filepath.Join(dir, l.ID)
		}
		written, err := r.WriteDir(to)
		if err != nil {
			return nil, settings, err
		}
		for _, path := range written {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return nil, settings, err
			}
			if files[filepath.ToSlash(name)], err = os.ReadFile(path); err != nil {
				return nil, settings, err
			}
		}
	}
	return files, settings, nil
}
