package llm

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// lasting answers after a delay, unless it is cancelled.
type lasting time.Duration

func (l lasting) Stream(ctx context.Context, _ Request, _ func(string)) (Answer, error) {
	select {
	case <-time.After(time.Duration(l)):
		return Answer{Text: "whole"}, nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// A request in progress may finish within the grace period after its context has ended, unless it is
// abandoned; no request is sent after that.
func TestGraceful(t *testing.T) {
	const s = time.Second
	for _, tc := range []struct {
		name                   string
		lasts, stop, abandoned time.Duration // 0: never
		took                   time.Duration
		err                    error
	}{
		{"undisturbed", 50 * s, 0, 0, 50 * s, nil},
		{"stopped, and ends within the grace", 20 * s, 5 * s, 0, 20 * s, nil},
		{"stopped, and lasts too long", 90 * s, 5 * s, 0, 35 * s, context.Canceled},
		{"stopped, then given up", 20 * s, 5 * s, 7 * s, 7 * s, context.Canceled},
		{"given up", 20 * s, 0, 7 * s, 7 * s, context.Canceled},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			abandon := make(chan struct{})
			if tc.stop > 0 {
				time.AfterFunc(tc.stop, cancel)
			}
			if tc.abandoned > 0 {
				time.AfterFunc(tc.abandoned, func() { close(abandon) })
			}
			client, began := Graceful(lasting(tc.lasts), 30*s, abandon), time.Now()
			answer, err := client.Stream(ctx, Request{}, nil)
			if took := time.Since(began); took != tc.took || !errors.Is(err, tc.err) || (err == nil) != (answer.Text == "whole") {
				t.Errorf("%s: %+v, %v after %v", tc.name, answer, err, took)
			}
			cancel()
			began = time.Now()
			if _, err := client.Stream(ctx, Request{}, nil); !errors.Is(err, context.Canceled) || time.Since(began) > 0 {
				t.Errorf("%s: a request after the end: %v after %v", tc.name, err, time.Since(began))
			}
		})
	}
}
