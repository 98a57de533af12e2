//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session/prompts"
)

// A prompt in progress when writing is interrupted is awaited, and is in the file when the program ends; no
// other is requested.
func TestPromptsWriteInterrupted(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"asked", "answer"} {
		if err := syscall.Mkfifo(at(name), 0o600); err != nil {
			t.Skipf("no named pipe can be made: %v", err)
		}
	}
	script := fmt.Sprintf("cat >/dev/null\necho x >%q\nread -r text <%q\necho \"<prompt>$text</prompt>\"\n", at("asked"), at("answer"))
	for name, text := range map[string]string{
		"slow.sh":     script,
		"models.toml": fmt.Sprintf("[[model]]\nname = \"slow\"\nprovider = \"command\"\ncommand = [\"sh\", %q]\n", at("slow.sh")),
		"tasks.json":  `{"assay_benchmark": 1, "name": "one", "tasks": [{"id": "plain", "title": "Plain", "language": "python", "description": "Print the numbers from 1 to 10."}]}`,
	} {
		fatal.If(t, os.WriteFile(at(name), []byte(text), 0o600))
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, said bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		io := &console.IO{In: strings.NewReader(""), Out: &out, Err: &said, Getenv: func(string) string { return "" }}
		ended <- Run(ctx, []string{"prompts", "write", "--models", at("models.toml"), "--tasks", at("tasks.json"), "--model", "slow", "--out", at("p.jsonl"), "--levels", "1"}, io)
	}()
	if _, err := os.ReadFile(at("asked")); err != nil { // when the first request is sent
		t.Fatal(err)
	}
	interrupt()
	// Opened for reading as well, so that opening does not block.
	pipe, err := os.OpenFile(at("answer"), os.O_RDWR, 0)
	fatal.If(t, err)
	defer pipe.Close()
	if _, err := pipe.WriteString("Write ten numbers.\n"); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code == 0 || !strings.Contains(said.String(), "1 prompt written to") || !strings.Contains(said.String(), "5 are missing") {
		t.Errorf("exit code %d: %s", code, said.String())
	}
	set, err := prompts.Open(at("p.jsonl"))
	fatal.If(t, err)
	if list := set.ForID("plain", true); len(list) != 1 || list[0].Text != "Write ten numbers." {
		t.Errorf("the file has %+v", list)
	}
}
