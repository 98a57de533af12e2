package serve

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync/atomic"
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

// Write writes the counts, and what the process uses, in Prometheus' text format.
func (c *Counts) Write(w io.Writer) error {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	for _, m := range []struct {
		name, kind, help string
		value            int64
	}{
		{"assay_programs_open", "gauge", "Screens that are open.", c.Open.Load()},
		{"assay_connections_open", "gauge", "Connections, with those that have not signed in.", c.Connections.Load()},
		{"assay_connections_refused_total", "counter", "Connections that were refused or did not sign in.", c.Refused.Load()},
		{"assay_codes_wrong_total", "counter", "Invitation codes that were wrong or tried too often.", c.WrongCodes.Load()},
		{"assay_requests_denied_total", "counter", "Requests for shells, commands, forwarding and the like.", c.Denied.Load()},
		{"assay_programs_taken_over_total", "counter", "Screens that were left for another connection of the same guest.", c.TakenOver.Load()},
		{"assay_goroutines", "gauge", "Goroutines.", int64(runtime.NumGoroutine())},
		{"assay_heap_bytes", "gauge", "Memory in use.", int64(memory.HeapAlloc)},
	} {
		if _, err := fmt.Fprintf(w, "# HELP %s %s\n# TYPE %[1]s %s\n%[1]s %[4]d\n", m.name, m.help, m.kind, m.value); err != nil {
			return fmt.Errorf("writing metrics: %w", err)
		}
	}
	return nil
}

// ServeHTTP answers with the counts.
func (c *Counts) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = c.Write(w) // who asked has gone
}
