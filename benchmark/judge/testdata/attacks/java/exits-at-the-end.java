// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// THEN = System.exit(1)
// THEN = System.gc()

class S { static long f(long n) { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); THEN; return 0; } }
