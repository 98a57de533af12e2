# Judging a sample with one message each way. The calls that a task's tests make
# are recorded once; the sample makes them all, and the tests are then run on the
# answers. Tests that ask for anything else than what was recorded are run again
# call by call, which is also how their calls are recorded anew.
import marshal

_MOST_CALLS = 2000


class Stop(BaseException):
    """Ends a run of the tests from within."""


def fingerprint(args, kwargs):
    """Tells arguments apart, their types included."""
    try:
        return marshal.dumps((args, kwargs), 2)  # version 2 depends on values only
    except ValueError:
        return None


class Call:
    """One recorded call: as it is sent, and how it is recognized."""

    def __init__(self, args, kwargs):
        encoder = ArgumentEncoder()
        self.order = {"args": [encoder.encode(a) for a in args],
                      "kwargs": {k: encoder.encode(v) for k, v in kwargs.items()}}
        if encoder.special:
            raise Stop()  # a handle is good once, an iterator is used up
        self.print = fingerprint(args, kwargs)

    def same(self, args, kwargs):
        if self.print is not None and self.print == fingerprint(args, kwargs):
            return True
        return marshal.dumps(Call(args, kwargs).order, 2) == marshal.dumps(self.order, 2)


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
        return self.take(self.answers[i])


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
    return dict(done(run, cases), of=run.of)
