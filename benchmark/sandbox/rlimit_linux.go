package sandbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"assay/data/program"
)

// limiter sets resource limits inside a box, with a shell that then becomes the program. It must
// happen inside: only there does RLIMIT_NPROC count the box alone and not everything the user
// runs.
type limiter struct {
	shell       string // absolute path
	processFlag string // option of the shell's ulimit: -u in bash, -p in dash and busybox
}

func newLimiter() (limiter, error) {
	l := limiter{shell: "/bin/sh", processFlag: "-u"}
	out, err := program.Command(context.Background(), program.Box, l.shell, "-c", "ulimit -p 7 2>/dev/null; ulimit -p").Output()
	if err == nil && strings.TrimSpace(string(out)) == "7" {
		l.processFlag = "-p"
	}
	if err := program.Command(context.Background(), program.Box, l.shell, "-c", "ulimit -c 0").Run(); err != nil {
		return l, fmt.Errorf("setting resource limits needs a POSIX shell at %s, which does not work here: %w", l.shell, err)
	}
	return l, nil
}

// wrap returns a command line that sets the limits and becomes argv. Two processes belong to the
// box itself.
func (l limiter) wrap(argv []string, limits Limits, countProcesses bool) []string {
	set := []string{"ulimit -c 0", "ulimit -s 8192", fmt.Sprintf("ulimit -n %d", limits.OpenFiles)}
	if limits.FileMB > 0 {
		set = append(set, fmt.Sprintf("ulimit -f %d", limits.FileMB<<11)) // in blocks of 512 bytes
	}
	if limits.CPU > 0 {
		seconds := (limits.CPU + time.Second - 1) / time.Second
		set = append(set, fmt.Sprintf("ulimit -t %d", seconds))
	}
	if limits.AddressSpaceMB > 0 {
		set = append(set, fmt.Sprintf("ulimit -v %d", limits.AddressSpaceMB<<10))
	}
	if countProcesses {
		set = append(set, fmt.Sprintf("ulimit %s %d", l.processFlag, limits.Processes+2))
	}
	script := strings.Join(set, " && ") + ` && exec "$@"`
	return append([]string{l.shell, "-c", script, "limits"}, argv...)
}
