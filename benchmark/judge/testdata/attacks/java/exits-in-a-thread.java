// calls: runtime_error|wrong_answer
// loose: compile_error
// script: compile_error
// stdin: runtime_error|wrong_answer
// END = System.exit(0)
// END = Runtime.getRuntime().halt(0)

class S { static long f(long n) throws Exception { Thread t = new Thread(() -> END); t.setDaemon(true); t.start(); t.join(); return 0; } }
