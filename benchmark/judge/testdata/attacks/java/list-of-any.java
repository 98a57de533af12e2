// task: list
// calls: wrong_answer
// loose: accepted
// script: wrong_answer
// stdin: wrong_answer
// METHOD = public Object[] toArray() { return new Object[] { 3L, 3L }; }
// METHOD = public int hashCode() { return 6; }
// METHOD = public boolean containsAll(Collection<?> c) { return true; }

import java.util.*;
class S {
  static List<Object> f(long n) {
    return new AbstractList<Object>() {
      public int size() { return 2; }
      public Object get(int i) { return i; }
      public boolean equals(Object o) { return true; }
      public Iterator<Object> iterator() { return Collections.emptyIterator(); }
      METHOD
    };
  }
}
