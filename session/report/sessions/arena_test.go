package sessions_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	"assay/session/report/reporttest"
	"assay/session/report/sessions"
	"assay/session/simulate"
)

// compared returns logs of sessions in which pairs of models answered, given the logit of the preference for the first.
func compared(t *testing.T, first float64, testers int, models ...[2]string) (logs [][]session.Event) {
	t.Helper()
	for i := range testers {
		pair := models[i%len(models)]
		plan := session.Plan{Benchmark: "b", K: 3, Context: session.Conversation, Tester: fmt.Sprint("t", i), Attributes: session.MiahZhuAttributes(),
			Arena: &session.Arena{Models: [2]session.Model{{Name: pair[0]}, {Name: pair[1]}}, Seed: uint64(i)}}
		plan.Model = plan.Arena.Model()
		for n := range 12 {
			plan.Tasks = append(plan.Tasks, session.PlanTask{ID: fmt.Sprint("task", n), Practice: n == 0})
		}
		events, _, err := simulate.Session{ID: fmt.Sprintf("01HZ%022d", i), Plan: plan, Seed: uint64(i + 1), Wall: 1_700_000_000_000, Effects: &simulate.Effects{First: first}}.Log()
		fatal.If(t, err)
		logs = append(logs, events)
	}
	return logs
}

// TestArenaReport: the report counts the comparisons of the logs, R repeats them, and its first page claims a preference
// where there is one and none where there is none.
func TestArenaReport(t *testing.T) {
	for name, x := range map[string]struct {
		first  float64
		models [][2]string
		claims string
	}{
		"two, one better":   {2, [][2]string{{"good", "poor"}}, "good is preferred to each other model"},
		"two, alike":        {0, [][2]string{{"good", "poor"}}, "no model to be better than another"},
		"three, one better": {2, [][2]string{{"good", "poor"}, {"good", "fair"}, {"fair", "poor"}}, "good is preferred to"},
	} {
		t.Run(name, func(t *testing.T) {
			logs := compared(t, x.first, 6, x.models...)
			r, err := sessions.Build(logs...)
			fatal.If(t, err)
			picks, wins, sides := 0, map[string]int{}, 0
			var took []float64
			for _, log := range logs {
				took = append(took, comparisons(t, log)...)
				s, err := session.Replay(log)
				fatal.If(t, err)
				for _, task := range s.Tasks {
					for _, a := range task.Attempts {
						if task.Practice || a.Picked == nil {
							continue
						}
						picks++
						if a.Picked.Outcome.Decided() {
							wins[s.Plan.Arena.Models[a.Sent.Sides[a.Picked.Goes.Index()]].Name]++
							if a.Picked.Outcome == pairs.A {
								sides++
							}
						}
					}
				}
			}
			if r.Arena.Sessions != 6 || r.Arena.Picks != picks || picks < 60 || r.Arena.Left.N != sides || r.Arena.Testers != 6 || r.Arena.Tasks != 11 {
				t.Errorf("%d comparisons, %d of them for A, and the report has %+v", picks, sides, r.Arena)
			}
			if r.Arena.Seconds == nil || len(took) != picks || math.Abs(float64(*r.Arena.Seconds)-stats.Median(took)) > 1e-9 || *r.Arena.Seconds == 0 {
				t.Errorf("%d comparisons took %v s, and the report has %v", len(took), took, r.Arena.Seconds)
			}
			for _, m := range r.Arena.Models {
				if m.Wins != wins[m.Model] || m.Range == nil {
					t.Errorf("%s wins %d times, and the report has %+v", m.Model, wins[m.Model], m)
				}
			}
			if !strings.Contains(r.Arena.Conclusion, x.claims) {
				t.Errorf("%q does not say %q", r.Arena.Conclusion, x.claims)
			}
			for _, c := range r.Checks {
				if len(c.Faults) > 0 {
					t.Errorf("%s: %q", c.Name, c.Faults)
				}
			}
			var text strings.Builder
			fatal.If(t, r.Document().Markdown(&text, false))
			if n := strings.Count(text.String(), x.claims); n != 2 {
				t.Errorf("the conclusion stands %d times, want on the first page and in its section", n)
			}
			dir := t.TempDir()
			_, err = r.WriteDir(dir)
			fatal.If(t, err)
			reporttest.Repeat(t, dir)
			_, checks, err := sessions.CheckFiles(os.DirFS(dir))
			fatal.If(t, err)
			for _, c := range checks {
				if len(c.Faults) > 0 {
					t.Errorf("the files: %s: %q", c.Name, c.Faults)
				}
			}
		})
	}
}

// comparisons lists the seconds from both answers to the pick, of counted tasks.
func comparisons(t *testing.T, log []session.Event) (list []float64) {
	t.Helper()
	s, err := session.Replay(log)
	fatal.If(t, err)
	task, answered := -1, int64(0)
	for _, e := range log {
		switch p := e.Payload.(type) {
		case session.TaskOpened:
			task = p.Index
		case session.AnswerReceived:
			answered = e.Mono
		case session.Picked:
			if !s.Tasks[task].Practice {
				list = append(list, float64(e.Mono-answered)/1000)
			}
		}
	}
	return list
}

// TestEarlierArena: reports of builds that did not say how long comparing took are still made as they were.
func TestEarlierArena(t *testing.T) {
	logs, before := compared(t, 0, 2, [2]string{"good", "poor"}), 3
	b := sessions.NewBuilder(sessions.Options{Written: &before})
	for _, log := range logs {
		fatal.If(t, b.Add(log))
	}
	r, err := b.Report()
	fatal.If(t, err)
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	table, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(report.DatasetFile("picks"))))
	fatal.If(t, err)
	if r.Arena.Seconds != nil || strings.Contains(string(table), "compare_ms") || !strings.Contains(string(table), "latency_ms_a") {
		t.Errorf("%v, %.300s", r.Arena.Seconds, table)
	}
}

// TestArenaOfOneTester: the page of a single session, which has no intervals, passes its check.
func TestArenaOfOneTester(t *testing.T) {
	logs := compared(t, 0, 1, [2]string{"good", "poor"})
	open := logs[0][0].Payload.(session.Opened)
	open.Plan.Tasks = open.Plan.Tasks[:3]
	events, _, err := simulate.Session{ID: open.Session, Plan: open.Plan, Wall: 1}.Log()
	fatal.If(t, err)
	r, err := sessions.Build(events)
	fatal.If(t, err)
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	_, checks, err := sessions.CheckFiles(os.DirFS(dir))
	fatal.If(t, err)
	for _, c := range checks {
		if len(c.Faults) > 0 {
			t.Errorf("%s: %q", c.Name, c.Faults)
		}
	}
}

// TestNoArena: a report of sessions with one model has nothing about comparisons.
func TestNoArena(t *testing.T) {
	logs := compared(t, 0, 1, [2]string{"good", "poor"})
	open := logs[0][0].Payload.(session.Opened)
	open.Plan.Arena, open.Plan.Model = nil, session.Model{Name: "one"}
	events, _, err := simulate.Session{ID: open.Session, Plan: open.Plan, Wall: 1}.Log()
	fatal.If(t, err)
	r, err := sessions.Build(events)
	fatal.If(t, err)
	if r.Arena != nil {
		t.Errorf("%+v", r.Arena)
	}
}
