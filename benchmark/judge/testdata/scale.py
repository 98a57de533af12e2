"""Counts what judging a sample shares with the samples beside it, by how many are judged at a time.

    scale.py ASSAY SAMPLES TASKS [SLOTS...]

For each number of slots it judges a part of SAMPLES and one three times as long, so that what
starting takes cancels out, once under strace, for the system calls of a sample, and once
without, for its processor time and the times that a thread of assay slept or was interrupted.
Counts depend little on what else the machine does; processor time does.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

SHORT = 82  # samples

KINDS = ("/proc", "cgroup", "futex", "poll", "pipes, sockets", "processes", "memory", "files, rest")
BY_NAME = {
    "futex": "futex", "epoll_pwait": "poll", "epoll_ctl": "poll", "poll": "poll", "ppoll": "poll", "select": "poll", "pselect6": "poll",
    **dict.fromkeys("clone clone3 fork vfork wait4 waitid exit exit_group kill tgkill execve pidfd_open pidfd_send_signal".split(), "processes"),
    **dict.fromkeys("mmap munmap mprotect madvise brk mremap".split(), "memory"),
    **dict.fromkeys("pipe2 socketpair sendmsg recvmsg sendto recvfrom".split(), "pipes, sockets"),
}
CALL = re.compile(r"^(\d+)(?:<(.*?)>)? +(\w+)\((.*)")


def kind(name, arguments):
    if name in BY_NAME:
        return BY_NAME[name]
    first = arguments.split(" = ")[0]
    for sign, of in (("/cgroup", "cgroup"), ("/proc", "/proc"), ("<pipe:", "pipes, sockets"), ("<socket:", "pipes, sockets"), ("<UNIX", "pipes, sockets")):
        if sign in first[:200]:
            return of
    return "files, rest"


def command(assay, samples, tasks, slots):
    return [assay, "eval", samples, "--tasks", tasks, "--workers", str(slots), "--run-only", "--json"]


def traced(directory, run):
    """System calls by who made them, assay itself or the boxes, and kind."""
    log = os.path.join(directory, "trace")
    subprocess.run(["strace", "-f", "-qq", "-y", "-Y", "-s", "0", "-o", log] + run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts = collections.Counter()
    with open(log, errors="replace") as f:
        for line in f:
            m = CALL.match(line)
            if m:
                _, comm, name, arguments = m.groups()
                counts["assay" if (comm or "").startswith("assay") else "boxes", kind(name, arguments)] += 1
    os.remove(log)
    return counts


def timed(run):
    """Processor time of assay and its boxes, and context switches, the wanted and the others."""
    p = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    if status:
        sys.exit("%s failed" % run[0])
    return used.ru_utime * 1e3, used.ru_stime * 1e3, used.ru_nvcsw, used.ru_nivcsw


def main(assay, samples, tasks, *slots):
    with open(samples) as f:
        lines = f.readlines()
    if len(lines) < 3 * SHORT:
        sys.exit("%s has %d samples, and %d are needed" % (samples, len(lines), 3 * SHORT))
    with tempfile.TemporaryDirectory() as d:
        parts = []
        for n in (SHORT, 3 * SHORT):
            parts.append(os.path.join(d, "%d.jsonl" % n))
            with open(parts[-1], "w") as f:
                f.writelines(lines[:n])
        print("for each sample      " + "".join("%16s" % k for k in KINDS) + "%16s%16s%16s" % ("user ms", "system ms", "switches"))
        for n in map(int, slots or (1, 4, 16, 64)):
            a, b = ([command(assay, p, tasks, n) for p in parts])
            few, many = traced(d, a), traced(d, b)
            before, after = timed(a), timed(b)
            user, system, wanted, forced = ((y - x) / (2 * SHORT) for x, y in zip(before, after))
            for who in ("assay", "boxes"):
                row = "%3d slots, %-10s" % (n, who) + "".join("%16.1f" % ((many[who, k] - few[who, k]) / (2 * SHORT)) for k in KINDS)
                print(row + ("%16.2f%16.2f%16.1f" % (user, system, wanted + forced) if who == "boxes" else ""), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
