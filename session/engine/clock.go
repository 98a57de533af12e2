package engine

import (
	"os"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/session"
)

// SystemClock stamps events with the time of this machine and this process.
func SystemClock() func() session.Stamp {
	start := time.Now()
	process := ulid.Make().String()
	boot := "unknown"
	if id, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		boot = strings.TrimSpace(string(id))
	}
	return func() session.Stamp {
		now := time.Now()
		return session.Stamp{
			Wall: now.UnixMilli(), Mono: now.Sub(start).Milliseconds(), Process: process, Boot: boot,
		}
	}
}
