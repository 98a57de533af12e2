package sandbox

import (
	"fmt"
	"strings"
	"testing"
)

// offered is what every box that isolates offers, as conditions in Python. A program that relies on one of them
// must not be right in one kind of box and wrong in another: what a kind lacks is said here.
var offered = []struct {
	name, condition string
	lacking         string // kinds of boxes that do not have it
}{
	{"/dev/null", "write('/dev/null') and read('/dev/null') == b''", ""},
	{"/dev/zero", "os.read(os.open('/dev/zero', os.O_RDONLY), 3) == bytes(3)", ""},
	{"/dev/full", "fails(lambda: write('/dev/full')) == errno.ENOSPC", ""},
	{"/dev/random", "len(os.read(os.open('/dev/random', os.O_RDONLY), 8)) == 8", ""},
	{"/dev/urandom", "len(os.read(os.open('/dev/urandom', os.O_RDONLY), 8)) == 8", ""},
	{"/dev/stdin", "open('/dev/stdin').read() == ''", ""},
	{"/dev/stdout", "write('/dev/stdout')", ""},
	{"/dev/stdout, from its beginning", "os.write(os.open('/dev/stdout', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), b'x')", ""},
	{"/dev/stderr", "write('/dev/stderr')", ""},
	{"/dev/fd of a pipe", "through('/dev/fd/%d')", ""},
	{"/proc/self/fd of a pipe", "through('/proc/self/fd/%d')", ""},
	{"/dev/fd lists what is open", "{'0', '1', '2'} <= set(os.listdir('/dev/fd'))", ""},
	{"a deleted file", "deleted('/dev/fd/%d')", ""},
	{"/proc/self/exe", "os.path.samefile('/proc/self/exe', sys.executable or '" + python + "')", ""},
	{"/proc/self/maps", "b'[stack]' in read('/proc/self/maps')", ""},
	{"/proc/self/status", "b'Pid:\\t%d\\n' % os.getpid() in read('/proc/self/status')", ""},
	{"/proc by number", "read('/proc/%d/stat' % os.getpid()).startswith(b'%d (' % os.getpid())", ""},
	{"/proc/self/task", "os.listdir('/proc/self/task') == [str(os.getpid())]", ""},
	{"/proc/self of a child", "in_child(lambda: b'Pid:\\t%d\\n' % os.getpid() in read('/proc/self/status'))", "landlock"},
	{"/dev/stdin of a child", "in_child(lambda: open('/dev/stdin').read() == '')", ""},
	{"/proc/cpuinfo", "read('/proc/cpuinfo')", ""},
	{"/proc/meminfo", "b'MemTotal' in read('/proc/meminfo')", ""},
	{"/proc/stat", "b'cpu' in read('/proc/stat')", ""},
	{"/proc/uptime", "read('/proc/uptime')", ""},
	{"/proc/sys", "read('/proc/sys/kernel/pid_max')", ""},
	{"/proc cannot be written to", "all(fails(lambda: os.open('/proc/' + f, os.O_WRONLY)) in (errno.EROFS, errno.EACCES, errno.EPERM) for f in ('self/oom_score_adj', 'self/mem', 'self/comm', 'sys/kernel/pid_max'))", "docker podman"},
	{"the working directory", "write('made') and read('made') == b'x'", ""},
	{"the home directory", "os.path.samefile(os.path.expanduser('~'), '.')", ""},
	{"/tmp", "write('/tmp/made')", "landlock"},
	{"/dev/shm", "write('/dev/shm/made')", "landlock"},
	{"threads", "threads(8) == 8", ""},
	{"8 MB of stack", "r.getrlimit(r.RLIMIT_STACK) == (8 << 20, 8 << 20)", ""},
	{"the locale of UTF-8", "locale.setlocale(locale.LC_ALL, 'C.UTF-8')", ""},
	{"time zones", "not host('/usr/share/zoneinfo') or read('/usr/share/zoneinfo/Europe/Berlin')", ""},
	{"a lock", "fcntl.flock(open('made', 'w'), fcntl.LOCK_EX) is None", ""},
	{"a named pipe", "os.mkfifo('fifo') is None", ""},
	{"a pair of sockets", "[s.send(b'x') for s in socket.socketpair()] == [1, 1]", ""},
	{"signals to itself", "os.kill(os.getpid(), signal.SIGCHLD) is None", ""},
	{"another process", "in_child(lambda: True)", ""},
}

// offeredHelpers are what the conditions use.
const offeredHelpers = `import errno, fcntl, locale, os, resource as r, signal, socket, sys, threading
host = os.path.exists
def read(path):
    with open(path, "rb") as f: return f.read()
def write(path):
    with open(path, "wb") as f: return f.write(b"x")
def fails(do):
    try: do()
    except OSError as e: return e.errno
def through(name):
    a, b = os.pipe()
    write(name % b)
    return os.read(os.open(name % a, os.O_RDONLY), 1) == b"x"
def deleted(name):
    write("gone")
    fd = os.open("gone", os.O_RDONLY)
    os.unlink("gone")
    return read(name % fd) == b"x"
def in_child(do):
    pid = os.fork()
    if pid == 0:
        try: done = do()
        except Exception: done = False
        os._exit(0 if done else 1)
    return os.waitpid(pid, 0)[1] == 0
def threads(n):
    made = [threading.Thread(target=lambda: None) for _ in range(n)]
    for t in made: t.start()
    for t in made: t.join()
    return len(made)
`

// TestOfferedInEveryBox tries one condition after the other in one program.
func TestOfferedInEveryBox(t *testing.T) {
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			script := strings.Builder{}
			script.WriteString(offeredHelpers)
			for i, row := range offered {
				fmt.Fprintf(&script, "try: has = %s\nexcept Exception as e: has, why = False, e\nos.write(2, b'\\n%d: has it\\n' if has else b'\\n%d: differs\\n')\n", row.condition, i, i)
			}
			end := runScript(t, b, script.String(), Limits{}, Budget{})
			for i, row := range offered {
				has := strings.Contains(string(end.Stderr), fmt.Sprintf("\n%d: has it\n", i))
				if want := !strings.Contains(row.lacking, kind.name); has != want {
					t.Errorf("%s: has it: %v, want %v; %s", row.name, has, want, end.Stderr)
				}
			}
		})
	}
}

// TestProcShowsTheProgramAlone: of all processes a program in a slot sees its own, also after others, and has the
// number that each has.
func TestProcShowsTheProgramAlone(t *testing.T) {
	w := newWarm(t)
	script := `import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.fork()
    os.kill(os.getpid(), 19)
print(os.getpid(), min(int(p) for p in os.listdir("/proc") if p.isdigit()), os.path.exists("/proc/1"))
`
	for range 5 {
		if end := runForked(t, w, script, Limits{}, Budget{}); string(end.Stdout) != "2 2 False\n" || end.Cause != "" {
			t.Errorf("%s%s, cause %q", end.Stdout, end.Stderr, end.Cause)
		}
	}
	if len(slots(w)) != 1 {
		t.Errorf("%d slots live, want the one that was used", len(slots(w)))
	}
}
