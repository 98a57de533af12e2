package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

type brokenOutput struct{ err error }

func (b brokenOutput) Write([]byte) (int, error) { return 0, b.err }

// A verb that does not look at its writes fails where they do; a reader that has gone is no
// failure.
func TestOutputErrors(t *testing.T) {
	for _, row := range []struct {
		broken error
		code   int
		said   string
	}{
		{syscall.ENOSPC, exitError, "assay: cannot write to the standard output: no space left on device\n"},
		{syscall.EPIPE, exitOK, ""},
	} {
		for _, args := range [][]string{{"--help"}, {"--version"}, {"tasks", "list", "starter"}, {"tasks", "list", "starter", "--json"}, {"measure", "--table"}} {
			var said bytes.Buffer
			code := Run(t.Context(), args, &IO{In: strings.NewReader(""), Out: brokenOutput{row.broken}, Err: &said, Getenv: func(string) string { return "" }})
			if code != row.code || said.String() != row.said {
				t.Errorf("%v, %v: exit code %d, %q", row.broken, args, code, said.String())
			}
		}
	}
}

// Both errors are reported, and the verb's decides the exit code.
func TestErrorsOfVerbAndOutput(t *testing.T) {
	o := &output{err: syscall.ENOSPC}
	err := o.join(usagef("wrong"))
	var coded *exitErr
	if !errors.As(err, &coded) || coded.code != exitUsage || !strings.Contains(fmt.Sprint(err), "wrong\ncannot write") {
		t.Errorf("the error is %v", err)
	}
}

// A terminal is shown names as they are written, and never acts on them.
func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"add\t1\n": "add\t1\n", "\x1b[2J\x1b]0;title\ax\r\n": "␛[2J␛]0;titlex\n",
		"a\u202eb\u2066c": "a\ufffdb\ufffdc", "\u009b31m \x7f": "31m ", "שלום": "שלום",
	} {
		if got := harmless(text); got != want {
			t.Errorf("%q is printed as %q", text, got)
		}
	}
}
