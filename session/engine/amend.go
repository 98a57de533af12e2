package engine

import (
	"context"
	"fmt"

	"assay/session"
)

// Amend adds events to a session that no program has open, as a process of its own: the time since the last
// event does not count as work. Events returns them for the session's state. Either all are stored or none.
func Amend(ctx context.Context, store Store, id string, events func(*session.State) ([]session.Payload, error)) error {
	log, err := store.Events(id, 1)
	if err != nil {
		return err
	}
	s, err := session.Replay(log)
	if err != nil {
		return fmt.Errorf("session %s: %w; see 'assay session verify %[1]s'", id, err)
	}
	payloads, err := events(s)
	if err != nil {
		return err
	}
	_, added, err := applied(s, SystemClock()(), payloads)
	if err != nil {
		return err
	}
	_, err = store.Append(ctx, id, added, nil)
	return err
}

// applied returns the state after payloads that are stamped alike, and their events. The error is of the first
// that is not allowed; s is not changed.
func applied(s *session.State, stamp session.Stamp, payloads []session.Payload) (next *session.State, events []session.Event, err error) {
	next = s.Clone()
	for i, p := range payloads {
		e := session.Event{Seq: s.Seq + 1 + uint64(i), Version: 1, Stamp: stamp, Payload: p}
		if err := next.Apply(e); err != nil {
			return nil, nil, err
		}
		events = append(events, e)
	}
	return next, events, nil
}

// Interrupted ends the wait of a session whose program died while it waited.
func Interrupted(s *session.State) []session.Payload {
	var payloads []session.Payload
	for _, side := range s.Awaited() {
		payloads = append(payloads, session.AnswerInterrupted{Attempt: s.Attempt().N, Reason: "crashed", Side: side})
	}
	return payloads
}
