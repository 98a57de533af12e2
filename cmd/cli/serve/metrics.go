package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"assay/cmd/cli/console"
	"assay/session"
	"assay/session/engine"
	"assay/tui/serve"
)

// servedCounts counts what a server has done for its testers.
type servedCounts struct {
	requests  atomic.Int64 // to models
	committed atomic.Int64 // events
	refused   atomic.Int64 // commits
	commits   serve.Histogram
}

// timedStore measures how long commits take.
type timedStore struct {
	engine.Store
	counts *servedCounts
}

// Append implements engine.Store.
func (t timedStore) Append(ctx context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error) {
	began := time.Now()
	sealed, err := t.Store.Append(ctx, id, events, texts)
	if err != nil {
		t.counts.refused.Add(1)
		return sealed, err
	}
	t.counts.commits.Add(time.Since(began))
	t.counts.committed.Add(int64(len(sealed)))
	return sealed, nil
}

// metrics returns the metrics about testers.
func (s *served) metrics() []serve.Metric {
	return []serve.Metric{
		{Name: "assay_executions_running", Kind: "gauge", Help: "Answers whose code is being run.", Value: int64(s.judges.Taken())},
		{Name: "assay_executions_waiting", Kind: "gauge", Help: "Answers whose code waits for its turn.", Value: int64(s.judges.Waiting())},
		{Name: "assay_model_requests_running", Kind: "gauge", Help: "Requests that models are answering.", Value: int64(s.models.Taken())},
		{Name: "assay_model_requests_waiting", Kind: "gauge", Help: "Requests that wait for their turn.", Value: int64(s.models.Waiting())},
		{Name: "assay_model_requests_total", Kind: "counter", Help: "Requests to models.", Value: s.counts.requests.Load()},
		{Name: "assay_events_committed_total", Kind: "counter", Help: "Events in the sessions' logs.", Value: s.counts.committed.Load()},
		{Name: "assay_commits_refused_total", Kind: "counter", Help: "Commits that the store did not take.", Value: s.counts.refused.Load()},
	}
}

// done returns metrics about what the study's testers have done so far, none of which tells arms apart.
func (s *served) done() ([]serve.Metric, error) {
	rows, err := s.sessions()
	if err != nil {
		return nil, err
	}
	var finished, planned, done, skipped, answers int
	for _, row := range rows {
		if row.Status == session.StatusFinished {
			finished++
		}
		planned, done, skipped, answers = planned+row.Tasks, done+row.Done, skipped+row.Skipped, answers+row.Answers
	}
	gauge := func(name, help string, n int) serve.Metric {
		return serve.Metric{Name: "assay_study_" + name, Kind: "gauge", Help: help, Value: int64(n)}
	}
	return []serve.Metric{
		gauge("sessions_begun", "Sessions of the study.", len(rows)),
		gauge("sessions_finished", "Sessions of the study whose tasks are all closed.", finished),
		gauge("tasks_planned", "Tasks in the plans of the sessions begun, without practice.", planned),
		gauge("tasks_done", "Tasks closed with a result.", done),
		gauge("tasks_skipped", "Tasks closed without a result.", skipped),
		gauge("answers", "Complete answers of models.", answers),
	}, nil
}

// metrics writes all metrics.
func (s *service) metrics(w io.Writer, server *serve.Server) error {
	list := server.Counts.Metrics()
	var unread error
	if s.study != nil {
		var done []serve.Metric
		done, unread = s.study.done()
		list = append(append(list, s.study.metrics()...), done...)
	}
	if s.ratings != nil {
		list = append(list, serve.Metric{Name: "assay_rating_screens_open", Kind: "gauge", Help: "Raters at their forms.", Value: s.ratings.Open.Load()})
	}
	if s.estimates != nil {
		list = append(list, serve.Metric{Name: "assay_estimate_screens_open", Kind: "gauge", Help: "Estimators at their forms.", Value: s.estimates.Open.Load()})
	}
	err := errors.Join(unread, serve.WriteMetrics(w, append(list, serve.ProcessMetrics()...)))
	if s.study != nil {
		err = errors.Join(err, s.study.counts.commits.Write(w, "assay_commit_seconds", "How long events took until they were on disk."))
	}
	return err
}

// serveMetrics serves the server's metrics, on the loopback interface only, since they reveal who is
// connected.
func (s *service) serveMetrics(address string, server *serve.Server) (end func(), err error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, console.Usagef("--metrics takes a loopback address, such as 127.0.0.1:9222, not %q", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("metrics cannot be served at %s: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", serve.Answer(func(w io.Writer) error { return s.metrics(w, server) }))
	answers := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go answers.Serve(listener)
	return func() { answers.Close() }, nil
}
