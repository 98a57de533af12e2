package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// isolating are the kinds of boxes that isolate. Each is skipped, with the reason,
// where it cannot be had.
var isolating = []struct {
	name string
	open func(t *testing.T) Box
}{
	{"strict", func(t *testing.T) Box { return newBox(t) }},
	{"warm", func(t *testing.T) Box { return newWarm(t) }},
	{"landlock", func(t *testing.T) Box { return newLandlock(t) }},
	{"docker", func(t *testing.T) Box { return newContainer(t, "docker") }},
	{"podman", func(t *testing.T) Box { return newContainer(t, "podman") }},
}

// runScript runs a script in any box.
func runScript(t *testing.T, b Box, script string, limits Limits, budget Budget) Outcome {
	t.Helper()
	if _, warm := b.(*Warm); warm {
		return runForked(t, b, script, limits, budget)
	}
	return runPython(t, b, script, limits, budget)
}

// attempts are what no program may succeed in, in any box, as Python expressions.
// The numbers are those of the list of attacks.
func attempts(secret string, decoy int) string {
	list := []string{
		// 14, 15, 16: the network
		"socket.create_connection(('127.0.0.1', 22), 1)", "socket.create_server(('127.0.0.1', 0))",
		"socket.socket(socket.AF_UNIX).bind('\\0assay')", "socket.getaddrinfo('example.com', 80)", "socket.socket(16, 3)", "socket.socket(40, 1)",
		"socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')",
		// 17: files
		"open('" + secret + "').read()", "os.listdir('" + filepath.Dir(secret) + "')", "open('/etc/shadow').read()", "os.listdir('/root/.ssh')",
		"os.remove('" + secret + "')", "os.rename('" + secret + "', 'mine')", "os.link('" + secret + "', 'mine')", "os.truncate('" + secret + "', 0)",
		"os.chmod('" + secret + "', 0o777)", "os.utime('" + secret + "')", "os.symlink('" + secret + "', 'l') or open('l').read()",
		// 18, 20: other processes and their secrets
		"open('/proc/%d/environ').read()", "open('/proc/%d/mem').read(1)", "os.listdir('/proc/%d/fd')", "open('/proc/%d/cmdline').read()",
		// 19: writing
		"open('/usr/x', 'w')", "open('/x', 'w')", "open('/dev/x', 'w')", "open('/etc/x', 'w')", "os.mkdir('/y')", "os.remove(sys.executable)",
		"open(os.__file__, 'a')", "os.chmod('/usr', 0o777)", "open('/proc/sys/kernel/hostname', 'w').write('x')", "open('/sys/fs/cgroup/memory/x', 'w')",
		// 21, 23, 24: the kernel
		"call(101, 16, %d, 0, 0)", "call(310, %d, 0, 0, 0, 0, 0)", "call(272, 0x10000000)", "call(165, 0, 0, 0, 0, 0)", "call(308, 0, 0)", "call(435, 0, 0)",
		"call(425, 8, 0)", "call(250, 0, 0)", "call(321, 0, 0, 0)", "call(323, 0)", "call(298, 0, 0, 0, 0, 0)", "call(56, 0x10000011, 0, 0, 0, 0)", "call(29, 0, 1, 0)",
		// memory that no limit counts, the host's stock of queues, a call newer than the filter
		"call(319, 0, 0)", "call(447, 0)", "call(206, 65536, 0)", "call(467, -100, 0, 0, 0)", "call(999)",
		// others' priorities, and sockets that send to any address
		"os.setpriority(os.PRIO_USER, 0, 5)", "call(251, 1, %d, 0)", "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
		// 25: the terminal
		"open('/dev/tty')", "open('/dev/console')", "fcntl.ioctl(1, 0x5412, b'x')",
		// 27: limits and user
		"r.setrlimit(r.RLIMIT_NPROC, (9999999, 9999999))", "r.setrlimit(r.RLIMIT_NOFILE, (99999, 99999))", "os.setuid(0)", "os.setgid(0)", "os.setgroups([0])", "os.nice(-5)",
		"r.prlimit(%d, r.RLIMIT_NOFILE, (1, 1))", "os.sched_setaffinity(%d, {0})", "os.kill(%d, 0)",
		// the first process of the box, which may serve others, too
		"open('/proc/1/mem', 'r+b')", "open('/proc/1/oom_score_adj', 'w').write('1000')", "r.prlimit(1, r.RLIMIT_NOFILE, (1, 1))", "os.sched_setaffinity(1, {0})",
		"os.sched_setscheduler(1, os.SCHED_BATCH, os.sched_param(0))", "os.setpriority(os.PRIO_PROCESS, 1, 5)",
	}
	var b strings.Builder
	b.WriteString(`import os, sys, ctypes, fcntl, socket, errno, resource as r
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    ctypes.set_errno(0)
    if libc.syscall(*[ctypes.c_long(a) for a in args]) != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES):
        return
    raise OSError
won = []
def attempt(text):
    try:
        eval(text)
        won.append(text)
    except (OSError, ValueError, OverflowError): pass
`)
	for _, a := range list {
		if strings.Contains(a, "%d") {
			a = fmt.Sprintf(a, decoy)
		}
		fmt.Fprintf(&b, "attempt(%q)\n", a)
	}
	b.WriteString(`
def there(i):
    try: os.fstat(i); return True
    except OSError: return False
won += ["descriptor %d" % i for i in range(5, 1024) if there(i)]
won += ["variable " + k for k in os.environ if "SECRET" in k]
print("won", won)
`)
	return b.String()
}

// TestAttemptsInEveryBox: nothing of the host can be read, changed or reached.
func TestAttemptsInEveryBox(t *testing.T) {
	t.Setenv("ASSAY_TEST_SECRET", "planted")
	dir, err := os.MkdirTemp("", "assay-secret-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("planted"), 0o644); err != nil {
		t.Fatal(err)
	}
	decoy := exec.Command("/bin/sleep", "1000")
	if err := decoy.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { decoy.Process.Kill(); decoy.Wait() }()
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			end := runScript(t, b, attempts(secret, decoy.Process.Pid), Limits{MemoryMB: 256, Processes: 16}, Budget{Wall: 20 * time.Second})
			if got := string(end.Stdout); got != "won []\n" || end.Cause != "" {
				t.Errorf("%s%s, cause %q", got, end.Stderr, end.Cause)
			}
			end = runScript(t, b, signals, Limits{}, Budget{Wall: 20 * time.Second})
			if got := string(end.Stdout); !strings.HasPrefix(got, "still here") || end.Cause != "" {
				t.Errorf("after signals to everyone: %q %s, cause %q, exit %d", got, end.Stderr, end.Cause, end.Exit)
			}
			leftBetween(t, b)
		})
	}
	if !running(decoy.Process.Pid) {
		t.Error("a process outside was killed")
	}
	info, err := os.Stat(secret)
	if text, _ := os.ReadFile(secret); err != nil || string(text) != "planted" || info.Mode() != 0o644 {
		t.Errorf("a file outside was changed: %q, %v", text, err)
	}
}

// TestLandlockAttemptsAsOrdinaryUser: what is refused may not depend on assay being
// root, or on the program having another user than the files.
func TestLandlockAttemptsAsOrdinaryUser(t *testing.T) {
	out := asOrdinaryUser(t, "TestAttemptsInEveryBox")
	if !strings.Contains(out, "--- PASS: TestAttemptsInEveryBox/landlock") {
		t.Errorf("%s", out)
	}
}

// signals tells everyone to end: 22.
const signals = `import os, signal
for pid in (os.getppid(), 1, -1):
    if pid == os.getpid(): continue
    for s in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGSTOP):
        try: os.kill(pid, s) if pid > 0 or os.getpid() < 50 else None
        except OSError: pass
print("still here")
`

// leftBetween leaves files and an orphan, which the next program must not find: 12, 32.
func leftBetween(t *testing.T, b Box) {
	t.Helper()
	leave := `import os, time
for d in (".", "/tmp", "/dev/shm"):
    try: open(d + "/canary", "w").write("x")
    except OSError: pass
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
`
	start := time.Now()
	if end := runScript(t, b, leave, Limits{}, Budget{}); end.Cause != "" {
		t.Errorf("leaving files: cause %q, %s", end.Cause, end.Stderr)
	}
	if d := time.Since(start); d > 15*time.Second {
		t.Errorf("an orphan was waited for: %v", d)
	}
	find := `import os
print([d for d in (".", "/tmp", "/dev/shm") if os.path.exists(d + "/canary")])`
	if end := runScript(t, b, find, Limits{}, Budget{}); string(end.Stdout) != "[]\n" {
		t.Errorf("found %s%s", end.Stdout, end.Stderr)
	}
	b.Close()
	nothingLeft(t)
}

// nothingLeft fails if a process below this one, or a mount, directory or cgroup of
// a box is left.
func nothingLeft(t *testing.T) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		left = left[:0]
		m := newMeter(os.Getpid())
		m.read()
		for pid := range m.scratch {
			if name := readText("/proc/" + strconv.Itoa(pid) + "/comm"); pid != os.Getpid() && name != "sleep" {
				left = append(left, fmt.Sprintf("process %d (%s)", pid, name))
			}
		}
		dirs, _ := filepath.Glob(fmt.Sprintf("%s%d-*", landlockDir(), os.Getpid()))
		left = append(left, dirs...)
		g := groups{prefix: groupPrefix(os.Getpid())}
		for _, home := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/memory"} {
			dirs, _ := filepath.Glob(home + "/" + g.prefix + "*")
			left = append(left, dirs...)
		}
		if own := newGroups(); own.reason == nil {
			dirs, _ := filepath.Glob(filepath.Join(own.home, own.prefix+"[0-9]*"))
			left = append(left, dirs...)
			own.close()
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %v", left)
}

// running reports whether a process exists and has not ended.
func running(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(text), ") Z ")
}

// TestControlChannelOfEveryBox carries more in both directions than any pipe holds,
// and what is written before the program reads.
func TestControlChannelOfEveryBox(t *testing.T) {
	const size = 3 << 20
	script := `import os
got = 0
while True:
    part = os.read(3, 1 << 16)
    if not part: break
    got += len(part)
data = b"y" * got
while data: data = data[os.write(4, data):]
print("got", got)
`
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			if _, warm := b.(*Warm); warm {
				t.Skip("a forked program is itself read from the channel")
			}
			p, err := b.Start(t.Context(), Spec{Argv: []string{python, "-I", "-S", "-c", script}})
			if err != nil {
				t.Fatal(err)
			}
			in, out := p.Control()
			if _, err := in.Write(make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			in.Close()
			n := 0
			r := bufio.NewReaderSize(out, 1<<16)
			buf := make([]byte, 1<<16)
			for {
				k, err := r.Read(buf)
				n += k
				if err != nil {
					break
				}
			}
			<-p.Done()
			end := p.Close()
			if n != size || string(end.Stdout) != fmt.Sprintf("got %d\n", size) {
				t.Errorf("%d bytes came back, %s%s, cause %q", n, end.Stdout, end.Stderr, end.Cause)
			}
		})
	}
}

// TestFloodOfTheControlChannel: a program that writes without end, to somebody who
// does not read, is held up, and its limits hold.
func TestFloodOfTheControlChannel(t *testing.T) {
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			end := runScript(t, b, "import os\nwhile True: os.write(4, b'x' * 65536)", Limits{MemoryMB: 100}, Budget{CPU: 2 * time.Second, Wall: 500 * time.Millisecond})
			if end.Cause != Idle {
				t.Errorf("cause %q, %s", end.Cause, end.Stderr)
			}
		})
	}
}
