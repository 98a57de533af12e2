"""Counts what judging a sample asks of the kernel, which all samples of a machine share.

    scale.py ASSAY SAMPLES TASKS [SLOTS...]

For each number of slots, samples that are judged at a time, assay judges a part of SAMPLES and
one three times as long under `perf stat`, so that what starting takes cancels out. Printed are,
for each sample, assay and its boxes together: system calls of some kinds and all of them, locks
of the kernel that were waited for, changes from one thread to another, page faults, and
processor time. Needs root, mostly. On few processors slots wait for one another, so counts of
many slots are right, and times are not those of a machine with as many processors.
"""
import os
import subprocess
import sys
import tempfile

SHORT = 328  # samples

CALLS = {
    "open": "openat", "read": "read", "write": "write", "close": "close", "futex": "futex", "epoll": "epoll_pwait epoll_ctl", "poll": "ppoll poll",
    "fork": "clone clone3 fork vfork", "wait": "wait4 waitid", "kill": "kill tgkill pidfd_send_signal", "map": "mmap munmap madvise",
}
OTHERS = {"all calls": "raw_syscalls:sys_enter", "locks": "lock:contention_begin", "switches": "context-switches", "faults": "page-faults",
          "user ms": "user_time", "system ms": "system_time"}


def counted(assay, samples, tasks, slots):
    events = ["syscalls:sys_enter_" + name for names in CALLS.values() for name in names.split()] + list(OTHERS.values())
    with tempfile.NamedTemporaryFile("r") as out:
        subprocess.run(["perf", "stat", "-x", ";", "-o", out.name, "-e", ",".join(events), assay, "eval", samples, "--tasks", tasks,
                        "--workers", str(slots), "--run-only", "--json"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = {f[2]: float(f[0]) for f in (line.split(";") for line in out) if len(f) > 2 and f[0].replace(".", "").isdigit()}
    row = {kind: sum(found.get("syscalls:sys_enter_" + name, 0) for name in names.split()) for kind, names in CALLS.items()}
    for kind, event in OTHERS.items():
        row[kind] = found.get(event, 0) / (1e6 if kind.endswith(" ms") else 1)
    return row


def main(assay, samples, tasks, *slots):
    with open(samples) as f:
        lines = f.readlines()
    if len(lines) < 3 * SHORT:
        sys.exit("%s has %d samples, and %d are needed" % (samples, len(lines), 3 * SHORT))
    kinds = [*CALLS, *OTHERS]
    with tempfile.TemporaryDirectory() as d:
        for n in (SHORT, 3 * SHORT):
            with open(os.path.join(d, str(n)), "w") as f:
                f.writelines(lines[:n])
        print("slots" + "".join("%10s" % k for k in kinds))
        for n in slots or ("1", "2", "4", "16", "64"):
            few, many = (counted(assay, os.path.join(d, str(length)), tasks, n) for length in (SHORT, 3 * SHORT))
            print("%5s" % n + "".join("%10.2f" % ((many[k] - few[k]) / (2 * SHORT)) for k in kinds), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
