package sessions

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"slices"

	"assay/session/report"
)

// repeat computes a report's numbers again, in R.
//
//go:embed repeat.R
var repeat string

const scriptName = "repeat.R"

// schemaName is the name of the schema of report.json.
const schemaName = "report.schema.json"

// earlierFiles are the scripts and schemas of earlier versions by their SHA-256. Their reports do not have the fields
// that later ones added.
var earlierFiles = []string{
	"fe1688949749da366d39ff4908f32a801f7fd339ac945104b7047d6a0e155e85", // repeat.R of version 1.0
	"ca76f1d90e3b8c5c6d70db2032dad5841c2b70aa50b4470390300a698b98935a", // report.schema.json of version 1.0
	"6abec01fe3f01a7dae6148c857902461b4ee8c791aba85ace15361ad8d530be5", // repeat.R before layout 4
	"e8ae3773af5ae04a80e873e597710778c4e84b5c8ab30b22461a5dd6b2296845", // report.schema.json before layout 4
}

// Keep lets a report that is made anew have the script and the schema with which an earlier version wrote it.
func (r *Report) Keep(earlier func(name string) []byte) {
	for _, name := range []string{scriptName, schemaName} {
		text := earlier(name)
		if sum := sha256.Sum256(text); slices.Contains(earlierFiles, hex.EncodeToString(sum[:])) {
			r.kept = append(r.kept, report.File{Name: name, Write: report.WriteBytes(text)})
		}
	}
}

// JSON writes the report as indented JSON; undefined statistics are null.
func (r *Report) JSON(w io.Writer) error { return report.WriteJSON(r)(w) }

// Markdown writes the report for reading, without figures.
func (r *Report) Markdown(w io.Writer) error { return r.document(nil).Markdown(w, false) }

// HTML writes the report as one page with its figures and, unless that is long, its
// appendix.
func (r *Report) HTML(w io.Writer) error {
	d := r.Document()
	r.appendix(d)
	return d.HTML(w)
}

// Files returns all files of the report, in the order in which they are written.
func (r *Report) Files() []report.File {
	drawings := report.Draw(r.marks)
	page, text := r.document(drawings), r.document(drawings)
	extra := []report.File{{Name: schemaName, Write: report.WriteBytes(Schema())}}
	for _, a := range r.appendix(page) { // which Markdown does not have
		extra = append(extra, report.File{Name: a.name, Write: func(w io.Writer) error { return a.doc().HTML(w) }})
	}
	files := report.Layout{Page: page, Text: text, Data: r.JSON, Repeat: repeat, Extra: extra, Drawings: drawings, Images: !r.noImages, Dataset: r.dataset()}.Files()
	for _, kept := range r.kept {
		at := slices.IndexFunc(files, func(f report.File) bool { return f.Name == kept.Name })
		files[at] = kept
	}
	return files
}

// WriteDir writes the report into dir; see [report.WriteFiles].
func (r *Report) WriteDir(dir string) ([]string, error) { return report.WriteFiles(dir, r.Files()) }

// StudyFiles are the file of a frozen study with its analysis plan, and its lock.
type StudyFiles struct {
	File, Lock []byte
	Places     int // of its plan
	Waiting    int // that somebody has who has not begun
}

// dataset returns the report's tidy tables as a dataset, with the study that they come from.
func (r *Report) dataset() []report.File {
	var study []report.File
	if s := r.study; s != nil {
		study = []report.File{
			{Name: report.DatasetMaterial("study.toml"), Write: report.WriteBytes(s.File)},
			{Name: report.DatasetMaterial("study.lock.json"), Write: report.WriteBytes(s.Lock)},
		}
	}
	return append(study, report.Dataset(r.Title, "What testers did, judged and rated while they had a model write code, with what running and measuring the code found. Written by assay.",
		"Of a session whose tester withdrew, only its row among the sessions is here. "+
			"What a plan of overlap ratings lays down (how many answers, raters and resamples, the seed, the confidence) is computed from nothing, and a mixed model is fitted anew, which agrees to about three digits.", r.tables())...)
}
