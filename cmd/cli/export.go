package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// newExport makes `assay export`.
func newExport(io *IO, g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "export SESSION",
		Short: "Print a session's events as JSON lines, as they are stored",
		Long: `Print the events of a session, one JSON object a line, byte for byte as they
are stored: each carries the hash of the one before. SESSION is an id, the
beginning of one, or "last". Prompts, answers and code are named by their
SHA-256 and are not part of the output.`,
		RunE: func(_ *cobra.Command, args []string) error {
			meant, err := sessionArg(args, "export")
			if err != nil {
				return err
			}
			k, err := openKept(io, g)
			if err != nil {
				return err
			}
			id, err := sessionID(k, meant)
			if err == nil {
				err = k.Export(id, io.Out)
			}
			return errors.Join(err, k.Close())
		},
	}
}
