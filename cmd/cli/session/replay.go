package session

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/cmd/cli/terminal"
	"assay/tui/replay"
)

// newReplay returns `assay session replay`.
func newReplay(io *console.IO, g *console.Globals) *cobra.Command {
	var speed float64
	cmd := &cobra.Command{
		Use:     "replay SESSION",
		Example: "  assay session replay last\n  assay session replay last --speed 16",
		Short:   "Play a session back on the screen",
		Long: `Play what a tester did, as the log has it: the prompt as it was written, the answer, the
verdict, the judgement, the ratings. Keys stop and step, forwards and backwards, and
change the speed. Long gaps are cut to a few seconds.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := stores.SessionArg(cmd, args)
			if err != nil {
				return err
			}
			if !io.Terminal {
				return console.Usagef("assay session replay needs a terminal; 'assay session export' writes the events")
			}
			k, err := stores.OpenKept(io, g)
			if err != nil {
				return err
			}
			err = func() error {
				id, err := stores.SessionID(k, arg)
				if err != nil {
					return err
				}
				events, err := k.Events(id, 1)
				if err != nil {
					return err
				}
				screen, err := replay.New(events, k.Blob, speed)
				if err != nil {
					return fmt.Errorf("session %s cannot be played: %w; see 'assay session verify %s'", id, err, id)
				}
				return terminal.Run(cmd.Context(), io, g, screen)
			}()
			return errors.Join(err, k.Close())
		},
	}
	cmd.Flags().Float64Var(&speed, "speed", 4, "how many times as fast as it was")
	console.Bounds(cmd.Flags(), "speed", 0.001, 1000)
	return cmd
}
