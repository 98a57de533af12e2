package tui_test

import (
	"strings"
	"testing"

	"assay/session"
	"assay/session/simulate"
	"assay/tui/replay"
)

// TestReplay: a log plays to its end, and steps lead through what a person would tell of
// it, forwards and backwards.
func TestReplay(t *testing.T) {
	plan := session.Plan{Benchmark: "b", K: 2, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m"},
		Tasks: []session.PlanTask{{ID: "first\x1b[31m"}, {ID: "second"}}}
	events, texts, err := simulate.Session{ID: "S", Plan: plan, Seed: 2, Prompt: func(task, n int) string { return "please do it" },
		Answer: func(task, n int) string { return "the answer \x1b[2J of the model" }}.Log()
	if err != nil {
		t.Fatal(err)
	}
	m, err := replay.New(events, func(ref session.Ref) ([]byte, error) { return texts[ref], nil }, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, m, 80, 24)
	d.sees("Replay of S", "×1", "space stop")
	d.press("+", "+").sees("×4").press("-").sees("×2")
	d.press("home").sees("first, attempt 1 of 2: reading the task")
	d.press("right").sees("waiting for the answer", "please do it")
	d.press("right").sees("reviewing the answer", "the answer  of the model", "not judged yet")
	d.press("left").sees("waiting for the answer")
	d.press("end").sees("the session has ended", "2 of 2 tasks done", "second: ")
	if strings.Contains(d.screen(), "\x1b") {
		t.Error("escape sequences reach the screen")
	}
	d.press("space").sees("space stop") // from the beginning again
	for range len(events) {
		d.press("left")
	}
	d.sees("0 s of")
	if _, err := replay.New(events[1:], nil, 1); err == nil {
		t.Error("half a log is played")
	}
}
