package bundle

import (
	"fmt"

	"assay/session/report"
	"assay/session/report/sessions"
)

// reportFiles builds the report of sessions and returns its files by name, with the settings that the
// numbers depend on. Packing and verifying both call it, so it must depend only on what is in the bundle.
// It has no PNG figures, which an assay built with another version of Go may compress differently.
func (b *Bundle) reportFiles() (map[string][]byte, ReportSettings, error) {
	o, reveal, err := b.reported()
	if err != nil {
		return nil, ReportSettings{}, err
	}
	builder := sessions.NewBuilder(o)
	for _, l := range b.logs {
		if err := builder.Add(reveal(l.Events)); err != nil {
			return nil, ReportSettings{}, fmt.Errorf("session %s cannot be reported: %w", l.ID, err)
		}
	}
	r, err := builder.Report()
	if err != nil {
		return nil, ReportSettings{}, err
	}
	r.Keep(func(name string) []byte { return b.files[reportDir+name] })
	files, err := report.Contents(r.Files())
	return files, ReportSettings{Format: sessions.FormatVersion, Confidence: r.Method.Confidence}, err
}
