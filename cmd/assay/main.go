// Command assay evaluates code-generating language models the way people use
// them: prompt, answer, execution, judgement, refinement.
package main

import (
	"context"
	"os"

	"assay/benchmark/sandbox"
	"assay/cmd/cli"
	"assay/cmd/cli/console"
)

func main() {
	sandbox.Reexec()
	ctx, stop := console.WithSignals(context.Background())
	defer stop()
	os.Exit(cli.Run(ctx, os.Args[1:], console.System()))
}
