# Gives a program a private writable copy of a directory, then every right away, and starts it.
# It runs inside a bubblewrap box that keeps CAP_SYS_ADMIN within its own user namespace:
#
#     tree.py FILTER LINK SHOWN PROGRAM [ARGUMENT...]
#
# FILTER is the descriptor from which to read the system call filter. The directory is at /tree,
# read-only; what the program changes lies in /tmp, whose size is limited. LINK is a socket to the
# outside, or -: over it goes a socket that listens on the box's own loopback interface. The program
# starts when the outside has answered. SHOWN is empty, and the tree is at /repository; or it is the box's root, and
# after a first / there are the paths that stay visible below it, with : between them.
import ctypes
import os
import shutil
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]


def check(result, what):
    if result < 0:
        sys.exit("%s: %s" % (what, os.strerror(ctypes.get_errno())))


def overlay(lower, changed, at):
    for c in "\\,":
        lower = lower.replace(c, "\\" + c)
    work = "/tmp/.overlay/" + os.path.basename(at)
    os.makedirs(work)
    options = "lowerdir=%s,upperdir=%s,workdir=%s,userxattr" % (lower, changed, work)
    return libc.mount(b"overlay", os.fsencode(at), b"overlay", 2 | 4, os.fsencode(options))  # no setuid, no devices


def show(source, at):
    check(libc.mount(os.fsencode(source), os.fsencode(at), None, 4096 | 16384, None), "showing " + at)  # a bind


def mount_system(kept):
    """Makes the tree the root of the file system: below it lies what else the box has, without assay's own places."""
    root, base = "/tmp/.root", "/tmp/.base"
    os.mkdir(root)
    os.mkdir(base)
    binds = []
    for name in sorted(set(os.listdir("/")) - {"tree", "repository"}):
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), base + "/" + name)
            continue
        os.mkdir(base + "/" + name)
        if name in ("dev", "proc") or name not in ("tmp", "usr") and not os.path.isdir("/tree/" + name):
            binds.append("/" + name)
    os.makedirs("/tmp/.changed/usr")
    check(overlay("/tree:" + base, "/tmp/.changed", root), "laying the tree over the box, which needs Linux 6.6")
    check(overlay("/tree/usr:/usr", "/tmp/.changed/usr", root + "/usr"), "laying /usr of the tree over the box")
    for path in binds:
        show(path, root + path)
    check(libc.mount(b"/tmp", os.fsencode(root + "/tmp"), None, 4096, None), "showing /tmp")
    for path in kept:
        os.makedirs(root + path, exist_ok=True)
        show(path, root + path)
    os.chdir(root)
    check(libc.pivot_root(b".", b"."), "making the tree the root")
    check(libc.umount2(b".", 2), "leaving the box's own root")
    return False


def mount():
    if sys.argv[3]:
        return mount_system(sys.argv[3].split(":")[1:])
    os.mkdir("/tmp/.changed")
    os.mkdir("/tmp/.overlay")
    options = b"lowerdir=/tree,upperdir=/tmp/.changed,workdir=/tmp/.overlay,userxattr"
    try:
        os.setxattr("/tmp/.changed", "user.assay", b"")  # an overlay needs them: Linux 6.6
        os.removexattr("/tmp/.changed", "user.assay")
        failed = libc.mount(b"overlay", b"/repository", b"overlay", 2 | 4, options) < 0  # no setuid, no devices
    except OSError:
        failed = True
    if failed:
        shutil.copytree("/tree", "/tmp/.changed", symlinks=True, dirs_exist_ok=True)
        check(libc.mount(b"/tmp/.changed", b"/repository", None, 4096, None), "mounting a copy")  # a bind
    return failed


def link(copied):
    if sys.argv[2] == "-":
        return
    import socket
    with socket.socket() as gate, socket.socket(fileno=int(sys.argv[2])) as outside:
        gate.bind(("127.0.0.1", 3128))
        gate.listen(128)
        outside.sendmsg([b"c" if copied else b"o"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", gate.fileno()))])
        if not outside.recv(1):
            sys.exit("the supervisor of this box has ended")


def leave_rights():
    text = os.read(int(sys.argv[1]), 1 << 16)
    os.close(int(sys.argv[1]))
    check(libc.prctl(47, 4, 0, 0, 0), "dropping ambient capabilities")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    check(libc.capset(header, (ctypes.c_uint32 * 6)()), "dropping capabilities")
    check(libc.prctl(38, 1, 0, 0, 0), "giving up new privileges")
    buffer = ctypes.create_string_buffer(text, len(text))
    program = Filter(len(text) // 8, ctypes.addressof(buffer))
    check(libc.prctl(22, 2, ctypes.addressof(program), 0, 0), "loading the system call filter")


link(mount())
leave_rights()
os.chdir("/" if sys.argv[3] else "/repository")
os.execv(sys.argv[4], sys.argv[4:])
