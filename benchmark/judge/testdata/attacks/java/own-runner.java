// calls: runtime_error wrong_answer wrong_answer
// loose: wrong_answer compile_error wrong_answer
// script: wrong_answer compile_error wrong_answer
// stdin: wrong_answer
// CLASS = AssayCalls
// CLASS = AssayEnd
// CLASS = Calls

class CLASS { public static void main(String[] a) { System.out.println(6); } static void prove() {} static void exit(int s) {} }
class S { static long f(long n) { return 0; } }
