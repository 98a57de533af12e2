//go:build unix

package llm

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/data/fatal"
)

// shell is a model whose program is a shell script.
func shell(script string) Model {
	return Model{Name: "sh", Provider: ProviderCommand, Model: "script", Command: []string{"sh", "-c", script}}
}

func runCommand(t *testing.T, ctx context.Context, m Model, delta func(string), messages ...Message) (Answer, error) {
	t.Helper()
	client, err := m.Client(Deps{})
	fatal.If(t, err)
	return client.Stream(ctx, Request{Messages: messages}, delta)
}

func TestCommandAnswers(t *testing.T) {
	rows := []struct {
		name     string
		model    Model
		messages []Message
		want     string
	}{
		{"a single prompt as it is", shell("cat"), []Message{{User, "write f\n"}}, "write f\n"},
		{"a conversation with headings", shell("cat"), []Message{{User, "a\n"}, {Assistant, "b"}, {User, "c"}}, "## User\n\na\n\n## Assistant\n\nb\n\n## User\n\nc\n"},
		{"a system message", Model{Name: "c", Provider: ProviderCommand, Command: []string{"cat"}, System: "be brief"}, []Message{{User, "a"}}, "## System\n\nbe brief\n\n## User\n\na\n"},
		{"the input is not read", shell("echo done"), []Message{{User, strings.Repeat("x", 1<<20)}}, "done\n"},
		{"arguments are not split or expanded", Model{Name: "e", Provider: ProviderCommand, Command: []string{"printf", "%s|", "a b", "$HOME", "*"}}, nil, "a b|$HOME|*|"},
		{"a rune cut in two", shell(`printf '\303'; printf '\251t\303\251'`), nil, "été"},
		{"bytes that are no text", shell(`printf 'a\377b\303'`), nil, "a\uFFFDb\uFFFD"},
		{"standard error is no answer", shell("echo thinking >&2; echo yes"), nil, "yes\n"},
		{"a megabyte", shell("head -c 1048576 /dev/zero | tr '\\0' x"), nil, strings.Repeat("x", 1<<20)},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var deltas strings.Builder
			answer, err := runCommand(t, t.Context(), row.model, func(s string) { deltas.WriteString(s) }, row.messages...)
			fatal.If(t, err)
			if answer.Text != row.want || deltas.String() != row.want || answer.FinishReason != "exit 0" {
				t.Errorf("got %.200q, deltas %.200q (%s)", answer.Text, deltas.String(), answer.FinishReason)
			}
		})
	}
}

func TestCommandFaults(t *testing.T) {
	short := func(script string, idle, total Timeout) Model {
		m := shell(script)
		m.IdleTimeout, m.TotalTimeout = idle, total
		return m
	}
	ms := Timeout(time.Millisecond)
	rows := []struct {
		name    string
		model   Model
		class   Class
		message string
		partial string
	}{
		{"exit code and last words", shell(`printf half; printf 'no \033[31mGPU\n' >&2; exit 3`), Program, "exit status 3), its last words: no [31mGPU", "half"},
		{"no such program", Model{Name: "x", Provider: ProviderCommand, Command: []string{"no-such-program-here"}}, Program, "no such program on the PATH", ""},
		{"prints nothing", shell("true"), Program, "printed nothing", ""},
		{"total time-out", short("printf half; exec tail -f /dev/null", 0, 200*ms), TimedOut, "total_timeout", "half"},
		{"idle time-out", short("exec tail -f /dev/null", 50*ms, 0), TimedOut, "idle_timeout", ""},
		{"prints without end", shell("exec cat /dev/zero"), Program, "more than 16 MB", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := runCommand(t, t.Context(), row.model, nil, Message{User, "p"})
			var failed *Error
			if !errors.As(err, &failed) || failed.Class != row.class || !strings.Contains(err.Error(), row.message) || failed.Partial != row.partial {
				t.Errorf("got %v (%+v)", err, failed)
			}
		})
	}
}

func TestAFailedProgramShowsNoKey(t *testing.T) {
	t.Setenv("ASSAY_TEST_API_KEY", canary)
	_, err := runCommand(t, t.Context(), shell(`echo "401 for $ASSAY_TEST_API_KEY, Bearer abcdefghijkl" >&2; exit 1`), nil, Message{User, "p"})
	if err == nil || leaks(dump(err)) || !strings.Contains(err.Error(), "401 for [key], Bearer [key]") {
		t.Errorf("got %v", err)
	}
}

// A child of the program holds a named pipe open; the pipe's end shows that the child was killed, too.
func TestCommandCancelKillsTheWholeGroup(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "alive")
	fatal.If(t, syscall.Mkfifo(pipe, 0o600))
	m := shell(`tail -f /dev/null > "$0" & echo started; wait`)
	m.Command = append(m.Command, pipe)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	started := make(chan struct{})
	result := make(chan error, 1)
	go func() {
		_, err := runCommand(t, ctx, m, func(string) { close(started) }, Message{User, "p"})
		result <- err
	}()
	reader, err := os.Open(pipe) // waits until the child has opened it
	fatal.If(t, err)
	defer reader.Close()
	<-started
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if text, err := io.ReadAll(reader); err != nil || len(text) != 0 {
		t.Errorf("the pipe gave %q, %v", text, err)
	}
}

func TestWholeRunes(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "é": 2, "a\xc3": 1, "a\xe2\x82": 1, "€": 3, "a\xff": 2, "\xf0\x9f\x98": 0, "\x80\x80\x80\x80\x80": 5} {
		if got := wholeRunes([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A program that colours its output is understood, and a key command that fails says why.
func TestProgramsForTerminals(t *testing.T) {
	answer, err := runCommand(t, t.Context(), shell(`printf '\033[31mdef f(): pass\033[0m\n\033]0;title\007'`), nil, Message{User, "a"})
	if err != nil || answer.Text != "def f(): pass\n" || len(answer.Odd) != 1 {
		t.Errorf("%q, %v, %v", answer.Text, answer.Odd, err)
	}
	if _, err := runKeyCommand(t.Context(), []string{"sh", "-c", "echo the vault is sealed >&2; exit 2"}); err == nil || !strings.Contains(err.Error(), "the vault is sealed") {
		t.Errorf("got %v", err)
	}
}
