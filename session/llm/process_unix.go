//go:build unix

package llm

import (
	"os/exec"
	"syscall"
)

// ownGroup starts cmd in its own process group, and makes cancelling kill the whole group: a wrapper script
// must not leave its children running.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
