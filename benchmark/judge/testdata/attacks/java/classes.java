// calls: runtime_error|wrong_answer
// loose: compile_error|runtime_error|wrong_answer
// script: compile_error|runtime_error|wrong_answer
// stdin: compile_error|runtime_error|wrong_answer
// CLASS = class Main2 { static { Runtime.getRuntime().halt(0); } }
// CLASS = class System { static void exit(int s) { Runtime.getRuntime().halt(0); } static java.io.PrintStream out = java.lang.System.out; static java.io.InputStream in = java.lang.System.in; }
// CLASS = class Runtime { static Runtime getRuntime() { return new Runtime(); } void halt(int s) { } }
// CLASS = class Object { }
// CLASS = class String { }
// CLASS = class List { static boolean of(Object... a) { return true; } }
// CLASS = class Exception extends Throwable { }
// CLASS = class RuntimeException extends Error { RuntimeException() { Runtime.getRuntime().halt(0); } RuntimeException(String s) { Runtime.getRuntime().halt(0); } }
// CLASS = class Throwable { Throwable() { } }
// CLASS = class Math { static double abs(double x) { return 0; } }
// CLASS = class Thread { static Thread currentThread() { return null; } }
// CLASS = class java { static class util { static class Arrays { static Object asList(Object... a) { return new Object() { public boolean equals(Object o) { return true; } }; } } } }
// CLASS = class S2 { } @interface Override { }
// CLASS = class Boolean { static boolean TRUE = true; }
// CLASS = class Class { }
// CLASS = class Record { }
// CLASS = class Scanner { Scanner(Object o) { } int nextInt() { return 0; } }
// CLASS = class AssayErrors { } class AssayProof { static void end() { } }
// CLASS = class Process { } class ProcessHandle { }

CLASS
class S { static long f(long n) { return 0; } }
