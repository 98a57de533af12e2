package evaluations

import (
	"encoding/json"
	"io"

	"assay/session/report"
)

// JSON writes the report as indented JSON; statistics that are not defined are null.
func (r *Report) JSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(r)
}

// Markdown writes the report for reading, without figures.
func (r *Report) Markdown(w io.Writer) error { return r.Document().Markdown(w, false) }

// HTML writes the report as one page with its figures.
func (r *Report) HTML(w io.Writer) error { return r.Document().HTML(w) }

// WriteDir writes the report into dir as [report.Report.WriteDir] does: the page,
// Markdown and JSON, tables for LaTeX, figures with their data, the dataset, and
// SHA256SUMS.
func (r *Report) WriteDir(dir string) ([]string, error) {
	page := r.Document()
	files := []report.File{
		{Name: "report.html", Write: page.HTML},
		{Name: "report.md", Write: func(w io.Writer) error { return page.Markdown(w, true) }},
		{Name: "report.json", Write: r.JSON},
	}
	for _, t := range page.Tables() {
		files = append(files, report.File{Name: "tables/" + t.ID + ".tex", Write: t.LaTeX})
	}
	for _, m := range r.Marks() {
		f := m.Mark.Draw()
		files = append(files, report.File{Name: "figures/" + m.Name + ".svg", Write: report.WriteBytes(f.SVG())}, report.File{Name: "figures/" + m.Name + ".csv", Write: report.WriteBytes(f.CSV())})
	}
	return report.WriteFiles(dir, append(files, r.dataset()...))
}
