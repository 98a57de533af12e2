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

	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// BenchmarkMillion sends a million samples through the real client, streams and workers, and a server in a
// separate process; only the judging is simulated. It reports samples per second, the disk space on the
// server for each sample, the memory of client and workers after a tenth and at the end, and the server's
// at these times.
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
	server := start(b, plan{Role: "server", Dir: dir, Listen: "127.0.0.1:0"}, "")
	defer server.kill()
	link := Link{URL: firstLine(b, server.out)}
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
	var early, late, serverEarly uint64
	var askers sync.WaitGroup
	for range c.Workers() {
		askers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if i == n/10 {
					atomic.StoreUint64(&early, inUse())
					atomic.StoreUint64(&serverEarly, resident(server.cmd.Process.Pid))
				}
				task := &tasks[i*len(tasks)/n]
				r, err := c.Judge(b.Context(), verdicts.Submission{Task: task, Code: code, Name: strconv.Itoa(i)})
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
	fatal.If(b, err)
	if wrong.Load() > 0 || stored != n || counts.Lost > 0 {
		b.Errorf("%d wrong, %d of %d stored, %d messages lost", wrong.Load(), stored, n, counts.Lost)
	}
	b.ReportMetric(float64(n)/took.Seconds(), "samples/s")
	b.ReportMetric(float64(info.State.Bytes)/float64(n), "disk-B/sample")
	b.ReportMetric(float64(counts.Samples)/float64(counts.Messages), "samples/message")
	b.ReportMetric(float64(atomic.LoadUint64(&early))/1e6, "MB-at-10%")
	b.ReportMetric(float64(late)/1e6, "MB-at-end")
	b.ReportMetric(float64(atomic.LoadUint64(&serverEarly))/1e6, "server-MB-at-10%")
	b.ReportMetric(float64(resident(server.cmd.Process.Pid))/1e6, "server-MB-at-end")
	for _, stop := range stops {
		stop()
	}
	start = time.Now()
	if err := c.Done(b.Context()); err != nil {
		b.Log(err)
	}
	b.ReportMetric(time.Since(start).Seconds(), "s-to-remove")
}

// BenchmarkStream stores results of two kilobytes from 64 concurrent publishers: the throughput of one
// stream that rejects duplicates.
func BenchmarkStream(b *testing.B) {
	server := start(b, plan{Role: "server", Dir: b.TempDir(), Listen: "127.0.0.1:0"}, "")
	defer server.kill()
	storeResults(b, firstLine(b, server.out))
}

// BenchmarkCluster does the same with three servers, which keep three replicas of each result.
func BenchmarkCluster(b *testing.B) {
	storeResults(b, startMembers(b, 3).url)
}

func storeResults(b *testing.B, url string) {
	c, err := dial(b.Context(), Link{URL: url})
	fatal.If(b, err)
	defer c.nc.Close()
	text := []byte(strings.Repeat("x", 2000))
	var next atomic.Int64
	var sides sync.WaitGroup
	b.ResetTimer()
	for range 64 {
		sides.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if first, err := c.publish(b.Context(), "run", fmt.Sprintf("%032x", i), text); err != nil || !first {
					b.Errorf("result %d: %v", i, err)
				}
			}
		})
	}
	sides.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "results/s")
}

// inUse is the size of reachable memory.
func inUse() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resident is the resident memory of a process; 0 if the system does not report it.
func resident(pid int) uint64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseUint(strings.Fields(string(text))[1], 10, 64)
	return pages * uint64(os.Getpagesize())
}
