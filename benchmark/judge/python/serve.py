# The checker's loop: what it is asked, in the order in which it happens to a task.


def done(run, cases):
    return {"k": "done", "cases": [c.report for c in cases], "objects": bool(run.remotes),
            "aborted": run.aborted and {"status": run.aborted[0], "text": run.aborted[1]}}


def by_calls(channel, style, wanted):
    """Runs the tests with a round trip for each call. If it is wanted, the calls
    of a run that passes replace the recorded ones."""
    run = Run(channel, style.task)
    run.log = [] if wanted else None
    cases = run.cases = style.cases(run)
    style.execute(run, cases)
    message = done(run, cases)
    if wanted and run.log is not None and all(c.report["status"] == "passed" for c in cases):
        style.made = run.log
        message["calls"] = sent(run.log)
    return message


def serve(channel):
    digits(0)
    sys.setrecursionlimit(10000)
    channel.send({"k": "ready", "python": sys.version.split()[0]})
    styles = {}
    while True:
        order = channel.receive()
        try:
            key = order["task"]
            if order["k"] == "task":
                if order["clear"]:
                    styles.clear()
                order["names"] = names_in(order)
                styles[key] = style = _STYLES[order["style"]](order)
                cases = style.cases(None)
                style.count = len(cases)
                channel.send({"k": "cases", "cases": [c.report for c in cases]})
                gc.freeze()  # what stays need not be looked at again and again
                continue
            style = styles[key]
            if order["k"] == "record":
                style.made = record(style)
                channel.send({"k": "recorded", "calls": sent(style.made)})
            elif order["k"] == "accept":
                try:
                    accepted, said = style.checker.judge(order["output"], order["expected"], order["input"])
                    channel.send({"k": "accepted", "passed": accepted, "text": said})
                except CallFailed as e:
                    channel.send({"k": "accepted", "aborted": {"status": e.status, "text": e.text}})
            elif order["k"] == "batch":
                channel.send(replay(style, order["answers"]) or {"k": "differs"})
            elif order["k"] == "judge":
                channel.send(by_calls(channel, style, order["record"]))
        except EOFError:
            return
        except Unsendable as e:
            channel.send({"k": "broken", "tests": True, "text": clip(str(e))})
        except Exception as e:
            # While reading a task the task is at fault; later it is this program.
            at_fault = order["k"] == "task" and not isinstance(e, MemoryError)
            channel.send({"k": "broken", "tests": at_fault, "text": clip("%s: %s" % (type(e).__name__, e))})


try:
    serve(Channel())
except EOFError:
    pass
