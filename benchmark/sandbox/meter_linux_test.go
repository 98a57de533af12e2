package sandbox

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay/data/sampled"
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
	const turns = "end = time.thread_time() + 0.2\nwhile time.thread_time() < end: pass\nprint(flush=True)\ninput()\n"
	if u := measure("for _ in range(3): os.fork()\n" + turns); u.CPU < 200*time.Millisecond || u.Delayed < u.CPU {
		t.Errorf("eight processes on one processor: %+v", u)
	}
}

// spin keeps all processors busy until the test ends.
func spin(t *testing.T) {
	t.Helper()
	for range sampled.Of(1, 3) * runtime.NumCPU() { // more take all other tests their time
		cmd := exec.Command(python, "-c", "while True: pass")
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	}
}

// TestIdle: what a program waits for by itself is idle time, beside however much other work; what it computes, or
// waits for a processor, is none.
func TestIdle(t *testing.T) {
	const burn = "end = time.process_time() + %s\nwhile time.process_time() < end: pass\n"
	rows := []struct {
		name, script string
		idle, busy   bool // at least 0.3 s idle; less than that
	}{
		{"sleeps", "time.sleep(1)", true, false},
		{"sleeps often", "for _ in range(400): time.sleep(0.002)", true, false},
		{"computes, then sleeps", strings.ReplaceAll(burn, "%s", "0.2") + "time.sleep(1)", true, false},
		{"waits for a child that sleeps", "if os.fork() == 0:\n  time.sleep(1); os._exit(0)\nos.wait()", true, false},
		{"a thread waits for another that sleeps", "t = threading.Thread(target=time.sleep, args=(1,)); t.start(); t.join()", true, false},
		{"waits for a pipe", "r, w = os.pipe()\nif os.fork() == 0:\n  time.sleep(1); os.write(w, b'x'); os._exit(0)\nos.read(r, 1)", true, false},
		{"waits like for a disk", "import ctypes\nlibc = ctypes.PyDLL(None)\nif libc.vfork() == 0: libc.usleep(600000); libc._exit(0)", false, true},
		{"computes", strings.ReplaceAll(burn, "%s", "0.4"), false, true},
		{"a thread computes", "def f():\n  end = time.thread_time() + 0.4\n  while time.thread_time() < end: pass\nt = threading.Thread(target=f); t.start(); t.join()", false, true},
		{"a child computes", "if os.fork() == 0:\n  " + strings.ReplaceAll(strings.ReplaceAll(burn, "%s", "0.4"), "\n", "\n  ") + "os._exit(0)\nos.wait()", false, true},
		{"many children compute", "for _ in range(60):\n  if os.fork() == 0:\n    sum(range(100000)); os._exit(0)\n  os.wait()", false, true},
	}
	for name, beside := range map[string]func(*testing.T){"alone": func(*testing.T) {}, "beside other work": spin} {
		t.Run(name, func(t *testing.T) {
			b := newWarm(t)
			beside(t)
			for _, row := range rows {
				script := "import os, threading, time\n" + row.script
				if name != "alone" && !sampled.All { // where it takes many times as long
					script = strings.ReplaceAll(script, "0.4", "0.05")
				}
				end := runForked(t, b, script, Limits{}, Budget{Wall: time.Minute})
				if idle := end.Usage.Idle; row.idle && idle < 300*time.Millisecond || row.busy && idle >= 300*time.Millisecond || end.Cause != "" || len(end.Stderr) > 0 {
					t.Errorf("%s: idle for %v; cause %q, %s", row.name, idle, end.Cause, end.Stderr)
				}
			}
		})
	}
}

// TestDiskIsNoExcuse: a program that pretends to wait for a disk does not do so for ever.
func TestDiskIsNoExcuse(t *testing.T) {
	m, idle := meter{usage: Usage{state: 'D'}}, time.Duration(0)
	for range 600 {
		idle += m.idle(100*time.Millisecond, 50*time.Millisecond)
	}
	if want := (time.Minute - mostDisk) / 2; idle != want {
		t.Errorf("idle for %v of a minute, want %v", idle, want)
	}
}
