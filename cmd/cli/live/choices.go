package live

import (
	"assay/cmd/cli/inputs"
	"assay/store"
	"assay/tui/setup"
	"context"
	"maps"
	"math/rand/v2"
	"net/url"
	"time"
)

// Choices returns the choices for a new session.
func (l *Library) Choices(ctx context.Context) (setup.Choices, error) {
	if err := l.Ready(); err != nil {
		return setup.Choices{}, err
	}
	l.files.Lock()
	c := setup.Choices{Benchmarks: l.benchmarks, Seed: uint64(rand.Uint32()), Load: l.load, Files: maps.Clone(l.paths), Recent: l.recent.list()}
	l.files.Unlock()
	rows, err := l.Store.Sessions()
	if err != nil {
		return c, err
	}
	answered := l.answeredModels(rows)
	for _, m := range l.known().List() {
		ready, why := m.Ready(l.deps())
		c.Models = append(c.Models, setup.ModelChoice{Model: inputs.Describe(m), Ready: ready, Why: why, Where: host(m.BaseURL), Answered: answered[m.Name]})
	}
	c.Pace = l.pace(rows)
	c.Isolation, c.Isolated = l.exec.Describe(ctx)
	return c, nil
}

// answeredModels returns the models that have answered in sessions, without those of blind studies, and those that have
// answered a check since the program was started.
func (l *Library) answeredModels(rows []store.Summary) map[string]bool {
	answered := map[string]bool{}
	l.checked.Range(func(name, _ any) bool {
		answered[name.(string)] = true
		return true
	})
	for _, r := range rows {
		if r.Answers > 0 && !r.Imported && (r.Study == nil || !r.Study.Blind) {
			answered[r.Model] = true
		}
	}
	return answered
}

// pace returns the average time of a task in the finished sessions of the store. It ignores sessions with
// recorded answers and imported ones, which say nothing about the next one here.
func (l *Library) pace(rows []store.Summary) time.Duration {
	var worked, tasks int64
	for _, r := range rows {
		m, err := l.known().Get(r.Model)
		if r.Status != store.StatusFinished || r.Imported || r.Automatic != "" || r.Done == 0 || err != nil || inputs.Describe(m).Recorded {
			continue
		}
		worked, tasks = worked+r.WorkedMS, tasks+int64(r.Done)
	}
	if tasks == 0 {
		return 0
	}
	return time.Duration(worked/tasks) * time.Millisecond
}

// host returns the host of a URL, "" if there is none.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
