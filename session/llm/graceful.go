package llm

import (
	"context"
	"time"
)

// Graceful returns a client that lets requests under way finish within grace after their context has ended,
// since they are paid for. Closing abandon, which may be nil, cancels them at once. A request whose context
// has already ended is not sent.
func Graceful(c Client, grace time.Duration, abandon <-chan struct{}) Client {
	return graceful{c, grace, abandon}
}

type graceful struct {
	client  Client
	grace   time.Duration
	abandon <-chan struct{}
}

func (g graceful) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	whole, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() {
		select {
		case <-whole.Done():
		case <-g.abandon:
			cancel()
		case <-ctx.Done():
			select {
			case <-whole.Done():
			case <-g.abandon:
			case <-time.After(g.grace):
			}
			cancel()
		}
	}()
	return g.client.Stream(whole, req, delta)
}
