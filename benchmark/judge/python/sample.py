# The sample's side: loads the program and answers calls of its entry point. It
# shares a process with untrusted code, so nothing that it says is believed
# beyond "this call returned that value". The program is loaded as a module that
# is both __main__ and "solution": its __name__ is "solution", because the tests
# call a function of it, and a block under `if __name__ == "__main__"` must not
# start reading input or running examples.
import marshal
import os
import random
import time


# A program that draws numbers draws the same ones wherever and whenever it is judged.
random.seed(1)

_awaited = False  # this process is measured and ended from outside


def greet(channel):
    global _awaited
    _awaited = True
    channel.send({"k": "ready"})


def rehearse():
    """Goes through all that a process does, with a harmless program. What the
    interpreter prepares when something is done for the first time, every process
    that is then forked has prepared already."""
    program = ("from typing import List\nimport math\n\ndef f(a: List[int], b=1):\n    r = []\n"
               "    for i, x in enumerate(sorted(a)):\n        if x > 2 and i % 2 == 0:\n            r.append(str(x) + 'a')\n"
               "    return [1, True, 1.5, (1, 'x'), {k: len(k) for k in r}, None, r]\n")
    calls = [marshal.dumps(([[1, 2, 3, 4.5]], {"b": "text"}), 2)] * 20  # so often that the interpreter adapts its code
    main, path, process = sys.modules["__main__"], list(sys.path), os.getpid()
    answer, namespace = load(program, "f")
    answer = {"k": "batch", "answers": batch(Objects(namespace, "f"), calls, program, process, time.process_time_ns)}
    settle(process)
    read, write = os.pipe()
    os.write(write, json.dumps(answer).encode("ascii")[:1])
    os.read(read, 1)
    os.close(read)
    os.close(write)
    sys.modules["__main__"], sys.path[:] = main, path
    del sys.modules["solution"]


def run(channel):
    process, clock, leave = os.getpid(), time.process_time_ns, os._exit
    order = channel.take()
    if order[:1] == b"[":  # all calls at once
        program, entry, calls = marshal.loads(order)
    else:
        order = json.loads(order)
        program, entry, calls = order["program"], order["entry"], None
    answer, namespace = load(program, entry)
    objects = Objects(namespace, entry)
    if answer["k"] == "loaded" and calls is not None:
        answer = {"k": "batch", "answers": batch(objects, calls, program, process, clock)}
    reply(channel, process, answer)
    if calls is not None and not _awaited:
        leave(0)  # nothing more will be asked
    while True:
        order = channel.receive()
        reply(channel, process, call(objects, order, program))


def load(lines, entry):
    """Runs the program and returns the answer to that, and the program's names."""
    module = type(sys)("solution")
    namespace = module.__dict__
    sys.modules["solution"] = sys.modules["__main__"] = module
    sys.argv = ["solution.py"]
    sys.path[:] = [p for p in sys.path if p]
    try:
        code = compile(lines, "solution.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError) as e:
        return failure("syntax", e, lines), namespace
    except (RecursionError, MemoryError) as e:
        return failure("syntax", e, lines), namespace
    try:
        exec(code, namespace)
    except BaseException as e:
        return failure("load", e, lines), namespace
    if entry not in namespace:
        return {"k": "load", "type": "NameError", "names": [], "text": "the program defines no %s" % entry}, namespace
    return {"k": "loaded"}, namespace


def batch(objects, calls, program, process, clock):
    """Makes all calls, up to the first that is not simply answered: the caller
    then has them made one by one."""
    answers, encoder = [], ResultEncoder(objects)
    for packed in calls:
        start = clock()
        answer = attempt(program, simply, objects, encoder, packed)
        answer["ns"] = clock() - start
        answers.append(answer)
        if os.getpid() != process:  # a child that the program forked and let return
            os._exit(0)
        if answer["k"] not in ("value", "raise"):
            break
    return answers


def simply(objects, encoder, packed):
    """Makes one call of a batch."""
    args, kwargs = grown(marshal.loads(packed))
    encoder.left = _MAX_NODES
    answer = {"k": "value", "v": encoder.encode(objects.target(0)(*args, **kwargs))}
    if repacked(args, kwargs) != packed:
        given, named = marshal.loads(packed)
        encode = Encoder().encode
        tell_changes(answer, encoder, args, kwargs, [encode(v) for v in given], {k: encode(v) for k, v in named.items()})
    if len(objects.kept) > 1:
        answer["k"] = "alone"  # tests may look at what was kept
    return answer


def grown(value):
    """The value with lists as if they had been appended to, which a program can
    tell by their size: that is how values of single calls are made."""
    kind = type(value)
    if kind is list:
        return [grown(v) for v in value]
    if kind is tuple:
        return tuple([grown(v) for v in value])
    if kind is dict:
        return {k: grown(v) for k, v in value.items()}
    return value


def repacked(args, kwargs):
    try:
        return marshal.dumps((args, kwargs), 2)
    except ValueError:  # something was put in that is no plain value
        return b""


def call(objects, order, lines):
    answer = attempt(lines, perform, objects, order)
    answer["id"] = order["id"]
    return answer


def attempt(lines, what, *given):
    """Does what the checker asked for and tells what came of it."""
    try:
        return what(*given)
    except TooLarge:
        return {"k": "large"}
    except Exception as e:
        return failure("raise", e, lines)
    except BaseException as e:
        return failure("exit", e, lines)


def reply(channel, process, answer):
    settle(process)
    channel.send(answer)


def settle(process):
    if os.getpid() != process:  # a child that the program forked and let return
        os._exit(0)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def failure(kind, e, program):
    """Describes an exception: its class and bases by name, and where in the
    program it was raised."""
    try:
        text = str(e)[:2000]
    except Exception:
        text = ""
    number = getattr(e, "lineno", None) if kind == "syntax" else None
    trace = e.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "solution.py":
            number = trace.tb_lineno
        trace = trace.tb_next
    line = ""
    if type(number) is int:
        source = program.split("\n")
        if 0 < number <= len(source):
            line = source[number - 1].strip()[:120]
    names = [c.__name__ for c in type(e).__mro__ if c is not object]
    return {"k": kind, "type": type(e).__name__, "names": names, "text": text,
            "line": number if type(number) is int else 0, "source": line}
