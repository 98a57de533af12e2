package tui_test

import (
	"testing"

	"assay/session"
	"assay/tui/tuitest"
)

// whole is a library with one session that has tasks enough for a table by type and
// difficulty.
func whole() *tuitest.Archive {
	a := &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}
	s := tuitest.NewScribe()
	s.Begin("S", "core-python", 36)
	for i := range 36 {
		s.Play(i, i+1, 1+i%3, i%7 > 0)
	}
	s.Add(session.Closed{Reason: "finished"})
	a.Keep("S", s, session.Summary{Status: "finished", Benchmark: "core-python", Model: "m", Progress: session.Progress{Done: 36, Tasks: 36}})
	return a
}

// openAttempt is the last of three attempts.
func openAttempt(t *testing.T) *tuitest.Driver {
	t.Helper()
	return tuitest.OpenTasks(t, "S1").Press("down", "enter").Sees("judged").Press("enter").Sees("1 answer", "return n + 3")
}
