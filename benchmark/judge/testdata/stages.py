# Sums up, for stages.sh, what perf script tells of a run: stages.py SUMMARY ASSAY'S-NAME.
import collections
import json
import re
import sys

KERNEL = [  # what the innermost entry into the kernel was for
    (re.compile(r"exc_page_fault"), "page faults"),
    (re.compile(r"^(do_exit|do_group_exit|__x64_sys_exit|__do_sys_exit)"), "end of the process"),
    (re.compile(r"^(__x64_sys_clone|__do_sys_clone|kernel_clone|ret_from_fork)"), "fork"),
]


def stage(symbols):
    """What a stack is part of, its innermost function first."""
    for pattern, name in KERNEL:
        if any(pattern.search(s) for s in symbols):
            return name
    in_kernel = any(s.startswith(("entry_SYSCALL", "do_syscall", "asm_", "__x64_sys")) for s in symbols)
    return "other system calls" if in_kernel else "Python"


def main():
    summary = json.load(open(sys.argv[1]))
    parents, forks, stacks = {}, collections.Counter(), []
    head = re.compile(r"^\s*(.+?)\s+(\d+)/(\d+)\s+[\d.]+:\s*(.*)$")
    fork = re.compile(r"PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)")
    current = None
    for line in sys.stdin:
        line = line.rstrip("\n")
        if m := fork.search(line):
            child, parent = m.groups()
            if child != parent:
                parents[child] = parent
                forks[parent] += 1
        elif m := head.match(line):
            current = (m[1], m[2], [])
            if "PERF_RECORD" not in m[4]:
                stacks.append(current)
        elif current and line.strip():
            current[2].append(line.split(None, 1)[-1])
    total = collections.Counter()
    for comm, pid, symbols in stacks:
        if pid == "0":
            total["(idle)"] += 1
        elif comm == sys.argv[2][:15]:
            total["assay"] += 1
        elif not comm.startswith("python"):
            total["other programs"] += 1
        elif forks[pid] > 20:
            total["fork server: " + stage(symbols).replace("Python", "its loop")] += 1
        elif forks[parents.get(pid, "")] > 20:
            total["sample: " + stage(symbols)] += 1
        else:
            total["checker, and Python's starts"] += 1
    ms = 1000 / 2999 / summary["samples"]
    print("%d samples, %.0f a second" % (summary["samples"], summary["samples"] / summary["seconds"]))
    for name, n in total.most_common():
        print("%8.3f ms  %4.1f %%  %s" % (n * ms, 100 * n / len(stacks), name))


main()
