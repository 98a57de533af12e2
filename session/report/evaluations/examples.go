package evaluations

import (
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/session/report"
)

// mostShown is the number of samples of one task that an example shows.
const mostShown = 10

// The kinds of examples, in the order of Yeo et al., table 4: those that pass@k distinguishes, and one that only
// pass-ratio@n does.
const (
	allPass    = "all pass"
	somePass   = "some pass"
	nonePasses = "none passes"
)

// examples returns for each run the first task of which all samples pass, the first of which some do, and the
// first of which none does: if possible one that passed some test cases, where pass-ratio@n shows more than pass@k.
func (r *Report) examples() {
	for run := range r.Runs {
		found := map[string]int{}
		close := false
		for i := range r.Tasks {
			result := &r.Tasks[i].Runs[run]
			if !result.scored() {
				continue
			}
			kind := somePass
			switch result.Accepted {
			case result.N:
				kind = allPass
			case 0:
				kind = nonePasses
			}
			_, known := found[kind]
			nearly := kind == nonePasses && result.Metrics[r.ratioAt()] > 0
			if !known || nearly && !close {
				found[kind] = i
				close = close || nearly
			}
		}
		for _, kind := range []string{allPass, somePass, nonePasses} {
			if task, is := found[kind]; is {
				r.Samples = append(r.Samples, r.example(run, task, kind))
			}
		}
	}
}

func (r *Report) example(run, task int, kind string) Example {
	result := &r.Tasks[task].Runs[run]
	e := Example{Run: r.Runs[run].Name, Task: r.Tasks[task].ID, Kind: kind, PassRatio: result.Metrics[r.ratioAt()], PassAtK: []report.Number{}}
	for _, row := range r.given[run].of[task] {
		switch {
		case row.Verdict == verdicts.NotJudged:
		case len(e.Solutions) == mostShown:
			e.More++
		default:
			e.Solutions = append(e.Solutions, Solution{row.PassedTests, row.TotalTests, string(row.Verdict)})
		}
	}
	for k := 1; k <= min(result.N, mostShown); k++ {
		v, err := scoring.PassAtK(result.N, result.Accepted, k)
		if err != nil {
			v = float64(undefined())
		}
		e.PassAtK = append(e.PassAtK, report.Number(v))
	}
	return e
}
