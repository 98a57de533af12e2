// calls: memory_limit|runtime_error|wrong_answer
// loose: memory_limit|runtime_error|time_limit|wrong_answer
// script: memory_limit|runtime_error|time_limit|wrong_answer
// stdin: memory_limit|runtime_error|time_limit|wrong_answer
// THING = System.setOut(new java.io.PrintStream(System.out) { public void println(long x) { super.println(6); } })
// THING = System.setOut(null)
// THING = System.setErr(System.out)
// THING = System.setIn(new java.io.ByteArrayInputStream(new byte[0]))
// THING = System.out.close()
// THING = System.setProperty("java.class.path", "/")
// THING = System.setSecurityManager(null)
// THING = Locale.setDefault(new Locale("ar"))
// THING = Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(6)))
// THING = Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true); }))
// THING = new Thread(() -> Runtime.getRuntime().halt(0)).start()
// THING = new Timer().schedule(new TimerTask() { public void run() { Runtime.getRuntime().halt(0); } }, 0)
// THING = Thread.currentThread().interrupt()
// THING = Thread.currentThread().getThreadGroup().interrupt()
// THING = Thread.currentThread().setContextClassLoader(null)
// THING = for (Thread t : Thread.getAllStackTraces().keySet()) t.interrupt()
// THING = java.lang.ref.Cleaner.create().register(new Object(), () -> Runtime.getRuntime().halt(0))
// THING = Class.forName("jdk.internal.misc.Unsafe").getMethods()[0].invoke(null)
// THING = { var u = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe"); u.setAccessible(true); ((sun.misc.Unsafe) u.get(null)).putAddress(0, 0); }
// THING = { var c = Class.forName("Main").getDeclaredMethods(); for (var m : c) m.setAccessible(true); }
// THING = Class.forName("java.lang.Shutdown").getDeclaredMethod("halt", int.class).setAccessible(true)
// THING = java.lang.reflect.Array.set(new long[0], 0, 6)
// THING = java.lang.management.ManagementFactory.getRuntimeMXBean().getName()
// THING = java.nio.file.Files.writeString(java.nio.file.Path.of("Main.java"), "class Main {}")
// THING = for (int at = 3; at < 12; at++) new java.io.FileOutputStream("/proc/self/fd/" + at).close()
// THING = new ProcessBuilder("true").start()
// THING = throw new StackOverflowError()
// THING = throw new OutOfMemoryError("6")
// THING = throw new InternalError("StopIteration")
// THING = sneaky(new Exception("6"))
// THING = assert false : "6"
// THING = ClassLoader.getSystemClassLoader().setClassAssertionStatus("Main", false)

import java.util.*;
class S {
  static <T extends Throwable> void sneaky(Throwable t) throws T { throw (T) t; }
  static long f(long n) { try { act(); } catch (Exception e) { } return 0; }
  static void act() throws Exception { if (true) THING; }
}
