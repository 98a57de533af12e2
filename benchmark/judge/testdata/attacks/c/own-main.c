// loose: runtime_error
// script: wrong_answer
// stdin: compile_error

long f(long n) { return 0; }
#define main tests_main
