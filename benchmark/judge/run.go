package judge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// run is the judging of one sample: it starts the processes that run the program, relays the
// calls, and adds up what they use.
type run struct {
	judge   *Judge
	task    *benchmark.Task
	limits  limits
	program string
	script  string     // the tests that follow the program, in the style "script"
	tool    *toolchain // for whole programs, and functions in languages other than Python
	library *library   // nil: the task declares none
	result  verdicts.Result
	plain   bool // judge call by call

	empty       bool // the answer has no code
	verdictOnly bool // a failing test case ends the run
	decided     bool // a failing test case has ended the run
	fresh       bool // the checker has judged no other sample
	objects     bool // the tests used objects of the program

	made    map[string]string // the compiled program, for functions in compiled languages
	command []string          // the command that runs it

	unforked bool // do not fork programs from their interpreter
	inTrial  bool // this run tries whether they can be forked

	ctx       context.Context
	sample    *sample               // nil after its process ended
	life      int                   // counts the processes, from 1
	lost      error                 // an error that is not the sample's fault; it ends the run
	used      time.Duration         // by processes that have ended
	caseCPU   map[int]time.Duration // by case
	idleCase  int                   // the case whose calls are made
	caseIdle  time.Duration         // of its calls so far
	kills     []callFailure         // calls that ended a process
	clock     *clock
	spent     bool          // the sample's total of processor time is used up
	stopped   bool          // a case was ended at its limit of processor time
	stoppedAt time.Duration // the processor time used at that moment
	near      bool          // a case ended by itself near its limit
	reached   bool          // a case was stopped at its limit, or ended beyond it, or the total was used up
	hogs      int           // cases that reached the memory limit
	loops     bool          // a call never ended, so others are looked at sooner
	waited    bool          // a case reached its limit of idle time
	last      bool          // the running process may be idle for all the time that is left
	refused   string        // why cases were not run, see usedUp
}

// do judges a sample whose functions are called. Its error is never the sample's fault.
func (r *run) do(ctx context.Context, c *checker) error {
	r.ctx, r.caseCPU = ctx, map[int]time.Duration{}
	started := time.Now()
	defer func() { r.result.WallMS = time.Since(started).Milliseconds() }()
	defer r.clock.stop()
	defer r.retire()
	if r.empty {
		open, err := c.open(r.task)
		if err == nil {
			r.refuse(open.cases, nothingToRun)
		}
		return err
	}
	if r.tool != nil && r.tool.Compile != "" {
		failed, err := r.prepareCalls()
		if err != nil {
			return err
		}
		if failed != nil {
			open, err := c.open(r.task)
			if err == nil {
				r.refuse(open.cases, *failed)
			}
			return err
		}
	}
	// Start the sample while the checker loads the tests.
	if err := r.launch(); err != nil {
		return err
	}
	open, err := c.open(r.task)
	if err != nil {
		return err
	}
	batched := false
	if !r.plain {
		if batched, err = r.judge.batched(c, open); err != nil {
			return err
		}
	}
	if batched {
		if judged, err := r.batch(c, open); judged || err != nil {
			return err
		}
		if err := r.launch(); err != nil {
			return err
		}
	}
	return r.byCalls(c, open)
}

// byCalls makes the program's calls one by one, as the tests ask for them.
func (r *run) byCalls(c *checker, open *openTask) error {
	failed, err := r.load()
	if err != nil {
		return err
	}
	if failed != nil {
		r.refuse(open.cases, *failed)
		return nil
	}
	done, err := c.judge(r.clock, open, func(order fromChecker) any {
		r.reach(order.Case, len(open.cases), order.Cases...)
		r.decide(order.Cases)
		return r.call(order)
	})
	if r.lost != nil {
		return r.lost
	}
	if limit, ok := r.exhausted(err); ok {
		r.refuse(open.cases, limit)
		c.box.Close()
		return nil
	}
	if err != nil {
		return err
	}
	r.retire()
	r.objects = done.Objects
	r.conclude(done)
	r.passed(open)
	return nil
}

// decide records whether cases that have ended decide the verdict, if only the verdict is asked
// for.
func (r *run) decide(ended []caseReport) {
	r.decided = r.decided || r.verdictOnly && slices.ContainsFunc(ended, func(c caseReport) bool { return c.Status != verdicts.Passed })
}

// passed records the processor time of an accepted sample.
func (r *run) passed(t *openTask) {
	if r.result.Verdict == verdicts.Accepted {
		t.took = max(t.took, r.used)
	}
}

// exhausted reports whether a checker's failure counts against the sample. Time is counted for
// each sample alone. Any other cause may be left over from earlier samples, so it must also occur
// with a fresh checker.
func (r *run) exhausted(err error) (callFailure, bool) {
	var limit exhausted
	ok := errors.As(err, &limit) && (limit.status == verdicts.Status(verdicts.TimeLimit) || r.fresh)
	return callFailure{limit.status, limit.Error()}, ok
}

// launch starts a process for the program, with the clock stopped.
func (r *run) launch() (err error) {
	r.clock.stop()
	r.life++
	if r.made != nil {
		r.sample, err = r.startMade()
		if err == nil {
			r.result.Enforcement = r.sample.box.Enforcement()
		}
		return err
	}
	spec := r.judge.python.sample(sampleLimits(r.limits.Limits))
	if r.tool != nil {
		spec = r.tool.server(r.tool, r.limits.Limits)
	}
	spec.Outputs = r.task.Outputs
	spec.Limits.MemoryMB = r.memoryMB()
	r.sample, err = startSample(r.ctx, r.judge.box, r.library.add(spec))
	if err == nil {
		r.result.Enforcement = r.sample.box.Enforcement()
	}
	return err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// budget returns the budget of the next step, for a case that has used some processor time
// already.
func (r *run) budget(already time.Duration) sandbox.Budget {
	left, _ := r.left()
	total := max(left, time.Millisecond)
	if r.sample != nil {
		total += r.sample.start.CPU
	}
	wall, idle := r.idleLimit()-r.caseIdle, r.clock.left()
	r.last = idle <= wall
	b := sandbox.Budget{
		CPU:   max(r.limits.perCase()-already, time.Millisecond),
		Total: total,
		Wall:  max(min(wall, idle), time.Millisecond),
	}
	if r.limits.elastic() {
		b.More = r.limits.more
	}
	return b
}

// load sends the program. It returns why the program does not load, or nil; the error is never
// the sample's fault.
func (r *run) load() (*callFailure, error) {
	if r.made != nil {
		r.clock.start()
		if failed, err := r.awaitReady(); failed != nil || err != nil {
			return failed, err
		}
	} else if err := r.sample.ready(); err != nil {
		return nil, err
	}
	r.clock.start()
	r.sample.box.Arm(r.budget(0))
	if r.task.Language == "r" {
		r.sample.channel.send(rOrder(map[string]string{"program": rText(r.program), "entry": rText(r.task.EntryPoint)}))
	} else {
		order := map[string]string{"program": r.program, "entry": r.task.EntryPoint}
		if r.loops {
			order["watch"] = "soon"
		}
		r.sample.channel.send(order)
	}
	var m fromSample
	if err := r.sample.channel.receive(&m); err != nil {
		f, err := r.ended(err)
		return &f, err
	}
	switch m.Kind {
	case "loaded":
		return nil, nil
	case "endless":
		return r.endless(m), nil
	case "syntax":
		return &callFailure{verdicts.Status(verdicts.CompileError), m.shown()}, nil
	}
	return r.notLoaded(m.answer), nil
}

// notLoaded returns why a program that parses does not load.
func (r *run) notLoaded(m answer) *callFailure {
	f := r.raised(m)
	if entryIsClass(r.task) {
		f.Text = strings.Replace(f.Text, "the answer defines no function "+r.task.EntryPoint, "the answer defines no class "+r.task.EntryPoint, 1)
	}
	return &f
}

// call relays one call, and returns the answer for the checker.
func (r *run) call(order fromChecker) any {
	refused := func(f callFailure) any {
		return map[string]any{"k": "failed", "status": f.Status, "text": f.Text}
	}
	if r.lost != nil {
		return refused(callFailure{verdicts.NotRun, "it could not be run"})
	}
	if r.decided {
		r.retire()
		return refused(callFailure{verdicts.NotRun, "an earlier test case failed"})
	}
	if why := r.usedUp(); why != "" {
		r.retire()
		return refused(callFailure{verdicts.NotRun, why})
	}
	if order.Case != r.idleCase {
		r.idleCase, r.caseIdle = order.Case, 0
	}
	if order.Life != 0 && (r.sample == nil || order.Life != r.life) {
		return refused(callFailure{verdicts.Status(verdicts.RuntimeError), "the object was lost with the process that held it"})
	}
	if r.sample == nil { // the process of earlier calls has ended
		if r.lost = r.launch(); r.lost != nil {
			return refused(callFailure{})
		}
		failed, err := r.load()
		if r.lost = err; err != nil || failed != nil {
			if failed == nil {
				failed = &callFailure{}
			}
			r.retire()
			return refused(*failed)
		}
	}
	s, kills := r.sample, len(r.kills)
	before := s.usage()
	r.clock.live = before.Excused()
	answer, failed := r.exchange(s, order)
	step := used(before, s.usage())
	r.caseCPU[order.Case] += step.CPU
	r.caseIdle += max(step.Idle-unnoticed, 0)
	if order.Trial {
		r.kills = r.kills[:kills]
	}
	if failed != nil {
		return refused(*failed)
	}
	if late := r.late(r.caseCPU[order.Case]); late != nil {
		return refused(*late)
	}
	return answer
}

// exchange sends the call to the sample, whose usage was just measured, and reads the answer.
func (r *run) exchange(s *sample, order fromChecker) (answer any, failed *callFailure) {
	budget := r.budget(r.caseCPU[order.Case])
	budget.Coarse = true
	s.box.Arm(budget)
	if r.task.Language == "r" {
		args, err := rArguments(order.Args, order.Kwargs)
		if err != nil {
			r.lost = brokenTests{err.Error()}
			return nil, &callFailure{Status: verdicts.NotRun, Text: err.Error()}
		}
		s.channel.send(rOrder(map[string]string{"id": strconv.Itoa(order.ID), "args": args}))
	} else {
		if order.Share != nil && order.Shared != r.life {
			order.Share = json.RawMessage(`{"assign":[],"drop":[]}`)
		}
		s.channel.send(map[string]any{"id": order.ID, "op": order.Op, "on": order.On, "name": order.Name,
			"args": order.Args, "kwargs": order.Kwargs, "watch": order.Watch, "share": order.Share})
	}
	var m fromSample
	if err := s.channel.receive(&m); err != nil {
		f, err := r.ended(err)
		r.lost = err
		return nil, &f
	}
	s.box.Disarm()
	if m.Kind == "endless" {
		return nil, r.endless(m)
	}
	if m.ID != order.ID {
		return nil, r.kill(callFailure{verdicts.Status(verdicts.RuntimeError), "the process answered out of turn"})
	}
	switch m.Kind {
	case "value":
		return valueAnswer{"value", m.Value, m.Changed, m.Shared, r.life}, nil
	case "large":
		return nil, r.kill(callFailure{verdicts.Status(verdicts.OutputLimit), "the returned value is too large"})
	case "raise":
		if m.is("MemoryError") {
			return nil, r.kill(callFailure{verdicts.Status(verdicts.MemoryLimit), m.shown()})
		}
		raised := r.raise(m.answer)
		if m.Shared != nil {
			raised["shared"], raised["life"] = m.Shared, r.life
		}
		return raised, nil
	case "exit":
		return nil, r.kill(callFailure{verdicts.Status(verdicts.RuntimeError), "the program tried to exit: " + m.shown()})
	}
	return nil, r.kill(callFailure{verdicts.Status(verdicts.RuntimeError), "the process answered in an unknown way"})
}

// raise is the checker's message that a call ended with an exception.
func (r *run) raise(m answer) map[string]any {
	return map[string]any{"k": "raise", "names": append([]string{}, m.Names...), "text": verdicts.Clip(m.Text, maxSaid), "shown": r.raised(m).Text}
}

// raised converts an exception to a failure.
func (r *run) raised(m answer) callFailure {
	f := callFailure{verdicts.Status(verdicts.RuntimeError), m.shown()}
	if m.is("MemoryError") {
		f.Status = verdicts.Status(verdicts.MemoryLimit)
	}
	if m.is("BlockingIOError") || strings.Contains(m.Text, "can't start new thread") {
		f.Text += "; at most " + strconv.Itoa(r.limits.Processes) + " processes and threads are allowed"
	}
	return f
}

// endless ends the process of a program that was found in an infinite loop, see
// python/endless.py.
func (r *run) endless(m fromSample) *callFailure {
	r.loops = true
	text := "it never ends: the loop in line %d comes to the same values again (%s)"
	return r.kill(callFailure{verdicts.Status(verdicts.TimeLimit), verdicts.Clip(verdicts.StripEscapes(fmt.Sprintf(text, m.Line, verdicts.Clip(m.Source, maxSaid))), 400)})
}

// kill ends the process because of an answer that fails the sample.
func (r *run) kill(f callFailure) *callFailure {
	r.kills = append(r.kills, f)
	r.hogged(f)
	r.retire()
	return &f
}

// ended returns why the process no longer answers.
func (r *run) ended(cause error) (callFailure, error) {
	var f callFailure
	switch {
	case errors.Is(cause, errFrameTooLarge):
		f = callFailure{verdicts.Status(verdicts.OutputLimit), "the returned value is too large"}
		r.sample.close()
	case errors.Is(cause, errMalformed):
		f = callFailure{verdicts.Status(verdicts.RuntimeError), "the process wrote something other than an answer"}
		r.sample.close()
	default:
		r.settle()
		f = failure(r.sample.close())
	}
	end := r.sample.end
	r.clock.live = r.sample.usage().Excused()
	f.Text = cmp.Or(r.idled(end.Cause), f.Text)
	switch end.Cause {
	case sandbox.Cancelled:
		return f, context.Canceled
	case sandbox.Lost:
		return f, errLost
	}
	if end.Cause == sandbox.CPU {
		f.Text = r.beyond()
		defer r.stop()
	}
	if end.Cause == sandbox.Memory && r.hogs > 0 && r.memoryMB() < r.limits.MemoryMB {
		f.Text = fmt.Sprintf("it used more memory than the %d MB that are left to each after a test case has reached the limit of %d MB", r.memoryMB(), r.limits.MemoryMB)
	}
	r.kills = append(r.kills, f)
	r.hogged(f)
	r.retire()
	return f, nil
}

var errLost = errors.New("the sample's box was lost")

// settle waits briefly for a process that closed its channel but still lives: it may be about to
// exit, and its exit decides the verdict.
func (r *run) settle() {
	select {
	case <-r.sample.box.Done():
	case <-time.After(2 * time.Second):
	}
}

// retire closes the process, if there is one, and adds its usage.
func (r *run) retire() {
	if r.sample == nil {
		return
	}
	end := r.sample.close()
	r.used += r.sample.usage().CPU
	r.clock.ended(r.sample.usage())
	r.result.CPUMS = r.used.Milliseconds()
	r.result.MemoryKB = max(r.result.MemoryKB, end.Usage.PeakKB)
	r.keepOutputs(end.Outputs)
	if r.result.Stdout == "" {
		r.result.Stdout = verdicts.Clip(verdicts.StripEscapes(string(end.Stdout)), 16<<10)
	}
	if r.result.Stderr == "" {
		r.result.Stderr = verdicts.Clip(verdicts.StripEscapes(string(end.Stderr)), 16<<10)
	}
	if end.Cause == sandbox.Output || end.Cause == sandbox.Files { // perhaps detected only now
		r.kills = append(r.kills, failure(end))
	}
	r.spent = r.spent || end.Cause == sandbox.CPUTotal
	r.sample = nil
}
