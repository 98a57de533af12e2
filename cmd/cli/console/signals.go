package console

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// SecondInterrupt closes abandon when the user interrupts for the second time, to give up what the first
// interrupt waits for; say tells the user that this is possible. done stops listening.
func SecondInterrupt(say func(string)) (abandon <-chan struct{}, done func()) {
	second, over := make(chan struct{}), make(chan struct{})
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, signals()...)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-interrupts:
			case <-over:
				return
			}
			if n == 1 {
				close(second)
				return
			}
			say("stopping: answers under way are waited for; interrupt again to give them up")
		}
	}()
	return second, func() { signal.Stop(interrupts); close(over) }
}

// ended is the cancellation cause of a context ended by a signal.
type ended struct{ syscall.Signal }

// Error implements error.
func (e ended) Error() string { return "ended by the signal " + e.Signal.String() }

// Is matches context.Canceled, so that verbs treat it like any other cancellation.
func (e ended) Is(target error) bool { return target == context.Canceled }

// Code returns the exit code that shells report for a program ended by the signal.
func (e ended) Code() int { return 128 + int(e.Signal) }

// WithSignals returns a context that ends at the first SIGINT, SIGTERM or SIGHUP. Run then returns that
// signal's exit code, whatever the verb was doing. Later signals are left to the verb, which is saving or
// waiting for answers already paid for.
func WithSignals(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, signals()...)
	go func() {
		select {
		case s := <-heard:
			number, _ := s.(syscall.Signal)
			cancel(ended{number})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(heard)
		cancel(nil)
	}
}

// signals lists the signals that end assay, without those ignored from the start, as under nohup.
func signals() (list []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// endedBy returns the signal that ended ctx.
func endedBy(ctx context.Context) (e ended, ok bool) {
	ok = errors.As(context.Cause(ctx), &e)
	return e, ok
}
