package run

import (
	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
)

// New returns `assay run`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Ask models for answers and judge them, without a person",
		Long: `Three ways to have models work without a person:

  batch     ask, judge, measure and report what a file says: for an evaluation
  generate  ask only, and keep the answers: 'assay eval' judges them
  tester    whole sessions as a tester would have them, with feedback after each attempt

  code      show the code of a task's answers, types of prompts side by side
  example   print a file for batch with every key explained`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBatch(io, g), newGenerate(io, g), newBatchTester(io, g), newCode(io), newBatchExample(io))
	return cmd
}
