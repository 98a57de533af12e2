package engine

import "assay/session"

// chosen appends what follows at once from events that were applied to s: the choice of the next task of an
// adaptive test, and the end of the session if the test is over and no survey follows.
func chosen(s *session.State, events []session.Event, stamp session.Stamp) ([]session.Event, error) {
	add := func(p session.Payload) error {
		e := session.Event{Seq: s.Seq + 1, Version: 1, Stamp: stamp, Payload: p}
		events = append(events, e)
		return s.Apply(e)
	}
	if !s.WantsChoice() {
		return events, nil
	}
	choice, err := s.Choose()
	if err != nil {
		return nil, err
	}
	if err := add(choice); err != nil {
		return nil, err
	}
	if s.Over() && len(s.Plan.Survey) == 0 {
		return events, add(session.Closed{Reason: "finished"})
	}
	return events, nil
}
