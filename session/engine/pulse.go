package engine

import (
	"context"
	"sync/atomic"
	"time"

	"assay/session"
)

// HeartbeatEvery is the time between heartbeats, and thus the most time that a crash can hide.
const HeartbeatEvery = 10 * time.Second

// activity is the monotonic time of the last key, in milliseconds.
type activity struct{ at atomic.Int64 }

// Active records that the tester did something. It ends idleness.
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

// Pulse records heartbeats, idleness and clock jumps until ctx ends.
func (e *Engine) Pulse(ctx context.Context, ticks <-chan time.Time) {
	defer e.pulse.Store(0)
	for {
		e.pulse.Store(e.cfg.Stamp().Mono)
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			// A heartbeat that cannot be stored is no reason to alarm the tester; the next key will show
			// the error.
			_ = e.Beat(ctx)
		}
	}
}

// frozenMS is the time without a heartbeat, in milliseconds, after which the process must have been stopped.
const frozenMS = 3 * int64(HeartbeatEvery/time.Millisecond)

// frozen returns for how long, in milliseconds, the process was stopped before now, 0 if it was not.
func (e *Engine) frozen(s *session.State, now session.Stamp) int64 {
	last := e.pulse.Load()
	if last == 0 || s.Seq == 0 || s.Closed != "" || s.Paused != "" || now.Process != s.Last.Process {
		return 0
	}
	if ms := now.Mono - max(last, s.Last.Mono); ms > frozenMS {
		return ms
	}
	return 0
}

// suspendMS is how far wall time must run ahead of monotonic time, in milliseconds, to be reported. Clock
// corrections are smaller.
const suspendMS = 2000

// Beat records a heartbeat, and possibly a suspension or the start of idleness. A closed or paused session
// has no heartbeats.
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

// idles reports whether idleness starts now: waiting for the model is not idleness.
func (e *Engine) idles(s *session.State, now session.Stamp) bool {
	if s.Plan.IdleMS <= 0 || s.Idle || s.Phase == session.Wait || s.Phase == session.Between {
		return false
	}
	return now.Mono-e.activity.at.Load() >= s.Plan.IdleMS
}
