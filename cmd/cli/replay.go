package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/tui/replay"
)

// newReplay makes `assay session replay`.
func newReplay(io *IO, g *globals) *cobra.Command {
	var speed float64
	cmd := &cobra.Command{
		Use:     "replay SESSION",
		Example: "  assay session replay last\n  assay session replay last --speed 16",
		Short:   "Play a session back on the screen",
		Long: `Play what a tester did, as the log has it: the prompt as it was written, the answer, the
verdict, the judgement, the ratings. Keys stop and step, forwards and backwards, and
change the speed. Long gaps are cut to a few seconds.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			meant, err := sessionArg(cmd, args)
			if err != nil {
				return err
			}
			if !io.Terminal {
				return usagef("assay session replay needs a terminal; 'assay session export' writes the events")
			}
			k, err := openKept(io, g)
			if err != nil {
				return err
			}
			err = func() error {
				id, err := sessionID(k, meant)
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
				return runScreen(cmd.Context(), io, g, screen)
			}()
			return errors.Join(err, k.Close())
		},
	}
	cmd.Flags().Float64Var(&speed, "speed", 4, "how many times as fast as it was")
	bounds(cmd.Flags(), "speed", 0.001, 1000)
	return cmd
}
