# The first process of a container: it starts the program, hands its streams on
# over this process's own standard input and output, measures and kills. It is
# trusted, and the program cannot reach it: signals do not kill the first process
# of a process namespace, and it lets nobody read its memory.
#
# A message is a letter, the length of what follows in four bytes, and that.
# From assay: o the order (JSON), i data for descriptor 3, c its end, a how many
# bytes more may be sent of descriptor 4, q a question for the usage, k kill,
# z that the end was read.
# To assay: h what limits there are (JSON), d data from descriptor 4, x its end,
# 1 and 2 standard output and error, C how many bytes more may be sent for
# descriptor 3, u the usage, f a file that was asked for (JSON) and b its bytes,
# e the end (JSON).
import ctypes
import json
import os
import resource
import select
import signal
import stat
import struct
import sys
import time

PATIENCE = 60  # seconds without a word from assay, which asks all the time
FAREWELL = 5  # seconds until assay must have read the end
CHUNK = 1 << 16
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE") // 1024


def read(path):
    try:
        with open(path) as f:
            return f.read().strip()
    except OSError:
        return ""


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def send(kind, data=b""):
    write_all(1, kind + len(data).to_bytes(4, "big") + data)


def limits():
    """What limits the container, as far as can be seen from within."""
    memory = "rss-poll"
    if read("/sys/fs/cgroup/memory.max").isdigit():
        memory = "cgroup2"
    else:
        limit = read("/sys/fs/cgroup/memory/memory.limit_in_bytes")
        if limit.isdigit() and int(limit) < 1 << 60:
            memory = "cgroup"
    counted = read("/sys/fs/cgroup/pids.max") or read("/sys/fs/cgroup/pids/pids.max")
    return {"memory": memory, "pids": "cgroup" if counted.isdigit() else "rlimit", "user": str(outside(os.getuid()))}


def outside(uid):
    """What a user is outside of the container."""
    for inside, there, count in (map(int, line.split()) for line in read("/proc/self/uid_map").splitlines()):
        if inside <= uid < inside + count:
            return there + uid - inside
    return uid


def states_of(pid):
    """The states of a process's threads."""
    return {read("/proc/%s/task/%s/stat" % (pid, t)).rpartition(")")[2].strip()[:1].encode() for t in os.listdir("/proc/%s/task" % pid)}


def killed_for_memory():
    text = read("/sys/fs/cgroup/memory.events") or read("/sys/fs/cgroup/memory/memory.oom_control")
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name == "oom_kill":
            return int(value)
    return 0


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]


class Relay:
    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        self.prctl(4, 0)  # nobody may read this process's memory or descriptors
        for s in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(s, signal.SIG_IGN)
        self.wake, wake = os.pipe()
        for fd in (self.wake, wake):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.heard = time.monotonic()
        self.incoming = bytearray()
        self.pid = None  # of the program
        self.status = None
        self.waiting = bytearray()  # for descriptor 3
        self.closing = self.read = False
        self.room = 0  # bytes that may be sent of descriptor 4
        self.names = {}
        self.ever = {}
        self.cpu = self.peak = 0
        self.wanted, self.place = [], None  # files to be copied out, and where they lie
        self.kills = killed_for_memory()

    def prctl(self, *args):
        if self.libc.prctl(*args, *[0] * (5 - len(args))) < 0:
            raise OSError(ctypes.get_errno(), "prctl %d" % args[0])

    def start(self, order):
        to_program, self.to = os.pipe()
        self.source, from_program = os.pipe()
        self.out, out = os.pipe()
        self.err, err = os.pipe()
        for fd in (self.to, self.source, self.out, self.err):
            os.set_blocking(fd, False)
        self.names = {self.source: b"d", self.out: b"1", self.err: b"2"}
        self.memory = order["memory_kb"]
        for d in ("/tmp/work", "/tmp/shm"):
            os.mkdir(d)
        self.wanted, self.most = order["outputs"], order["output_bytes"]
        if self.wanted:  # held, so that nothing can take its place
            self.place = os.open("/tmp/work", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.become(order, (to_program, from_program, out, err))
            except BaseException as e:
                os.write(2, ("the program could not be started: %s\n" % e).encode())
            os._exit(127)
        for fd in (to_program, from_program, out, err):
            os.close(fd)

    def become(self, order, fds):
        signal.set_wakeup_fd(-1)
        for s in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(s, signal.SIG_DFL)
        os.setsid()
        fds = [os.dup2(fd, 100 + i) for i, fd in enumerate(fds)]
        for fd, target in zip(fds, (3, 4, 1, 2)):
            os.dup2(fd, target)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.closerange(5, 256)
        os.umask(0o022)
        os.chdir("/tmp/work")
        for name, value in order["rlimits"].items():
            kind = getattr(resource, "RLIMIT_" + name)
            resource.setrlimit(kind, (value, value))
        self.prctl(38, 1)
        for text in order["filters"]:
            text = bytes.fromhex(text)
            buffer = ctypes.create_string_buffer(text, len(text))
            self.prctl(22, 2, ctypes.addressof(Filter(len(text) // 8, ctypes.addressof(buffer))))
        os.execve(order["argv"][0], order["argv"], dict(v.split("=", 1) for v in order["env"]))

    def measure(self):
        """Processor time in microseconds, resident memory in kilobytes, how long they waited
        for a processor in microseconds, and the state of the most active thread, of all
        processes but this one: see meter in assay, which does the same."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        living, rss, pids, states = used.ru_utime + used.ru_stime, 0, [], set()
        for pid in os.listdir("/proc"):
            if not pid.isdigit() or pid == "1":
                continue
            try:
                with open("/proc/%s/stat" % pid, "rb") as f:
                    fields = f.read().rpartition(b")")[2].split()
            except OSError:
                continue
            own, delayed = (int(fields[11]) + int(fields[12])) / TICK, 0
            try:
                with open("/proc/%s/schedstat" % pid) as f:
                    exact, delayed, _ = (int(n) / 1e9 for n in f.read().split())
                own = max(own, exact)
            except (OSError, ValueError):
                pass
            living += own + (int(fields[13]) + int(fields[14])) / TICK
            rss += int(fields[21]) * PAGE
            pids.append(pid)
            states |= states_of(pid) if fields[17] != b"1" else {fields[0]}
            self.ever[pid, fields[19]] = own, delayed
        ever, delayed = (sum(times) for times in zip(*self.ever.values(), (0, 0)))
        self.cpu = max(self.cpu, living, ever)
        if self.memory and rss > self.memory:
            rss = min(rss, self.shared_once(pids) or rss)
        self.peak = max(self.peak, rss)
        return int(self.cpu * 1e6), rss, int(delayed * 1e6), ord(b"R" if b"R" in states else b"D" if b"D" in states else b"S")

    def shared_once(self, pids):
        total = 0
        for pid in pids:
            for line in read("/proc/%s/smaps_rollup" % pid).splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        return total

    def files(self):
        st = os.statvfs("/tmp")
        return st.f_files - st.f_ffree

    def message(self, kind, data):
        if kind == b"o":
            self.start(json.loads(data))
        elif kind == b"i":
            self.waiting += data
        elif kind == b"c":
            self.closing = True
        elif kind == b"a":
            self.room += int.from_bytes(data, "big")
        elif kind == b"q" and self.pid:
            cpu, rss, delayed, state = self.measure()
            send(b"u", struct.pack(">qqqqq", cpu, rss, self.files(), delayed, state))
        elif kind == b"k" and self.pid and self.status is None:
            os.kill(-1, signal.SIGKILL)
        elif kind == b"z":
            self.read = True

    def listen(self):
        """Takes in what assay says; no more to come means that it is gone."""
        data = os.read(0, CHUNK)
        if not data:
            return False
        self.heard = time.monotonic()
        self.incoming += data
        while len(self.incoming) >= 5:
            end = 5 + int.from_bytes(self.incoming[1:5], "big")
            if len(self.incoming) < end:
                break
            kind, body = bytes(self.incoming[:1]), bytes(self.incoming[5:end])
            del self.incoming[:end]
            self.message(kind, body)
        return True

    def forward(self, fd):
        size = min(CHUNK, self.room) if fd == self.source else CHUNK
        try:
            data = os.read(fd, size)
        except BlockingIOError:
            return
        if data:
            if fd == self.source:
                self.room -= len(data)
            send(self.names[fd], data)
            return
        if fd == self.source:
            send(b"x")
        del self.names[fd]

    def feed(self):
        """Hands data on to descriptor 3, and makes room for as much."""
        try:
            n = os.write(self.to, self.waiting[:CHUNK])
        except BlockingIOError:
            return
        except OSError:
            n = len(self.waiting)  # nobody reads it any more
        del self.waiting[:n]
        send(b"C", n.to_bytes(4, "big"))

    def reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.pid:
                self.status = os.waitstatus_to_exitcode(status)

    def serve(self):
        send(b"h", json.dumps(limits()).encode())
        while self.status is None:
            if time.monotonic() - self.heard > PATIENCE:
                return
            reading = [0, self.wake] + [fd for fd in self.names if fd != self.source or self.room > 0]
            writing = [self.to] if self.waiting else []
            if self.pid and self.closing and not self.waiting and self.to is not None:
                os.close(self.to)
                self.to = None
            readable, writable, _ = select.select(reading, writing, [], 1)
            if self.wake in readable:
                os.read(self.wake, 4096)
            if 0 in readable and not self.listen():
                return
            for fd in readable:
                if fd in self.names:
                    self.forward(fd)
            if writable:
                self.feed()
            self.reap()
        self.finish()

    def copy(self, name):
        """Sends what a file is and, of a regular one that is not too large, what is
        in it. No process is left that could change anything meanwhile."""
        found, data = {"name": name}, b""
        at = self.place
        try:
            *above, last = name.split("/")
            for part in above:
                inner = os.open(part, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
                if at != self.place:
                    os.close(at)
                at = inner
            st = os.stat(last, dir_fd=at, follow_symlinks=False)
            found.update(mode=st.st_mode, links=st.st_nlink, size=st.st_size)
            if stat.S_ISREG(st.st_mode) and st.st_nlink == 1 and st.st_size <= self.most:
                fd = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
                with open(fd, "rb") as f:
                    data = f.read(self.most)
        except OSError as e:
            found["errno"] = e.errno
        if at != self.place:
            os.close(at)
        send(b"f", json.dumps(found).encode())
        for i in range(0, len(data), CHUNK):
            send(b"b", data[i:i + CHUNK])

    def finish(self):
        """Ends whatever the program has left behind, and reports."""
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        while True:
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                break
        files = self.files()
        self.room = 1 << 30
        while self.names:  # what is still in the pipes, which is not much
            for fd in list(self.names):
                self.forward(fd)
        for name in self.wanted:
            self.copy(name)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = max(int((used.ru_utime + used.ru_stime) * 1e6), int(self.cpu * 1e6))
        send(b"e", json.dumps({
            "exit": self.status, "cpu_us": cpu, "peak_kb": max(self.peak, used.ru_maxrss),
            "files": files, "oom": killed_for_memory() > self.kills}).encode())
        # Engines may drop what is still on its way when the container ends.
        end = time.monotonic() + FAREWELL
        while not self.read and time.monotonic() < end:
            readable, _, _ = select.select([0], [], [], 1)
            if readable and not self.listen():
                return


if os.getpid() != 1:
    sys.exit("the relay is not the first process of its container, so that it could not tell its processes from others: "
             "remove pid and init settings from the engine's configuration")
Relay().serve()
