# Runs a whole program as `python3 main.py` does, with exit() and quit(), which an
# interpreter without the site module lacks. The interpreter may have been forked.
import builtins
import os
import site
import sys


def _begin(name):
    """Makes the program's module and returns its code."""
    path = os.path.join(os.getcwd(), name)
    sys.argv = [name]
    sys.path[:] = [os.getcwd()] + [p for p in sys.path if p]
    sys.modules["__main__"] = module = type(sys)("__main__")
    loader = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", path)
    vars(module).update(__annotations__={}, __builtins__=builtins, __cached__=None, __file__=path, __loader__=loader)
    site.setquit()
    if "random" in sys.modules:
        sys.modules["random"].seed()  # loaded before the fork
    with open(path, "rb") as f:
        return compile(f.read(), path, "exec", dont_inherit=True)


def _fail(e):
    """Reports an exception, without the frames of this text, and ends the process."""
    trace = e.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
        trace = trace.tb_next
    sys.excepthook(type(e), e.with_traceback(trace), trace)
    raise SystemExit(1)
