package judge

import "assay/benchmark/verdicts"

// reach reports that the test case with that index, from 1, starts, and how earlier ones ended.
func (r *run) reach(index, total int, ended ...caseReport) {
	if index <= 0 || index > total {
		return
	}
	p := verdicts.Progress{Done: index - 1, Total: total}
	for _, c := range ended {
		p.Ended = append(p.Ended, r.caseResult(c))
	}
	verdicts.Reached(r.ctx, p)
}
