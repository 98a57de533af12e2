package llm

import (
	"context"
	"crypto/tls"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"
)

// Deps are the external dependencies of clients. Zero fields default to the real ones, so production uses
// Deps{}; tests replace what they need.
type Deps struct {
	// Recorded finds the recorded answer to an attempt (from 1) at a task, and decides what follows the
	// last recording. The rehearsal provider needs it.
	Recorded func(task string, attempt int) (text string, ok bool)

	Getenv func(string) string                              // os.Getenv
	Sleep  func(ctx context.Context, d time.Duration) error // waits until d has passed or ctx ends
	Random func() float64                                   // uniform in [0, 1); safe for concurrent use
	Now    func() time.Time                                 // used only for dates in Retry-After
	// sends HTTP requests; share it among models of one server
	Transport http.RoundTripper
	RunKey    func(ctx context.Context, argv []string) (string, error) // runs a key command and returns its output

	Agents Agents // starts programs of provider "agent"; nil: such models give errors

	// Once leaves retrying temporary failures to the caller.
	Once bool
}

// EnsureDefaults fills in the zero fields of d.
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
		d.Transport = newTransport(d.Getenv)
	}
	if d.RunKey == nil {
		d.RunKey = runKeyCommand
	}
	return d
}

// newTransport returns the standard library's HTTP transport with enough idle connections to a server for
// the concurrent requests of a batch, which trusts the authorities in the file that SSL_CERT_FILE names.
func newTransport(getenv func(string) string) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = t.MaxIdleConns
	t.OnProxyConnectResponse = refusedByProxy
	if pool := withAuthorities(getenv("SSL_CERT_FILE")); pool != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return t
}

// overSocket splits the address of a server behind a Unix socket, unix:///PATH or unix:///PATH:/v1, into one over HTTP
// and the socket's path; other addresses stay as they are.
func overSocket(base string) (address, socket string) {
	socket, is := strings.CutPrefix(base, "unix://")
	if !is {
		return base, ""
	}
	socket, path, _ := strings.Cut(socket, ":")
	return "http://localhost" + path, socket
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
