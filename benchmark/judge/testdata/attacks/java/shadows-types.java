// calls: wrong_answer
// loose: wrong_answer
// script: wrong_answer wrong_answer wrong_answer compile_error wrong_answer
// stdin: wrong_answer
// CLASS = Objects
// CLASS = Arrays
// CLASS = Assert
// CLASS = Long
// CLASS = Integer

class CLASS { public static boolean equals(Object a, Object b) { return true; } public static boolean deepEquals(Object a, Object b) { return true; } public static Object asList(Object... a) { return a; } }
class S { static long f(long n) { return 0; } }
