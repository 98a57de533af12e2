package generate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"assay/benchmark/outputs"
	"assay/data/disk"
	"assay/data/filelock"
	"assay/session"
	"assay/session/llm"
	"assay/session/llm/endpoint"
)

const (
	lockName    = "lock"
	answersName = "answers"

	// grace is how long requests under way may take to finish when a run is stopped: they are paid for.
	grace = 30 * time.Second
)

// ErrInUse is returned if another process works on the same run.
var ErrInUse = errors.New("another process is working on this run: wait until it ends, or stop it")

// ErrStopped is returned when the context ends, after storing everything under way.
var ErrStopped = errors.New("the generation was interrupted")

// Options specify what to generate, and where.
type Options struct {
	Plan   Plan
	Dir    string   // of the run; it may be missing or contain an earlier part of this run
	Extend bool     // the plan may extend the run in Dir
	Reuse  []string // directories of other runs, from which answers to the same cells are copied
	Budget float64  // in the currency of the models' prices; 0: no limit

	// Dry opens a run only to see what is left to do: nothing is written, and Dir may be empty.
	Dry bool

	Deps llm.Deps

	// Abandon, when closed, cancels the requests under way. It may be nil.
	Abandon <-chan struct{}
	// Progress is called a few times a second, from one goroutine. It may be nil.
	Progress func(Progress)
}

// Run is a directory of stored and wanted answers.
type Run struct {
	o       Options
	cells   *cells
	models  []*asked
	account *Account
	lock    *os.File
	failing *failures
	began   time.Time // start of Generate
	ended   time.Time // end of Generate; zero while it runs
	taken   int       // answers copied from other runs when it was opened
}

// asked is a model of a run.
type asked struct {
	model      llm.Model
	definition string
	client     llm.Client
	endpoint   *endpoint.Endpoint
	journals   map[string]*journal // by the name of the wording

	mu         sync.Mutex
	stored     bits
	count      int            // number of set bits in stored
	before     int            // count when the run was opened
	usedBefore int64          // tokens of those answers
	lengths    []int32        // of the stored answers, in bytes
	flagged    map[int][]Flag // by the cell's number, without Runaway
	usage      usage
	accounts   map[string]session.Account // what its answers took as servers count it, by the name of the wording
	failed     int                        // cells that failed for good in this process
	last       *llm.Error                 // the last of these failures
	down       error                      // why it is not asked any more
	refused    int                        // consecutive cells rejected with 403
}

// Open reads the stored answers of a run and checks that its manifest fits the options.
func Open(o Options) (_ *Run, err error) {
	c, err := newCells(o.Plan)
	if err != nil {
		return nil, err
	}
	r := &Run{o: o, cells: c}
	r.o.Deps.Once = true
	r.o.Deps = r.o.Deps.EnsureDefaults()
	if r.account, err = NewAccount(o.Budget, o.Plan.Models); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if !o.Dry {
		if err := r.lockDir(); err != nil {
			return nil, err
		}
	}
	if o.Dir == "" {
		err = o.Plan.checkSame()
	} else {
		err = r.settle()
	}
	if err != nil {
		return nil, err
	}
	endpoints := map[string]*endpoint.Endpoint{}
	for _, m := range o.Plan.Models {
		a, err := r.open(m, endpoints)
		if err != nil {
			return nil, err
		}
		r.models = append(r.models, a)
	}
	if r.failing, err = r.openFailures(); err != nil {
		return nil, err
	}
	return r, r.reuse()
}

// lockDir creates the directory and locks it.
func (r *Run) lockDir() error {
	if err := disk.MkdirAll(r.o.Dir, 0o755); err != nil {
		return fmt.Errorf("making the directory of the run: %w", err)
	}
	f, err := filelock.Open(filepath.Join(r.o.Dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	switch {
	case errors.Is(err, filelock.ErrTaken):
		return fmt.Errorf("%s: %w", r.o.Dir, ErrInUse)
	case err != nil:
		return fmt.Errorf("locking %s: %w", r.o.Dir, err)
	}
	r.lock = f
	return nil
}

// open reads a model's stored answers.
func (r *Run) open(m llm.Model, endpoints map[string]*endpoint.Endpoint) (*asked, error) {
	client, err := m.Client(r.o.Deps)
	if err != nil {
		return nil, err
	}
	a := &asked{model: m, definition: m.Definition(), client: llm.Graceful(client, grace, r.o.Abandon), journals: map[string]*journal{},
		stored: newBits(r.cells.count()), lengths: make([]int32, r.cells.count()), flagged: map[int][]Flag{}, accounts: map[string]session.Account{}}
	a.endpoint = r.share(m, endpoints)
	for _, name := range r.cells.names() {
		if r.o.Dir == "" {
			a.journals[name] = &journal{grown: make(chan struct{})}
		} else if a.journals[name], err = openJournal(answersPath(r.o.Dir, m.Name, name), r.o.Dry, func(_ int, line Answer) error {
			return r.recall(a, line)
		}); err != nil {
			return nil, err
		}
	}
	a.before, a.usedBefore = a.count, a.usage.out
	return a, nil
}

// answersPath returns the file of a model's answers to a wording.
func answersPath(dir, model, prompt string) string {
	return filepath.Join(dir, answersName, outputs.SafeName(model), outputs.SafeName(prompt)+".jsonl")
}

// share returns the endpoint of a model: models of one server share one, with the strictest of their
// limits.
func (r *Run) share(m llm.Model, endpoints map[string]*endpoint.Endpoint) *endpoint.Endpoint {
	if e := endpoints[m.Server()]; e != nil {
		return e
	}
	var limits llm.Limits
	for _, other := range r.o.Plan.Models {
		if other.Server() == m.Server() {
			limits = strictest(limits, other.Limits())
		}
	}
	if m.StartsProgram() && limits.Concurrent == 0 {
		limits.Concurrent = runtime.NumCPU()
	}
	e := endpoint.New(limits, r.o.Deps.Random)
	endpoints[m.Server()] = e
	return e
}

// strictest returns the smaller of each two limits; 0 means none.
func strictest(a, b llm.Limits) llm.Limits {
	less := func(x, y int) int {
		if x == 0 || y != 0 && y < x {
			return y
		}
		return x
	}
	return llm.Limits{Concurrent: less(a.Concurrent, b.Concurrent), RequestsPerMinute: less(a.RequestsPerMinute, b.RequestsPerMinute),
		TokensPerMinute: less(a.TokensPerMinute, b.TokensPerMinute)}
}

// recall counts a stored answer.
func (r *Run) recall(a *asked, line Answer) error {
	x, ok := r.cells.find(line.TaskID, line.Prompt, line.Sample)
	if !ok || r.cells.key(a.definition, x) != line.Key {
		return fmt.Errorf("the answer belongs to no cell of this run (task %q, prompt %q, sample %d): restore the file", line.TaskID, line.Prompt, line.Sample)
	}
	number := r.cells.number(x)
	if a.stored.has(number) {
		return fmt.Errorf("the answer is the second one for its cell (task %q, prompt %q, sample %d): remove one of the two", line.TaskID, line.Prompt, line.Sample)
	}
	r.note(a, number, r.cells.prompts[x.task][x.prompt].Text, line)
	if line.From == "" {
		r.account.Charge(CostOf(a.model, r.cells.prompts[x.task][x.prompt].Text, line))
	}
	return nil
}

// note counts a stored answer. The caller holds the model's lock, unless nobody else has access to the
// model yet.
func (r *Run) note(a *asked, number int, prompt string, line Answer) {
	a.stored.set(number)
	a.count++
	a.lengths[number] = int32(min(len(line.Text), math.MaxInt32))
	if len(line.Flags) > 0 {
		a.flagged[number] = line.Flags
	}
	a.usage.add(a.model, line, prompt)
	sum := a.accounts[line.Prompt]
	sum.Add(line.account())
	a.accounts[line.Prompt] = sum
}

// Generate requests everything that is not stored yet. It returns nil when everything possible is stored,
// ErrStopped if the context ended, ErrBudget, or a disk error; the Summary tells what is missing and why.
func (r *Run) Generate(ctx context.Context) error {
	r.began = time.Now()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var watchers, models sync.WaitGroup
	over := make(chan struct{})
	watchers.Go(func() { r.report(over) })
	watchers.Go(func() { r.keep(over, stop) })
	for _, a := range r.models {
		models.Go(func() {
			if err := r.askAll(ctx, a); err != nil {
				stop(err)
			}
			for _, j := range a.journals {
				j.end()
			}
		})
	}
	models.Wait()
	close(over)
	watchers.Wait()
	r.ended = time.Now()
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return r.overBudget()
	case errors.Is(cause, context.Canceled):
		return ErrStopped
	default:
		return cause
	}
}

// overBudget returns the error of a model that was stopped by the budget, if there is one.
func (r *Run) overBudget() error {
	for _, a := range r.models {
		if errors.Is(a.down, ErrBudget) {
			return a.down
		}
	}
	return nil
}

// keep flushes written answers to disk, once a second and at the end.
func (r *Run) keep(over <-chan struct{}, stop context.CancelCauseFunc) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for last := false; !last; {
		select {
		case <-tick.C:
		case <-over:
			last = true
		}
		for _, a := range r.models {
			for _, j := range a.journals {
				if err := j.sync(); err != nil {
					stop(fmt.Errorf("writing answers: %w", err))
				}
			}
		}
	}
}

// askAll requests all cells that a model has not answered.
func (r *Run) askAll(ctx context.Context, a *asked) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	todo := make(chan cell)
	go func() {
		defer close(todo)
		r.cells.each(func(x cell) bool {
			a.mu.Lock()
			stored := a.stored.has(r.cells.number(x))
			a.mu.Unlock()
			if stored {
				return true
			}
			select {
			case todo <- x:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	var workers sync.WaitGroup
	for range min(a.endpoint.Most(), r.cells.count()) {
		workers.Go(func() {
			for x := range todo {
				if err := r.ask(ctx, a, x); err != nil {
					stop(err)
				}
			}
		})
	}
	workers.Wait()
	cause := context.Cause(ctx)
	if errors.Is(cause, endpoint.ErrDown) || errors.Is(cause, ErrBudget) {
		// Other models may still work: their servers may be up, or cost less.
		a.mu.Lock()
		defer a.mu.Unlock()
		a.down = cause
		return nil
	}
	if cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// Read reads a model's answers to a wording from the first one, and waits for more while they are being
// generated.
func (r *Run) Read(model, prompt string) *Reader {
	for _, a := range r.models {
		if a.model.Name == model {
			return &Reader{journal: a.journals[prompt]}
		}
	}
	panic("generate: the run has no model " + model)
}

// Close flushes everything to disk and releases the run.
func (r *Run) Close() error {
	var errs []error
	for _, a := range r.models {
		for _, j := range a.journals {
			errs = append(errs, j.close())
		}
	}
	if r.failing != nil {
		errs = append(errs, r.failing.close())
	}
	if r.lock != nil {
		errs = append(errs, r.lock.Close())
	}
	return errors.Join(errs...)
}

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits      { return make(bits, (n+63)/64) }
func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func (b bits) set(i int)      { b[i/64] |= 1 << (i % 64) }
