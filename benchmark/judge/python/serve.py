# The checker's loop: it is given a task, and then told to judge, once for each
# sample.


def serve(channel):
    digits(0)
    sys.setrecursionlimit(10000)
    channel.send({"k": "ready", "python": sys.version.split()[0]})
    style = None
    while True:
        order = channel.receive()
        try:
            if order["k"] == "task":
                style = None
                style = _STYLES[order["task"]["style"]](order["task"])
                channel.send({"k": "cases", "cases": [c.report for c in style.cases(None)]})
            elif order["k"] == "judge":
                run = Run(channel, style.task)
                cases = style.cases(run)
                style.execute(run, cases)
                channel.send({"k": "done", "cases": [c.report for c in cases],
                              "aborted": run.aborted and {"status": run.aborted[0], "text": run.aborted[1]}})
        except EOFError:
            return
        except Unsendable as e:
            channel.send({"k": "broken", "tests": True, "text": clip(str(e))})
        except Exception as e:
            # While reading a task the task is at fault; later it is this program.
            channel.send({"k": "broken", "tests": order["k"] == "task", "text": clip("%s: %s" % (type(e).__name__, e))})


try:
    serve(Channel())
except EOFError:
    pass
