# The trusted side: holds the tests and the expected values, asks for calls, and
# decides each case. The program under test is in another process; what comes
# from there is plain data.
import ast
import builtins
import random

_TEXT = 300  # characters of a text to show


class CallFailed(BaseException):
    """The call did not return: the program was killed, crashed or left."""

    def __init__(self, status, text):
        self.status, self.text = status, text


class SampleError(Exception):
    """An exception of a class that only the program knows."""


class Unsendable(BaseException):
    """The test passes a value that cannot be sent to another process."""


def short(value):
    """A repr for people: bounded in time and length for every value."""
    return clip(_short(value, 4))


def _short(v, depth):
    kind = type(v)
    if kind is int and v.bit_length() > 1000:
        return "<an integer of %d bits>" % v.bit_length()
    if kind is str or kind is bytes:
        return repr(v[:_TEXT])
    if kind in (list, tuple, set, frozenset, dict) and v:
        if depth == 0:
            return "…"
        parts, room = [], _TEXT
        for item in (v.items() if kind is dict else v):
            if room <= 0:
                parts.append("…")
                break
            if kind is dict:
                text = _short(item[0], depth - 1) + ": " + _short(item[1], depth - 1)
            else:
                text = _short(item, depth - 1)
            parts.append(text)
            room -= len(text) + 2
        body = ", ".join(parts)
        if kind is list:
            return "[" + body + "]"
        if kind is tuple:
            return "(" + body + (",)" if len(v) == 1 else ")")
        return "frozenset({%s})" % body if kind is frozenset else "{" + body + "}"
    return text_of(v)


def clip(text):
    return text if len(text) <= _TEXT else text[:_TEXT - 1] + "…"


class Case:
    """One test case of a run, and as a context manager one execution of it."""

    def __init__(self, run, index, call, expected="", edge=False, name=""):
        self.run = run
        self.report = {"index": index, "status": "", "call": clip(call), "expected": clip(expected),
                       "got": "", "message": "", "edge": edge, "name": name}
        self.span = (0, 0)  # lines of the outermost loop around an assert
        self.sides = []

    def fail(self, status, message):
        if self.report["status"] in ("", "passed"):
            self.report["status"], self.report["message"] = status, clip(message)
            self.show()

    def show(self):
        if self.sides:
            self.report["got"] = short(self.sides[0])
            if len(self.sides) > 1:
                self.report["expected"] = short(self.sides[-1])
        elif self.run.last is not _NOTHING:
            self.report["got"] = short(self.run.last)

    # What the transformed assert calls.

    def left(self, value):
        self.sides = [value]
        return value

    def right(self, value):
        self.sides = self.sides[:1] + [value]
        return value

    def failed(self):
        self.fail("wrong_answer", "")

    def said(self, message):
        if self.report["status"] == "wrong_answer" and not self.report["message"]:
            self.report["message"] = clip(text_of(message, str))

    def __enter__(self):
        self.sides, self.run.case, self.run.last = [], self, _NOTHING
        return self

    def __exit__(self, kind, e, trace):
        self.run.case = None
        if e is None:
            if self.report["status"] == "":
                self.report["status"] = "passed"  # what it got is what was expected
            return False
        if isinstance(e, (CallFailed, Exception)):
            self.fail(*fault(e))
            return True
        return False


def fault(e):
    """What an exception that a test raised means for its case. One that came from the
    program is a runtime error; one that the comparison itself raised means that the
    value was no good."""
    if isinstance(e, CallFailed):
        return e.status, e.text
    if from_sample(e):
        return "runtime_error", getattr(e, "_assay_text", "") or "%s: %s" % (type(e).__name__, text_of(e, str))
    if isinstance(e, MemoryError):
        return "memory_limit", "the tests took more memory than allowed on what the code returned"
    return "wrong_answer", "%s: %s" % (type(e).__name__, text_of(e, str))


def from_sample(e):
    """Whether an exception came from the program: from its process, or in one process with
    it from its text."""
    if getattr(e, "_assay_from_sample", False):
        return True
    raised, trace = "", e.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name in ("check", "solution.py"):
            raised = name
        trace = trace.tb_next
    return raised == "solution.py"


_NOTHING = object()


class Run:
    """One sample judged by one task."""

    def __init__(self, channel, task):
        self.channel, self.task = channel, task
        self.case, self.last, self.calls = None, _NOTHING, 0
        self.aborted = None
        self.log = None  # of the calls made, where it is wanted
        self.trial = False  # calls look for a simpler input, and decide nothing
        self.watch = task["style"] != "calls"  # data cannot see what a program does to it
        self.shared = Shared()
        self.remotes = {}  # by the life of the program's process, and the handle
        self.instances = {}  # what the tests constructed, likewise
        self.fixed = {}  # likewise: what was read of objects and has to stay so
        self.candidate = Candidate(self)
        self.cases, self.told = [], 0  # those of the run, and how many were told to have ended

    def ask(self, remote, op, name, args, kwargs):
        """What comes of doing something with an object. What was read of one that the tests did not
        make stays so until they do anything but read."""
        made = type(remote) is Instance  # a property of it may do anything
        if op not in _LOOKS and (self.task.get("class") or remote is not self.candidate) or made and op in _READ:
            self.fixed.clear()
        if op not in _READ or made or remote is self.candidate or not plain(args):
            return self.perform(remote, op, name, args, kwargs)
        held, key = remote._assay_held(), (op, name, packed(args, kwargs))
        if key not in held:
            held[key] = self.perform(remote, op, name, args, kwargs)
        return held[key]

    def perform(self, remote, op, name, args, kwargs):
        """Has the program's process do something and returns what came of it."""
        self.calls += 1
        encoder = ArgumentEncoder()
        encoder.answered = self.calls > 1
        encoder.life = remote._assay_life

        def sent(value):
            handle = 0 if remote is self.candidate else self.shared.handle(value)
            return {"$handle": handle} if handle else encoder.encode(value)

        try:
            order = {"k": "call", "id": self.calls, "case": self.case.report["index"] if self.case else 0,
                     "op": op, "on": remote._assay_on, "name": name, "watch": self.watch,
                     "args": [sent(a) for a in args], "kwargs": {k: sent(v) for k, v in kwargs.items()},
                     "cases": self.ended(), "trial": self.trial}
            if self.task.get("class") or remote is not self.candidate:
                order["share"], order["share_life"] = self.shared.order(), self.shared.life
        except TooLarge:
            raise encoder.oversized("the arguments of the test are too large to be sent")
        order["life"] = encoder.life
        if self.log is not None:
            try:
                if op != "call" or remote is not self.candidate:
                    raise Stop()
                self.log.append(Call(args, kwargs))
            except Stop:
                self.log = None  # not to be repeated in another process
        self.channel.send(order)
        return self.take(self.channel.receive(), op, args, kwargs)

    def ended(self):
        """How the cases before this one ended that were not told yet. In a loop none has ended."""
        fresh = []
        if self.case is not None:
            for case in self.cases[self.told:self.case.report["index"] - 1]:
                if case.span != (0, 0) and case.span == self.case.span:
                    break
                self.told += 1
                if case.report["status"]:
                    fresh.append(case.report)
        return fresh

    def take(self, answer, op="call", args=(), kwargs={}):
        try:
            if answer["k"] == "raise" and answer.get("shared"):
                self.shared.take(answer["shared"], answer["life"])
            if answer["k"] == "value":
                decoders["$remote"] = remote_decoder(self, answer["life"])
                decoders["$method"] = (lambda body: RemoteMethod) if op == "get" else None
                value = decode(answer["v"])
                if answer.get("shared"):
                    value = self.shared.take(answer["shared"], answer["life"], value, args, kwargs)
                if value is not RemoteMethod:
                    self.last = value
                for key, new in self.watch and answer.get("changed") or ():
                    self.log = None
                    known = args[key] if type(key) is int else kwargs[key]
                    restore(known, decode(new))
                return value
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError, MemoryError, ArithmeticError):
            # Only a forged answer does not decode.
            self.last = Opaque("unreadable", "<a value that cannot be read>")
            return self.last
        self.last = _NOTHING  # an object that the call was made on is not what it returned
        if answer["k"] == "raise":
            raise rebuilt(answer, op, self.task["names"])
        self.fixed.clear()  # the objects may be lost with their process
        raise CallFailed(answer["status"], answer["text"])

    def kin(self, others, value):
        """The result of an operator among instances is of their kind, too."""
        if type(value) is Remote and all(type(o) in (Instance, Kin) for o in others):
            value = Kin(self, value._assay_on, value._assay_life, value._assay_type, value._assay_text)
        return value


# What is asked of an object without changing it, and what is then asked once.
_LOOKS = {"get", "item", "items", "iter", "reversed", "next", "str", "bool", "contains"}
_READ = {"get", "item", "str", "bool"}

# Exceptions by which Python ends a loop or takes a default, and what asks for them so.
_READ_BY_PYTHON = {"StopIteration": ("next",), "StopAsyncIteration": (), "AttributeError": ("get",), "IndexError": ("item",), "KeyError": ("item",),
                   "LookupError": ("item",), "NotImplementedError": (), "RecursionError": (), "TypeError": ("items", "iter", "reversed", "operator")}


def rebuilt(answer, op, names_in_tests):
    """The program's exception, as the nearest builtin class of the same name. One that Python itself would read, so that
    nothing is compared, is that only where it was asked for."""
    kind, names = SampleError, [str(n) for n in answer["names"]]
    for name in names:
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, Exception):
            if name not in _READ_BY_PYTHON or op in _READ_BY_PYTHON[name] or names_in_tests.intersection(
                    k.__name__ for k in known.__mro__[:-3]):  # but Exception, BaseException and object
                kind = known
            break
    try:
        e = kind(answer["text"])
    except Exception:  # UnicodeError and its kin want more arguments
        e = SampleError(answer["text"])
    e._assay_from_sample = True
    e._assay_names = [str(n) for n in answer["names"]]
    e._assay_text = answer["shown"]
    return e


# Style "check": HumanEval's check(candidate).

class Transform(ast.NodeTransformer):
    """Makes each assert statement a test case that cannot stop the others."""

    def __init__(self):
        self.found = []  # (source, expected source, span)
        self.loops = []

    def visit_loop(self, node):
        self.loops.append((node.lineno, node.end_lineno))
        self.generic_visit(node)
        self.loops.pop()
        return node

    visit_For = visit_While = visit_FunctionDef = visit_AsyncFor = visit_loop

    def visit_Assert(self, node):
        test, expected = node.test, "true"
        call = ast.unparse(test)
        if isinstance(test, ast.Compare):
            call = ast.unparse(test.left)
            expected = ast.unparse(test.comparators[-1])
            if len(test.ops) > 1 or not isinstance(test.ops[0], ast.Eq):
                call, expected = ast.unparse(test), "true"
            else:
                test.left = method(test.left, "left", [test.left])
                test.comparators[-1] = method(test.comparators[-1], "right", [test.comparators[-1]])
        elif (isinstance(test, ast.Call) and getattr(test.func, "id", "") == "accept"
              and len(test.args) > 1 and isinstance(test.args[0], ast.Call)):
            call, expected = ast.unparse(test.args[0]), ast.unparse(test.args[1])
        index = len(self.found)
        # loops[0] is the check function itself.
        self.found.append((call, expected, self.loops[1] if len(self.loops) > 1 else (0, 0)))
        at = location(node)
        on_failure = [ast.Expr(method(node, "failed", []), **at)]
        if node.msg is not None:
            on_failure.append(ast.Expr(method(node, "said", [node.msg]), **at))
        block = ast.If(ast.UnaryOp(ast.Not(), test, **at), on_failure, [], **at)
        case = ast.Subscript(ast.Name("__assay_cases__", ast.Load(), **at), ast.Constant(index, **at), ast.Load(), **at)
        return ast.With([ast.withitem(case, ast.Name("__assay_case__", ast.Store(), **at))], [block], **at)


def location(node):
    """Where a node is, for those that take its place. (To find all that have no
    place afterwards takes longer than all the rest of reading a task.)"""
    return {"lineno": node.lineno, "col_offset": node.col_offset,
            "end_lineno": node.end_lineno, "end_col_offset": node.end_col_offset}


def method(node, name, args):
    """A call of the case's method, in the place of a node."""
    at = location(node)
    return ast.Call(ast.Attribute(ast.Name("__assay_case__", ast.Load(), **at), name, ast.Load(), **at), args, [], **at)


class CheckStyle:
    def __init__(self, task):
        self.task = task
        transform = Transform()
        tree = transform.visit(ast.parse(task["check"], "check"))
        self.code = compile(tree, "check", "exec", dont_inherit=True)
        self.found = transform.found
        try:
            self.prompt = compile(task["prompt"], "prompt", "exec", dont_inherit=True)
        except Exception:
            self.prompt = compile("", "prompt", "exec")

    def cases(self, run):
        made = []
        for i, (call, expected, span) in enumerate(self.found):
            case = Case(run, i + 1, call, expected)
            case.span = span
            made.append(case)
        if not made:  # a check that says no by raising is one case
            made.append(Case(run, 1, "check(%s)" % self.task["entry"], "no exception"))
        return made

    def execute(self, run, cases):
        namespace = {"__name__": "check", "__builtins__": builtins}
        try:
            exec(self.prompt, namespace)
        except Exception:
            pass  # a prompt that does not stand alone offers no helpers
        namespace["__assay_cases__"] = cases
        exec(self.code, namespace)
        check = namespace.get("check")
        if check is None:
            raise Unsendable("the tests define no function check(candidate)")
        # The tests may call the function by its name, too, unless one of their own has it.
        code = getattr(namespace.get(self.task["entry"]), "__code__", None)
        if code is None or code.co_filename != "check":
            namespace[self.task["entry"]] = run.candidate
        random.seed(20240229)
        try:
            check(run.candidate)
        except (CallFailed, Exception) as e:
            status, text = fault(e)
            run.aborted = (status, clip(text), line_of(e))
        self.conclude(run, cases)

    def conclude(self, run, cases):
        for case in cases:
            report = case.report
            if run.aborted is None:
                report["status"] = report["status"] or "passed"
            elif not self.found:
                case.fail(run.aborted[0], run.aborted[1])
            elif report["status"] == "":
                report["status"] = "not_run"
            elif report["status"] == "passed" and case.span[0] <= run.aborted[2] <= case.span[1]:
                case.fail(run.aborted[0], run.aborted[1])  # its loop did not finish


def line_of(e):
    number, trace = 0, e.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "check":
            number = trace.tb_lineno
        trace = trace.tb_next
    return number


# Style "calls": arguments and an expected value, as data.

class Checker:
    """A task's own checker: Python that defines accept. It belongs to the task's
    author and is trusted; what it is given is not."""

    def __init__(self, source):
        namespace = {"__name__": "checker", "__builtins__": builtins}
        exec(compile(source, "checker", "exec", dont_inherit=True), namespace)
        self.accept = namespace.get("accept")
        if not callable(self.accept):
            raise ValueError("the task's checker defines no function accept")

    def judge(self, *what):
        """Whether it accepts, and what it says if it does not. Only True is yes:
        the program's own objects may claim to be anything."""
        try:
            said = self.accept(*what)
        except (CallFailed, Unsendable, Stop):
            raise
        except MemoryError:
            raise CallFailed("memory_limit", "the checker took more memory than allowed")
        except BaseException as e:  # to exit is to refuse
            return False, clip("the checker raised %s: %s" % (type(e).__name__, e))
        return said is True, clip(said) if type(said) is str else ""


class CallsStyle:
    def __init__(self, task):
        self.task = task
        self.checker = Checker(task["checker"]) if task["checker"] else None
        self.items = []
        for c in task["cases"] or ():
            args = [decode(a, True) for a in c.get("args") or []]
            kwargs = {k: decode(v, True) for k, v in (c.get("kwargs") or {}).items()}
            self.items.append((c, args, kwargs, decode(c.get("expected"), True)))
        self.properties = [Property(p, task["entry"]) for p in task["properties"] or ()]

    def cases(self, run):
        made = []
        for i, (c, args, kwargs, expected) in enumerate(self.items):
            parts = [short(a) for a in args] + ["%s=%s" % (k, short(v)) for k, v in kwargs.items()]
            call = "%s(%s)" % (self.task["entry"], ", ".join(parts))
            wanted = "raises " + c["raises"] if c.get("raises") else short(expected)
            if c.get("compare") == "any_of":
                wanted = "one of " + wanted
            made.append(Case(run, i + 1, call, wanted, bool(c.get("edge")), c.get("name") or ""))
        return made + [PropertyCase(run, len(made) + i + 1, p) for i, p in enumerate(self.properties)]

    def execute(self, run, cases):
        tried = cases[len(self.items):]
        self.compare(cases)
        for case in tried:
            with case:
                case.try_all()
        for case in tried:  # when all else is known, so that it costs no other case its time
            if case.failure:
                case.shrink()

    def compare(self, cases):
        for case, (c, args, kwargs, expected) in zip(cases, self.items):
            with case:
                wanted = c.get("raises")
                try:
                    got = case.run.candidate(*args, **kwargs)
                except Exception as e:
                    if not wanted or not getattr(e, "_assay_from_sample", False):
                        raise
                    case.report["got"] = "raises " + e._assay_names[0] if e._assay_names else ""
                    if wanted not in e._assay_names:
                        raise
                    continue
                if not wanted and c.get("compare") == "checker":
                    accepted, said = self.checker.judge(got, expected, args, kwargs)
                    if not accepted:
                        case.fail("wrong_answer", said)
                        case.report["got"] = short(got)
                elif wanted or not agrees_in(self.task["language"], c.get("compare") or "exact", got, expected, c.get("tolerance") or 0):
                    case.failed()
                    case.report["got"] = short(got)
