package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark/sandbox"
)

// The isolations, in the order in which they are explained.
const (
	isolationWarm     = "warm"
	isolationStrict   = "strict"
	isolationDocker   = "docker"
	isolationPodman   = "podman"
	isolationLandlock = "landlock"
	isolationNone     = "none"
)

var isolationNames = [...]string{isolationWarm, isolationStrict, isolationDocker, isolationPodman, isolationLandlock, isolationNone}

// imageVariable names the container image where --image does not.
const imageVariable = "ASSAY_IMAGE"

// isolationOptions are the flags that say how code is kept from doing harm. The
// zero value is warm.
type isolationOptions struct {
	isolation string
	image     string // for docker and podman
	consent   string // to run without isolation
}

func (o *isolationOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.isolation, "isolation", isolationWarm, "`mode`: warm forks samples in bubblewrap boxes that live for many of them, each in its own process namespace and files; "+
		"strict makes a new box for each; docker and podman make a container of --image for each; landlock does without namespaces, where the system forbids them; "+
		"none isolates nothing and needs --no-sandbox")
	o.imageFlag(cmd)
	f.StringVar(&o.consent, "no-sandbox", "", fmt.Sprintf("where no sandbox can be had: the `phrase` %q, to run code with all your rights", consentPhrase))
}

func (o *isolationOptions) imageFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.image, "image", "", "the container `image` of --isolation docker or podman, with python3 and the programs that code is run with (default: $"+imageVariable+"); it is never fetched")
	rare(cmd.Flags(), "image")
}

// check refuses what can be known to be wrong before anything runs, and takes the
// image from the environment where the command line names none.
func (o *isolationOptions) check(getenv func(string) string) error {
	if o.consent != "" && o.consent != consentPhrase {
		return usagef("--no-sandbox: type exactly %q to say that you mean it; code then runs with all your rights", consentPhrase)
	}
	engine := o.isolation == isolationDocker || o.isolation == isolationPodman
	if o.image != "" && !engine {
		return usagef("--image is for --isolation docker or podman")
	}
	if engine {
		o.image = cmp.Or(o.image, getenv(imageVariable))
	}
	switch o.isolation {
	case "", isolationWarm, isolationStrict, isolationLandlock:
	case isolationDocker, isolationPodman:
		if o.image == "" {
			return usagef("--isolation %[1]s needs the image to make containers of: give --image NAME or set %[2]s, for example python:3.12-slim after `%[1]s pull python:3.12-slim`", o.isolation, imageVariable)
		}
	case isolationNone:
		if o.consent == "" {
			return usagef("--isolation none runs untrusted code with all your rights; to say that you mean it, add --no-sandbox %q", consentPhrase)
		}
	default:
		return usagef("--isolation is one of %s, not %q", strings.Join(isolationNames[:], ", "), o.isolation)
	}
	return nil
}

// openBox makes the box of an isolation and proves that it works.
func openBox(ctx context.Context, o isolationOptions) (sandbox.Box, error) {
	var box sandbox.Box
	var err error
	switch o.isolation {
	case isolationDocker, isolationPodman:
		box, err = opened(sandbox.NewContainer(o.isolation, o.image))
	case isolationLandlock:
		box, err = opened(sandbox.NewLandlock())
	case isolationNone:
		box, err = opened(sandbox.NewUnprotected(o.consent == consentPhrase))
	default:
		var strict *sandbox.Bubblewrap
		if strict, err = sandbox.NewBubblewrap(); err == nil && o.isolation == isolationStrict {
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

// opened makes the answer of a constructor that of any box: a nil pointer must not
// become a box.
func opened[B sandbox.Box](box B, err error) (sandbox.Box, error) {
	if err != nil {
		return nil, err
	}
	return box, nil
}

// replaceable says whether the consent to run without isolation may take effect:
// not where another isolation than the default was asked for by name.
func (o *isolationOptions) replaceable() bool {
	return o.isolation == "" || o.isolation == isolationWarm
}

// advise adds to the error of a box what could be used instead. It is only said:
// which isolation is good enough is for the user to decide.
func advise(ctx context.Context, err error) error {
	box, none := openBox(ctx, isolationOptions{isolation: isolationLandlock})
	if none != nil {
		return err
	}
	box.Close()
	return fmt.Errorf("%w; until then, --isolation landlock works here: it keeps code from files and the network without namespaces, "+
		"and leaves more of the machine visible (see assay doctor)", err)
}
