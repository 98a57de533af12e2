package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"

	"assay/benchmark/batch"
	"assay/benchmark/fleet"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/data/fatal"
)

// saidBy is the output of a command that is still running.
type saidBy struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (w *saidBy) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return w.text.Write(p)
}

func (w *saidBy) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// await waits for a text in the output, or the end of the command.
func (w *saidBy) await(t *testing.T, text string, ended <-chan int) {
	t.Helper()
	for !strings.Contains(w.String(), text) {
		select {
		case <-w.more:
		case code := <-ended:
			t.Fatalf("it ended with code %d before it said %q:\n%s", code, text, w)
		case <-time.After(time.Minute):
			t.Fatalf("it did not say %q:\n%s", text, w)
		}
	}
}

// inBackground runs a command until cancel.
func inBackground(args ...string) (said *saidBy, ended chan int, cancel func()) {
	said, ended = &saidBy{more: make(chan struct{}, 1)}, make(chan int, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		ended <- Run(ctx, args, &console.IO{In: strings.NewReader(""), Out: io.Discard, Err: said, Getenv: func(string) string { return "" }})
	}()
	return said, ended, cancel
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
}

const fleetTasks = `{"assay_benchmark": 1, "name": "n", "tasks": [
 {"id": "n/1", "title": "One", "language": "python", "description": "d", "entry_point": "one", "outputs": ["left.txt"],
  "tests": {"style": "calls", "cases": [{"args": [], "expected": 1}]}}]}`

const fleetSamples = `{"task_id": "n/1", "solution": "open('left.txt', 'w').write('hello')\ndef one():\n    return 1\n"}
{"task_id": "n/1", "solution": "def one():\n    return 2\n"}
{"task_id": "n/1", "solution": "def one():\n    return 1\n"}
`

// A worker and an evaluation use the same server; results record the judge.
func TestWorkerAndEval(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	dir := t.TempDir()
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0", Token: "secret"})
	fatal.If(t, err)
	defer s.Close()
	tasks, samples, out := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl"), filepath.Join(dir, "out")
	writeFile(t, tasks, fleetTasks)
	writeFile(t, samples, fleetSamples)
	asking, askingEnded, stopAsking := inBackground("eval", samples, "--tasks", tasks, "--out", out, "--nats", s.Address(), "--run-only")
	defer stopAsking()
	asking.await(t, "3 samples wait for a worker for python tasks with isolation by bwrap", askingEnded)
	asking.await(t, "no worker is there. Start one with: ASSAY_NATS=nats://TOKEN@127.0.0.1:", askingEnded)
	if strings.Contains(asking.String(), "secret") {
		t.Errorf("the token is shown:\n%s", asking)
	}
	worker, workerEnded, stopWorker := inBackground("worker", "--nats", s.Address(), "--workers", "1", "--name", "alice", "--languages", "python")
	defer stopWorker()
	worker.await(t, "ready ", workerEnded)
	if code := <-askingEnded; code != console.ExitOK {
		t.Fatalf("eval ended with code %d:\n%s", code, asking)
	}
	stopWorker()
	if code := <-workerEnded; code != console.ExitOK {
		t.Errorf("the worker ended with code %d:\n%s", code, worker)
	}
	for _, want := range []string{"isolation   bwrap: ", "python", "self-test   python: 9 known answers", "3 samples judged in "} { // how many messages they come in depends on when the worker asks
		if !strings.Contains(worker.String(), want) {
			t.Errorf("the worker does not say %q:\n%s", want, worker)
		}
	}
	rows, err := batch.ReadResults(out)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d results: %v", len(rows), err)
	}
	for _, r := range rows {
		want := []string{"accepted", "wrong_answer", "accepted"}[r.Sample]
		if string(r.Verdict) != want || r.Worker != "alice" || r.Assay != console.Version() || r.Enforcement["net"] == "" || r.Interpreter == "" {
			t.Errorf("%+v", r)
		}
	}
	files, err := filepath.Glob(filepath.Join(out, "outputs", "*", "0", "left.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("what the program left: %v %v", files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || string(text) != "hello" {
		t.Errorf("it left %q, %v", text, err)
	}
}

// With --fleet this machine is server and worker, and continues interrupted work.
func TestEvalWithItsOwnFleet(t *testing.T) {
	needSandbox(t)
	dir := t.TempDir()
	tasks, samples, out := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl"), filepath.Join(dir, "out")
	writeFile(t, tasks, fleetTasks)
	writeFile(t, samples, fleetSamples)
	code, stdout, stderr := runCLI(t, "eval", samples, "--tasks", tasks, "--out", out, "--fleet", "127.0.0.1:0", "--run-only", "--workers", "1")
	if code != console.ExitOK || !strings.Contains(stderr, "workers on other machines help after: ASSAY_NATS=nats://") || !strings.Contains(stdout, "3 samples of 1 task") {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = runCLI(t, "eval", samples, "--tasks", tasks, "--out", out, "--fleet", "127.0.0.1:0", "--run-only", "--workers", "1", "--resume")
	if code != console.ExitOK || !strings.Contains(stdout, "3 results were taken from the run before") {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
}

// Data of a failed fleet are removed when its evaluation is finished without it, unless another process
// uses them.
func TestAFailedFleetLeavesNothing(t *testing.T) {
	needSandbox(t)
	dir := t.TempDir()
	tasks, samples, out := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl"), filepath.Join(dir, "out")
	writeFile(t, tasks, fleetTasks)
	writeFile(t, samples, fleetSamples)
	kept := out + judges.ServerSuffix
	lock, err := judges.LockIn(kept)
	fatal.If(t, err)
	for _, used := range []bool{true, false} {
		if code, stdout, stderr := runCLI(t, "eval", samples, "--tasks", tasks, "--out", out+"/", "--run-only"); code != console.ExitOK {
			t.Fatalf("code %d\n%s%s", code, stdout, stderr)
		}
		if console.Exists(kept) != used {
			t.Errorf("%s is there: %v; used: %v", kept, console.Exists(kept), used)
		}
		lock.Close()
	}
}

// Go compiles its library when a worker starts for the first time, which takes a minute; the worker can be
// stopped meanwhile.
func TestAWorkerEndsWhileGoCompiles(t *testing.T) {
	needSandbox(t)
	real, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	begun := filepath.Join(dir, "begun")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = list ] && { : > %s; exec sleep 1000; }\nexec %s \"$@\"\n", begun, real)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0", Token: "secret"})
	fatal.If(t, err)
	defer s.Close()
	_, host, _ := strings.Cut(s.Address(), "@")
	worker, ended, stop := inBackground("worker", "--nats", "nats://"+host, "--workers", "1") // is refused
	defer stop()
	for !console.Exists(begun) {
		select {
		case code := <-ended:
			t.Skipf("Go's library is not compiled here: code %d\n%s", code, worker)
		case <-time.After(time.Millisecond):
		}
	}
	stop()
	select {
	case code := <-ended:
		if code != console.ExitInterrupted {
			t.Errorf("code %d\n%s", code, worker)
		}
	case <-time.After(time.Minute):
		t.Fatal("the worker waits for Go")
	}
}

// strangersCredentials are user credentials in a file that no server knows, and their seed.
func strangersCredentials(t *testing.T) (file, seed string) {
	t.Helper()
	account, err := nkeys.CreateAccount()
	fatal.If(t, err)
	user, err := nkeys.CreateUser()
	fatal.If(t, err)
	public, err := user.PublicKey()
	fatal.If(t, err)
	signed, err := jwt.NewUserClaims(public).Encode(account)
	fatal.If(t, err)
	secret, err := user.Seed()
	fatal.If(t, err)
	text, err := jwt.FormatUserConfig(signed, secret)
	fatal.If(t, err)
	file = filepath.Join(t.TempDir(), "stranger.creds")
	writeFile(t, file, string(text))
	return file, string(secret)
}

// Errors state their cause, a remedy and the exit code.
func TestFleetErrors(t *testing.T) {
	needSandbox(t)
	dir := t.TempDir()
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0", Token: "secret"})
	fatal.If(t, err)
	defer s.Close()
	_, host, _ := strings.Cut(s.Address(), "@")
	tasks, samples := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl")
	writeFile(t, tasks, fleetTasks)
	writeFile(t, samples, fleetSamples)
	creds, seed := strangersCredentials(t)
	nothing := filepath.Join(dir, "nothing.creds")
	writeFile(t, nothing, "no credentials\n")
	for _, x := range []struct {
		code int
		want string
		args []string
	}{
		{console.ExitAuth, "refused access", []string{"worker", "--nats", "nats://" + host, "--creds", creds}},
		{console.ExitAuth, "refused access", []string{"eval", samples, "--tasks", tasks, "--nats", "nats://" + host, "--creds", creds}},
		{console.ExitAuth, "there are no user credentials in " + nothing, []string{"eval", samples, "--tasks", tasks, "--nats", "nats://" + host, "--creds", nothing}},
		{console.ExitError, "no NATS server answers at nats://127.0.0.1:1", []string{"eval", samples, "--tasks", tasks, "--nats", "nats://127.0.0.1:1"}},
		{console.ExitAuth, "refused access", []string{"worker", "--nats", "nats://" + host}},
		{console.ExitAuth, "refused access", []string{"eval", samples, "--tasks", tasks, "--nats", "nats://wrong@" + host}},
		{console.ExitUsage, "give --nats URL", []string{"worker"}},
		{console.ExitUsage, "--creds: open nowhere: no such file", []string{"worker", "--nats", "nats://" + host, "--creds", "nowhere"}},
		{console.ExitUsage, "give only one of them", []string{"eval", samples, "--tasks", tasks, "--nats", "nats://" + host, "--fleet", ":0"}},
		{console.ExitUsage, "give --workers and --python to 'assay worker'", []string{"eval", samples, "--tasks", tasks, "--nats", "nats://" + host, "--workers", "3"}},
		{console.ExitError, "cannot be run here; available:", []string{"worker", "--nats", s.Address(), "--languages", "cobol"}},
	} {
		code, _, stderr := runCLI(t, x.args...)
		if code != x.code || !strings.Contains(stderr, x.want) || strings.Contains(stderr, "wrong@") || strings.Contains(stderr, seed) {
			t.Errorf("%v: code %d, %s", x.args, code, stderr)
		}
	}
}

// The environment is to be used, but has no server.
func TestNoServerInTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	tasks, samples := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl")
	writeFile(t, tasks, fleetTasks)
	writeFile(t, samples, fleetSamples)
	if code, _, stderr := runCLI(t, "eval", samples, "--tasks", tasks, "--nats", "env"); code != console.ExitUsage || !strings.Contains(stderr, "from $ASSAY_NATS, which is empty") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// With --fleet this machine offers the libraries that the tasks declare, so that no sample waits for
// another worker.
func TestFleetOffersDeclaredLibraries(t *testing.T) {
	needSandbox(t)
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Mkdir(filepath.Join(dir, "packages"), 0o755)); err != nil { // the sandbox may be another user
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "packages", "greeting.py"), "text = 'hello'\n")
	tasks, samples, out := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl"), filepath.Join(dir, "out")
	writeFile(t, tasks, `{"assay_benchmark": 1, "name": "n", "libraries": {"python": "packages"}, "tasks": [
 {"id": "n/1", "title": "One", "language": "python", "description": "d", "entry_point": "one", "tests": {"style": "calls", "cases": [{"args": [], "expected": "hello"}]}},
 {"id": "n/2", "title": "Two", "language": "python", "description": "d", "entry_point": "one", "library": "nowhere", "tests": {"style": "calls", "cases": [{"args": [], "expected": 1}]}}]}`)
	writeFile(t, samples, `{"task_id": "n/1", "solution": "import greeting\ndef one():\n    return greeting.text\n"}
{"task_id": "n/2", "solution": "def one():\n    return 1\n"}
`)
	code, stdout, stderr := runCLI(t, "eval", samples, "--tasks", tasks, "--out", out, "--fleet", "127.0.0.1:0", "--workers", "1", "--run-only")
	if code != console.ExitPartial || strings.Contains(stderr, "wait for a worker") { // one library is missing
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	rows, err := batch.ReadResults(out)
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	for _, r := range rows {
		switch {
		case r.TaskID == "n/1" && r.Verdict == "accepted" && strings.Contains(r.Library, "packages"):
		case r.TaskID == "n/2" && r.Verdict == "not_judged" && strings.Contains(r.Message, "nowhere is not a readable directory"):
		default:
			t.Errorf("%s is %s: %s (library %q)", r.TaskID, r.Verdict, r.Message, r.Library)
		}
	}
}

// A second coordinator is rejected on a shared server, too.
func TestSecondCoordinatorAtAServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0", Token: "secret"})
	fatal.If(t, err)
	defer s.Close()
	tasks, samples, out := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "samples.jsonl"), filepath.Join(dir, "out")
	writeFile(t, tasks, fleetTasks)
	writeFile(t, samples, fleetSamples)
	args := []string{"eval", samples, "--tasks", tasks, "--out", out, "--nats", s.Address(), "--run-only"}
	first, ended, stop := inBackground(args...)
	defer stop()
	first.await(t, "3 samples wait for a worker", ended)
	if !strings.Contains(first.String(), "ctrl+c stops") || !strings.Contains(first.String(), "--resume") || strings.Contains(first.String(), "secret") {
		t.Errorf("it says:\n%s", first)
	}
	if code, _, stderr := runCLI(t, args...); code != console.ExitInUse || !strings.Contains(stderr, "another process uses") {
		t.Errorf("code %d: %s", code, stderr)
	}
	stop()
	<-ended
}
