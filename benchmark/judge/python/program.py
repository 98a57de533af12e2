# Runs a whole program as `python3 main.py` does, with exit() and quit(), which an
# interpreter without the site module lacks. The interpreter may have been forked:
# taking it apart at the end would then copy most of its memory.
import atexit
import builtins
import gc
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
    """Reports an exception, without the frames of this text, and returns the exit status."""
    if isinstance(e, SystemExit):
        if e.code is None or isinstance(e.code, int):
            return (e.code or 0) & 0xff
        if sys.stderr is not None:
            print(e.code, file=sys.stderr)
        else:
            os.write(2, os.fsencode("%s\n" % (e.code,)))
        return 1
    trace = e.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
        trace = trace.tb_next
    sys.excepthook(type(e), e.with_traceback(trace), trace)
    return 1


def _end(status):
    """Ends the process as the interpreter would: it waits for threads, calls what is registered with
    atexit, and drops the program's objects, first those whose names begin with one underscore."""
    threads, program = sys.modules.get("threading"), vars(sys.modules["__main__"])
    if threads is not None:
        threads._shutdown()
    atexit._run_exitfuncs()
    for private in (True, False):
        for name in list(program):
            if name != "__builtins__" and (not private or name[:1] == "_" != name[1:2]):
                program[name] = None
    gc.collect()
    try:
        sys.stdout.flush()
    except (AttributeError, ValueError):  # the program closed it
        pass
    except OSError as e:
        sys.stderr.write("Exception ignored in: %r\n%s: %s\n" % (sys.stdout, type(e).__name__, e))
        status = 120
    try:
        sys.stderr.flush()
    except (AttributeError, ValueError, OSError):
        pass
    os._exit(status)
