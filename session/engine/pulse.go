package engine

import (
	"context"
	"sync/atomic"
	"time"

	"assay/session"
)

// HeartbeatEvery is the time between two heartbeats: what a crash can hide.
const HeartbeatEvery = 10 * time.Second

// activity is the monotonic reading, in milliseconds, of the last key.
type activity struct{ at atomic.Int64 }

// Active says that the tester does something. It ends an idle stretch.
func (e *Engine) Active(ctx context.Context) error {
	e.activity.at.Store(e.cfg.Stamp().Mono)
	if !e.State().Idle {
		return nil
	}
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if !s.Idle {
			return nil, nil, nil
		}
		return nil, []session.Payload{session.IdleEnded{}}, nil
	})
}

// Pulse beats until ctx ends: heartbeats, idleness, and jumps of the clock.
func (e *Engine) Pulse(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			// A beat that cannot be stored is not worth alarming the tester;
			// their next key will say what is wrong.
			_ = e.Beat(ctx)
		}
	}
}

// suspendMS is how far wall time must run ahead of monotonic time, in
// milliseconds, to be reported. Clock corrections stay below it.
const suspendMS = 2000

// Beat records one heartbeat, and with it a suspension or the beginning of an
// idle stretch. A session that is closed or paused has no heartbeat.
func (e *Engine) Beat(ctx context.Context) error {
	return e.decide(ctx, func(s *session.State) (map[session.Ref][]byte, []session.Payload, error) {
		if s.Closed != "" || s.Paused != "" {
			return nil, nil, nil
		}
		now := e.cfg.Stamp()
		payloads := []session.Payload{session.Heartbeat{}}
		if now.Process == s.Last.Process {
			if jump := (now.Wall - s.Last.Wall) - (now.Mono - s.Last.Mono); jump >= suspendMS {
				payloads = append(payloads, session.Suspended{MS: jump})
			}
		}
		if e.idles(s, now) {
			payloads = append(payloads, session.IdleStarted{AfterMS: s.Plan.IdleMS})
		}
		return nil, payloads, nil
	})
}

// idles reports whether an idle stretch begins: waiting for the model is not
// idleness.
func (e *Engine) idles(s *session.State, now session.Stamp) bool {
	if s.Plan.IdleMS <= 0 || s.Idle || s.Phase == session.Wait || s.Phase == session.Between {
		return false
	}
	return now.Mono-e.activity.at.Load() >= s.Plan.IdleMS
}
