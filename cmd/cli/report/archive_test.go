package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/report/sessions"
	"assay/session/simulate"
	"assay/store"
	"assay/tui/results"
)

// openArchive is an archive of one session with a number of tasks, three attempts each.
func openArchive(t testing.TB, number int) Archive {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(filepath.Join(dir, "assay.db"), store.Options{})
	fatal.If(t, err)
	t.Cleanup(func() { _ = s.Close() })
	b := benchmark.Benchmark{Name: "b"}
	for i := range number {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("t%d", i), Title: "T", Language: "python", Description: "Do it.", Difficulty: benchmark.Difficulties[i%3]})
	}
	plan, tasks, err := session.Choice{Benchmark: &b, K: 3, Model: session.Model{Name: "m", Provider: "openai"}}.Plan()
	fatal.If(t, err)
	events, texts, err := simulate.Session{ID: "S1", Plan: plan, Wall: 1_772_000_000_000, Hopeless: true,
		Answer: func(task, n int) string { return fmt.Sprintf("answer %d to task %d", n, task) }}.Log(tasks...)
	fatal.If(t, err)
	if _, err := s.Append(t.Context(), "S1", events, texts); err != nil {
		t.Fatal(err)
	}
	return Archive{Kept: s, Dir: dir, Getenv: func(string) string { return "" }}
}

// The browser receives the contents of the store and of the report.
func TestArchive(t *testing.T) {
	a := openArchive(t, 4)
	list, err := a.Sessions(t.Context())
	if err != nil || len(list) != 1 || list[0].Status != "finished" || list[0].Done != 4 || list[0].Tasks != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	opened, err := a.Open(t.Context(), "S1")
	fatal.If(t, err)
	r, err := build(a.Kept, []string{"S1"}, Flags{Blind: true}, benchmark.Filter{})
	if err != nil || opened.Report.Tries.Mean.Value != r.Tries.Mean.Value || opened.Report.Times.Completion.Mean.Value != r.Times.Completion.Mean.Value {
		t.Errorf("%+v, %v", opened.Report.Tries.Mean, err)
	}
	if text, err := opened.Source.Text(opened.State.Tasks[2].Attempts[1].Answer.Answer); err != nil || text != "answer 2 to task 2" {
		t.Errorf("%q, %v", text, err)
	}
	if task := opened.Source.Task(3); task.ID != opened.State.Plan.Tasks[3].ID || task.Description != "Do it." {
		t.Errorf("%+v", task)
	}
	path, err := a.WriteReport(t.Context(), "S1")
	if err != nil || path != filepath.Join(a.Dir, "reports", "S1", "report.html") {
		t.Errorf("%s, %v", path, err)
	}
	if _, err := a.Open(t.Context(), "S2"); err == nil || !strings.Contains(err.Error(), "S2") {
		t.Errorf("%v", err)
	}
}

func jsonOf(t *testing.T, r *sessions.Report) string {
	t.Helper()
	var b strings.Builder
	fatal.If(t, r.JSON(&b))
	return b.String()
}

// A filter chooses the tasks of a session that is opened, in numbers and list.
func TestArchiveFilter(t *testing.T) {
	a := openArchive(t, 4)
	whole, err := a.Open(t.Context(), "S1")
	fatal.If(t, err)
	first := whole.State.Plan.Tasks[1].ID
	a.Filter, err = benchmark.ParseFilter("-id:" + first)
	fatal.If(t, err)
	opened, err := a.Open(t.Context(), "S1")
	if err != nil || !slices.Equal(opened.Matches, []bool{true, false, true, true}) || opened.Report.Counts.Analysed != 3 || opened.Report.Filter != "-id:"+first {
		t.Fatalf("%v, %+v, %v", opened.Matches, opened.Report, err)
	}
	plain := a
	plain.Filter = benchmark.Filter{}
	typed, err := plain.Filtered(a.Filter).Open(t.Context(), "S1") // as on the screen
	if err != nil || jsonOf(t, typed.Report) != jsonOf(t, opened.Report) {
		t.Errorf("a filter that is typed gives another report: %v", err)
	}
	if b, err := plain.Tasks(t.Context(), "S1"); err != nil || len(b.Tasks) != 4 || b.Tasks[1].ID != first || b.Tasks[1].Description == "" {
		t.Errorf("%v, %+v", err, b)
	}
	a.Filter, err = benchmark.ParseFilter("type:none")
	fatal.If(t, err)
	if _, err := a.Open(t.Context(), "S1"); err == nil || !strings.Contains(err.Error(), `matches the filter "type:none"`) {
		t.Error(err)
	}
}

// The time for opening a session of 100 tasks with 3 attempts each.
func BenchmarkArchive(b *testing.B) {
	a := openArchive(b, 100)
	for b.Loop() {
		if _, err := a.Open(b.Context(), "S1"); err != nil {
			b.Fatal(err)
		}
	}
}

var _ results.Library = Archive{}
