package replay_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/simulate"
	"assay/tui/frame"
	"assay/tui/replay"
	"assay/tui/tuitest"
)

// TestReplay: a log plays to its end, and steps lead through what a person would tell of
// it, forwards and backwards.
func TestReplay(t *testing.T) {
	plan := session.Plan{Benchmark: "b", K: 2, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m"},
		Tasks: []session.PlanTask{{ID: "first\x1b[31m"}, {ID: "second"}}}
	events, texts, err := simulate.Session{ID: "S", Plan: plan, Seed: 2, Prompt: func(task, n int) string { return "please do it" },
		Answer: func(task, n int) string { return "the answer \x1b[2J of the model" }}.Log()
	fatal.If(t, err)
	m, err := replay.New(events, func(ref session.Ref) ([]byte, error) { return texts[ref], nil }, 1)
	fatal.If(t, err)
	tuitest.EverySize(t, func() frame.Screen {
		fresh, err := replay.New(events, nil, 1)
		fatal.If(t, err)
		return fresh
	})
	d := tuitest.Drive(t, m, 80, 24)
	d.Sees("Replay of S", "×1", "space stop")
	d.Press("+", "+").Sees("×4").Press("-").Sees("×2")
	d.Press("home").Sees("first, attempt 1 of 2: reading the task")
	d.Press("right").Sees("waiting for the answer", "please do it")
	d.Press("right").Sees("reviewing the answer", "the answer  of the model", "not judged yet")
	d.Press("left").Sees("waiting for the answer")
	d.Press("end").Sees("the session has ended", "2 of 2 tasks done", "second: ")
	if strings.Contains(d.Screen(), "\x1b") {
		t.Error("escape sequences reach the screen")
	}
	d.Press("space").Sees("space stop") // from the beginning again
	for range len(events) {
		d.Press("left")
	}
	d.Sees("0 s of")
	if _, err := replay.New(events[1:], nil, 1); err == nil {
		t.Error("half a log is played")
	}
}
