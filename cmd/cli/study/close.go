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
			return append(Interrupted(s), session.Flagged{Reason: session.ClosedByOwner + reason}, session.Closed{Reason: "abandoned"})
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
	return id, Record(ctx, kept, id, func(s *session.State) ([]session.Payload, error) {
		if s.Closed != "" {
			return nil, fmt.Errorf("session %s is %s already", id, s.Closed)
		}
		return events(s), nil
	})
}

// Interrupted ends the wait of a session whose program died while it waited.
func Interrupted(s *session.State) []session.Payload {
	if s.Phase != session.Wait {
		return nil
	}
	return []session.Payload{session.AnswerInterrupted{Attempt: s.Attempt().N, Reason: "crashed"}}
}

// Record adds events to a session that no program has open, as a process of its own: the
// time since the last event does not count as work.
func Record(ctx context.Context, kept *store.Store, id string, events func(*session.State) ([]session.Payload, error)) error {
	log, err := kept.Events(id, 1)
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
	stamp, next := engine.SystemClock()(), s.Clone()
	var added []session.Event
	for i, p := range payloads {
		e := session.Event{Seq: s.Seq + 1 + uint64(i), Version: 1, Stamp: stamp, Payload: p}
		if err := next.Apply(e); err != nil {
			return err
		}
		added = append(added, e)
	}
	_, err = kept.Append(ctx, id, added, nil)
	return err
}
