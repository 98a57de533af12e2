package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Counts are what happened since the server began.
type Counts struct {
	Open        atomic.Int64 // programs
	Connections atomic.Int64 // open
	Refused     atomic.Int64 // connections
	WrongCodes  atomic.Int64
	Denied      atomic.Int64 // requests that nobody may make
	TakenOver   atomic.Int64 // programs, by another connection of their guest
}

// Metric is one number for who watches over a server.
type Metric struct {
	Name, Kind, Help string
	Value            int64
}

// Metrics returns the counts.
func (c *Counts) Metrics() []Metric {
	return []Metric{
		{"assay_programs_open", "gauge", "Screens that are open.", c.Open.Load()},
		{"assay_connections_open", "gauge", "Connections, with those that have not signed in.", c.Connections.Load()},
		{"assay_connections_refused_total", "counter", "Connections that were refused or did not sign in.", c.Refused.Load()},
		{"assay_codes_wrong_total", "counter", "Invitation codes that were wrong or tried too often.", c.WrongCodes.Load()},
		{"assay_requests_denied_total", "counter", "Requests for shells, commands, forwarding and the like.", c.Denied.Load()},
		{"assay_programs_taken_over_total", "counter", "Screens that were left for another connection of the same guest.", c.TakenOver.Load()},
	}
}

// ProcessMetrics returns what this process uses.
func ProcessMetrics() []Metric {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	list := []Metric{
		{"assay_goroutines", "gauge", "Goroutines.", int64(runtime.NumGoroutine())},
		{"assay_heap_bytes", "gauge", "Memory in use by assay's own data.", int64(memory.HeapAlloc)},
	}
	if bytes, ok := resident(); ok {
		list = append(list, Metric{"assay_resident_bytes", "gauge", "Memory of the process, without the boxes in which code runs.", bytes})
	}
	return list
}

// resident returns the memory of this process, where the system tells it.
func resident() (bytes int64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// Histogram counts how long something took. Its zero value is ready to use, and it is safe
// for concurrent use.
type Histogram struct {
	below [11]atomic.Int64 // by bound, and the last one for what took longer
	sum   atomic.Int64     // nanoseconds
}

// bounds returns the upper bounds of a histogram's counts.
func bounds() [10]time.Duration {
	const ms = time.Millisecond
	return [10]time.Duration{ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms, 50 * ms, 100 * ms, 250 * ms, time.Second, 5 * time.Second}
}

// Add counts one.
func (h *Histogram) Add(took time.Duration) {
	i := 0
	for _, bound := range bounds() {
		if took <= bound {
			break
		}
		i++
	}
	h.below[i].Add(1)
	h.sum.Add(int64(took))
}

// Write writes it in Prometheus' text format.
func (h *Histogram) Write(w io.Writer, name, help string) error {
	_, err := fmt.Fprintf(w, "# HELP %s %s\n# TYPE %[1]s histogram\n", name, help)
	n := int64(0)
	for i, bound := range bounds() {
		n += h.below[i].Load()
		_, more := fmt.Fprintf(w, "%s_bucket{le=\"%g\"} %d\n", name, bound.Seconds(), n)
		err = errors.Join(err, more)
	}
	n += h.below[len(h.below)-1].Load()
	_, more := fmt.Fprintf(w, "%s_bucket{le=\"+Inf\"} %d\n%[1]s_sum %[3]g\n%[1]s_count %[2]d\n", name, n, time.Duration(h.sum.Load()).Seconds())
	return errors.Join(err, more)
}

// WriteMetrics writes metrics in Prometheus' text format.
func WriteMetrics(w io.Writer, list []Metric) error {
	for _, m := range list {
		if _, err := fmt.Fprintf(w, "# HELP %s %s\n# TYPE %[1]s %s\n%[1]s %[4]d\n", m.Name, m.Help, m.Kind, m.Value); err != nil {
			return fmt.Errorf("writing metrics: %w", err)
		}
	}
	return nil
}

// Answer answers with what write writes.
func Answer(write func(io.Writer) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = write(w) // who asked has gone
	})
}
