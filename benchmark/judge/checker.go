package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

// How much processor time and patience the trusted process gets for one sample,
// its waiting for the sample's calls not counted.
const (
	checkerCPU  = 10 * time.Second
	checkerWall = 120 * time.Second
	startCPU    = 20 * time.Second // for an interpreter to start
	startWall   = 60 * time.Second
	checkerUses = 2000 // samples before a fresh process takes over
)

// checker is the client of a trusted process, which lives for many samples.
type checker struct {
	box     sandbox.Process
	channel *channel
	opened  string // the hash of the task that is loaded
	cases   []caseReport
	uses    int
}

// caseReport is one case as the checker tells it.
type caseReport struct {
	Index    int    `json:"index"`
	Name     string `json:"name"`
	Status   Status `json:"status"`
	Call     string `json:"call"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Message  string `json:"message"`
	Edge     bool   `json:"edge"`
}

// fromChecker is every message of the checker; Kind says which fields hold.
type fromChecker struct {
	Kind    string          `json:"k"` // ready, cases, call, done, broken
	ID      int             `json:"id"`
	Case    int             `json:"case"`
	Op      string          `json:"op"`   // what to do with the object, see python/objects.py
	On      int64           `json:"on"`   // its handle; 0: the entry point
	Name    string          `json:"name"` // of an attribute, method or operator
	Life    int             `json:"life"` // the process that the handles belong to; 0: there are none
	Watch   bool            `json:"watch"`
	Args    json.RawMessage `json:"args"`
	Kwargs  json.RawMessage `json:"kwargs"`
	Cases   []caseReport    `json:"cases"`
	Aborted *callFailure    `json:"aborted"`
	Tests   bool            `json:"tests"` // broken: the task is at fault
	Text    string          `json:"text"`
}

// callFailure is why a call brought no value.
type callFailure struct {
	Status Status `json:"status"`
	Text   string `json:"text"`
}

// brokenTests reports a task whose tests do not run.
type brokenTests struct{ text string }

func (e brokenTests) Error() string { return "the task's tests do not run: " + e.text }

// exhausted reports a checker that was stopped while it worked on the values
// that a sample returned.
type exhausted struct{ status Status }

func (e exhausted) Error() string {
	return "the tests could not be finished on the values that the code returned"
}

func startChecker(ctx context.Context, box sandbox.Box, python interpreter) (*checker, error) {
	p, err := box.Start(ctx, python.spec(checkerLimits(), checkerParts()...))
	if err != nil {
		return nil, err
	}
	w, r := p.Control()
	c := &checker{box: p, channel: newChannel(w, r)}
	p.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	var hello fromChecker
	if err := c.channel.receive(&hello); err != nil || hello.Kind != "ready" {
		return nil, fmt.Errorf("the checker did not start: %s", describe(p.Close()))
	}
	p.Disarm()
	return c, nil
}

// taskMessage is a task as the checker is told it.
type taskMessage struct {
	Style    benchmark.Style  `json:"style"`
	Language string           `json:"language"`
	Entry    string           `json:"entry"`
	Prompt   string           `json:"prompt"`
	Check    string           `json:"check"`
	Cases    []benchmark.Case `json:"cases"`
	Setup    string           `json:"setup"`
	Asserts  []string         `json:"asserts"`
	Unittest string           `json:"unittest"`
	Class    bool             `json:"class"`
}

func messageOf(task *benchmark.Task) taskMessage {
	t := task.Tests
	return taskMessage{t.Style, task.Language, task.EntryPoint, task.Prompt, t.Check, t.Cases, t.Setup, t.Asserts, t.Unittest, entryIsClass(task)}
}

// open loads a task's tests and returns its cases, none of them run.
func (c *checker) open(task *benchmark.Task) ([]caseReport, error) {
	hash := task.Hash()
	if c.opened == hash {
		return c.cases, nil
	}
	c.opened = ""
	c.box.Arm(sandbox.Budget{CPU: checkerCPU, Wall: checkerWall})
	defer c.box.Disarm()
	err := c.channel.send(map[string]any{"k": "task", "task": messageOf(task)})
	if err != nil {
		return nil, fmt.Errorf("sending the tests to the checker: %w", err)
	}
	var answer fromChecker
	if err := c.channel.receive(&answer); err != nil {
		return nil, fmt.Errorf("the checker ended while it loaded the tests: %s", describe(c.box.Close()))
	}
	if answer.Kind != "cases" {
		return nil, brokenTests{answer.Text}
	}
	c.opened, c.cases = hash, answer.Cases
	return c.cases, nil
}

// judge runs the loaded tests; call is asked for every value they want.
func (c *checker) judge(call func(fromChecker) any) (fromChecker, error) {
	c.uses++
	if err := c.channel.send(map[string]any{"k": "judge"}); err != nil {
		return fromChecker{}, fmt.Errorf("talking to the checker: %w", err)
	}
	spent, calls := time.Duration(0), 0
	for {
		before := c.box.Usage().CPU
		c.box.Arm(sandbox.Budget{CPU: max(checkerCPU-spent, time.Millisecond), Wall: checkerWall})
		var m fromChecker
		err := c.channel.receive(&m)
		if err != nil {
			end := c.box.Close()
			switch {
			case calls > 0 && (end.Cause == sandbox.CPU || end.Cause == sandbox.Idle):
				return m, exhausted{Status(TimeLimit)}
			case calls > 0 && end.Cause == sandbox.Memory:
				return m, exhausted{Status(MemoryLimit)}
			}
			return m, fmt.Errorf("the checker ended unexpectedly: %s", describe(end))
		}
		c.box.Disarm()
		spent += c.box.Usage().CPU - before
		switch m.Kind {
		case "call":
			calls++
			if err := c.channel.send(call(m)); err != nil {
				return m, fmt.Errorf("answering the checker: %w", err)
			}
		case "done":
			return m, nil
		case "broken":
			if m.Tests {
				return m, brokenTests{m.Text}
			}
			return m, fmt.Errorf("the checker failed: %s", m.Text)
		default:
			return m, fmt.Errorf("the checker said %q, which this assay does not know", m.Kind)
		}
	}
}

// alive says whether the checker can take another sample.
func (c *checker) alive() bool {
	select {
	case <-c.box.Done():
		return false
	default:
		return c.uses < checkerUses
	}
}

// describe tells how a process of ours ended, for a sandbox_error.
func describe(end sandbox.Outcome) string {
	text := fmt.Sprintf("exit status %d", end.Exit)
	if end.Cause != "" {
		text = "stopped: " + string(end.Cause)
	}
	if len(end.Stderr) > 0 {
		text += ": " + clip(StripEscapes(string(end.Stderr)), 600)
	}
	return text
}

// clip shortens a text to n bytes, at the end of a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + "…"
}
