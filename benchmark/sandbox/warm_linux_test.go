package sandbox

import (
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// newWarm returns warm boxes that work, or skips.
func newWarm(t *testing.T) *Warm {
	t.Helper()
	w := NewWarm(newBox(t))
	t.Cleanup(func() { w.Close() })
	return w
}

// slots are those that live now.
func slots(w *Warm) map[*slot]struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.live)
}

// forked is a program whose text is read from its control channel, as a
// sample's is.
func forked(limits Limits) Spec {
	return Spec{
		Fork: &Fork{
			Interpreter: []string{python, "-s", "-S", "-B", "-c"},
			Imports:     []string{"json", "no_such_module"},
			Before:      "import os\ndef text():\n    parts = []\n    while True:\n        part = os.read(3, 65536)\n        if not part: return b''.join(parts).decode()\n        parts.append(part)\n",
			After:       "exec(compile(text(), 'program', 'exec'), {'__name__': 'program'})",
		},
		Env:    []string{"PATH=/usr/bin:/bin", "HOME=/tmp/work"},
		Limits: limits,
	}
}

// runForked runs a script in a slot until it ends or is killed.
func runForked(t *testing.T, b Box, script string, limits Limits, budget Budget) Outcome {
	t.Helper()
	p, err := b.Start(t.Context(), forked(limits))
	if err != nil {
		t.Fatal(err)
	}
	if w, ok := b.(*Warm); ok && w.Reason() != nil {
		p.Close()
		t.Skip(w.Reason())
	}
	p.Arm(budget)
	in, _ := p.Control()
	if _, err := in.Write([]byte(script)); err != nil {
		t.Error(err)
	}
	in.Close()
	select {
	case <-p.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the program did not end within 30 seconds")
	}
	return p.Close()
}

func TestLimitsEndAForkedProgram(t *testing.T) {
	w := newWarm(t)
	const either = "either" // the kernel refuses another file, or the program is ended before
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
		{"stops itself", "import os\nos.kill(os.getpid(), 19)", Limits{}, Budget{Wall: 300 * time.Millisecond}, Idle, ""},
		{"memory", "x=[]\nwhile True: x.append(bytearray(1<<20))", Limits{MemoryMB: 100}, Budget{}, Memory, ""},
		{"memory in children", "import os,time\nfor i in range(4):\n  if os.fork()==0:\n    x=bytearray(b'x')*(60<<20); time.sleep(100)\ntime.sleep(100)",
			Limits{MemoryMB: 150}, Budget{}, Memory, ""},
		{"output", "while True: print('x'*1000)", Limits{OutputKB: 64}, Budget{}, Output, ""},
		{"many files", "i=0\nwhile True: open(str(i),'w').close(); i+=1", Limits{Files: 500}, Budget{}, Files, either},
		{"many files, quickly", "for i in range(600): open(str(i),'w').close()", Limits{Files: 500}, Budget{}, Files, either},
		{"disk full", "f=open('f','wb')\nwhile True: f.write(b'x'*(1<<20))", Limits{FileMB: 8}, Budget{}, "", "Errno 2"},
		{"orphan", "import os,time\nif os.fork()==0:\n  os.setsid()\n  if os.fork()==0: time.sleep(1000)\n", Limits{}, Budget{}, "", ""},
		{"orphans leave room", "import os,time\ndef fork():\n  for i in range(50):\n    try: return os.fork()\n    except BlockingIOError: time.sleep(.1)\n" +
			"for i in range(100):\n  if fork()==0:\n    if fork()==0: os._exit(0)\n    os._exit(0)\n  os.wait()\n", Limits{Processes: 30}, Budget{Wall: 20 * time.Second}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			end := runForked(t, w, tt.script, tt.limits, tt.budget)
			if end.Cause != tt.cause {
				t.Errorf("cause %q, want %q; exit %d, stderr %s", end.Cause, tt.cause, end.Exit, end.Stderr)
			}
			if tt.stderr != either && (!strings.Contains(string(end.Stderr), tt.stderr) || tt.stderr == "" && len(end.Stderr) > 0) {
				t.Errorf("stderr %q does not mention %q", end.Stderr, tt.stderr)
			}
		})
	}
}

const surroundings = `import resource as r, os, ctypes, sys
for n in "CORE NOFILE NPROC FSIZE CPU AS STACK".split(): print(n, *r.getrlimit(getattr(r, "RLIMIT_"+n)))
def there(i):
    try: os.fstat(i); return True
    except OSError: return False
print("descriptors", [i for i in range(1024) if there(i)])
print("root", sorted(os.listdir("/")), sorted(os.listdir("/dev")), sorted(os.listdir("/etc")))
print("uid", os.getuid(), os.geteuid(), os.getgid(), "env", sorted(os.environ), "cwd", os.getcwd(), os.listdir("."), os.listdir("/dev/shm"))
libc = ctypes.CDLL(None)
caps = (ctypes.c_uint * 6)()
libc.capget((ctypes.c_uint * 2)(0x20080522, 0), caps)
print("caps", list(caps), "nnp", libc.prctl(39, 0, 0, 0, 0), "leader", os.getsid(0) == os.getpid() or os.getsid(0) == os.getpgrp())
print("umask", oct(os.umask(0o22)), "stdin", os.read(0, 1), "recursion", sys.getrecursionlimit())
def depth(n):
    try: return depth(n + 1)
    except RecursionError: return n
print("depth", depth(0))
`

// TestForkedProgramSeesTheSame as a program in a box of its own sees, except for the
// two processes less or more that the box itself has.
func TestForkedProgramSeesTheSame(t *testing.T) {
	w := newWarm(t)
	limits := Limits{CPU: 30 * time.Second, AddressSpaceMB: 2048, Processes: 20, FileMB: 10, OpenFiles: 99}
	warm := string(runForked(t, w, surroundings, limits, Budget{}).Stdout)
	strict := string(runForked(t, w.strict, surroundings, limits, Budget{}).Stdout)
	strict = strings.Replace(strict, "NPROC 22 22", "NPROC 23 23", 1)
	if warm != strict || !strings.Contains(warm, "caps [0, 0, 0, 0, 0, 0] nnp 1") || !strings.Contains(warm, "descriptors [0, 1, 2, 3, 4]\n") {
		t.Errorf("warm:\n%s\nstrict:\n%s", warm, strict)
	}
}

// TestNothingStaysInASlot: what a program leaves is gone for the next in the
// same slot, and its text is nowhere in the memory that the next inherits.
func TestNothingStaysInASlot(t *testing.T) {
	w := newWarm(t)
	leave := `import os, signal
canary = "yponomeuta" * 1000
print(canary[:100]); os.write(2, canary[:100].encode()); os.write(4, canary[:100].encode())
for d in ("/tmp", "/tmp/work", "/tmp/shm"):
    open(d + "/" + canary[:10], "w").write(canary)
os.utime("/tmp/work", (1, 1))
os.chmod("/tmp/shm", 0o700)
os.environ["LEFT"] = canary
if os.fork() == 0: signal.pause()
`
	// The word is never put together here, or the search would find itself.
	find := `import os, ctypes, time
def found(text, a=b"yponom", b=b"euta"):
    i = text.find(a)
    while i >= 0 and text[i+6:i+10] != b: i = text.find(a, i + 1)
    return i >= 0
left = [d for d in ("/tmp", "/tmp/work", "/tmp/shm") for n in os.listdir(d) if n[:6] == "yponom"] + [k for k in os.environ if k == "LEFT"]
if os.stat("/tmp/work").st_mtime == 1 or os.stat("/tmp/shm").st_mode & 0o777 != 0o755: left.append("marks")
# Without /proc, memory is searched through the kernel: a write from an address
# that is not mapped fails with EFAULT instead of ending the process.
r, w = os.pipe()
libc = ctypes.CDLL(None)
libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
pages = 0
def scan(start, end):
    global pages
    at, tail = start, b""
    while at < end:
        if libc.write(w, at, 4096) == 4096:
            text = os.read(r, 4096)
            pages += 1
            if found(tail + text): left.append(hex(at))
            tail = text[-16:]
        else: tail = b""
        at += 4096
marks = [id(object()), id(scan), id(b"x" * 9000), ctypes.addressof(ctypes.create_string_buffer(10)), ctypes.addressof(ctypes.create_string_buffer(1 << 20))]
libc.sbrk.restype = ctypes.c_void_p
libc.sbrk.argtypes = [ctypes.c_long]
top = libc.sbrk(0)
scan(top - (8 << 20) & ~4095, top)
for m in marks: scan((m - (6 << 20)) & ~4095, m + (6 << 20))
print("left", left, "pages", pages > 1000)
`
	for range 3 {
		runForked(t, w, leave, Limits{}, Budget{})
		end := runForked(t, w, find, Limits{}, Budget{})
		if got := string(end.Stdout); !strings.HasPrefix(got, "left [] pages True") {
			t.Errorf("%s%s", got, end.Stderr)
		}
	}
	if len(slots(w)) != 1 {
		t.Errorf("%d slots, want one that was used for all", len(slots(w)))
	}
}

// TestKilledSlot: a program whose fork server dies is told apart from one that
// fails, and the next gets a new slot.
func TestKilledSlot(t *testing.T) {
	w := newWarm(t)
	p, err := w.Start(t.Context(), forked(Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	var first *slot
	for s := range slots(w) {
		first = s
	}
	if first == nil {
		t.Skip(w.Reason())
	}
	for _, pid := range children(threadOf(first.inner.pid)) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	<-p.Done()
	if end := p.Close(); end.Cause != Lost {
		t.Errorf("cause %q", end.Cause)
	}
	if end := runForked(t, w, "print(1)", Limits{}, Budget{}); string(end.Stdout) != "1\n" {
		t.Errorf("after it: %+v", end)
	}
	// An idle slot that died is found out by the next program.
	for s := range slots(w) {
		s.close()
	}
	if end := runForked(t, w, "print(2)", Limits{}, Budget{}); string(end.Stdout) != "2\n" {
		t.Errorf("after an idle slot died: %+v", end)
	}
}

// TestSlotsAreRenewed after a number of programs, and none is left at the end.
func TestSlotsAreRenewed(t *testing.T) {
	w := newWarm(t)
	for range 3 {
		runForked(t, w, "", Limits{}, Budget{})
		for s := range slots(w) {
			s.uses = slotUses - 1
		}
	}
	if len(slots(w)) > 1 {
		t.Errorf("%d slots live", len(slots(w)))
	}
	w.Close()
	m := newMeter(os.Getpid())
	m.read()
	if len(m.scratch) != 1 {
		t.Errorf("processes are left: %v", m.scratch)
	}
	if _, err := w.Start(t.Context(), forked(Limits{})); err == nil {
		t.Error("a closed box starts programs")
	}
}

// TestNoWarmBoxes: where slots cannot be had, programs run in boxes of their
// own, and the results say so.
func TestNoWarmBoxes(t *testing.T) {
	w := newWarm(t)
	spec := forked(Limits{})
	spec.Fork.Interpreter = append([]string{"/nonexistent"}, spec.Fork.Interpreter[1:]...)
	p, err := w.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if w.Reason() == nil || w.Enforcement()["box"] != "bwrap" || p.Enforcement()["box"] != "bwrap" {
		t.Errorf("%v, %v", w.Reason(), p.Enforcement())
	}
}

// TestDisarmedWhileYoung: a program whose budget was taken back is not ended by it, however
// young it was then.
func TestDisarmedWhileYoung(t *testing.T) {
	p, err := newWarm(t).Start(t.Context(), forked(Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Arm(Budget{CPU: time.Millisecond})
	p.Disarm()
	in, out := p.Control()
	in.Write([]byte("import os, time\nwhile time.process_time() < 0.3: pass\nos.write(4, b'1')\n"))
	in.Close()
	if n, err := out.Read(make([]byte, 1)); n != 1 {
		t.Errorf("no answer: %v, %+v", err, p.Close())
	}
}

// TestMoreTime: a budget that is used up grows by what More returns, once, and the program runs on
// meanwhile.
func TestMoreTime(t *testing.T) {
	w := newWarm(t)
	for name, more := range map[string]time.Duration{"enough": 30 * time.Second, "too little": time.Millisecond, "nothing": 0} {
		p, err := w.Start(t.Context(), forked(Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		asked := atomic.Int32{}
		p.Arm(Budget{CPU: 50 * time.Millisecond, Total: time.Minute, More: func() (cpu, total time.Duration) {
			asked.Add(1)
			return more, 0
		}})
		in, out := p.Control()
		in.Write([]byte("import os, time\nwhile time.process_time() < 0.5: pass\nos.write(4, b'1')\n"))
		in.Close()
		n, _ := out.Read(make([]byte, 1))
		end := p.Close()
		if enough := name == "enough"; asked.Load() != 1 || (n == 1) != enough || (end.Cause == CPU) == enough {
			t.Errorf("%s: asked %d times, %d bytes, %+v", name, asked.Load(), n, end)
		}
	}
}

// TestAnswerInPieces: a program is supervised however it spreads out its answer, of
// which there is always more here.
func TestAnswerInPieces(t *testing.T) {
	w := newWarm(t)
	p, err := w.Start(t.Context(), forked(Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	b, ok := p.(*brief)
	if !ok {
		t.Skip(w.Reason())
	}
	r, answer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var writing sync.WaitGroup
	defer writing.Wait()
	defer answer.Close()
	defer r.Close() // what is written then fails
	writing.Go(func() {
		for more := make([]byte, 64<<10); ; {
			if _, err := answer.Write(more); err != nil {
				return
			}
		}
	})
	b.from.Close()
	b.from = r
	p.Arm(Budget{Wall: 20 * time.Second})
	_, out := p.Control()
	supervised := func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.grown != nil
	}
	for start := time.Now(); !supervised(); { // its youth begins with the first piece, whenever that is read
		if time.Since(start) > 10*time.Second {
			t.Fatal("nothing supervises the program")
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoSiblings: a program cannot make its fork server the parent of its processes,
// which would never end for the server.
func TestNoSiblings(t *testing.T) {
	w := newWarm(t)
	script := `import ctypes, os, platform
clone = {"x86_64": 56, "aarch64": 220}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)
made = libc.syscall(clone, 0x8000 | 17, 0, 0, 0, 0) # CLONE_PARENT | SIGCHLD
if made == 0: os._exit(0)
print(made, ctypes.get_errno())
`
	if end := runForked(t, w, script, Limits{}, Budget{Wall: 5 * time.Second}); string(end.Stdout) != "-1 1\n" || end.Cause != "" {
		t.Errorf("cause %q, stdout %q, stderr %s", end.Cause, end.Stdout, end.Stderr)
	}
	if len(slots(w)) != 1 {
		t.Errorf("%d slots live, want the one that was used", len(slots(w)))
	}
}

// TestKilledWhileYoung: why a program was killed is known however soon it then ends.
func TestKilledWhileYoung(t *testing.T) {
	w := newWarm(t)
	for range 50 {
		p, err := w.Start(t.Context(), forked(Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		p.Kill(Output)
		<-p.Done()
		if end := p.Close(); end.Cause != Output {
			t.Fatalf("%+v", end)
		}
	}
}
