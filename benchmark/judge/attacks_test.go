package judge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// attack is one row of shared/oracles/attacks.md.
type attack struct {
	name     string // starts with its number there
	code     string // defines f()
	verdicts []verdicts.Verdict
	message  string
}

var (
	never = []verdicts.Verdict{verdicts.WrongAnswer, verdicts.RuntimeError, verdicts.TimeLimit, verdicts.MemoryLimit, verdicts.OutputLimit, verdicts.CompileError}
	ok    = []verdicts.Verdict{verdicts.Accepted} // contained: the attack found nothing, and f returned 1
)

// attackTask wants f() == 1 under small limits.
func attackTask() *benchmark.Task {
	task := checkTask("", "f", returnsOne)
	task.Limits = benchmark.Limits{CPUSeconds: 1, CPUTotal: 2, WallSeconds: 3, MemoryMB: 256, Processes: 16, OutputKB: 256, FileMB: 32}
	return task
}

// tried turns a list of attempts, each of which must fail, into f.
func tried(setup string, attempts ...string) string {
	var b strings.Builder
	b.WriteString("import os, sys, ctypes, errno\nlibc = ctypes.CDLL(None, use_errno=True)\n" + setup + "\ndef f():\n    won = []\n")
	for _, a := range attempts {
		b.WriteString("    try:\n        " + strings.ReplaceAll(a, "\n", "\n        ") +
			"\n        won.append(" + quotePython(a) + ")\n    except (OSError, ValueError): pass\n")
	}
	return b.String() + "    return 1 if not won else won\n"
}

func quotePython(s string) string { return "'''" + strings.ReplaceAll(s, `\`, `\\`) + "'''" }

// refusedCall is an attempt to make a system call; the kernel's answer must be
// that it is forbidden or unknown, not some complaint about the arguments.
const refusedCalls = `
import platform
x = platform.machine() == "x86_64"
calls = {"unshare": (272 if x else 97, 0x10000000), "mount": (165 if x else 40, 0), "setns": (308 if x else 268, 0, 0),
  "clone3": (435, 0, 0), "io_uring_setup": (425, 8, 0), "keyctl": (250 if x else 219, 0, 0), "bpf": (321 if x else 280, 0, 0, 0),
  "userfaultfd": (323 if x else 282, 0), "ptrace": (101 if x else 117, 0, 0, 0, 0), "process_vm_readv": (310 if x else 270, 1, 0, 0, 0, 0, 0),
  "perf_event_open": (298 if x else 241, 0, 0, 0, 0, 0), "add_key": (248 if x else 217, 0, 0, 0, 0, 0), "personality": (135 if x else 92, 0x0040000),
  "vsock": (41 if x else 198, 40, 1, 0), "inet": (41 if x else 198, 2, 1, 0), "netlink": (41 if x else 198, 16, 3, 0), "unix": (41 if x else 198, 1, 1, 0),
  "clone newuser": (56 if x else 220, 0x10000000 | 17, 0, 0, 0, 0), "pivot_root": (155 if x else 41, 0, 0), "chroot": (161 if x else 51, 0),
  "inotify_init1": (294 if x else 26, 0), "inotify_add_watch": (254 if x else 27, 0, 0, 0), "fanotify_init": (300 if x else 262, 0, 0), "preadv2": (327 if x else 286, 0, 0, 0, 0, 0),
  "F_NOTIFY": (72 if x else 25, 0, 1026, 1), "F_SETLEASE": (72 if x else 25, 0, 1024, 0), "memfd_create": (319 if x else 279, 0, 0), "pidfd_getfd": (438, 0, 0, 0), "process_madvise": (440, 0, 0, 0, 0, 0),
  "kexec_load": (246 if x else 104, 0, 0, 0, 0), "init_module": (175 if x else 105, 0, 0, 0), "open_tree": (428, 0, 0, 0)}
if x: calls["inotify_init"] = (253,)
if x: calls["x32 getpid"] = (0x40000000 + 39,)
def f():
    won = []
    for name, args in calls.items():
        ctypes.set_errno(0)
        r = libc.syscall(*[ctypes.c_long(a) for a in args])
        if r != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            won.append((name, r, ctypes.get_errno()))
    return won or 1
`

func attacks(secretFile string) []attack {
	return []attack{
		{"1 fork bomb", "import os\ndef f():\n    while True: os.fork()", []verdicts.Verdict{verdicts.RuntimeError}, "16 processes"},
		{"1 thread bomb", "import threading, time\ndef f():\n    while True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", []verdicts.Verdict{verdicts.RuntimeError}, "16 processes"},
		{"2 memory", "def f():\n    x = []\n    while True: x.append(bytearray(b'x') * (1 << 20))", []verdicts.Verdict{verdicts.MemoryLimit}, ""},
		{"2 memory at once", "def f(): return len(bytearray(10 ** 11))", []verdicts.Verdict{verdicts.MemoryLimit}, ""},
		{"2 memory that is shared and given up", "import mmap\ndef f():\n    kept = []\n    for i in range(20):\n        m = mmap.mmap(-1, 64 << 20)\n        for at in range(0, 64 << 20, 4096): m[at] = 1\n        m.madvise(mmap.MADV_DONTNEED)\n        kept.append(m)\n    return 1", []verdicts.Verdict{verdicts.RuntimeError}, "not permitted"},
		{"3 memory in four children", "import os, time\ndef f():\n    for i in range(4):\n        if os.fork() == 0:\n            x = bytearray(b'x') * (100 << 20)\n            time.sleep(9)\n    time.sleep(9)\n    return 1", []verdicts.Verdict{verdicts.MemoryLimit}, ""},
		{"4 output", "def f():\n    while True: print('x' * 1000)", []verdicts.Verdict{verdicts.OutputLimit}, ""},
		{"4 output, then returns", "import sys\ndef f():\n    sys.stderr.write('x' * 300000)\n    return 1", []verdicts.Verdict{verdicts.OutputLimit}, ""},
		{"4 a huge value", "def f(): return 'x' * (40 << 20)", []verdicts.Verdict{verdicts.OutputLimit}, ""},
		{"5 disk", "def f():\n    with open('x', 'wb') as o:\n        while True: o.write(bytes(1 << 20))", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}, ""},
		{"5 disk, many files", "def f():\n    for i in range(99):\n        with open(str(i), 'wb') as o: o.write(bytes(1 << 20))", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}, "No space left"},
		{"6 5000 files", "def f():\n    for i in range(5000): open(str(i), 'w').close()\n    return 1", []verdicts.Verdict{verdicts.OutputLimit}, "files"},
		{"7 /dev/shm", "def f():\n    with open('/dev/shm/x', 'wb') as o:\n        while True: o.write(bytes(1 << 20))", []verdicts.Verdict{verdicts.RuntimeError, verdicts.OutputLimit}, ""},
		{"8 busy loop", "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef f():\n    while id(0): pass", []verdicts.Verdict{verdicts.TimeLimit}, "processor time"},
		{"8 busy loop while loading", "while id(0): pass\ndef f(): return 1", []verdicts.Verdict{verdicts.TimeLimit}, "processor time"},
		{"9 sleep", "import time\ndef f(): time.sleep(10**6)", []verdicts.Verdict{verdicts.TimeLimit}, "idle"},
		{"10 stop itself", "import os, signal\ndef f():\n    os.kill(os.getpid(), signal.SIGSTOP)\n    return 1", []verdicts.Verdict{verdicts.TimeLimit}, "idle"},
		{"11 cancel alarms", "import signal, time\ndef f():\n    signal.alarm(0)\n    signal.setitimer(signal.ITIMER_REAL, 0)\n    time.sleep(10**6)", []verdicts.Verdict{verdicts.TimeLimit}, "idle"},
		{"12 orphan", "import os, time\ndef f():\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: time.sleep(10**6)\n        os._exit(0)\n    return 1", ok, ""},
		{"12 child returns too", "import os\ndef f():\n    os.fork()\n    return 1", ok, ""},
		{"13 CPU in four processes", "import os\ndef f():\n    for i in range(3): os.fork()\n    while id(0): pass", []verdicts.Verdict{verdicts.TimeLimit}, "processor time"},
		{"13 CPU in short-lived children", "import os, signal\ndef f():\n    signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n    while True:\n        if os.fork() == 0:\n            for i in range(10**6): pass\n            os._exit(0)\n        for i in range(10**6): pass", []verdicts.Verdict{verdicts.TimeLimit, verdicts.RuntimeError}, ""},
		{"14 connect", "import socket\ndef f(): socket.create_connection(('1.1.1.1', 53), 1)", []verdicts.Verdict{verdicts.RuntimeError}, "Operation not permitted"},
		{"15 listen", "import socket\ndef f(): socket.create_server(('127.0.0.1', 0))", []verdicts.Verdict{verdicts.RuntimeError}, "Operation not permitted"},
		{"15 abstract socket", "import socket\ndef f(): socket.socket(socket.AF_UNIX).bind('\\0x')", []verdicts.Verdict{verdicts.RuntimeError}, "Operation not permitted"},
		{"16 DNS", "import socket\ndef f(): socket.getaddrinfo('example.com', 80)", []verdicts.Verdict{verdicts.RuntimeError}, ""},
		{"17 files", tried("", "open(os.path.expanduser('~/.ssh/id_rsa'))", "os.listdir('/root')", "os.listdir('/home')", "open('/etc/shadow')", "open('/etc/passwd')",
			"os.stat('/var/run/docker.sock')", "os.stat('/run')", "open('"+secretFile+"')", "os.listdir('/work')", "os.listdir('/proc/1')"), ok, ""},
		{"18 environment", "import os, glob\ndef f(): return 1 if not any('SECRET' in k for k in os.environ) and not any(b'SECRET' in open(p, 'rb').read() for p in glob.glob('/proc/*/environ')) else sorted(os.environ)", ok, ""},
		{"19 write", tried("", "open('/usr/x', 'w')", "open('/x', 'w')", "open('/dev/x', 'w')", "open('/etc/x', 'w')", "os.mkdir('/y')", "os.chmod('/usr', 0o777)",
			"os.remove('/usr/bin/python3')", "open(os.__file__, 'a')", "os.rename('/tmp', '/t')"), ok, ""},
		{"20 other processes", "import os\ndef f(): return 1 if [p for p in os.listdir('/proc') if p.isdigit()] == [str(os.getpid())] and os.getpid() < 20 else os.getpid()", ok, ""},
		{"21 ptrace, 23, 24 system calls", "import ctypes, errno\nlibc = ctypes.CDLL(None, use_errno=True)\n" + refusedCalls, ok, ""},
		{"22 kill", "import os\ndef f():\n    for p in (os.getppid(), -1, 1):\n        try: os.kill(p, 9)\n        except OSError: pass\n    return 1", ok, ""},
		{"25 terminal", tried("import fcntl", "open('/dev/tty')", "open('/dev/console')", "fcntl.ioctl(0, 0x5412, b'x')", "fcntl.ioctl(1, 0x5412, b'x')", "fcntl.ioctl(2, 0x541C, b'\\x03')"), ok, ""},
		{"26 descriptors", "import os\ndef f():\n    found = []\n    for i in range(5, 1024):\n        try:\n            os.fstat(i)\n            found.append(i)\n        except OSError: pass\n    return found or 1", ok, ""},
		{"27 limits and user", tried("import resource as r", "r.setrlimit(r.RLIMIT_NPROC, (999, 999))", "r.setrlimit(r.RLIMIT_AS, (-1, -1))", "r.setrlimit(r.RLIMIT_CPU, (999, 999))",
			"os.setuid(0)", "os.setgid(0)", "os.setgroups([0])", "os.nice(-5)"), ok, ""},
		{"28 escapes", "def f():\n    print('a\\x1b[2J\\x1b]52;c;eA==\\x07b')\n    return 1", ok, ""},
		{"28 escapes in an error", "def f(): raise ValueError('a\\x1b[2J\\x1b]0;t\\x07b')", []verdicts.Verdict{verdicts.RuntimeError}, "ValueError: ab"},
		{"29 zip bomb", "import zlib\ndef f():\n    z = zlib.compressobj(wbits=-15)\n    return len(zlib.decompress((z.compress(bytes(1 << 20)) + z.flush(zlib.Z_FULL_FLUSH)) * 600, wbits=-15))", []verdicts.Verdict{verdicts.MemoryLimit}, ""},
		{"30 10^100000 as text", "def f(): return str(10 ** 100000)", []verdicts.Verdict{verdicts.RuntimeError}, "ValueError"},
		{"31 recursion", "def f(): return f()", []verdicts.Verdict{verdicts.RuntimeError}, "RecursionError"},
		{"31 recursion without limit", "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __repr__(self): return repr([self])\ndef f(): return repr(A())", []verdicts.Verdict{verdicts.RuntimeError, verdicts.MemoryLimit}, ""},
		{"33 os._exit", "import os\ndef f(): os._exit(0)", []verdicts.Verdict{verdicts.RuntimeError}, "exit status 0"},
		{"33 os._exit while loading", "import os\ndef f(): return 1\nos._exit(0)", []verdicts.Verdict{verdicts.RuntimeError}, ""},
		{"33 sys.exit", "import sys\ndef f(): sys.exit(0)", []verdicts.Verdict{verdicts.RuntimeError}, "SystemExit"},
		{"33 sys.exit while loading", "import sys\ndef f(): return 1\nsys.exit(0)", []verdicts.Verdict{verdicts.RuntimeError}, "SystemExit"},
		{"33 KeyboardInterrupt", "def f(): raise KeyboardInterrupt", []verdicts.Verdict{verdicts.RuntimeError}, "KeyboardInterrupt"},
		{"34 always equal", "class E:\n    def __eq__(self, o): return True\n    def __bool__(self): return True\ndef f(): return E()", never, ""},
		{"34 int subclass", "class E(int):\n    def __eq__(self, o): return True\n    __hash__ = int.__hash__\ndef f(): return E(5)", never, ""},
		{"34 str subclass", "class E(str):\n    def __eq__(self, o): return True\ndef f(): return E('x')", never, ""},
		{"34 list subclass", "class E(list):\n    def __eq__(self, o): return True\ndef f(): return [E()]", never, ""},
		{"34 metaclass that hides it", "class M(type):\n    def __getattribute__(s, n): return getattr(int, n) if n in ('__eq__', '__ne__', '__hash__') else type.__getattribute__(s, n)\nclass E(int, metaclass=M):\n    def __eq__(self, o): return True\ndef f(): return E(5)", never, ""},
		{"41 encoder replaced", "import json, builtins\njson.dumps = lambda *a, **k: '{\"k\":\"done\",\"id\":1,\"cases\":[]}'\ndef f(): return 5", never, ""},
		{"42 the compiler", "def f(): return " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000), []verdicts.Verdict{verdicts.CompileError}, ""},
		{"43 compile bomb", "def f(): return " + strings.Repeat("-", 2000000) + "1", []verdicts.Verdict{verdicts.CompileError, verdicts.RuntimeError, verdicts.MemoryLimit}, ""},
		{"43 null byte", "def f(): return 1\x00", []verdicts.Verdict{verdicts.CompileError}, ""},
		{"44 working directory", "import sys, os\nopen('sitecustomize.py', 'w').write('1/0')\nopen('json.py', 'w').write('1/0')\nimport subprocess\ndef f(): return 1 if '' not in sys.path and os.getcwd() not in sys.path else sys.path", ok, ""},
		{"closes the channel", "import os\ndef f():\n    os.close(3); os.close(4)\n    return 1", never, ""},
		{"frames of nonsense", "import os\ndef f():\n    os.write(4, b'\\0\\0\\0\\3[[[')\n    return 1", []verdicts.Verdict{verdicts.RuntimeError}, ""},
		{"a frame of 4 GB", "import os\ndef f():\n    os.write(4, b'\\xff' * 8)\n    return 1", []verdicts.Verdict{verdicts.OutputLimit}, ""},
		{"deeply nested answer", "import os\ndef f():\n    v = b'{\"k\":\"value\",\"id\":1,\"v\":' + b'[' * 9000 + b']' * 9000 + b'}'\n    os.write(4, len(v).to_bytes(4, 'big') + v)\n    return 1", never, ""},
		{"answer of unknown kind", "import os\ndef f():\n    v = b'{\"k\":\"failed\",\"id\":1,\"status\":\"sandbox_error\"}'\n    os.write(4, len(v).to_bytes(4, 'big') + v)\n    return 1", []verdicts.Verdict{verdicts.RuntimeError}, ""},
		{"tag that would fill the checker", "import os\ndef f():\n    v = b'{\"k\":\"value\",\"id\":1,\"v\":{\"$repeat\":[\"x\",100000000000]}}'\n    os.write(4, len(v).to_bytes(4, 'big') + v)\n    return 1", never, ""},
	}
}

func TestAttacks(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("planted"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_TEST_SECRET", "planted")
	before := len(descendants(os.Getpid()))
	j := ownJudge(t)
	task := attackTask()
	t.Run("", func(t *testing.T) { // ends when all attacks have
		for _, a := range attacks(secret) {
			t.Run(a.name, func(t *testing.T) {
				sampled.Row(t, 6)
				t.Parallel()
				start := time.Now()
				own := *task
				if slices.Equal(a.verdicts, []verdicts.Verdict{verdicts.MemoryLimit}) || slices.Equal(a.verdicts, []verdicts.Verdict{verdicts.OutputLimit}) {
					timeToFill(&own)
				} else if a.message == "idle" {
					own.Limits.WallSeconds = 0.5
				}
				r := judgeCode(t, j, &own, a.code)
				if !slices.Contains(a.verdicts, r.Verdict) || !strings.Contains(r.Message, a.message) {
					t.Errorf("%s %q %+v, want one of %v and %q", r.Verdict, r.Message, r.Cases, a.verdicts, a.message)
				}
				if strings.ContainsRune(r.Stdout+r.Stderr+r.Message+r.Cases[0].Got, '\x1b') {
					t.Error("an escape character came through")
				}
				if d := time.Since(start); d > 20*time.Second {
					t.Errorf("it took %v", d)
				}
				if next := judgeCode(t, j, task, "def f(): return 1"); next.Verdict != verdicts.Accepted {
					t.Errorf("the next sample: %s %q", next.Verdict, next.Message)
				}
			})
		}
	})
	j.Close()
	j.box.Close() // its idle slots
	if left := descendants(os.Getpid()); len(left) > before {
		t.Errorf("processes are left: %v", left)
	}
}

// TestOrphanDelaysNothing: attack 12 is judged at once.
func TestOrphanDelaysNothing(t *testing.T) {
	j := newJudge(t)
	judgeCode(t, j, attackTask(), "def f(): return 1")
	start := time.Now()
	r := judgeCode(t, j, attackTask(), "import os, time\ndef f():\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(10**6)\n    return 1")
	if d := time.Since(start); r.Verdict != verdicts.Accepted || d > 10*time.Second {
		t.Errorf("%s after %v", r.Verdict, d)
	}
}

// TestForgery covers the cheats that aim at the verdict itself (33 to 41). The
// expected value is a word that a sample could only steal.
func TestForgery(t *testing.T) {
	j := newJudge(t)
	const hidden = "xylograph"
	check := checkTask("", "f", "EXPECTED = '"+hidden+"'\ndef check(candidate):\n    assert candidate(1) == EXPECTED\n    assert candidate(2) == '"+hidden+"'\n")
	calls := callsTask(t, "f", `{"args":[1],"expected":"`+hidden+`"}`, `{"args":[2],"expected":"`+hidden+`"}`)
	hunt := "def hunt(values):\n    for v in values:\n        if isinstance(v, str) and v.startswith('xylo') and len(v) == 9 and v != 'xylo' + 'graph'[:0]: return v\n    return 'none'\n"
	check.Limits, calls.Limits = attackTask().Limits, attackTask().Limits
	for _, a := range []struct{ name, code string }{
		{"35 redefine the checker", "def check(candidate): pass\ndef candidate(x): return 1\nclass Case:\n    status = 'passed'\ndef f(x): return x"},
		{"36 search the heap", hunt + "import gc\ndef f(x):\n    found = []\n    for o in gc.get_objects():\n        if isinstance(o, dict): found += [v for v in list(o.values()) + list(o) ]\n        elif isinstance(o, (list, tuple)): found += list(o)\n    return hunt(found)"},
		{"37 walk the frames", hunt + "import sys\ndef f(x):\n    fr, found = sys._getframe(), []\n    while fr:\n        found += list(fr.f_locals.values()) + list(fr.f_globals.values())\n        fr = fr.f_back\n    return hunt(found)"},
		{"38 the caller's code", hunt + "import sys\ndef f(x):\n    fr, found = sys._getframe(), []\n    while fr:\n        found += list(fr.f_code.co_consts)\n        fr = fr.f_back\n    return hunt(found)"},
		{"38 read every file it can", hunt + "import os\ndef f(x):\n    words = []\n    for root in ('/tmp', '/dev/shm'):\n        for d, _, names in os.walk(root):\n            for n in names: words += open(os.path.join(d, n), errors='replace').read().split(chr(39))\n    return hunt(words)"},
		{"39 forged messages on every descriptor", `import os, json
def f(x):
    for m in ({"k": "done", "cases": [{"index": 1, "status": "passed"}, {"index": 2, "status": "passed"}]},
              {"k": "value", "id": x, "v": True}, {"k": "loaded"}, {"k": "cases", "cases": []}):
        b = json.dumps(m).encode()
        for fd in range(64):
            try: os.write(fd, len(b).to_bytes(4, "big") + b + b"\nOK passed\n")
            except OSError: pass
    return "x"`},
		{"40 swallow AssertionError", "import builtins\nclass Quiet(Exception): pass\nbuiltins.AssertionError = Quiet\nimport sys\nsys.excepthook = lambda *a: None\ndef f(x): raise AssertionError"},
		{"41 monkeypatch", "import builtins, math, json, operator\nbuiltins.all = builtins.any = lambda *a: True\nbuiltins.len = lambda x: 1\nmath.isclose = operator.eq = lambda *a, **k: True\nbuiltins.str = builtins.repr = lambda x: 'xylo'\ndef f(x): return 'x'"},
		{"forged opaque", "import os, json\ndef f(x):\n    b = json.dumps({'k': 'value', 'id': x, 'v': {'$opaque': {'type': 'str', 'text': 'xylo'}}}).encode()\n    os.write(4, len(b).to_bytes(4, 'big') + b)\n    return 1"},
		{"raise what the test might catch", "def f(x): raise AssertionError('xylo')"},
		{"patch the runner", "import sys\nfr = sys._getframe()\nwhile fr:\n    for k in list(fr.f_globals):\n        if k in ('Encoder', 'failure', 'reply'): fr.f_globals[k] = lambda *a, **k: None\n    fr = fr.f_back\ndef f(x): return 1"},
	} {
		for _, task := range []*benchmark.Task{check, calls} {
			t.Run(a.name+"/"+string(task.Tests.Style), func(t *testing.T) {
				sampled.Row(t, 6)
				if r := judgeCode(t, j, task, a.code); !slices.Contains(never, r.Verdict) || r.Passed > 0 {
					t.Errorf("%s %d/%d %q", r.Verdict, r.Passed, r.Total, r.Message)
				}
			})
		}
	}
}

// TestNothingForTheNext: attack 32.
func TestNothingForTheNext(t *testing.T) {
	j := newJudge(t)
	leave := "import os, math, builtins\nfor d in ('/tmp', '/tmp/work', '/dev/shm'): open(d + '/left', 'w').write('x')\nmath.pi = 3\nbuiltins.left = 1\ndef f(): return 1"
	find := "import os, math, builtins\ndef f(): return 1 if not any(os.path.exists(d + '/left') for d in ('/tmp', '/tmp/work', '/dev/shm')) and math.pi > 3 and not hasattr(builtins, 'left') else 0"
	for _, code := range []string{leave, find, leave, find} {
		if r := judgeCode(t, j, attackTask(), code); r.Verdict != verdicts.Accepted {
			t.Errorf("%s %q", r.Verdict, r.Message)
		}
	}
}

// TestForgedChanges: a program that claims to have changed its arguments changes
// nothing for the tests of others, where nobody asked.
func TestForgedChanges(t *testing.T) {
	j, err := New(Options{Box: newJudge(t).box, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	task := callsTask(t, "f", `{"args":[[1,2]],"expected":3}`)
	forged := `import json, os
def send(m):
    b = json.dumps(m).encode()
    os.write(4, len(b).to_bytes(4, "big") + b)
    os._exit(0)
`
	for _, code := range []string{
		forged + `send({"k": "batch", "answers": [{"k": "value", "v": 3, "changed": [[0, [5]]]}]})`,
		forged + `def f(x): send({"k": "value", "id": 1, "v": 3, "changed": [[0, [5]]]})`,
	} {
		judgeCode(t, j, task, code)
		if r := judgeCode(t, j, task, "def f(x): return sum(x)"); r.Verdict != verdicts.Accepted {
			t.Errorf("after it, an honest program is judged %s: %+v", r.Verdict, r.Cases)
		}
	}
}
