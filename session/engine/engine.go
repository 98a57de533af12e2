package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring/inspect"
	"assay/session"
	"assay/session/llm"
)

// Store keeps logs and the large texts beside them.
type Store interface {
	// Append commits events that continue the session's log, with the texts that they refer to, and returns
	// them sealed.
	Append(ctx context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error)
	Events(id string, from uint64) ([]session.Event, error)
	Blob(ref session.Ref) ([]byte, error)
}

// Judge judges code for a task.
type Judge interface {
	Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error)
}

// Config configures the engine of a live session.
type Config struct {
	Store  Store
	Judge  Judge // nil if code cannot run: verdicts are then not_judged with NoJudge
	Trees  Trees // nil if repositories cannot be read
	Client llm.Client

	Against llm.Client // of the second model of the plan's arena; nil without one

	// Holds returns how many tokens the model's context holds; 0: not known. It may ask the server. nil: nobody knows.
	Holds func(context.Context) int

	// Analysis rates answers' code by analysers; nil: assay's own rules do.
	Analysis *batch.Analysis

	Stamp func() session.Stamp

	Mode string // how the tester works, see session.Environment

	NoJudge string // why code is not run, for the tester

	// Broke is called once for each panic outside the intents, on the goroutine that panicked, so that a
	// process with several sessions can end just this one. With goesOn the session can continue: judging or
	// measuring panicked, would panic again on every restart, and the recorded result says so. If nil, a
	// panic ends the process.
	Broke func(why any, goesOn bool)

	// KeepEvery is the interval in which what has arrived of an answer is stored; the default is half a second.
	KeepEvery time.Duration

	// RetryEvery is the interval for retrying to store a result; the default is a second.
	RetryEvery time.Duration
}

// Engine is the background of one live session. Its methods are safe for
// concurrent use.
type Engine struct {
	cfg   Config
	tasks []*benchmark.Task // by index of the plan

	mu    sync.Mutex // orders appends; guards the fields below
	state atomic.Pointer[session.State]
	texts map[session.Ref][]byte

	closed bool // nothing is appended any more

	along      turns // the turns that are sent along with the next prompt
	alongBytes int   // their bytes

	changed chan struct{}
	trouble atomic.Pointer[string] // why an event cannot be stored

	streams  [2]stream   // of sides A and B; the first where one model answers
	progress [2]progress // likewise
	activity activity
	pulse    atomic.Int64 // monotonic time of the last tick of Pulse, in milliseconds; 0: it does not run

	readiness readiness
	holds     atomic.Int64 // tokens that the model's context holds; 0: not known

	life atomic.Pointer[life] // context of answers and verdicts, ended by Close
	jobs sync.WaitGroup
}

// Begin opens a new session with the given id and the plan's tasks.
func Begin(ctx context.Context, cfg Config, opened session.Opened, tasks []*benchmark.Task) (*Engine, error) {
	e := newEngine(cfg, session.New(), tasks)
	texts := map[session.Ref][]byte{}
	for i, t := range tasks {
		ref, text := session.TaskContent(t)
		if i >= len(opened.Plan.Tasks) || opened.Plan.Tasks[i].Content != ref {
			return nil, fmt.Errorf("task %q is not task %d of the plan", t.ID, i)
		}
		texts[ref] = text
	}
	if err := e.append(ctx, opened.Session, texts, opened); err != nil {
		return nil, err
	}
	e.askContext()
	return e, nil
}

// Reopen continues a session from its log: after a quit, a crash or on another day. It records work that
// was interrupted, and redoes missing measurements.
func Reopen(ctx context.Context, cfg Config, id string) (*Engine, error) {
	events, err := cfg.Store.Events(id, 1)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("there is no session %q", id)
	}
	state, err := session.Replay(events)
	if err != nil {
		return nil, fmt.Errorf("session %q cannot be continued: %w", id, err)
	}
	tasks, err := LoadTasks(cfg.Store, state.Plan)
	if err != nil {
		return nil, err
	}
	e := newEngine(cfg, state, tasks)
	if state.Closed != "" {
		return e, nil
	}
	payloads, err := e.late(state)
	if err != nil {
		return nil, err
	}
	texts := map[session.Ref][]byte{}
	payloads = append(payloads, session.Resumed{Reason: "reopened", Mode: cfg.Mode})
	for _, side := range state.Awaited() {
		partial, thinking, err := e.arrived(state.Attempt().On(side))
		if err != nil {
			return nil, err
		}
		payloads = append(payloads, session.AnswerInterrupted{Attempt: state.Attempt().N, Reason: "crashed", Partial: keep(texts, partial), Thinking: keep(texts, thinking), Side: side})
	}
	if err := e.append(ctx, id, texts, payloads...); err != nil {
		return nil, err
	}
	e.askContext()
	e.resumeMeasuring()
	return e, nil
}

// late returns the events to record for a session continued later than the study allows, or an error if it
// must not be continued.
func (e *Engine) late(s *session.State) ([]session.Payload, error) {
	switch {
	case !s.Late(e.cfg.Stamp()):
		return nil, nil
	case s.Plan.Resume.Refuse:
		return nil, fmt.Errorf("the study allows a gap of at most %s, and this session's was longer: ask the study's owner to allow it ('assay study allow %s')", hours(s.Plan.Resume.WithinMS), s.Session)
	}
	return []session.Payload{session.Flagged{Reason: fmt.Sprintf("continued after more than the %s that the study allows", hours(s.Plan.Resume.WithinMS))}}, nil
}

// hours formats a duration in milliseconds as hours.
func hours(ms int64) string { return fmt.Sprintf("%.4g hours", float64(ms)/3_600_000) }

// LoadTasks reads the tasks of a plan as they were when the session opened.
func LoadTasks(store interface {
	Blob(session.Ref) ([]byte, error)
}, plan session.Plan) ([]*benchmark.Task, error) {
	tasks := make([]*benchmark.Task, len(plan.Tasks))
	for i, p := range plan.Tasks {
		t := &benchmark.Task{ID: p.ID, Title: p.Title, Difficulty: p.Difficulty, Type: p.Type, Category: p.Category}
		if p.Content != "" {
			text, err := store.Blob(p.Content)
			if err != nil {
				return nil, fmt.Errorf("the text of task %q: %w", p.ID, err)
			}
			if err := json.Unmarshal(text, t); err != nil {
				return nil, fmt.Errorf("the text of task %q: %w", p.ID, err)
			}
		}
		tasks[i] = t
	}
	return tasks, nil
}

func newEngine(cfg Config, state *session.State, tasks []*benchmark.Task) *Engine {
	cfg.RetryEvery = cmp.Or(cfg.RetryEvery, time.Second)
	e := &Engine{cfg: cfg, tasks: tasks, texts: map[session.Ref][]byte{}, changed: make(chan struct{}, 1)}
	e.live()
	e.state.Store(state)
	return e
}

// life is the context of background work.
type life struct {
	context.Context
	end context.CancelFunc
}

func (e *Engine) live() {
	ctx, end := context.WithCancel(context.Background())
	e.life.Store(&life{ctx, end})
}

// background returns the context of answers and verdicts.
func (e *Engine) background() context.Context { return e.life.Load() }

// State returns the committed state of the session. Callers must not change it.
func (e *Engine) State() *session.State { return e.state.Load() }

// Changes receives a value after something has changed. It is lossy: read State, Streamed and Trouble again
// after each value.
func (e *Engine) Changes() <-chan struct{} { return e.changed }

// Trouble returns the reason why results cannot be stored, or "".
func (e *Engine) Trouble() string {
	if t := e.trouble.Load(); t != nil {
		return *t
	}
	return ""
}

// Task returns the complete task with that index in the plan.
func (e *Engine) Task(index int) *benchmark.Task { return e.tasks[index] }

// Text reads a text that an event refers to; the empty reference is "".
func (e *Engine) Text(ref session.Ref) (string, error) {
	if ref == "" {
		return "", nil
	}
	e.mu.Lock()
	text, known := e.texts[ref]
	e.mu.Unlock()
	if known {
		return string(text), nil
	}
	text, err := e.cfg.Store.Blob(ref)
	if err != nil {
		return "", err
	}
	e.mu.Lock()
	e.texts[ref] = text
	e.mu.Unlock()
	return string(text), nil
}

// Verdict reads the per-test-case results behind a recorded verdict.
func (e *Engine) Verdict(v *session.VerdictRecorded) (verdicts.Result, error) {
	return readDetail[verdicts.Result](e.Text, v.Detail)
}

// Inspected reads everything behind recorded measures.
func (e *Engine) Inspected(m *session.Measured) (inspect.Report, error) {
	return readDetail[inspect.Report](e.Text, m.Detail)
}

// Close ends the background work and pauses the session so that it can be reopened later. It does not
// change a session that has ended. After an error the session goes on: an awaited answer is interrupted,
// and stopped tests are run again.
func (e *Engine) Close(ctx context.Context) error {
	e.life.Load().end()
	e.jobs.Wait()
	s := e.State()
	if s.Closed != "" {
		return nil
	}
	var payloads []session.Payload
	texts := map[session.Ref][]byte{}
	for _, side := range s.Awaited() {
		payloads = append(payloads, e.broken(texts, s.Attempt().N, side, "quit"))
	}
	if s.Paused == "" {
		payloads = append(payloads, session.Paused{Reason: "quit"})
	}
	if len(payloads) > 0 {
		if err := e.do(ctx, texts, payloads...); err != nil {
			e.live()
			for _, side := range s.Awaited() { // the model is not asked any more
				e.job(func() { e.interrupted(s.Attempt().N, side) })
			}
			e.resumeMeasuring()
			return err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return nil
}

// errClosed is returned by intents after Close.
var errClosed = errors.New("the session was left")

// do appends events to the open session.
func (e *Engine) do(ctx context.Context, texts map[session.Ref][]byte, payloads ...session.Payload) error {
	return e.decide(ctx, func(*session.State) (map[session.Ref][]byte, []session.Payload, error) {
		return texts, payloads, nil
	})
}

// decide appends the events that f returns for the current state.
func (e *Engine) decide(ctx context.Context, f func(*session.State) (map[session.Ref][]byte, []session.Payload, error)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosed
	}
	s := e.state.Load()
	texts, payloads, err := f(s)
	if err != nil || len(payloads) == 0 {
		return err
	}
	return e.commit(ctx, s.Session, texts, payloads)
}

// append commits payloads to a session whose id the state may not contain yet.
func (e *Engine) append(ctx context.Context, id string, texts map[session.Ref][]byte, payloads ...session.Payload) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.commit(ctx, id, texts, payloads)
}

// remembered is the size in bytes up to which stored texts stay in memory. Output files of programs may be
// larger, and are seldom read.
const remembered = 1 << 20

// commit checks payloads against the rules, stores them, and only then publishes the new state. Either all
// payloads are committed or none. The caller holds mu.
func (e *Engine) commit(ctx context.Context, id string, texts map[session.Ref][]byte, payloads []session.Payload) error {
	s := e.state.Load()
	stamp := e.cfg.Stamp()
	if ms := e.frozen(s, stamp); ms > 0 {
		payloads = append([]session.Payload{session.Suspended{MS: ms, Frozen: true}}, payloads...)
	}
	next, events, err := applied(s, stamp, payloads)
	if err == nil {
		events, err = chosen(next, events, stamp)
	}
	if err != nil {
		return err
	}
	sealed, err := e.cfg.Store.Append(ctx, id, events, texts)
	if err != nil {
		return fmt.Errorf("this was not saved: %w", err)
	}
	next.Hash = sealed[len(sealed)-1].Hash
	for ref, text := range texts {
		if len(text) <= remembered {
			e.texts[ref] = text
		}
	}
	e.state.Store(next)
	if len(payloads) > 1 || payloads[0].Kind() != session.KindHeartbeat { // heartbeats are not visible
		e.notify()
	}
	return nil
}

// Go runs f on a new goroutine. If Config.Broke is set, a panic in f affects only this session. Start every
// goroutine of a session with Go.
func (e *Engine) Go(f func()) { go e.guarded(f) }

// job is Go for goroutines that Close waits for.
func (e *Engine) job(f func()) { e.jobs.Go(func() { e.guarded(f) }) }

func (e *Engine) guarded(f func()) {
	if e.cfg.Broke != nil {
		defer func() {
			if why := recover(); why != nil {
				e.cfg.Broke(why, false)
			}
		}()
	}
	f()
}

// survives calls f and reports whether it returned without panicking. If Config.Broke is set it recovers
// from the panic.
func (e *Engine) survives(f func()) (whole bool) {
	if e.cfg.Broke != nil {
		defer func() {
			if why := recover(); why != nil {
				whole = false
				e.cfg.Broke(why, true)
			}
		}()
	}
	f()
	return true
}

// notify wakes the reader of Changes.
func (e *Engine) notify() {
	select {
	case e.changed <- struct{}{}:
	default:
	}
}

// errNoTask is returned by intents that need an open task.
var errNoTask = errors.New("no task is open")
