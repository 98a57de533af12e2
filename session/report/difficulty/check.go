package difficulty

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"

	"assay/session/report"
)

// kind is the kind of these reports.
var kind = report.Kind{Key: "assay_difficulty_report", Version: FormatVersion, Command: "assay difficulty RESULTS"}

// IsReport reports whether a folder holds a report of this kind.
func IsReport(dir fs.FS) bool { return kind.In(dir) }

// CheckFiles checks the report in a folder; see [report.CheckFiles].
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, kind, func(r *Report, dir fs.FS) ([]report.Check, error) {
		if err := r.whole(); err != nil {
			return nil, fmt.Errorf("report.json: %w; it was changed after it was written", err)
		}
		tables, err := r.checkTables(dir)
		if err != nil {
			return nil, err
		}
		return append(r.checkData(), *tables), nil
	})
}

// checkData compares what is shown with what the analyses give. That the analyses follow from the responses is for
// recompute.py and repeat.R, which share no code with them.
func (r *Report) checkData() []report.Check {
	c := report.NewCheck("What is shown computed again from the analysis")
	for i, a := range r.Analyses {
		var named []string
		for _, at := range r.Views[i].Shown {
			if at < 0 || at >= len(a.Respondents) {
				c.Fault("there is no respondent %d", at)
				continue
			}
			named = append(named, a.Respondents[at].Name)
		}
		if again, err := view(a, named); err != nil {
			c.Fault("what is shown of %s: %v", a.Source.Name, err)
		} else {
			c.Same(fmt.Sprintf("/views/%d", i), again, r.Views[i], nil)
		}
	}
	if len(r.Analyses) == 2 {
		if again, err := compare(r.Analyses[0], r.Analyses[1], r.Compared.Why); err != nil {
			c.Fault("the comparison: %v", err)
		} else {
			c.Same("/comparison", again, r.Compared, nil)
		}
	}
	return []report.Check{*c}
}

// checkTables compares the tables in a folder with the data.
func (r *Report) checkTables(dir fs.FS) (*report.Check, error) {
	c := report.NewCheck("The tables are those of the data")
	for _, t := range r.tables() {
		name := report.DatasetFile(t.Name)
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("a table of the report cannot be read: %w", err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		at := 1
		for want := range t.Rows {
			for k := range want {
				c.Compared++
				if at >= len(rows) || k >= len(rows[at]) || rows[at][k] != want[k] {
					c.Fault("%s, line %d is not as the data have it", name, at+1)
					break
				}
			}
			at++
		}
		c.Equal(name+": rows", len(rows), at)
	}
	return c, nil
}
