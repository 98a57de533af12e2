package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asleep is a program that says when it runs, with an orphan beside it.
const asleep = `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(1000)
    os._exit(0)
os.wait()
os.write(4, b"!")
time.sleep(1000)
`

// startAsleep starts it in any box and waits until it runs.
func startAsleep(t *testing.T, b Box) *process {
	t.Helper()
	spec := Spec{Argv: []string{python, "-I", "-S", "-c", asleep}, Env: []string{"PATH=/usr/bin:/bin"}}
	if _, warm := b.(*Warm); warm {
		spec = forked(Limits{})
	}
	p, err := b.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	in, out := p.Control()
	if spec.Fork != nil {
		io.WriteString(in, asleep)
		in.Close()
	}
	if n, err := out.Read(make([]byte, 1)); n != 1 {
		t.Fatalf("it did not start: %v, %s", err, p.Close().Stderr)
	}
	if young, is := p.(*brief); is {
		return young.old()
	}
	return p.(*process)
}

// outcome waits for the end of a process that something was done to.
func outcome(t *testing.T, p *process) Outcome {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(20 * time.Second):
		t.Error("it did not end")
	}
	return p.Close()
}

// TestKilledFromOutside: whatever part of a box somebody kills, everything of it
// ends, and what broke by no fault of the program is told apart.
func TestKilledFromOutside(t *testing.T) {
	strict := func(t *testing.T) Box { return newBox(t) }
	warm := func(t *testing.T) Box { return newWarm(t) }
	landlock := func(t *testing.T) Box { return newLandlock(t) }
	first := func(p *process) int { return p.meter.root }
	slotOf := func(b Box) *slot {
		for s := range slots(b.(*Warm)) {
			return s
		}
		return nil
	}
	for _, tt := range []struct {
		name   string
		open   func(*testing.T) Box
		victim func(Box, *process) int
		cause  Cause
	}{
		{"bwrap", strict, func(_ Box, p *process) int { return parentOf(first(p)) }, Lost},
		{"a box's first process", strict, func(_ Box, p *process) int { return first(p) }, Lost},
		{"a box's program", strict, func(_ Box, p *process) int { return children(threadOf(first(p)))[0] }, ""},
		{"a slot's bwrap", warm, func(b Box, _ *process) int { return slotOf(b).cmd.Process.Pid }, Lost},
		{"a slot's first process", warm, func(b Box, _ *process) int { return slotOf(b).inner.pid }, Lost},
		{"a fork server", warm, func(b Box, _ *process) int { return children(threadOf(slotOf(b).inner.pid))[0] }, Lost},
		{"a slot's program", warm, func(b Box, _ *process) int { _, pid := slotOf(b).program(); return pid }, ""},
		{"a keeper", landlock, func(_ Box, p *process) int { return first(p) }, Lost},
		{"a keeper's program", landlock, func(_ Box, p *process) int { return programOf(p) }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.open(t)
			p := startAsleep(t, b)
			p.Usage() // looks at the processes
			victim := tt.victim(b, p)
			if victim <= 1 || syscall.Kill(victim, syscall.SIGKILL) != nil {
				t.Fatalf("no process %d to kill", victim)
			}
			end := outcome(t, p)
			if tt.name == "a box's first process" && end.Cause == "" && kernelBefore(6, 15) {
				t.Skip("this kernel does not tell who was killed")
			}
			if end.Cause != tt.cause || tt.cause == "" && end.Exit == 0 {
				t.Errorf("cause %q, want %q; exit %d", end.Cause, tt.cause, end.Exit)
			}
			if next := runScript(t, b, "print(1)", Limits{}, Budget{}); string(next.Stdout) != "1\n" {
				t.Errorf("the next program: cause %q, %s%s", next.Cause, next.Stdout, next.Stderr)
			}
			b.Close()
			nothingLeft(t)
		})
	}
}

func parentOf(pid int) int {
	text := readText(fmt.Sprintf("/proc/%d/stat", pid))
	var state string
	var parent int
	fmt.Sscan(text[strings.LastIndexByte(text, ')')+1:], &state, &parent)
	return parent
}

// programOf is the program of a keeper: its first child.
func programOf(p *process) int {
	tasks, _ := readNames(fmt.Sprintf("/proc/%d/task", p.meter.root))
	for _, task := range tasks {
		for _, pid := range children(fmt.Sprintf("/proc/%d/task/%s", p.meter.root, task)) {
			if strings.HasPrefix(readText(fmt.Sprintf("/proc/%d/cmdline", pid)), python) {
				if sid := readText(fmt.Sprintf("/proc/%d/stat", pid)); strings.Contains(sid, fmt.Sprintf(" %d %d ", pid, pid)) {
					return pid
				}
			}
		}
	}
	return 0
}

func kernelBefore(major, minor int) bool {
	var a, b int
	fmt.Sscanf(readText("/proc/sys/kernel/osrelease"), "%d.%d", &a, &b)
	return a < major || a == major && b < minor
}

// TestSuicideIsNoFault: a program that kills itself has not broken its box.
func TestSuicideIsNoFault(t *testing.T) {
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			for _, orphan := range []string{"", "if os.fork() == 0: time.sleep(1000)\n"} {
				end := runScript(t, b, "import os, time\n"+orphan+"os.kill(os.getpid(), 9)", Limits{}, Budget{})
				if end.Cause != "" || end.Exit != -9 && end.Exit != 137 {
					t.Errorf("cause %q, exit %d", end.Cause, end.Exit)
				}
			}
		})
	}
}

// TestRemovedBubblewrap: a bwrap that disappears during a run is an error of ours,
// and ends nothing that runs.
func TestRemovedBubblewrap(t *testing.T) {
	newBox(t)
	path, err := exec.LookPath("bwrap")
	if err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	copied := filepath.Join(dir, "bwrap")
	if err := os.WriteFile(copied, text, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	strict, err := NewBubblewrap()
	if err != nil {
		t.Fatal(err)
	}
	w := NewWarm(strict)
	if end := runForked(t, w, "print(1)", Limits{}, Budget{}); string(end.Stdout) != "1\n" {
		t.Fatalf("before: %+v", end)
	}
	sleeping := startAsleep(t, strict)
	os.Remove(copied)
	if _, err := strict.Start(t.Context(), Spec{Argv: []string{"/bin/true"}}); err == nil || !strings.Contains(err.Error(), copied) {
		t.Errorf("starting a box: %v", err)
	}
	if end := runForked(t, w, "print(2)", Limits{}, Budget{}); string(end.Stdout) != "2\n" {
		t.Errorf("in a slot that lives: %+v", end)
	}
	other := forked(Limits{FileMB: 7})
	if _, err := w.Start(t.Context(), other); err == nil || !strings.Contains(err.Error(), copied) || w.Reason() != nil {
		t.Errorf("starting a slot: %v", err)
	}
	if end := sleeping.Close(); end.Cause != Closed {
		t.Errorf("what ran ended with %q", end.Cause)
	}
	w.Close()
	nothingLeft(t)
}

// TestFullDisk: a program that finds its private file system full is told so, and
// the box is not broken. A Landlock box lies on the host's disk.
func TestFullDisk(t *testing.T) {
	fill := "f = open('f', 'wb')\nwhile True: f.write(bytes(4096)); f.flush()"
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			if kind.name == "landlock" {
				tinyDisk(t)
			}
			b := kind.open(t)
			end := runScript(t, b, fill, Limits{FileMB: 4}, Budget{Wall: 20 * time.Second})
			if end.Cause != "" && end.Cause != Files || !strings.Contains(string(end.Stderr), "OSError") {
				t.Errorf("cause %q, exit %d, %s", end.Cause, end.Exit, end.Stderr)
			}
			if end := runScript(t, b, "open('f', 'w').write('x' * 9999); print(1)", Limits{FileMB: 4}, Budget{}); string(end.Stdout) != "1\n" {
				t.Errorf("the next program: cause %q, %s", end.Cause, end.Stderr)
			}
			b.Close()
			nothingLeft(t)
		})
	}
}

// tinyDisk makes the place of temporary directories a file system of one megabyte.
func tinyDisk(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m,mode=1777"); err != nil {
		os.Remove(dir)
		t.Skipf("mounting a small file system: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0); os.Remove(dir) })
	t.Setenv("TMPDIR", dir)
}

// TestKilledAssay kills a process with running boxes, as kill -9 does: all they
// contain ends, and what only lies about is removed by the next that makes boxes.
func TestKilledAssay(t *testing.T) {
	if kind := os.Getenv("ASSAY_TEST_VICTIM"); kind != "" {
		for _, k := range isolating {
			if k.name == kind {
				startAsleep(t, k.open(t))
				fmt.Println("running")
				time.Sleep(time.Hour)
			}
		}
		return
	}
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			kind.open(t).Close()
			cmd := exec.Command("/proc/self/exe", "-test.run=^TestKilledAssay$")
			cmd.Env = append(os.Environ(), "ASSAY_TEST_VICTIM="+kind.name)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "running\n" {
				t.Fatalf("%q, %v", line, err)
			}
			m := newMeter(cmd.Process.Pid)
			m.read()
			victim, prefix := cmd.Process.Pid, groupPrefix(cmd.Process.Pid)
			cmd.Process.Kill()
			cmd.Wait()
			deadline := time.Now().Add(15 * time.Second)
			for pid := range m.scratch {
				for running(pid) && !isEngine(pid) {
					if time.Now().After(deadline) {
						t.Fatalf("process %d still runs: %s", pid, readText(fmt.Sprintf("/proc/%d/cmdline", pid)))
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
			again := kind.open(t)
			again.Close()
			left, _ := filepath.Glob(fmt.Sprintf("%s%d-*", landlockDir(), victim))
			if g := newGroups(); g.reason == nil {
				groups, _ := filepath.Glob(filepath.Join(g.home, prefix+"*"))
				left = append(left, groups...)
				g.close()
			}
			if c, is := again.(*Container); is {
				out, _ := exec.Command(c.path, "ps", "--all", "--quiet", "--filter", "name="+prefix).Output()
				left = append(left, strings.Fields(string(out))...)
			}
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestLeftBehindProcesses: of processes that are named as boxes are, those of an assay that is
// gone are ended, and no others.
func TestLeftBehindProcesses(t *testing.T) {
	gone := exec.Command("/bin/true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	own := strings.Split(groupPrefix(os.Getpid()), "-")
	own[2], own[3] = strconv.Itoa(gone.Process.Pid), "1"
	for name, want := range map[string]bool{strings.Join(own, "-") + "bwrap": false, groupPrefix(os.Getpid()) + "bwrap": true, "assay-notes": true} {
		cmd := exec.Command("/bin/sleep", "1000")
		cmd.Args[0] = name
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		newBox(t)
		patience := time.Duration(0)
		if !want {
			patience = 10 * time.Second
		}
		select {
		case <-ended:
			if want {
				t.Errorf("%s was ended", name)
			}
			continue
		case <-time.After(patience):
			if !want {
				t.Errorf("%s still runs", name)
			}
		}
		cmd.Process.Kill()
		<-ended
	}
}

// isEngine reports whether a process is a container engine's own: those end by
// themselves when their container has ended.
func isEngine(pid int) bool {
	name := readText(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.HasPrefix(name, "conmon") || strings.HasPrefix(name, "podman") || strings.HasPrefix(name, "docker")
}
