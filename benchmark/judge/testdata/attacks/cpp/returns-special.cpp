// calls: wrong_answer
// loose: runtime_error runtime_error runtime_error compile_error compile_error compile_error runtime_error
// script: wrong_answer wrong_answer wrong_answer compile_error compile_error compile_error wrong_answer
// stdin: wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer compile_error wrong_answer
// VALUE = (double)NAN
// VALUE = (double)INFINITY
// VALUE = true
// VALUE = std::string("6")
// VALUE = nullptr
// VALUE = std::map<std::string, std::string>{{"$float", "nan"}}
// VALUE = '6'

#include <cmath>
#include <map>
#include <string>
auto f(long n) { return VALUE; }
