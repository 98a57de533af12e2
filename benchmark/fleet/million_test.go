package fleet

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/benchmark/judge"
)

// BenchmarkMillion sends a million samples through the real client, streams and workers of
// one process; only the judging is made up. It reports samples a second, what a sample
// takes on the server's disk, and the memory in use after a tenth and at the end.
func BenchmarkMillion(b *testing.B) {
	n := 1_000_000
	if text := os.Getenv("ASSAY_FLEET_SAMPLES"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	for range b.N {
		simulate(b, n)
	}
}

func simulate(b *testing.B, n int) {
	dir := b.TempDir()
	s, err := StartServer(ServerOptions{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	link := Link{Server: s}
	tasks := fakeTasks(164)
	var stops []func()
	for i := range 4 {
		_, stop := startWorker(b, link, WorkerOptions{Judge: &fake{workers: 8}, Card: pythonCard(fmt.Sprint("w", i))})
		stops = append(stops, stop)
	}
	c := startClient(b, link, tasks, func(o *ClientOptions) { o.Run = "million" })
	code := strings.Repeat("    x = 1\n", 40) // as long as an answer to HumanEval
	start := time.Now()
	var next, wrong atomic.Int64
	var early, late uint64
	var askers sync.WaitGroup
	for range c.Workers() {
		askers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if i == n/10 {
					atomic.StoreUint64(&early, inUse())
				}
				task := &tasks[i*len(tasks)/n]
				r, err := c.Judge(b.Context(), judge.Submission{Task: task, Code: code, Name: strconv.Itoa(i)})
				if err != nil || r.Verdict != fakeResult(task, code).Verdict {
					wrong.Add(1)
				}
			}
		})
	}
	askers.Wait()
	took := time.Since(start)
	late = inUse()
	counts := c.Counts()
	stored := results(b, c.connection)
	info, err := c.results.Info(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if wrong.Load() > 0 || stored != n || counts.Lost > 0 {
		b.Errorf("%d wrong, %d of %d stored, %d messages lost", wrong.Load(), stored, n, counts.Lost)
	}
	b.ReportMetric(float64(n)/took.Seconds(), "samples/s")
	b.ReportMetric(float64(info.State.Bytes)/float64(n), "disk-B/sample")
	b.ReportMetric(float64(counts.Samples)/float64(counts.Messages), "samples/message")
	b.ReportMetric(float64(atomic.LoadUint64(&early))/1e6, "MB-at-10%")
	b.ReportMetric(float64(late)/1e6, "MB-at-end")
	b.ReportMetric(float64(resident())/1e6, "RSS-MB")
	for _, stop := range stops {
		stop()
	}
	if err := c.Done(b.Context()); err != nil {
		b.Error(err)
	}
	b.ReportMetric(float64(inUse())/1e6, "MB-after-Done")
}

// inUse is the memory that is reachable.
func inUse() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resident is the memory of this process as the system counts it; 0 where it does not say.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
