package evaluations

import (
	"cmp"

	"assay/scoring"
	"assay/session/report"
)

// Cutoff splits a run's tasks by whether they were published when the model was trained.
type Cutoff struct {
	Run         string            `json:"run"`
	Date        string            `json:"date"`
	Before      Cell              `json:"before"` // published on that day or earlier
	After       Cell              `json:"after"`
	Undated     int               `json:"undated"`     // scored tasks without a date
	Unclear     int               `json:"unclear"`     // scored tasks with only a year or month, which is the cutoff's
	Differences []report.Estimate `json:"differences"` // after minus before, of each metric; of different tasks, so not paired
}

// The sides of a cutoff.
const (
	beforeCutoff = iota
	afterCutoff
	unclearCutoff
	undatedCutoff
)

// sideOf compares a date, which may be only a year or a month, with a full date.
func sideOf(published, cutoff string) int {
	if published == "" {
		return undatedCutoff
	}
	n := min(len(published), len(cutoff))
	switch c := cmp.Compare(published[:n], cutoff[:n]); {
	case c > 0:
		return afterCutoff
	case c < 0 || n == len(cutoff):
		return beforeCutoff
	}
	return unclearCutoff
}

// cutoffs splits the tasks of each run whose model has a cutoff, if a task has a date.
func (r *Report) cutoffs() {
	dated := false
	for i := range r.Tasks {
		dated = dated || r.Tasks[i].Published != ""
	}
	for i := range r.Runs {
		if dated && r.Runs[i].Cutoff != "" {
			r.Cutoffs = append(r.Cutoffs, r.cutoff(i))
		}
	}
}

func (r *Report) cutoff(run int) Cutoff {
	c := Cutoff{Run: r.Runs[run].Name, Date: r.Runs[run].Cutoff}
	on := func(side int) func(*Task) bool {
		return func(t *Task) bool { return sideOf(t.Published, c.Date) == side }
	}
	c.Before, c.After = r.cell(run, on(beforeCutoff)), r.cell(run, on(afterCutoff))
	c.Undated, c.Unclear = r.cell(run, on(undatedCutoff)).N, r.cell(run, on(unclearCutoff)).N
	for m := range r.Metrics {
		var sides [2][]float64
		for _, at := range r.drawn {
			t := &r.Tasks[at]
			if side := sideOf(t.Published, c.Date); t.Runs[run].scored() && side <= afterCutoff {
				sides[side] = append(sides[side], float64(t.Runs[run].Metrics[m]))
			}
		}
		d, err := scoring.UnpairedDifference(sides[afterCutoff], sides[beforeCutoff])
		d.Interval.Low, d.Interval.High = max(d.Interval.Low, -1), min(d.Interval.High, 1) // of shares
		e := estimate(d, err)
		if err == nil && d.Method == "" {
			e.Method = "no interval: too few tasks, or all equal"
		}
		c.Differences = append(c.Differences, e)
	}
	return c
}
