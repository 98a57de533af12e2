package run

import (
	"bytes"
	"strings"
	"testing"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/scoring"
	"assay/session/pipeline"
)

// Each k in a batch file has its column; if a task has too few answers for it, the column says so. Answers
// without code are counted.
func TestABatchPrintsItsKs(t *testing.T) {
	var out bytes.Buffer
	one, err := scoring.PassAtKValue(5, 3, 1)
	fatal.If(t, err)
	m, err := scoring.MeanOverTasks([]scoring.TaskValue{one, one, one})
	fatal.If(t, err)
	printBatch(&console.IO{Out: &out}, &pipeline.Outcome{Runs: []pipeline.Run{{Model: "m", Prompt: "level-1", Summary: &batch.Summary{
		Samples: 15, Accepted: 9, Scored: 3, NoCode: 2, Metrics: []batch.SummaryMetric{
			{SampleMetric: scoring.SampleMetric{Kind: scoring.PassAt, K: 1}, Metric: &m}, {SampleMetric: scoring.SampleMetric{Kind: scoring.PassAll, K: 10}}}}}}})
	for _, want := range []string{"pass@1", "pass^10", "0.60", "withheld: a task has fewer answers than k", "No code was found in 2 answers", "tasks like these"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, &out)
		}
	}
}
