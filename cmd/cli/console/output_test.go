package console

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// Both errors are reported; the verb's determines the exit code.
func TestErrorsOfVerbAndOutput(t *testing.T) {
	o := &output{err: syscall.ENOSPC}
	err := o.Join(Usagef("wrong"))
	var coded *exitErr
	if !errors.As(err, &coded) || coded.code != ExitUsage || !strings.Contains(fmt.Sprint(err), "wrong\ncannot write") {
		t.Errorf("the error is %v", err)
	}
}

// A terminal shows names as text, and never interprets them.
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
