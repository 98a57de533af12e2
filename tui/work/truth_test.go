package work_test

import (
	"context"
	"errors"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// configured is the first screen of a session whose engine is configured otherwise.
func configured(t *testing.T, adjust func(*session.Choice), configure func(*engine.Config)) (*tuitest.Driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1, adjust)
	fatal.If(t, err)
	return tuitest.Drive(t, work.New(rig.Reopen(t, configure), work.Options{}), 80, 24).Sees("enter open"), rig
}

func asIs(*session.Choice) {}

// unready is a judge that lacks what the task needs.
type unready struct{}

func (unready) Judge(context.Context, *benchmark.Task, string) (verdicts.Result, error) {
	return verdicts.Result{Verdict: verdicts.NotJudged}, nil
}

func (unready) Ready(context.Context, *benchmark.Task) error {
	return errors.New("there is no Python on this machine")
}

// That no tests run here is said before the task is opened.
func TestNoTestsHere(t *testing.T) {
	d, _ := configured(t, asIs, func(c *engine.Config) { c.Judge, c.NoJudge = nil, "code is not run: bwrap is not installed" })
	d.Sees("No tests run here: code is not run: bwrap is not installed")
	d, _ = configured(t, asIs, func(c *engine.Config) { c.Judge = unready{} })
	d.Sees("No tests run here: there is no Python on this machine")
}

// A pause tells what goes on meanwhile.
func TestPauseWhileWaiting(t *testing.T) {
	d, rig := configured(t, asIs, func(*engine.Config) {})
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("esc stop").Press("f2").Sees("Paused", "The model goes on answering")
	rig.Client.Say("No code.")
	d.Sees("Paused", "The answer is there").Press("enter").Sees("y satisfied")

	d, _ = configured(t, func(c *session.Choice) { c.Model = session.Model{Name: "page", Provider: "paste"} }, func(*engine.Config) {})
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("paste its answer").Press("f2").Sees("Paused", "does not reach your chat page")
}

// An answer whose code is in another language says which, and which the task wants.
func TestCodeInAnotherLanguage(t *testing.T) {
	d, rig := configured(t, asIs, func(*engine.Config) {})
	rig.Client.Say("```rust\nfn double(n: i32) -> i32 { 2 * n }\n```\n")
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("y satisfied", "tests ✗").Press("2").
		Sees("No code was run. The code is marked Rust, and the task wants Python.")
}

// mute is a program that printed nothing.
type mute struct{}

func (mute) Judge(context.Context, *benchmark.Task, string) (verdicts.Result, error) {
	return verdicts.Result{Verdict: verdicts.WrongAnswer, Total: 1, Cases: []verdicts.CaseResult{
		{Index: 1, Status: verdicts.Status(verdicts.WrongAnswer), Call: "3 4", Expected: "7"}}}, nil
}

// Where a program printed nothing, that is what it got.
func TestNothingWasPrinted(t *testing.T) {
	stdin := func(c *session.Choice) {
		for i := range c.Benchmark.Tasks {
			c.Benchmark.Tasks[i].Tests = benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "3 4", Output: "7"}}}
		}
	}
	d, rig := configured(t, stdin, func(c *engine.Config) { c.Judge = mute{} })
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("ctrl+s send").Press("Add", "ctrl+s").Sees("y satisfied", "tests ✗").Press("2").Sees("expected  7", "got       (nothing was printed)")
}
