package llm

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"time"
)

// Deps is what clients need from outside. A zero field takes the real thing,
// so that Deps{} is what production starts from; tests replace what they must.
type Deps struct {
	// Recorded finds the recorded answer of an attempt (from 1) at a task. It
	// decides itself what follows the last recording. Without it the rehearsal
	// provider has nothing to play.
	Recorded func(task string, attempt int) (text string, ok bool)

	Getenv    func(string) string                                      // os.Getenv
	Sleep     func(ctx context.Context, d time.Duration) error         // until d has passed or ctx ends
	Random    func() float64                                           // uniform in [0, 1); safe for concurrent use
	Now       func() time.Time                                         // only to read dates in Retry-After
	Transport http.RoundTripper                                        // how HTTP requests are sent; share it among models of one server
	RunKey    func(ctx context.Context, argv []string) (string, error) // runs a key command, returns its output

	// Once leaves it to the caller to send a request again after a failure that may pass.
	Once bool
}

// EnsureDefaults fills the zero fields of d with the real world.
func (d Deps) EnsureDefaults() Deps {
	if d.Recorded == nil {
		d.Recorded = func(string, int) (string, bool) { return "", false }
	}
	if d.Getenv == nil {
		d.Getenv = os.Getenv
	}
	if d.Sleep == nil {
		d.Sleep = Sleep
	}
	if d.Random == nil {
		d.Random = rand.Float64
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Transport == nil {
		d.Transport = NewTransport()
	}
	if d.RunKey == nil {
		d.RunKey = runKeyCommand
	}
	return d
}

// NewTransport is how HTTP requests are sent: as the standard library does, keeping as many
// connections to a server as a batch has requests under way.
func NewTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = t.MaxIdleConns
	return t
}

// Sleep waits for d, or returns ctx's error as soon as ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
