package sandbox

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

const python = "/usr/bin/python3"

// newBox returns a working box, or skips where the machine cannot have one.
func newBox(t *testing.T) *Bubblewrap {
	t.Helper()
	b, err := NewBubblewrap()
	if err != nil {
		t.Skip(err)
	}
	if err := b.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// runPython runs a script until it ends or is killed.
func runPython(t *testing.T, b Box, script string, limits Limits, budget Budget) Outcome {
	t.Helper()
	p, err := b.Start(t.Context(), Spec{
		Argv:   []string{python, "-I", "-S", "-c", script},
		Env:    []string{"PATH=/usr/bin:/bin", "HOME=/tmp/work"},
		Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Arm(budget)
	select {
	case <-p.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the box did not end within 30 seconds")
	}
	return p.Close()
}

func TestLimitsEndABox(t *testing.T) {
	b := newBox(t)
	short := Budget{CPU: 300 * time.Millisecond, Wall: 20 * time.Second}
	for _, tt := range []struct {
		name, script string
		limits       Limits
		budget       Budget
		cause        Cause
		stderr       string
	}{
		{"ends by itself", "print('hello')", Limits{}, short, "", ""},
		{"busy loop", "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True: pass", Limits{}, short, CPU, ""},
		{"total", "while True: pass", Limits{}, Budget{Total: 200 * time.Millisecond}, CPUTotal, ""},
		{"CPU in children", "import os\nfor i in range(3): os.fork()\nwhile True: pass", Limits{}, short, CPU, ""},
		{"sleeps", "import time\ntime.sleep(1000)", Limits{}, Budget{Wall: 300 * time.Millisecond}, Idle, ""},
		{"memory", "x=[]\nwhile True: x.append(bytearray(1<<20))", Limits{MemoryMB: 100}, Budget{}, Memory, ""},
		{"memory in children", "import os,time\nfor i in range(4):\n  if os.fork()==0:\n    x=bytearray(b'x')*(60<<20); time.sleep(100)\ntime.sleep(100)",
			Limits{MemoryMB: 150}, Budget{}, Memory, ""},
		{"shared memory is counted once", "import os,time\nx=bytearray(b'x')*(60<<20)\nfor i in range(4):\n  if os.fork()==0: time.sleep(.3); os._exit(0)\nfor i in range(4): os.wait()",
			Limits{MemoryMB: 150}, Budget{}, "", ""},
		{"output", "while True: print('x'*1000)", Limits{OutputKB: 64}, Budget{}, Output, ""},
		{"many files", "i=0\nwhile True: open(str(i),'w').close(); i+=1", Limits{Files: 500}, Budget{}, Files, ""},
		{"disk full", "f=open('f','wb')\nwhile True: f.write(b'x'*(1<<20))", Limits{FileMB: 8}, Budget{}, "", "Errno 2"},
		{"orphan", "import os,time\nif os.fork()==0:\n  os.setsid()\n  if os.fork()==0: time.sleep(1000)\n", Limits{}, Budget{}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			end := runPython(t, b, tt.script, tt.limits, tt.budget)
			if end.Cause != tt.cause {
				t.Errorf("cause %q, want %q; exit %d, stderr %s", end.Cause, tt.cause, end.Exit, end.Stderr)
			}
			if !strings.Contains(string(end.Stderr), tt.stderr) {
				t.Errorf("stderr %q does not mention %q", end.Stderr, tt.stderr)
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

func TestResourceLimitsHoldInside(t *testing.T) {
	end := runPython(t, newBox(t), `import resource as r, os
for n in "CORE NOFILE NPROC FSIZE CPU AS STACK".split(): print(n, *r.getrlimit(getattr(r, "RLIMIT_"+n)))
print("uid", os.getuid(), "caps", os.geteuid(), "env", sorted(os.environ))
def there(i):
    try: os.fstat(i); return True
    except OSError: return False
print("descriptors", [i for i in range(64) if there(i)])
print("root", sorted(os.listdir("/")), sorted(os.listdir("/dev")), sorted(os.listdir("/etc")))
`, Limits{CPU: 30 * time.Second, AddressSpaceMB: 2048, Processes: 20, FileMB: 10, OpenFiles: 99}, Budget{})
	text := string(end.Stdout)
	for _, want := range []string{
		"CORE 0 0", "NOFILE 99 99", "NPROC 22 22", "FSIZE 10485760 10485760", "CPU 30 30",
		"AS 2147483648 2147483648", "STACK 8388608 8388608",
		"uid 65534 caps 65534 env ['HOME', 'LC_CTYPE', 'PATH', 'PWD']", "descriptors [0, 1, 2, 3, 4]\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing %q in:\n%s%s", want, text, end.Stderr)
		}
	}
	t.Log(text)
}

func TestControlChannel(t *testing.T) {
	p, err := newBox(t).Start(t.Context(), Spec{Argv: []string{"/bin/sh", "-c", "cat <&3 >&4"}})
	if err != nil {
		t.Fatal(err)
	}
	in, out := p.Control()
	go io.WriteString(in, "ping")
	got := make([]byte, 4)
	if _, err := io.ReadFull(out, got); err != nil || string(got) != "ping" {
		t.Errorf("got %q, %v", got, err)
	}
	if end := p.Close(); end.Cause != Closed {
		t.Errorf("cause %q", end.Cause)
	}
	if _, err := out.Read(got); err == nil {
		t.Error("the channel can be read after Close")
	}
}

func TestCancel(t *testing.T) {
	b := newBox(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := b.Start(ctx, Spec{Argv: []string{"/bin/sleep", "1000"}})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-p.Done()
	if end := p.Close(); end.Cause != Cancelled {
		t.Errorf("cause %q", end.Cause)
	}
	if _, err := b.Start(ctx, Spec{Argv: []string{"/bin/true"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("starting under a cancelled context: %v", err)
	}
}

func TestNoConsent(t *testing.T) {
	if _, err := NewUnprotected(false); !errors.Is(err, errNoConsent) {
		t.Errorf("got %v", err)
	}
}

func TestUnprotectedKillsWhatItStarted(t *testing.T) {
	b, err := NewUnprotected(true)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	end := runPython(t, b, "import os,time\nif os.fork()==0: time.sleep(1000)\nprint(os.getcwd())\nwhile True: pass", Limits{}, Budget{CPU: 200 * time.Millisecond})
	if end.Cause != CPU {
		t.Errorf("cause %q, %s", end.Cause, end.Stderr)
	}
	if e := b.Enforcement(); e["net"] != "none" || e["fs"] != "none" {
		t.Errorf("claims to enforce %v", e)
	}
}

func TestDiagnose(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		settings      map[string]string
		want          string
	}{
		{"none allowed", "bwrap: No permissions to create new namespace", map[string]string{"/proc/sys/user/max_user_namespaces": "0"}, "user.max_user_namespaces=15000"},
		{"ENOSPC", "bwrap: Creating new namespace failed: No space left on device", nil, "user.max_user_namespaces"},
		{"AppArmor", "bwrap: setting up uid map: Permission denied", map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, "apparmor"},
		{"Debian's switch", "bwrap: No permissions", map[string]string{"/proc/sys/kernel/unprivileged_userns_clone": "0"}, "kernel.unprivileged_userns_clone=1"},
		{"container", "bwrap: Creating new namespace failed: Operation not permitted", nil, "seccomp=unconfined"},
		{"hidden /proc", "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", nil, "systempaths=unconfined"},
		{"no /proc", "bwrap: Can't read /proc/sys/kernel/overflowuid: No such file or directory", nil, "mount -t proc proc /proc"},
		{"few descriptors", "starting /usr/bin/bwrap: open /dev/null: too many open files", map[string]string{"/proc/sys/user/max_user_namespaces": "0"}, "ulimit -n 1024"},
		{"limits", "limits: 1: ulimit: error setting limit (Operation not permitted)", nil, "ulimit -aH"},
		{"few processes", "bwrap: Can't fork for pid 1: Resource temporarily unavailable", nil, "pids.max"},
		{"little memory", "fork/exec /usr/bin/bwrap: cannot allocate memory", nil, "memory.max"},
		{"old", "bwrap: Unknown option --size", nil, "0.7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := diagnoseWith(tt.message, func(path string) string { return tt.settings[path] })
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%q does not mention %q and the message", err, tt.want)
			}
		})
	}
}

func TestMissingBubblewrap(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := NewBubblewrap(); err == nil || !strings.Contains(err.Error(), "apt-get install bubblewrap") {
		t.Errorf("got %v", err)
	}
}

// TestNothingIsLeft counts this process's descriptors and children after boxes
// of every kind of end.
func TestNothingIsLeft(t *testing.T) {
	b := newBox(t)
	run := func() {
		runPython(t, b, "print(1)", Limits{}, Budget{})
		runPython(t, b, "while True: pass", Limits{}, Budget{CPU: 50 * time.Millisecond})
	}
	run()
	before := openDescriptors(t)
	for range 5 {
		run()
	}
	if after := openDescriptors(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	m := newMeter(os.Getpid())
	m.read()
	if len(m.scratch) != 1 {
		t.Errorf("children are left: %v", m.scratch)
	}
}

func openDescriptors(t *testing.T) int {
	names, err := readNames("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestHostFilesAreNotCounted: while a box is set up, its root is still the
// host's, whose directory may hold any number of files.
func TestHostFilesAreNotCounted(t *testing.T) {
	if n := newMeter(os.Getpid()).filesUsed("/tmp", 64); n != 0 {
		t.Errorf("%d files of the host were counted", n)
	}
}
