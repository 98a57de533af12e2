package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/session"
)

// verified is the JSON form of one session's check.
type verified struct {
	Session string `json:"session"`
	OK      bool   `json:"ok"`
	Events  int    `json:"events"`
	Texts   int    `json:"texts"`
	Problem string `json:"problem,omitempty"`
}

// newVerify returns `assay session verify`.
func newVerify(io *console.IO, g *console.Globals) *cobra.Command {
	o := &verifyOptions{}
	cmd := &cobra.Command{
		Use:   "verify [SESSION | BUNDLE]",
		Short: "Verify sessions or a bundle, and that a bundle's results can be reproduced",
		Long: `Check the hash chain of a session's events, and that every prompt, answer and
other text they refer to is kept and has its hash; and that each choice of an adaptive
session follows from the events before it. Without SESSION all sessions are checked.
The exit code is 1 when any of them fails.

BUNDLE is a file that 'assay session export --bundle' wrote; it needs no store. Beside the
chains and hashes of all that is in it, every stored answer is judged again with the
task's stored tests, in a sandbox as in a session; verdicts that differ are listed.
The report is made anew from the logs and compared byte for byte. Verdicts that were
not recorded, or whose interpreter is missing here, are not compared, and counted with
the reason. The exit code is 0 when all is well, 1 when something differs, and 3 when
something could not be compared because it cannot be run here.`,
		Example: "  assay session verify\n  assay session verify study.assay\n  assay session verify study.assay --no-run",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("assay session verify takes one session, one bundle, or none; see 'assay session verify --help'")
			}
			if len(args) == 1 && isFile(args[0]) {
				return verifyBundle(cmd.Context(), io, args[0], o)
			}
			for _, flag := range []string{"no-run", "isolation", "image", "no-sandbox"} {
				if cmd.Flags().Changed(flag) {
					return console.Usagef("--%s is for a bundle, which is a file: assay session verify BUNDLE", flag)
				}
			}
			if len(args) == 1 && strings.ContainsAny(args[0], `./\`) {
				return fmt.Errorf("%s is not a file: name a bundle that 'assay session export --bundle' wrote, or a session", args[0])
			}
			k, err := stores.OpenKept(io, g)
			if err != nil {
				return err
			}
			checks, err := verifySessions(k, args)
			var damaged error
			if d, ok := k.(interface{ Damaged() bool }); ok && d.Damaged() {
				damaged = errors.New("the store itself is damaged: 'assay session restore' puts a copy in its place, and 'assay session salvage' reads what it still holds")
			}
			if err = errors.Join(err, k.Close()); err != nil {
				return err
			}
			return errors.Join(printVerified(io, checks, o.asJSON), damaged)
		},
	}
	cmd.Flags().BoolVar(&o.noRun, "no-run", false, "judge no answer of a bundle again: no code is run")
	o.isolation.Flags(cmd)
	console.JSONFlag(cmd.Flags(), &o.asJSON, "print the outcome as JSON", []verified{}, verifiedBundle{}, refusedBundle{})
	return cmd
}

func verifySessions(k stores.Kept, args []string) ([]verified, error) {
	var ids []string
	if len(args) == 1 {
		id, err := stores.SessionID(k, args[0])
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
		if err == nil {
			err = verifyChoices(k, id)
			checks[i].OK = err == nil
		}
		if err != nil {
			checks[i].Problem = err.Error()
		}
	}
	return checks, nil
}

// verifyChoices chooses the tasks of an adaptive session anew.
func verifyChoices(k stores.Kept, id string) error {
	events, err := k.Events(id, 1)
	if err != nil {
		return err
	}
	return session.CheckChoices(events)
}

func printVerified(io *console.IO, checks []verified, asJSON bool) error {
	failed := 0
	for _, c := range checks {
		if !c.OK {
			failed++
		}
	}
	if asJSON {
		if err := console.WriteJSON(io, append([]verified{}, checks...)); err != nil {
			return err
		}
	} else {
		for _, c := range checks {
			if c.OK {
				fmt.Fprintf(io.Out, "✓ %s  %s, %s\n", c.Session, console.Counted(c.Events, "event", "events"), console.Counted(c.Texts, "text", "texts"))
			} else {
				fmt.Fprintf(io.Out, "✗ %s  %s\n", c.Session, c.Problem)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d sessions do not verify; 'assay session salvage' searches the store's pages and copies for what is missing", failed, len(checks))
	}
	return nil
}
