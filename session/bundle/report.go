package bundle

import (
	"fmt"

	"assay/session/report"
	"assay/session/report/sessions"
)

// reportFiles builds the report of sessions and returns its files by name, with the settings that the
// numbers depend on. Packing and verifying both call it, so it must depend only on the logs and the texts.
// It has no PNG figures, which an assay built with another version of Go may compress differently.
func reportFiles(logs []Log, texts sessions.Texts) (map[string][]byte, ReportSettings, error) {
	b := sessions.NewBuilder(sessions.Options{Texts: texts, NoImages: true})
	for _, l := range logs {
		if err := b.Add(l.Events); err != nil {
			return nil, ReportSettings{}, fmt.Errorf("session %s cannot be reported: %w", l.ID, err)
		}
	}
	r, err := b.Report()
	if err != nil {
		return nil, ReportSettings{}, err
	}
	files, err := report.Contents(r.Files())
	return files, ReportSettings{Format: sessions.FormatVersion, Confidence: r.Method.Confidence}, err
}
