package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// expired is the cause with which a watchdog ends a context.
type expired struct {
	what  string        // "no connection", "nothing arrived", …
	limit time.Duration // the limit that was passed
	key   string        // the models-file key that sets the limit
}

func (e *expired) Error() string { return fmt.Sprintf("%s within %v", e.what, e.limit) }

// watchdog ends a context when what is expected next does not happen in time.
type watchdog struct {
	cancel context.CancelCauseFunc

	mu      sync.Mutex // a transport reports its connection from its own goroutine
	timer   *time.Timer
	stopped bool
}

// newWatchdog returns a context under watch; nothing is expected of it yet.
func newWatchdog(parent context.Context) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &watchdog{cancel: cancel}
}

// expect replaces what was expected before. A limit of 0 expects nothing.
func (w *watchdog) expect(what string, limit time.Duration, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if w.stopped || limit <= 0 {
		return
	}
	cause := &expired{what: what, limit: limit, key: key}
	w.timer = time.AfterFunc(limit, func() { w.cancel(cause) })
}

// stop ends the watch and releases the context.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.cancel(nil)
}

// withTotal bounds the whole of a request, retries included. 0 is no bound.
func withTotal(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &expired{what: "the answer was not complete", limit: limit, key: "total_timeout"})
}

// timeoutError words e as an error about what was attempted.
func (e *expired) timeoutError(attempted, partial string) *Error {
	return &Error{
		Class:   TimedOut,
		Message: fmt.Sprintf("%s: %s within %v", attempted, e.what, e.limit),
		Advice:  fmt.Sprintf("try again, or raise %s of this model in the models file", e.key),
		Partial: partial,
		Err:     e,
	}
}
