package cli

import (
	"bytes"
	"strings"
	"syscall"
	"testing"

	"assay/cmd/cli/console"
)

type brokenOutput struct{ err error }

func (b brokenOutput) Write([]byte) (int, error) { return 0, b.err }

// A verb that ignores errors of its writes still fails; a closed pipe is no failure.
func TestOutputErrors(t *testing.T) {
	for _, row := range []struct {
		broken error
		code   int
		said   string
	}{
		{syscall.ENOSPC, console.ExitError, "assay: cannot write to the standard output: no space left on device\n"},
		{syscall.EPIPE, console.ExitOK, ""},
	} {
		for _, args := range [][]string{{"--help"}, {"--version"}, {"tasks", "list", "starter"}, {"tasks", "list", "starter", "--json"}, {"measure", "--table"}} {
			var said bytes.Buffer
			code := Run(t.Context(), args, &console.IO{In: strings.NewReader(""), Out: brokenOutput{row.broken}, Err: &said, Getenv: func(string) string { return "" }})
			if code != row.code || said.String() != row.said {
				t.Errorf("%v, %v: exit code %d, %q", row.broken, args, code, said.String())
			}
		}
	}
}
