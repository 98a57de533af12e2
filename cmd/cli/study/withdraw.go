package study

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/store"
	"assay/tui/frame"
)

// RemoveWritten removes what the screens wrote about a session beside its store, and
// returns the directories that it removed.
func RemoveWritten(storePath, id string) ([]string, error) {
	var gone []string
	for _, folder := range []string{"reports", "outputs", "edits"} {
		dir := filepath.Join(filepath.Dir(storePath), folder, id)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return gone, fmt.Errorf("session %s was removed from the store, but not from %s: %w; remove that directory", id, dir, err)
		}
		gone = append(gone, dir)
	}
	return gone, nil
}

// newWithdraw returns `assay study withdraw`.
func newWithdraw(io *console.IO, g *console.Globals) *cobra.Command {
	var tester, sure string
	cmd := &cobra.Command{
		Use:     "withdraw [SESSION...]",
		Example: "  assay study withdraw last\n  assay study withdraw --tester ann --sure 'withdraw for good'",
		Short:   "Remove a tester's data from the store for good",
		Long: `Remove sessions, or with --tester all of a tester's, from the store, its backups and its
snapshot: prompts, answers, judgements, ratings, times and the name. A tombstone records that
there was a session and that it was withdrawn; reports count its tasks as withdrawn. The
files are rewritten, so that no byte remains in them. This cannot be undone: type --sure
"withdraw for good". The reports and files that the screens wrote beside the store are
removed, too. Bundles, and reports made with --out, are not found from here: delete them
yourself.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if (len(args) == 0) == (tester == "") {
				return console.Usagef("assay study withdraw takes sessions, or --tester NAME; see 'assay study withdraw --help'")
			}
			ids, err := withdrawn(io, g, args, tester)
			if err != nil {
				return err
			}
			const words = "withdraw for good"
			if sure != words {
				return console.Usagef("this would remove %s for good: %s; type --sure %q to do it", frame.Count(len(ids), "session"), strings.Join(ids, ", "), words)
			}
			for _, id := range ids {
				done, err := store.Withdraw(stores.Path(io, g), id, store.Options{Version: console.Version()})
				if err != nil {
					return err
				}
				for _, name := range done.Names {
					written, err := RemoveWritten(name, id)
					if err != nil {
						return err
					}
					done.Deleted = append(done.Deleted, written...)
				}
				sayWithdrawn(io, id, done)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&tester, "tester", "", "all sessions of the tester with this `pseudonym`")
	cmd.Flags().StringVar(&sure, "sure", "", "the `words` that confirm it: \"withdraw for good\"")
	return cmd
}

// sayWithdrawn tells where a session was looked for and found, and where it may still be.
func sayWithdrawn(io *console.IO, id string, w store.Withdrawal) {
	fmt.Fprintf(io.Out, "withdrawn %s from %s\n", id, strings.Join(w.Rewritten, ", "))
	if len(w.Deleted) > 0 {
		fmt.Fprintf(io.Out, "  deleted     %s\n", strings.Join(w.Deleted, ", "))
	}
	fmt.Fprintf(io.Out, "  looked at   the store, %s, and the folders reports, outputs and edits, beside %s\n",
		console.Counted(w.Copies, "snapshot or backup", "snapshots and backups"), strings.Join(w.Names, ", "))
	fmt.Fprint(io.Out, "  not found from here: bundles, exports and reports written elsewhere, and copies that you or the system made\n")
	if w.Linked {
		fmt.Fprint(io.Out, "  the file of the store had a further name (a hard link), which still has the session: delete it\n")
	}
}

// withdrawn returns the ids of the sessions, and leaves the store closed.
func withdrawn(io *console.IO, g *console.Globals, args []string, tester string) ([]string, error) {
	s, err := stores.OpenExisting(io, g)
	if err != nil {
		return nil, err
	}
	ids, err := func() ([]string, error) {
		if tester == "" {
			return stores.SessionIDs(s, args)
		}
		rows, err := s.Sessions()
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, r := range rows {
			if r.Tester == tester {
				ids = append(ids, r.ID)
			}
		}
		if len(ids) == 0 {
			return nil, fmt.Errorf("the store has no session of a tester %q", tester)
		}
		return ids, nil
	}()
	return ids, errors.Join(err, s.Close())
}
