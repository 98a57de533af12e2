//go:build unix

package generate

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session/llm"
)

const serverVariable = "ASSAY_GENERATE_TEST_SERVER"

// TestInstantServer runs as a separate process, a server that answers at once, so that only assay's own
// work is measured.
func TestInstantServer(t *testing.T) {
	if os.Getenv(serverVariable) == "" {
		t.Skip("run by BenchmarkThroughput")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	fmt.Printf("http://%s\n", l.Addr())
	answer := []byte("data: {\"choices\":[{\"delta\":{\"content\":\"```python\\ndef f(x):\\n    return x + 1\\n```\\n" + strings.Repeat("It adds one. ", 60) + "\"}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":30,\"completion_tokens\":200}}\n\ndata: [DONE]\n\n")
	go func() { // ends with its parent
		bufio.NewReader(os.Stdin).ReadByte()
		os.Exit(0)
	}()
	t.Fatal(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write(answer)
	})))
}

// BenchmarkThroughput generates 10,000 and 100,000 answers of 800 characters from an instant server: the
// CPU time for each answer, and the additional memory for ten times as many.
func BenchmarkThroughput(b *testing.B) {
	url := instantServer(b)
	peak := map[int]float64{}
	for _, cells := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(cells), func(b *testing.B) {
			for range b.N {
				o := Options{Plan: Plan{Benchmark: benchmarkOf(1000), Models: []llm.Model{{Name: "m", Provider: llm.ProviderOpenAI, BaseURL: url + "/v1", Model: "m"}},
					Prompts: wordings("level-1"), N: cells / 1000}, Dir: b.TempDir() + "/run", Deps: llm.Deps{Getenv: func(string) string { return "" }}}
				r, err := Open(o)
				fatal.If(b, err)
				over := make(chan struct{})
				heap := make(chan uint64)
				go func() { heap <- largestHeap(over) }()
				before, began := processorTime(b), time.Now()
				fatal.If(b, r.Generate(b.Context()))
				used, took := processorTime(b)-before, time.Since(began)
				close(over)
				peak[cells] = float64(<-heap)
				if s := r.Summary(); !s.Complete() {
					b.Fatalf("%+v", s)
				}
				fatal.If(b, r.Close())
				b.ReportMetric(float64(used.Microseconds())/float64(cells), "cpu-µs/answer")
				b.ReportMetric(float64(cells)/took.Seconds(), "answers/s")
				b.ReportMetric(peak[cells]/1e6, "peak-MB")
				if peak[10_000] > 0 {
					b.ReportMetric(peak[cells]/peak[10_000], "memory-ratio")
				}
			}
		})
	}
}

func instantServer(b *testing.B) string {
	cmd := exec.Command(os.Args[0], "-test.run=^TestInstantServer$")
	cmd.Env = append(os.Environ(), serverVariable+"=1")
	in, err := cmd.StdinPipe()
	fatal.If(b, err)
	out, err := cmd.StdoutPipe()
	fatal.If(b, err)
	fatal.If(b, cmd.Start())
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	fatal.If(b, err)
	return strings.TrimSpace(url)
}

// largestHeap returns the largest heap in use, sampled every 100 ms until over is closed.
func largestHeap(over <-chan struct{}) uint64 {
	most := uint64(0)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
		select {
		case <-tick.C:
		case <-over:
			return most
		}
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	fatal.If(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
