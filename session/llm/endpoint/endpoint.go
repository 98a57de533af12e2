package endpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"assay/session/llm"
)

const (
	firstConcurrent = 4  // requests at a time to begin with
	mostConcurrent  = 64 // where the models file sets no limit

	maxTries    = 8                      // of one request
	firstPause  = 500 * time.Millisecond // before the second try at most; doubled for each try
	longestWait = 60 * time.Second       // at most, unless the server asks for more
	// Patience is how long a server may ask to wait before the run stops instead.
	Patience = 15 * time.Minute

	// The reserve is how many tries more than answers a server may cost. Each answer gives one
	// back, so that a server may fail half of all requests for ever, but not more. One that
	// has hardly answered yet has less: it is probably not there.
	mostReserve, firstReserve = 60, 12
)

// ErrDown is wrapped by the error of every request to a server that was given up, and of one
// whose key is refused or whose account has no credit: the same model need not be asked again.
var ErrDown = errors.New("the server was given up")

// Endpoint is one server. It is safe for concurrent use.
type Endpoint struct {
	random   func() float64
	most     int
	requests *rate.Limiter // nil: no limit
	tokens   *rate.Limiter // nil: no limit

	mu      sync.Mutex
	line    []chan struct{} // of requests that wait for a place; each is closed when it has one
	limit   float64         // requests at a time
	flight  int
	cut     time.Time // when limit was last lowered
	until   time.Time // no request before
	reserve float64
	down    error
	state   State
}

// State is what an endpoint is at, for who shows it.
type State struct {
	Limit    int       // requests at a time
	InFlight int       // requests that wait for their answer or for another try
	Requests int       // that were sent
	Retries  int       // of these, second and later tries
	Until    time.Time // the server asked for no request before; zero or past: it did not
	Down     error     // why it was given up; nil: it was not
}

// New returns the endpoint of a server with the given limits. Random is uniform in [0, 1)
// and safe for concurrent use.
func New(limits llm.Limits, random func() float64) *Endpoint {
	e := &Endpoint{random: random, most: mostConcurrent, reserve: firstReserve}
	if limits.Concurrent > 0 {
		e.most = limits.Concurrent
	}
	e.limit = float64(min(firstConcurrent, e.most))
	// Bursts of one: requests come evenly spaced, since servers count seconds, too.
	if n := limits.RequestsPerMinute; n > 0 {
		e.requests = rate.NewLimiter(rate.Limit(float64(n)/60), 1)
	}
	if n := limits.TokensPerMinute; n > 0 {
		e.tokens = rate.NewLimiter(rate.Limit(float64(n)/60), n)
	}
	return e
}

// Most is how many requests at a time there will ever be.
func (e *Endpoint) Most() int { return e.most }

// State is what the endpoint is at now.
func (e *Endpoint) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	s.Limit, s.InFlight, s.Until, s.Down = int(e.limit), e.flight, e.until, e.down
	return s
}

// Call is one answer that is wanted.
type Call struct {
	Client  llm.Client // made with llm.Deps.Once
	Request llm.Request
	Tokens  int // that prompt and answer will have together, as far as one can tell

	// Sent hears of every try, from 1, when it is sent; it may be nil.
	Sent func(try int)
	// Again may keep a failed request from being sent again, by an error that Do then returns;
	// it may be nil.
	Again func() error

	// Failed hears of every try that failed, before the next one; it may be nil.
	Failed func(try int, err *llm.Error)
}

// Do gets the answer, in as many tries as it takes and are allowed; tries says how many
// there were. The error is ctx's, or an *llm.Error, which ErrDown wraps where the server,
// not the request, is the reason.
func (e *Endpoint) Do(ctx context.Context, c Call) (answer llm.Answer, tries int, err error) {
	llm.Tell(ctx, llm.Progress{Stage: llm.Queued, Try: 1, Tries: maxTries})
	if err := e.enter(ctx); err != nil {
		return llm.Answer{}, 0, err
	}
	inside := true
	defer func() {
		if inside {
			e.leave()
		}
	}()
	for {
		if err := e.wait(ctx, c.Tokens); err != nil {
			return llm.Answer{}, tries, err
		}
		tries++
		e.sent(tries)
		if c.Sent != nil {
			c.Sent(tries)
		}
		began := time.Now()
		answer, err := c.Client.Stream(counted(ctx, tries), c.Request, nil)
		if err == nil {
			e.answered()
			return answer, tries, nil
		}
		var failed *llm.Error
		if !errors.As(err, &failed) {
			return llm.Answer{}, tries, err
		}
		if c.Failed != nil {
			c.Failed(tries, failed)
		}
		if ctx.Err() != nil {
			return llm.Answer{}, tries, err
		}
		again, err := e.failed(failed, began, tries)
		if again && c.Again != nil {
			if err = c.Again(); err != nil {
				again = false
			}
		}
		if !again {
			return llm.Answer{}, tries, err
		}
		// A server that says that requests are too many gets none in this one's place; one
		// that failed for another reason does.
		if inside = failed.Class == llm.RateLimited; !inside {
			e.leave()
		}
		pause := e.pause(tries)
		llm.Tell(ctx, llm.Progress{Stage: llm.Retrying, Try: tries + 1, Tries: maxTries, Why: failed.Brief(), Asked: failed.After > 0, Wait: max(pause, failed.After)})
		if err := llm.Sleep(ctx, pause); err != nil {
			return llm.Answer{}, tries, err
		}
		if !inside {
			if err := e.enter(ctx); err != nil {
				return llm.Answer{}, tries, err
			}
			inside = true
		}
	}
}

// counted returns ctx with the number of the try in what is told.
func counted(ctx context.Context, try int) context.Context {
	return llm.WithProgress(ctx, func(p llm.Progress) {
		p.Try, p.Tries = try, maxTries
		llm.Tell(ctx, p)
	})
}

// enter waits for a place among the requests under way. Who came first has it first.
func (e *Endpoint) enter(ctx context.Context) error {
	turn := make(chan struct{})
	e.mu.Lock()
	if e.down != nil {
		defer e.mu.Unlock()
		return e.down
	}
	e.line = append(e.line, turn)
	e.admit()
	e.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := ctx.Err()
	if err == nil {
		err = e.down
	}
	if err == nil {
		return nil
	}
	if i := slices.Index(e.line, turn); i >= 0 {
		e.line = slices.Delete(e.line, i, i+1)
	} else {
		e.flight--
		e.admit()
	}
	return err
}

// admit gives the free places to those who wait; all of them where the server was given
// up, to hear of that. The lock is held.
func (e *Endpoint) admit() {
	for len(e.line) > 0 && (e.flight < int(e.limit) || e.down != nil) {
		close(e.line[0])
		e.line = e.line[1:]
		e.flight++
	}
}

// leave gives the place to the next.
func (e *Endpoint) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flight--
	e.admit()
}

// wait keeps to the server's limits and wishes.
func (e *Endpoint) wait(ctx context.Context, tokens int) error {
	if e.requests != nil {
		if err := e.requests.Wait(ctx); err != nil {
			return err
		}
	}
	if e.tokens != nil {
		if err := e.tokens.WaitN(ctx, min(max(tokens, 1), e.tokens.Burst())); err != nil {
			return err
		}
	}
	for {
		e.mu.Lock()
		left, down := time.Until(e.until), e.down
		e.mu.Unlock()
		if down != nil {
			return down
		}
		if left <= 0 {
			return ctx.Err()
		}
		llm.Tell(ctx, llm.Progress{Stage: llm.Queued, Asked: true, Wait: left})
		// Not all at the same moment: spread over a tenth more.
		if err := llm.Sleep(ctx, left+time.Duration(e.random()*float64(left)/10)); err != nil {
			return err
		}
	}
}

func (e *Endpoint) sent(try int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state.Requests++
	if try > 1 {
		e.state.Retries++
	}
}

// answered raises the limit by one for each round of answers (additive increase).
func (e *Endpoint) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.limit = min(e.limit+1/e.limit, float64(e.most))
	e.reserve = min(e.reserve+1, mostReserve)
	e.admit() // there may be a place more
}

// failed decides what follows a failed try that began at the given time: again, or the
// error of the call.
func (e *Endpoint) failed(f *llm.Error, began time.Time, tries int) (again bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down != nil {
		return false, e.down
	}
	switch {
	case f.Class == llm.Auth || f.Class == llm.Quota:
		return false, &downError{*f} // of this model: others of the server may have another key
	case !f.Passing():
		return false, f
	case f.After > Patience:
		return false, e.giveUp(f, fmt.Sprintf("it asks to wait %v", f.After.Round(time.Second)))
	}
	if overloaded(f) && began.After(e.cut) {
		// Requests that were under way when the limit was lowered say nothing new.
		e.limit = max(e.limit/2, 1)
		e.cut = time.Now()
	}
	if f.After > 0 {
		if until := time.Now().Add(f.After); until.After(e.until) {
			e.until = until
		}
	}
	if e.reserve--; e.reserve < 0 {
		return false, e.giveUp(f, "it fails more often than it answers")
	}
	if tries >= maxTries {
		return false, f
	}
	return true, nil
}

// overloaded reports whether a failure asks for fewer requests at a time.
func overloaded(f *llm.Error) bool {
	switch f.Class {
	case llm.RateLimited, llm.TimedOut, llm.Unreachable:
		return true
	}
	return f.Status == 503 || f.Status == 529
}

// giveUp ends all requests to this server. The lock is held.
func (e *Endpoint) giveUp(f *llm.Error, why string) error {
	last := *f
	if why != "" {
		last.Message += ", and " + why
	}
	e.down = &downError{last}
	e.admit()
	return e.down
}

// downError is the last failure of a server that was given up.
type downError struct{ last llm.Error }

func (d *downError) Error() string   { return d.last.Error() }
func (d *downError) Unwrap() []error { return []error{ErrDown, &d.last} }

// pause is how long to wait before the try after the given number of tries: drawn evenly
// from nothing to a bound that doubles ("full jitter", Brooker 2015).
func (e *Endpoint) pause(tries int) time.Duration {
	bound := min(firstPause<<(tries-1), longestWait)
	return time.Duration(e.random() * float64(bound))
}

// Client is a client that asks by way of the endpoint, for who wants answers one by one. Its
// answers come whole: a piece that was passed on could not be taken back when the request is
// sent again.
func (e *Endpoint) Client(c llm.Client) llm.Client { return paced{e, c} }

type paced struct {
	endpoint *Endpoint
	client   llm.Client // made with llm.Deps.Once
}

func (p paced) Stream(ctx context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	const perToken, answer = 4, 400 // characters, and tokens of an answer, about
	tokens := answer
	for _, m := range req.Messages {
		tokens += len(m.Text) / perToken
	}
	a, _, err := p.endpoint.Do(ctx, Call{Client: p.client, Request: req, Tokens: tokens})
	if err == nil && delta != nil {
		delta(a.Text)
	}
	return a, err
}
