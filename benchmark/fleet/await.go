package fleet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/nats-io/nats.go"
)

// longestPause is the longest pause between two attempts to reach a server.
const longestPause = 4 * time.Second

// await connects to a server, for which it waits: workers may be started before their coordinator. Each pause
// is about twice the one before.
func await(ctx context.Context, l Link) (*connection, error) {
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, longestPause) {
		c, err := dial(ctx, l)
		if err == nil || !absent(err) {
			return c, err
		}
		if l.Say != nil && pause == 250*time.Millisecond {
			l.Say(fmt.Sprintf("%v; waiting for it", err))
		}
		if err := wait(ctx, pause/2+rand.N(pause)); err != nil {
			return nil, err
		}
	}
}

// absent reports whether there is no server at an address yet, or none that answers.
func absent(err error) bool {
	var failed *net.OpError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.As(err, &failed) && failed.Op == "dial"
}
