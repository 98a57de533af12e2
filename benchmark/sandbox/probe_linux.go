package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Probe implements Box.
func (b *Bubblewrap) Probe(ctx context.Context) error { return probe(ctx, b) }

// probe runs answers, and adds a diagnosis to its error.
func probe(ctx context.Context, b Box) error {
	var silent noAnswer
	err := answers(ctx, b)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // it was interrupted
		return ctx.Err()
	case errors.Is(err, errOverloaded):
		return fmt.Errorf("the sandbox cannot run here: %w", err)
	case errors.As(err, &silent):
		return fmt.Errorf("the sandbox cannot run here: %w", diagnose(string(silent)))
	}
	return fmt.Errorf("the sandbox cannot run here: %w", diagnose(err.Error()))
}

// noAnswer is what a box printed when its program did not answer.
type noAnswer string

func (e noAnswer) Error() string { return "a trivial program did not answer: " + string(e) }

var errOverloaded = errors.New("a trivial program did not answer within 20 seconds; check whether the machine is overloaded")

// answers runs a shell that answers on the control channel, and returns what went wrong if it did
// not.
func answers(ctx context.Context, b Box) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	p, err := b.Start(ctx, Spec{
		Argv: []string{"/bin/sh", "-c", "read word <&3; echo \"$word\" >&4"},
		Env:  []string{"PATH=/usr/bin:/bin"},
		// So that a box that cannot limit memory reports it now.
		Limits: Limits{MemoryMB: 256},
	})
	if err != nil {
		return err
	}
	in, out := p.Control()
	fmt.Fprintln(in, "assay")
	answer := make([]byte, 6)
	n, _ := out.Read(answer)
	end := p.Close()
	if string(answer[:n]) == "assay\n" {
		return nil
	}
	if end.Cause == Cancelled {
		return errOverloaded
	}
	return noAnswer(strings.TrimSpace(string(end.Stderr)))
}

// diagnose derives a cause and a fix from what bwrap printed, and from the kernel's settings
// where the message is not enough.
func diagnose(message string) error {
	return diagnoseWith(message, func(path string) string {
		text, _ := os.ReadFile(path)
		return strings.TrimSpace(string(text))
	})
}

func diagnoseWith(message string, setting func(path string) string) error {
	fail := func(fix string) error { return &Unavailable{Cause: message, Fix: fix} }
	message = cmp.Or(message, "bwrap printed nothing")
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(message, p) })
	}
	switch {
	case has("oo many open files", "error setting limit"):
		return fail("the limits of this shell are too low: allow 1,024 open files (`ulimit -n 1024`) and 8 MB of stack " +
			"(`ulimit -s 8192`); see `ulimit -aH` for what may be set")
	case has("Resource temporarily unavailable", "resource temporarily unavailable"):
		return fail("no further process can be started: raise the limit of this user (`ulimit -u`) " +
			"or of this container (pids.max of its cgroup), or end other programs")
	case has("Cannot allocate memory", "cannot allocate memory"):
		return fail("there is no memory for another process: free some, or raise the limit (`ulimit -v`, or memory.max of the cgroup)")
	case setting("/proc/sys/user/max_user_namespaces") == "0" || has("No space left on device"):
		return fail("the kernel allows no further user namespaces: as root, run " +
			"`sysctl user.max_user_namespaces=15000`, and put the setting in /etc/sysctl.d to keep it")
	case setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return fail("this kernel lets only root make user namespaces: as root, run " +
			"`sysctl kernel.unprivileged_userns_clone=1`")
	case setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" &&
		has("Permission denied", "Operation not permitted", "uid map"):
		return fail("AppArmor forbids user namespaces to programs without a profile (Ubuntu 23.10 and later): " +
			"install a profile for bwrap (apt-get install apparmor-profiles, then " +
			"`ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/` and reload AppArmor), " +
			"or, as root, run `sysctl kernel.apparmor_restrict_unprivileged_userns=0`")
	case has("mount proc"):
		return fail("this container hides parts of its /proc, so none can be mounted for a program: start the container with " +
			"`--security-opt systempaths=unconfined` (docker) or `--security-opt unmask=ALL` (podman)")
	case has("Operation not permitted", "Permission denied"):
		return fail("the system does not permit user namespaces or mounts here; in a container, start it with " +
			"`--security-opt seccomp=unconfined --security-opt apparmor=unconfined` or `--privileged`")
	case has("Unknown option", "unknown option"):
		return fail("this bwrap is too old: assay needs bubblewrap 0.7 or later, which can limit the size of a file system")
	case has("/proc/") && has("No such file or directory"):
		return fail("there is no /proc here, which bubblewrap needs: mount it (`mount -t proc proc /proc`)")
	case has("executable file not found", "No such file or directory"):
		return fail("a file that the sandbox needs is missing; is bubblewrap installed completely " +
			"(apt-get install --reinstall bubblewrap)?")
	}
	return fail("bubblewrap failed")
}
