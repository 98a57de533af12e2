package evaluations

import (
	_ "embed"
	"io"

	"assay/session/report"
)

// repeat computes a report's numbers again, in R.
//
//go:embed repeat.R
var repeat string

// JSON writes the report as indented JSON; statistics that are not defined are null.
func (r *Report) JSON(w io.Writer) error { return report.WriteJSON(r)(w) }

// Markdown writes the report for reading, without figures.
func (r *Report) Markdown(w io.Writer) error { return r.document(nil).Markdown(w, false) }

// HTML writes the report as one page with its figures.
func (r *Report) HTML(w io.Writer) error { return r.Document().HTML(w) }

// files returns all files of the report in the order in which they are written.
func (r *Report) files() []report.File {
	drawings := report.Draw(r.marks())
	page := r.document(drawings)
	return report.Layout{Page: page, Text: page, Data: r.JSON, Repeat: repeat, Drawings: drawings, Dataset: r.dataset()}.Files()
}

// WriteDir writes the report into dir; see [report.WriteFiles].
func (r *Report) WriteDir(dir string) ([]string, error) { return report.WriteFiles(dir, r.files()) }
