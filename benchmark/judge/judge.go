package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/language"
)

// Options configure a Judge. The zero value is useful.
type Options struct {
	Box     sandbox.Box // nil: warm boxes of bubblewrap, which must work here. The caller closes a box that it gives.
	Workers int         // samples judged at the same time; 0: one for each processor, and see [Judge.Grow]
	Python  string      // a Python interpreter; "": /usr/bin/python3, or else python3 on the PATH

	// HashSeed is the seed of Python's hashes, on which the order of sets depends; 0 means the
	// default, 1. Do not mix results under different seeds.
	HashSeed uint32

	// Tasks are the tasks to be judged, as far as they are known: modules that they import are
	// loaded once, and not by every sample.
	Tasks []benchmark.Task

	Repositories Repositories // without a table, repository tasks are not judged
}

// Judge judges code. It is safe for concurrent use.
type Judge struct {
	box        sandbox.Box
	ownBox     bool
	python     interpreter
	noPython   error
	tools      tools         // for whole programs
	made       artefacts     // compiled programs
	workers    chan *checker // one element for each free worker; nil: not started yet
	growth     growth        // of the number of workers
	unknown    sync.Map      // hashes of tasks whose calls cannot be recorded
	references sync.Map      // results of reference solutions, by the hash of the task
	slow       atomic.Bool   // some reference solution needs a longer limit
	alone      chan struct{} // has an element while a sample has all workers, or waits for them
	memory     *memory
	sampleWall time.Duration                 // the constant, except in tests
	checkerCPU time.Duration                 // likewise
	compileCPU time.Duration                 // likewise
	usualCPU   float64                       // seconds instead of the default limit, in tests; 0: the default
	pace       func(context.Context) float64 // slowness, except in tests
	libraryMu  sync.Mutex
	libraries  map[string]*library // by language and directory
	modules    modules
	repository Repositories
	runner     *repository.Runner // see repositories
	runnerErr  error
	runnerOnce sync.Once
	ctx        context.Context
	cancel     context.CancelFunc
	closeOnce  sync.Once
}

// New prepares a Judge and checks that its box works; the error names the cause and the fix. A
// missing interpreter is no error: Judge then returns not_judged.
func New(o Options) (*Judge, error) {
	j := &Judge{box: o.Box, alone: make(chan struct{}, 1), memory: newMemory(), growth: newGrowth(o.Workers), repository: o.Repositories, sampleWall: sampleWall, checkerCPU: checkerCPU, compileCPU: compileCPU}
	if j.box == nil {
		box, err := sandbox.NewBubblewrap()
		if err != nil {
			return nil, err
		}
		if err := box.Probe(context.Background()); err != nil {
			box.Close()
			return nil, err
		}
		j.box, j.ownBox = sandbox.NewWarm(box), true
	}
	j.pace = j.slowness
	j.workers = make(chan *checker, j.growth.most)
	for range j.growth.size {
		j.workers <- nil
	}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.tools.box = j.box
	j.python, j.noPython = findPythonFor(j.ctx, j.box, o.Python)
	j.python.hashSeed, j.python.imports = cmp.Or(o.HashSeed, 1), importsFor(o.Tasks)
	if o.Python != "" && j.noPython == nil {
		j.noPython = j.tryPython()
	}
	return j, nil
}

// Close ends all processes. Pending calls of Judge return an error.
func (j *Judge) Close() error {
	j.closeOnce.Do(func() {
		j.cancel()
		for range j.Workers() {
			if c := <-j.workers; c != nil {
				c.box.Close()
			}
		}
		j.tools.close()
		if j.ownBox {
			j.box.Close()
		}
	})
	return nil
}

// Enforcement maps each limit to the mechanism that enforces it, as every result records it.
func (j *Judge) Enforcement() map[string]string { return j.box.Enforcement() }

// sandboxRetries is how often a sample is run again after an error that is not its fault.
const sandboxRetries = 2

// maxCode bounds the code in bytes, below the limits of a box on files and memory.
const maxCode = 16 << 20

// Judge runs the code against the task's tests. Whatever the code does becomes a Result; the
// error is for a cancelled context or a closed Judge.
func (j *Judge) Judge(ctx context.Context, s verdicts.Submission) (final verdicts.Result, _ error) {
	if s.Task.Repository != nil {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(j.ctx, cancel)()
		return j.judgeRepository(ctx, s)
	}
	tool, lib, err := j.prepare(s.Task)
	if err == nil {
		err = j.missingForAnswer(s.Task, s.Code, lib)
	}
	if err != nil {
		return NotReady(s.Task, err), nil
	}
	result := verdicts.Result{Enforcement: j.box.Enforcement(), Isolation: verdicts.Isolated, Library: lib.String()}
	if len(s.Code) > maxCode {
		result.Verdict, result.Message = verdicts.CompileError, fmt.Sprintf("the code is %d MB long; the limit is %d MB", len(s.Code)>>20, maxCode>>20)
		return result, nil
	}
	if s.Task.Tests.InProcess || s.Task.Tests.Style == benchmark.Script {
		result.Isolation = verdicts.InProcess
	}
	if j.box.Name() == "none" {
		result.Isolation = verdicts.Unprotected // a sample could reach into the checker
	}
	result.Interpreter = j.python.String()
	if tool != nil {
		result.Interpreter = tool.String()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(j.ctx, cancel)()
	if s.Alone {
		end, err := j.takeOthers(ctx)
		if err != nil {
			return result, err
		}
		defer end()
	}
	worker, err := j.take(ctx, s.Task)
	if err != nil {
		return result, err
	}
	defer func() { j.workers <- worker }()
	giveBack, err := j.memory.reserve(ctx, s.Task.ID, s.Task.Limits.WithDefaults().MemoryMB)
	if err != nil {
		return result, fmt.Errorf("judging was interrupted: %w", err)
	}
	defer func() { giveBack(final.MemoryKB) }()

	found, err := j.within(ctx, s, result, tool, lib, &worker)
	if err == nil && found.suspect && j.inseparable(ctx, s.Task, result, lib, &worker) {
		found, err = j.within(ctx, together(s), inOneProcess(result), tool, lib, &worker)
	}
	return found.Result, err
}

// judged is a result with what judging again depends on.
type judged struct {
	verdicts.Result
	suspect bool // isolation may have caused the verdict: the tests worked with objects of the program, or could not run
	reached bool // a case was stopped at its limit or ended beyond it, or the total was used up
}

// judge judges a sample with the worker.
func (j *Judge) judge(ctx context.Context, s verdicts.Submission, l limits, result verdicts.Result, tool *toolchain, lib *library, worker **checker) (judged, error) {
	byCalls, clk := false, j.newClock(l.Limits)
	for try := 0; ; try++ {
		r := &run{
			clock: clk,
			judge: j, task: s.Task, limits: l, tool: tool, library: lib, result: result,
			program: assemble.Join(s.Task, s.Code, s.Assembly), script: assemble.ScriptAfter(s.Task, s.Assembly),
			empty: !assemble.HasCode(s.Task.Language, s.Code), verdictOnly: s.VerdictOnly, plain: byCalls || !batchable(s.Task),
		}
		err := j.attempt(ctx, r, worker)
		if ctx.Err() != nil {
			return judged{Result: result}, fmt.Errorf("judging task %s was interrupted: %w", s.Task.ID, context.Cause(ctx))
		}
		r.result.Allowed = r.allowance()
		var broken brokenTests
		switch {
		case errors.As(err, &broken):
			r.result.Verdict, r.result.Message = verdicts.NotJudged, broken.Error()
			return judged{r.result, true, r.reached}, nil
		case errors.Is(err, errReplay) && !byCalls:
			byCalls = true
			try--
			continue
		case err != nil && try < sandboxRetries:
			clk = j.newClock(l.Limits)
			continue
		case err != nil:
			r.result.Verdict, r.result.Message = verdicts.SandboxError, err.Error()
			return judged{r.result, false, r.reached}, nil
		}
		r.keepOutputs(nil)
		r.renumber(s.Code)
		failed := r.result.Verdict == verdicts.WrongAnswer || r.result.Verdict == verdicts.RuntimeError
		return judged{r.result, r.objects && failed, r.reached}, nil
	}
}

// attempt runs a sample once. It starts a checker if necessary.
func (j *Judge) attempt(ctx context.Context, r *run, worker **checker) error {
	program := isProgram(r.task.Tests.Style)
	switch {
	case program && r.task.Tests.Checker == "":
		return r.doProgram(ctx, nil)
	case !program && r.task.Tests.InProcess:
		return r.doInProcess(ctx)
	}
	if *worker != nil && (!(*worker).alive() || (*worker).library != r.library) {
		(*worker).box.Close()
		*worker = nil
	}
	if *worker == nil {
		c, err := startChecker(j.ctx, j.box, j.python, r.library)
		if err != nil {
			return err
		}
		*worker = c
	}
	c := *worker
	r.fresh = c.uses == 0
	// A checker cannot be interrupted: it is killed with the sample's context.
	stop := context.AfterFunc(ctx, func() { c.box.Kill(sandbox.Cancelled) })
	defer stop()
	var err error
	if program {
		err = r.doProgram(ctx, c)
	} else if r.task.Tests.Style.Predicts() {
		err = r.doPrediction(ctx, c)
	} else {
		err = r.do(ctx, c)
	}
	if err != nil {
		c.box.Close()
		*worker = nil
	}
	return err
}

// take waits for a free worker, and prefers one that has loaded the task's tests.
func (j *Judge) take(ctx context.Context, task *benchmark.Task) (*checker, error) {
	select {
	case w := <-j.workers:
		if ctx.Err() != nil {
			j.workers <- w
			return nil, fmt.Errorf("judging was interrupted: %w", context.Cause(ctx))
		}
		return j.preferLoaded(w, task), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("judging was interrupted: %w", context.Cause(ctx))
	}
}

// takeOthers waits until all workers except the one that the caller takes next are free, takes
// them, and returns a function that releases them.
func (j *Judge) takeOthers(ctx context.Context) (end func(), err error) {
	interrupted := func() error { return fmt.Errorf("judging was interrupted: %w", context.Cause(ctx)) }
	select {
	case j.alone <- struct{}{}:
	case <-ctx.Done():
		return nil, interrupted()
	}
	var taken []*checker
	end = func() {
		for _, c := range taken {
			j.workers <- c
		}
		<-j.alone
	}
	for len(taken) < j.Workers()-1 {
		select {
		case c := <-j.workers:
			taken = append(taken, c)
		case <-ctx.Done():
			end()
			return nil, interrupted()
		}
	}
	return end, nil
}

// preferLoaded exchanges a worker for a free one that has loaded the task's tests, if there is
// one.
func (j *Judge) preferLoaded(w *checker, task *benchmark.Task) *checker {
	if isProgram(task.Tests.Style) || len(j.workers) == 0 {
		return w
	}
	key := testsKey(task)
	for range j.Workers() {
		if w != nil && w.tasks[key] != nil {
			break
		}
		select {
		case other := <-j.workers: // the place of w in the channel is free
			j.workers <- w
			w = other
		default:
			return w
		}
	}
	return w
}

// Ready returns why a task cannot be judged here, or nil. If a program or a library is missing,
// the error names what to install.
func (j *Judge) Ready(task *benchmark.Task) error {
	if task.Repository != nil {
		return j.readyRepository(task)
	}
	_, _, err := j.prepare(task)
	return err
}

// prepare finds the programs and the library that judging a task needs. The error is that of
// Ready.
func (j *Judge) prepare(task *benchmark.Task) (*toolchain, *library, error) {
	tool, err := j.ready(task)
	if err == nil {
		err = j.hasStandard(task, tool)
	}
	if err != nil {
		return nil, nil, err
	}
	lib, err := j.library(task)
	if err == nil {
		err = j.missingPackages(task, lib)
	}
	return tool, lib, err
}

// NotReady returns the result for a task that cannot be judged here, for the reason that
// [Judge.Ready] gives.
func NotReady(task *benchmark.Task, reason error) verdicts.Result {
	r := verdicts.Result{Verdict: verdicts.NotJudged, Message: reason.Error(), MissingTool: task.HasTests() && Known(task) == nil}
	if task.Repository != nil {
		r.Resolution = outcomes.EnvironmentError
	}
	return r
}

// Known returns why no machine can judge a task, or nil: assay does not know its language or the
// style of its tests. The wording is that of Ready.
func Known(task *benchmark.Task) error {
	if task.Repository != nil {
		return nil
	}
	switch style := task.Tests.Style; {
	case isProgram(style):
		return cmp.Or(programError(task), language.CheckStandard(task.Language, task.Standard))
	case !slices.Contains(benchmark.Styles[:], style):
		return fmt.Errorf("the task's tests have the unknown style %q", style)
	}
	return languageError(task)
}

// ready returns the programs of the task's language; nil for functions in Python, which need only
// the interpreter.
func (j *Judge) ready(task *benchmark.Task) (*toolchain, error) {
	switch style := task.Tests.Style; {
	case style == benchmark.NoTests:
		return nil, errors.New("the task has no tests: it is judged by the tester alone")
	case isProgram(style) && task.Tests.Checker != "" && j.noPython != nil:
		return nil, fmt.Errorf("the task's own checker needs Python: %w", j.noPython)
	case isProgram(style):
		if err := programError(task); err != nil {
			return nil, err
		}
		return j.tools.find(j.ctx, task.Language, j.python, j.noPython)
	case !slices.Contains(benchmark.Styles[:], style):
		return nil, fmt.Errorf("the task's tests have the unknown style %q", style)
	}
	if err := languageError(task); err != nil || j.noPython != nil {
		return nil, cmp.Or(err, j.noPython)
	}
	if task.Language == "python" {
		return nil, nil
	}
	return j.tools.find(j.ctx, task.Language, j.python, nil)
}
