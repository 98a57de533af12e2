package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/session"
	"assay/session/report"
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

// A filtered report is about the matching tasks alone: its tables have the rows of these tasks as the whole
// report has them, counts of a filter and of its opposite add up, and a check repeats it from the logs.
func TestFilter(t *testing.T) {
	logs := twoTesters(t, 1)
	tables := func(text string) (*Report, map[string][]string) {
		filter, err := benchmark.ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := FromLogs(logs, []string{"s0", "s1"}, Options{Filter: filter, Title: "A title"})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := r.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if page, err := os.ReadFile(filepath.Join(dir, "brief.html")); err != nil || !strings.Contains(string(page), text) {
				t.Errorf("the filter %s is not on the first page: %v", text, err)
			}
			read, _, err := CheckFiles(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			checks, err := read.CheckLogs(os.DirFS(dir), logs, false, "test")
			for _, c := range checks {
				if len(c.Faults) > 0 || err != nil {
					t.Errorf("%s: %v %v", text, c.Faults, err)
				}
			}
		}
		rows := map[string][]string{}
		for _, name := range []string{"tasks", "attempts", "ratings"} {
			file, err := os.ReadFile(filepath.Join(dir, report.DatasetFile(name)))
			if err != nil {
				t.Fatal(err)
			}
			rows[name] = strings.Split(strings.TrimSpace(string(file)), "\n")
		}
		return r, rows
	}
	none, err := benchmark.ParseFilter("type:none")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FromLogs(logs, []string{"s0", "s1"}, Options{Filter: none}); err == nil || !strings.Contains(err.Error(), "no task of the sessions matches the filter \"type:none\": ") {
		t.Error(err)
	}
	whole, all := tables("")
	some, part := tables("id:a,c")
	rest, other := tables("-id:a,c")
	for name := range all {
		if !slices.Equal(slices.Sorted(slices.Values(append(part[name], other[name][1:]...))), slices.Sorted(slices.Values(all[name]))) {
			t.Errorf("%s: filtered\n%s\nand\n%s\nare not the parts of\n%s", name, strings.Join(part[name], "\n"), strings.Join(other[name], "\n"), strings.Join(all[name], "\n"))
		}
	}
	if some.Tasks != 2 || rest.Tasks != 1 || some.Counts.Analysed+rest.Counts.Analysed != whole.Counts.Analysed {
		t.Errorf("%+v and %+v of %+v", some.Counts, rest.Counts, whole.Counts)
	}
}
