//go:build unix

package batch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
)

// processorTime is what this process has used until now.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCoordinator evaluates HumanEval's solutions, each ten times, with verdicts that cost
// nothing, a thousand at a time as a fleet does by default: what is left is what a coordinator does. The measures are made by itself, come from
// workers, or are not wanted. Measure is what a worker does for them. All is processor time.
func BenchmarkCoordinator(b *testing.B) {
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		b.Skip("the tasks are not part of the project: set ASSAY_SHARED to the directory that has datasets/ and samples/")
	}
	known, _, err := format.LoadAs(filepath.Join(shared, "datasets", "HumanEval.jsonl.gz"), "")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(shared, "samples", "humaneval_canonical_x10.jsonl")
	brought := map[string]json.RawMessage{}
	programs := map[string]*benchmark.Task{}
	bring := func(s verdicts.Submission) json.RawMessage { return brought[s.Task.ID] }
	for i := range known.Tasks {
		task := &known.Tasks[i]
		programs[task.Reference], brought[task.ID] = task, MeasureAsJSON(task, task.Reference, assemble.Completion)
	}
	for _, x := range []struct {
		name string
		o    Options
	}{
		{"MeasuresHere", Options{Judge: &farJudge{workers: 1000, measures: func(verdicts.Submission) json.RawMessage { return nil }}}},
		{"MeasuresOfWorkers", Options{Judge: &farJudge{workers: 1000, measures: bring}}},
		{"RunOnly", Options{Judge: &farJudge{workers: 1000, measures: bring}, NoMeasures: true}},
	} {
		b.Run(x.name, func(b *testing.B) {
			x.o.Samples, x.o.Benchmark = path, known
			n, before := 0, processorTime(b)
			for i := range b.N {
				x.o.Out = filepath.Join(b.TempDir(), fmt.Sprint(i))
				s, err := Eval(b.Context(), x.o)
				if err != nil {
					b.Fatal(err)
				}
				n += s.Samples
			}
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(n), "cpu-µs/sample")
		})
	}
	b.Run("Measure", func(b *testing.B) {
		n, before := 0, processorTime(b)
		for range b.N {
			for program, task := range programs {
				MeasureAsJSON(task, program, assemble.Completion)
				n++
			}
		}
		b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(n), "cpu-µs/sample")
	})
}
