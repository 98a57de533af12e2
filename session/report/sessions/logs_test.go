package sessions

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/session"
	"assay/session/simulate"
)

// memory keeps logs for a test.
type memory struct {
	logs  map[string][]session.Event
	texts map[session.Ref][]byte
}

func (m memory) Events(id string, _ uint64) ([]session.Event, error) { return m.logs[id], nil }
func (m memory) Blob(ref session.Ref) ([]byte, error)                { return m.texts[ref], nil }
func (m memory) Verify(id string) (int, int, error)                  { return len(m.logs[id]), 0, nil }
func (m memory) Release()                                            {}
func (m memory) Sessions() (rows []session.Summary, err error) {
	for id := range m.logs {
		rows = append(rows, session.Summary{ID: id})
	}
	return rows, nil
}

// twoTesters returns the sessions of two testers.
func twoTesters(t *testing.T, seed uint64) memory {
	m := memory{map[string][]session.Event{}, map[session.Ref][]byte{}}
	for i, name := range []string{"ann", "bob"} {
		plan := session.Plan{Benchmark: "b", K: 2, Context: session.Fresh, Tester: name, Attributes: session.MiahZhuAttributes(),
			Model: session.Model{Name: "m"}, Tasks: []session.PlanTask{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
		s := simulate.Session{ID: fmt.Sprint("s", i), Plan: plan, Seed: seed + uint64(i)}
		events, texts, err := s.Log()
		if err != nil {
			t.Fatal(err)
		}
		m.logs[s.ID] = events
		for ref, text := range texts {
			m.texts[ref] = text
		}
	}
	return m
}

// A written report equals the one that its logs give, with whatever options it was made; other logs are
// noticed, and a store without the sessions says nothing.
func TestCheckLogs(t *testing.T) {
	logs := twoTesters(t, 1)
	for name, o := range map[string]Options{"plain": {}, "all options": {Title: "A title", NewTasks: true, Blind: true}} {
		r, err := FromLogs(logs, []string{"s0", "s1"}, o)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := r.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		read, _, err := CheckFiles(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		for store, want := range map[string]struct {
			logs   memory
			checks int
			faults bool
		}{
			"the same logs": {logs, 2, false}, "other logs": {twoTesters(t, 7), 1, true}, "no logs": {memory{}, 1, false},
		} {
			checks, err := read.CheckLogs(os.DirFS(dir), want.logs, false, "test")
			var faults []string
			for _, c := range checks {
				faults = append(faults, c.Faults...)
			}
			if err != nil || len(checks) != want.checks || (len(faults) > 0) != want.faults {
				t.Errorf("%s, %s: %d checks, %v, %s", name, store, len(checks), err, strings.Join(faults, "\n"))
			}
		}
	}
}
