package study

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/session"
	"assay/session/engine"
	"assay/store"
)

// newClose returns `assay study close`.
func newClose(io *console.IO, g *console.Globals) *cobra.Command {
	return ownerVerb(io, g, "close", "Close a session that nobody will continue",
		`Close an open session as abandoned. Its data stay in the store, and reports name it as
abandoned. In a store that testers share, another tester then gets the place in the
study.`, func(s *session.State, reason string) []session.Payload {
			return append(engine.Interrupted(s), session.Flagged{Reason: session.ClosedByOwner + reason}, session.Closed{Reason: "abandoned"})
		})
}

// newAllow returns `assay study allow`.
func newAllow(io *console.IO, g *console.Globals) *cobra.Command {
	return ownerVerb(io, g, "allow", "Let a session continue after a longer gap than its study allows",
		`A study may refuse to continue a session after a long gap ('late = "refuse"'). This allows
the session to continue, and flags it with the reason.`, func(s *session.State, reason string) []session.Payload {
			return []session.Payload{session.Flagged{Reason: "allowed by the study's owner: " + reason}}
		})
}

// ownerVerb returns a verb by which a study's owner adds events to an open session.
func ownerVerb(io *console.IO, g *console.Globals, name, short, long string, events func(s *session.State, reason string) []session.Payload) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: name + " SESSION", Short: short, Long: long + "\n\nThe reason, --reason, is recorded in the session.",
		Example: fmt.Sprintf("  assay study %s last --reason 'the tester is ill'", name),
		RunE: func(cmd *cobra.Command, args []string) error {
			meant, err := stores.SessionArg(cmd, args)
			if err != nil {
				return err
			}
			if strings.TrimSpace(reason) == "" {
				return console.Usagef("give the reason in a few words: --reason \"the tester is ill\"; it is recorded")
			}
			kept, err := stores.OpenExisting(io, g)
			if err != nil {
				return err
			}
			id, err := appendTo(cmd.Context(), kept, meant, func(s *session.State) []session.Payload { return events(s, reason) })
			if err = errors.Join(err, kept.Close()); err != nil {
				return err
			}
			fmt.Fprintf(io.Err, "recorded in session %s\n", id)
			return nil
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, in a few `words`")
	return cmd
}

// appendTo adds events to an open session that no program has open.
func appendTo(ctx context.Context, kept *store.Store, meant string, events func(*session.State) []session.Payload) (string, error) {
	id, err := stores.SessionID(kept, meant)
	if err != nil {
		return "", err
	}
	return id, engine.Amend(ctx, kept, id, func(s *session.State) ([]session.Payload, error) {
		if s.Closed != "" {
			return nil, fmt.Errorf("session %s is %s already", id, s.Closed)
		}
		return events(s), nil
	})
}
