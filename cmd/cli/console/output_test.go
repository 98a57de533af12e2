package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
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

// However a text is cut into writes, what is written is the harmless text; data is written as it is, but to a terminal.
func TestOutputIsHarmless(t *testing.T) {
	const text = "a\x1b]52;c;x\a é한🙂\u202e\u009b2J\n"
	rapid.Check(t, func(t *rapid.T) {
		var people, others bytes.Buffer
		for i, to := range []*bytes.Buffer{&people, &others} {
			o := &output{to: to}
			w := io.Writer(o)
			if i == 1 {
				w = Data(o)
			}
			for rest := text; rest != ""; {
				n := rapid.IntRange(1, len(rest)).Draw(t, "written")
				if m, err := io.WriteString(w, rest[:n]); m != n || err != nil {
					t.Fatal(m, err)
				}
				rest = rest[n:]
			}
		}
		if people.String() != harmless(text) || others.String() != text {
			t.Fatalf("%q and %q", people.String(), others.String())
		}
		if on := (&output{to: &others, terminal: true}); Data(on) != io.Writer(on) {
			t.Fatal("a terminal gets data as it is")
		}
	})
}
