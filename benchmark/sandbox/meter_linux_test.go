package sandbox

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// A process that has ended since the last look is no obstacle to measuring the others.
func TestPreciseAmongEndedProcesses(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skip(err)
	}
	m := &meter{scratch: map[int]procStat{gone.Process.Pid: {}, os.Getpid(): {}}}
	if kb, ok := m.precise(); !ok || kb <= 0 {
		t.Errorf("%d KB, %v", kb, ok)
	}
}

// TestDelayed: programs that share one processor wait for it, which is no idleness.
func TestDelayed(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	measure := func(program string) Usage {
		cmd := exec.Command(python, "-c", "import os, threading, time\nos.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])\n"+program)
		in, _ := cmd.StdinPipe()
		out, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		defer in.Close()
		out.Read(make([]byte, 1))
		return newMeter(cmd.Process.Pid).read()
	}
	const spin = "end = time.thread_time() + 0.2\nwhile time.thread_time() < end: pass\nprint(flush=True)\ninput()\n"
	if u := measure("for _ in range(3): os.fork()\n" + spin); u.CPU < 200*time.Millisecond || u.Delayed < u.CPU {
		t.Errorf("eight processes on one processor: %+v", u)
	}
}
