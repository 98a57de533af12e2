package endpoint

import (
	"cmp"
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
	firstConcurrent = 4  // initial number of concurrent requests
	mostConcurrent  = 64 // if the models file sets no limit

	// MaxTries is how often a request is sent at most, where its model has no retries of its own.
	MaxTries    = 8
	firstPause  = 500 * time.Millisecond // most before the second try; doubled for each try
	longestWait = 60 * time.Second       // unless the server asks for more
	// Patience is the longest wait that a server may ask for; if it asks for more, the run stops.
	Patience = 15 * time.Minute

	// The reserve is the number of tries beyond the number of answers that a server may cost. Each answer
	// returns one, so a server may fail half of all requests for ever, but not more. A server that has
	// hardly answered yet has a smaller reserve: it is probably down.
	mostReserve, firstReserve = 60, 12
)

// ErrDown is wrapped by the error of every request to a server that was given up, and of a request whose
// key is rejected or whose account has no credit: further requests to the same model are pointless.
var ErrDown = errors.New("the server was given up")

// Endpoint is one server. It is safe for concurrent use.
type Endpoint struct {
	random   func() float64
	most     int
	requests *rate.Limiter // nil: no limit
	tokens   *rate.Limiter // nil: no limit

	mu      sync.Mutex
	line    []chan struct{} // waiting requests; each channel is closed when its request may go on
	limit   float64         // concurrent requests
	flight  int
	cut     time.Time // when limit was last lowered
	until   time.Time // no request before this time
	reserve float64
	down    error
	state   State
}

// State is a snapshot for display.
type State struct {
	Limit    int       // allowed concurrent requests
	InFlight int       // requests waiting for an answer or for a retry
	Requests int       // requests sent
	Retries  int       // second and later tries among them
	Until    time.Time // the server asked for no request before; zero or past: it did not
	Down     error     // why it was given up; nil if it was not
}

// New returns the endpoint of a server with the given limits. Random is uniform in [0, 1) and safe for
// concurrent use.
func New(limits llm.Limits, random func() float64) *Endpoint {
	e := &Endpoint{random: random, most: mostConcurrent, reserve: firstReserve}
	if limits.Concurrent > 0 {
		e.most = limits.Concurrent
	}
	e.limit = float64(min(firstConcurrent, e.most))
	// Bursts of one space requests evenly, since servers also limit requests per second.
	if n := limits.RequestsPerMinute; n > 0 {
		e.requests = rate.NewLimiter(rate.Limit(float64(n)/60), 1)
	}
	if n := limits.TokensPerMinute; n > 0 {
		e.tokens = rate.NewLimiter(rate.Limit(float64(n)/60), n)
	}
	return e
}

// Most returns the maximum number of concurrent requests.
func (e *Endpoint) Most() int { return e.most }

// State returns a snapshot.
func (e *Endpoint) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	s.Limit, s.InFlight, s.Until, s.Down = int(e.limit), e.flight, e.until, e.down
	return s
}

// Call is a request for one answer.
type Call struct {
	Client  llm.Client // made with llm.Deps.Once
	Request llm.Request
	Tokens  int // an estimate of the tokens of prompt and answer together
	Tries   int // at most; 0: MaxTries

	// Sent is called for every try, from 1, when it is sent; it may be nil.
	Sent func(try int)
	// Again may prevent a retry by returning an error, which Do then returns; it may be nil.
	Again func() error

	// Failed is called for every failed try, before the next one; it may be nil.
	Failed func(try int, err *llm.Error)
}

// Do gets the answer, with as many tries as needed and allowed; tries is their number. The error is ctx's
// or an *llm.Error, which is wrapped with ErrDown if the reason is the server rather than the request.
func (e *Endpoint) Do(ctx context.Context, c Call) (answer llm.Answer, tries int, err error) {
	most := cmp.Or(c.Tries, MaxTries)
	llm.Tell(ctx, llm.Progress{Stage: llm.Queued, Try: 1, Tries: most})
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
		answer, err := c.Client.Stream(counted(ctx, tries, most), c.Request, nil)
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
		again, err := e.failed(failed, began, tries < most)
		if again && c.Again != nil {
			if err = c.Again(); err != nil {
				again = false
			}
		}
		if !again {
			return llm.Answer{}, tries, err
		}
		// If the server says that there are too many requests, no other request takes this one's place;
		// after other failures one does.
		if inside = failed.Class == llm.RateLimited; !inside {
			e.leave()
		}
		pause := e.pause(tries)
		llm.Tell(ctx, llm.Progress{Stage: llm.Retrying, Try: tries + 1, Tries: most, Why: failed.Brief(), Asked: failed.After > 0, Wait: max(pause, failed.After)})
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

// counted returns ctx with the number of the try in its progress reports.
func counted(ctx context.Context, try, most int) context.Context {
	return llm.WithProgress(ctx, func(p llm.Progress) {
		p.Try, p.Tries = try, most
		llm.Tell(ctx, p)
	})
}

// enter waits for a place among the concurrent requests, in FIFO order.
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

// admit gives free places to waiting requests; to all of them if the server was given up, so that they
// fail. The caller holds the lock.
func (e *Endpoint) admit() {
	for len(e.line) > 0 && (e.flight < int(e.limit) || e.down != nil) {
		close(e.line[0])
		e.line = e.line[1:]
		e.flight++
	}
}

// leave passes the place on.
func (e *Endpoint) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flight--
	e.admit()
}

// wait waits for the rate limits and for the pause that the server asked for.
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
		// Spread the requests over another tenth of the pause.
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
	e.admit() // there may be another place
}

// failed decides what follows a failed try that began at the given time: a retry, if more are allowed, or the error of
// the call.
func (e *Endpoint) failed(f *llm.Error, began time.Time, more bool) (again bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down != nil {
		return false, e.down
	}
	switch {
	case f.Class == llm.Auth || f.Class == llm.Quota || f.Class == llm.NotAModel && !f.Passing():
		return false, &downError{*f} // of this model only: other models of the server may have another key
	case !f.Passing():
		return false, f
	case f.After > Patience:
		return false, e.giveUp(f, fmt.Sprintf("it asks to wait %v", f.After.Round(time.Second)))
	}
	if overloaded(f) && began.After(e.cut) {
		// Requests already under way when the limit was lowered tell nothing new.
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
	if !more {
		return false, f
	}
	return true, nil
}

// overloaded reports whether a failure calls for fewer concurrent requests.
func overloaded(f *llm.Error) bool {
	switch f.Class {
	case llm.RateLimited, llm.TimedOut, llm.Unreachable:
		return true
	}
	return f.Status == 503 || f.Status == 529
}

// giveUp ends all requests to this server. The caller holds the lock.
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

// pause returns how long to wait after the given number of tries: uniform between 0 and a bound that doubles
// ("full jitter", Brooker 2015).
func (e *Endpoint) pause(tries int) time.Duration {
	bound := min(firstPause<<(tries-1), longestWait)
	return time.Duration(e.random() * float64(bound))
}

// Client returns a client that sends its requests through the endpoint. Answers arrive as a whole: a piece
// that was passed on could not be taken back if the request is retried.
func (e *Endpoint) Client(c llm.Client) llm.Client { return paced{e, c} }

type paced struct {
	endpoint *Endpoint
	client   llm.Client // made with llm.Deps.Once
}

func (p paced) Stream(ctx context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	const perToken, answer = 4, 400 // characters per token, and tokens of an answer, roughly
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
