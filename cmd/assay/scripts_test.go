package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
)

// cannot is the exit code of the scripts on a machine without their requirements.
const cannot = 77

// TestInTheTerminal runs testdata/*.sh, which press keys in a real terminal: a session that is killed in every
// phase and continued (crash safety of the process, not of power loss), and a whole study from its file to the
// report, with testers at home and over SSH, raters and unblinding.
func TestInTheTerminal(t *testing.T) {
	for _, need := range []string{"bash", "tmux", "bwrap"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is missing", need)
		}
	}
	bin := builtAssay(t)
	for _, script := range []string{"killed-session.sh", "whole-study.sh"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			out, err := exec.CommandContext(t.Context(), "bash", filepath.Join("testdata", script), bin).CombinedOutput()
			var exit *exec.ExitError
			switch {
			case errors.As(err, &exit) && exit.ExitCode() == cannot:
				t.Skipf("%s", out)
			case err != nil:
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("\n%s", out)
		})
	}
}
