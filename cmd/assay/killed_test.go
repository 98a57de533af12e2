package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
)

// cannot is the exit code of killed-session.sh on a machine without its requirements.
const cannot = 77

// TestKilledSession kills a session in a real terminal in every phase, and continues it: see
// testdata/killed-session.sh. It shows crash safety of the process, not of power loss.
func TestKilledSession(t *testing.T) {
	if testing.Short() {
		t.Skip("a session in a real terminal takes half a minute")
	}
	for _, need := range []string{"bash", "tmux", "bwrap"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is missing", need)
		}
	}
	bin := filepath.Join(t.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), "bash", "testdata/killed-session.sh", bin).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == cannot:
		t.Skipf("%s", out)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("\n%s", out)
}
