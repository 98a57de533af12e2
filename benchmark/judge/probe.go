package judge

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// Bounds of a program that is asked about itself outside boxes. On a busy machine one that needs a second of processor
// time may take a minute, and may be killed for want of memory: neither tells that it does not run.
const (
	probes    = 3
	probeWall = 2 * time.Minute
)

// errUnanswered is why nothing is known of a program: it may answer when it is asked again.
var errUnanswered = errors.New("it was killed or did not end, perhaps because this machine is too busy: try again when it is less so")

// probe runs a program that ends by itself and returns what output, a method of exec.Cmd, does.
func probe(ctx context.Context, output func(*exec.Cmd) ([]byte, error), argv ...string) (text []byte, err error) {
	for range probes {
		if text, err = probeOnce(ctx, output, argv); err == nil || ctx.Err() != nil {
			return text, err
		}
		if end := new(exec.ExitError); !errors.As(err, &end) || end.Exited() {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s gave no answer in %d trials of %s (%w): %w", argv[0], probes, probeWall, err, errUnanswered)
}

func probeOnce(ctx context.Context, output func(*exec.Cmd) ([]byte, error), argv []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, probeWall)
	defer cancel()
	return output(exec.CommandContext(ctx, argv[0], argv[1:]...))
}
