//go:build !unix

package llm

import "os/exec"

// ownGroup has no process groups to use here: cancellation kills the program
// that was started, but not its children.
func ownGroup(*exec.Cmd) {}
