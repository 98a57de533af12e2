# The fork server of a warm box. It runs inside a bubblewrap box that keeps
# CAP_SYS_ADMIN within its own user namespace, and forks a program for each
# request into the process namespace of programs. Nothing of a program ever enters this
# process: a program reads its own code from its own descriptor. Once everything
# is prepared, this process runs serve_linux.c, whose code it is sent.
#
# This text is compiled together with what every program wants to find loaded and
# with `_slot_serve()`, which returns only in a forked child that has given up every
# right. What the child does then follows in the script.
import ctypes
import gc
import os
import struct

import _socket

_SOCKET = 20  # our end of the control socket, above what a child gets
_STACK = 64 << 10
_HUGE = 2 << 20  # a huge page
_STEPS = ("", "unmounting /tmp", "mounting /tmp", "making directories", "making a process namespace",
          "starting a process namespace", "mounting /proc", "forking", "dropping capabilities", "loading the system call filter")


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]


class _Slot(ctypes.Structure):
    """The beginning of struct slot in serve_linux.c."""
    _fields_ = [(name, ctypes.c_void_p) for name in ("syscall", "fork", "clone", "itself", "__errno_location", "stack")]
    _fields_ += [("socket", ctypes.c_int64), ("filter", ctypes.c_void_p)]
    _fields_ += [(name, ctypes.c_char_p) for name in ("kind", "options", "tmp", "work", "shm", "proc", "hiding", "place", "numbers")]
    _fields_ += [("rest", ctypes.c_char * 4096)]


class _Server:
    def __init__(self):
        del os.environ["LD_BIND_NOW"]
        # PyDLL holds the interpreter's lock throughout, so that a fork needs no
        # repair of it.
        self.libc = libc = ctypes.PyDLL(None, use_errno=True)
        libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        os.dup2(3, _SOCKET, False)
        nothing = os.open("/dev/null", os.O_RDWR)
        for fd in range(3, _SOCKET):  # so that received descriptors lie above
            if fd != nothing:
                os.dup2(nothing, fd, False)
        socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, _SOCKET)
        setup = socket.recv(1 << 16)
        socket.detach()
        size, files, ours, theirs = struct.unpack("=4q", setup[:32])
        ours += 32
        theirs += ours
        self.stack = ctypes.create_string_buffer(_STACK)
        self.filter = self.prepare(setup[ours:theirs])
        self.slot = slot = _Slot(
            stack=(ctypes.addressof(self.stack) + _STACK - 256) & ~63,
            socket=_SOCKET, filter=ctypes.addressof(self.filter),
            kind=b"tmpfs", options=b"mode=0755,size=%d,nr_inodes=%d" % (size, files),
            tmp=b"/tmp", work=b"/tmp/work", shm=b"/tmp/shm",
            proc=b"proc", hiding=b"hidepid=2", place=b"/proc", numbers=b"/proc/sys/kernel/ns_last_pid")
        for name in ("syscall", "fork", "clone", "__errno_location"):
            setattr(slot, name, ctypes.cast(getattr(libc, name), ctypes.c_void_p).value)
        slot.itself = self.executable(setup[theirs:])
        self.serve = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(slot.itself)
        os.umask(0o022)
        self.load(self.prepare(setup[32:ours]))

    def prepare(self, text):
        buffer = ctypes.create_string_buffer(text, len(text))
        prepared = _Filter(len(text) // 8, ctypes.addressof(buffer))
        prepared.text = buffer  # kept alive
        return prepared

    def load(self, prepared):
        self.check(self.libc.prctl(38, 1, 0, 0, 0), "giving up new privileges")
        self.check(self.libc.prctl(22, 2, ctypes.addressof(prepared), 0, 0), "loading the system call filter")

    def executable(self, code):
        """The address of the function whose machine code it is."""
        libc = self.libc
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64]
        libc.mmap.restype = ctypes.c_void_p
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        at = libc.mmap(None, len(code), 3, 0x22, -1, 0)  # to read and write, private, no file
        self.check(-(at == ctypes.c_void_p(-1).value), "getting memory")
        ctypes.memmove(at, code, len(code))
        self.check(libc.mprotect(at, len(code), 5), "making memory executable")
        return at

    def check(self, result, what):
        if result < 0:
            raise OSError(ctypes.get_errno(), what + ": " + os.strerror(ctypes.get_errno()))


class _Heap(ctypes.Structure):
    """A struct mallinfo2."""
    _fields_ = [("others", ctypes.c_size_t * 9), ("top", ctypes.c_size_t)]


def _code_among(segments):
    """From where to where there is code, of what is mapped: where it begins, where it
    ends, and what may be done with it. What touches the code counts if nobody writes to
    it; there may be gaps, and what is written to may lie anywhere."""
    page, runs = os.sysconf("SC_PAGE_SIZE"), []
    for first, last, flags in sorted(segments):
        first, last = first // page * page, -(-last // page) * page
        if flags & 2:
            continue
        if runs and runs[-1][1] == first:
            runs[-1][1] = last
        else:
            runs.append([first, last, 0])
        runs[-1][2] |= flags & 1
    return max(((last - first, (first, last)) for first, last, executed in runs if executed), default=(0, (0, 0)))[1]


class _Memory:
    """Arranges the server's memory so that what a child does touches few pages of
    it, each of which the kernel copies for it, or at least maps. What a child makes
    shall not lie in gaps between what is there already."""

    def __init__(self, libc):
        self.libc = libc
        self.enlarge_code_pages()
        self.kept = [one for size in range(16, 513, 16) for one in self.holes(size)]
        if hasattr(libc, "mallinfo2"):
            self.fill_heap()

    def enlarge_code_pages(self):
        """Moves the interpreter's code to huge pages, as far as it fills such. They are
        mapped in a child from the beginning, where else it would find each piece of the
        code missing. Nothing writes to them, so that they are never split. Where there
        are none, the code stays where it is."""
        first, last = self.code()
        begin, end = -(-first // _HUGE) * _HUGE, last // _HUGE * _HUGE
        size = end - begin
        if size <= 0:
            return
        libc = self.libc  # whose mmap and mprotect _Server has described
        libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        libc.mremap.restype = ctypes.c_void_p
        room = libc.mmap(None, size + _HUGE, 3, 0x22, -1, 0)  # to read and write, private, no file
        if room == ctypes.c_void_p(-1).value:
            return
        copy = -(-room // _HUGE) * _HUGE
        libc.madvise(copy, size, 14)  # huge pages
        faults = self.faults()
        ctypes.memmove(copy, begin, size)
        huge = self.faults() - faults < 8 * size // _HUGE  # of small pages there are hundreds in a huge one
        if huge and libc.mprotect(copy, size, 5) == 0 and libc.mremap(copy, size, size, 3, begin) == begin:
            libc.munmap(room, copy - room)
            libc.munmap(copy + size, room + _HUGE - copy)
        else:
            libc.munmap(room, size + _HUGE)

    def code(self):
        """From where to where the interpreter's code is mapped, with what lies beside it
        and is not written to either."""
        self.libc.getauxval.argtypes, self.libc.getauxval.restype = [ctypes.c_ulong], ctypes.c_size_t
        table, count = self.libc.getauxval(3), self.libc.getauxval(5)  # the program headers, as the kernel tells
        heads = [struct.unpack("=2I6Q", ctypes.string_at(table + 56 * i, 56)) for i in range(count)]
        base = [table - address for kind, _, _, address, *_ in heads if kind == 6]  # of the table itself
        first, last = _code_among([(address, address + size, flags) for kind, flags, _, address, _, _, size, _ in heads if kind == 1])
        return (base[0] + first, base[0] + last) if base else (0, 0)

    def faults(self):
        """How often a page was missing so far."""
        used = (ctypes.c_long * 18)()  # a struct rusage
        self.libc.getrusage(0, used)
        return used[8]

    def holes(self, size):
        """Fills what is free among objects of a size, so that a child's begin in an
        empty pool."""
        for _ in range(20000):  # more than there are, in a Python that keeps no pools
            one = object() if size == 16 else complex(1, 1) if size == 32 else bytes(size - 33)
            if id(one) & 0x3fff == 48:  # the first of a pool
                return
            yield one

    def fill_heap(self):
        """Fills what is free below the top of the C library's heap, so that a child's
        large objects lie there, one after the other."""
        libc = self.libc
        libc.mallinfo2.restype = _Heap
        libc.sbrk.restype = libc.malloc.restype = ctypes.c_size_t
        libc.malloc.argtypes = [ctypes.c_size_t]
        libc.free.argtypes = [ctypes.c_size_t]
        libc.sbrk.argtypes = [ctypes.c_ssize_t]
        top = libc.sbrk(0) - libc.mallinfo2().top
        for size in (*range(120000, 4096, -4096), *range(4096, 16, -16)):
            for _ in range(2000):
                at = libc.malloc(size)
                if at == 0 or at >= top:
                    libc.free(at)
                    break


def _slot_serve():
    # The server stays alive in children: to free it there would cost more.
    global _server, _memory
    _server = _Server()
    gc.collect()
    _memory = _Memory(_server.libc)
    gc.freeze()
    failed = _server.serve(ctypes.addressof(_server.slot))
    if failed:
        raise OSError(failed & 0xffff, _STEPS[failed >> 16] + ": " + os.strerror(failed & 0xffff))
