package evaluations

import (
	"assay/session/report"
	doc "assay/session/report/document"
)

// Su is the evaluation of Su et al. as a part of another report: of the answers of that report's arms or models, which are
// the runs. Its numbers, tables and figures are those that this package's own report of the same answers has.
type Su struct {
	*Six
	Metrics []string  `json:"metrics"` // the names of what the metrics of a task hold, in their order
	Tasks   []Task    `json:"tasks"`   // with an answer in any of the runs, by id
	Weights []Weights `json:"weights"` // question weights (Su et al., table 1)

	report *Report
}

// SuOf evaluates runs of the tasks of o. Errors are those of [Build].
func SuOf(runs []Results, o Options) (*Su, error) {
	r := &Report{}
	if err := r.build(runs, o); err != nil {
		return nil, err
	}
	su := &Su{Six: &r.Six, Metrics: r.Metrics, Tasks: r.Tasks, Weights: []Weights{}, report: r}
	if r.About != nil {
		su.Weights = r.About.Weights
	}
	return su, nil
}

// Marks returns the figures that there are data for, with the source of a report.
func (s *Su) Marks(source string) []report.NamedMark {
	s.report.source = source
	return s.report.suMarks()
}

// Write writes the tables and figures into a section of d, whose data contain s; before: as they were before layout 4 of
// reports of sessions.
func (s *Su) Write(in *doc.Section, d *doc.Document, w report.Writer, before bool) {
	(&writer{s.report, w, d, before}).su(in)
}
