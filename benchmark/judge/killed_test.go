package judge

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// descendants are the processes below pid, itself included.
func descendants(pid int) []int {
	found := []int{pid}
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for _, w := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(w); err == nil {
				found = append(found, descendants(child)...)
			}
		}
	}
	return found
}

const sleeper = "import os, time\nos.fork()\ndef f():\n    print('asleep', flush=True)\n    time.sleep(10**6)"

// TestKilledJudgeLeavesNothing kills a program that judges, as kill -9 does.
func TestKilledJudgeLeavesNothing(t *testing.T) {
	t.Parallel()
	if os.Getenv("ASSAY_TEST_SLEEPER") != "" {
		j := ownJudge(t)
		time.AfterFunc(1500*time.Millisecond, func() { os.Stdout.WriteString("running\n") })
		judgeCode(t, j, checkTask("", "f", returnsOne), sleeper)
		return
	}
	ownJudge(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledJudgeLeavesNothing$")
	cmd.Env = append(os.Environ(), "ASSAY_TEST_SLEEPER=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n')
	below := descendants(cmd.Process.Pid)[1:]
	if len(below) < 6 { // two boxes of a bwrap, its child and a program
		t.Errorf("only %d processes were running", len(below))
	}
	cmd.Process.Kill()
	cmd.Wait()
	deadline := time.Now().Add(15 * time.Second)
	for _, pid := range below {
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d still runs", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func alive(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(text), ") Z ")
}

func TestCancelIsPrompt(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	judgeCode(t, j, checkTask("", "f", returnsOne), "def f(): return 1") // a checker runs
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	start := time.Now()
	_, err := j.Judge(ctx, verdicts.Submission{Task: checkTask("", "f", returnsOne), Code: sleeper})
	if err == nil || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if r := judgeCode(t, j, checkTask("", "f", returnsOne), "def f(): return 1"); r.Verdict != verdicts.Accepted {
		t.Errorf("after a cancelled run: %+v", r)
	}
}

func TestConcurrentUse(t *testing.T) {
	j := newJudge(t)
	task := checkTask("", "f", returnsOne)
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			code, want := "def f(): return 1", verdicts.Accepted
			if i%2 == 1 {
				code, want = "def f(): return 2", verdicts.WrongAnswer
			}
			if r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code}); err != nil || r.Verdict != want {
				t.Errorf("%v, %v, want %v", r, err, want)
			}
		})
	}
	wg.Wait()
}

// TestCheckerLost: a checker that dies is replaced, and the sample judged.
func TestCheckerLost(t *testing.T) {
	t.Parallel()
	j, err := New(Options{Box: newJudge(t).box, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.hurry().Close()
	task := checkTask("", "f", returnsOne)
	judgeCode(t, j, task, "def f(): return 1")
	w := <-j.workers
	w.box.Close()
	j.workers <- w
	if r := judgeCode(t, j, task, "def f(): return 1"); r.Verdict != verdicts.Accepted {
		t.Errorf("%+v", r)
	}
	// Tests that do not end on what the sample returned are no error of ours.
	slow := checkTask("", "f", "def check(candidate):\n    x = candidate()\n    while x: pass\n    assert x == 1\n")
	if r := judgeCode(t, j, slow, "def f(): return 1"); r.Verdict != verdicts.TimeLimit {
		t.Errorf("%+v", r)
	}
}

// heldContext keeps what is to run when it is cancelled.
type heldContext struct {
	context.Context
	functions *[]func()
}

func (heldContext) Done() <-chan struct{} { return make(chan struct{}) }
func (heldContext) Err() error            { return context.Canceled }
func (heldContext) Value(any) any         { return nil }

// AfterFunc is what context.AfterFunc calls.
func (c heldContext) AfterFunc(f func()) func() bool {
	*c.functions = append(*c.functions, f)
	return func() bool { return false }
}

// cancellingBox cancels the context of a run when the run starts its sample. Its
// processes are closed without waiting.
type cancellingBox struct {
	sandbox.Box
	t         *testing.T
	functions *[]func()
	cancelled chan struct{}
}

func (b cancellingBox) Start(ctx context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	if len(*b.functions) > 0 {
		for _, f := range *b.functions {
			f()
		}
		return nil, context.Canceled
	}
	p, err := b.Box.Start(ctx, spec)
	if err == nil {
		b.t.Cleanup(func() { p.Close() })
	}
	return heldProcess{p, b.cancelled}, err
}

type heldProcess struct {
	sandbox.Process
	cancelled chan struct{}
}

func (p heldProcess) Close() sandbox.Outcome { return sandbox.Outcome{} }

func (p heldProcess) Kill(sandbox.Cause) { close(p.cancelled) }

// TestCancelAfterTheError: cancelling may get to the checker only when the run has
// given it up already.
func TestCancelAfterTheError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // nothing else runs until this test waits
	j := ownJudge(t)
	var functions []func()
	var worker *checker
	cancelled := make(chan struct{})
	j.box = cancellingBox{j.box, t, &functions, cancelled}
	task := checkTask("", "f", returnsOne)
	r := &run{judge: j, task: task, limits: fixedLimits(task.Limits.WithDefaults()), clock: j.newClock(task.Limits), program: "def f(): return 1"}
	if err := j.attempt(heldContext{t.Context(), &functions}, r, &worker); err == nil || worker != nil {
		t.Fatalf("%v, %v", err, worker)
	}
	<-cancelled
}
