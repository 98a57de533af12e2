package judges

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark/sandbox"
	"assay/cmd/cli/console"
)

// The isolations in the order of their explanations.
const (
	IsolationWarm     = "warm"
	IsolationStrict   = "strict"
	IsolationDocker   = "docker"
	IsolationPodman   = "podman"
	IsolationLandlock = "landlock"
	IsolationNone     = "none"
)

// IsolationNames are the values of --isolation.
var IsolationNames = [...]string{IsolationWarm, IsolationStrict, IsolationDocker, IsolationPodman, IsolationLandlock, IsolationNone}

// IsolationVariable is the environment variable for the isolation if --isolation is not given.
const IsolationVariable = "ASSAY_ISOLATION"

// ImageVariable is the environment variable for the container image if --image is not given.
const ImageVariable = "ASSAY_IMAGE"

// Isolation holds the flags for isolating code. The zero value is warm.
type Isolation struct {
	Isolation string
	Image     string // for docker and podman
	Consent   string // to running without isolation
}

// Flags adds --isolation, --image and --no-sandbox.
func (o *Isolation) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Isolation, "isolation", "", "`mode` (default: $"+IsolationVariable+", else warm): warm forks samples in bubblewrap boxes that live for many of them, each with processes and files of its own; "+
		"strict makes a new box for each; docker and podman make a container of --image for each; landlock does without namespaces, where the system forbids them; "+
		"none isolates nothing and needs --no-sandbox")
	o.ImageFlag(cmd)
	f.StringVar(&o.Consent, "no-sandbox", "", fmt.Sprintf("where no sandbox can be had: the `phrase` %q, to run code with all your rights", ConsentPhrase))
}

// ImageFlag adds only --image.
func (o *Isolation) ImageFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Image, "image", "", "the container `image` of --isolation docker or podman, with python3 and the programs that code is run with (default: $"+ImageVariable+"); it is never fetched")
	console.Rare(cmd.Flags(), "image")
}

// Check rejects flags that are certain to fail, and takes isolation and image from the environment if the
// command line has none.
func (o *Isolation) Check(getenv func(string) string) error {
	if o.Consent != "" && o.Consent != ConsentPhrase {
		return console.Usagef("--no-sandbox: type exactly %q to confirm; code then runs with all your rights", ConsentPhrase)
	}
	o.Isolation = cmp.Or(o.Isolation, getenv(IsolationVariable), IsolationWarm)
	engine := o.Isolation == IsolationDocker || o.Isolation == IsolationPodman
	if o.Image != "" && !engine {
		return console.Usagef("--image is for --isolation docker or podman")
	}
	if engine {
		o.Image = cmp.Or(o.Image, getenv(ImageVariable))
	}
	switch o.Isolation {
	case "", IsolationWarm, IsolationStrict, IsolationLandlock:
	case IsolationDocker, IsolationPodman:
		if o.Image == "" {
			return console.Usagef("--isolation %[1]s needs an image for its containers: give --image NAME or set %[2]s, for example python:3.12-slim after `%[1]s pull python:3.12-slim`", o.Isolation, ImageVariable)
		}
	case IsolationNone:
		if o.Consent == "" {
			return console.Usagef("--isolation none runs untrusted code with all your rights; to confirm, add --no-sandbox %q", ConsentPhrase)
		}
	default:
		return console.Usagef("--isolation (or %s) is one of %s, not %q", IsolationVariable, strings.Join(IsolationNames[:], ", "), o.Isolation)
	}
	return nil
}

// OpenBox opens the box of an isolation and proves that it works.
func OpenBox(ctx context.Context, o Isolation) (sandbox.Box, error) {
	var box sandbox.Box
	var err error
	switch o.Isolation {
	case IsolationDocker, IsolationPodman:
		box, err = opened(sandbox.NewContainer(o.Isolation, o.Image))
	case IsolationLandlock:
		box, err = opened(sandbox.NewLandlock())
	case IsolationNone:
		box, err = opened(sandbox.NewUnprotected(o.Consent == ConsentPhrase))
	default:
		var strict *sandbox.Bubblewrap
		if strict, err = sandbox.NewBubblewrap(); err == nil && o.Isolation == IsolationStrict {
			box = strict
		} else if err == nil {
			box = sandbox.NewWarm(strict)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := box.Probe(ctx); err != nil {
		box.Close()
		return nil, err
	}
	return box, nil
}

// opened converts a constructor's result to a Box: a nil pointer must not become a non-nil Box.
func opened[B sandbox.Box](box B, err error) (sandbox.Box, error) {
	if err != nil {
		return nil, err
	}
	return box, nil
}

// replaceable reports whether the consent to run without isolation may take effect: not if another
// isolation than the default was requested.
func (o *Isolation) replaceable() bool { return o.Isolation == "" || o.Isolation == IsolationWarm }

// advise adds alternatives to the error of a box. It only mentions them: users decide which isolation is
// good enough.
func advise(ctx context.Context, err error) error {
	box, none := OpenBox(ctx, Isolation{Isolation: IsolationLandlock})
	if none != nil {
		return err
	}
	box.Close()
	return fmt.Errorf("%w; until then, --isolation landlock works here: it keeps code from files and the network without namespaces, "+
		"and leaves more of the machine visible (see assay doctor)", err)
}
