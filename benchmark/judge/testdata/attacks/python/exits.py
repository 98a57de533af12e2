# calls: runtime_error
# loose: runtime_error
# script: runtime_error
# stdin: wrong_answer wrong_answer wrong_answer runtime_error wrong_answer runtime_error runtime_error runtime_error
# END = sys.exit(0)
# END = os._exit(0)
# END = raise SystemExit
# END = os.kill(os.getpid(), signal.SIGKILL)
# END = os.execv('/bin/true', ['true'])
# END = raise StopIteration
# END = raise GeneratorExit
# END = os.abort()

import os, signal, sys
def f(n):
    END
    return 0
