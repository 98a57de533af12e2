package cli

import "github.com/spf13/cobra"

func newBatch(io *IO, g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "batch",
		Short: "Evaluate models without a human",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBatchRun(io, g), newBatchExample(io), newBatchTester(io, g))
	return cmd
}
