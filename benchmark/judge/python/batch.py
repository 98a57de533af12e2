# Judging a sample with one message each way. The calls that a task's tests make
# are recorded once; the sample makes them all, and the tests are then run on the
# answers. Tests that ask for anything else than what was recorded are run again
# call by call, which is also how their calls are recorded anew.
import base64
import marshal

_MOST_CALLS = 2000


class Stop(BaseException):
    """Ends a run of the tests from within."""


_VALUES = (type(None), bool, int, float, complex, str, bytes)
_CONTAINERS = (list, tuple, set, frozenset)


def plain(value):
    """Whether a value is made of built-in values alone, which marshal restores."""
    kind = type(value)
    if kind in _VALUES:
        return True
    if kind is dict:
        return all(plain(k) and plain(v) for k, v in value.items())
    return kind in _CONTAINERS and all(map(plain, value))


def packed(args, kwargs):
    """The arguments as bytes, by which they are also told apart, types included.
    Version 2 depends on values only."""
    return marshal.dumps((args, kwargs), 2)


class Call:
    """One recorded call. Its bytes are as a program would make them again from
    its own copy, so that a change is noticed."""

    def __init__(self, args, kwargs):
        if not plain((args, kwargs)):
            raise Stop()  # a handle is good once, an iterator is used up
        self.bytes = packed(*marshal.loads(packed(args, kwargs)))
        self.given = packed(args, kwargs)

    def same(self, args, kwargs):
        return plain((args, kwargs)) and packed(args, kwargs) in (self.given, self.bytes)


def sent(calls):
    """Recorded calls as the sample's process takes them."""
    return calls and base64.b64encode(marshal.dumps([c.bytes for c in calls], 2)).decode("ascii")


class Recording(Run):
    """Runs the tests with a candidate that answers nothing."""

    def __init__(self, task):
        Run.__init__(self, None, task)
        self.made = []

    def ask(self, remote, op, name, args, kwargs):
        if len(self.made) >= _MOST_CALLS or remote is not self.candidate or op != "call":
            raise Stop()
        self.made.append(Call(args, kwargs))
        raise CallFailed("not_run", "")


class Replay(Run):
    """Runs the tests on the answers that the sample gave to the recorded calls."""

    def __init__(self, task, made, answers):
        Run.__init__(self, None, task)
        self.made, self.answers = made, answers
        self.differs = len(made) != len(answers)
        self.of = []  # the case of each call

    def ask(self, remote, op, name, args, kwargs):
        i = self.calls
        self.calls += 1
        try:
            if remote is not self.candidate or op != "call" or self.differs or i >= len(self.made) or not self.made[i].same(args, kwargs):
                raise Stop()
        except BaseException:
            self.differs = True
            raise Stop()
        self.of.append(self.case.report["index"] if self.case else 0)
        return self.take(self.answers[i], op, args, kwargs)


def record(style):
    """The calls that the tests make, or None where they cannot be told."""
    run = Recording(style.task)
    try:
        style.execute(run, style.cases(run))
    except BaseException:
        return None
    return run.made


def replay(style, answers):
    """The tests' result on the answers, or None if they asked for other calls."""
    run = Replay(style.task, style.made, answers)
    cases = style.cases(run)
    try:
        style.execute(run, cases)
    except Stop:
        return None
    if run.differs or run.calls != len(run.made):
        return None
    if run.aborted is None and len(cases) == style.count and all(map(simply_passed, cases)):
        return {"k": "done", "passed": True, "of": run.of}
    return dict(done(run, cases), of=run.of)


def simply_passed(case):
    """Whether there is no more to say than that the case passed."""
    report = case.report
    return report["status"] == "passed" and not report["got"] and not report["message"]
