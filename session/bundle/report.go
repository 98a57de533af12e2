package bundle

import (
	"fmt"
	"os"
	"path/filepath"

	"assay/session/report"
)

// reportFiles makes the report of sessions and returns its files by name, as
// report.WriteDir lays them out, and what the numbers depend on. It is the only place
// that knows how a report is made. Packing and verifying both call it, so whatever it
// does must follow from the logs and the texts alone; so there are no PNG figures in
// it, which an assay built with another Go may compress in another way.
func reportFiles(logs []Log, texts report.Texts) (map[string][]byte, ReportSettings, error) {
	b := report.NewBuilder(report.Options{Texts: texts, NoImages: true})
	for _, l := range logs {
		if err := b.Add(l.Events); err != nil {
			return nil, ReportSettings{}, fmt.Errorf("session %s cannot be reported: %w", l.ID, err)
		}
	}
	r, err := b.Report()
	if err != nil {
		return nil, ReportSettings{}, err
	}
	settings := ReportSettings{Format: report.FormatVersion, Confidence: r.Method.Confidence}
	dir, err := os.MkdirTemp("", "assay-report-*")
	if err != nil {
		return nil, settings, err
	}
	defer os.RemoveAll(dir)
	written, err := r.WriteDir(dir)
	if err != nil {
		return nil, settings, err
	}
	files := map[string][]byte{}
	for _, path := range written {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, settings, err
		}
		if files[filepath.ToSlash(name)], err = os.ReadFile(path); err != nil {
			return nil, settings, err
		}
	}
	return files, settings, nil
}
