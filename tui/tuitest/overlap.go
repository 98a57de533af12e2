package tuitest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/overlap"
	screen "assay/tui/overlap"
	"assay/tui/work/viewer"
)

// Shared makes the file of ratings of a session's answers by three people. Without
// attributes they are the eight, with the standard labels.
func Shared(t testing.TB, tasks int, attributes []session.Attribute, labels []session.Label) string {
	t.Helper()
	s := NewScribe()
	s.Begin("S1", "core-python", tasks, func(p *session.Plan) {
		p.Tester = "tess"
		if attributes != nil {
			p.Attributes, p.Labels = attributes, labels
		}
	})
	for i := range tasks {
		s.Add(session.TaskOpened{Index: i, Task: fmt.Sprintf("task-%02d", i+1)})
		if attributes == nil {
			s.Attempt(i, 1, session.DecideRefine)
			s.Attempt(i, 2, session.DecideGiveUp)
			s.finish(i, session.GaveUp)
			continue
		}
		s.Attempt(i, 1, session.DecideSatisfied)
		for _, a := range attributes {
			s.Add(session.Rated{Attribute: a.ID, Score: 1 + i%5})
		}
		for _, l := range labels {
			s.Add(session.Labelled{Label: l.ID, Value: l.Values[0]})
		}
		s.Add(session.TaskClosed{Index: i, Outcome: session.Satisfied})
	}
	s.Add(session.Closed{Reason: "finished"})
	pool := overlap.NewPool()
	fatal.If(t, pool.Add(s.events, s.Blob, ""))
	h, err := overlap.Make(pool, overlap.Setup{Raters: []string{"ann", "bob", "cleo"}, Overlap: 3, Seed: 1, Stratify: []string{"task"}})
	fatal.If(t, err)
	path := filepath.Join(t.TempDir(), "ratings.jsonl")
	fatal.If(t, overlap.Create(path, h))
	return path
}

// Paired makes a file of pairs of two models' answers to a number of tasks, for ann and bob.
func Paired(t testing.TB, tasks int, more ...func(*overlap.Setup)) string {
	t.Helper()
	pool := overlap.NewPool()
	for i := range tasks {
		task := &benchmark.Task{ID: fmt.Sprintf("task-%02d", i+1), Title: fmt.Sprintf("Task %d", i+1), Language: "python", Description: fmt.Sprintf("Add %d to a number.", i+1)}
		for _, m := range []string{"alpha", "beta"} {
			code := fmt.Sprintf("def add(n):\n    total = n + %d\n    return total", i+1)
			if m == "beta" {
				code = fmt.Sprintf("def add(n):\n    return n + %d", i+1)
			}
			text := fmt.Sprintf("This is how %s does it:\n\n```python\n%s\n```\n", m, code)
			if m == "beta" {
				text += strings.Repeat("It adds the numbers, as one would expect of it.\n\n", 12)
			}
			fatal.If(t, pool.AddAnswer("core-python", overlap.ModelAnswer{Model: m, Task: task, Text: text, Code: code}, ""))
		}
	}
	setup := overlap.Setup{Raters: []string{"ann", "bob"}, Overlap: 2, Seed: 3, Pairs: true, Mask: true}
	for _, change := range more {
		change(&setup)
	}
	h, err := overlap.Make(pool, setup)
	fatal.If(t, err)
	path := filepath.Join(t.TempDir(), "pairs.jsonl")
	fatal.If(t, overlap.Create(path, h))
	return path
}

// Changing opens a file of ratings.
func Changing(t testing.TB, path string) *overlap.File {
	t.Helper()
	f, err := overlap.Change(path)
	fatal.If(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func Silent() viewer.Options { return viewer.Options{Copy: func(string) tea.Cmd { return nil }} }

// Rating opens the screen of a rater.
func Rating(t testing.TB, path, rater string) *Driver {
	t.Helper()
	d := Drive(t, screen.NewRating(screen.RatingOptions{File: Changing(t, path), Rater: rater, Now: Noon, Work: Silent()}), 80, 24)
	return d.Sees("Rate · core-python").Settled()
}

// Comparing opens the screen on which ann compares two answers.
func Comparing(t testing.TB, path string, width, height int) *Driver {
	t.Helper()
	d := Drive(t, screen.NewRating(screen.RatingOptions{File: Changing(t, path), Rater: "ann", Now: Noon, Work: Silent()}), width, height)
	return d.Sees("Which is better? · core-python").Settled()
}

// Closed makes the file of three people's ratings that disagree on two attributes and a
// label, and closes it.
func Closed(t testing.TB) string {
	t.Helper()
	path := Shared(t, 2, nil, nil)
	f, err := overlap.Change(path)
	fatal.If(t, err)
	var h overlap.Header
	f.Look(func(s *overlap.Set) { h = s.Header })
	for r, who := range h.Raters {
		events := []overlap.Event{{Opened: &overlap.Opened{Rater: who, At: Noon()}}}
		for _, id := range h.Of(who) {
			for i, a := range h.Attributes {
				score := 4
				if i == 0 || i == 4 && id == h.Items[0].ID {
					score = 2 + r
				}
				events = append(events, overlap.Event{Rated: &overlap.Rated{Rater: who, Item: id, Attribute: a.ID, Score: score, At: Noon()}})
			}
			value := "yes"
			if r == 1 && id == h.Items[0].ID {
				value = "no"
			}
			events = append(events, overlap.Event{Labelled: &overlap.Labelled{Rater: who, Item: id, Label: h.Labels[0].ID, Value: value, At: Noon()}},
				overlap.Event{Noted: &overlap.Noted{Rater: who, Item: id, Text: "note of " + h.Letter(who) + ": it adds where it should not", At: Noon()}})
		}
		fatal.If(t, f.Add(events...))
	}
	fatal.If(t, f.Add(overlap.Event{Closed: &overlap.Closed{By: "eve", At: Noon()}}))
	fatal.If(t, f.Close())
	return path
}

// Settling opens the screen of adjudication.
func Settling(t testing.TB, path string) *Driver {
	t.Helper()
	s, err := screen.NewAdjudication(screen.AdjudicationOptions{File: Changing(t, path), By: "eve", Apart: overlap.Apart, Now: Noon, Work: Silent()})
	fatal.If(t, err)
	return Drive(t, s, 80, 24).Sees("Settle · core-python").Settled()
}
