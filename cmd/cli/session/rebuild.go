package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/tui/frame"
)

// rebuilt is the outcome of rebuilding the store's indexes.
type rebuilt struct {
	Sessions int      `json:"sessions"` // read
	Events   int      `json:"events"`   // read
	Changed  []string `json:"changed"`  // ids of sessions whose rows were wrong before
	Damaged  []string `json:"damaged"`  // ids of sessions whose logs cannot be read to the end; their rows are unchanged
}

// newRebuild returns `assay session rebuild`.
func newRebuild(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "rebuild",
		Example: "  assay session rebuild",
		Short:   "Rebuild the store's indexes from its events",
		Long: `Make the indexes of the store anew from the events, which are not touched.
The result is the same, byte for byte, as what was kept while the sessions ran;
rows that were not are named.`,
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := stores.OpenExisting(io, g)
			if err != nil {
				return err
			}
			done, err := s.Rebuild()
			if err = errors.Join(err, s.Close()); err != nil {
				return err
			}
			if asJSON {
				changed, damaged := append([]string{}, done.Changed...), append([]string{}, done.Damaged...)
				return console.WriteJSON(io, rebuilt{done.Sessions, done.Events, changed, damaged})
			}
			fmt.Fprintf(io.Out, "%s, %s; rows that were wrong before: %d\n", frame.Count(done.Sessions, "session"), frame.Count(done.Events, "event"), len(done.Changed))
			for _, id := range done.Changed {
				fmt.Fprintf(io.Out, "  %s\n", id)
			}
			if len(done.Damaged) > 0 {
				return fmt.Errorf("the logs of %d sessions cannot be read to the end, so their rows are unchanged: %s; 'assay session salvage' reads what is left of them", len(done.Damaged), strings.Join(done.Damaged, ", "))
			}
			return nil
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print the outcome as JSON", rebuilt{})
	return cmd
}
