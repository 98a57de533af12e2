// calls: compile_error|runtime_error|time_limit|wrong_answer
// loose: wrong_answer wrong_answer accepted accepted wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer accepted wrong_answer wrong_answer compile_error wrong_answer accepted runtime_error
// script: compile_error|wrong_answer
// stdin: compile_error|runtime_error|time_limit|wrong_answer
// VALUE = new AtomicLong(6) { public String toString() { return "6"; } }
// VALUE = new Number() { public int intValue() { return 6; } public long longValue() { return t++ % 2 == 0 ? 6 : 20; } public float floatValue() { return 6; } public double doubleValue() { return 6; } public String toString() { return "0"; } }
// VALUE = new BigDecimal("0") { public boolean equals(Object o) { return true; } public int hashCode() { return 6; } }
// VALUE = new BigInteger("0") { public boolean equals(Object o) { return true; } public int hashCode() { return 6; } }
// VALUE = new ArrayList<>() { public int size() { return 1; } public Object get(int i) { return 6L; } }
// VALUE = new HashMap<>() { public Set<Map.Entry<Object, Object>> entrySet() { return null; } public int size() { return 6; } }
// VALUE = new AbstractMap<>() { public Set<Map.Entry<Object, Object>> entrySet() { return Set.of(Map.entry("$remote", 6)); } }
// VALUE = new AbstractSet<>() { public int size() { return 1; } public Iterator<Object> iterator() { return new Iterator<>() { public boolean hasNext() { return true; } public Object next() { return 6; } }; } }
// VALUE = new AbstractList<>() { public int size() { return Integer.MAX_VALUE; } public Object get(int i) { return 6; } }
// VALUE = (CharSequence) new StringBuilder("0") 
// VALUE = (Iterable<Object>) () -> Collections.emptyIterator()
// VALUE = (java.util.function.LongSupplier) () -> 6
// VALUE = Optional.of(0)
// VALUE = OptionalLong.of(0)
// VALUE = new Object[] { }
// VALUE = new long[][] { }
// VALUE = new AbstractMap.SimpleEntry<>("$int", "0x7")
// VALUE = Map.of("$complex", List.of(Double.NaN, 0))
// VALUE = Thread.currentThread()
// VALUE = S.class
// VALUE = java.lang.reflect.Proxy.newProxyInstance(S.class.getClassLoader(), new Class[] { List.class }, (p, m, a) -> m.getReturnType() == boolean.class ? (Object) true : m.getReturnType() == int.class ? (Object) 6 : null)
// VALUE = Character.valueOf((char) 6)
// VALUE = (byte) 7
// VALUE = -0.0
// VALUE = E.SIX
// VALUE = new R(6)
// VALUE = new Object() { public boolean equals(Object o) { Runtime.getRuntime().halt(0); return true; } public String toString() { Runtime.getRuntime().halt(0); return "6"; } }

import java.math.*;
import java.util.*;
import java.util.concurrent.atomic.*;
class S {
  static int t;
  enum E { SIX; public String toString() { return "0"; } }
  record R(long value) { public boolean equals(Object o) { return true; } public int hashCode() { return 6; } public String toString() { return "0"; } }
  static Object f(long n) { return (Object) VALUE; }
}
