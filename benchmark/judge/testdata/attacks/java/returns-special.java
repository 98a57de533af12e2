// calls: wrong_answer
// loose: wrong_answer wrong_answer wrong_answer wrong_answer runtime_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer
// script: wrong_answer
// stdin: wrong_answer
// VALUE = Double.NaN
// VALUE = Double.POSITIVE_INFINITY
// VALUE = true
// VALUE = "6"
// VALUE = null
// VALUE = new Object()
// VALUE = java.util.Map.of("$float", "nan")
// VALUE = java.util.Optional.empty()
// VALUE = new StringBuilder("6")
// VALUE = '6'

class S { static Object f(long n) { return VALUE; } }
