"""Runs one text of this repository's own against a task's tests.

Reads {"code", "task"} as JSON on standard input and prints {"verdict",
"message", "passed", "total"}. It is no sandbox: it is for trusted texts only,
and stands apart from the judge on purpose, so that each checks the other.
"""
import ast
import base64
import contextlib
import copy
import io
import json
import math
import resource
import sys

resource.setrlimit(resource.RLIMIT_CPU, (1, 2))


def decode(value):
    if isinstance(value, list):
        return [decode(v) for v in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (key, inner), = value.items()
        if key.startswith("$"):
            return DECODERS[key](inner)
    return {k: decode(v) for k, v in value.items()}


DECODERS = {
    "$tuple": lambda v: tuple(decode(v)),
    "$set": lambda v: set(decode(v)),
    "$frozenset": lambda v: frozenset(decode(v)),
    "$dict": lambda v: {decode(k): decode(x) for k, x in v},
    "$bytes": base64.b64decode,
    "$float": float,
    "$int": int,
    "$complex": lambda v: complex(*v),
    "$repeat": lambda v: decode(v[0]) * v[1],
    "$range": lambda v: list(range(*v)),
}


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def near(a, b, tolerance):
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(near(x, y, tolerance) for x, y in zip(a, b))
    return isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def equal(got, case):
    want = decode(case["expected"])
    rule = case.get("compare", "exact")
    if rule == "close":
        return near(want, got, case["tolerance"])
    if rule == "unordered":
        return isinstance(got, (list, tuple)) and same(sorted(got), sorted(want))
    if rule == "any_of":
        return any(same(got, w) for w in want)
    return same(got, want)


def run_call(function, case):
    args = decode(copy.deepcopy(case["args"]))
    kwargs = {k: decode(v) for k, v in case.get("kwargs", {}).items()}
    before = copy.deepcopy(args)
    try:
        got = function(*args, **kwargs)
    except Exception as error:
        name = type(error).__name__
        if "raises" not in case:
            return "runtime_error", f"{name}: {error}"
        if name == case["raises"]:
            return "", ""
        return "runtime_error", f"raised {name}, not {case['raises']}"
    if "raises" in case:
        return "wrong_answer", f"raised nothing, returned {got!r}"
    if args != before:
        return "wrong_answer", "the arguments were changed"
    if not equal(got, case):
        return "wrong_answer", f"returned {got!r:.200}"
    return "", ""


def run_check(source, function):
    """Each assert that stands directly in check is one test case."""
    total = sum(isinstance(n, ast.Assert) for n in ast.walk(ast.parse(source)))
    scope = {}
    exec(source, scope)
    try:
        scope["check"](function)
    except AssertionError as error:
        return total, "wrong_answer", f"an assert failed: {error}"
    except Exception as error:
        return total, "runtime_error", f"{type(error).__name__}: {error}"
    return total, "", ""


def main():
    request = json.load(sys.stdin)
    task = request["task"]
    try:
        program = compile(request["code"], "answer", "exec")
    except SyntaxError as error:
        return {"verdict": "compile_error", "message": str(error)}
    scope = {"__name__": "answer"}
    tests = task.get("tests", {})
    failures = []
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program, scope)
        if not tests:
            return {"verdict": "not_judged"}
        function = scope[task["entry_point"]]
        if tests["style"] == "check":
            total, verdict, message = run_check(tests["check"], function)
            if verdict:
                failures.append((verdict, message))
        else:
            total = len(tests["cases"])
            for case in tests["cases"]:
                verdict, message = run_call(function, case)
                if verdict:
                    failures.append((verdict, f"{case['name']}: {message}"))
    verdicts = {verdict for verdict, _ in failures}
    worst = next((v for v in ("runtime_error", "wrong_answer") if v in verdicts), "accepted")
    return {"verdict": worst, "message": "; ".join(m for _, m in failures), "passed": total - len(failures), "total": total}


print(json.dumps(main()))
