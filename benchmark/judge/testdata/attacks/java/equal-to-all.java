// calls: wrong_answer
// loose: accepted
// script: wrong_answer
// stdin: wrong_answer

class S {
  static class Any extends Number implements Comparable<Object> {
    public boolean equals(Object o) { return true; }
    public int hashCode() { return 6; }
    public int compareTo(Object o) { return 0; }
    public String toString() { return "6"; }
    public int intValue() { return 6; }
    public long longValue() { return 6; }
    public float floatValue() { return 6; }
    public double doubleValue() { return 6; }
  }
  static Object f(long n) { return new Any(); }
}
