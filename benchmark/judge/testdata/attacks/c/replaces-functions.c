// loose: runtime_error
// script: runtime_error wrong_answer wrong_answer wrong_answer wrong_answer wrong_answer
// stdin: wrong_answer
// FUNCTION = void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {}
// FUNCTION = void abort(void) { _Exit(0); }⏎void _Exit(int);
// FUNCTION = int strcmp(const char *a, const char *b) { return 0; }⏎int memcmp(const void *a, const void *b, size_t n) { return 0; }
// FUNCTION = void exit(int s) { _Exit(0); }⏎void _Exit(int);
// FUNCTION = int raise(int s) { return 0; }
// FUNCTION = double fabs(double x) { return 0; }

#include <stddef.h>
long f(long n) { return 0; }
FUNCTION
