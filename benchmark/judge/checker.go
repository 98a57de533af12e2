package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// Budgets of the trusted process: processor time for one sample, and elapsed time where no sample
// is involved.
const (
	checkerCPU  = 10 * time.Second
	checkerWall = 120 * time.Second
	startCPU    = 20 * time.Second // for an interpreter to start
	startWall   = 60 * time.Second
	checkerUses = 2000 // samples, then a fresh process replaces it
)

// checker is the client of a trusted process, which lives for many samples.
type checker struct {
	box     sandbox.Process
	channel *channel
	library *library             // packages that the tests may import
	tasks   map[string]*openTask // loaded tasks, by hash
	uses    int
}

// openTask is a task whose tests a checker has loaded.
type openTask struct {
	hash   string
	cases  []caseReport  // all not run
	calls  []byte        // recorded calls, as a Python list of packed arguments; nil: not known
	hits   int           // samples whose tests made exactly these calls
	misses int           // samples whose tests made others
	took   time.Duration // the most processor time of an accepted sample

	judged map[[sha256.Size]byte]fromChecker // results of the tests for lists of answers, by hash
}

// caseReport is the checker's report on one case.
type caseReport struct {
	Index    int             `json:"index"`
	Name     string          `json:"name"`
	Status   verdicts.Status `json:"status"`
	Call     string          `json:"call"`
	Expected string          `json:"expected"`
	Got      string          `json:"got"`
	Message  string          `json:"message"`
	Edge     bool            `json:"edge"`
}

// fromChecker holds any message of the checker; Kind determines which fields are set.
type fromChecker struct {
	Kind    string          `json:"k"` // ready, cases, recorded, call, done, differs, broken
	ID      int             `json:"id"`
	Case    int             `json:"case"`
	Trial   bool            `json:"trial"` // it looks for a simpler input, and decides nothing
	Op      string          `json:"op"`    // operation on the object, see python/objects.py
	On      int64           `json:"on"`    // the object's handle; 0: the entry point
	Name    string          `json:"name"`  // of an attribute, method or operator
	Life    int             `json:"life"`  // the process that the handles belong to; 0: no handles
	Watch   bool            `json:"watch"`
	Share   json.RawMessage `json:"share"`      // changes to values that tests and program share; null: none shared
	Shared  int             `json:"share_life"` // the process that holds the shared values
	Args    json.RawMessage `json:"args"`
	Kwargs  json.RawMessage `json:"kwargs"`
	Cases   []caseReport    `json:"cases"`   // all cases; with a call, those that ended since the previous call
	Passed  bool            `json:"passed"`  // all cases passed; Cases is empty
	Objects bool            `json:"objects"` // tests used objects of the program
	Calls   []byte          `json:"calls"`
	Of      []int           `json:"of"` // the case of each call of a batch
	Aborted *callFailure    `json:"aborted"`
	Tests   bool            `json:"tests"` // with Kind "broken": the task is at fault
	Text    string          `json:"text"`
}

// callFailure is the reason why a call returned no value.
type callFailure struct {
	Status verdicts.Status `json:"status"`
	Text   string          `json:"text"`
}

// brokenTests is the error for a task whose tests do not run.
type brokenTests struct{ text string }

func (e brokenTests) Error() string { return "the task's tests do not run: " + e.text }

// exhausted is the error for a checker that reached its limits, or ended, while it worked on what
// a sample returned. That counts as the sample's failure and not as a sandbox_error: a sample
// must not be able to avoid a verdict.
type exhausted struct {
	status verdicts.Status
	detail string
}

func (e exhausted) Error() string {
	return "the tests could not be finished on what the code returned: " + e.detail
}

// checkerEnded is the error for a checker that ended in the middle of something.
type checkerEnded struct {
	doing string
	end   sandbox.Outcome
}

func (e checkerEnded) Error() string {
	return fmt.Sprintf("the checker ended while it was %s: %s", e.doing, describe(e.end))
}

// exhaustion returns err, or [exhausted] if err is the end of a checker that worked on what a
// sample returned.
func exhaustion(err error) error {
	var lost checkerEnded
	if !errors.As(err, &lost) {
		return err
	}
	end := lost.end
	switch end.Cause {
	case sandbox.CPU, sandbox.CPUTotal:
		return exhausted{verdicts.Status(verdicts.TimeLimit), fmt.Sprintf("they took more than %v of processor time", checkerCPU)}
	case sandbox.Idle:
		return exhausted{verdicts.Status(verdicts.TimeLimit), "they did not end in the time for the whole sample"}
	case sandbox.Memory:
		return exhausted{verdicts.Status(verdicts.MemoryLimit), "they took more memory than allowed"}
	case sandbox.Output, sandbox.Files:
		return exhausted{verdicts.Status(verdicts.OutputLimit), "they wrote more than allowed"}
	case "", sandbox.Closed: // its channel was closed first
		return exhausted{verdicts.Status(verdicts.RuntimeError), "their process ended, " + describe(end)}
	}
	return err
}

func startChecker(ctx context.Context, box sandbox.Box, python interpreter, lib *library) (*checker, error) {
	p, err := box.Start(ctx, lib.checker(python))
	if err != nil {
		return nil, err
	}
	w, r := p.Control()
	c := &checker{box: p, library: lib, channel: newChannel(w, r), tasks: map[string]*openTask{}}
	p.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	var hello fromChecker
	if err := c.channel.receive(&hello); err != nil || hello.Kind != "ready" {
		return nil, fmt.Errorf("the checker did not start: %s", describe(p.Close()))
	}
	p.Disarm()
	return c, nil
}

// taskMessage is a task as the checker receives it.
type taskMessage struct {
	Style      benchmark.Style      `json:"style"`
	Language   string               `json:"language"`
	Entry      string               `json:"entry"`
	Prompt     string               `json:"prompt"`
	Check      string               `json:"check"`
	Cases      []benchmark.Case     `json:"cases"`
	Properties []benchmark.Property `json:"properties"`
	Setup      string               `json:"setup"`
	Asserts    []string             `json:"asserts"`
	Unittest   string               `json:"unittest"`
	Class      bool                 `json:"class"`
	Checker    string               `json:"checker"`
}

func messageOf(task *benchmark.Task) taskMessage {
	t := task.Tests
	if checker := predictionCheckers[t.Style]; checker != "" {
		t.Style, t.Checker = benchmark.Stdin, checker
	}
	return taskMessage{t.Style, task.Language, task.EntryPoint, t.Helpers() + task.Prompt, t.Check, t.Cases, t.Properties, t.Setup, t.Asserts, t.Unittest, entryIsClass(task), t.Checker}
}

// knownTasks is the number of tasks that a checker keeps loaded.
const knownTasks = 400

// open loads a task's tests unless they are loaded.
func (c *checker) open(task *benchmark.Task) (*openTask, error) {
	hash := testsKey(task)
	if known := c.tasks[hash]; known != nil {
		return known, nil
	}
	clearing := len(c.tasks) >= knownTasks
	if clearing {
		clear(c.tasks)
	}
	answer, err := c.ask("loading the tests", struct {
		Kind  string `json:"k"`
		Hash  string `json:"task"`
		Clear bool   `json:"clear"`
		taskMessage
	}{"task", hash, clearing, messageOf(task)})
	if err != nil {
		return nil, err
	}
	switch {
	case answer.Kind == "cases":
	case answer.Tests:
		return nil, brokenTests{answer.Text}
	default:
		return nil, fmt.Errorf("the checker failed while it was loading the tests: %s", answer.Text)
	}
	known := &openTask{hash: hash, cases: answer.Cases}
	c.tasks[hash] = known
	return known, nil
}

// testsKey identifies tests by their content. It omits what the checker does not see, and is fast
// for the style that is plain text.
func testsKey(task *benchmark.Task) string {
	if task.Tests.Style != benchmark.Check {
		return task.Hash()
	}
	h := sha256.New()
	for _, part := range []string{task.EntryPoint, task.Tests.Setup, task.Prompt, task.Tests.Check} {
		fmt.Fprintf(h, "%d\n%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ask sends an order that concerns no sample, and waits for the answer.
func (c *checker) ask(what string, order any) (fromChecker, error) {
	text, err := json.Marshal(order)
	if err != nil {
		return fromChecker{}, fmt.Errorf("%s: %w", what, err)
	}
	return c.askWithin(sandbox.Budget{CPU: checkerCPU, Wall: checkerWall, Coarse: true}, what, text)
}

// askWithin is ask with a budget and an encoded order.
func (c *checker) askWithin(budget sandbox.Budget, what string, order []byte) (fromChecker, error) {
	var answer fromChecker
	c.box.Arm(budget)
	defer c.box.Disarm()
	err := c.channel.sendBytes(order)
	if err == nil {
		err = c.channel.receive(&answer)
	}
	if err != nil {
		err = checkerEnded{what, c.box.Close()}
	}
	return answer, err
}

// judge runs a task's tests. It calls call for every value that they need.
func (c *checker) judge(clk *clock, task *openTask, call func(fromChecker) any) (fromChecker, error) {
	c.uses++
	order := map[string]any{"k": "judge", "task": task.hash, "record": task.misses > 0}
	if err := c.channel.send(order); err != nil {
		return fromChecker{}, fmt.Errorf("talking to the checker: %w", err)
	}
	calls, before := 0, c.box.Usage()
	for {
		c.box.Arm(clk.forChecker())
		var m fromChecker
		if err := c.channel.receive(&m); err != nil {
			err := checkerEnded{"judging", c.box.Close()}
			if calls == 0 {
				return m, err
			}
			return m, exhaustion(err)
		}
		c.box.Disarm()
		now := c.box.Usage()
		clk.checked(used(before, now))
		before = now
		switch m.Kind {
		case "call":
			calls++
			if err := c.channel.send(call(m)); err != nil {
				return m, exhaustion(checkerEnded{"judging", c.box.Close()})
			}
		case "done":
			if m.Calls != nil {
				task.setCalls(m.Calls)
			}
			return m, nil
		case "broken":
			switch {
			case m.Tests:
				return m, brokenTests{m.Text}
			case calls > 0:
				return m, exhausted{verdicts.Status(verdicts.RuntimeError), m.Text}
			}
			return m, fmt.Errorf("the checker failed: %s", m.Text)
		default:
			return m, fmt.Errorf("the checker sent an unknown message, %q", m.Kind)
		}
	}
}

// accepts asks the task's own checker about a program's output. It returns why the output is
// refused, or nil. The error is [exhausted], or about a checker that does not load.
func (c *checker) accepts(clk *clock, task *benchmark.Task, run benchmark.Run, output string) (*callFailure, error) {
	open, err := c.open(task)
	if err != nil {
		return nil, err
	}
	c.uses++
	order, err := json.Marshal(map[string]string{"k": "accept", "task": open.hash,
		"output": output, "expected": run.Output, "input": run.Input})
	if err != nil {
		return nil, err
	}
	clk.start()
	defer clk.stop()
	before := c.box.Usage()
	answer, err := c.askWithin(clk.forChecker(), "judging an output", order)
	clk.checked(used(before, c.box.Usage()))
	switch {
	case err != nil:
		return nil, exhaustion(err)
	case answer.Kind != "accepted":
		return nil, exhausted{verdicts.Status(verdicts.RuntimeError), answer.Text}
	case answer.Aborted != nil:
		return answer.Aborted, nil
	case !answer.Passed:
		return &callFailure{verdicts.Status(verdicts.WrongAnswer), answer.Text}, nil
	}
	return nil, nil
}

// alive reports whether the checker can take another sample. One that has grown on what earlier
// samples returned is replaced, so that the next one has the memory that it may need.
func (c *checker) alive() bool {
	select {
	case <-c.box.Done():
		return false
	default:
		return c.uses < checkerUses && c.box.Usage().MemoryKB < int64(checkerLimits().MemoryMB)<<10/2
	}
}

// describe describes how a process of assay's own ended, for a sandbox_error.
func describe(end sandbox.Outcome) string {
	text := fmt.Sprintf("exit status %d", end.Exit)
	if end.Cause != "" {
		text = "stopped: " + string(end.Cause)
	}
	if len(end.Stderr) > 0 {
		text += ": " + verdicts.Clip(verdicts.StripEscapes(string(end.Stderr)), 600)
	}
	return text
}
