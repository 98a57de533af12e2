package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"

	doc "assay/session/report/document"
	"assay/session/report/figure"
)

// repeatFunctions read a report and its tables, compute estimates, and compare them.
//
//go:embed repeat.R
var repeatFunctions string

// NamedMark is a figure that is not drawn yet.
type NamedMark struct {
	Name string
	Mark figure.Mark
}

// Drawing is one figure of a report, with the name of its files.
type Drawing struct {
	Name string // without an ending
	figure.Figure
	Narrow figure.Figure // the same for narrow screens
}

// Draw draws figures.
func Draw(marks []NamedMark) []Drawing {
	var all []Drawing
	for _, m := range marks {
		all = append(all, Drawing{m.Name, m.Mark.Draw(figure.Wide), m.Mark.Draw(figure.Narrow)})
	}
	return all
}

// Layout divides a report into files.
type Layout struct {
	Page     *doc.Document           // report.html
	Text     *doc.Document           // report.md; its tables are written for LaTeX
	Data     func(w io.Writer) error // report.json
	Repeat   string                  // in R, after repeat.R: computes the numbers again from the dataset; "": no script
	Extra    []File                  // what only this kind of report has
	Drawings []Drawing
	Images   bool // figures as PNG, too
	Dataset  []File
}

// Files returns all files of the report in the order in which they are written: the page,
// Markdown and JSON, tables and papers for LaTeX, figures with their data, the dataset.
func (l Layout) Files() []File {
	files := append([]File{
		{"report.html", l.Page.HTML},
		{"brief.html", l.Page.Brief().HTML},
		{"report.md", func(w io.Writer) error { return l.Text.Markdown(w, true) }},
		{dataName, l.Data},
	}, l.Extra...)
	if l.Repeat != "" {
		files = append(files, File{"repeat.R", WriteBytes([]byte(repeatFunctions + l.Repeat))})
	}
	for _, t := range l.Text.Tables() {
		files = append(files, File{"tables/" + t.ID + ".tex", t.LaTeX})
	}
	files = append(files, File{"paper/body.tex", l.Text.LaTeX})
	for _, class := range doc.LaTeXClasses {
		files = append(files, File{"paper/" + class + ".tex", l.Text.Paper(class)})
	}
	for _, f := range l.Drawings {
		name := "figures/" + f.Name
		files = append(files, File{name + ".svg", WriteBytes(f.SVG())}, File{name + ".csv", WriteBytes(f.CSV())}, File{name + ".tikz", writeTikZ(f.Figure)})
		if l.Images {
			files = append(files, File{name + ".png", writeImage(f.Figure)})
		}
	}
	return append(files, l.Dataset...)
}

// WriteBytes returns a function that writes a text.
func WriteBytes(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	}
}

// WriteJSON returns a function that writes indented JSON; undefined statistics are null.
func WriteJSON(v any) func(io.Writer) error {
	return func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(v)
	}
}

// writeTikZ writes the figure for LaTeX when its file is written.
func writeTikZ(f figure.Figure) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(f.TikZ(doc.EscapeLaTeX))
		return err
	}
}

// writeImage draws the figure only when its file is written, since that takes long.
func writeImage(f figure.Figure) func(io.Writer) error {
	return func(w io.Writer) error {
		text, err := f.PNG()
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}
}
