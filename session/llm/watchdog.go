package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// expired is the cause with which a watchdog cancels a context.
type expired struct {
	what  string        // "no connection", "nothing arrived", …
	limit time.Duration // the limit that was exceeded
	key   string        // the models-file key that sets the limit
}

func (e *expired) Error() string { return fmt.Sprintf("%s within %v", e.what, e.limit) }

// watchdog cancels a context if the expected event does not happen in time.
type watchdog struct {
	cancel context.CancelCauseFunc

	mu      sync.Mutex // a transport reports its connection from another goroutine
	timer   *time.Timer
	stopped bool
}

// newWatchdog returns a watched context; nothing is expected yet.
func newWatchdog(parent context.Context) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &watchdog{cancel: cancel}
}

// expect replaces the previous expectation. A limit of 0 means none.
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

// withTotal limits a whole request, including retries. 0 means no limit.
func withTotal(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &expired{what: "the answer was not complete", limit: limit, key: "total_timeout"})
}

// timeoutError returns e as an error about what was attempted.
func (e *expired) timeoutError(attempted, partial string) *Error {
	return &Error{
		Class:   TimedOut,
		Message: fmt.Sprintf("%s: %s within %v", attempted, e.what, e.limit),
		Advice:  fmt.Sprintf("try again, or raise %s of this model in the models file", e.key),
		Partial: partial,
		Err:     e,
	}
}
