package live

import (
	"context"
	"errors"

	"assay/cmd/cli/study"
	"assay/session"
	"assay/session/engine"
)

// manager changes sessions that no screen has open.
type manager struct{ *Library }

// Rename records a name in the session.
func (m manager) Rename(ctx context.Context, id, name string) error {
	return engine.Amend(ctx, m.Store, id, func(*session.State) ([]session.Payload, error) {
		return []session.Payload{session.Renamed{Name: name}}, nil
	})
}

// Close ends a session that is not part of a study.
func (m manager) Close(ctx context.Context, id string) error {
	return engine.Amend(ctx, m.Store, id, func(s *session.State) ([]session.Payload, error) {
		if s.Plan.Study != nil {
			return nil, errOwners
		}
		reason := "abandoned"
		if s.Over() && len(s.Asked()) == 0 {
			reason = "finished"
		}
		return append(engine.Interrupted(s), session.Closed{Reason: reason}), nil
	})
}

var errOwners = errors.New("the session belongs to a study: its owner closes it with 'assay study close' and withdraws it with 'assay study withdraw'")

// Withdraw deletes a session that is not part of a study, with the files about it beside the store.
func (m manager) Withdraw(_ context.Context, id string) error {
	s, err := m.replay(id)
	if err == nil && s.Plan.Study != nil {
		return errOwners
	}
	if _, err := m.Store.Withdraw(id); err != nil { // works even if the log is damaged
		return err
	}
	_, err = study.RemoveWritten(m.Store.Path(), id)
	return err
}
