// loose: runtime_error
// script: wrong_answer
// stdin: wrong_answer

long g(long n) { return 0; }
long f(long n) __attribute__((alias("g")));
