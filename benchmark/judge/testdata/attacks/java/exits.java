// calls: runtime_error runtime_error runtime_error runtime_error runtime_error compile_error runtime_error
// loose: runtime_error runtime_error runtime_error runtime_error runtime_error compile_error runtime_error
// script: runtime_error runtime_error runtime_error runtime_error runtime_error compile_error runtime_error
// stdin: wrong_answer wrong_answer wrong_answer wrong_answer runtime_error compile_error runtime_error
// END = System.exit(0)
// END = Runtime.getRuntime().exit(0)
// END = Runtime.getRuntime().halt(0)
// END = Thread.currentThread().interrupt(); System.exit(0)
// END = Thread.currentThread().stop()
// END = throw new ThreadDeath()
// END = ProcessHandle.current().destroyForcibly()

class S { static long f(long n) { END; return 0; } }
