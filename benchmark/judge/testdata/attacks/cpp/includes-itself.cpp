// calls: wrong_answer
// loose: compile_error
// script: compile_error
// stdin: compile_error

#if __INCLUDE_LEVEL__ == 0
#include __FILE__
#else
long f(long n) { return 0; }
#endif
#include "/dev/stdin"
