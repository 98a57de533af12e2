package sessions

import (
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/report"
)

// The rows: what the cells of one row are taken from.
type (
	taskRow struct {
		in *folded
		*session.Task
		index  int
		times  session.TaskTimes
		period int
	}
	attemptRow struct {
		taskRow
		*session.Attempt
		spent attemptTimes
	}
	pairRow struct { // a rating or a label
		taskRow
		name, value string
		score       int
	}
)

func (r taskRow) imported() bool { return r.in.header.Imported }

func (r taskRow) sessionID() string { return r.in.state.Session }

// analysed reports whether the task enters the results.
func (r taskRow) analysed() bool { return analysable(r.Task) }

// pairColumns are the columns of a table with one row for a name and a value.
func pairColumns(pair ...report.ColumnOf[pairRow]) []report.ColumnOf[pairRow] {
	return append([]report.ColumnOf[pairRow]{
		report.Text("session", "id of the session", pairRow.sessionID),
		report.Text("task", "id of the task", func(r pairRow) string { return r.ID }),
		report.Boolean("analysed", "1 where the task enters the results", func(r pairRow) (bool, bool) { return r.analysed(), true }),
	}, pair...)
}

// verdictNames returns all there are.
func verdictNames() []string {
	var all []string
	for _, v := range verdicts.Verdicts() {
		all = append(all, string(v))
	}
	return all
}
