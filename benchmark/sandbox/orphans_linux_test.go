package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestOrphansCount: processes whose parent has ended use the program's time and memory.
func TestOrphansCount(t *testing.T) {
	const begin = `import os, time
def orphan(work):
    pid = os.fork()
    if pid == 0:
        if os.fork() == 0: work()
        os._exit(0)
    os.waitpid(pid, 0)
def spin():
    while time.thread_time() < 0.003: pass
    os._exit(0)
def hold():
    held = bytearray(b"x") * (60 << 20)
    time.sleep(100)
`
	for name, b := range map[string]Box{"warm": newWarm(t), "strict": newBox(t)} {
		t.Run(name, func(t *testing.T) {
			// One after the other, and each shorter than the time between two looks.
			end := runForked(t, b, begin+"for _ in range(200): orphan(spin); time.sleep(0.004)\n", Limits{}, Budget{})
			if end.Cause != "" || end.Usage.CPU < 500*time.Millisecond {
				t.Errorf("200 orphans of 3 ms: %q, %v", end.Cause, end.Usage.CPU)
			}
			end = runForked(t, b, begin+"for _ in range(4): orphan(hold)\ntime.sleep(100)\n", Limits{MemoryMB: 150}, Budget{})
			if end.Cause != Memory {
				t.Errorf("4 orphans of 60 MB: %q, %d MB", end.Cause, end.Usage.PeakKB>>10)
			}
		})
	}
}

// TestBoxIsNotThePrograms: what a program is said to have used is not that of the processes
// which keep its box.
func TestBoxIsNotThePrograms(t *testing.T) {
	p, err := newBox(t).Start(t.Context(), Spec{Argv: []string{"/bin/sleep", "100"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for end := time.Now().Add(30 * time.Second); p.Usage().MemoryKB == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	one := p.(*process)
	one.mu.Lock() // one and the same walk through the processes
	defer one.mu.Unlock()
	used, own := one.meter.read().MemoryKB, int64(0)
	for pid, s := range one.meter.scratch {
		if pid != one.meter.root {
			own += s.rssPages * one.meter.pageKB
		}
	}
	if len(one.meter.scratch) < 2 || used > own*3/2 {
		t.Errorf("%d kB with the box, %d kB without", used, own)
	}
}

// TestGroupCountsAll: children that nobody waits for, since their parent ignores their end,
// and that are too short-lived to be seen, count where the kernel adds up a cgroup's time.
func TestGroupCountsAll(t *testing.T) {
	var dir string
	for _, top := range []string{"/sys/fs/cgroup/unified", "/sys/fs/cgroup"} {
		place := filepath.Join(top, "assay-test-"+strconv.Itoa(os.Getpid()))
		if readText(filepath.Join(top, "cgroup.controllers")) != "" || readText(filepath.Join(top, "cgroup.procs")) != "" {
			if os.Mkdir(place, 0o755) == nil {
				dir = place
				break
			}
		}
	}
	if readText(filepath.Join(dir, "cpu.stat")) == "" {
		t.Skip("no cgroup of version 2 can be made here")
	}
	gr := &group{of: &groups{version: 2}, dir: dir}
	defer gr.remove()
	cmd := exec.Command(python, "-c", `import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(flush=True)
input()
for _ in range(200):
    if os.fork() == 0:
        while time.thread_time() < 0.003: pass
        os._exit(0)
    time.sleep(0.004)
print(flush=True)
input()
`)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := gr.start(cmd); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	m := newMeter(cmd.Process.Pid)
	m.group = gr
	out.Read(make([]byte, 1))
	m.read()
	in.Write([]byte("\n"))
	out.Read(make([]byte, 1))
	if u := m.read(); u.CPU < 500*time.Millisecond {
		t.Errorf("200 children of 3 ms: %v", u.CPU)
	}
}
