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
_namespace = _objects = None  # of the program
_watch = None      # finds loops that never end

# What a program may exchange for something else, in modules that it shares with this.
_process, _clock, _leave = os.getpid, time.process_time_ns, os._exit
_pack, _unpack = marshal.dumps, marshal.loads

sys.path[:] = [p for p in sys.path if p]


def begin():
    """Makes the module that the program is loaded as, before there is a program."""
    global _namespace
    module = type(sys)("solution")
    sys.modules["solution"] = sys.modules["__main__"] = module
    sys.argv = ["solution.py"]
    _namespace = module.__dict__


def stand_by():
    """Makes what answers calls of the program."""
    global _objects
    begin()
    _objects = Objects(_namespace)


def greet(channel):
    global _awaited
    _awaited = True
    stand_by()
    channel.send({"k": "ready"})


class Rehearsal(Channel):
    """Stands for a channel: it brings an order and takes the answer."""

    def __init__(self, ends, order):
        self.ends, self.order = ends, order

    def take(self):
        return self.order

    def send(self, message):
        text = self.framed(message)
        os.write(self.ends[1], text)
        os.read(self.ends[0], len(text))


def rehearse():
    """Goes through all that a process does, with a harmless program, so often that
    the interpreter adapts its code. What it prepares when something is done for the
    first time, every process that is then forked has prepared already."""
    program = ("from typing import List\nimport math\n\ndef f(a: List[int], b=1):\n    r = []\n"
               "    for i, x in enumerate(sorted(a)):\n        if x > 2 and i % 2 == 0:\n            r.append(str(x) + 'a')\n"
               "    return [1, True, 1.5, (1, 'x'), {k: len(k) for k in r}, None, r]\n")
    calls = [_pack(([[1, 2, 3, 4.5]], {"b": "text"}), 2), _pack(([[1, "a"]], {}), 2)]  # one of them fails
    ends = os.pipe()
    for _ in range(12):
        stand_by()
        run(Rehearsal(ends, _pack([program, "f", calls], 2)))
    for end in ends:
        os.close(end)
    stand_by()


_ALL = ord("[")  # begins a list, as _unpack reads it


def run(channel):
    process = _process()
    order = channel.take()
    if order[0] == _ALL:  # all calls at once
        program, entry, calls = _unpack(order)
        _objects.entry = entry
        answer = load(program, entry)
        if answer["k"] == "loaded":
            answer = {"k": "batch", "answers": batch(calls, program, process)}
        reply(channel, process, answer)
        if not _awaited:
            return  # nothing more will be asked
    else:
        order = json.loads(order)
        program, entry = order["program"], order["entry"]
        if "watch" in order and _watch is not None:
            _watch.look_after(_SOON)
        _objects.entry = entry
        reply(channel, process, load(program, entry))
    while True:
        order = channel.receive()
        reply(channel, process, call(_objects, order, program))


def watch(channel):
    """Has loops that never end told instead of the answer, and the process ended."""
    global _watch
    process = _process()

    def tell(number):
        if _process() == process:
            channel.send(located({"k": "endless"}, number, _watch.source))
        _leave(0)

    _watch = Watch(tell)


def load(lines, entry):
    """Runs the program and returns the answer to that."""
    if _watch is not None:
        _watch.source = lines
    try:
        code = compile(lines, "solution.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError) as e:
        return failure("syntax", e, lines)
    except (RecursionError, MemoryError) as e:
        return failure("syntax", e, lines)
    try:
        exec(code, _namespace)
    except BaseException as e:
        # A program that asks for input, of which there is none here, has its functions by then.
        if not isinstance(e, EOFError) or entry not in _namespace:
            return failure("load", e, lines)
    if entry not in _namespace:
        return {"k": "load", "type": "NameError", "names": [], "text": "the answer defines no function %s" % entry}
    return {"k": "loaded"}


def batch(calls, program, process):
    """Makes all calls, up to the first that is not simply answered: the caller
    then has them made one by one."""
    answers, encoder = [], ResultEncoder(_objects)
    for packed in calls:
        start = _clock()
        answer = attempt(program, simply, _objects, encoder, packed)
        answer["ns"] = _clock() - start
        answers.append(answer)
        if _process() != process:  # a child that the program forked and let return
            _leave(0)
        if answer["k"] not in ("value", "raise"):
            break
    return answers


def simply(objects, encoder, packed):
    """Makes one call of a batch."""
    args, kwargs = grown(_unpack(packed))
    encoder.left = _MAX_NODES
    answer = {"k": "value", "v": encoder.encode(objects.target(0)(*args, **kwargs))}
    if repacked(args, kwargs) != packed:
        given, named = _unpack(packed)
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
        if extent((args, kwargs), {}) > _MAX_NODES:
            return b""
        return _pack((args, kwargs), 2)
    except (ValueError, RecursionError):  # something was put in that is no plain value, or nested deeply
        return b""


def call(objects, order, lines):
    answer = attempt(lines, perform, objects, order)
    if answer["k"] == "raise" and order.get("share"):
        answer["shared"] = attempt(lines, lambda: {"now": objects.changes(ResultEncoder(objects))})
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
    if _process() != process:  # a child that the program forked and let return
        _leave(0)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def failure(kind, e, program):
    """Describes an exception: its class and bases by name, and where in the
    program it was raised."""
    try:
        text = text_of(e, str)[:2000]
    except Exception:
        text = ""
    number = getattr(e, "lineno", None) if kind == "syntax" else None
    trace = e.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "solution.py":
            number = trace.tb_lineno
        trace = trace.tb_next
    names = [c.__name__ for c in type(e).__mro__ if c is not object]
    return located({"k": kind, "type": type(e).__name__, "names": names, "text": text}, number, program)


def located(answer, number, program):
    """The answer with a line of the program, if there is one."""
    answer["line"], answer["source"] = 0, ""
    if type(number) is int:
        source, answer["line"] = program.split("\n"), number
        if 0 < number <= len(source):
            answer["source"] = source[number - 1].strip()[:120]
    return answer
