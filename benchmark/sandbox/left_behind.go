package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// RemoveLeftBehind removes directories of killed processes: those with the prefix and the pid of
// a process that no longer exists.
func RemoveLeftBehind(prefix string) {
	left, _ := filepath.Glob(prefix + "*-*")
	for _, dir := range left {
		number, _, _ := strings.Cut(strings.TrimPrefix(dir, prefix), "-")
		if pid, err := strconv.Atoi(number); err == nil && gone(pid) {
			os.RemoveAll(dir)
		}
	}
}

// gone reports whether no process has the pid.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
