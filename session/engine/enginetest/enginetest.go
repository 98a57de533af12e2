// Package enginetest runs a live session in memory: a store, a clock that moves only when told to, and a
// model and judge whose results the test determines. The tests of the engine and of the screens use it.
package enginetest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
)

// Verify checks that events, once stored, would be a complete and unaltered log.
func Verify(events []session.Event) error {
	texts := make([][]byte, len(events))
	for i, e := range events {
		var err error
		if texts[i], err = json.Marshal(e); err != nil {
			return err
		}
	}
	_, err := session.VerifyLog(texts)
	return err
}

// Clock is a clock that tests move.
type Clock struct {
	mu      sync.Mutex
	wall    int64
	mono    int64
	process string
}

// NewClock starts at a fixed time, in the first process.
func NewClock() *Clock { return &Clock{wall: 1_800_000_000_000, mono: 0, process: "p1"} }

// Stamp reads the clock.
func (c *Clock) Stamp() session.Stamp {
	c.mu.Lock()
	defer c.mu.Unlock()
	return session.Stamp{Wall: c.wall, Mono: c.mono, Process: c.process, Boot: "b1"}
}

// Advance moves wall and monotonic time by ms milliseconds.
func (c *Clock) Advance(ms int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall, c.mono = c.wall+ms, c.mono+ms
}

// Sleep moves only wall time, like a suspended machine.
func (c *Clock) Sleep(ms int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall += ms
}

// Restart starts another process after ms milliseconds.
func (c *Clock) Restart(ms int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall, c.mono, c.process = c.wall+ms, 0, c.process+"'"
}

// Store keeps logs and texts in memory.
type Store struct {
	mu    sync.Mutex
	logs  map[string][]session.Event
	texts map[session.Ref][]byte
	fail  error
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{logs: map[string][]session.Event{}, texts: map[session.Ref][]byte{}}
}

// Fail makes every append fail with err, until it is called with nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// Append implements engine.Store. Events go through their JSON form, as in a real store.
func (s *Store) Append(_ context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return nil, s.fail
	}
	log := s.logs[id]
	sealed := make([]session.Event, 0, len(events))
	for _, e := range events {
		if want := uint64(len(log)+len(sealed)) + 1; e.Seq != want {
			return nil, fmt.Errorf("event %d is appended where %d is due", e.Seq, want)
		}
		prev := ""
		if n := len(sealed); n > 0 {
			prev = sealed[n-1].Hash
		} else if n := len(log); n > 0 {
			prev = log[n-1].Hash
		}
		e, err := e.Seal(prev)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		var stored session.Event
		if err := json.Unmarshal(text, &stored); err != nil {
			return nil, err
		}
		sealed = append(sealed, stored)
	}
	for ref, text := range texts {
		if session.RefOf(text) != ref {
			return nil, fmt.Errorf("text %s is not what its reference says", ref)
		}
		s.texts[ref] = text
	}
	s.logs[id] = append(log, sealed...)
	return sealed, nil
}

// Events implements engine.Store.
func (s *Store) Events(id string, from uint64) ([]session.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.logs[id]
	if from > uint64(len(log)) {
		return nil, nil
	}
	return append([]session.Event(nil), log[from-1:]...), nil
}

// Blob implements engine.Store.
func (s *Store) Blob(ref session.Ref) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.texts[ref]
	if !ok {
		return nil, fmt.Errorf("there is no text %s", ref)
	}
	return text, nil
}

// Client gives the answers it was told to, in order. When none is left it waits until the request is
// cancelled.
type Client struct {
	mu      sync.Mutex
	answers []any // llm.Answer or error
	gate    chan struct{}
	life    int // counts processes
	Asked   []llm.Request
}

// Say queues a complete answer.
func (c *Client) Say(text string) { c.Answer(llm.Answer{Text: text, FinishReason: "stop"}) }

// Answer queues an answer.
func (c *Client) Answer(a llm.Answer) { c.add(a) }

// Fail queues a failure.
func (c *Client) Fail(err error) { c.add(err) }

func (c *Client) add(answer any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers = append(c.answers, answer)
	if c.gate != nil {
		close(c.gate)
		c.gate = nil
	}
}

func (c *Client) next(req llm.Request, life int) (answer any, gate chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if life != c.life {
		return nil, nil
	}
	if len(c.answers) == 0 {
		if c.gate == nil {
			c.gate = make(chan struct{})
		}
		return nil, c.gate
	}
	answer, c.answers = c.answers[0], c.answers[1:]
	c.Asked = append(c.Asked, req)
	return answer, nil
}

// Requests lists the requests so far.
func (c *Client) Requests() []llm.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]llm.Request(nil), c.Asked...)
}

// asker is the client as seen by one process: requests of a process that has ended get no answer.
type asker struct {
	*Client
	life int
}

// Stream implements llm.Client. The answer arrives in two pieces.
func (c asker) Stream(ctx context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	for {
		answer, gate := c.next(req, c.life)
		switch answer := answer.(type) {
		case llm.Answer:
			shown := cmp.Or(answer.Transcript, answer.Text)
			half := len(shown) / 2
			delta(shown[:half])
			delta(shown[half:])
			answer.Model = "scripted"
			return answer, nil
		case error:
			return llm.Answer{}, answer
		}
		select {
		case <-gate:
		case <-ctx.Done():
			return llm.Answer{}, ctx.Err()
		}
	}
}

// Judge derives the verdict from the code: code that contains "wrong" fails its second test case, code that contains
// "raise" all of them in the same way, other code passes. Code that contains "savefig" leaves files, with "paint" also a picture; with "forever" it
// hangs in its second test case.
type Judge struct{}

// Judge implements engine.Judge.
func (Judge) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	if ctx.Err() != nil {
		return verdicts.Result{}, ctx.Err()
	}
	if task.Repository != nil {
		return judgeRepository(task, code), nil
	}
	if task.Tests.Style == benchmark.Stdin && task.EntryPoint == "" { // a scratch run prints its last line
		lines := strings.Split(strings.TrimSpace(code), "\n")
		r := verdicts.Result{Verdict: verdicts.WrongAnswer, Stdout: "ran " + lines[len(lines)-1] + "\n"}
		for _, name := range task.Outputs { // of files only those called big are there
			r.Outputs = append(r.Outputs, verdicts.OutputFile{Name: name, Problem: verdicts.NothingLeft})
			if strings.HasPrefix(name, "big") {
				r.Outputs[len(r.Outputs)-1].Problem = "it is too large"
			}
		}
		return r, nil
	}
	if code == "" {
		return verdicts.Result{Verdict: verdicts.RuntimeError, Message: "there is no code to run", Total: 3}, nil
	}
	r := verdicts.Result{
		Verdict: verdicts.Accepted, Passed: 3, Total: 3, CPUMS: 41, WallMS: 60, MemoryKB: 11 << 10, Isolation: "isolated",
		Interpreter: "CPython 3.11.2", Enforcement: map[string]string{"net": "namespace", "memory": "cgroup"},
		Cases: []verdicts.CaseResult{
			{Index: 1, Status: verdicts.Passed, Call: task.EntryPoint + "(1)"},
			{Index: 2, Status: verdicts.Passed, Call: task.EntryPoint + "(2)"},
			{Index: 3, Status: verdicts.Passed, Call: task.EntryPoint + "(3)"},
		},
	}
	if strings.Contains(code, "savefig") {
		r.Outputs = files()
	}
	if strings.Contains(code, "paint") {
		r.Outputs = append([]verdicts.OutputFile{painting()}, r.Outputs...)
	}
	if strings.Contains(code, "forever") {
		verdicts.Reached(ctx, verdicts.Progress{Done: 1, Total: r.Total, Ended: r.Cases[:1]})
		<-ctx.Done()
		return verdicts.Result{}, ctx.Err()
	}
	if strings.Contains(code, "wrong") {
		r.Verdict, r.Passed = verdicts.WrongAnswer, 2
		r.Cases[1] = verdicts.CaseResult{Index: 2, Status: verdicts.Status(verdicts.WrongAnswer), Call: task.EntryPoint + "(2)", Expected: "4", Got: "5", Edge: true}
	}
	if line := slices.IndexFunc(strings.Split(code, "\n"), func(l string) bool { return strings.Contains(l, "raise") }); line >= 0 {
		r.Verdict, r.Passed = verdicts.RuntimeError, 0
		for i := range r.Cases {
			r.Cases[i].Status, r.Cases[i].Message = verdicts.Status(verdicts.RuntimeError), fmt.Sprintf("TypeError: no number (line %d: raise TypeError)", line+1)
		}
	}
	return r, nil
}

// files returns a program's output: a picture, a text that tries to clear the screen, and a link.
func files() []verdicts.OutputFile {
	list := []verdicts.OutputFile{
		{Name: "plot.png", Data: append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x80\x00\x00\x01\xe0\x08\x02\x00\x00\x00\xba\xb3K\xb3"), make([]byte, 18_600)...)},
		{Name: "table.csv", Data: []byte("n,\x1b[2Jdouble\n" + strings.Repeat("1,2\n", 20))},
		{Name: "notes.txt", Problem: "it is a symbolic link, which is not followed"},
	}
	for i, f := range list[:2] {
		list[i].Size, list[i].Kind = int64(len(f.Data)), verdicts.ContentKind(f.Data)
	}
	return list
}

// painting returns a picture as a program's output: red and green over blue and white.
func painting() verdicts.OutputFile {
	const width, height = 320, 200
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i, c := range []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}} {
		at := image.Pt(i%2*width/2, i/2*height/2)
		draw.Draw(img, image.Rectangle{at, at.Add(image.Pt(width/2, height/2))}, image.NewUniform(c), image.Point{}, draw.Src)
	}
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		return verdicts.OutputFile{Name: "painting.png", Problem: err.Error()}
	}
	return verdicts.OutputFile{Name: "painting.png", Data: data.Bytes(), Size: int64(data.Len()), Kind: verdicts.ContentKind(data.Bytes())}
}

// Rig is a session with its surroundings.
type Rig struct {
	Clock  *Clock
	Store  *Store
	Disk   engine.Store // used in place of Store unless nil
	Client *Client
	Rival  Client // the second model of an arena
	Engine *engine.Engine
	ID     string

	lives []*life // of the engines configured since the last crash
	dead  []*life // of crashed engines
}

// Config returns an engine configuration that uses the rig.
func (r *Rig) Config() engine.Config {
	l := &life{Store: r.Store, left: make(chan struct{})}
	if r.Disk != nil {
		l.Store = r.Disk
	}
	r.lives = append(r.lives, l)
	return engine.Config{Store: l, Judge: Judge{}, Trees: Trees{}, Client: asker{r.Client, r.Client.life}, Against: asker{&r.Rival, r.Rival.life}, Stamp: r.Clock.Stamp, RetryEvery: time.Millisecond}
}

// Benchmark returns a benchmark of n small tasks and a practice task.
func Benchmark(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Version: 1, Name: "tiny"}
	b.Tasks = append(b.Tasks, benchmark.Task{
		ID: "warm-up", Title: "Warm-up", Language: "python", Description: "Return the number.", EntryPoint: "same", Practice: true,
	})
	for i := range n {
		t := benchmark.Task{
			ID: fmt.Sprintf("double-%d", i+1), Title: fmt.Sprintf("Double %d", i+1), Language: "python",
			Description: "Return twice the number that is given. The number is never negative.",
			EntryPoint:  "double", Signature: benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "n", Type: "int"}}, Returns: "int"},
			Constraints: []string{"0 ≤ n ≤ 1000"}, Examples: []benchmark.Example{{Input: "double(2)", Output: "4"}},
			Difficulty: benchmark.Difficulties[i%3], Type: "numerical", Category: "functions",
			Reference: "def double(n):\n    return 2 * n\n",
			Tests:     benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: []json.RawMessage{[]byte("2")}, Expected: []byte("4")}}},
		}
		b.Tasks = append(b.Tasks, t)
	}
	return b
}

// New begins a session over a tiny benchmark. The adjust functions change the choice first.
func New(tasks int, adjust ...func(*session.Choice)) (*Rig, error) {
	choice := session.Choice{
		Benchmark: Benchmark(tasks), Seed: 1, Reference: true,
		Model: session.Model{Name: "scripted", Provider: "openai", Model: "scripted-1"},
	}
	for _, f := range adjust {
		f(&choice)
	}
	plan, list, err := choice.Plan()
	if err != nil {
		return nil, err
	}
	return Begin("01JTESTSESSION", plan, list)
}

// Arena adds a second model to the choice of a session.
func Arena(c *session.Choice) {
	c.Against = &session.Model{Name: "rival", Provider: "openai", Model: "rival-1"}
}

// Begin begins a session with a plan.
func Begin(id string, plan session.Plan, tasks []*benchmark.Task) (*Rig, error) {
	r := &Rig{Clock: NewClock(), Store: NewStore(), Client: &Client{}, ID: id}
	var err error
	r.Engine, err = engine.Begin(context.Background(), r.Config(), session.Opened{Session: r.ID, Plan: plan}, tasks)
	return r, err
}

// life is the store as seen by one process: a crashed process appends nothing.
type life struct {
	engine.Store
	mu    sync.Mutex
	ended bool
	left  chan struct{} // closed by Bury
}

func (l *life) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
}

// Append implements engine.Store.
func (l *life) Append(ctx context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error) {
	l.mu.Lock()
	if l.ended {
		l.mu.Unlock()
		select { // a dead process does nothing more
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.left:
			return nil, errGone
		}
	}
	defer l.mu.Unlock()
	return l.Store.Append(ctx, id, events, texts)
}

// errGone is the store's error for a crashed process.
var errGone = errors.New("the process is gone")

// Kill drops every engine like a killed process: what was committed stays, and nothing more is committed.
func (r *Rig) Kill() {
	for _, l := range r.lives {
		l.end()
	}
	r.dead, r.lives = append(r.dead, r.lives...), nil
	for _, c := range []*Client{r.Client, &r.Rival} {
		c.mu.Lock()
		c.life++
		c.mu.Unlock()
	}
}

// Bury releases goroutines of killed engines that still wait for the store, for tests that kill many
// engines.
func (r *Rig) Bury() {
	for _, l := range r.dead {
		close(l.left)
	}
	r.dead = nil
}

// Crash drops the engine like a killed process and reopens the session after gap milliseconds.
func (r *Rig) Crash(gap int64) error {
	r.Kill()
	r.Clock.Restart(gap)
	var err error
	r.Engine, err = engine.Reopen(context.Background(), r.Config(), r.ID)
	return err
}

// Reopen closes the engine and opens the session again with another configuration, until the test ends.
func (r *Rig) Reopen(t testing.TB, configure func(*engine.Config)) *engine.Engine {
	t.Helper()
	ctx := context.Background()
	fatal.If(t, r.Engine.Close(ctx))
	cfg := r.Config()
	configure(&cfg)
	eng, err := engine.Reopen(ctx, cfg, r.ID)
	fatal.If(t, err)
	t.Cleanup(func() { _ = eng.Close(ctx) })
	r.Engine = eng
	return eng
}

// Until waits for the engine to reach a state.
func (r *Rig) Until(ctx context.Context, reached func(*session.State) bool) error {
	for !reached(r.Engine.State()) {
		select {
		case <-ctx.Done():
			return errors.New("the session did not get there in time")
		case <-r.Engine.Changes():
		}
	}
	return nil
}
