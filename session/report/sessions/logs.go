package sessions

import (
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/session"
	"assay/session/report"
)

// Logs is a store of sessions.
type Logs interface {
	Events(id string, fromSeq uint64) ([]session.Event, error)
	Blob(session.Ref) ([]byte, error)
	Sessions() ([]session.Summary, error)
	Verify(id string) (events, texts int, err error)
	Release() // frees memory of what was read
}

// manyLogs is the number of sessions from which a report needs noticeable memory.
const manyLogs = 20

// FromLogs builds the report of sessions, with the texts that the logs refer to. The logs must stay open
// until the report is written.
func FromLogs(logs Logs, ids []string, o Options) (*Report, error) {
	var read atomic.Int64
	o.Texts = func(ref session.Ref) ([]byte, error) {
		if read.Add(1)%2000 == 0 {
			logs.Release()
		}
		return logs.Blob(ref)
	}
	if len(ids) > manyLogs {
		debug.SetGCPercent(50) // a large study needs its memory once, not twice
	}
	b := NewBuilder(o)
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, id := range ids {
		all.Go(func() error {
			events, err := logs.Events(id, 1)
			if err != nil {
				return err
			}
			if err := b.Add(events); err != nil {
				return fmt.Errorf("session %s cannot be reported: %w; see 'assay session verify %s'", id, err, id)
			}
			if i%8 == 7 {
				logs.Release()
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	return b.Report()
}

// CheckLogs compares a report in a folder with logs, and, if all of its sessions are there, with the report
// that they give now: that finds differences which a check of the files alone cannot. blind reports whether
// the sessions' study is still blind.
func (r *Report) CheckLogs(dir fs.FS, logs Logs, blind bool, version string) ([]report.Check, error) {
	same, err := r.compareLogs(logs)
	if err != nil || len(same.Faults) > 0 || same.Compared < len(r.Sessions) {
		return []report.Check{same}, err
	}
	var ids []string
	for _, h := range r.Sessions {
		ids = append(ids, h.ID)
	}
	filter, err := benchmark.ParseFilter(r.Filter)
	if err != nil {
		return nil, fmt.Errorf("the report's filter: %w", err)
	}
	o := Options{Written: &r.Layout, Filter: filter, Title: r.Title, Blind: r.Blind || blind, Overlap: r.Overlap, NewTasks: r.Method.Scope == r.scope(true)}
	o.Price = r.price
	if file, err := fs.ReadFile(dir, report.DatasetMaterial("study.toml")); err == nil {
		lock, err := fs.ReadFile(dir, report.DatasetMaterial("study.lock.json"))
		if err != nil {
			return nil, fmt.Errorf("the report has a study without its lock: %w", err)
		}
		o.Study = &StudyFiles{file, lock, r.People.Places, r.People.Waiting}
	}
	now, err := FromLogs(logs, ids, o)
	if err != nil {
		return nil, err
	}
	anew, err := r.checkAnew(dir, now, version)
	if err != nil {
		return nil, err
	}
	return []report.Check{same, *anew}, nil
}

// BeforeUnblinding reports whether the report was written while the studies of all its sessions were blind.
func (r *Report) BeforeUnblinding() bool {
	return r.Blind && !slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Study.Unblinded != "" })
}

// price returns the prices that the report has for a session.
func (r *Report) price(s *session.State) *session.Price {
	i := slices.IndexFunc(r.Sessions, func(h Header) bool { return h.ID == s.Session })
	if i < 0 || r.Sessions[i].Account == nil || r.Sessions[i].Account.Cost == nil {
		return nil
	}
	return &r.Sessions[i].Account.Cost.Price
}

// compareLogs compares the report's sessions with the logs, which may have none of them.
func (r *Report) compareLogs(logs Logs) (report.Check, error) {
	c := report.Check{Name: "Logs in the store are those of the report", Faults: []string{}}
	rows, err := logs.Sessions()
	if err != nil {
		return c, err
	}
	known := map[string]bool{}
	for _, row := range rows {
		known[row.ID] = true
	}
	for _, h := range r.Sessions {
		if !known[h.ID] {
			continue
		}
		c.Compared++
		if _, _, err := logs.Verify(h.ID); err != nil {
			c.Faults = append(c.Faults, err.Error())
			continue
		}
		events, err := logs.Events(h.ID, 1)
		if err != nil {
			return c, err
		}
		if last := events[len(events)-1]; last.Seq != h.Events || last.Hash != h.Hash {
			c.Faults = append(c.Faults, fmt.Sprintf("session %s has %d events, sealed by %s; the report is of %d, sealed by %s", h.ID, last.Seq, last.Hash, h.Events, h.Hash))
		}
	}
	return c, nil
}
