//go:build !unix

package llm

import "os/exec"

// ownGroup does nothing here, since there are no process groups: cancelling kills the program, but not its
// children.
func ownGroup(*exec.Cmd) {}
