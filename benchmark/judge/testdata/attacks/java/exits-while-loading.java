// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// END = System.exit(0)
// END = Runtime.getRuntime().halt(0)
// END = if (true) throw new ExceptionInInitializerError()

class S { static { END; } static long f(long n) { return 0; } }
