package judge

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"assay/data/program"
)

// probes is how often a program is asked about itself. On a busy machine it may be killed for want of memory, which does
// not tell that it does not run.
const probes = 3

// errUnanswered is why nothing is known of a program: it may answer when it is asked again.
var errUnanswered = errors.New("it was killed or did not end, perhaps because this machine is too busy: try again when it is less so")

// probe runs a program that ends by itself.
func probe(ctx context.Context, argv ...string) (said program.Said, err error) {
	for range probes {
		if said, err = program.Ask(ctx, argv[0], argv[1:]...); err == nil || ctx.Err() != nil {
			return said, err
		}
		if end := new(exec.ExitError); !errors.As(err, &end) || end.Exited() {
			return said, err
		}
	}
	return said, fmt.Errorf("%s gave no answer in %d trials of %s (%w): %w", argv[0], probes, program.Wall, err, errUnanswered)
}
