# Tests and program in one process, for tests that pass what cannot be sent. The
# program can reach the tests here and can forge the verdict; the result is
# labelled so.


class LocalRun:
    """One sample judged where it lives."""

    def __init__(self, channel, task, namespace, program):
        self.channel, self.task, self.program = channel, task, program
        self.last, self.aborted, self.remotes = _NOTHING, None, {}
        self._case = self.before = None
        entry = namespace[task["entry"]]
        self.candidate = entry if isinstance(entry, type) else self.wrap(entry)

    def wrap(self, function):
        def candidate(*args, **kwargs):
            try:
                self.last = function(*args, **kwargs)
                return self.last
            except Exception as e:
                told = failure("raise", e, self.program)
                e._assay_from_sample, e._assay_names = True, told["names"]
                e._assay_text = "%s: %s" % (told["type"], told["text"])
                if told["line"]:
                    e._assay_text += " (line %d: %s)" % (told["line"], told["source"])
                raise
            except BaseException as e:
                raise CallFailed("runtime_error", "the program tried to exit: %s" % type(e).__name__)
        return candidate

    @property
    def case(self):
        return self._case

    @case.setter
    def case(self, case):
        if case is not None:
            before = self.before.report if self.before is not None else None
            self.channel.send({"k": "start", "case": case.report["index"], "cases": before and [before]})
            self.before = case
        self._case = case


def bound_texts():
    """Has unittest's messages say only the type of a value that nothing could write out."""
    import pprint
    import unittest.util
    whole = unittest.util.safe_repr
    unittest.util.safe_repr = unittest.case.safe_repr = lambda value, short=False: text_of(value, lambda v: whole(v, short))
    unittest.case.pprint = types.SimpleNamespace(pformat=lambda value: text_of(value, pprint.pformat))


def judge_here(channel):
    sys.setrecursionlimit(10000)
    channel.send({"k": "ready"})
    order = channel.receive()
    try:
        style = _STYLES[order["task"]["style"]](order["task"])
    except Exception as e:
        return channel.send({"k": "broken", "text": clip("%s: %s" % (type(e).__name__, e))})
    channel.send({"k": "cases", "cases": [c.report for c in style.cases(None)]})
    if "unittest" in sys.modules:
        bound_texts()
    begin()
    answer = load(order["program"], order["entry"])
    channel.send(answer)
    if answer["k"] != "loaded":
        return
    run = LocalRun(channel, order["task"], _namespace, order["program"])
    cases = style.cases(run)
    try:
        style.execute(run, cases)
    except BaseException as e:
        run.aborted = "runtime_error", clip("%s: %s" % (type(e).__name__, e))
        for case in cases:
            case.fail(*run.aborted)
    channel.send({"k": "done", "cases": [c.report for c in cases],
                  "aborted": run.aborted and {"status": run.aborted[0], "text": run.aborted[1]}})


judge_here(Channel())
