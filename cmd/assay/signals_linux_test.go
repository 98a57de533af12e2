package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/data/fatal"
	"assay/session"
	"assay/store"
)

// writing is a session with an unfinished prompt, as typed up to the last letter.
func writing(t *testing.T, dir, bin, typed string) *terminal {
	t.Helper()
	term := start(t, dir, 80, 23, nil, bin, "--benchmark", "starter", "--model", "rehearsal", "--practice")
	term.sees("open the task", 0)
	from := term.mark()
	term.press("\r")
	term.sees("your prompt", from)
	from = term.mark()
	term.press(typed)
	term.sees(typed[len(typed)-1:], from)
	return term
}

// lines reports whether the terminal is in canonical mode, as programs have to leave it.
func (t *terminal) lines() bool {
	mode, err := unix.IoctlGetTermios(int(t.master.Fd()), unix.TCGETS)
	return err == nil && mode.Lflag&(unix.ICANON|unix.ECHO) == unix.ICANON|unix.ECHO
}

// kept is the only session of a store.
func kept(t *testing.T, path string) *session.State {
	t.Helper()
	s, err := store.Open(path, store.Options{SnapshotEvery: -1})
	fatal.If(t, err)
	defer s.Close()
	all, err := s.Sessions()
	if err != nil || len(all) != 1 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	events, err := s.Events(all[0].ID, 1)
	fatal.If(t, err)
	state, err := session.Replay(events)
	fatal.If(t, err)
	return state
}

// heard are the signals that end assay, except those that were ignored when these tests started, as by
// nohup.
func heard() []syscall.Signal {
	return slices.DeleteFunc([]syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}, func(s syscall.Signal) bool { return signal.Ignored(s) })
}

// A signal that ends assay loses no letter, leaves the session paused and the terminal restored, and
// determines the exit code.
func TestSignalsSave(t *testing.T) {
	t.Parallel()
	bin := builtAssay(t)
	for _, signal := range heard() {
		dir := t.TempDir()
		term := writing(t, dir, bin, "typed just before the signal Ω")
		fatal.If(t, term.cmd.Process.Signal(signal))
		var exit *exec.ExitError
		if err := term.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(signal) {
			t.Errorf("%s: %v", signal, err)
		}
		term.until("its own screen back", func() bool {
			term.mu.Lock()
			defer term.mu.Unlock()
			return strings.Contains(string(term.written), "\x1b[?1049l")
		})
		if !term.lines() {
			t.Errorf("%s: the terminal is left in raw mode", signal)
		}
		term.end()
		if s := kept(t, filepath.Join(dir, "assay.db")); s.Paused != "quit" || s.Task().Draft() != "typed just before the signal Ω" {
			t.Errorf("%s: the session is paused for %q with the draft %q", signal, s.Paused, s.Task().Draft())
		}
	}
}

// Every verb that takes a while ends at a signal, with its exit code.
func TestSignalsEndVerbs(t *testing.T) {
	t.Parallel()
	bin, dir := builtAssay(t), t.TempDir()
	asked := make(chan struct{}, 1)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then the server does not notice that nobody waits
		select {
		case asked <- struct{}{}:
		default:
		}
		<-r.Context().Done()
	}))
	defer silent.Close()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	models := write("models.toml", "[[model]]\nname = \"silent\"\nprovider = \"openai\"\nmodel = \"m\"\nbase_url = \""+silent.URL+"/v1\"\n")
	batch := write("batch.toml", "tasks = \"starter\"\nmodels = [\"silent\"]\nmodels_file = \"models.toml\"\nprompts = [\"level-1\"]\n")
	samples := write("samples.jsonl", strings.Repeat(`{"task_id": "badge-line", "solution": "while True:\n    pass\n"}`+"\n", 50))
	verbs := map[string]struct {
		args []string
		says string // once it is under way; empty: the model is asked
	}{
		"session":  {[]string{"--plain", "--benchmark", "starter", "--model", "rehearsal"}, "open, break"},
		"watch":    {[]string{"study", "watch", "--every", "1h"}, "tester"},
		"eval":     {[]string{"eval", samples, "--tasks", "starter", "--no-sandbox", "run untrusted code without a sandbox"}, "samples, one"},
		"generate": {[]string{"run", "generate", "--tasks", "starter", "--model", "silent", "--models", models, "--out", filepath.Join(dir, "generated")}, ""},
		"batch":    {[]string{"run", "batch", batch, "--out", filepath.Join(dir, "batch")}, ""},
	}
	for _, verb := range []string{"session", "watch", "eval", "generate", "batch"} {
		for _, signal := range heard() {
			t.Run(verb+" "+signal.String(), func(t *testing.T) {
				cmd := exec.CommandContext(t.Context(), bin, verbs[verb].args...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
				in, err := cmd.StdinPipe()
				fatal.If(t, err)
				defer in.Close()
				out := &output{said: make(chan struct{}), wait: verbs[verb].says}
				cmd.Stdout, cmd.Stderr = out, out
				select {
				case <-asked: // by the verb before
				default:
				}
				fatal.If(t, cmd.Start())
				select {
				case <-out.said:
				case <-asked:
				case <-time.After(patience):
					t.Errorf("it does not begin: %s", out)
				}
				fatal.If(t, cmd.Process.Signal(signal))
				if verb == "generate" || verb == "batch" { // which wait for answers under way until the second
					time.AfterFunc(time.Second, func() { _ = cmd.Process.Signal(signal) })
				}
				_ = cmd.Wait()
				if code := cmd.ProcessState.ExitCode(); code != 128+int(signal) {
					t.Errorf("exit code %d: %s", code, out)
				}
			})
		}
	}
}

// output is a program's output; said is closed once it contains wait.
type output struct {
	mu   sync.Mutex
	text strings.Builder
	wait string
	said chan struct{} // closed when wait was written; empty: never
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.wait != "" && strings.Contains(o.text.String(), o.wait)
	o.text.Write(text)
	if !before && o.wait != "" && strings.Contains(o.text.String(), o.wait) {
		close(o.said)
	}
	return len(text), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// ctrl+z pauses the session; where no shell could continue assay, it goes on.
func TestSuspendWithoutShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	term := start(t, dir, 80, 23, nil, builtAssay(t), "--benchmark", "starter", "--model", "rehearsal", "--practice")
	defer term.end()
	term.sees("open the task", 0)
	from := term.mark()
	term.press("\x1a")
	term.sees("Paused", from)
	from = term.mark()
	for range 20 { // what is typed while the terminal is given back is not assay's
		term.press("\r")
		if _, on := term.prints("open the task", from, patience/20); on {
			return
		}
	}
	t.Error("assay does not go on")
}
