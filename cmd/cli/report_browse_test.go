package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/cmd/cli/report"
	"assay/session"
	"assay/store"
	"assay/tui/results"
)

// keepSession writes a session with a number of tasks, three attempts each, into a store.
func keepSession(t testing.TB, s *store.Store, id string, tasks int) {
	t.Helper()
	var events []session.Event
	texts := map[session.Ref][]byte{}
	text := func(text string) session.Ref {
		ref := session.RefOf([]byte(text))
		texts[ref] = []byte(text)
		return ref
	}
	mono := int64(0)
	add := func(payloads ...session.Payload) {
		for _, p := range payloads {
			mono += 500
			events = append(events, session.Event{
				Seq: uint64(len(events) + 1), Payload: p,
				Stamp: session.Stamp{Wall: 1_772_000_000_000 + mono, Mono: mono, Process: "p", Boot: "b"},
			})
		}
	}
	plan := session.Plan{Benchmark: "b", K: 5, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m", Provider: "openai"}}
	for i := range tasks {
		task := benchmark.Task{ID: fmt.Sprintf("t%d", i), Title: "T", Language: "python", Description: "Do it.", Difficulty: benchmark.Difficulties[i%3]}
		ref, content := session.TaskContent(&task)
		texts[ref] = content
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: task.ID, Title: task.Title, Difficulty: task.Difficulty, Content: ref})
	}
	add(session.Opened{Session: id, Plan: plan})
	for i, p := range plan.Tasks {
		add(session.TaskOpened{Index: i, Task: p.ID}, session.EditStarted{Attempt: 1})
		for n := 1; n <= 3; n++ {
			for range 10 {
				add(session.Heartbeat{})
			}
			answer := fmt.Sprintf("answer %d to task %d", n, i)
			decision := session.DecideRefine
			if n == 3 {
				decision = session.DecideSatisfied
			}
			add(session.PromptSent{Attempt: n, Try: 1, Prompt: text("prompt"), Bytes: 6},
				session.AnswerReceived{Attempt: n, Answer: text(answer), Bytes: len(answer), FinishReason: "stop"},
				session.VerdictRecorded{Task: i, Attempt: n, Verdict: "accepted", Passed: 3, Total: 3, Loads: true}, session.Judged{Attempt: n, Decision: decision})
		}
		for _, a := range plan.Attributes {
			add(session.Rated{Attribute: a.ID, Score: 1 + i%5})
		}
		add(session.Labelled{Label: session.LabelExplanation, Value: "yes"}, session.TaskClosed{Index: i, Outcome: session.Satisfied})
	}
	add(session.Closed{Reason: "finished"})
	if _, err := s.Append(context.Background(), id, events, texts); err != nil {
		t.Fatal(err)
	}
}

func openArchive(t testing.TB, tasks int) report.Archive {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(filepath.Join(dir, "assay.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	keepSession(t, s, "S1", tasks)
	return report.Archive{Kept: s, Dir: dir, Getenv: func(string) string { return "" }}
}

// The browser receives the contents of the store and of the report.
func TestArchive(t *testing.T) {
	a := openArchive(t, 4)
	list, err := a.Sessions(t.Context())
	if err != nil || len(list) != 1 || list[0].Status != "finished" || list[0].Done != 4 || list[0].Tasks != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	opened, err := a.Open(t.Context(), "S1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Build(a.Kept, []string{"S1"}, report.Flags{Blind: true})
	if err != nil || opened.Report.Tries.Mean.Value != r.Tries.Mean.Value || opened.Report.Times.Completion.Mean.Value != r.Times.Completion.Mean.Value {
		t.Errorf("%+v, %v", opened.Report.Tries.Mean, err)
	}
	if text, err := opened.Source.Text(opened.State.Tasks[2].Attempts[1].Answer.Answer); err != nil || text != "answer 2 to task 2" {
		t.Errorf("%q, %v", text, err)
	}
	if task := opened.Source.Task(3); task.ID != "t3" || task.Description != "Do it." {
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

// The time for opening a session of 100 tasks with 3 attempts each.
func BenchmarkArchive(b *testing.B) {
	a := openArchive(b, 100)
	for b.Loop() {
		if _, err := a.Open(b.Context(), "S1"); err != nil {
			b.Fatal(err)
		}
	}
}

var _ results.Library = report.Archive{}
