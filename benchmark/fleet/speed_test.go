package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// humanEval are the tasks and their canonical solutions, each ten times.
func humanEval(t testing.TB) ([]benchmark.Task, []verdicts.Submission) {
	t.Helper()
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		t.Skip("the tasks are not part of the project: set ASSAY_SHARED to the directory that has datasets/ and samples/")
	}
	tasks, err := humanEvalTasks(shared)
	fatal.If(t, err)
	b := &benchmark.Benchmark{Tasks: tasks}
	samples, err := format.OpenSamplesAs(filepath.Join(shared, "samples", "humaneval_canonical_x10.jsonl"), "", b)
	fatal.If(t, err)
	defer samples.Close()
	var list []verdicts.Submission
	for {
		s, err := samples.Next()
		if err != nil {
			return b.Tasks, list
		}
		task, err := b.Task(s.TaskID)
		fatal.If(t, err)
		list = append(list, verdicts.Submission{Task: task, Code: s.Text, Assembly: s.Kind.Assembly(), Name: fmt.Sprint(len(list))})
	}
}

func humanEvalTasks(shared string) ([]benchmark.Task, error) {
	b, _, err := format.LoadAs(filepath.Join(shared, "datasets", "HumanEval.jsonl.gz"), "")
	if err != nil {
		return nil, err
	}
	return b.Tasks, nil
}

// judgeAll requests all verdicts, as many concurrently as the judge wants, and returns them.
func judgeAll(t testing.TB, j verdicts.Judge, list []verdicts.Submission) ([]verdicts.Verdict, time.Duration) {
	t.Helper()
	start := time.Now()
	next := make(chan int)
	verdicts := make([]verdicts.Verdict, len(list))
	var askers sync.WaitGroup
	for range min(j.Workers(), len(list)) {
		askers.Go(func() {
			for i := range next {
				r, err := j.Judge(context.Background(), list[i])
				if err != nil {
					t.Error(err)
				}
				verdicts[i] = r.Verdict
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	askers.Wait()
	return verdicts, time.Since(start)
}

// BenchmarkEmbedded judges the same samples directly and through a server in this process, alternately, and
// reports the ratio of the times: the overhead on one machine.
func BenchmarkEmbedded(b *testing.B) {
	tasks, list := humanEval(b)
	j, err := judge.New(judge.Options{})
	if err != nil {
		b.Skip("no sandbox here: ", err)
	}
	defer j.Close()
	link := Link{Server: startServer(b, b.TempDir(), "")}
	card := pythonCard("here")
	startWorker(b, link, WorkerOptions{Judge: j, Card: card})
	judgeAll(b, j, list) // the checkers know the tasks then
	var direct, way []float64
	for i := range 2 * b.N {
		if i%4 == 0 || i%4 == 3 { // each goes first as often as the other
			_, took := judgeAll(b, j, list)
			direct = append(direct, took.Seconds())
			continue
		}
		c := startClient(b, link, tasks, func(o *ClientOptions) { o.Window = 100 + 4*runtime.NumCPU() })
		_, took := judgeAll(b, c, list)
		way = append(way, took.Seconds())
		if info, err := c.results.Info(b.Context()); err == nil {
			b.ReportMetric(float64(info.State.Bytes)/float64(info.State.Msgs), "disk-B/result")
		}
		c.Close()
	}
	slices.Sort(direct)
	slices.Sort(way)
	b.ReportMetric(float64(len(list))/mean(direct), "direct/s")
	b.ReportMetric(float64(len(list))/mean(way), "embedded/s")
	b.ReportMetric(mean(way)/mean(direct), "ratio")
	b.ReportMetric(way[len(way)/2]/direct[len(direct)/2], "ratio-of-medians")
	b.ReportMetric(way[0]/direct[0], "ratio-of-fastest")
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}
