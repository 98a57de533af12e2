package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// verified is the JSON form of one session's check.
type verified struct {
	Session string `json:"session"`
	OK      bool   `json:"ok"`
	Events  int    `json:"events"`
	Texts   int    `json:"texts"`
	Problem string `json:"problem,omitempty"`
}

// newVerify makes `assay verify`.
func newVerify(io *IO, g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [SESSION]",
		Short: "Check that sessions are whole and unaltered",
		Long: `Check the hash chain of a session's events, and that every prompt, answer and
other text they refer to is kept and has its hash. Without SESSION all sessions
are checked. The exit code is 1 when any of them fails.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("assay verify takes one session or none; see 'assay verify --help'")
			}
			k, err := openKept(io, g)
			if err != nil {
				return err
			}
			checks, err := verifySessions(k, args)
			if err = errors.Join(err, k.Close()); err != nil {
				return err
			}
			return printVerified(io, checks, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the outcome as JSON")
	return cmd
}

func verifySessions(k kept, args []string) ([]verified, error) {
	var ids []string
	if len(args) == 1 {
		id, err := sessionID(k, args[0])
		if err != nil {
			return nil, err
		}
		ids = []string{id}
	} else {
		rows, err := k.Sessions()
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
	}
	checks := make([]verified, len(ids))
	for i, id := range ids {
		events, texts, err := k.Verify(id)
		checks[i] = verified{Session: id, OK: err == nil, Events: events, Texts: texts}
		if err != nil {
			checks[i].Problem = err.Error()
		}
	}
	return checks, nil
}

func printVerified(io *IO, checks []verified, asJSON bool) error {
	failed := 0
	for _, c := range checks {
		if !c.OK {
			failed++
		}
	}
	if asJSON {
		if err := json.NewEncoder(io.Out).Encode(append([]verified{}, checks...)); err != nil {
			return err
		}
	} else {
		for _, c := range checks {
			if c.OK {
				fmt.Fprintf(io.Out, "✓ %s  %d events, %d texts\n", c.Session, c.Events, c.Texts)
			} else {
				fmt.Fprintf(io.Out, "✗ %s  %s\n", c.Session, c.Problem)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d sessions do not verify: keep the store as it is, and compare it with a backup", failed, len(checks))
	}
	return nil
}
