package analyser

import (
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"assay/scoring/quality"
)

// Recorded are the findings that programs made elsewhere, of any files.
type Recorded struct {
	runs []recordedRun
	used atomic.Int64 // findings that a file was asked for
}

// recordedRun is one program's run.
type recordedRun struct {
	title    string
	analysed []quality.Dimension
	of       map[string][]recordedFinding // by the last element of the file's path
}

type recordedFinding struct {
	path string
	quality.Finding
}

func (r *recordedRun) add(file string, f quality.Finding) {
	r.of[path.Base(file)] = append(r.of[path.Base(file)], recordedFinding{file, f})
}

// Of returns the results of each program for a file: the findings whose paths end in its own.
func (r *Recorded) Of(file string) []Result {
	var all []Result
	for _, run := range r.runs {
		result := Result{Analyser: run.title, Analysed: run.analysed}
		for _, f := range run.of[path.Base(file)] {
			if f.path == file || strings.HasSuffix(f.path, "/"+file) {
				result.Findings = append(result.Findings, f.Finding)
			}
		}
		r.used.Add(int64(len(result.Findings)))
		all = append(all, result)
	}
	return all
}

// Unused reports whether there are findings, and none was of a file that was asked for.
func (r *Recorded) Unused() bool {
	return r.used.Load() == 0 && slices.ContainsFunc(r.runs, func(run recordedRun) bool { return len(run.of) > 0 })
}
